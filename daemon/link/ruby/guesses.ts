import type { MountedDocument } from '../../model/document.ts';
import type { ReferenceFact } from '../../model/facts.ts';
import { isStaticTail } from '../../model/identity.ts';
import { pick } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue } from '../values.ts';
import { ancestorsOf, scope, typeAt } from './ancestors.ts';
import { ofManyGems, ofValues } from './library.ts';
import { isLoadedFor } from './loaded.ts';

/** Of more methods of one name nobody can say which is meant. */
const maxBearers = 8;

/** As many of such links were right where they were measured: see test/bench/README.md. */
const confidence = 0.75;

/**
 * A method that a call names on a receiver of which nothing is known: the only one of that name, or the one that all others
 * override. Names that values of the library have say nothing, nor do tests of what the program calls.
 */
export function methodByName(
  look: Lookup,
  from: MountedDocument,
  reference: ReferenceFact,
): DefinitionValue | undefined {
  const { name, kind, expression } = reference;
  const one = from.facts.expressions[expression]!;
  const hasReceiver = one.op === 'otherwise' || (one.op === 'free' && one.name.startsWith('any '));
  if (kind !== 'call' || !hasReceiver || ofValues.has(name) || ofManyGems.has(name)) return undefined;
  const meant = look.once(`by name ${from.isTest} ${name}`, () => aboveAll(look, from, name));
  return meant?.kind === 'definition' && isLoadedFor(look, from, meant) ? { ...meant, confidence } : undefined;
}

function aboveAll(look: Lookup, from: MountedDocument, name: string): DefinitionValue | undefined {
  const tails = look.methodsNamed(scope, name);
  if (tails.length > maxBearers) return undefined;
  const bearers = tails.flatMap(tail => bearerAt(look, from, tail, name) ?? []);
  return bearers.find(bearer => bearers.every(other => isAbove(look, bearer, other)));
}

function bearerAt(look: Lookup, from: MountedDocument, tail: string, name: string): DefinitionValue | undefined {
  const container = containerOf(tail);
  const found = pick(look.definition(scope, container, name), tail);
  // What stands in no class is called without receiver, and of a class's own methods the class is known.
  if (found?.kind !== 'definition' || container === '' || isStaticTail(tail)) return undefined;
  return from.isTest || found.sites.some(({ document }) => !document.isTest) ? found : undefined;
}

function isAbove(look: Lookup, bearer: DefinitionValue, other: DefinitionValue): boolean {
  if (bearer === other) return true;
  const type = typeAt(look, containerOf(other.tail));
  const above = containerOf(bearer.tail);
  return type !== undefined && ancestorsOf(look, type).some(one => one.kind === 'definition' && one.tail === above);
}
