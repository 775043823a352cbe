import type { Git } from '../backends/git.ts';
import type { RepoPath } from '../model/paths.ts';

/** A file of a tree with what `lstat` says of it. Symbolic links are listed as themselves and never followed. */
export interface FoundFile {
  readonly path: RepoPath;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  /** As in `stat`: type and permission bits. */
  readonly mode: number;
}

/** What lies in the tree and can't be listed. `path` is for people: bytes that are no UTF-8 are shown as U+FFFD. */
export interface UnlistedPath {
  readonly path: string;
  readonly reason: 'name_not_utf8' | 'too_deep' | 'unreadable';
}

export interface Discovery {
  /** Sorted by path (UTF-16 code units). */
  readonly files: readonly FoundFile[];
  /** At most 1,000. */
  readonly unlisted: readonly UnlistedPath[];
  /** Tracked paths that ignore rules match, sorted: the watcher must be told of them. */
  readonly trackedButIgnored: readonly string[];
}

export interface DiscoverOptions {
  /** Without it tracked files that are ignored are not found. */
  readonly git?: Git;
  readonly signal?: AbortSignal;
}

/**
 * The files that belong to a tree: what `git ls-files --cached --others --exclude-standard` lists and exists. Without a
 * repository, what ignore files and the default ignores leave.
 */
export async function discover(_root: string, _options: DiscoverOptions = {}): Promise<Discovery> {
  throw new Error('not written yet');
}

/** `discover`, the files alone. */
export async function listFiles(root: string, options: DiscoverOptions = {}): Promise<readonly FoundFile[]> {
  return (await discover(root, options)).files;
}

/**
 * What now stands at the paths of a ChangeSet, by the same rules: files themselves, for a folder all files below it.
 * Whatever a manifest holds at or below one of `paths` and is not in the answer is gone.
 */
export async function lookAt(
  _root: string,
  _paths: Iterable<string>,
  _options: DiscoverOptions = {},
): Promise<readonly FoundFile[]> {
  throw new Error('not written yet');
}

/** Whether a path belongs to the tree as it stands on disk. */
export async function belongs(root: string, path: string, options: DiscoverOptions = {}): Promise<boolean> {
  return (await lookAt(root, [path], options)).some(file => file.path === path);
}
