import { sure } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { ancestorsOf, scope, typeAt } from './ancestors.ts';

/** Of more classes than these nobody can say which is meant. */
const maxHeirs = 12;
const maxGenerations = 3;

/**
 * What a module's own code finds in the objects of those that include it, and a class's in those of its subclasses: said
 * where all who have such a thing mean the same one.
 */
export function ofHeirs(
  look: Lookup,
  type: DefinitionValue,
  find: (heir: DefinitionValue) => Value | undefined,
): Value | undefined {
  let found: Value | undefined;
  for (const heir of heirsOf(look, type, maxGenerations)) {
    const one = find(heir);
    if (one?.kind !== 'definition') continue;
    if (found?.kind === 'definition' && found.tail !== one.tail) return undefined;
    found = one;
  }
  return sure(found, 0.65);
}

function heirsOf(look: Lookup, type: DefinitionValue, generations: number): readonly DefinitionValue[] {
  const name = /([^#]+)#$/.exec(type.tail)?.[1] ?? '';
  const tails = look.heirsOf(scope, name);
  if (generations === 0 || tails.length > maxHeirs) return [];
  return tails.flatMap(tail => {
    const heir = tail === type.tail ? undefined : typeAt(look, tail);
    if (heir === undefined || (isOfTests(heir) && !isOfTests(type)) || !isAbove(look, type, heir)) return [];
    return [heir, ...heirsOf(look, heir, generations - 1)];
  });
}

/** What tests build on the program's own tells nothing of the program. */
export function isOfTests(type: DefinitionValue): boolean {
  return type.sites.every(({ document }) => document.isTest);
}

function isAbove(look: Lookup, type: DefinitionValue, heir: DefinitionValue): boolean {
  return ancestorsOf(look, heir).some(one => one.kind === 'definition' && one.tail === type.tail);
}
