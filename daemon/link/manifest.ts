import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import type { Barrels } from './barrels.ts';
import type { LastingResults } from './cells.ts';
import type { Value } from './values.ts';

/** The files of one snapshot as the linker sees them: no disk, no environment, no git. */
export interface Manifest {
  has(path: string): boolean;
  /** Files directly in a directory (`''` is the root), sorted. */
  filesIn(directory: string): readonly RepoPath[];
  /** Files of that name, whatever their directories, sorted. */
  filesNamed(name: string): readonly RepoPath[];
  /** Documents whose definitions live in a scope, or in a package that has several (`packageScope`), sorted by path. */
  documentsOf(scope: ScopeKey): readonly RepoPath[];
  /** A parsed document; undefined where the path is absent or was not parsed. */
  document(path: string): MountedDocument | undefined;
  /** Whether a document exports something under that name (`*`: others as a whole), told without opening it. */
  exports(path: string, name: string): boolean;
  /** All of them. */
  exportedNames(path: string): readonly string[];
  /** Tells the content of a path from every other that it may have had; '' where there is none. */
  contentOf(path: string): string;
  /** Kept for linkers of this manifest, and of others with the same files and the same configuration. */
  readonly barrels: Barrels;
  /** The same of where modules lie. */
  readonly places: LastingResults<Value>;
}
