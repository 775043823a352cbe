import type { Configuration } from '../../model/configuration.ts';
import type { Ecosystem } from '../../model/module.ts';
import { isTestPath } from '../../model/mount.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { record, said, text } from './content.ts';
import type { SourceTree } from './source-tree.ts';
import { isBorrowed, type Workspace } from './workspaces.ts';

/** A folder with a manifest that makes it a package. */
export interface Package {
  readonly directory: string;
  readonly ecosystem: Ecosystem;
  /** As the manifest calls it; undefined where it doesn't. */
  readonly name: string | undefined;
  readonly manifest: string;
  /** What lists it as one of its own. */
  readonly workspace: string | undefined;
}

/** The content of a configuration file; undefined where there is none. */
export type Configurations = (path: string) => Configuration | undefined;

/**
 * The packages of a tree, sorted by directory, several in one where several ecosystems have their manifests there. What a
 * workspace lists is one; else, what lies among fixtures or dependencies that were taken in is none, nor is what lies
 * among tests while a workspace of its ecosystem above it doesn't list it.
 */
export function packagesOf(
  tree: SourceTree,
  configuration: Configurations,
  workspaces: readonly Workspace[],
): readonly Package[] {
  const found = new Map<string, Package>();
  for (const { path } of tree.files) {
    const kind = kindOf(baseName(path));
    if (kind === undefined) continue;
    const read = kind.read(configuration(path), path, tree);
    if (read === undefined) continue;
    const directory = directoryOf(path);
    const above = workspaces.filter(one => one.ecosystem === kind.ecosystem && isAtOrBelow(directory, one.directory));
    const workspace = above.find(one => one.lists(directory, path));
    if (workspace === undefined && directory !== '' && isApart(directory, above)) continue;
    const one = {
      directory,
      ecosystem: kind.ecosystem,
      name: read.name,
      manifest: path,
      workspace: workspace?.manifest,
    };
    const key = `${kind.ecosystem} ${directory}`;
    found.set(key, better(found.get(key), one));
  }
  for (const one of included(workspaces, tree)) {
    const key = `${one.ecosystem} ${one.directory}`;
    const known = found.get(key);
    found.set(key, known === undefined ? one : { ...known, name: known.name ?? one.name });
  }
  return [...found.values()].sort((a, b) => (a.directory < b.directory ? -1 : a.directory > b.directory ? 1 : 0));
}

interface Kind {
  readonly ecosystem: Ecosystem;
  /** Undefined where the file makes its folder no package. */
  readonly read: (
    content: Configuration | undefined,
    path: string,
    tree: SourceTree,
  ) => { readonly name: string | undefined } | undefined;
}

const kinds: Readonly<Record<string, Kind>> = {
  'package.json': { ecosystem: 'npm', read: readNpm },
  'project.json': { ecosystem: 'npm', read: readNx },
  'go.mod': { ecosystem: 'go', read: content => ({ name: text(content?.['module']) }) },
  'Cargo.toml': { ecosystem: 'cargo', read: readNamed },
  'pyproject.toml': { ecosystem: 'pypi', read: readPyproject },
  'setup.cfg': { ecosystem: 'pypi', read: readNamed },
  'setup.py': { ecosystem: 'pypi', read: readSetup },
  Pipfile: { ecosystem: 'pypi', read: () => ({ name: undefined }) },
  'requirements.txt': { ecosystem: 'pypi', read: readRequirements },
  'pom.xml': { ecosystem: 'maven', read: readPom },
  'build.gradle': { ecosystem: 'gradle', read: () => ({ name: undefined }) },
  'build.gradle.kts': { ecosystem: 'gradle', read: () => ({ name: undefined }) },
  'settings.gradle': { ecosystem: 'gradle', read: readSettings },
  'settings.gradle.kts': { ecosystem: 'gradle', read: readSettings },
  'pubspec.yaml': { ecosystem: 'pub', read: readNamed },
  Gemfile: { ecosystem: 'gem', read: readGemfile },
  'composer.json': { ecosystem: 'composer', read: readComposer },
  'CMakeLists.txt': { ecosystem: 'cmake', read: readCmake },
  'compile_commands.json': { ecosystem: 'cmake', read: readCompilations },
};

const gemspec: Kind = {
  ecosystem: 'gem',
  read: (content, path) => ({ name: text(said(content, 'gem')) ?? baseName(path).replace(/\.gemspec$/, '') }),
};

const csproj: Kind = {
  ecosystem: 'nuget',
  read: (content, path) => ({
    name: text(said(content, 'package')) ?? text(said(content, 'assembly')) ?? baseName(path).replace(/\.csproj$/, ''),
  }),
};

/** Whether a file of that name may make its folder a package. */
export function isManifestName(name: string): boolean {
  return kindOf(name) !== undefined;
}

