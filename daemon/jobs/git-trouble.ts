import { Fault } from '../../client/protocol/faults.ts';
import { foreign } from '../../client/registration.ts';
import { closedWay } from '../../watch/file-system.ts';
import type { GitClosed } from '../backends/git-process.ts';
import type { FoundRepository } from '../backends/git-repository.ts';
import { wayToGit } from './unusable-git.ts';
import { type WayIn, wayInto } from './way-in.ts';

/** Why a repository of git counts for nothing, though there is one around a root; undefined where that is not so. */
export function gitTrouble(found: FoundRepository, root: string): WayIn | undefined {
  switch (found.found) {
    case 'repository':
    case 'none':
      return undefined;
    case 'unreadable':
      return wayInto(closedWay(found.path) ?? found.path, root);
    case 'untrusted_owner':
      return foreign(found.path, found.uid, root);
    case 'unusable':
      return wayToGit(found);
  }
}

export const gitUnreadable = 'git_unreadable';

/** 412: what git keeps may not be read, and so nothing can be said of what it has. */
export function closedGit({ path, root }: GitClosed): Fault {
  const { why, fixes } = wayInto(closedWay(path) ?? path, root);
  return new Fault('preconditionFailed', `git can’t be read: ${why}`, {
    details: { reason: gitUnreadable },
    suggestedFixes: fixes,
  });
}

/** 412 where a repository of git is needed: why there is none, and else what follows from that. */
export function withoutGit(found: FoundRepository, root: string, consequence: string): Fault {
  const trouble = gitTrouble(found, root);
  if (trouble === undefined) {
    return new Fault('preconditionFailed', `The repository is not under git, so it has ${consequence}`, {
      details: { reason: 'no_repository' },
    });
  }
  return new Fault('preconditionFailed', `The repository has ${consequence}, for its git is not read: ${trouble.why}`, {
    details: { reason: gitUnreadable },
    suggestedFixes: trouble.fixes,
  });
}
