import type { Configuration } from '../model/configuration.ts';
import { join } from '../model/paths.ts';
import { record, said, text, textEntries } from './modules/content.ts';
import type { Configurations, Package } from './modules/packages.ts';
import type { SourceTree } from './modules/source-tree.ts';
import { isBorrowed } from './modules/workspaces.ts';
import { type Scripts, typesBuild } from './types-build.ts';

const workspaceTypes = ['npm', 'pnpm', 'yarn', 'bun', 'lerna', 'rush', 'nx', 'none'] as const;

/** The packages of JavaScript and TypeScript that a workspace lists. */
export interface TypescriptWorkspace {
  /** What lists the packages; where several do, rush, pnpm and lerna before a package.json. */
  readonly type: (typeof workspaceTypes)[number];
  /** What runs tasks over them, by its file at the root. */
  readonly runner: 'nx' | 'turbo' | 'lerna' | 'none';
  readonly hasRootTsconfig: boolean;
  /** Sorted by path; without the root. */
  readonly packages: readonly WorkspacePackage[];
  /** Makes the types of packages; undefined where no file of the repository tells how. */
  readonly build: string | undefined;
}

export interface WorkspacePackage {
  readonly path: string;
  readonly name: string;
  readonly hasTsconfig: boolean;
  readonly hasTypescript: boolean;
  /**
   * Files of types that it says to offer and that the snapshot doesn't have: somebody has to build them. None where
   * configuration leads who imports it to its source.
   */
  readonly built: readonly string[];
}

export interface WorkspaceFacts {
  readonly tree: SourceTree;
  readonly packages: readonly Package[];
  readonly configuration: Configurations;
  /** Which files of `workspaceMarks` the root has. */
  readonly marks: ReadonlySet<string>;
  /** The file that configuration at the root maps an import of that name to. */
  readonly mapped: (name: string) => string | undefined;
}

/** Files that tell by their being there who installs packages and who runs tasks. */
export const workspaceMarks: readonly string[] = ['yarn.lock', 'bun.lock', 'bun.lockb', 'nx.json', 'turbo.json'];

export function typescriptWorkspace(facts: WorkspaceFacts): TypescriptWorkspace {
  const { tree, packages, configuration, marks } = facts;
  const inWorkspace = listedPackages(packages);
  const listed = inWorkspace.length === 0 && marks.has('nx.json') ? nxProjects(tree, packages) : inWorkspace;
  const type = listed.length === 0 ? 'none' : typeOf(listed, facts);
  const runner = marks.has('nx.json')
    ? 'nx'
    : marks.has('turbo.json')
      ? 'turbo'
      : tree.has('lerna.json')
        ? 'lerna'
        : 'none';
  const found = listed.map(one => workspacePackage(one, facts));
  return {
    type,
    runner,
    hasRootTsconfig: tree.has('tsconfig.json'),
    packages: found,
    build: typesBuild({
      ...{ type, runner, hasReferences: configuration('tsconfig.json')?.['references'] !== undefined },
      lacking: new Set(found.filter(({ built }) => built.length > 0).map(({ path }) => path)),
      scriptsOf: directory => scriptsIn(configuration(directory === '' ? 'package.json' : `${directory}/package.json`)),
      names: new Map(found.map(({ path, name }) => [path, name])),
    }),
  };
}

function workspacePackage({ directory, name, manifest }: Package, facts: WorkspaceFacts): WorkspacePackage {
  const { tree, configuration, mapped } = facts;
  const isMapped = name !== undefined && mapped(name)?.startsWith(`${directory}/`) === true;
  const offered = isMapped ? [] : offeredTypes(configuration(manifest));
  return {
    path: directory,
    name: name ?? directory,
    hasTsconfig: tree.has(`${directory}/tsconfig.json`),
    hasTypescript: hasTypescript(tree, directory),
    built: offered.flatMap(file => {
      const path = join(directory, file);
      return path === undefined || tree.has(path) ? [] : [path];
    }),
  };
}

function scriptsIn(manifest: Configuration | undefined): Scripts {
  return Object.fromEntries(textEntries(said(manifest, 'scripts')));
}

/** Without the roots of workspaces, and what workspaces within others list: those are fixtures and templates. */
function listedPackages(packages: readonly Package[]): readonly Package[] {
  const own = packages.filter(one => one.ecosystem === 'npm' && one.workspace !== undefined);
  const folders = new Set(own.map(workspaceFolder));
  return own.filter(one => {
    const folder = workspaceFolder(one);
    const isWithin = [...folders].some(other => other.length < folder.length && folder.startsWith(other));
    return `${one.directory}/` !== folder && one.directory !== '' && !isWithin;
  });
}

/** Nx takes each folder with a project.json for a project, whether a workspace lists it or not. */
function nxProjects(tree: SourceTree, packages: readonly Package[]): readonly Package[] {
  return packages.filter(
    ({ ecosystem, directory }) =>
      ecosystem === 'npm' && directory !== '' && !isBorrowed(directory) && tree.has(`${directory}/project.json`),
  );
}

/** With a slash at its end; '' for the root. */
function workspaceFolder({ workspace = '' }: Package): string {
  return workspace.slice(0, workspace.lastIndexOf('/') + 1);
}

/** Of the outermost workspace. */
function typeOf(
  listed: readonly Package[],
  { tree, marks, configuration }: WorkspaceFacts,
): TypescriptWorkspace['type'] {
  const folder = listed.map(workspaceFolder).reduce((one, other) => (other.length < one.length ? other : one));
  if (tree.has(`${folder}rush.json`)) return 'rush';
  if (tree.has(`${folder}pnpm-workspace.yaml`)) return 'pnpm';
  if (said(configuration(`${folder}lerna.json`), 'packages') !== undefined) return 'lerna';
  if (configuration(`${folder}package.json`)?.['workspaces'] === undefined) {
    return tree.has(`${folder}lerna.json`) ? 'lerna' : 'nx';
  }
  if (marks.has('yarn.lock')) return 'yarn';
  return marks.has('bun.lock') || marks.has('bun.lockb') ? 'bun' : 'npm';
}

function hasTypescript(tree: SourceTree, directory: string): boolean {
  for (const { language } of tree.below(directory)) if (language === 'typescript') return true;
  return false;
}

const declaration = /\.d\.[cm]?ts$/;

/** The files of types of a package itself, as its manifest names them: `types`, or else under `.` of `exports`. */
function offeredTypes(manifest: Configuration | undefined): readonly string[] {
  const named = text(manifest?.['types']) ?? text(manifest?.['typings']);
  if (named !== undefined) return declaration.test(named) ? [named] : [];
  const { exports } = manifest ?? {};
  const own = record(exports)['.'] ?? exports;
  return declarationsIn(own, 0).slice(0, 1);
}

/** In the order of the conditions. Patterns of other entries, with `*`, are not looked at. */
function declarationsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return declaration.test(value) && !value.includes('*') ? [value] : [];
  if (depth === mostConditions) return [];
  const conditions = Object.entries(record(value)).filter(([key]) => !key.startsWith('./'));
  return conditions.flatMap(([, inner]) => declarationsIn(inner, depth + 1));
}

const mostConditions = 6;