function kindOf(name: string): Kind | undefined {
  if (Object.hasOwn(kinds, name)) return kinds[name];
  if (name.endsWith('.gemspec')) return gemspec;
  return name.endsWith('.csproj') ? csproj : undefined;
}

/** One that says no more than how its folder's files are read (`{"type": "module"}`) is no package's. */
function readNpm(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(content?.['name']);
  const keys = ['main', 'module', 'exports', 'workspaces', 'bin', 'scripts', 'requires'];
  return name !== undefined || keys.some(key => said(content, key) !== undefined) ? { name } : undefined;
}

/** Without a name it has that of a package.json beside it, or the folder's. */
function readNx(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const projects = said(content, 'projects');
  const [first] = Array.isArray(projects) ? projects.map(record) : [];
  const name = text(first?.['name']);
  return name === undefined && said(content, 'isProject') !== true ? undefined : { name };
}

function readNamed(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(content?.['name']);
  return name === undefined ? undefined : { name };
}

/** Without a name and a backend that builds it, it holds settings of tools. */
function readPyproject(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(content?.['name']);
  return name === undefined && said(content, 'builds') !== true ? undefined : { name };
}

function readSetup(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const setup = said(content, 'setup');
  return setup === undefined ? undefined : { name: text(record(setup)['name']) };
}

/** A list of dependencies makes a program's folder its package, and no folder of documents. */
function readRequirements(
  _: Configuration | undefined,
  path: string,
  tree: SourceTree,
): { readonly name: undefined } | undefined {
  const files = tree.filesIn(directoryOf(path)).map(file => baseName(file.path));
  return files.some(name => /^(?:main|app|manage|__main__|wsgi|asgi|server|run|setup)\.py$/.test(name))
    ? { name: undefined }
    : undefined;
}

function readPom(content: Configuration | undefined): { readonly name: string | undefined } {
  const [group, name] = [said(content, 'group') ?? said(content, 'parentGroup'), text(said(content, 'artifact'))];
  return { name: name === undefined || text(group) === undefined ? name : `${group}:${name}` };
}

/** It names what is built in its folder. */
function readSettings(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(said(content, 'name'));
  return name === undefined ? undefined : { name };
}

function readGemfile(
  _: Configuration | undefined,
  path: string,
  tree: SourceTree,
): { readonly name: undefined } | undefined {
  const directory = directoryOf(path);
  const isProgram = ['app', 'lib', 'bin', 'config'].some(one => tree.hasCodeBelow(within(directory, one)));
  const ownCode = tree.filesIn(directory).some(file => file.path.endsWith('.rb'));
  return isProgram || ownCode ? { name: undefined } : undefined;
}

function readComposer(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(said(content, 'name'));
  return name === undefined && said(content, 'roots') === undefined ? undefined : { name };
}

/** A list of folders is none, nor are settings that others include. */
function readCmake(content: Configuration | undefined): { readonly name: string | undefined } | undefined {
  const name = text(said(content, 'name'));
  return name === undefined && said(content, 'targets') === undefined ? undefined : { name };
}

/** Beside what is compiled it is a package's; in a folder that something was built in it is not. */
function readCompilations(
  content: Configuration | undefined,
  path: string,
  tree: SourceTree,
): { readonly name: undefined } | undefined {
  return said(content, 'compiles') === true && tree.hasCodeBelow(directoryOf(path)) ? { name: undefined } : undefined;
}

/** Of two manifests of one ecosystem in a folder, the one that names the package, then the one that is named as the folder, then the first. */
function better(known: Package | undefined, other: Package): Package {
  if (known === undefined) return other;
  const folder = baseName(other.directory);
  if (known.name === undefined && other.name !== undefined)
    return { ...other, workspace: other.workspace ?? known.workspace };
  return known.name !== folder && other.name === folder ? other : known;
}

/** Folders that a workspace names one by one, whether they have manifests of their own or not: projects that Gradle's settings include. */
function* included(workspaces: readonly Workspace[], tree: SourceTree): Iterable<Package> {
  for (const { ecosystem, manifest, named } of workspaces) {
    if (ecosystem !== 'gradle') continue;
    for (const [directory, name] of named) {
      // A build may call each project's script as the project.
      const scripts = ['.gradle', '.gradle.kts'].map(end => within(directory, `${baseName(directory)}${end}`));
      const own = scripts.find(path => tree.has(path)) ?? manifest;
      if (tree.hasCodeBelow(directory)) yield { directory, ecosystem, name, manifest: own, workspace: manifest };
    }
  }
}

/** Whether a folder that no workspace lists holds something else than a part of this repository's program. */
function isApart(directory: string, above: readonly Workspace[]): boolean {
  return isBorrowed(directory) || (above.length > 0 && isTestPath(`${directory}/`));
}

function isAtOrBelow(directory: string, folder: string): boolean {
  return folder === '' || directory === folder || directory.startsWith(`${folder}/`);
}

function within(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
