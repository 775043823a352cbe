import {
  type ClassPlan,
  type FieldPlan,
  type FilePlan,
  type FunctionPlan,
  lower,
  membersOf,
  pick,
  type Random,
} from './plan.ts';

/** How one language says what bodies are made of, in one file. */
export interface Speech {
  /** What a method calls its object. */
  readonly self: string;
  /** How the file calls a class or a function of this tree; it is imported then. */
  called(what: ClassPlan | FunctionPlan): string;
  member(what: FieldPlan | FunctionPlan): string;
  made(what: ClassPlan, size: string): string;
  /** In the language's case. */
  local(name: string): string;
  declared(name: string, type: ClassPlan | undefined, value: string): string;
  added(value: string): string;
  /** Ends early where the value is large. */
  guarded(value: string): string;
  /** Uses the standard library, and where the language allows it members of values that nothing is known of. */
  foreign(member: string): readonly string[];
}

/** Statements that use what the file sees, its own things included; they stand between `total` made and `total` given back. */
export function bodyOf(
  speech: Speech,
  of: FunctionPlan,
  self: ClassPlan | undefined,
  random: Random,
): readonly string[] {
  const body = new Body(speech, of, self, random);
  return Array.from({ length: 3 + Math.floor(random() * 3) }, () => body.statement()).flat();
}

/** What a function gives back that has reckoned `total`. */
export function resultOf(speech: Speech, { gives }: FunctionPlan): string {
  return gives === undefined ? 'total' : speech.made(gives, 'total');
}

/** Classes and functions that a file sees. */
export function visibleIn(file: FilePlan) {
  const all = [file, ...file.uses];
  return { classes: all.flatMap(one => one.classes), functions: all.flatMap(one => one.functions) };
}

interface Held {
  readonly text: string;
  readonly type: ClassPlan;
}

class Body {
  readonly #held: Held[] = [];
  readonly #classes: readonly ClassPlan[];
  readonly #functions: readonly FunctionPlan[];
  readonly speech: Speech;
  readonly random: Random;

  constructor(speech: Speech, of: FunctionPlan, self: ClassPlan | undefined, random: Random) {
    this.speech = speech;
    this.random = random;
    const { classes, functions } = visibleIn(of.file);
    this.#classes = classes;
    this.#functions = functions;
    if (of.takes !== undefined) this.#held.push({ text: 'other', type: of.takes });
    if (self !== undefined) this.#held.push({ text: speech.self, type: self });
  }

  statement(): readonly string[] {
    const { random, speech } = this;
    const chance = random();
    if (this.#held.length === 0 || chance < 0.4) return [this.#declaration()];
    if (chance < 0.8) return [speech.added(`${this.#number(2)} + ${this.#number(1)}`)];
    if (chance < 0.92) return [speech.guarded(this.#number(2))];
    return speech.foreign(speech.member(pick(random, pick(random, this.#classes).methods)));
  }

  #declaration(): string {
    const { type, text } = this.#object(2);
    const name = this.speech.local(`${lower(type.name)}${this.#held.length}`);
    const isNamed = this.#classes.includes(type) && this.random() < 0.4;
    const line = this.speech.declared(name, isNamed ? type : undefined, text);
    this.#held.push({ text: name, type });
    return line;
  }

  #object(depth: number): Held {
    const { random, speech } = this;
    const chance = random();
    if (depth > 0 && this.#held.length > 0 && chance < 0.5) {
      const from = this.#object(depth - 1);
      const leading = membersOf(from.type).filter(one => typeOf(one) !== undefined && this.#canAsk(one));
      if (leading.length === 0) return from;
      const member = pick(random, leading);
      return { type: typeOf(member)!, text: this.#asked(from.text, member, depth) };
    }
    if (depth === 0 && this.#held.length > 0 && chance < 0.9) return pick(random, this.#held);
    const giving = this.#functions.filter(one => one.gives !== undefined && this.#canAsk(one));
    if (giving.length > 0 && chance < 0.65) {
      const called = pick(random, giving);
      return { type: called.gives!, text: `${speech.called(called)}(${this.#operands(called, 0)})` };
    }
    const type = pick(random, this.#classes);
    return { type, text: speech.made(type, depth > 0 ? this.#number(depth - 1) : 'limit') };
  }

  #number(depth: number): string {
    const { random, speech } = this;
    if (depth === 0) return random() < 0.5 ? 'limit' : String(Math.floor(random() * 90) + 1);
    const reckoning = this.#functions.filter(one => one.gives === undefined && this.#canAsk(one));
    if (reckoning.length > 0 && random() < 0.3) {
      const called = pick(random, reckoning);
      return `${speech.called(called)}(${this.#operands(called, depth - 1)})`;
    }
    const { type, text } = this.#object(depth - 1);
    const counting = membersOf(type).filter(one => typeOf(one) === undefined && this.#canAsk(one));
    return this.#asked(text, pick(random, counting), depth);
  }

  #asked(text: string, member: FieldPlan | FunctionPlan, depth: number): string {
    const asked = `${text}.${this.speech.member(member)}`;
    return 'gives' in member ? `${asked}(${this.#operands(member, depth - 1)})` : asked;
  }

  #operands({ takes }: FunctionPlan, depth: number): string {
    const number = this.#number(Math.max(0, depth));
    if (takes === undefined) return number;
    const held = this.#held.find(one => one.type === takes);
    return `${number}, ${held?.text ?? this.speech.made(takes, '1')}`;
  }

  /** What it takes can be made here. */
  #canAsk(what: FieldPlan | FunctionPlan): boolean {
    const takes = 'takes' in what ? what.takes : undefined;
    return takes === undefined || this.#classes.includes(takes);
  }
}

function typeOf(member: FieldPlan | FunctionPlan): ClassPlan | undefined {
  return 'gives' in member ? member.gives : member.type;
}
