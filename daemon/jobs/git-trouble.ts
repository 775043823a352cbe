import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { closedWay } from '../../watch/file-system.ts';
import type { GitClosed } from '../backends/git-process.ts';
import type { FoundRepository } from '../backends/git-repository.ts';
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
      return foreign(found.path, found.uid);
  }
}

/**
 * What belongs to somebody else. That git's `safe.directory` names it makes no difference: git is run without anybody's
 * configuration, so that it would refuse the folder, too.
 */
export function foreign(path: string, owner: number): WayIn {
  const us = process.getuid?.() ?? 0;
  const instead = owner === 0 ? '' : `, or run svc as user ${owner}`;
  const why = `${path} belongs to user ${owner}, not to user ${us}: make it yours${instead} (safe.directory does not count here)`;
  // Root, mostly in a container, would take away from its owner what lies outside of it.
  if (us === 0) return { why, fixes: [] };
  const command = `sudo chown -R ${us} ${quote(path)}`;
  return { why, fixes: [{ type: 'run-command', command, safe: false, description: 'Make it yours' }] };
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

/** What is told where a repository of git is needed: why there is none, and else what follows from that. */
export function whyNoGit(found: FoundRepository, root: string, consequence: string): string {
  const trouble = gitTrouble(found, root);
  return trouble === undefined
    ? `The repository is not under git, so it has ${consequence}`
    : `The repository has ${consequence}, for its git is not read: ${trouble.why}`;
}
