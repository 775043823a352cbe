import { Worker } from 'node:worker_threads';
import type { ChangeSet } from '../../../watch/change-set.ts';
import type { SyncFailure, WatchBackend, WatchStatus } from '../../../watch/watch.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port, PortClosed } from '../../workers/port.ts';
import type { WatchCalls, WatchNotices, WatchServiceOptions } from './watch-service.ts';

/** The watch worker, seen from the main thread. It starts with the first tree and is started again when it crashes. */
export interface Watcher {
  readonly cookieFolder: string;
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
  /**
   * Whether the watcher has told, in time, what the kernel had for it: that changes may have been missed, for one. A process
   * that stood still is asked things before its watcher has seen what it missed.
   */
  hearOut(deadlineMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface WatcherOptions {
  /** Folder for cookies alone, in the runtime folder. */
  readonly cookieFolder: string;
  readonly shadowFolder: string;
  /** The daemon's own folders, as real paths: nothing in them is anybody's source. Default none. */
  readonly ownFolders?: readonly string[];
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
  return new WorkerWatcher(options);
}

class WorkerWatcher implements Watcher {
  readonly #options: WatcherOptions;
  readonly #roots = new Map<number, OpenRoot>();
  #worker: Worker | undefined;
  #port: Port<WatchCalls> | undefined;
  #lastTree = 0;
  #restartMs = firstRestartMs;
  #closed = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get cookieFolder(): string {
    return this.#options.cookieFolder;
  }

  open(root: string, listener: WatchListener): WatchedRoot {
    const tree = ++this.#lastTree;
    this.#roots.set(tree, { root, listener });
    const opened = this.#open(tree, root);
    return {
      sync: async deadlineMs => {
        await opened;
        return this.#sync(tree, deadlineMs);
      },
      hearOut: deadlineMs => this.#hearOut(tree, AbortSignal.timeout(deadlineMs)),
      close: async () => {
        this.#roots.delete(tree);
        await this.#port?.ask('close', tree).catch(error => this.#failed(error));
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#port?.close();
    await this.#worker?.terminate();
  }

  #open(tree: number, root: string): Promise<void> {
    const port = this.#port ?? this.#start();
    return port.ask('open', { tree, root }).catch(error => this.#failed(error));
  }

  async #sync(tree: number, deadlineMs: number): Promise<'synced' | SyncFailure> {
    if (this.#port === undefined) return this.#closed ? 'closed' : 'deadline';
    try {
      return await this.#port.ask('sync', { tree, deadlineMs });
    } catch (error) {
      if (error instanceof PortClosed) return 'closed';
      throw error;
    }
  }

  async #hearOut(tree: number, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#port?.ask('hearOut', tree, { signal });
      return this.#port !== undefined;
    } catch (error) {
      if (error instanceof PortClosed || signal.aborted) return false;
      throw error;
    }
  }

  #start(): Port<WatchCalls> {
    const worker = new Worker(entryOf('watch'), {
      workerData: workerOptions(this.#options),
      resourceLimits: { maxYoungGenerationSizeMb: 8 }, // it lives long and keeps little
    });
    let cause: unknown;
    worker.on('error', error => {
      cause = error;
    });
    worker.once('exit', () => {
      if (!this.#closed && this.#worker === worker) this.#restart(cause);
    });
    this.#worker = worker;
    this.#port = openPort<WatchNotices, WatchCalls>(worker, {
      changes: ({ tree, changes }) => {
        this.#restartMs = firstRestartMs;
        this.#roots.get(tree)?.listener.onChange(changes);
      },
      status: ({ tree, status }) => this.#roots.get(tree)?.listener.onStatus(status),
      git: tree => this.#roots.get(tree)?.listener.onGit(),
    });
    return this.#port;
  }

  #restart(cause: unknown): void {
    this.#worker = undefined;
    this.#port = undefined;
    this.#options.onTrouble?.(cause);
    setTimeout(() => this.#reopen(), this.#restartMs).unref();
    this.#restartMs = Math.min(this.#restartMs * 2, longestRestartMs);
  }

  /** Every tree anew: the `recrawl` that each begins with covers what nobody saw. */
  #reopen(): void {
    if (!this.#closed) for (const [tree, { root }] of this.#roots) void this.#open(tree, root);
  }

  /** A worker that ended is started again, and its trees with it; anything else is worth a word. */
  #failed(error: unknown): void {
    if (!(error instanceof PortClosed)) this.#options.onTrouble?.(error);
  }
}

function workerOptions(options: WatcherOptions): WatchServiceOptions {
  const { cookieFolder, shadowFolder, ownFolders = [], backend = 'auto', watchLimit, fileSystemOverride } = options;
  return { cookieFolder, shadowFolder, ownFolders, backend, watchLimit, fileSystemOverride };
}
