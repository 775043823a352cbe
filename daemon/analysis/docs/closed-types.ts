import { familyOf } from '../../model/families.ts';
import type { Mention } from '../../model/mentions.ts';
import { type DefinitionTable, type DocumentedDefinition, isPublicByName, merged } from './definition-table.ts';
import { isOfRepository } from './qualified-names.ts';

/** Kinds of types whose members all stand in the code. */
const closed: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum']);
/** Languages in which nothing writes members but people: macros do in Rust and C++. */
const told: ReadonlySet<string> = new Set(['ecmascript', 'python', 'go', 'jvm', 'csharp']);

/**
 * The type of the repository that a mention takes a member of that nothing here is called as: that member is no more, unless
 * somebody else brings it in. Undefined of any other mention.
 */
export function typeWithout(mention: Mention, table: DefinitionTable): DocumentedDefinition | undefined {
  const { names, from, kind } = mention;
  const [head, last] = [names.at(-2), names.at(-1)];
  // What code imports it from has to be the repository's.
  if (from !== undefined && !isOfRepository(from, table.packages)) return undefined;
  if (names.length < 2 || kind === 'directive' || head === undefined || last === undefined) return undefined;
  if (!/^\p{Lu}[\p{L}\p{N}]*\p{Ll}/u.test(head) || !/^[\p{L}][\p{L}\p{N}_]{2,}$/u.test(last)) return undefined;
  if (names.length > 2 && /^\p{Lu}/u.test(names.at(-3)!)) return undefined;
  const found = merged(table.named(head).filter(isPublicByName));
  const [only] = found;
  if (found.length !== 1 || only === undefined || !closed.has(only.kind)) return undefined;
  const family = familyOf(only.language);
  if (!told.has(family) || (mention.language !== '' && familyOf(mention.language) !== family)) return undefined;
  return inherited.has(last) ? undefined : only;
}

/** What every object or type has. */
const inherited: ReadonlySet<string> = new Set(
  `prototype constructor toString valueOf hasOwnProperty name length call apply bind then catch finally equals hashCode
  getClass class values valueOf ordinal clone wait notify notifyAll companion copy GetType GetHashCode Equals ToString
  parse create default new from of value key keys entries map filter`.split(/\s+/),
);
