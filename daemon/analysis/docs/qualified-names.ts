import { familyOf } from '../../model/families.ts';
import type { Mention } from '../../model/mentions.ts';
import { directoryOf } from '../../model/paths.ts';
import { isBrought } from './common-words.ts';
import type { DefinitionTable, DocumentedDefinition, NamedPackage } from './definition-table.ts';

/**
 * The definitions that a name of several parts may mean: those whose containers its parts but the last end, and those at the top
 * of a module or package that its first parts name. What a piece of code imports is looked for where that comes from.
 */
export function qualifiedMatches(mention: Mention, table: DefinitionTable): readonly DocumentedDefinition[] {
  const { names, from, file } = mention;
  const named = table.named(names.at(-1)!).filter(({ isLocal }) => !isLocal);
  if (from !== undefined) {
    const folders = foldersOf(from, table.packages, mention.language);
    if (folders === undefined) return [];
    const own = named.filter(one => one.exported && isWhole(names, one) && folders.some(folder => isFrom(one, folder)));
    const ofFile = own.filter(({ path }) => path === file);
    if (ofFile.length > 0 || (file !== undefined && table.mayHandOn?.(file, names[0]!) === false)) return ofFile;
    return own.length > 0 ? own : handedOnMatches(mention, folders, table);
  }
  const byContainer = named.filter(one => endsWith(one, names));
  return byContainer.length > 0 ? byContainer : nearestInModules(mention, named, table);
}

/** Those that a package has from another one of the repository, and hands on. */
function handedOnMatches(
  mention: Mention,
  folders: readonly string[],
  table: DefinitionTable,
): readonly DocumentedDefinition[] {
  const [head, ...rest] = mention.names as [string, ...string[]];
  const ways = folders.flatMap(folder => table.handedOn?.(folder) ?? []);
  const origins = ways.flatMap(({ from, names }): Mention[] => {
    const name = names === undefined ? head : names.get(head);
    const isNearer = from !== mention.from && isOfRepository(from, table.packages);
    return name === undefined || !isNearer ? [] : [{ ...mention, names: [name, ...rest], from }];
  });
  // Whatever that one has from a third is not followed.
  const last = { ...table, handedOn: () => [] };
  return origins.flatMap(origin => qualifiedMatches(origin, last));
}

/** Those in modules that the first parts name, as near to them as any. */
function nearestInModules(
  mention: Mention,
  named: readonly DocumentedDefinition[],
  { packages }: DefinitionTable,
): readonly DocumentedDefinition[] {
  const far = named.map(one => (one.exported ? wayFromModule(one, mention, packages) : undefined));
  const least = Math.min(...far.map(one => one ?? Number.POSITIVE_INFINITY));
  return named.filter((_, at) => far[at] !== undefined && far[at] === least);
}

/**
 * Those at the top of a package or module that is called as one of a library: who has one of his own means it. A module of
 * Python that lies deeper than in the package itself has a library's name by chance.
 */
export function ownModuleMatches(mention: Mention, table: DefinitionTable): readonly DocumentedDefinition[] {
  const named = table.named(mention.names.at(-1)!).filter(({ isLocal }) => !isLocal);
  return nearestInModules(mention, named, table).filter(({ path, language }) => {
    const folders = path.split('/').filter(part => !sources.has(part));
    const at = folders.findIndex(part => part.replace(/\.[^.]*$/, '') === mention.names[0]);
    return language !== 'python' || (at >= 0 && at <= 1);
  });
}

/** Its containers are the parts but the last, all of them. */
function isWhole(names: readonly string[], { containers }: DocumentedDefinition): boolean {
  return containers.length === names.length - 1 && containers.every((one, at) => one === names[at]);
}

