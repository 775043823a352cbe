import type { ScopeKey } from '../../model/document.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import { standardModules } from './library.ts';

export interface ImportRoots {
  /** Most likely first. */
  readonly sure: ReadonlySet<string>;
  /** Whoever runs a script that lies there has it before all others; whoever imports what lies there has not. */
  readonly beside: string | undefined;
}

/**
 * Where absolute imports start: the folder around the file's outermost package, the projects that it lies in with their
 * `src` layouts, the repository's root, and the project of the repository that bears the name. A folder inside a project's
 * namespace package is no such place, unless something there may be run.
 */
export function rootsFor(ask: Questions, from: string, top: string): ImportRoots {
  const above: string[] = [];
  const declared: string[] = [];
  for (let directory = from; ; directory = directoryOf(directory)) {
    const ofProject = isProject(ask, directory);
    if (directory === '' || ofProject) above.push(...rootsOf(ask, directory));
    if (ofProject) declared.push(...declaredRoots(ask, directory), join(directory, 'src')!);
    if (directory === '') break;
  }
  for (const name of new Set([top, top.replaceAll('_', '-')])) {
    for (const path of ask.documentsOf(`pypi:${name}` as ScopeKey)) above.push(...rootsOf(ask, directoryOf(path)));
  }
  const around = importRoot(ask, from);
  const isStandard = standardModules.has(top);
  if (above.includes(around)) return { sure: new Set([around, ...above]), beside: undefined };
  if (!declared.some(root => around.startsWith(`${root}/`))) {
    // A package `logging` beside the importer's own is seldom meant by `import logging`.
    return { sure: new Set(isStandard && around !== from ? above : [around, ...above]), beside: undefined };
  }
  const mayBeRun = !isStandard && ask.filesIn(around).some(file => file.endsWith('.py'));
  return { sure: new Set(above), beside: mayBeRun ? around : undefined };
}

function importRoot(ask: Questions, from: string): string {
  let directory = from;
  while (directory !== '' && ask.exists(`${directory}/__init__.py`)) directory = directoryOf(directory);
  return directory;
}

/** Whether the modules in a folder are known by their own names: those of a project, or of what it keeps its source in. */
export function isImportRoot(ask: Questions, directory: string): boolean {
  const above = directoryOf(directory);
  if (layouts.has(baseName(directory)) && isProject(ask, above)) return true;
  return isProject(ask, directory) || (isProject(ask, above) && declaredRoots(ask, above).includes(directory));
}

/** Where projects like to keep their source. */
const layouts: ReadonlySet<string> = new Set(['src', 'lib']);

function isProject(ask: Questions, directory: string): boolean {
  return manifests.some(name => ask.exists(within(directory, name)));
}

const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg'];

function rootsOf(ask: Questions, project: string): readonly string[] {
  return [...declaredRoots(ask, project), ...[...layouts, ''].flatMap(folder => join(project, folder) ?? [])];
}

/** Folders that setuptools and Poetry are told to look for packages in. */
function declaredRoots(ask: Questions, project: string): readonly string[] {
  const folders = manifests.flatMap(name => foldersOf(ask.configuration(within(project, name))));
  return folders.flatMap(folder => join(project, folder) ?? []);
}

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

export function within(directory: string, name: string): string {
  if (directory === '') return name;
  return name === '' ? directory : `${directory}/${name}`;
}
