import type { DocumentFacts } from '../model/facts.ts';
import { isOfExamples } from '../model/mount.ts';
import { baseName } from '../model/paths.ts';

/** What a document says of a scope that it shares with all others of its language, found by bare names. */
export interface SharedNames {
  /** Of all its definitions. */
  readonly names: ReadonlySet<string>;
  /** Tails of its methods of that name, but for those that are private to the file. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Tails of what is built from something of that name. */
  readonly heirs: ReadonlyMap<string, readonly string[]>;
}

/** Only languages whose resolvers ask so are looked through, and PHP for what is built from what alone. */
export function sharedNamesOf(facts: DocumentFacts): SharedNames {
  const nameOf = namesOfBases[facts.language];
  if (nameOf === undefined) return none;
  const known = all.get(facts);
  if (known !== undefined) return known;
  const heirs = new Map<string, string[]>();
  for (const { tail, supers } of facts.definitions) {
    for (const index of supers) {
      const name = nameOf(facts, index);
      if (name !== '') heirs.set(name, [...(heirs.get(name) ?? []), tail]);
    }
  }
  const made = facts.language === 'ruby' ? { ...namesIn(facts), heirs } : { ...none, heirs };
  all.set(facts, made);
  return made;
}

function namesIn({ definitions }: DocumentFacts): Pick<SharedNames, 'names' | 'methods'> {
  const methods = new Map<string, string[]>();
  for (const { name, tail } of definitions) {
    if (tail.endsWith(').') && !isOfExamples(tail)) methods.set(name, [...(methods.get(name) ?? []), tail]);
  }
  return { names: new Set(definitions.map(({ name }) => name)), methods };
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

/** How the bases of a type are named, for languages whose code finds what those have that are built from it. */
const namesOfBases: Readonly<Record<string, (facts: DocumentFacts, index: number) => string>> = {
  php: pathsLastName,
  ruby: lastNameOf,
};

/** `A/B#` ends in `B`, whatever its case. */
function pathsLastName({ expressions }: DocumentFacts, index: number): string {
  const one = expressions[index]!;
  return one.op === 'free' && one.name.endsWith('#') ? baseName(one.name.slice(0, -1)).toLowerCase() : '';
}

/** `A::B`, however it is wrapped, ends in `B`. */
function lastNameOf({ expressions }: DocumentFacts, index: number): string {
  let one = expressions[index]!;
  while (one.op === 'function') one = expressions[one.of]!;
  return one.op === 'free' ? (one.name.split(' ')[1] ?? '').split('::').at(-1)! : '';
}
