import type { Configuration } from '../../model/configuration.ts';
import { either, fitsGlob } from '../../model/fits-glob.ts';
import type { Ecosystem } from '../../model/module.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { record, said, text, textEntries, texts } from './content.ts';
import type { SourceTree } from './source-tree.ts';

/** What says of packages that they belong together. */
export interface Workspace {
  readonly ecosystem: Ecosystem;
  readonly directory: string;
  readonly manifest: string;
  /** Whether it lists the package in a folder, whose manifest has that path. */
  readonly lists: (directory: string, manifest: string) => boolean;
  /** Folders that it lists one by one, and that need no manifest of their own, with what it calls them where it does. */
  readonly named: ReadonlyMap<string, string | undefined>;
}

/** Whether a folder is no part of the repository's program: fixtures of its tests, what it makes new projects of, and others' code. */
export function isBorrowed(directory: string): boolean {
  return borrowed.test(`${directory}/`);
}

const borrowed =
  /(?:^|\/)(?:fixtures?|__fixtures__|test[-_]?data|test[-_]?fixtures|__snapshots__|__mocks__|templates?|playgrounds?|node_modules|_?vendor|third[_-]party|bower_components|external|extern)\//i;

/** The workspaces of a tree, the innermost first. */
export function workspacesOf(
  tree: SourceTree,
  configuration: (path: string) => Configuration | undefined,
): readonly Workspace[] {
  const found: Workspace[] = [];
  for (const { path } of tree.files) {
    const name = baseName(path);
    const read = Object.hasOwn(readers, name) ? readers[name] : /\.slnx?$/.test(name) ? readSolution : undefined;
    const content = read === undefined ? undefined : configuration(path);
    if (read === undefined || content === undefined) continue;
    const directory = directoryOf(path);
    if (isBorrowed(directory)) continue;
    const listed = read(content, directory, name => configuration(join(directory, name) ?? name));
    if (listed !== undefined) found.push({ directory, manifest: path, named: none, ...listed });
  }
  return found.sort((a, b) => b.directory.length - a.directory.length);
}

const none: ReadonlyMap<string, undefined> = new Map();

type Listed = Pick<Workspace, 'ecosystem' | 'lists'> & Partial<Pick<Workspace, 'named'>>;
type Read = (
  content: Configuration,
  directory: string,
  beside: (name: string) => Configuration | undefined,
) => Listed | undefined;

const readers: Readonly<Record<string, Read>> = {
  'package.json': (content, directory) => {
    const { workspaces } = content;
    const patterns = texts(Array.isArray(workspaces) ? workspaces : (record(workspaces)['packages'] ?? []));
    return patterns.length === 0 ? undefined : byPatterns('npm', directory, patterns);
  },
  'pnpm-workspace.yaml': (content, directory) => byPatterns('npm', directory, texts(content['packages'] ?? [])),
  'rush.json': (content, directory) => byFolders('npm', directory, texts(said(content, 'packages') ?? [])),
  'lerna.json': readLerna,
  'project.json': readProjects,
  'angular.json': readProjects,
  'go.work': (content, directory) => byFolders('go', directory, texts(content['use'] ?? [])),
  'Cargo.toml': readCargo,
  'pyproject.toml': (content, directory) => {
    const members = texts(said(content, 'members') ?? []);
    return members.length === 0
      ? undefined
      : byPatterns('pypi', directory, members, texts(said(content, 'exclude') ?? []));
  },
  'pom.xml': (content, directory) => {
    const modules = texts(said(content, 'modules') ?? []);
    return modules.length === 0
      ? undefined
      : byFolders(
          'maven',
          directory,
          modules.map(one => one.replace(/\/?pom\.xml$/, '')),
        );
  },
  'settings.gradle': readGradle,
  'settings.gradle.kts': readGradle,
  'pubspec.yaml': readPub,
  'melos.yaml': readPub,
  'composer.json': (content, directory) => {
    const packages = texts(said(content, 'packages') ?? []);
    return packages.length === 0 ? undefined : byPatterns('composer', directory, packages);
  },
  'CMakeLists.txt': (content, directory) => {
    const folders = texts(said(content, 'folders') ?? []);
    return folders.length === 0 ? undefined : byFolders('cmake', directory, folders);
  },
};

/** Where it names no packages they are those of the package manager's workspace, and without one those in `packages`. */
function readLerna(...[content, directory, beside]: Parameters<Read>): Listed {
  const isListed = beside('package.json')?.['workspaces'] !== undefined || beside('pnpm-workspace.yaml') !== undefined;
  const packages = texts(said(content, 'packages') ?? (isListed ? [] : ['packages/*']));
  return byPatterns('npm', directory, packages);
}

