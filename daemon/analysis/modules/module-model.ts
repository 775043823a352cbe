import { familyOf, isCode } from '../../model/families.ts';
import { type CodeModule, type ConfiguredFile, type ModuleModel, managerOf, moduleIdOf } from '../../model/module.ts';
import { isTestPath } from '../../model/mount.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { abovePackages } from '../above-packages.ts';
import { configuredFilesOf } from './configured-files.ts';
import { foldersOf } from './directories.ts';
import type { Found } from './entry-context.ts';
import { entrypointsOf } from './entrypoints.ts';
import { internalPackagesOf } from './internal-packages.ts';
import { libraryFoldersOf } from './library-folders.ts';
import type { MainFunction } from './main-functions.ts';
import { type Configurations, type Package, packagesOf } from './packages.ts';
import { type SourceTree, sourceTree, type TreeFile } from './source-tree.ts';
import { type Workspace, workspacesOf } from './workspaces.ts';

/** All that a module model is made of: no store, no disk. */
export interface ModuleInput {
  /** All files of the snapshot, in any order. */
  readonly files: readonly TreeFile[];
  readonly configuration: Configurations;
  /** The functions of the snapshot that may start a program. */
  readonly mains: readonly MainFunction[];
  /** The source that stands at a path without or with an extension, or is built to what would be there; of JavaScript and TypeScript. */
  readonly sourceAt: (path: string) => string | undefined;
}

export interface ModuleOptions {
  /** Whether folders are modules where no manifest says so; else packages alone are. */
  readonly inferModules: boolean;
  /** From 1. */
  readonly depth: number;
  /** Folder that is looked at more closely; '' for none. */
  readonly base: string;
}

/** What of a repository every model of it has in common. */
export interface RepositoryParts {
  readonly tree: SourceTree;
  readonly packages: readonly Package[];
  readonly byName: ReadonlyMap<string, string>;
  /** What says at the root what the repository consists of. */
  readonly rootWorkspace: Pick<Workspace, 'manifest' | 'ecosystem'> | undefined;
  readonly entrypoints: readonly Found[];
  readonly configuredFiles: readonly ConfiguredFile[];
  readonly libraryFolders: readonly string[];
  readonly internalPackages: ReadonlySet<string>;
}

export function repositoryParts({ files, configuration, mains, sourceAt }: ModuleInput): RepositoryParts {
  const tree = sourceTree(files);
  const workspaces = workspacesOf(tree, configuration);
  const packages = packagesOf(tree, configuration, workspaces);
  const context = { tree, packages, configuration, sourceAt };
  const entrypoints = entrypointsOf(context, mains);
  return {
    tree,
    packages,
    byName: packagesByName(packages),
    rootWorkspace: workspaces.find(one => one.directory === ''),
    entrypoints,
    configuredFiles: configuredFilesOf(context),
    libraryFolders: libraryFoldersOf(context),
    internalPackages: internalPackagesOf(context, entrypoints),
  };
}

/**
 * The modules of a repository.
 *
 * Each folder with a manifest of its own is a module, the root always is one, and a file is its innermost one's. With
 * `inferModules` the root (and where that has no code of its own and one package alone has all but tests and examples, that
 * one) is split into its folders, `depth` levels deep (see `foldersOf`). Packages inside are each shown as one: a package
 * counts as two levels, so that a `depth` of 3 splits them too, into the folders directly inside. `base` is split `depth`
 * levels deep besides, and what lies elsewhere stays as it is. Without `inferModules` a folder is none, however large the
 * package.
 */
export function moduleModel(parts: RepositoryParts, options: ModuleOptions): ModuleModel {
  const modules = modulesOf(parts, options);
  const byPath = new Map(modules.map(one => [one.path, one]));
  const moduleOf = (path: string): CodeModule => byPath.get(innermost(path, byPath))!;
  return {
    modules,
    entrypoints: parts.entrypoints.map(one => ({ ...one, moduleId: moduleOf(one.path).id })),
    configuredFiles: parts.configuredFiles,
    libraryFolders: parts.libraryFolders,
    internalPackages: parts.internalPackages,
    packages: parts.byName,
    detectionMethod: methodOf(parts.tree, modules),
    moduleOf,
  };
}

function modulesOf({ tree, packages, rootWorkspace }: RepositoryParts, options: ModuleOptions): readonly CodeModule[] {
  const packageAt = new Map<string, Package[]>([['', []]]);
  for (const one of packages) packageAt.set(one.directory, [...(packageAt.get(one.directory) ?? []), one]);
  const folders = options.inferModules ? inferredFolders(tree, packageAt, options) : [];
  const paths = [...packageAt.keys(), ...folders].sort();
  const known = new Set(paths);
  const filesOf = new Map<string, TreeFile[]>(paths.map(path => [path, []]));
  for (const file of tree.files) {
    if (isCode(file.language)) filesOf.get(innermost(directoryOf(file.path), known))!.push(file);
  }
  // What is cut off below a folder that holds no more than others leaves nothing of it.
  const kept = paths.filter(path => packageAt.has(path) || filesOf.get(path)!.length > 0);
  return kept.map(path => {
    const files = filesOf.get(path)!;
    const language = mostlyIn(files);
    const own = packageFor(packageAt.get(path) ?? [], language);
    const { manifest, ecosystem } = own ?? (path === '' ? rootWorkspace : undefined) ?? nothing;
    return {
      id: moduleIdOf(path),
      path,
      name: own?.name ?? (path === '' ? moduleIdOf('') : baseName(path)),
      ecosystem,
      manifest,
      detectedBy: manifest === undefined ? 'inferred' : 'manifest',
      packageId: moduleIdOf(innermost(path, packageAt)),
      workspace: own?.workspace,
      isTest: isOfTests(path, files),
      language,
    } satisfies CodeModule;
  });
}

