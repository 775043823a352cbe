import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { isUnreadableGit } from '../../jobs/known-head.ts';
import type { Person } from '../../model/history.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { type Finding, fix } from '../finding.ts';
import { type Histories, type HistoryAt, isWant } from '../history/histories.ts';
import { isUnseen, unseen } from './looking.ts';

const check = 'history';

/** Who wrote what is known of the history; undefined where there is none yet: its own check says why. */
export async function knownAuthors(
  histories: Pick<Histories, 'at' | 'authors' | 'state'>,
  record: RepositoryRecord,
  signal: AbortSignal,
): Promise<readonly Person[] | undefined> {
  const { stored, isReading } = histories.state(record.id);
  if (isReading && stored === undefined) return undefined;
  try {
    return await histories.authors(await histories.at(record), signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Whether git's history is known up to HEAD. */
export async function historyCheck(
  histories: Pick<Histories, 'at' | 'state'>,
  record: RepositoryRecord,
): Promise<Finding> {
  const { stored, failure, isReading } = histories.state(record.id);
  // The first walk may take a while, and nobody waits for it here.
  if (isReading && stored === undefined) return { check, status: 'info', message: 'is being read' };
  try {
    return told(await histories.at(record));
  } catch (error) {
    if (isUnseen(error)) return unseen(check);
    const message =
      error instanceof Fault ? error.message : (failure?.message ?? 'it could not be read; the log has the cause');
    if (error instanceof Fault && isWant(error)) return { check, status: 'info', message };
    const fixes = isUnreadableGit(error)
      ? error.extras.suggestedFixes
      : [fix('git fsck', 'See what of the repository is damaged')];
    return { check, status: 'warn', message, ...(fixes && { fixes }) };
  }
}

function told({ head, commits, uncounted, cut }: HistoryAt): Finding {
  if (head === undefined) return { check, status: 'info', message: 'nothing has been committed on this branch yet' };
  const known = `${amount(commits, 'commit is', 'commits are')} known`;
  switch (cut) {
    case 'shallow': {
      const fixes = [fix('git fetch --unshallow', 'Fetch the rest of the history', false)];
      return { check, status: 'info', message: `${known}, no older ones: the clone is shallow`, fixes };
    }
    case 'bound':
      return { check, status: 'info', message: `${known}, no older ones: history.most_commits takes no more` };
    case undefined:
      break;
  }
  const left = uncounted === 0 ? '' : `; the lines of ${uncounted} are still to be counted`;
  return { check, status: 'pass', message: `${known}${left}` };
}
