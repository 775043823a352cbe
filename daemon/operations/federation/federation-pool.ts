import { Worker } from 'node:worker_threads';
import { PassingWorker } from '../../jobs/passing-worker.ts';
import type { MemberState } from '../../store/member-file.ts';
import { StoreError } from '../../store/store-faults.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port } from '../../workers/port.ts';
import type { ReadAnswer } from '../readers/read-pool.ts';
import { createComparing, isLarge } from './compare-apart.ts';
import type { Compared } from './compare-sides.ts';
import type { ConsumerUses, NoteCallsCall, UsesCall } from './consumer-calls.ts';
import type { DiffCall } from './diff-answer.ts';
import type { FederationCalls, FederationNotices, KeepCall, ScanCall, Scanned, Told } from './federation-service.ts';
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
  /** Where consumers of some repositories use the contract that such an answer is about. */
  usesIn(call: UsesCall, signal: AbortSignal): Promise<readonly ConsumerUses[]>;
  /** The answer with how often production called the code of these. */
  withCalls(call: NoteCallsCall, signal: AbortSignal): Promise<Uint8Array>;
  referencedFiles(files: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface FederationPoolOptions {
  /** With what is known of members. */
  readonly file: string;
  readonly idleMs: number;
  /** Something of what is known of members was lost. */
  readonly onDamage: (what: string) => void;
}

export function createFederationPool({ file, idleMs, onDamage }: FederationPoolOptions): FederationPool {
  const worker = new PassingWorker<FederationCalls>({
    ...{ work: 'Reading what is known of federations', idleMs, onCrash: () => {} },
    start: () => {
      const started = new Worker(entryOf('federation'), { workerData: { file } });
      return { worker: started, port: openPort<FederationNotices, FederationCalls>(started, { damaged: onDamage }) };
    },
    close: port => port.ask('close', null),
  });
  const use = <Told>(work: (port: Port<FederationCalls>) => Promise<Told>): Promise<Told> =>
    worker.call(work, () => {});
  const value = async <Value>(work: (port: Port<FederationCalls>) => Promise<Told<Value>>): Promise<Value> => {
    const told = await use(work);
    if (told.kind === 'told') return told.value;
    throw new StoreError(told.trouble, told.message);
  };
  const comparing = createComparing();
  const comparedApart = async ({ input, federation, ...call }: DiffCall, signal: AbortSignal): Promise<Compared> => {
    const { repoUid = '' } = federation.members.find(({ repoId }) => repoId === input.repoId) ?? {};
    const protos = await value(port => port.ask('protosOf', repoUid));
    return comparing({ ...call, path: input.path, protos }, signal);
  };
  return {
    scan: (call, signal) => value(port => port.ask('scan', call, { signal })),
    keep: call => value(port => port.ask('keep', call)),
    noteProblem: (repoUid, problem) => value(port => port.ask('noteProblem', { repoUid, problem })),
    states: () => value(port => port.ask('states', null)),
    stateOf: repoUid => value(port => port.ask('stateOf', repoUid)),
    keepOnly: repoUids => value(port => port.ask('keepOnly', repoUids)),
    answer: async (call, signal) => bytesOf(await use(port => port.ask('answer', call, { signal }))),
    diff: async (call, signal) => {
      const compared = isLarge({ ...call, path: call.input.path })
        ? { compared: await comparedApart(call, signal) }
        : {};
      return bytesOf(await use(port => port.ask('diff', { ...call, ...compared }, { signal })));
    },
    usesIn: (call, signal) => value(port => port.ask('usesIn', call, { signal })),
    withCalls: async (call, signal) => bytesOf(await use(port => port.ask('withCalls', call, { signal }))),
    referencedFiles: (files, signal) => value(port => port.ask('referencedFiles', files, { signal })),
    close: () => worker.end(),
  };
}

function bytesOf(answer: ReadAnswer): Uint8Array {
  if (answer.kind === 'encoded') return answer.bytes;
  throw new StoreError(answer.kind === 'trouble' ? answer.trouble : 'ioError', 'what is known of federations');
}
