import { quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { SyncFailure } from '../../../watch/watch.ts';
import type { RepositoryRecord } from '../../model/repository.ts';

export type StaleReason = SyncFailure | 'git_operation' | 'index_failed' | 'not_watched';

/** 412: it can't be vouched for that the index is the tree's. */
export function stale({ id }: RepositoryRecord, reason: StaleReason): Fault {
  const [command, description, safe] =
    reason === 'root_missing'
      ? [`svc repo remove ${quote(id)}`, 'Forget the repository', false]
      : [`svc index --repo ${quote(id)}`, 'Bring the index up to date', true];
  return new Fault('indexStale', messages[reason], {
    details: { reason },
    retryAfterSeconds: 1,
    suggestedFixes: [{ type: 'run-command', command, safe, description }],
  });
}

const messages: Readonly<Record<StaleReason, string>> = {
  cookie_unwritable: 'The index may be behind: the watcher’s cookie folder can’t be written',
  deadline: 'The index is behind: the latest changes are not in it yet',
  root_missing: 'The index may be behind: the repository’s folder is gone',
  closed: 'The index may be behind: its tree is not watched now',
  git_operation: 'The index is behind: git is changing the tree',
  index_failed: 'The index is behind: the last run over the changes failed',
  not_watched: 'The repository is not watched yet',
};
