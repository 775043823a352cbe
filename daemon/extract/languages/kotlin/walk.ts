import type { Expression } from '../../../model/facts.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  /** Parameters and variables; functions and classes of blocks. */
  readonly scopes: Scopes;
  /** Type parameters and classes of blocks. */
  readonly types: Scopes;
  /** What tests tell of a name's type where they hold. */
  readonly narrowed: Scopes;
  /** Imports by the name that they bind: a class and functions may share one. */
  readonly imports: Map<string, number[]>;
  /** What names are members of without saying so, the outermost first: classes, what an extension extends, what a lambda is called on. */
  readonly receivers: Receiver[];
  /** Capital names that the file calls. */
  readonly called: ReadonlySet<string>;
  /** Extensions that classes declare, by name. */
  readonly extensions: ReadonlyMap<string, readonly number[]>;
  /** Values of expressions that were looked at already. */
  readonly values: Map<number, number>;
  /** What the lambdas that were visited give. */
  readonly results: Map<number, number>;
  /** What an expression evaluates to, -1 where nothing can be said. */
  value(node: number): number;
  /** Emits the references below a node; a lambda is told what it is passed. */
  visit(node: number, lambda?: LambdaContext): void;
}

export interface LambdaContext {
  /** What its parameters take, as far as that is known. */
  readonly parameters: readonly number[];
  /** What it is called on; -1 where that is nothing or not known. */
  readonly receiver: number;
  /** Whether it is called on that for sure. */
  readonly isSure?: boolean;
}

export interface Receiver {
  /** What `this` is there. */
  readonly value: number;
  /** Slot of a class with a name, else -1. */
  readonly slot: number;
  /** The name that `this@name` knows it by. */
  readonly label: string;
  /** Whether there is one for sure: what a lambda is passed to need not call it on anything. */
  readonly isSure: boolean;
  /** Whether it may have more members than the file shows. */
  readonly inherits: boolean;
  own(name: string): readonly number[];
  /** What the class's constructor takes without keeping it: initialisers see it. */
  readonly parameters?: readonly (readonly [name: string, value: number])[];
}

export function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) walk.visit(child);
}

/** A variable or parameter from here on; what was known of another of its name is not of it. */
export function bind(walk: Walk, nameNode: number, value: number): void {
  if (nameNode < 0) return;
  const name = nameOf(walk, nameNode);
  if (name === '' || name === '_') return;
  walk.scopes.declare(name, value);
  if (walk.narrowed.resolve(name) !== undefined) walk.narrowed.declare(name, value);
}

export function nameOf({ tree }: Walk, node: number): string {
  return tree.text(node).replaceAll('`', '');
}

/** Runs `body` in a new scope of all kinds. */
export function inside(walk: Walk, kind: 'class' | 'function' | 'block', body: () => void): void {
  walk.scopes.inside(kind, () => walk.types.inside(kind, () => walk.narrowed.inside(kind, body)));
}

const typeKinds = new Set(['class', 'interface', 'enum', 'object', 'type']);

function isType({ facts }: Walk, slot: number): boolean {
  return typeKinds.has(facts.definition(slot).kind);
}

/** Types so common that no class is looked at for one of its own that a base declares. */
const everyday = new Set(
  'Any Array Boolean Byte ByteArray Char Double Exception Float Int List Long Map Nothing Set String Unit'.split(' '),
);

/** What a type's name denotes; -1 where nothing can be said. `unbound`: what it is where the file doesn't bind it. */
export function typeNamed(walk: Walk, name: string, unbound?: number): number {
  const { facts } = walk;
  const local = walk.types.resolve(name);
  if (local !== undefined) return local.expression;
  let inherited = -1;
  for (const around of walk.receivers.toReversed()) {
    const own = around.own(name).find(slot => isType(walk, slot));
    if (own !== undefined) return facts.slot(own);
    if (around.inherits && around.slot >= 0 && !everyday.has(name)) {
      inherited = facts.otherwise(inherited, facts.member(facts.slot(around.slot), name));
    }
  }
  const imported = walk.imports.get(name);
  // A function that is imported may bear the name of a class of the package: `RecordedRequest(…)`.
  if (imported !== undefined)
    return walk.called.has(name) ? facts.either(anyOf(walk, imported), facts.free(name)) : anyOf(walk, imported);
  const top = facts.slotsNamed(-1, name).find(slot => isType(walk, slot));
  return top !== undefined ? facts.slot(top) : facts.otherwise(inherited, unbound ?? facts.free(name));
}

function anyOf({ facts }: Walk, imports: readonly number[]): number {
  return imports.map(one => facts.imported(one)).reduce((of, one) => facts.either(of, one));
}

