import type { StoredJob } from '../store/daemon-db.ts';
import type { StoredRemote } from '../store/remotes.ts';
import type { ServedRepository } from './served-repository.ts';

/** Who keeps the mirrors: repositories of which another machine's index server has the index. */
export interface Mirrors {
  /** Throws `preconditionFailed` for an id that is taken, `rateLimited` past the limit of repositories. */
  add(mirror: NewMirror): Mirror;
  list(): readonly Mirror[];
  get(id: string): Mirror | undefined;
  /** Queues the synchronisation of one that is there. Throws what `JobQueue.addOnce` throws. */
  sync(id: string, isFull: boolean): StoredJob;
  /** What a job of `sync` threw; undefined where it did not, or one after it ran. */
  failure(job: StoredJob): unknown;
  /** Deletes one that is there, with all that is here of it. */
  remove(id: string): Promise<void>;
}

export interface NewMirror {
  readonly id: string;
  readonly url: string;
  readonly remoteRepo: string;
  /** Absolute. */
  readonly tokenFile: string | undefined;
}

export interface Mirror {
  readonly repository: ServedRepository;
  readonly remote: StoredRemote;
  /** Of the indexed source; '' where nobody knows. */
  readonly commit: string;
}

export const syncJobType = 'sync-remote';

/** What the job takes, as its `input` holds it. */
export interface SyncJobInput {
  readonly isFull: boolean;
  /** Makes the index anew of what is here, without asking the server. */
  readonly isOffline: boolean;
}

/** What it comes to, as its `result` holds it. */
export interface Synced {
  readonly status: 'success' | 'unchanged';
  readonly mode: 'full' | 'changes' | null;
  readonly syncSeq: number;
  readonly filesChanged: number;
  readonly durationMs: number;
}
