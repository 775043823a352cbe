import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** What of git's is under way in a work tree: as long as it is, the tree is neither the old nor the new one. */
export type GitHold = 'index_lock' | 'rebase';

/** Looks at the git folder: no git, no event that may come late. */
export function gitHold(gitDir: string | undefined): GitHold | undefined {
  if (gitDir === undefined) return undefined;
  const has = (name: string): boolean => {
    try {
      return lstatSync(join(gitDir, name), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  };
  if (has('index.lock')) return 'index_lock';
  return has('rebase-merge') || has('rebase-apply') ? 'rebase' : undefined;
}
