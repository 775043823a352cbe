import { quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { SyncFailure } from '../../../watch/watch.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { rootGone } from '../standing-root.ts';

export type StaleReason = SyncFailure | 'git_operation' | 'index_failed' | 'not_watched';

/** 412: it can't be vouched for that the index is the tree's. */
export function stale(record: RepositoryRecord, reason: StaleReason): Fault {
  if (reason === 'root_missing') {
    const { message, extras } = rootGone(record);
    return new Fault('indexStale', `The index may be behind: ${message}`, { ...extras, retryAfterSeconds: 1 });
  }
  const command = `svc index --repo ${quote(record.id)}`;
  return new Fault('indexStale', messages[reason], {
    details: { reason },
    retryAfterSeconds: 1,
    suggestedFixes: [{ type: 'run-command', command, safe: true, description: 'Bring the index up to date' }],
  });
}

const messages: Readonly<Record<Exclude<StaleReason, 'root_missing'>, string>> = {
  cookie_unwritable: 'The index may be behind: the watcher’s cookie folder can’t be written',
  deadline: 'The index is behind: the latest changes are not in it yet',
  closed: 'The index may be behind: its tree is not watched now',
  git_operation: 'The index is behind: git is changing the tree',
  index_failed: 'The index is behind: the last run over the changes failed',
  not_watched: 'The repository is not watched yet',
};
