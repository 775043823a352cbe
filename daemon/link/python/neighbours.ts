import { isTestPath } from '../../model/mount.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { either } from '../options.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { initOf, isOpenPackage, moduleAt } from './modules.ts';
import { isImportRoot, within } from './roots.ts';

/** Folders that are packages, by their own names; those of fixtures are left out. */
interface PackageFolders {
  /** With an `__init__.py`. */
  readonly closed: ReadonlyMap<string, readonly string[]>;
  /** Without one, and with packages inside. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

/**
 * What other projects of the repository, whatever their names, have under a module's: the nearest that has it. Undefined
 * where none has, `gone` where it would lie in a package that one of them has and no other can add to.
 */
export function inNeighbours(ask: Questions, from: string, parts: readonly string[]): Value | 'gone' | undefined {
  const folders = packageFolders(ask);
  const [top = ''] = parts;
  if (isTestPath(`${top}/`) || !(folders.closed.has(top) || folders.open.has(top))) return undefined;
  // The innermost package on the way tells best where to look: a namespace has many a root.
  for (let length = parts.length; length > 1; length--) {
    for (const root of rootsWith(ask, folders.closed, parts.slice(0, length), from)) {
      const found = moduleAt(ask, root, parts);
      if (found !== undefined) return { kind: 'module', path: found };
    }
  }
  const own = closedPackage(ask, from, top);
  if (parts.length === 1) return own === undefined ? portionsOf(ask, from, top) : { kind: 'module', path: own };
  if (own !== undefined) {
    const found = moduleAt(ask, directoryOf(directoryOf(own)), parts);
    return found === undefined ? 'gone' : { kind: 'module', path: found };
  }
  const module = folders.open.has(top) ? moduleInNamespace(ask, from, parts) : undefined;
  return module === undefined ? undefined : { kind: 'module', path: module };
}

/** The nearest package of that name that nothing else adds to. */
function closedPackage(ask: Questions, from: string, top: string): string | undefined {
  for (const root of rootsWith(ask, packageFolders(ask).closed, [top], from)) {
    const path = initOf(within(root, top));
    if (!isOpenPackage(ask, path)) return path;
  }
  return undefined;
}

/** A module that lies in folders without an `__init__.py` alone. */
function moduleInNamespace(ask: Questions, from: string, parts: readonly string[]): string | undefined {
  const end = `${parts.join('/')}.py`;
  const roots = ask.filesNamed(baseName(end)).flatMap(path => rootOf(path, end));
  for (const root of importable(ask, roots, from)) return within(root, end);
  return undefined;
}

/** Folders of the repository's projects that a namespace package is spread over, the nearest first. */
export function portionsOf(ask: Questions, from: string, top: string): Value | undefined {
  const { closed, open } = packageFolders(ask);
  const found: Value[] = [];
  for (const folders of [open, closed]) {
    for (const root of rootsWith(ask, folders, [top], from)) {
      const path = initOf(within(root, top));
      if (isOpenPackage(ask, path)) found.push({ kind: 'module', path });
      if (found.length === mostPortions) return either(found);
    }
  }
  return either(found);
}

/** Who takes something from one by its name finds it in whichever has it. */
const mostPortions = 4;

/** Whether folders of that name without an `__init__.py` have packages inside. */
export function isOpenName(ask: Questions, name: string): boolean {
  return packageFolders(ask).open.has(name);
}

/** The places where projects have their modules in which a package of that name lies, the nearest first. */
function rootsWith(
  ask: Questions,
  folders: ReadonlyMap<string, readonly string[]>,
  parts: readonly string[],
  from: string,
): Iterable<string> {
  const whole = parts.join('/');
  const roots = (folders.get(parts.at(-1)!) ?? []).flatMap(folder => rootOf(folder, whole));
  return importable(ask, roots, from);
}

/** Where a path ends so what comes before it. */
function rootOf(path: string, end: string): readonly string[] {
  if (path === end) return [''];
  return path.endsWith(`/${end}`) ? [path.slice(0, -end.length - 1)] : [];
}

/** Those that projects have their modules in, the nearest first; none of tests but for tests. */
function* importable(ask: Questions, roots: readonly string[], from: string): Iterable<string> {
  const isTest = isTestPath(`${from}/`);
  const nearest = roots
    .filter(root => isTest || !isTestPath(`${root}/`))
    .sort((a, b) => sharedFolders(b, from) - sharedFolders(a, from) || (a < b ? -1 : 1));
  for (const root of nearest) if (isImportRoot(ask, root)) yield root;
}

function packageFolders(ask: Questions): PackageFolders {
  return ask.shared('python packages', () => foldersAround(ask.filesNamed('__init__.py')))!;
}

function foldersAround(files: readonly string[]): PackageFolders {
  const packages = new Set(files.filter(path => !isOfFixtures.test(path)).map(directoryOf));
  const namespaces = new Set<string>();
  for (const folder of packages) {
    let above = directoryOf(folder);
    for (let level = 0; level < deepestNamespace && above !== '' && !packages.has(above); level++) {
      namespaces.add(above);
      above = directoryOf(above);
    }
  }
  return { closed: byName(packages), open: byName(namespaces) };
}

const isOfFixtures = /(?:^|\/)(?:fixtures?|test[-_]?data|templates?|_?vendor|third[_-]party)\//;

/** `google.cloud.storage` is three levels; folders above are none of the name. */
const deepestNamespace = 6;

function byName(folders: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const folder of folders) {
    const known = named.get(baseName(folder));
    if (known === undefined) named.set(baseName(folder), [folder]);
    else known.push(folder);
  }
  return named;
}

function sharedFolders(one: string, other: string): number {
  const [folders, others] = [one.split('/'), other.split('/')];
  const differing = folders.findIndex((folder, at) => folder !== others[at]);
  return differing < 0 ? folders.length : differing;
}
