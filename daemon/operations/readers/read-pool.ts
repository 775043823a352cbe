import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TypescriptWorkspace } from '../../analysis/typescript-workspace.ts';
import type { BlamedContent } from '../../model/history.ts';
import { isOutOfDescriptors } from '../../model/shortage.ts';
import { StoreError, type StoreTrouble } from '../../store/store-faults.ts';
import type { RememberedMatch } from '../../store/telemetry/call-store.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port, PortClosed } from '../../workers/port.ts';
import type { AnalysisCall, AnalysisName } from '../analysis/analyses.ts';
import type { DecisionsCall } from '../decisions/decision-answers.ts';
import type { DocsCall } from '../docs/docs-reading.ts';
import type { OwnershipChecksCall } from '../doctor/ownership-checks.ts';
import type { IndexRows, MemberRowsCall } from '../federation/member-rows.ts';
import type { Finding } from '../finding.ts';
import type { HistoricalCall, HistoricalName } from '../history/historical.ts';
import type { EntriesCall, ModelEntries } from '../history/model-entries.ts';
import type { ListCall } from '../index-server/list-call.ts';
import type { Asked } from '../symbols/answers.ts';
import { type NamedSymbols, noneNamed } from '../symbols/find-symbol.ts';
import type { CallsAtCall } from '../telemetry/calls-at-places.ts';
import type { CallsSummary, StrangersSummary } from '../telemetry/calls-summary.ts';
import type { MatchEventsCall } from '../telemetry/matched-events.ts';
import type { Compared, ComparisonCall } from './comparison.ts';
import type { HeadSettings } from './head-trees.ts';
import { HistoryTrouble } from './history-trouble.ts';
import type { AffectedCall, FollowCall, HeadSymbolCall, NameCall, ReferencesCall, SearchCall } from './read-calls.ts';

/** What the read worker answers. Values cross as plain data, answers as encoded JSON whose buffer moves over. */
export type ReadCalls = {
  readonly search: (call: SearchCall) => ReadAnswer;
  /** Which tree HEAD is: bytes that say nothing, with its id. */
  readonly headTree: (call: { readonly asked: Asked; readonly head: HeadSettings }) => ReadAnswer;
  readonly references: (call: ReferencesCall) => ReadAnswer;
  /** What is asked of a served snapshot. */
  readonly list: (call: ListCall) => ReadAnswer;
  readonly analyse: (call: AnalysisCall) => ReadAnswer;
  readonly affected: (call: AffectedCall) => ReadAnswer;
  readonly compare: (call: ComparisonCall) => Told<Compared>;
  readonly modelEntries: (call: EntriesCall) => Told<ModelEntries>;
  readonly memberRows: (call: MemberRowsCall) => Told<IndexRows>;
  /** What is known of a repository's calls. */
  readonly callsSummary: (asked: Asked) => Told<CallsSummary>;
  readonly strangersIn: (asked: Asked) => Told<StrangersSummary>;
  readonly changedMatches: (asked: Asked) => Told<readonly RememberedMatch[]>;
  /** How often production called the code at some places. */
  readonly callsAt: (call: CallsAtCall) => Told<readonly (number | null)[]>;
  /** Of calls that came one by one, which are of symbols. */
  readonly matchEvents: (call: MatchEventsCall) => Told<number>;
  readonly historical: (call: { readonly call: HistoricalCall }) => ReadAnswer;
  /** The packages that a workspace lists: `TypescriptWorkspace`, encoded. */
  readonly workspace: (asked: Asked) => ReadAnswer;
  /** What is the matter with the files of a work tree that tell of people. */
  readonly ownershipChecks: (call: OwnershipChecksCall) => readonly Finding[];
  /** What is asked of documents; absent where what is gone of the repository is to be told first. */
  readonly docs: (call: DocsCall) => ReadAnswer;
  /** What is asked of decision records, from their files. */
  readonly decisions: (call: DecisionsCall) => ReadAnswer;
  /** What a name means: `NamedSymbols`, encoded. */
  readonly named: (call: NameCall) => ReadAnswer;
  /** The symbol of a hash as HEAD has it. */
  readonly headSymbol: (call: HeadSymbolCall) => ReadAnswer;
  /** Loads what searches of a snapshot need: `WarmedSearch`, encoded. */
  readonly warm: (asked: Asked) => ReadAnswer;
  /** The same for a file that is open already; others are absent. */
  readonly keepWarm: (asked: Asked) => ReadAnswer;
  /** Makes ready what is asked of a file that is to take another's place, where that is open. */
  readonly follow: (call: FollowCall) => Promise<boolean>;
  /** Closes the connection of a file, and drops what was kept beside it; whether there was one. */
  readonly forget: (indexFile: string) => boolean;
};

