import { join } from 'node:path';
import { quote } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { GitHead } from '../backends/git-refs.ts';
import type { GitRepository } from '../backends/git-repository.ts';

const reason = 'head_unreadable';

/** HEAD as it is, for those to whom no commit means that nothing has been committed yet. Throws where that is not known. */
export async function knownHead(head: Promise<GitHead>, { gitDir }: GitRepository): Promise<GitHead> {
  const { trouble, ...known } = await head;
  if (trouble === undefined) return known;
  const command = `tail -n 1 ${quote(join(gitDir, 'logs', 'HEAD'))}`;
  const description = 'Show where HEAD was last, in the second column: put it back into the file that is named';
  throw new Fault('preconditionFailed', `HEAD can’t be read: ${trouble}`, {
    details: { reason },
    suggestedFixes: [{ type: 'run-command', command, description, safe: true }],
  });
}

export function isUnreadableHead(error: unknown): error is Fault {
  return error instanceof Fault && error.extras.details?.['reason'] === reason;
}
