import { hash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Clock } from '../../clock.ts';
import type { GatheredFunction } from '../../model/gathered-calls.ts';
import { openBeside } from '../../store/daemon-file.ts';
import { StoreError, type StoreTrouble } from '../../store/store-faults.ts';
import {
  type CallStore,
  callStore,
  type RememberedMatch,
  type StoredBatch,
  type UnfinishedBatch,
} from '../../store/telemetry/call-store.ts';
import type { Most } from '../../store/telemetry/retention.ts';
import { decodeBody } from './body-coding.ts';
import { type BatchSource, type CalledFunctions, type DecodedBatch, decodeBatch } from './decode-batch.ts';

/** A batch as it came, and what it is counted by. Times are milliseconds. */
export interface BatchCall extends Keeping {
  readonly source: BatchSource;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Uid of the repository that the request was for; '' for none. */
  readonly asked: string;
  /** What its sender calls it; undefined where it is known by what it says alone. */
  readonly key: string | undefined;
}

/** What the configuration says of all batches. */
export interface Keeping {
  readonly limitBytes: number;
  readonly keptDays: number;
  readonly mostFunctions: number;
}

export interface Tidying extends Keeping {
  /** The time of day by which days are past; else that of the clock. */
  readonly nowMs?: number;
}

export interface BatchTaken {
  /** Points that were not counted, and why the first of them was not. */
  readonly rejected: number;
  readonly message: string;
  /** Points that were counted, or were not to be. */
  readonly points: number;
  /** It had come before. */
  readonly isRepeated: boolean;
  /** Rows of functions that nobody had told of before. */
  readonly fresh: readonly number[];
  /** Of calls that came one by one: what each service has of them. */
  readonly called: readonly CalledFunctions[];
}

/** What the telemetry worker serves. */
export type TelemetryCalls = {
  readonly take: (batch: BatchCall) => Promise<Told<BatchTaken>>;
  readonly remember: (seen: readonly RememberedMatch[]) => Promise<Told<null>>;
  /** Counts what an earlier process left, and drops what is not kept any longer. Tells which batches can't be counted to their end, and why. */
  readonly tidy: (tidying: Tidying) => Promise<Told<readonly string[]>>;
  readonly close: (nothing: null) => null;
};

/** A value, or what is the matter with the file. */
export type Told<Value> =
  | { readonly kind: 'told'; readonly value: Value }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly message: string };

/** What is counted in one transaction, in points; a function takes as long as some of them. Other writers wait no longer than some milliseconds. */
const pointsPerSlice = 2000;
const pointsPerFunction = 5;
const repetitionMs = 30_000;

const mostKept = { services: 5000, series: 1_000_000 };

export function createTelemetryService(file: string, clock: Clock, most: Omit<Most, 'functions'> = mostKept) {
  let opened: CallStore | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const store = (): CallStore => {
    opened ??= callStore(openBeside(file));
    return opened;
  };
  /** One after the other: what one has begun in slices, none comes between. */
  const inTurn = <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
    const mine = turn.then(work);
    // One that fails stands in nobody's way.
    turn = mine.catch(() => {});
    return mine;
  };
  const countingIn = (calls: CallStore, { mostFunctions }: Keeping): Counting => ({
    store: calls,
    nowMs: () => clock.now().getTime(),
    makeRoom: () => stepped(calls.makeRoom({ ...most, functions: mostFunctions }, clock.now().getTime())),
  });
  return {
    take: (batch: BatchCall) => told(() => inTurn(() => taken(countingIn(store(), batch), batch))),
    remember: (seen: readonly RememberedMatch[]) =>
      told(async () => {
        await stepped(store().remember(seen));
        return null;
      }),
    tidy: ({ nowMs = clock.now().getTime(), ...keeping }: Tidying) =>
      told(async () => {
        const calls = store();
        const givenUp: string[] = [];
        for (const digest of calls.unfinished()) {
          await inTurn(() => finished(countingIn(calls, keeping), digest, keeping, why => givenUp.push(why)));
        }
        // Who has calls to be counted waits for a step of it.
        const past = calls.dropPast(nowMs, keeping.keptDays);
        while (!(await inTurn(() => past.next())).done);
        await inTurn(countingIn(calls, keeping).makeRoom);
        return givenUp;
      }),
    close: () => {
      opened?.close();
      opened = undefined;
      return null;
    },
  };
}

async function told<Value>(work: () => Value | Promise<Value>): Promise<Told<Value>> {
  try {
    return { kind: 'told', value: await work() };
  } catch (error) {
    if (error instanceof StoreError) return { kind: 'trouble', trouble: error.trouble, message: error.message };
    throw error;
  }
}

/** Where calls are counted, and how room is made for them. */
interface Counting {
  readonly store: CallStore;
  readonly makeRoom: () => Promise<void>;
  readonly nowMs: () => number;
}

