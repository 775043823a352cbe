import type { Watching, WatchStatus } from '../../watch/watch.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { IndexEngine } from './engine.ts';

/** Keeps the index of one repository up to its tree. */
export interface FollowedRepository {
  readonly repo: RepositoryRecord;
  /**
   * Resolves when everything written to the tree before the call is published. Rejects with Fault `indexStale` whose
   * `details.reason` says why that can't be promised, at the latest after `deadlineMs`.
   */
  sync(deadlineMs: number): Promise<void>;
  /** Compares the whole tree; resolves as `sync` does. */
  recrawl(): void;
  status(): FollowStatus;
  close(): Promise<void>;
}

export interface FollowStatus {
  /** Named paths that wait to be published; 1 for a recrawl. */
  readonly pendingChanges: number;
  readonly watching: Watching;
  /** What holds publications back now. */
  readonly heldBy: 'index_lock' | 'rebase' | 'merge' | undefined;
  readonly indexing: boolean;
  readonly watch: WatchStatus;
}

export interface FollowOptions {
  readonly repo: RepositoryRecord;
  readonly engine: Pick<IndexEngine, 'index'>;
}

export function followRepository(_options: FollowOptions): FollowedRepository {
  throw new Error('not written yet');
}
