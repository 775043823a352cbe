import { Worker } from 'node:worker_threads';
import type { ChangeSet } from '../../watch/change-set.ts';
import type { SyncFailure, WatchBackend, WatchStatus } from '../../watch/watch.ts';
import { entryOf } from '../workers/entry.ts';
import { openPort, type Port, PortClosed } from '../workers/port.ts';
import type { WatchCalls, WatchNotices, WatchServiceOptions } from './watch-service.ts';

/** The watch worker, seen from the main thread. It starts with the first tree and is started again when it crashes. */
export interface Watcher {
  open(root: string, listener: WatchListener): WatchedRoot;
  close(): Promise<void>;
}

export interface WatchListener {
  onChange(changes: ChangeSet): void;
  /** git began or ended something, perhaps. */
  onGit(): void;
  onStatus(status: WatchStatus): void;
}

export interface WatchedRoot {
  /** `synced` when every change made before the call was handed to the listener; else why not, at the deadline at the latest. */
  sync(deadlineMs: number): Promise<'synced' | SyncFailure>;
  close(): Promise<void>;
}

export interface WatcherOptions {
  /** Folder for cookies alone, in the runtime folder. */
  readonly cookieFolder: string;
  readonly shadowFolder: string;
  readonly backend?: WatchBackend;
  readonly watchLimit?: number;
  /** `SVC_FSTYPE`: `<folder>=<type>`. */
  readonly fileSystemOverride?: string | undefined;
  /** The worker crashed, or could not open a tree. */
  readonly onTrouble?: (cause: unknown) => void;
}

interface OpenRoot {
  readonly root: string;
  readonly listener: WatchListener;
}

const firstRestartMs = 200;
const longestRestartMs = 30_000;

export function createWatcher(options: WatcherOptions): Watcher {
  const roots = new Map<number, OpenRoot>();
  let port: Port<WatchCalls> | undefined;
  let worker: Worker | undefined;
  let lastTree = 0;
  let restartMs = firstRestartMs;
  let closed = false;

  const workerOptions: WatchServiceOptions = {
    cookieFolder: options.cookieFolder,
    shadowFolder: options.shadowFolder,
    backend: options.backend ?? 'auto',
    watchLimit: options.watchLimit,
    fileSystemOverride: options.fileSystemOverride,
  };

  const start = (): Port<WatchCalls> => {
    const started = new Worker(entryOf('watch'), {
      workerData: workerOptions,
      resourceLimits: { maxYoungGenerationSizeMb: 8 }, // it lives long and keeps little
    });
    worker = started;
    port = openPort<WatchNotices, WatchCalls>(started, {
      changes({ tree, changes }) {
        restartMs = firstRestartMs;
        roots.get(tree)?.listener.onChange(changes);
      },
      status: ({ tree, status }) => roots.get(tree)?.listener.onStatus(status),
      git: tree => roots.get(tree)?.listener.onGit(),
    });
    let cause: unknown;
    started.on('error', error => {
      cause = error;
    });
    started.once('exit', () => {
      if (closed || worker !== started) return;
      worker = undefined;
      port = undefined;
      options.onTrouble?.(cause);
      setTimeout(reopen, restartMs).unref();
      restartMs = Math.min(restartMs * 2, longestRestartMs);
    });
    return port;
  };
  /** Every tree anew: the `recrawl` that each begins with covers what nobody saw. */
  const reopen = (): void => {
    if (closed || roots.size === 0) return;
    const fresh = port ?? start();
    for (const [tree, { root }] of roots) fresh.ask('open', { tree, root }).catch(failed);
  };

  /** A worker that ended is started again, and its trees with it; anything else is worth a word. */
  const failed = (error: unknown): void => {
    if (!(error instanceof PortClosed)) options.onTrouble?.(error);
  };

  return {
    open(root, listener) {
      const tree = ++lastTree;
      roots.set(tree, { root, listener });
      const opened = (port ?? start()).ask('open', { tree, root }).catch(failed);
      return {
        async sync(deadlineMs) {
          await opened;
          if (port === undefined) return closed ? 'closed' : 'deadline';
          try {
            return await port.ask('sync', { tree, deadlineMs });
          } catch (error) {
            if (error instanceof PortClosed) return 'closed';
            throw error;
          }
        },
        async close() {
          roots.delete(tree);
          await port?.ask('close', tree).catch(failed);
        },
      };
    },
    async close() {
      closed = true;
      port?.close();
      await worker?.terminate();
    },
  };
}
