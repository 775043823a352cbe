import { Fault } from '../../client/protocol/faults.ts';
import { foreign } from '../../client/registration.ts';
import { findRepository } from '../backends/git-repository.ts';
import { gitTrouble } from '../jobs/git-trouble.ts';

/**
 * The git common folder of a root, '' outside git. Throws `unsafeOwner` for a repository that is somebody else's,
 * `preconditionFailed` for one that may not be looked into: as a folder without git it would have another index. Where a `.git`
 * leads to none, it is the one that was known before.
 */
export function commonFolderOf(root: string, before = ''): string {
  const found = findRepository(root);
  if (found.found === 'unusable') return before;
  if (found.found === 'repository') return found.repository.commonDir;
  if (found.found === 'untrusted_owner') throw foreignOwner(found.path, found.uid, root);
  const trouble = gitTrouble(found, root);
  if (trouble === undefined) return '';
  throw new Fault('preconditionFailed', `root: its git can’t be looked into: ${trouble.why}`, {
    details: { reason: 'git_unreadable' },
    suggestedFixes: trouble.fixes,
  });
}

/** Where what lies at a path decides what is run or read. */
export function foreignOwner(path: string, uid: number, root: string): Fault {
  const { why, fixes } = foreign(path, uid, root);
  return new Fault('unsafeOwner', `root: ${why}`, { details: { reason: 'untrusted_owner' }, suggestedFixes: fixes });
}
