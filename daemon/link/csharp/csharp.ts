import type { MountedDocument } from '../../model/document.ts';
import { extendedClass } from '../extended-class.ts';
import { instance } from '../instances.ts';
import { either, first } from '../options.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { plainName } from '../written-names.ts';
import { dotnetType } from './dotnet-types.ts';
import { extensionOf } from './extensions.ts';
import { globalUsings, tailOf } from './global-usings.ts';
import { usedBy } from './imports.ts';
import { isOfDotnet, packageOf } from './packages.ts';
import {
  csharpScope,
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
  extensionMethod: extensionOf,
};

/** The indexer that a class has of a library's type: those of its bases in the repository are looked at before. */
function foreignIndexer(look: Lookup, of: DefinitionValue): Value | undefined {
  const given = first([...look.basesOf(of)], base => {
    const indexer = look.member(instance(base), 'this[]');
    return indexer?.kind === 'method' ? look.call(indexer) : undefined;
  });
  return given === undefined ? undefined : { kind: 'function', of: given };
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

/** The library's type, or one of a package that the file uses; what a type here bears the name of may be that one, unseen. */
function outside(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const known = dotnetType(plainName(name));
  if (known !== undefined) return known;
  if (look.definition(csharpScope, 'export', `${name}#`) !== undefined) return undefined;
  const found = look.once(`csharp package for ${from.path}`, () => packageUsed(look, from));
  return found?.kind === 'external' ? { ...found, name: plainName(name) } : undefined;
}

/** The one package of which a file uses namespaces; `?` where it uses several, or none. */
function packageUsed(look: Lookup, from: MountedDocument): Value {
  const foreign = namespacesUsed(look, from)
    .map(one => one.slice(0, -1).replaceAll('/', '.'))
    .filter(one => !isOfDotnet(look, one));
  const [only = '?', another] = new Set(foreign.map(one => packageOf(look, from.path, one)));
  return { kind: 'external', manager: 'nuget', package: another === undefined ? only : '?', name: '' };
}
