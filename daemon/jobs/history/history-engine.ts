import { Worker } from 'node:worker_threads';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Person } from '../../model/history.ts';
import { eitherSignal } from '../../workers/either-signal.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port, PortClosed, unexpectedEnd } from '../../workers/port.ts';
import type {
  BlameCall,
  Blamed,
  HistoryCalls,
  HistoryNotices,
  HistoryOptions,
  HistorySubject,
  RefreshedCall,
  UpdateCall,
  UpdatedHistory,
} from './history-calls.ts';

/**
 * The main thread's side of the history worker, which comes with the first call and goes when nothing has happened for a
 * while. Calls reject with `Fault`: `preconditionFailed` outside git, `backendUnavailable` where git can't tell,
 * `storageFailed`, `cancelled`, `shuttingDown`.
 */
export interface HistoryEngine {
  update(call: UpdateCall, signal: AbortSignal): Promise<UpdatedHistory>;
  include(call: HistorySubject & { readonly commits: readonly string[] }, signal: AbortSignal): Promise<void>;
  /** Resolves with how many commits are left. */
  countLines(call: HistorySubject & { readonly most: number }, signal: AbortSignal): Promise<number>;
  blame(call: Omit<BlameCall, 'run'>, asked: BlameAsked): Promise<Blamed>;
  refreshed(call: RefreshedCall, signal: AbortSignal): Promise<number>;
  authors(historyFile: string, signal: AbortSignal): Promise<readonly Person[]>;
  speedUp(call: HistorySubject, signal: AbortSignal): Promise<void>;
  discard(historyFile: string): Promise<void>;
  release(historyFile: string): Promise<void>;
  close(): Promise<void>;
}

export interface BlameAsked {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface HistoryEngineOptions extends HistoryOptions {
  readonly idleMs: number;
}

interface Running {
  readonly worker: Worker;
  readonly port: Port<HistoryCalls>;
}

export function createHistoryEngine({ idleMs, shadowFolder }: HistoryEngineOptions): HistoryEngine {
  const listeners = new Map<number, (done: number, total: number) => void>();
  const closing = new AbortController();
  let running: Running | undefined;
  let ending: Promise<void> = Promise.resolve();
  let [active, lastRun] = [0, 0];
  let idle: NodeJS.Timeout | undefined;

  const started = (): Running => {
    if (running !== undefined) return running;
    const worker = new Worker(entryOf('history'), { workerData: { shadowFolder } satisfies HistoryOptions });
    const port = openPort<HistoryNotices, HistoryCalls>(worker, {
      progress: ({ run, done, total }) => listeners.get(run)?.(done, total),
    });
    const mine = { worker, port };
    running = mine;
    worker.once('exit', () => {
      if (running === mine) running = undefined;
    });
    return mine;
  };
  const end = (): Promise<void> => {
    clearTimeout(idle);
    const leaving = running;
    if (leaving === undefined) return ending;
    running = undefined;
    ending = (async () => {
      await leaving.port.ask('close', null).catch(() => {});
      await leaving.worker.terminate();
    })();
    return ending;
  };
  const ask = async <Answer>(
    work: (port: Port<HistoryCalls>, signal: AbortSignal) => Promise<Answer>,
    wanted?: AbortSignal,
  ): Promise<Answer> => {
    active++;
    clearTimeout(idle);
    const { signal, release } = eitherSignal(closing.signal, wanted);
    try {
      await ending;
      if (closing.signal.aborted) throw shuttingDown();
      return await work(started().port, signal);
    } catch (error) {
      if (closing.signal.aborted) throw shuttingDown();
      if (!(error instanceof PortClosed)) throw error;
      throw unexpectedEnd('Reading the history', error);
    } finally {
      release();
      if (--active === 0) idle = setTimeout(() => void end(), idleMs).unref();
    }
  };
  return {
    update: (call, wanted) => ask((port, signal) => port.ask('update', call, { signal }), wanted),
    include: (call, wanted) => ask((port, signal) => port.ask('include', call, { signal }), wanted),
    countLines: (call, wanted) => ask((port, signal) => port.ask('countLines', call, { signal }), wanted),
    blame: async (call, { signal: wanted, onProgress }) => {
      const run = ++lastRun;
      if (onProgress !== undefined) listeners.set(run, onProgress);
      try {
        return await ask((port, signal) => port.ask('blame', { ...call, run }, { signal }), wanted);
      } finally {
        listeners.delete(run);
      }
    },
    refreshed: (call, wanted) => ask((port, signal) => port.ask('refreshed', call, { signal }), wanted),
    authors: (file, wanted) => ask((port, signal) => port.ask('authors', file, { signal }), wanted),
    speedUp: (call, wanted) => ask((port, signal) => port.ask('speedUp', call, { signal }), wanted),
    discard: file => ask(port => port.ask('discard', file)),
    release: async file => {
      if (running !== undefined) await ask(port => port.ask('release', file));
    },
    close: async () => {
      closing.abort(shuttingDown());
      await end();
    },
  };
}

function shuttingDown(): Fault {
  return new Fault('shuttingDown', 'The daemon is shutting down');
}
