import type { GraphDocument } from '../../model/graph.ts';
import type { ModuleModel } from '../../model/module.ts';
import { directoryOf } from '../../model/paths.ts';

/** Who may use what a file exports besides the code of the repository. */
export type Audience =
  /** Nobody. */
  | 'nobody'
  /** Whoever has the package: what the file exports is what the package offers. */
  | 'everybody'
  /** Whoever takes a way that is no promise: deep imports of a package, packages of a program that may be imported as well. */
  | 'somebody'
  /** Nothing tells where the package begins. */
  | 'unknown';

/** What is asked of the module model. */
export type PackageModel = Pick<
  ModuleModel,
  'entrypoints' | 'configuredFiles' | 'libraryFolders' | 'internalPackages' | 'moduleOf'
>;

/** What is known of a package. */
export interface PackageTraits {
  readonly hasManifest: boolean;
  /** Its manifest says how it is built and installed, not only what it needs. */
  readonly isInstalled: boolean;
  /** It has an entrypoint that is a program. */
  readonly isProgram: boolean;
  /** It has an entrypoint that is a library. */
  readonly isLibrary: boolean;
  readonly hasPublicHeaders: boolean;
  /** Folders with files that programs start in. */
  readonly programFolders: ReadonlySet<string>;
}

/** `isOpenInCrate`: a file of Rust that a library shows to its users. */
export function audienceOf(graph: GraphDocument, of: PackageTraits, isOpenInCrate: boolean): Audience {
  switch (graph.language) {
    case 'typescript':
    case 'javascript':
      return of.programFolders.size > 0 || of.isLibrary ? 'nobody' : 'unknown';
    case 'go':
      return audienceOfGo(graph.path, of);
    case 'rust':
      return isOpenInCrate ? 'everybody' : of.isProgram || of.isLibrary ? 'nobody' : 'unknown';
    case 'python':
      return audienceOfPython(graph.path, of);
    case 'dart':
      return of.isProgram || of.isLibrary ? 'nobody' : 'unknown';
    case 'c':
    case 'cpp':
      return audienceOfC(graph.path, of);
    default:
      return audienceOfClass(graph.path, of);
  }
}

/** A package below `internal` is its parent's own, a program's cannot be imported; a module whose root is a package is a library. */
function audienceOfGo(path: string, { programFolders, isLibrary, isProgram }: PackageTraits): Audience {
  if (/(?:^|\/)internal\//.test(path) || programFolders.has(directoryOf(path))) return 'nobody';
  return isLibrary || !isProgram ? 'everybody' : 'somebody';
}

/**
 * Every module of what is installed can be imported; by convention not those with an underscore. What isn't is for the scripts
 * that lie beside it or above, which find their modules from where they lie.
 */
function audienceOfPython(
  path: string,
  { isLibrary, isProgram, isInstalled, programFolders }: PackageTraits,
): Audience {
  if (/(?:^|\/)_(?!_)/.test(path)) return 'nobody';
  if (isLibrary) return 'somebody';
  if (isProgram) return 'nobody';
  if (isInstalled) return 'somebody';
  for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
    if (programFolders.has(folder)) return 'nobody';
    if (folder === '') return 'unknown';
  }
}

const header = /\.(?:h|hh|hpp|hxx|ipp|inc)$/;

export function isHeader(path: string): boolean {
  return header.test(path);
}

export function isPublicHeader(path: string): boolean {
  return isHeader(path) && /(?:^|\/)include\//.test(path);
}

/** Headers in `include` are for others; where there is none, all of them may be. */
function audienceOfC(path: string, { hasPublicHeaders, isLibrary, isProgram }: PackageTraits): Audience {
  if (isPublicHeader(path)) return 'everybody';
  if (hasPublicHeaders || !header.test(path)) return 'nobody';
  return isProgram && !isLibrary ? 'nobody' : 'somebody';
}

/** Public types of a library are its surface, but for what lies in a package that says it is internal. */
function audienceOfClass(path: string, { isProgram, isLibrary, hasManifest }: PackageTraits): Audience {
  if (isProgram && !isLibrary) return 'nobody';
  if (/(?:^|\/)internals?\//i.test(path)) return 'somebody';
  return hasManifest ? 'everybody' : 'unknown';
}