/** Counts a batch, unless it has been; acknowledged is what is on the device. Throws `Fault` for one that can't be read. */
async function taken(counting: Counting, batch: BatchCall): Promise<BatchTaken> {
  const { store } = counting;
  const takenAt = counting.nowMs();
  const inflated = decodeBody(batch.bytes, batch.source.coding, batch.limitBytes);
  const said = digestOf(batch, 'said', hash('sha256', inflated, 'hex'));
  const known = store.batch(batch.key === undefined ? said : digestOf(batch, 'named', batch.key));
  if (known?.isWhole && batch.source.kind === 'metrics') return repeated(known, []);
  const decoded = decodeBatch(batch.source, inflated, { ...batch, nowMs: takenAt });
  const name = batch.key ?? decoded.name;
  const digest = name === '' ? said : digestOf(batch, 'named', name);
  const cut = store.unfinishedAt(digest);
  if (cut !== undefined) return resumed(counting, cut, batch);
  const before = store.batch(digest);
  // Without a name and a time one that comes again so soon is the same; later it may be another of the same.
  const isSame =
    name !== '' || decoded.isTimed || (before !== undefined && Math.abs(takenAt - before.takenAt) < repetitionMs);
  if (before !== undefined && isSame) return repeated(before, decoded.called);
  if (endOfSlice(decoded.functions, 0) < decoded.functions.length) {
    store.keep(digest, { takenAt, counted: 0, body: packed(batch, inflated) });
  }
  return counted(counting, batch, decoded, { digest, takenAt, from: 0 });
}

/** Counts to its end a batch that an earlier process left, or forgets it where it can't be read any more. */
async function finished(
  counting: Counting,
  digest: Uint8Array,
  keeping: Keeping,
  tellGivenUp: (why: string) => void,
): Promise<void> {
  const { store } = counting;
  const cut = store.unfinishedAt(digest);
  if (cut === undefined) return;
  try {
    await resumed(counting, cut, keeping);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const message = `counted as far as ${cut.counted} of its functions: ${String(error)}`;
    store.giveUp(digest, outcomeText({ rejected: 0, message, points: 0 }));
    tellGivenUp(`a batch of ${new Date(cut.takenAt).toISOString()} is ${message}`);
  }
}

/** Goes on with a batch that was cut off, from the place that was reached, as it was read then. */
async function resumed(counting: Counting, cut: UnfinishedBatch, keeping: Keeping): Promise<BatchTaken> {
  const batch = { ...keeping, ...unpacked(cut.body) };
  const inflated = decodeBody(batch.bytes, batch.source.coding, batch.limitBytes);
  const decoded = decodeBatch(batch.source, inflated, { ...batch, nowMs: cut.takenAt });
  return counted(counting, batch, decoded, { digest: cut.digest, takenAt: cut.takenAt, from: cut.counted });
}

type Outcome = DecodedBatch['outcome'];

function outcomeText({ rejected, message, points }: Outcome): string {
  return JSON.stringify({ rejected, message, points });
}

function repeated({ outcome }: StoredBatch, called: BatchTaken['called']): BatchTaken {
  return { ...(JSON.parse(outcome) as Outcome), isRepeated: true, fresh: [], called };
}

interface Position {
  readonly digest: Uint8Array;
  readonly takenAt: number;
  readonly from: number;
}

async function counted(
  { store, makeRoom, nowMs }: Counting,
  { asked }: Pick<BatchCall, 'asked'>,
  { functions, outcome, called }: DecodedBatch,
  { digest, takenAt, from }: Position,
): Promise<BatchTaken> {
  const fresh: number[] = [];
  let at = from;
  do {
    const slice = functions.slice(at, endOfSlice(functions, at));
    at += slice.length;
    const isLast = at >= functions.length;
    const of = { digest, functions: slice, asked, counted: at };
    // Whoever waited for it in vain sends it again from now on.
    fresh.push(
      ...store.count(isLast ? { ...of, takenAt: nowMs(), outcome: outcomeText(outcome) } : { ...of, takenAt }),
    );
    await makeRoom();
    if (!isLast) await passed();
  } while (at < functions.length);
  return { ...outcome, isRepeated: false, fresh, called };
}

/** Behind the last function of a slice. */
function endOfSlice(functions: readonly GatheredFunction[], from: number): number {
  let points = 0;
  let at = from;
  for (; at < functions.length && points < pointsPerSlice; at++) {
    points += pointsPerFunction;
    for (const some of functions[at]!.lines.values()) points += some.length;
  }
  return at;
}

function digestOf({ source, asked }: BatchCall, by: 'said' | 'named', text: string): Uint8Array {
  return hash('sha256', [source.kind, asked, by, text].join('\0'), 'buffer').subarray(0, 16);
}

/** All that it takes to count a batch again, from the place that was reached. Compressed: it lies in memory beside the batch. */
function packed({ source, asked, limitBytes, keptDays }: BatchCall, inflated: Uint8Array): Uint8Array {
  const head = { source: { ...source, coding: 'gzip' }, asked, limitBytes, keptDays };
  const bytes = gzipSync(inflated, { level: constants.Z_BEST_SPEED });
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

/** Those that earlier versions stored lack the limits. */
function unpacked(body: Uint8Array): Pick<BatchCall, 'source' | 'asked' | 'bytes'> & Partial<Keeping> {
  const end = body.indexOf(10);
  const head = JSON.parse(Buffer.from(body.subarray(0, end)).toString()) as Pick<BatchCall, 'source' | 'asked'>;
  return { ...head, bytes: Uint8Array.from(body.subarray(end + 1)) };
}

/** Takes all steps, with a pause behind each. */
async function stepped(steps: Generator<void>): Promise<void> {
  for (const _ of steps) await passed();
}

/** Whoever else writes the file, and whoever asks this thread, has a turn. */
function passed(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** What is said where nothing is to be taken. */
export function telemetryOff(): Fault {
  return new Fault('preconditionFailed', 'Telemetry is turned off: telemetry.enabled in the configuration', {
    details: { reason: 'telemetry_off' },
  });
}