export type ReadAnswer =
  | ({ readonly kind: 'encoded' } & EncodedBytes)
  /** The snapshot defines no such symbol. */
  | { readonly kind: 'absent' }
  | ReadTrouble;

/** With a history file, or with an index file. */
export interface ReadTrouble {
  readonly kind: 'history trouble' | 'trouble';
  readonly trouble: StoreTrouble;
  readonly message: string;
}

export type Told<Value> = { readonly kind: 'told'; readonly told: Value } | ReadTrouble;

export interface EncodedBytes {
  readonly bytes: Uint8Array;
  /** The tree that was asked, where it is no published snapshot; or a digest of what the answer says. */
  readonly treeId?: string | undefined;
  /** What the answer would be better for, if somebody found it out. */
  readonly wanted?: readonly BlamedContent[];
  /** Of an answer about a comparison: how many files that has. */
  readonly compares?: number | undefined;
}

/** The main thread's side of the read worker: long lists and searches, encoded over there. */
export interface ReadPool {
  /** JSON of the answer. Rejects with `Fault`, `StoreError`, or the signal's reason. */
  search(call: SearchCall, signal: AbortSignal): Promise<EncodedBytes>;
  /** The id of the tree that a search of HEAD would answer from. */
  headTree(asked: Asked, head: HeadSettings, signal: AbortSignal): Promise<string | undefined>;
  /** As `search`; undefined where the snapshot doesn't define the symbol. */
  references(call: ReferencesCall, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** JSON of a page of a served snapshot, or of what is found in it. */
  list(call: ListCall, signal: AbortSignal): Promise<Uint8Array>;
  /** The packages of JavaScript and TypeScript that a workspace lists; undefined where the snapshot is gone. */
  workspace(asked: Asked, signal: AbortSignal): Promise<TypescriptWorkspace | undefined>;
  /** What is the matter with the files of a work tree that tell of people, which may be large. */
  ownershipChecks(call: OwnershipChecksCall): Promise<readonly Finding[]>;
  /** JSON of an analysis; undefined where the snapshot doesn't have the symbol that it is about. */
  analyse<Name extends AnalysisName>(call: AnalysisCall<Name>, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** JSON of the tests that a change may break. */
  affected(call: AffectedCall, signal: AbortSignal): Promise<EncodedBytes>;
  /** JSON of an answer that hangs on history. Rejects with `HistoryTrouble` as well. */
  historical<Name extends HistoricalName>(call: HistoricalCall<Name>, signal: AbortSignal): Promise<EncodedBytes>;
  /** Which commits two revisions are, to be asked about. Rejects with `Fault`. */
  compare(call: ComparisonCall, signal: AbortSignal): Promise<Compared>;
  /** What a part of the model is made of now. */
  modelEntries(call: EntriesCall, signal: AbortSignal): Promise<ModelEntries>;
  /** What federations know of a repository's index and history. */
  memberRows(call: MemberRowsCall, signal: AbortSignal): Promise<IndexRows>;
  /** What is known of a repository's calls. */
  callsSummary(asked: Asked, signal: AbortSignal): Promise<CallsSummary>;
  /** What a repository has of services that may be anybody's. */
  strangersIn(asked: Asked, signal: AbortSignal): Promise<StrangersSummary>;
  /** What functions are now, where something else is remembered of them. */
  changedMatches(asked: Asked): Promise<readonly RememberedMatch[]>;
  /** How often production called the code at some places, in the same order; null where nothing is known. */
  callsAt(call: CallsAtCall, signal: AbortSignal): Promise<readonly (number | null)[]>;
  /** Of calls that came one by one, in the same order, which are of symbols. */
  matchEvents(call: MatchEventsCall, signal: AbortSignal): Promise<number>;
  /** JSON of an answer about decision records, with a digest of it as the tree that it is of. */
  decisions(call: DecisionsCall, signal: AbortSignal): Promise<EncodedBytes>;
  /** JSON of an answer about documents; undefined where what is gone of the repository is to be told first. */
  docs(call: DocsCall, signal: AbortSignal): Promise<EncodedBytes | undefined>;
  /** The symbols that a name means. */
  named(call: NameCall, signal: AbortSignal): Promise<NamedSymbols>;
  /** JSON of a symbol as HEAD has it; undefined where that has none of the hash. */
  headSymbol(call: HeadSymbolCall, signal: AbortSignal): Promise<EncodedBytes | undefined>;
  /** JSON of a `WarmedSearch`; undefined where the snapshot is gone. */
  warm(asked: Asked, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Before a publication: makes ready what the questions will want that now go to another file, where some do. */
  follow(call: FollowCall): Promise<void>;
  /** Drops what is kept of an index file; tells whether anything was. */
  forget(indexFile: string): Promise<boolean>;
  /** When a search is likely to come: starts the worker, unless it runs, and has it load what searches of the snapshot need. */
  expectSearch(asked: Asked): void;
  /** Starts the worker if need be, and has it load what searches of the snapshot need and keep that for the first of them. */
  prepare(asked: Asked): void;
  /** After a publication: has the worker bring along what it holds for searches of the repository. Keeps nothing alive that is idle. */
  keepWarm(asked: Asked): void;
  /** Ends the worker; what is under way is rejected. */
  close(): Promise<void>;
}

export interface ReadPoolOptions {
  /** The worker ends after this long without a question; it starts again with the next. */
  readonly idleMs: number;
}

interface Running {
  readonly worker: Worker;
  readonly port: Port<ReadCalls>;
}

/** A thread for which no descriptors were left is begun again: others that rest give theirs back soon. */
const mostBeginnings = 12;
const betweenBeginningsMs = 250;

export function createReadPool(options: ReadPoolOptions): ReadPool {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** By repository: what is to be warmed once the warming under way is done. */
  const warming = new Map<string, Asked | undefined>();
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = running;
    running = undefined;
    ended?.port.close();
    await ended?.worker.terminate();
  };
  const endWhenIdle = (): void => {
    clearTimeout(idle);
    const isBusy = (): boolean => running !== undefined && running.port.pending > 0;
    idle = setTimeout(() => void (isBusy() ? endWhenIdle() : end()), options.idleMs).unref();
  };
  const start = (): Running => {
    warming.clear();
    const worker = new Worker(entryOf('read'));
    const started = { worker, port: openPort<Record<string, never>, ReadCalls>(worker, {}) };
    worker.once('exit', () => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const use = async <Told>(work: (port: Port<ReadCalls>) => Promise<Told>): Promise<Told> => {
    for (let times = 1; ; times++) {
      running ??= start();
      endWhenIdle();
      try {
        return await work(running.port);
      } catch (error) {
        if (!(error instanceof PortClosed && isOutOfDescriptors(error)) || times === mostBeginnings) throw error;
      } finally {
        endWhenIdle();
      }
      await pause(betweenBeginningsMs);
    }
  };
  const ask = async (work: (port: Port<ReadCalls>) => Promise<ReadAnswer>): Promise<EncodedBytes | undefined> =>
    answered(await use(work));
  // Trouble shows itself to whoever asks.
  const prepare = (asked: Asked): void => void ask(port => port.ask('warm', asked)).catch(() => {});
  return {
    search: async (call, signal) => {
      const found = await ask(port => port.ask('search', call, { signal }));
      return found ?? { bytes: new Uint8Array(0) };
    },
    headTree: async (asked, head, signal) =>
      (await ask(port => port.ask('headTree', { asked, head }, { signal })))?.treeId,
    references: async (call, signal) => (await ask(port => port.ask('references', call, { signal })))?.bytes,
    list: async (call, signal) => (await ask(port => port.ask('list', call, { signal })))!.bytes,
    workspace: async (asked, signal) => {
      const told = await ask(port => port.ask('workspace', asked, { signal }));
      return told && (JSON.parse(new TextDecoder().decode(told.bytes)) as TypescriptWorkspace);
    },
    ownershipChecks: call => use(port => port.ask('ownershipChecks', call)),
    analyse: async (call, signal) => (await ask(port => port.ask('analyse', call, { signal })))?.bytes,
    affected: async (call, signal) => {
      const found = await ask(port => port.ask('affected', call, { signal }));
      return found ?? { bytes: new Uint8Array(0) };
    },
    historical: async (call, signal) => {
      const found = await ask(port => port.ask('historical', { call }, { signal }));
      return found ?? { bytes: new Uint8Array(0) };
    },
    compare: async (call, signal) => toldIn(await use(port => port.ask('compare', call, { signal }))),
    modelEntries: async (call, signal) => toldIn(await use(port => port.ask('modelEntries', call, { signal }))),
    memberRows: async (call, signal) => toldIn(await use(port => port.ask('memberRows', call, { signal }))),
    callsSummary: async (asked, signal) => toldIn(await use(port => port.ask('callsSummary', asked, { signal }))),
    strangersIn: async (asked, signal) => toldIn(await use(port => port.ask('strangersIn', asked, { signal }))),
    changedMatches: async asked => toldIn(await use(port => port.ask('changedMatches', asked))),
    callsAt: async (call, signal) => toldIn(await use(port => port.ask('callsAt', call, { signal }))),
    matchEvents: async (call, signal) => toldIn(await use(port => port.ask('matchEvents', call, { signal }))),
    headSymbol: (call, signal) => ask(port => port.ask('headSymbol', call, { signal })),
    decisions: async (call, signal) => {
      const told = await ask(port => port.ask('decisions', call, { signal }));
      return told ?? { bytes: new Uint8Array(0) };
    },
    docs: (call, signal) => ask(port => port.ask('docs', call, { signal })),
    named: async (call, signal) => {
      const found = await ask(port => port.ask('named', call, { signal }));
      return found === undefined ? noneNamed : (JSON.parse(new TextDecoder().decode(found.bytes)) as NamedSymbols);
    },
    warm: async (asked, signal) => (await ask(port => port.ask('warm', asked, { signal })))?.bytes,
    // Trouble shows itself to whoever asks.
    follow: async call => void (await running?.port.ask('follow', call).catch(() => false)),
    // A worker that has gone in the meantime has dropped it all.
    forget: async indexFile => (await running?.port.ask('forget', indexFile).catch(() => true)) ?? false,
    expectSearch: asked => {
      if (running === undefined) prepare(asked);
    },
    prepare,
    keepWarm: asked => {
      if (running !== undefined) keepWarm(running.port, asked);
    },
    close: end,
  };

  /** One at a time for each repository: of publications that follow one another only the last is worth it. */
  function keepWarm(port: Port<ReadCalls>, asked: Asked): void {
    const { id } = asked.repo;
    if (warming.has(id)) {
      warming.set(id, asked);
      return;
    }
    warming.set(id, undefined);
    const next = (): void => {
      const later = warming.get(id);
      warming.delete(id);
      if (later !== undefined && running?.port === port) keepWarm(port, later);
    };
    port.ask('keepWarm', asked).then(next, next);
  }
}

function answered(answer: ReadAnswer): EncodedBytes | undefined {
  switch (answer.kind) {
    case 'encoded':
      return answer;
    case 'absent':
      return undefined;
    case 'history trouble':
    case 'trouble':
      throw errorOf(answer);
  }
}

function toldIn<Value>(answer: Told<Value>): Value {
  if (answer.kind === 'told') return answer.told;
  throw errorOf(answer);
}

function errorOf({ kind, trouble, message }: ReadTrouble): Error {
  return kind === 'trouble' ? new StoreError(trouble, message) : new HistoryTrouble(trouble, message);
}
