import type { ScopeKey } from '../../model/document.ts';
import { instance } from '../instances.ts';
import { optionsOf } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { shared } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { foldedName, writtenName } from '../written-names.ts';

const scope = 'php:' as ScopeKey;

/** Of more classes than these nobody can say which is meant. */
const maxUsers = 12;
/** Traits that use traits are followed so far. */
const maxLevels = 3;

/**
 * What a trait's own code finds in the objects of the classes that use it: said where all who have such a thing mean the
 * same one, and surer where all of them have it.
 */
export function memberOfUsers(look: Lookup, of: Value | undefined, name: string): Value | undefined {
  const trait = traitOf(of);
  if (trait === undefined) return undefined;
  const users = usersOf(look, trait, maxLevels);
  const found = users.map(user => look.member(instance(user), name));
  const known = found.filter((one): one is DefinitionValue => one?.kind === 'definition');
  const [first] = known;
  if (first === undefined || known.some(one => one.tail !== first.tail)) return undefined;
  return { ...first, confidence: known.length === users.length ? 0.85 : 0.65 };
}

/** The trait that a value is of as far as its own code says: what else the value has, those say who use the trait. */
export function traitOf(value: Value | undefined): DefinitionValue | undefined {
  return optionsOf(value)
    .map(one => (one.kind === 'instance' ? one.of : one))
    .find(isTrait);
}

function isTrait(value: Value): value is DefinitionValue {
  if (value.kind !== 'definition') return false;
  const { facts } = value.sites[0]!.document;
  return facts.language === 'php' && facts.definitions[value.sites[0]!.slot]!.kind === 'trait';
}

/** Classes that use a trait, by way of others or not; those of tests tell nothing of what is none. */
function usersOf(look: Lookup, trait: DefinitionValue, levels: number): readonly DefinitionValue[] {
  const tails = levels === 0 ? [] : look.heirsOf(scope, nameOf(trait).toLowerCase());
  if (tails.length > maxUsers) return [];
  return tails.flatMap(tail => {
    const user = optionsOf(look.definition(scope, shared, foldedName(tail))).find(
      (one): one is DefinitionValue => one.kind === 'definition' && one.tail === tail,
    );
    if (user === undefined || (isOfTests(user) && !isOfTests(trait)) || !isUsedBy(look, trait, user)) return [];
    return isTrait(user) ? usersOf(look, user, levels - 1) : [user];
  });
}

function nameOf({ sites }: DefinitionValue): string {
  const { document, slot } = sites[0]!;
  return writtenName(document.facts, slot).replace(/#$/, '');
}

/** Whether nothing but tests defines it. */
export function isOfTests({ sites }: DefinitionValue): boolean {
  return sites.every(({ document }) => document.isTest);
}

function isUsedBy(look: Lookup, trait: DefinitionValue, user: DefinitionValue): boolean {
  return [...look.basesOf(user)].some(one => one.kind === 'definition' && one.tail === trait.tail);
}