/** What a name in an expression denotes. */
export function valueNamed(walk: Walk, name: string, unbound?: number): number {
  const local = walk.scopes.resolve(name);
  if (local !== undefined) return local.expression;
  const look: Look = (own, around) => {
    const values = own.filter(slot => !/^(?:method|function|constructor)$/.test(walk.facts.definition(slot).kind));
    if (values.length > 0) return { expression: walk.facts.slot(values[0]!), isSure: true };
    return { expression: around.inherits ? walk.facts.member(around.value, name) : -1, isSure: false };
  };
  return among(walk, name, look, of => of, unbound);
}

/** The function that a call without receiver means. */
export function functionNamed(walk: Walk, name: string, passed: readonly number[]): number {
  const { facts } = walk;
  const local = calledLocal(walk, name);
  if (local !== undefined) return local.expression;
  const chosen = (of: number): number => facts.overload(of, passed);
  const invoked = invokedBy(walk, name);
  const found = among(
    walk,
    name,
    (own, around) => {
      if (own.length === 0) {
        return { expression: around.inherits ? chosen(facts.member(around.value, name)) : -1, isSure: false };
      }
      const isWhole = around.slot >= 0 && own.some(slot => facts.definition(slot).container === around.slot);
      const expression = isWhole
        ? facts.member(facts.slot(around.slot), name)
        : own.map(slot => facts.slot(slot)).reduce((of, slot) => facts.either(of, slot));
      return { expression: chosen(expression), isSure: own.length === 1 };
    },
    chosen,
  );
  return invoked < 0 ? found : facts.otherwise(invoked, found);
}

/** The local that a call of its name means: one that may hold no function gives way to a function of the file. */
export function calledLocal(walk: Walk, name: string): ReturnType<Walk['scopes']['resolve']> {
  const local = walk.scopes.resolve(name);
  return local === undefined || isCallable(walk, local.expression) || !hasFunction(walk, name) ? local : undefined;
}

/** Whether a local name is known to be a function, or to hold one. */
function isCallable({ facts }: Walk, index: number): boolean {
  if (facts.expressions[index]?.op === 'slot') return true;
  const type = typeHeld(facts, index);
  return type?.op === 'function' || (type?.op === 'slot' && facts.definition(type.slot).kind === 'type');
}

/** What calling a local of a class calls; -1 where it is of none that may declare it. */
function invokedBy({ facts, scopes }: Walk, name: string): number {
  const held = scopes.resolve(name)?.expression ?? -1;
  return /^(?:slot|import|free)$/.test(typeHeld(facts, held)?.op ?? '') ? facts.member(held, 'invoke') : -1;
}

/** The bare type that a value is written to be of. */
function typeHeld({ expressions }: Walk['facts'], index: number): Expression | undefined {
  let one = expressions[index];
  while (one?.op === 'instance' || one?.op === 'generic' || one?.op === 'otherwise') one = expressions[one.of];
  return one;
}

/** Whether the file has a function of that name, or imports anything that bears it. */
function hasFunction({ facts, receivers, imports }: Walk, name: string): boolean {
  const around = receivers.flatMap(one => one.own(name));
  const isFunction = (slot: number): boolean => /^(?:method|function)$/.test(facts.definition(slot).kind);
  return imports.has(name) || [...around, ...facts.slotsNamed(-1, name)].some(isFunction);
}

/** A member of a value, or what a class around declares to extend it. */
export function memberNamed(walk: Walk, of: number, name: string): number {
  const { facts } = walk;
  const member = facts.member(of, name);
  const isAround = (slot: number): boolean => walk.receivers.some(one => one.own(name).includes(slot));
  const own = (walk.extensions.get(name) ?? []).filter(isAround).map(slot => facts.slot(slot));
  const any = own.reduce((one, other) => facts.either(one, other), -1);
  return of < 0 ? any : facts.otherwise(member, any);
}

type Look = (own: readonly number[], around: Receiver) => { expression: number; isSure: boolean };

/** The receivers from the innermost outwards, then what the file imports, then what the package and all files have. */
function among(walk: Walk, name: string, look: Look, chosen = (of: number): number => of, unbound?: number): number {
  const { facts } = walk;
  let expression = -1;
  for (const around of walk.receivers.toReversed()) {
    const found = look(around.own(name), around);
    expression = facts.otherwise(expression, found.expression);
    if (found.isSure) return expression;
  }
  const imported = walk.imports.get(name);
  if (imported !== undefined) expression = facts.otherwise(expression, chosen(anyOf(walk, imported)));
  return facts.otherwise(expression, chosen(unbound ?? facts.free(name)));
}
