import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isClosed } from '../model/closed.ts';
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
  | { readonly found: 'untrusted_owner'; readonly path: string; readonly uid: number }
  /** There may be one: what lies at the path may not be looked at. No other one above it is meant. */
  | { readonly found: 'unreadable'; readonly path: string }
  | UnusableGit;

/** A `.git` is there, and no repository behind it. No other one above it is meant, but where an empty folder stands. */
export interface UnusableGit {
  readonly found: 'unusable';
  /** The `.git`, and what stands there. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Where a file or a link says that the repository is, there or not; undefined where it says nothing. */
  readonly target: string | undefined;
  /** The first part that is not there, of a git folder that is; undefined where none is. */
  readonly missing: string | undefined;
}

/**
 * The repository that a folder lies in. Reads files only and runs nothing: `core.worktree` and the like are not asked.
 * Throws where descriptors ran out, and nothing else.
 * `uid` is the user who must own it; default the process's.
 */
export function findRepository(folder: string, uid = process.getuid?.()): FoundRepository {
  try {
    const start = allowed(() => realpathSync(folder));
    if (start === undefined) return { found: 'none' };
    let otherwise: FoundRepository = { found: 'none' };
    for (let directory = start; ; directory = dirname(directory)) {
      const repository = repositoryAt(directory);
      if (repository !== undefined) return ownedBy(repository, uid);
      const unusable = unusableAt(join(directory, '.git'));
      if (unusable !== undefined && !isEmpty(unusable)) return unusable;
      if (unusable !== undefined && directory === start) otherwise = unusable;
      if (directory === dirname(directory)) return otherwise;
    }
  } catch (error) {
    if (!isClosed(error)) throw error;
    return { found: 'unreadable', path: (error as NodeJS.ErrnoException).path ?? folder };
  }
}

/** A folder's path from the work tree that it lies in, both real: '' or ending in `/`. */
export function prefixIn(workTree: string, folder: string): string {
  return folder === workTree ? '' : `${folder.slice(workTree.length + 1)}/`;
}

function repositoryAt(directory: string): GitRepository | undefined {
  const dotGit = join(directory, '.git');
  const stat = allowed(() => lstatSync(dotGit, { throwIfNoEntry: false }));
  if (stat?.isFile()) {
    const target = targetOf(dotGit);
    const folders = target === undefined ? undefined : gitFolders(target);
    return folders === undefined ? undefined : repositoryOf(directory, folders, 'gitfile');
  }
  const folders = stat === undefined ? undefined : gitFolders(dotGit);
  if (folders !== undefined) return repositoryOf(directory, folders, 'folder');
  const bare = basename(directory) === '.git' || stat !== undefined ? undefined : gitFolders(directory)?.gitDir;
  return bare === undefined ? undefined : { workTree: undefined, gitDir: bare, commonDir: bare, kind: 'bare' };
}

/** Where a `.git` that is a file says that the repository is. */
function targetOf(dotGit: string): string | undefined {
  const target = /^gitdir: ([^\n\r]+)[\r\n]*$/.exec(allowed(() => smallFile(dotGit)) ?? '')?.[1];
  return target === undefined || isAbsolute(target) ? target : join(dirname(dotGit), target);
}

/** What stands at a `.git` of which it is known that it is none, or leads to none. */
function unusableAt(path: string): UnusableGit | undefined {
  const stat = allowed(() => lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other';
  const linked = (): string => resolve(dirname(path), readlinkSync(path));
  const target = kind === 'file' ? targetOf(path) : kind === 'link' ? allowed(linked) : undefined;
  const gitDir = allowed(() => realpathSync(kind === 'file' && target !== undefined ? target : path));
  const isFolder = gitDir !== undefined && allowed(() => statSync(gitDir).isDirectory()) === true;
  return { found: 'unusable', path, kind, target, missing: isFolder ? missingPart(gitDir) : undefined };
}

function missingPart(gitDir: string): string | undefined {
  const commonDir = commonFolder(gitDir);
  const isFolder = (part: string) => allowed(() => statSync(join(commonDir, part)).isDirectory()) === true;
  if (allowed(() => lstatSync(join(gitDir, 'HEAD'))) === undefined) return join(gitDir, 'HEAD');
  const part = ['objects', 'refs'].find(name => !isFolder(name));
  return part === undefined ? undefined : join(commonDir, part);
}

/** git passes over such a folder, and so may whoever made it for no git at all. */
function isEmpty({ kind, path }: UnusableGit): boolean {
  return kind === 'folder' && allowed(() => readdirSync(path).length) === 0;
}

type GitFolders = Pick<GitRepository, 'gitDir' | 'commonDir'>;

function repositoryOf(workTree: string, { gitDir, commonDir }: GitFolders, by: 'folder' | 'gitfile'): GitRepository {
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

/** Real paths of a git folder and of the one that it shares, undefined where it is none. */
function gitFolders(path: string): GitFolders | undefined {
  return allowed(() => {
    const gitDir = realpathSync(path);
    if (lstatSync(join(gitDir, 'HEAD'), { throwIfNoEntry: false }) === undefined) return undefined;
    const commonDir = commonFolder(gitDir);
    const parts = ['objects', 'refs'].map(part => statSync(join(commonDir, part), { throwIfNoEntry: false }));
    return parts.every(part => part?.isDirectory()) ? { gitDir, commonDir } : undefined;
  });
}

function commonFolder(gitDir: string): string {
  const named = allowed(() => smallFile(join(gitDir, 'commondir')))?.replace(/[\r\n]+$/, '');
  if (named === undefined || named === '') return gitDir;
  return allowed(() => realpathSync(isAbsolute(named) ? named : join(gitDir, named))) ?? gitDir;
}

/** The text of a regular file of at most 8 KiB, or as much as is said; undefined for anything else. Never waits, never follows a link; throws where descriptors ran out. */
export function readSmallFile(path: string, mostBytes = 8192): string | undefined {
  return quiet(() => smallFile(path, mostBytes));
}

function smallFile(path: string, mostBytes = 8192): string | undefined {
  // Most of what is looked for is not there, and to open it would make an error first.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** What can't be seen for another reason than somebody's rights, or a shortage, is not there. */
function allowed<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error) || isClosed(error)) throw error;
    return undefined;
  }
}

function quiet<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