const nothing = { manifest: undefined, ecosystem: undefined };

function innermost(directory: string, known: { has(path: string): boolean }): string {
  let at = directory;
  while (!known.has(at)) at = directoryOf(at);
  return at;
}

/** How many levels a package inside the one that is looked at counts as. */
const levelsOfPackage = 2;

function inferredFolders(
  tree: SourceTree,
  packageAt: ReadonlyMap<string, readonly Package[]>,
  { depth, base }: ModuleOptions,
): readonly string[] {
  const isPackage = (directory: string): boolean => packageAt.has(directory);
  const top = topOf(tree, [...packageAt.keys()]);
  const folders = [...new Set(['', top, ...packageAt.keys()])].flatMap(directory => {
    const isWhole = directory === '' || directory === top;
    return foldersOf(tree, directory, isWhole ? depth : depth - levelsOfPackage, isPackage);
  });
  if (base === '') return folders;
  // A folder that is looked at stands for itself, or what it holds would be its package's.
  return [...new Set([...folders, ...(isPackage(base) ? [] : [base]), ...foldersOf(tree, base, depth, isPackage)])];
}

/** The root; where that has no code of its own, the one package that has all but tests and examples. */
function topOf(tree: SourceTree, packages: readonly string[]): string {
  const known = new Set(packages);
  const withCode = new Set<string>();
  for (const file of tree.files) {
    if (!isCode(file.language) || file.isTest || beside.test(abovePackages(file.path))) continue;
    withCode.add(innermost(directoryOf(file.path), known));
    if (withCode.size > 1) return '';
  }
  return [...withCode][0] ?? '';
}

const beside = /(?:^|\/)(?:examples?|samples?|docs?|documentation|website|benchmarks?|bench|scripts|tools|\.[^/]+)\//i;

/** Of the manifests in a folder, that of the language which most of the code is in. */
function packageFor(packages: readonly Package[], language: string): Package | undefined {
  return packages.find(one => languagesOf[one.ecosystem]?.includes(familyOf(language))) ?? packages[0];
}

const languagesOf: Readonly<Record<string, readonly string[]>> = {
  npm: ['ecmascript'],
  go: ['go'],
  cargo: ['rust'],
  pypi: ['python'],
  maven: ['jvm'],
  gradle: ['jvm'],
  pub: ['dart'],
  gem: ['ruby'],
  nuget: ['csharp'],
  composer: ['php'],
  cmake: ['c'],
};

/** The language of most files, what is no test counting first; of equally many, the first by name. */
function mostlyIn(files: readonly TreeFile[]): string {
  const counts = new Map<string, number>();
  for (const { language, isTest } of files) counts.set(language, (counts.get(language) ?? 0) + (isTest ? 1 : 1_000));
  let [most, best] = [0, ''];
  for (const [language, count] of counts)
    if (count > most || (count === most && language < best)) [most, best] = [count, language];
  return best;
}

function isOfTests(path: string, files: readonly TreeFile[]): boolean {
  if (path === '') return false;
  if (isTestPath(`${path}/`) || /[._-][Tt]ests$|(?:^|[a-z.])Tests$|\.Test$/.test(baseName(path))) return true;
  return files.length > 0 && files.every(file => file.isTest);
}

function packagesByName(packages: readonly Package[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  // Of several of one name the one nearest to the root: copies lie among examples and fixtures.
  const nearest = [...packages].sort((a, b) => a.directory.split('/').length - b.directory.split('/').length);
  for (const { name, ecosystem, directory } of nearest) {
    const key = name === undefined ? undefined : `${managerOf(ecosystem)} ${name}`;
    if (key !== undefined && !named.has(key)) named.set(key, moduleIdOf(directory));
  }
  return named;
}

/** A root that nothing is known of and that has no code counts for nothing. */
function methodOf(tree: SourceTree, modules: readonly CodeModule[]): ModuleModel['detectionMethod'] {
  const isKnown = tree.filesIn('').some(file => isCode(file.language)) || modules.length === 1;
  const counted = modules.filter(one => one.path !== '' || one.detectedBy === 'manifest' || isKnown);
  const methods = new Set(counted.map(one => one.detectedBy));
  return methods.size === 2 ? 'mixed' : ([...methods][0] ?? 'inferred');
}
