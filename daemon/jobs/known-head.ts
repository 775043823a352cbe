import { join } from 'node:path';
import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { closedWay } from '../../watch/file-system.ts';
import { type GitHead, headFile } from '../backends/git-refs.ts';
import type { GitRepository } from '../backends/git-repository.ts';
import { gitUnreadable } from './git-trouble.ts';
import { wayInto } from './way-in.ts';

const reason = 'head_unreadable';

/** HEAD as it is, for those to whom no commit means that nothing has been committed yet. Throws where that is not known. */
export async function knownHead(head: Promise<GitHead>, repository: GitRepository): Promise<GitHead> {
  const { trouble, ...known } = await head;
  if (trouble === undefined) return known;
  const { gitDir, commonDir, workTree = gitDir } = repository;
  const ref = known.branch === undefined ? [] : [join(commonDir, 'refs/heads', known.branch)];
  const files = [headFile(repository), ...ref, join(commonDir, 'packed-refs')];
  for (const closed of files.flatMap(file => closedWay(file) ?? [])) {
    const { why, fixes } = wayInto(closed, workTree);
    throw new Fault('preconditionFailed', `HEAD can’t be read: ${why}`, { details: { reason }, suggestedFixes: fixes });
  }
  const command = `tail -n 1 ${quote(join(gitDir, 'logs', 'HEAD'))}`;
  const description = 'Show where HEAD was last, in the second column: put it back into the file that is named';
  throw new Fault('preconditionFailed', `HEAD can’t be read: ${trouble}`, {
    details: { reason },
    suggestedFixes: [{ type: 'run-command', command, description, safe: true }],
  });
}

/** Whether it is told that HEAD can't be read, or something else of git's: there is git, and something is wrong with it. */
export function isUnreadableGit(error: unknown): error is Fault {
  const told = error instanceof Fault ? error.extras.details?.['reason'] : undefined;
  return told === reason || told === gitUnreadable;
}
