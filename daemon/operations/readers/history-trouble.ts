import { StoreError, type StoreTrouble } from '../../store/store-faults.ts';

/** A history file fails whoever reads it. */
export class HistoryTrouble extends Error {
  readonly trouble: StoreTrouble;

  constructor(trouble: StoreTrouble, message: string) {
    super(message);
    this.name = 'HistoryTrouble';
    this.trouble = trouble;
  }
}

/** Runs `work` over a history file, so that its troubles are not taken for those of an index. */
export function ofHistory<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreError ? new HistoryTrouble(error.trouble, error.message) : error;
  }
}
