import { familyOf } from '../../model/families.ts';
import type { Mention } from '../../model/mentions.ts';
import type { DefinitionTable, DocumentedDefinition, NamedPackage } from './definition-table.ts';

/**
 * The definitions that a name of several parts may mean: those whose containers its parts but the last end, and those at the top
 * of a module or package that its first parts name. What a piece of code imports is looked for where that comes from.
 */
export function qualifiedMatches(mention: Mention, table: DefinitionTable): readonly DocumentedDefinition[] {
  const { names, from } = mention;
  const named = table.named(names.at(-1)!).filter(({ isLocal }) => !isLocal);
  if (from !== undefined) {
    const folders = foldersOf(from, table.packages, mention.language);
    if (folders === undefined) return [];
    return named.filter(one => one.exported && isWhole(names, one) && folders.some(folder => isIn(one.path, folder)));
  }
  const byContainer = named.filter(one => endsWith(one, names));
  if (byContainer.length > 0) return byContainer;
  return named.filter(one => one.exported && isInModule(one, names, table.packages));
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

/** Whether what code imports from is a package of the repository, or in one. */
export function isOfRepository(from: string, packages: readonly NamedPackage[]): boolean {
  return packages.some(({ name }) => from === name || from.startsWith(`${name}/`));
}

/** The folders that a piece of code imports from; undefined where that is nothing of the repository. */
function foldersOf(from: string, packages: readonly NamedPackage[], language: string): readonly string[] | undefined {
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
 * Whether the first parts of a name lead to the module that a definition stands in, and the rest is all of it: `httpx.Client`,
 * `axum::routing::get`, `cobra.Command`. What a package hands on it may be named by, wherever below it stands.
 */
function isInModule(one: DocumentedDefinition, names: readonly string[], packages: readonly NamedPackage[]): boolean {
  const heads = names.length - 1 - one.containers.length;
  if (heads < 1 || !one.containers.every((container, at) => container === names[heads + at])) return false;
  const family = familyOf(one.language);
  if (family === 'ecmascript') return false;
  const modules = modulesOf(one, family, packages);
  const isRooted = modules.roots.has(names[0]!);
  const parts = isRooted ? names.slice(1, heads) : names.slice(0, heads);
  if (!isRooted && !isTelling(names, heads)) return false;
  if (family === 'go') return heads === 1 && modules.path.at(-1) === names[0];
  return isSubsequence(parts, modules.path);
}

/** A module that is not named from its root is evident where a type or a further module stands behind it. */
function isTelling(names: readonly string[], heads: number): boolean {
  return heads > 1 || /^\p{Lu}/u.test(names[heads]!);
}

interface Modules {
  /** What the whole may begin with: names of packages. */
  readonly roots: ReadonlySet<string>;
  /** Folders and the file on the way to it, as the language names modules. */
  readonly path: readonly string[];
}

function modulesOf({ path }: DocumentedDefinition, family: string, packages: readonly NamedPackage[]): Modules {
  const around = packages.filter(({ folder }) => isIn(path, folder));
  const deepest = Math.max(0, ...around.map(({ folder }) => folder.length));
  const own = around.filter(({ folder }) => folder.length === deepest);
  const parts = path.split('/');
  const file = parts.pop()!.replace(/\.[^.]*$/, '');
  if (family === 'go') {
    const name = (own[0]?.name ?? '').split('/').findLast(one => !/^v\d+$/.test(one)) ?? '';
    const isTop = parts.join('/') === (own[0]?.folder ?? '');
    return { roots: new Set(), path: isTop ? [name] : parts };
  }
  const roots = new Set(own.map(({ name }) => name.replaceAll('-', '_')));
  return { roots, path: [...parts, ...(/^(?:__init__|mod|lib|index)$/.test(file) ? [] : [file])] };
}

function isSubsequence(parts: readonly string[], path: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    at = path.indexOf(part, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
