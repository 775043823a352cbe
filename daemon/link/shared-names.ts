import type { DocumentFacts } from '../model/facts.ts';
import { isOfExamples } from '../model/mount.ts';

/** What a document says of a scope that it shares with all others of its language, found by bare names. */
export interface SharedNames {
  /** Of all its definitions. */
  readonly names: ReadonlySet<string>;
  /** Tails of its methods of that name, but for those that are private to the file. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Tails of what is built from something of that name. */
  readonly heirs: ReadonlyMap<string, readonly string[]>;
}

/** Only languages whose resolvers ask so are looked through. */
export function sharedNamesOf(facts: DocumentFacts): SharedNames {
  if (facts.language !== 'ruby') return none;
  const known = all.get(facts);
  if (known !== undefined) return known;
  const heirs = new Map<string, string[]>();
  const methods = new Map<string, string[]>();
  for (const { name, tail, supers } of facts.definitions) {
    if (tail.endsWith(').') && !isOfExamples(tail)) methods.set(name, [...(methods.get(name) ?? []), tail]);
    for (const index of supers) {
      const name = lastNameOf(facts, index);
      if (name !== '') heirs.set(name, [...(heirs.get(name) ?? []), tail]);
    }
  }
  const made = { names: new Set(facts.definitions.map(({ name }) => name)), methods, heirs };
  all.set(facts, made);
  return made;
}

/** What several documents say together. */
export function joined(many: readonly SharedNames[]): SharedNames {
  const names = new Set<string>();
  for (const one of many) for (const name of one.names) names.add(name);
  return { names, methods: tailsOf(many.map(one => one.methods)), heirs: tailsOf(many.map(one => one.heirs)) };
}

function tailsOf(many: readonly ReadonlyMap<string, readonly string[]>[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const one of many) {
    for (const [name, tails] of one) {
      const known = all.get(name) ?? new Set();
      for (const tail of tails) known.add(tail);
      all.set(name, known);
    }
  }
  return new Map([...all].map(([name, tails]) => [name, [...tails].sort()]));
}

const none: SharedNames = { names: new Set(), methods: new Map(), heirs: new Map() };
const all = new WeakMap<DocumentFacts, SharedNames>();

/** `A::B`, however it is wrapped, ends in `B`. */
function lastNameOf({ expressions }: DocumentFacts, index: number): string {
  let one = expressions[index]!;
  while (one.op === 'function') one = expressions[one.of]!;
  return one.op === 'free' ? (one.name.split(' ')[1] ?? '').split('::').at(-1)! : '';
}
