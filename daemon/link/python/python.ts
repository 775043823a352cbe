import type { MountedDocument, ScopeKey } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { isTestPath } from '../../model/mount.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { Questions, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { builtinNames, standardModules } from './library.ts';

/**
 * Python modules as an interpreter with the project on its path finds them. A namespace package (a folder without
 * `__init__.py`) is written as the `__init__.py` that it doesn't have.
 */
export const pythonResolver: Resolver = {
  module,
  importTarget(look, from, index) {
    const one = wholeImport(from.facts.imports, index);
    const found = module(look, from, one);
    if (found?.kind !== 'module' || one.name === '' || one.name === '*') return found;
    return submodule(look, found.path, one.name) ?? found;
  },
  submodule,
  free: (_ask, _from, name) =>
    builtinNames.has(name) ? { kind: 'external', manager: 'std', package: 'python', name } : undefined,
};

function module(ask: Questions, from: MountedDocument, { specifier }: ImportFact): Value | undefined {
  const directory = directoryOf(from.path);
  return ask.onceOfPlaces(`python ${directory}\0${specifier}`, () =>
    specifier.startsWith('.') ? relative(ask, directory, specifier) : absolute(ask, directory, specifier),
  );
}

function submodule(ask: Questions, path: string, name: string): Value | undefined {
  if (!/(?:^|\/)__init__\.pyi?$/.test(path)) return undefined;
  return asModule(moduleAt(ask, directoryOf(path), [name]));
}

/** `import a.b` is two facts: that `a` is bound, and that `a.b` is what is imported. */
function wholeImport(imports: readonly ImportFact[], index: number): ImportFact {
  const [one, next] = [imports[index]!, imports[index + 1]];
  const isBeginning = next?.name === '' && next.line === one.line && next.specifier.startsWith(`${one.specifier}.`);
  return isBeginning ? next : one;
}

/** One dot is the package that the file stands in, each further dot the one around it. */
function relative(ask: Questions, from: string, specifier: string): Value | undefined {
  const dots = /^\.+/.exec(specifier)?.[0].length ?? 1;
  const directory = join(from, '../'.repeat(dots - 1));
  if (directory === undefined) return undefined;
  const rest = specifier.slice(dots);
  return asModule(moduleAt(ask, directory, rest === '' ? [] : rest.split('.')));
}

function absolute(ask: Questions, from: string, specifier: string): Value | undefined {
  const parts = specifier.split('.');
  const [top = ''] = parts;
  for (const root of rootsFor(ask, from, top)) {
    const found = moduleAt(ask, root, parts);
    if (found !== undefined) return { kind: 'module', path: found };
    // A package of ours without that module: it is generated or gone, but no dependency.
    if (parts.length > 1 && regularPackage(ask, root, top)) return undefined;
  }
  if (standardModules.has(top)) return { kind: 'external', manager: 'std', package: 'python', name: specifier };
  const neighbour = rootOfNeighbour(ask, from, top);
  if (neighbour !== undefined) return asModule(moduleAt(ask, neighbour, parts));
  return { kind: 'external', manager: 'pypi', package: top, name: parts.slice(1).join('.') };
}

/**
 * Where absolute imports start, most likely first: the folder around the file's outermost package, the projects that it
 * lies in with their `src` layouts, the repository's root, and the project of the repository that bears the name.
 */
function rootsFor(ask: Questions, from: string, top: string): ReadonlySet<string> {
  const roots = new Set<string>([importRoot(ask, from)]);
  for (let directory = from; ; directory = directoryOf(directory)) {
    if (directory === '' || isProject(ask, directory)) for (const root of rootsOf(ask, directory)) roots.add(root);
    if (directory === '') break;
  }
  for (const name of new Set([top, top.replaceAll('_', '-')])) {
    for (const path of ask.documentsOf(`pypi:${name}` as ScopeKey)) {
      for (const root of rootsOf(ask, directoryOf(path))) roots.add(root);
    }
  }
  return roots;
}

/** Where another project of the repository, whatever its name, has a package of that name: the nearest, and none of tests. */
function rootOfNeighbour(ask: Questions, from: string, top: string): string | undefined {
  const end = `/${top}/__init__.py`;
  return ask
    .filesNamed('__init__.py')
    .filter(path => path.endsWith(end) && !isTestPath(path))
    .map(path => path.slice(0, -end.length))
    .filter(root => isProject(ask, root) || isRootOf(ask, directoryOf(root), root))
    .sort((a, b) => sharedFolders(b, from) - sharedFolders(a, from) || (a < b ? -1 : 1))[0];
}

function isRootOf(ask: Questions, project: string, root: string): boolean {
  return isProject(ask, project) && rootsOf(ask, project).includes(root);
}

function sharedFolders(one: string, other: string): number {
  const [folders, others] = [one.split('/'), other.split('/')];
  const differing = folders.findIndex((folder, at) => folder !== others[at]);
  return differing < 0 ? folders.length : differing;
}

function importRoot(ask: Questions, from: string): string {
  let directory = from;
  while (directory !== '' && ask.exists(`${directory}/__init__.py`)) directory = directoryOf(directory);
  return directory;
}

function isProject(ask: Questions, directory: string): boolean {
  return ['pyproject.toml', 'setup.py', 'setup.cfg'].some(name => ask.exists(within(directory, name)));
}

function rootsOf(ask: Questions, project: string): readonly string[] {
  const declared = [
    ...foldersOf(ask.configuration(within(project, 'pyproject.toml'))),
    ...foldersOf(ask.configuration(within(project, 'setup.cfg'))),
  ];
  return [...declared, 'src', 'lib', ''].flatMap(folder => join(project, folder) ?? []);
}

/** Folders that setuptools and Poetry are told to look for packages in. */
function foldersOf(configuration: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (configuration === undefined) return [];
  const { packageDir, packagesFind, packages, where } = configuration;
  const find = record(record(packagesFind)['find'])['where'];
  const poetry = Array.isArray(packages) ? packages.map(one => record(one)['from']) : [];
  const setuptools = typeof packageDir === 'string' ? [packageDir.replace(/^=\s*/, '')] : [record(packageDir)['']];
  return [...setuptools, ...(Array.isArray(find) ? find : []), ...poetry, where].filter(isText);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The file of a module, sources before stubs; the package itself where no parts are left. */
function moduleAt(ask: Questions, root: string, parts: readonly string[]): string | undefined {
  const path = within(root, parts.join('/'));
  const files = ['.py', '/__init__.py', '.pyi', '/__init__.pyi'].map(suffix => path + suffix);
  const candidates = parts.length === 0 ? files.filter(file => file.includes('__init__')) : files;
  const found = candidates.map(file => file.replace(/^\//, '')).find(file => ask.exists(file));
  if (found !== undefined || path === '') return found;
  return ask.filesIn(path).some(file => /\.pyi?$/.test(file)) ? `${path}/__init__.py` : undefined;
}

function regularPackage(ask: Questions, root: string, name: string): boolean {
  return ask.exists(within(root, `${name}/__init__.py`));
}

function asModule(path: string | undefined): Value | undefined {
  return path === undefined ? undefined : { kind: 'module', path };
}

function within(directory: string, name: string): string {
  if (directory === '') return name;
  return name === '' ? directory : `${directory}/${name}`;
}
