import { Worker } from 'node:worker_threads';
import type { MemberState } from '../../store/member-file.ts';
import { StoreError } from '../../store/store-faults.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port, PortClosed } from '../../workers/port.ts';
import type { ReadAnswer } from '../readers/read-pool.ts';
import type { DiffCall } from './diff-answer.ts';
import type { FederationCalls, KeepCall, ScanCall, Scanned, Told } from './federation-service.ts';
import type { FederatedCall } from './member-view.ts';

/**
 * The main thread's side of the federation worker, which keeps what is known of members and answers out of it. It comes with
 * the first call and goes when nothing has happened for a while. Calls reject with `Fault`, `StoreError`, the signal's reason.
 */
export interface FederationPool {
  scan(call: ScanCall, signal: AbortSignal): Promise<Scanned>;
  /** False where what was read is gone, for the worker went meanwhile: then it must be read again. */
  keep(call: KeepCall): Promise<boolean>;
  noteProblem(repoUid: string, problem: string): Promise<void>;
  states(): Promise<readonly MemberState[]>;
  /** Null of one that nothing is known of. */
  stateOf(repoUid: string): Promise<MemberState | null>;
  keepOnly(repoUids: readonly string[]): Promise<void>;
  /** JSON of an answer, or the text of a picture. */
  answer(call: FederatedCall, signal: AbortSignal): Promise<Uint8Array>;
  /** The same of two revisions of a contract. */
  diff(call: DiffCall, signal: AbortSignal): Promise<Uint8Array>;
  referencedFiles(files: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface FederationPoolOptions {
  /** With what is known of members. */
  readonly file: string;
  readonly idleMs: number;
}

interface Running {
  readonly worker: Worker;
  readonly port: Port<FederationCalls>;
}

export function createFederationPool({ file, idleMs }: FederationPoolOptions): FederationPool {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ending: Promise<void> = Promise.resolve();
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
  const start = (): Running => {
    const worker = new Worker(entryOf('federation'), { workerData: { file } });
    const started = { worker, port: openPort<Record<string, never>, FederationCalls>(worker, {}) };
    worker.once('exit', () => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const use = async <Told>(work: (port: Port<FederationCalls>) => Promise<Told>): Promise<Told> => {
    clearTimeout(idle);
    await ending;
    running ??= start();
    const { port } = running;
    try {
      return await work(port);
    } catch (error) {
      if (!(error instanceof PortClosed)) throw error;
      throw new StoreError('ioError', 'the federation worker ended unexpectedly', error);
    } finally {
      clearTimeout(idle);
      if (port.pending === 0) idle = setTimeout(() => void end(), idleMs).unref();
    }
  };
  const value = async <Value>(work: (port: Port<FederationCalls>) => Promise<Told<Value>>): Promise<Value> => {
    const told = await use(work);
    if (told.kind === 'told') return told.value;
    throw new StoreError(told.trouble, told.message);
  };
  return {
    scan: (call, signal) => value(port => port.ask('scan', call, { signal })),
    keep: call => value(port => port.ask('keep', call)),
    noteProblem: (repoUid, problem) => value(port => port.ask('noteProblem', { repoUid, problem })),
    states: () => value(port => port.ask('states', null)),
    stateOf: repoUid => value(port => port.ask('stateOf', repoUid)),
    keepOnly: repoUids => value(port => port.ask('keepOnly', repoUids)),
    answer: async (call, signal) => bytesOf(await use(port => port.ask('answer', call, { signal }))),
    diff: async (call, signal) => bytesOf(await use(port => port.ask('diff', call, { signal }))),
    referencedFiles: (files, signal) => value(port => port.ask('referencedFiles', files, { signal })),
    close: end,
  };
}

function bytesOf(answer: ReadAnswer): Uint8Array {
  if (answer.kind === 'encoded') return answer.bytes;
  throw new StoreError(answer.kind === 'trouble' ? answer.trouble : 'ioError', 'what is known of federations');
}
