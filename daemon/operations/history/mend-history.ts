import { isBeyondRepair } from '../../store/quarantine.ts';
import { StoreError } from '../../store/store-faults.ts';
import { HistoryTrouble } from '../readers/history-trouble.ts';
import type { Histories, HistoryAt } from './histories.ts';

/** After an error with a history: has one made anew that is damaged, so that whoever met it may try again. Throws any other error. */
export async function mendHistory(histories: Pick<Histories, 'damaged'>, at: HistoryAt, error: unknown): Promise<void> {
  if (!(error instanceof HistoryTrouble)) throw error;
  const isDamage = error.trouble === 'newerSchema' || isBeyondRepair(error, at.historyFile);
  if (!isDamage) throw new StoreError(error.trouble, error.message);
  await histories.damaged(at);
}
