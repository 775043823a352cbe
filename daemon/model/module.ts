/** The tool that a manifest is written for. What its packages are called, `managerOf` tells. */
export type Ecosystem =
  | 'npm'
  | 'go'
  | 'cargo'
  | 'pypi'
  | 'maven'
  | 'gradle'
  | 'pub'
  | 'gem'
  | 'nuget'
  | 'composer'
  | 'cmake';

/** A part of the repository that is looked at as one: a package, or a directory of one. */
export interface CodeModule {
  /** Its path; `@root` for the repository's root. */
  readonly id: string;
  /** '' for the root. */
  readonly path: string;
  /** As its manifest calls it, else the last part of its path. */
  readonly name: string;
  readonly ecosystem: Ecosystem | undefined;
  /** Undefined where a directory is a module without one. */
  readonly manifest: string | undefined;
  readonly detectedBy: 'manifest' | 'inferred';
  /** The package that it is, or lies in: an edge between modules of two packages is one of the workspace. */
  readonly packageId: string;
  /** The manifest or solution that lists it as one of its own. */
  readonly workspace: string | undefined;
  /** Its code is tests, all of it. */
  readonly isTest: boolean;
  /** That most of its files are in, what is no test first; '' without code. */
  readonly language: string;
}

/** Where a program starts, or what a package offers to others. */
export interface Entrypoint {
  readonly path: string;
  /** Of the command, package or class, as far as something names it; else the file's, without its extension. */
  readonly name: string;
  readonly kind: 'main' | 'cli' | 'server' | 'library' | 'script';
  readonly moduleId: string;
  /** What says so: `package.json bin.svc`, `func main`, `Next.js convention`. */
  readonly because: string;
}

/** A file that a tool loads and no other file does. */
export interface ConfiguredFile {
  readonly path: string;
  /** What names it: `vitest.config.ts convention`, `package.json jest`. */
  readonly by: string;
}

export interface ModuleModel {
  /** Sorted by id, the root first, whether it has code or not. No file belongs to two. */
  readonly modules: readonly CodeModule[];
  /** Sorted by path, each path, kind and name once. */
  readonly entrypoints: readonly Entrypoint[];
  /** Sorted by path, each path once. */
  readonly configuredFiles: readonly ConfiguredFile[];
  /** Folders that libraries of C and C++ are built in. Sorted. */
  readonly libraryFolders: readonly string[];
  /** Packages that nobody gets but programs of the repository, each with the family of its languages: `<package's id> <family>`. */
  readonly internalPackages: ReadonlySet<string>;
  /** `<manager> <package>` → id of the module that is it: `npm @scope/name`, `cargo serde`. Managers as in links. */
  readonly packages: ReadonlyMap<string, string>;
  readonly detectionMethod: 'manifest' | 'inferred' | 'mixed';
  /** The module of a file, or of a directory, whether it is there or not. */
  moduleOf(path: string): CodeModule;
}

/** What functions are called that some runtime or system starts a program or loads a library with. */
export const startNames: readonly string[] = ['main', 'Main', 'WinMain', 'wWinMain', 'DllMain'];

export const rootModuleId = '@root';

export function moduleIdOf(path: string): string {
  return path === '' ? rootModuleId : path;
}

/** Under which manager links name packages of an ecosystem. */
export function managerOf(ecosystem: Ecosystem): string {
  return ecosystem === 'gradle' ? 'maven' : ecosystem;
}