/** A path is a project's of Nx or Angular where one of them is: its folder is what `root` says, else the file's. */
function readProjects(content: Configuration, directory: string): Listed | undefined {
  const projects = said(content, 'projects');
  const roots = (Array.isArray(projects) ? projects : []).flatMap(one => text(record(one)['root']) ?? []);
  return roots.length === 0 ? undefined : byFolders('npm', directory, roots);
}

function readCargo(content: Configuration, directory: string): Listed | undefined {
  if (said(content, 'isWorkspace') !== true) return undefined;
  // What a member depends on by path, below the root, is a member too.
  const byPath = textEntries(content['dependencies']).map(([, path]) => path);
  return byPatterns(
    'cargo',
    directory,
    ['.', ...texts(content['members'] ?? []), ...byPath],
    texts(said(content, 'exclude') ?? []),
  );
}

function readGradle(content: Configuration, directory: string): Listed {
  const [folders, names] = [record(said(content, 'folders')), record(said(content, 'names'))];
  const named = new Map<string, string | undefined>();
  for (const written of texts(said(content, 'include') ?? [])) {
    const project = written.startsWith(':') ? written : `:${written}`;
    const folder = join(directory, folderOfProject(project, folders));
    if (folder !== undefined) named.set(folder, text(names[project]) ?? nameBeside(folder, project));
  }
  for (const build of texts(said(content, 'builds') ?? [])) {
    const folder = join(directory, build);
    if (folder !== undefined) named.set(folder, undefined);
  }
  return { ecosystem: 'gradle', named, lists: one => one === directory || named.has(one) };
}

/** What a project is called that is not called as its folder. */
function nameBeside(folder: string, project: string): string | undefined {
  const name = project.slice(project.lastIndexOf(':') + 1);
  return name === baseName(folder) ? undefined : name;
}

/** Of `:a:b` the folder that it is given, else `b` in the folder of `:a`. */
function folderOfProject(project: string, folders: Configuration): string {
  const end = project.lastIndexOf(':');
  if (end < 0) return '.';
  return text(folders[project]) ?? `${folderOfProject(project.slice(0, end), folders)}/${project.slice(end + 1)}`;
}

function readPub(content: Configuration, directory: string): Listed | undefined {
  const workspace = texts(said(content, 'workspace') ?? []);
  const melos = texts(said(content, 'melos') ?? []);
  if (workspace.length + melos.length === 0) return undefined;
  return byPatterns('pub', directory, ['.', ...workspace, ...melos], texts(said(content, 'ignore') ?? []));
}

function readSolution(content: Configuration, directory: string): Listed {
  const paths = new Set(texts(said(content, 'projects') ?? []).flatMap(path => join(directory, path) ?? []));
  return { ecosystem: 'nuget', lists: (_, manifest) => paths.has(manifest) };
}

function byFolders(ecosystem: Ecosystem, directory: string, written: readonly string[]): Listed {
  const folders = new Set(written.flatMap(folder => join(directory, folder) ?? []));
  return { ecosystem, lists: one => one === directory || folders.has(one) };
}

/**
 * Patterns as npm, pnpm, Cargo, uv and melos have them: `!` leaves out, `{a,b}` and `+(a|b)` are either, `!(a)` any other; of
 * folders, or of their manifests.
 */
function byPatterns(
  ecosystem: Ecosystem,
  directory: string,
  written: readonly string[],
  leftOut: readonly string[] = [],
): Listed {
  const globs = (patterns: readonly string[]): readonly string[] =>
    patterns
      .flatMap(either)
      .flatMap(pattern => join(directory, pattern.replace(/\/(?:package\.json|pubspec\.yaml)?$/, '')) ?? []);
  const listed = written.filter(one => !one.startsWith('!'));
  const others = listed.filter(one => one.includes('!(')).map(one => one.replaceAll('!(', '@('));
  const [wanted, unwanted] = [
    globs(listed.map(one => one.replace(/!\([^()]*\)/g, '*'))),
    globs([...leftOut, ...others, ...written.filter(one => one.startsWith('!')).map(one => one.slice(1))]),
  ];
  const lists = (one: string): boolean =>
    one === directory || (wanted.some(glob => fitsGlob(glob, one)) && !unwanted.some(glob => fitsGlob(glob, one)));
  return { ecosystem, lists };
}
