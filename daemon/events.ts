import type { FaultReason } from '../client/protocol/faults.ts';

/**
 * Everything worth noticing that happens in the daemon. Two readers see each observation: the log and the metrics.
 * `observe` never throws and never waits.
 */
export type Observation =
  | { readonly kind: 'daemon.started'; readonly pid: number; readonly version: string; readonly socketPath: string }
  /** Somebody had taken away what leads clients to it. */
  | { readonly kind: 'daemon.moved'; readonly socketPath: string }
  | { readonly kind: 'daemon.draining'; readonly cause: string; readonly exitCode: number }
  | { readonly kind: 'daemon.stopped'; readonly exitCode: number }
  | { readonly kind: 'daemon.fault'; readonly what: string; readonly cause: unknown }
  | {
      readonly kind: 'indexer.failed';
      readonly repo: string;
      /** In public words. */
      readonly message: string;
      /** What the program wrote last, which may quote any file, or why else it failed: for the log alone. */
      readonly lastWords: string;
    }
  | { readonly kind: 'listener.opened'; readonly host: string; readonly port: number; readonly repo: string | null }
  | { readonly kind: 'listener.closed'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'listener.failed';
      readonly host: string;
      readonly port: number;
      /** In public words. */
      readonly message: string;
      readonly cause: unknown;
    }
  | { readonly kind: 'connection.refused'; readonly reason: string }
  | RequestFinished
  | HttpAnswered
  | { readonly kind: 'search.answered'; readonly repo: string; readonly type: string }
  | SnapshotPublished
  | {
      readonly kind: 'job.changed';
      readonly id: string;
      readonly type: string;
      readonly status: string;
      readonly progress: number;
      readonly message?: string;
      readonly repo?: string;
    }
  | {
      readonly kind: 'repository.changed';
      readonly repo: string;
      readonly change: 'added' | 'removed' | 'trusted' | 'default';
    }
  | {
      readonly kind: 'key.changed';
      /** Its id. */
      readonly key: string;
      readonly change: 'created' | 'rotated' | 'revoked' | 'expired';
    }
  | { readonly kind: 'watch.recrawl'; readonly repo: string; readonly reason: string }
  | { readonly kind: 'watch.warning'; readonly repo: string; readonly message: string; readonly cause?: unknown }
  | { readonly kind: 'index.corrupt'; readonly repo: string; readonly what: string; readonly cause?: unknown }
  /** Something of what production told went for want of room; how much of each kind in all, 0 where none went now. */
  | { readonly kind: 'telemetry.dropped'; readonly functions: number; readonly services: number }
  | { readonly kind: 'input.quarantined'; readonly repo: string; readonly path: string; readonly reason: string };

export interface RequestFinished {
  readonly kind: 'request.finished';
  readonly requestId: string;
  readonly operation: string;
  /** Over HTTP the listener's own observation tells the rest. */
  readonly transport: 'socket' | 'http';
  readonly repo?: string | undefined;
  readonly outcome: 'ok' | 'unchanged' | FaultReason;
  readonly durationMs: number;
  readonly bytes: number;
  /** What was thrown behind an `operationFailed`: for the log alone. */
  readonly cause?: unknown;
}

/** One answer of an HTTP listener, those included that never became a request. */
export interface HttpAnswered {
  readonly kind: 'http.answered';
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation?: string | undefined;
  /** Which key asked the index server: its id, `daemon` for the daemon token, `anonymous`. Never a secret. */
  readonly key?: string | undefined;
  readonly fault?: string | undefined;
  readonly cause?: unknown;
}

export interface SnapshotPublished {
  /** `renewed`: computed anew and the same as before, which is no news for anybody. */
  readonly kind: 'snapshot.published' | 'snapshot.renewed';
  readonly repo: string;
  readonly seq: number;
  readonly snapshotId: string;
  readonly symbolCount: number;
  readonly fileCount: number;
  readonly filesParsed: number;
  /** `full`: from nothing or forced; `delta`: from what changed. */
  readonly type: 'full' | 'delta';
  readonly durationMs: number;
}

export type Observe = (observation: Observation) => void;

/** One `observe` over several readers; what a reader throws is dropped, for noticing must not break what is noticed. */
export function observeWith(readers: readonly Observe[]): Observe {
  return observation => {
    for (const read of readers) {
      try {
        read(observation);
      } catch {}
    }
  };
}
