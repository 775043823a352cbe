import type { ChangeSet } from './change-set.ts';

/** How a tree is watched. `off`: not at all, its root is gone. */
export type Watching = 'native' | 'chokidar' | 'polling' | 'off';

export type WatchBackend = 'auto' | 'native' | 'chokidar' | 'polling';

export interface WatchStatus {
  /** `polling` as soon as any subtree is polled. */
  readonly watching: Watching;
  /** Kernel watches in use for this tree. */
  readonly watches: number;
  /** Folders that are polled because there are no kernel watches for them; at most 100 are named. */
  readonly polled: readonly string[];
  readonly polledReason: 'watch_limit' | 'network_file_system' | 'configured' | undefined;
  readonly crawling: boolean;
}

/** One watched directory tree. */
export interface Watch {
  readonly root: string;
  /**
   * Resolves when every change made before the call has been handed to `onChange`. Rejects with `SyncFailed`, at the
   * latest after `deadlineMs`.
   */
  sync(deadlineMs: number): Promise<void>;
  /** Forgets what it knows and reports `recrawl` with reason `requested`. */
  recrawl(): void;
  status(): WatchStatus;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly onChange: (changes: ChangeSet) => void;
  readonly backend?: WatchBackend;
}

/** Why a watcher can't vouch for having seen everything. */
export class SyncFailed extends Error {
  readonly reason: SyncFailure;

  constructor(reason: SyncFailure) {
    super(`the watcher is behind: ${reason}`);
    this.name = 'SyncFailed';
    this.reason = reason;
  }
}

export type SyncFailure = 'cookie_unwritable' | 'deadline' | 'root_missing' | 'closed';