/** What is written in small letters holds an object of a type, mostly, and is no name of one. */
function endsWith({ containers, language }: DocumentedDefinition, names: readonly string[]): boolean {
  const heads = names.slice(0, -1);
  if (heads.length > containers.length) return false;
  const from = containers.length - heads.length;
  // A letter alone stands for any type.
  if (/^\p{L}$/u.test(heads.at(-1)!)) return false;
  const isAlike = heads.every((head, at) => head === containers[from + at]);
  return isAlike && (/^\p{Lu}/u.test(heads.at(-1)!) || heads.length > 1 || smallTypes.has(familyOf(language)));
}

/** Languages whose types and namespaces have small letters as well. */
const smallTypes: ReadonlySet<string> = new Set(['c', 'php', 'ruby']);

function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** A package of Go is a folder; those of others hand on what is below. */
function isFrom({ path, language }: DocumentedDefinition, folder: string): boolean {
  return language === 'go' ? directoryOf(path) === folder : isIn(path, folder);
}

/** What code imports from that has a file of the repository which no package has: no import is written so. */
export const wholeRepository = '/';

/** Whether what code imports from is a package of the repository, or in one. */
export function isOfRepository(from: string, packages: readonly NamedPackage[]): boolean {
  return from === wholeRepository || packages.some(({ name }) => from === name || from.startsWith(`${name}/`));
}

/** The folders that a piece of code imports from; undefined where that is nothing of the repository. */
function foldersOf(from: string, packages: readonly NamedPackage[], language: string): readonly string[] | undefined {
  if (from === wholeRepository) return [''];
  if (language === 'go') {
    const found = packages.filter(({ name }) => from === name || from.startsWith(`${name}/`));
    const folders = found.map(({ name, folder }) => [folder, from.slice(name.length + 1)].filter(Boolean).join('/'));
    return folders.length === 0 ? undefined : folders;
  }
  const found = packages.filter(({ name }) => from === name || from.startsWith(`${name}/`));
  const longest = Math.max(...found.map(({ name }) => name.length));
  const folders = found.filter(({ name }) => name.length === longest).map(({ folder }) => folder);
  return folders.length === 0 ? undefined : folders;
}

/**
 * How far below the module that the first parts of a name lead to a definition stands, where the rest is all of it: 0 in
 * that module, as `httpx._client.Client` and `cobra.Command` are. What a package hands on from below it is named by the package:
 * `httpx.Client`, `axum::routing::get`. Undefined where the parts skip one in between, or lead elsewhere.
 */
function wayFromModule(
  one: DocumentedDefinition,
  mention: Mention,
  packages: readonly NamedPackage[],
): number | undefined {
  const { names, separator } = mention;
  const count = names.length - 1 - one.containers.length;
  if (count < 1 || !one.containers.every((container, at) => container === names[count + at])) return undefined;
  const family = familyOf(one.language);
  if (family === 'ecmascript' || (family === 'rust' && separator === '.')) return undefined;
  if (family === 'python' && separator === '::') return undefined;
  const heads = names.slice(0, count);
  const { roots, paths } = modulesOf(one, family, packages);
  const isRooted = roots.has(heads[0]!) || (isImport(mention) && paths.some(([first]) => first === heads[0]));
  if (!isRooted && !isTelling(names, count, family)) return undefined;
  const ways = paths.flatMap(path => waysBelow(heads, path));
  // A module that is called as what it has is what the whole name leads to; files of other languages are called so always.
  const isModule = ([first]: readonly string[]): boolean =>
    first === one.name && one.containers.length === 0 && (family === 'python' || family === 'rust');
  const fit = ways.filter(below => below.length === 0 || (isHandedOn(below, family, isRooted) && !isModule(below)));
  return fit.length === 0 ? undefined : Math.min(...fit.map(below => below.length));
}

/** Whether code imports a name from a module, as Python does: that says of itself that it is one, and is looked for from the top. */
function isImport({ kind, language, names, written }: Mention): boolean {
  return kind === 'fence' && language === 'python' && written < names.length;
}

