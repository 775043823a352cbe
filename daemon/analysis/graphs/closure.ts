/** Something that holds: a kind and a number of that kind. */
export type Fact = number;

const kindBits = 4;
/** Kinds of facts are numbers below this. */
const mostKinds = 1 << kindBits;

export function factOf(kind: number, id: number): Fact {
  return id * mostKinds + kind;
}

export function kindOf(fact: Fact): number {
  return fact & (mostKinds - 1);
}

export function idOf(fact: Fact): number {
  return fact >>> kindBits;
}

/** What follows from what. Each fact follows from any one of its sources alone. */
export interface Rules {
  /** Every fact that a fact brings about by itself. */
  each(fact: Fact, take: (fact: Fact) => void): void;
  /** Groups that have every fact which can bring about a fact, and others with them. */
  groupsBehind(fact: Fact): Iterable<number>;
  /** The facts of a group, whether they hold or not. */
  eachIn(group: number, take: (fact: Fact) => void): void;
}

/**
 * All that follows from one fact, kept while the rules change in places. Each fact remembers one that it was brought about by,
 * found breadth first, so that few hang on one. When facts bring about something else than before, what hung on that is taken
 * back and looked for again among what may bring it about: deletion and rederivation (Gupta, Mumick and Subrahmanian 1993).
 */
export class Closure {
  readonly #rules: Rules;
  readonly #because = new Reasons();
  /** Of the change that is being made, by fact: whether it held before. */
  #before: Map<Fact, boolean> | undefined;

  constructor(rules: Rules, start: Fact) {
    this.#rules = rules;
    this.#because.set(start, start);
    this.#spread([start]);
  }

  has(fact: Fact): boolean {
    return this.#because.get(fact) >= 0;
  }

  /**
   * To be called before the rules change by which touched facts bring about others; what it returns is to be called after, and
   * tells which facts hold now and did not, or the other way round.
   */
  changing(touched: readonly Fact[]): () => ReadonlySet<Fact> {
    const holding = touched.filter(fact => this.has(fact));
    const hung: Fact[] = [];
    for (const source of holding) this.#eachHanging(source, fact => hung.push(fact));
    return () => {
      const before = new Map<Fact, boolean>();
      this.#before = before;
      const still = new Set<Fact>();
      for (const source of holding) this.#eachHanging(source, fact => still.add(fact));
      const dropped = this.#drop(hung.filter(fact => !still.has(fact)));
      for (const source of holding) if (this.has(source)) this.#spread([source]);
      this.#find(dropped);
      this.#before = undefined;
      const flipped = [...before].filter(([fact, held]) => this.has(fact) !== held);
      return new Set(flipped.map(([fact]) => fact));
    };
  }

  #eachHanging(source: Fact, take: (fact: Fact) => void): void {
    this.#rules.each(source, fact => {
      if (fact !== source && this.#because.get(fact) === source) take(fact);
    });
  }

  /** Takes back facts, and all that hangs on them. */
  #drop(facts: readonly Fact[]): readonly Fact[] {
    const dropped: Fact[] = [];
    const waiting = [...facts];
    for (let fact = waiting.pop(); fact !== undefined; fact = waiting.pop()) {
      if (!this.has(fact)) continue;
      this.#eachHanging(fact, one => waiting.push(one));
      this.#put(fact, -1);
      dropped.push(fact);
    }
    return dropped;
  }

  /** Brings back what something else brings about as well. */
  #find(dropped: readonly Fact[]): void {
    const seen = new Set<number>();
    for (const fact of dropped) {
      if (this.has(fact)) continue;
      for (const group of this.#rules.groupsBehind(fact)) {
        if (seen.has(group)) continue;
        seen.add(group);
        this.#rules.eachIn(group, source => {
          if (this.has(source)) this.#spread([source]);
        });
        if (this.has(fact)) break;
      }
    }
  }

  #spread(queue: Fact[]): void {
    for (let at = 0; at < queue.length; at++) {
      const source = queue[at]!;
      this.#rules.each(source, fact => {
        if (this.has(fact)) return;
        this.#put(fact, source);
        queue.push(fact);
      });
    }
  }

  #put(fact: Fact, because: Fact): void {
    if (this.#before?.has(fact) === false) this.#before.set(fact, this.has(fact));
    this.#because.set(fact, because);
  }
}

/** By fact the one that brought it about, -1 where it does not hold. */
class Reasons {
  readonly #byKind = Array.from({ length: mostKinds }, () => new Int32Array(0));

  get(fact: Fact): Fact {
    return (this.#byKind[kindOf(fact)]![idOf(fact)] ?? 0) - 1;
  }

  set(fact: Fact, because: Fact): void {
    const kind = kindOf(fact);
    const id = idOf(fact);
    if (id >= this.#byKind[kind]!.length) this.#grow(kind, id);
    this.#byKind[kind]![id] = because + 1;
  }

  #grow(kind: number, id: number): void {
    const grown = new Int32Array(Math.max(64, id + (id >>> 1) + 1));
    grown.set(this.#byKind[kind]!);
    this.#byKind[kind] = grown;
  }
}
