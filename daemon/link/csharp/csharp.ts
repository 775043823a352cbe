import type { MountedDocument } from '../../model/document.ts';
import { extendedClass } from '../extended-class.ts';
import { instance } from '../instances.ts';
import { isLibraryMember } from '../library-members.ts';
import { either, first } from '../options.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { plainName } from '../written-names.ts';
import { dotnetResult, dotnetType, isPlain } from './dotnet-types.ts';
import { globalUsings, tailOf } from './global-usings.ts';
import { usedBy } from './imports.ts';
import {
  csharpScope,
  definitionsOf,
  isUsed,
  namespacesNamed,
  namespacesUsed,
  outwards,
  typeAt,
  typesNamed,
  type Used,
  usedIn,
} from './usings.ts';

/**
 * C# names types by namespaces, whichever files and projects they lie in. A name says where it stands and what it may be:
 * `A/B/|List+1#` is a type, `A/B/|x?` a type, a namespace, or something that `using static` gives; without a bar it is a
 * word of the language.
 */
export const csharpResolver: Resolver = {
  module: () => undefined,
  importTarget: usedBy,
  named(look, from, name) {
    const bar = name.indexOf('|');
    if (bar < 0) return dotnetType(name);
    const [inside, wanted] = [name.slice(0, bar), name.slice(bar + 1)];
    const found = seenFrom(look, from, inside, wanted);
    if (found !== undefined || isOwnNamespace(look, wanted)) return found;
    return /\w\.\w/.test(wanted) ? undefined : outside(look, from, wanted.replace(/[#?/]$/, ''));
  },
  constructors: 'constructor',
  extended: extendedClass,
  implied: (look, of, name) => (name === 'this[]' ? foreignIndexer(look, of) : undefined),
  extensionMethod(look, from, of, name) {
    if (of === undefined ? isLibraryMember('csharp', name) : !mayBeExtended(of)) return undefined;
    if (isOfText(look, of, name)) return undefined;
    const isVisible = (place: string): boolean => openedBy(from).has(place) || isUsed(look, from, place);
    const [bare = '', arity] = name.split('+');
    const found = definitionsOf(look.definition(csharpScope, 'export', bare)).filter(
      one =>
        one.tail.endsWith(arity === undefined ? ').' : `+${arity}).`) &&
        isVisible(namespaceOf(one.tail)) &&
        !isStandIn(look, from, one) &&
        mayExtend(look, one, of),
    );
    const confidence = of === undefined ? 0.7 : 0.85;
    return either(found.map(one => ({ ...one, on: { value: of }, confidence })));
  },
};

/** The indexer that a class has of a library's type: those of its bases in the repository are looked at before. */
function foreignIndexer(look: Lookup, of: DefinitionValue): Value | undefined {
  const given = first([...look.basesOf(of)], base => {
    const indexer = look.member(instance(base), 'this[]');
    return indexer?.kind === 'method' ? look.call(indexer) : undefined;
  });
  return given === undefined ? undefined : { kind: 'function', of: given };
}

/** A type itself, and a namespace, have no extensions; values have. */
function mayBeExtended(of: Value): boolean {
  return of.kind !== 'external' && of.kind !== 'scope' && of.kind !== 'module';
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

/** From the innermost namespace outwards, then by what the file uses. */
function seenFrom(look: Lookup, from: MountedDocument, inside: string, wanted: string): Value | undefined {
  const path = wanted.slice(0, -1);
  const at = path.lastIndexOf('.') + 1;
  const [below, name] = [tailOf(path.slice(0, Math.max(at - 1, 0))), path.slice(at)];
  const kind = wanted.at(-1);
  const types = kind === '/' ? [] : typesNamed(look, name);
  const places = kind === '#' ? [] : namespacesNamed(look, name);
  for (const prefix of outwards(inside)) {
    const place = `${prefix}${below}${name}/`;
    const found = types.find(one => containerOf(one.tail) === prefix + below) ?? places.find(one => one.tail === place);
    if (found !== undefined) return found;
    if (at > 0) continue;
    const aliased = prefix === '' ? aliasOf(look, from, name) : undefined;
    const used = prefix === '' ? [usedIn(look, from, ''), globalUsings(look, from)] : [usedIn(look, from, prefix)];
    const given = aliased ?? givenBy(look, used, types, kind === '?' ? name : `${name}#`);
    if (given !== undefined) return given;
  }
  return undefined;
}

/** What `using` gives under a name: a type of a namespace, or else what a type has. */
function givenBy(
  look: Lookup,
  used: readonly Used[],
  types: readonly DefinitionValue[],
  name: string,
): Value | undefined {
  const ofNamespaces = types.filter(({ tail }) => used.some(one => one.namespaces.has(containerOf(tail))));
  if (ofNamespaces.length > 0) return either(ofNamespaces);
  const ofTypes = new Set(used.flatMap(one => [...one.types]));
  return first([...ofTypes], path => memberOfType(look, path, name));
}

/** What the project calls so in all of its files. */
function aliasOf(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const alias = globalUsings(look, from).aliases.get(name);
  if (alias === undefined) return undefined;
  return 'file' in alias ? look.exported(alias.file, name) : typeAt(look, alias.type);
}

/** A namespace that others of the repository stand in. */
function isOwnNamespace(look: Lookup, wanted: string): boolean {
  const [top = ''] = wanted.slice(0, -1).split('.', 1);
  return !wanted.endsWith('#') && look.definition(csharpScope, 'export', `${top}/`) !== undefined;
}

/** What `using static` gives. */
function memberOfType(look: Lookup, path: string, name: string): Value | undefined {
  const owner = typeAt(look, path);
  return owner === undefined ? undefined : look.member(owner, name);
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

/** The library's type, or one of a package that the file uses; what a type here bears the name of may be that one, unseen. */
function outside(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const known = dotnetType(plainName(name));
  if (known !== undefined) return known;
  if (look.definition(csharpScope, 'export', `${name}#`) !== undefined) return undefined;
  const foreign = namespacesUsed(look, from)
    .map(one => one.split('/', 1)[0]!)
    .filter(one => one !== 'System');
  const [only, another] = new Set(foreign);
  return {
    kind: 'external',
    manager: 'nuget',
    package: another === undefined ? (only ?? '?') : '?',
    name: plainName(name),
  };
}
