import type { Fault } from '../../../client/protocol/faults.ts';
import type { Blamed, HistorySubject, StoredHistory } from '../../jobs/history/history-calls.ts';
import { isUnreadableGit } from '../../jobs/known-head.ts';
import type { BlamedContent, Person } from '../../model/history.ts';
import type { RepositoryRecord } from '../../model/repository.ts';

/** A work tree's history as it is stored, up to its HEAD; plain values. */
export interface HistoryAt extends HistorySubject, StoredHistory {
  /** The repository's root from the top of its work tree: '' or ending in `/`. */
  readonly prefix: string;
  /** The top of the work tree: absolute, real. */
  readonly top: string;
}

export interface HistoryState {
  readonly stored: StoredHistory | undefined;
  /** Why it could not be read; undefined after it could. */
  readonly failure: HistoryFailure | undefined;
  readonly isReading: boolean;
}

export interface HistoryFailure {
  /** In public words. */
  readonly message: string;
  /** There is none to be read: no repository, no git. */
  readonly isWant: boolean;
}

/** Whether there is none to be read, and nothing is wrong. */
export function isWant(error: Fault): boolean {
  return error.reason === 'preconditionFailed' && !isUnreadableGit(error);
}

/** The histories of the registered repositories; `server/` keeps them. */
export interface Histories {
  /**
   * Where the history of a repository is, brought up to HEAD before. Rejects with Fault: `preconditionFailed` outside git
   * and where HEAD can't be read, `backendUnavailable` where git can't tell, `storageFailed`.
   */
  at(record: RepositoryRecord): Promise<HistoryAt>;
  state(id: string): HistoryState;
  /** Stores what further commits came from, full hashes. Rejects as `at` does. */
  include(at: HistoryAt, commits: readonly string[], signal: AbortSignal): Promise<void>;
  /** Has git say who wrote the lines of some files. Rejects as `at` does, and where the signal fires. */
  blame(
    at: HistoryAt,
    contents: readonly BlamedContent[],
    ignored: readonly string[],
    asked: {
      /** The commit that has them, full hash; HEAD where none is given. */
      readonly commit?: string | undefined;
      readonly signal: AbortSignal;
      /** Whether somebody waits for it. */
      readonly isAwaited: boolean;
      /** Whether git is asked of what is known as well. */
      readonly anew?: boolean;
      readonly onProgress?: (done: number, total: number) => void;
    },
  ): Promise<Blamed>;
  /**
   * Compares digests of the entries of a part of the model with those of the last refresh, whose place they take where
   * they are to be kept; tells how many came, went or changed.
   */
  refreshed(
    record: RepositoryRecord,
    part: { readonly scope: string; readonly entries: ReadonlyMap<string, string>; readonly keeps: boolean },
    signal: AbortSignal,
  ): Promise<number>;
  /** All authors that are known of, before `.mailmap`. Rejects as `at` does. */
  authors(at: HistoryAt, signal: AbortSignal): Promise<readonly Person[]>;
  /** To be told of a history file that proved damaged: it is made anew, unless that has been done. */
  damaged(at: HistoryAt): Promise<void>;
}
