import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../client/protocol/faults.ts';
import { findRepository } from '../../backends/git-repository.ts';

/** What of git's is under way in a work tree: as long as it is, the tree is neither the old nor the new one. */
export type GitHold = 'index_lock' | 'rebase';

/** git's own work is waited for this long at most; a lock or rebase that lasts longer is somebody's who has gone. */
export const longestHoldMs = 30_000;

const holds = ['index.lock', 'rebase-merge', 'rebase-apply'];

/** Looks at the git folder: no git, no event that may come late. */
export function gitHold(gitDir: string | undefined): GitHold | undefined {
  if (gitDir === undefined) return undefined;
  const held = holds.find(name => lookAt(gitDir, name) !== undefined);
  return held === undefined ? undefined : held === 'index.lock' ? 'index_lock' : 'rebase';
}

/** The names in a git folder by which it shows that git began or ended something. */
export function gitStateFiles(gitDir: string): readonly string[] {
  return ['HEAD', 'index', ...holds].map(name => join(gitDir, name));
}

/** The git folder of the work tree that a root lies in. */
export function gitDirOf(root: string): string | undefined {
  const found = findRepository(root);
  return found.found === 'repository' ? found.repository.gitDir : undefined;
}

/**
 * Remembers where git stands, for a check before what was read meanwhile is published: it throws where git is at work,
 * or has been. Whatever moves files about writes its index anew, so that a command that came and went shows there.
 */
export function watchForGit(root: string): () => void {
  const gitDir = gitDirOf(root);
  const before = indexPrint(gitDir);
  return () => {
    if (gitHold(gitDir) !== undefined || indexPrint(gitDir) !== before) throw overtaken();
  };
}

/** git changed the tree while it was read: the run must be done again. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'cancelled' && error.extras.details?.['reason'] === 'git_operation';
}

function overtaken(): Fault {
  return new Fault('cancelled', 'git is changing the tree', { details: { reason: 'git_operation' } });
}

/** Changes whenever git has written its index: a command moved files about, or noted what it saw. */
export function indexPrint(gitDir: string | undefined): string {
  const stat = gitDir === undefined ? undefined : lookAt(gitDir, 'index');
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}

function lookAt(gitDir: string, name: string) {
  try {
    return lstatSync(join(gitDir, name), { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
