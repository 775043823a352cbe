import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { isShortage } from '../model/shortage.ts';

/** Where the parts of a git repository lie. All paths absolute and real. */
export interface GitRepository {
  /** Root of the work tree; undefined for a bare repository. */
  readonly workTree: string | undefined;
  /** This work tree's own git folder (`.git`, `.git/worktrees/x`, `.git/modules/x`). */
  readonly gitDir: string;
  /** The folder with objects and refs, shared by all worktrees. */
  readonly commonDir: string;
  /** `main`: the first work tree; `worktree`: one that `git worktree add` made; `submodule`; `bare`. */
  readonly kind: 'main' | 'worktree' | 'submodule' | 'bare';
}

export type FoundRepository =
  | { readonly found: 'repository'; readonly repository: GitRepository }
  | { readonly found: 'none' }
  /** A folder of it belongs to another user; git would refuse it too. */
  | { readonly found: 'untrusted_owner'; readonly path: string; readonly uid: number };

/**
 * The repository that a folder lies in. Reads files only and runs nothing: `core.worktree` and the like are not asked.
 * Throws where descriptors ran out, and nothing else.
 * `uid` is the user who must own it; default the process's.
 */
export function findRepository(folder: string, uid = process.getuid?.()): FoundRepository {
  const start = quiet(() => realpathSync(folder));
  if (start === undefined) return { found: 'none' };
  for (let directory = start; ; directory = dirname(directory)) {
    const repository = repositoryAt(directory);
    if (repository !== undefined) return ownedBy(repository, uid);
    if (directory === dirname(directory)) return { found: 'none' };
  }
}

/** A folder's path from the work tree that it lies in, both real: '' or ending in `/`. */
export function prefixIn(workTree: string, folder: string): string {
  return folder === workTree ? '' : `${folder.slice(workTree.length + 1)}/`;
}

function repositoryAt(directory: string): GitRepository | undefined {
  const dotGit = join(directory, '.git');
  const stat = quiet(() => lstatSync(dotGit, { throwIfNoEntry: false }));
  if (stat?.isFile()) {
    const target = /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(readSmallFile(dotGit) ?? '')?.[1];
    const gitDir = target === undefined ? undefined : gitFolder(isAbsolute(target) ? target : join(directory, target));
    return gitDir === undefined ? undefined : repositoryOf(directory, gitDir, 'gitfile');
  }
  const gitDir = stat === undefined ? undefined : gitFolder(dotGit);
  if (gitDir !== undefined) return repositoryOf(directory, gitDir, 'folder');
  const bare = basename(directory) === '.git' || stat !== undefined ? undefined : gitFolder(directory);
  return bare === undefined ? undefined : { workTree: undefined, gitDir: bare, commonDir: bare, kind: 'bare' };
}

function repositoryOf(workTree: string, gitDir: string, by: 'folder' | 'gitfile'): GitRepository {
  const commonDir = commonFolder(gitDir);
  if (commonDir !== gitDir) return { workTree, gitDir, commonDir, kind: 'worktree' };
  const submodule = by === 'gitfile' && gitDir.includes(`${sep}modules${sep}`);
  return { workTree, gitDir, commonDir, kind: submodule ? 'submodule' : 'main' };
}

function ownedBy(repository: GitRepository, uid: number | undefined): FoundRepository {
  if (uid === undefined) return { found: 'repository', repository };
  for (const path of [repository.workTree, repository.gitDir, repository.commonDir]) {
    const owner = path === undefined ? undefined : quiet(() => statSync(path).uid);
    if (path !== undefined && owner !== undefined && owner !== uid)
      return { found: 'untrusted_owner', path, uid: owner };
  }
  return { found: 'repository', repository };
}

/** The real path of a git folder, undefined where it is none. */
function gitFolder(path: string): string | undefined {
  return quiet(() => {
    const real = realpathSync(path);
    const common = commonFolder(real);
    const complete =
      lstatSync(join(real, 'HEAD'), { throwIfNoEntry: false }) !== undefined &&
      statSync(join(common, 'objects')).isDirectory() &&
      statSync(join(common, 'refs')).isDirectory();
    return complete ? real : undefined;
  });
}

function commonFolder(gitDir: string): string {
  const named = readSmallFile(join(gitDir, 'commondir'))?.replace(/[\r\n]+$/, '');
  if (named === undefined || named === '') return gitDir;
  return quiet(() => realpathSync(isAbsolute(named) ? named : join(gitDir, named))) ?? gitDir;
}

/** The text of a regular file of at most 8 KiB, or as much as is said; undefined for anything else. Never waits, never follows a link; throws where descriptors ran out. */
export function readSmallFile(path: string, mostBytes = 8192): string | undefined {
  return quiet(() => {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || stat.size > mostBytes) return undefined;
      const bytes = Buffer.alloc(stat.size);
      return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}

function quiet<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
