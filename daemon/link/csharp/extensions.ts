import type { MountedDocument } from '../../model/document.ts';
import { isLibraryMember } from '../library-members.ts';
import { either } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { containerOf, surfaceOf } from '../surface.ts';
import type { DefinitionValue, Site, Value } from '../values.ts';
import { dotnetResult, isPlain } from './dotnet-types.ts';
import { areOfOneProject, seesFile } from './seen-projects.ts';
import { csharpScope, definitionsOf, isUsed, outwards } from './usings.ts';

/**
 * The extension methods of that name that a call on a value may mean: those of namespaces that the file stands in, or that
 * it uses, which its project sees.
 */
export function extensionOf(
  look: Lookup,
  from: MountedDocument,
  of: Value | undefined,
  name: string,
): Value | undefined {
  if (of === undefined ? isLibraryMember('csharp', name) : !mayBeExtended(from, of)) return undefined;
  if (isOfText(look, of, name)) return undefined;
  const isInSight = (place: string): boolean => openedBy(from).has(place) || isUsed(look, from, place);
  const [bare = '', arity] = name.split('+');
  const found = definitionsOf(look.definition(csharpScope, 'export', bare)).filter(
    one =>
      one.tail.endsWith(arity === undefined ? ').' : `+${arity}).`) &&
      isInSight(namespaceOf(one.tail)) &&
      !isStandIn(look, from, one) &&
      mayExtend(look, one, of),
  );
  const confidence = of === undefined ? 0.7 : of.kind === 'external' ? 0.5 : 0.85;
  return either(accessible(look, from, found).map(one => ({ ...one, on: { value: of }, confidence })));
}

/** What of a project that it refers to is internal, a file may see as its friend: where nothing else is meant. */
function accessible(look: Lookup, from: MountedDocument, all: readonly DefinitionValue[]): readonly DefinitionValue[] {
  const seen = all.map(one => ({ one, access: Math.max(...one.sites.map(site => accessTo(look, from, site))) }));
  const open = seen.filter(({ access }) => access === 2);
  return (open.length > 0 ? open : seen.filter(({ access }) => access === 1)).map(({ one }) => one);
}

/** 2: a file may name what is defined there; 1: its friends may; 0: it may not. */
function accessTo(look: Lookup, from: MountedDocument, { document, slot }: Site): 0 | 1 | 2 {
  const { visibility, exported, tail } = document.facts.definitions[slot]!;
  if (visibility === 'private' && !surfaceOf(from.facts).byTail.has(containerOf(tail))) return 0;
  if (document.path === from.path || areOfOneProject(look, from.path, document.path)) return 2;
  if (!seesFile(look, from.path, document.path)) return 0;
  return exported ? 2 : 1;
}

/**
 * A type itself, and a namespace, have no extensions; values have. What looks like a package's type may be what a class has of
 * its base there: `Url.Link()` of a controller.
 */
function mayBeExtended(from: MountedDocument, of: Value): boolean {
  if (of.kind === 'external') return of.manager === 'nuget' && extendsSomething(from);
  return of.kind !== 'scope' && of.kind !== 'module';
}

const extending = new WeakMap<object, boolean>();

function extendsSomething({ facts }: MountedDocument): boolean {
  const known = extending.get(facts) ?? facts.definitions.some(one => one.kind === 'class' && one.supers.length > 0);
  extending.set(facts, known);
  return known;
}

/** Whether a text has a method of that name itself, which counts before any extension. */
function isOfText(look: Lookup, of: Value | undefined, name: string): boolean {
  const type = typeOf(look.held(of));
  return type?.kind === 'external' && type.name === 'string' && dotnetResult(type.name, name) !== undefined;
}

/** What is written for one plain type is not for another, nor what is written for a type of the repository's for a plain one. */
function mayExtend(look: Lookup, extension: DefinitionValue, of: Value | undefined): boolean {
  const { document, slot } = extension.sites[0]!;
  const [takes = -1] = document.facts.definitions[slot]!.supers;
  const [wanted, given] = [takes < 0 ? undefined : look.evaluate(document, takes), look.held(of)].map(typeOf);
  const plain = given?.kind === 'external' && isPlain(given.name) ? given.name : undefined;
  if (wanted?.kind === 'definition') return given?.kind !== 'external' && !isOther(look, given, wanted);
  if (wanted?.kind !== 'external' || !isPlain(wanted.name)) return true;
  return given === undefined || given.kind === 'variable' || plain === wanted.name;
}

/** Whether a class is another one that is not built from it. */
function isOther(look: Lookup, given: Value | undefined, wanted: DefinitionValue, steps = 0): boolean {
  if (given?.kind !== 'definition' || roleOf(given) !== 'type' || given.tail === wanted.tail) return false;
  if (steps > maxBases) return false;
  return [...look.basesOf(given)].every(
    base => isOther(look, typeOf(base), wanted, steps + 1) || typeOf(base)?.kind === 'external',
  );
}

const maxBases = 8;

/** What stands in for the library's own where that has none: a file that uses the library's means that. */
function isStandIn(look: Lookup, from: MountedDocument, { tail }: DefinitionValue): boolean {
  return containerOf(tail).endsWith('/Enumerable#') && isUsed(look, from, 'System/Linq/');
}

function typeOf(value: Value | undefined): Value | undefined {
  const type = value?.kind === 'instance' ? value.of : value;
  return type?.kind === 'applied' ? type.of : type;
}

const opened = new WeakMap<object, ReadonlySet<string>>();

/** The namespaces that a file stands in, and those around them: extensions of them all are seen without `using`. */
function openedBy({ facts }: MountedDocument): ReadonlySet<string> {
  const known = opened.get(facts);
  if (known !== undefined) return known;
  const made = new Set(['']);
  for (const { tail, kind } of facts.definitions) {
    if (kind === 'namespace') for (const one of outwards(tail)) made.add(one);
  }
  opened.set(facts, made);
  return made;
}

function namespaceOf(tail: string): string {
  return /^(?:[\w$]+\/)*/.exec(tail)![0];
}