/** What leads to the module of a definition as some parts led to that of another, from the same package or folder on. */
export function movedModule(
  parts: readonly string[],
  before: DocumentedDefinition,
  after: DocumentedDefinition,
  packages: readonly NamedPackage[],
): readonly string[] | undefined {
  if (parts.length === 0) return undefined;
  const old = modulesOf(before, familyOf(before.language), packages).paths;
  const fresh = modulesOf(after, familyOf(after.language), packages).paths;
  for (const [at, path] of old.entries()) {
    const from = path.length - parts.length;
    const now = fresh[at] ?? [];
    const isThere = from >= 0 && parts.every((part, index) => part === path[from + index]);
    if (!isThere || now.length <= from || path.slice(0, from).some((part, index) => part !== now[index])) continue;
    // Go names a package by its last word alone.
    return after.language === 'go' ? now.slice(-1) : now.slice(from);
  }
  return undefined;
}

/** A module that is not named from its root is evident where a type, a name of several words or a further module stands behind it. */
function isTelling(names: readonly string[], heads: number, family: string): boolean {
  const next = names[heads]!;
  return heads > 1 || /^\p{Lu}|[\p{Ll}\d]\p{Lu}|\p{L}_+\p{L}/u.test(next) || isBrought(names[0]!, family);
}

/** What follows on each place of a path that some parts stand at, one behind the other. */
function waysBelow(parts: readonly string[], path: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let from = 0; from + parts.length <= path.length; from++) {
    if (parts.every((part, at) => part === path[from + at])) found.push(path.slice(from + parts.length));
  }
  return found;
}

/** A package hands on what its own modules have, and those that nobody else names; a crate, what is anywhere in it. */
function isHandedOn(below: readonly string[], family: string, isRooted: boolean): boolean {
  if (family === 'go') return false;
  return (family === 'rust' && isRooted) || below.filter(part => !part.startsWith('_')).length <= 1;
}

interface Modules {
  /** What the whole may begin with: names of packages. */
  readonly roots: ReadonlySet<string>;
  /** Folders and the file on the way to it, as the language names modules; in each way that they may be told. */
  readonly paths: readonly (readonly string[])[];
}

/** Folders that hold code and are no part of what it is called. */
const sources: ReadonlySet<string> = new Set(['src', 'lib', 'source', 'sources']);

/** Of the packages of a table, by path and family. */
const known = new WeakMap<readonly NamedPackage[], Map<string, Modules>>();

function modulesOf({ path }: DocumentedDefinition, family: string, packages: readonly NamedPackage[]): Modules {
  const ofPackages = known.get(packages) ?? new Map<string, Modules>();
  known.set(packages, ofPackages);
  const found = ofPackages.get(`${family} ${path}`) ?? modulesAround(path, family, packages);
  ofPackages.set(`${family} ${path}`, found);
  return found;
}

function modulesAround(path: string, family: string, packages: readonly NamedPackage[]): Modules {
  const around = packages.filter(({ folder }) => isIn(path, folder));
  const deepest = Math.max(0, ...around.map(({ folder }) => folder.length));
  const own = around.filter(({ folder }) => folder.length === deepest);
  const folders = path.split('/');
  const file = folders.pop()!.replace(/\.[^.]*$/, '');
  const isNameless = family === 'rust' ? /^(?:mod|lib|main)$/ : /^(?:__init__|index)$/;
  const modules = family === 'go' || isNameless.test(file) ? [] : [file];
  const isSource = (part: string): boolean => !sources.has(part);
  const whole = [...folders, ...modules];
  const below = (folder: string): readonly string[] => {
    const parts = folders.slice(folder === '' ? 0 : folder.split('/').length);
    return [...parts.filter(isSource), ...modules];
  };
  const rooted = own.map(({ name, folder }) => [packageName(name, family), ...below(folder)]);
  const roots = new Set(family === 'go' ? [] : rooted.map(([root]) => root!));
  return { roots, paths: [whole, [...folders.filter(isSource), ...modules], ...rooted] };
}

/** As code writes it. */
function packageName(name: string, family: string): string {
  if (family === 'go') return name.split('/').findLast(one => !/^v\d+$/.test(one)) ?? '';
  return name.replaceAll('-', '_');
}
