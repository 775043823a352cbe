import { hash } from 'node:crypto';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Clock } from '../../clock.ts';
import { openBeside } from '../../store/daemon-file.ts';
import { StoreError, type StoreTrouble } from '../../store/store-faults.ts';
import { type CallStore, callStore, type RememberedMatch, type StoredBatch } from '../../store/telemetry/call-store.ts';
import { decodeBody } from './body-coding.ts';
import { type BatchSource, type DecodedBatch, decodeBatch } from './decode-batch.ts';

/** A batch as it came, and what it is counted by. Times are milliseconds. */
export interface BatchCall {
  readonly source: BatchSource;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Uid of the repository that the request was for; '' for none. */
  readonly asked: string;
  /** What its sender calls it; undefined where it is known by what it says alone. */
  readonly key: string | undefined;
  readonly limitBytes: number;
  readonly keptDays: number;
  readonly mostFunctions: number;
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
  /** Of calls that came one by one: each function, and how many of them were of it. */
  readonly events: readonly CallEvent[];
}

export interface CallEvent {
  readonly service: string;
  readonly repository: string;
  readonly namespace: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/** What the telemetry worker serves. */
export type TelemetryCalls = {
  readonly take: (batch: BatchCall) => Promise<Told<BatchTaken>>;
  readonly remember: (seen: readonly RememberedMatch[]) => Told<null>;
  /** Counts what an earlier process left, and drops what is not kept any longer. */
  readonly tidy: (keeping: Omit<BatchCall, 'source' | 'bytes' | 'asked' | 'key'>) => Promise<Told<null>>;
  readonly close: (nothing: null) => null;
};

/** A value, or what is the matter with the file. */
export type Told<Value> =
  | { readonly kind: 'told'; readonly value: Value }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly message: string };

/** Functions that are counted in one transaction: other writers wait no longer than some milliseconds. */
const functionsPerSlice = 1000;
const repetitionMs = 30_000;

export function createTelemetryService(file: string, clock: Clock) {
  let opened: CallStore | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const store = (): CallStore => {
    opened ??= callStore(openBeside(file));
    return opened;
  };
  /** One after the other: what one has begun in slices, none comes between. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Told<Value>> => {
    const mine = turn.then(() => told(work));
    // One that fails stands in nobody's way.
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    take: (batch: BatchCall) => inTurn(() => taken(store(), batch, clock)),
    remember: (seen: readonly RememberedMatch[]) =>
      told(() => {
        store().remember(seen);
        return null;
      }),
    tidy: (keeping: Parameters<TelemetryCalls['tidy']>[0]) =>
      inTurn(async () => {
        for (const { digest, takenAt, counted, body } of store().unfinished()) {
          const { bytes, ...batch } = unpacked(body);
          const inflated = decodeBody(bytes, batch.source.coding, keeping.limitBytes);
          const decoded = decodeBatch(batch.source, inflated, { ...keeping, nowMs: takenAt });
          await counting(store(), { ...keeping, ...batch, bytes }, decoded, { digest, takenAt, from: counted });
        }
        while (store().drop(clock.now().getTime(), keeping)) await passed();
        return null;
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

/** Counts a batch, unless it has been; acknowledged is what is on the device. Throws `Fault` for one that can't be read. */
async function taken(store: CallStore, batch: BatchCall, clock: Clock): Promise<BatchTaken> {
  const takenAt = clock.now().getTime();
  const inflated = decodeBody(batch.bytes, batch.source.coding, batch.limitBytes);
  const said = digestOf(batch, 'said', hash('sha256', inflated, 'hex'));
  const isNamed = batch.key !== undefined || batch.source.kind === 'metrics';
  const known = store.batch(batch.key === undefined ? said : digestOf(batch, 'named', batch.key));
  if (known?.isWhole && isNamed) return repeated(known);
  const decoded = decodeBatch(batch.source, inflated, { ...batch, nowMs: takenAt });
  const name = batch.key ?? decoded.name;
  const digest = name === '' ? said : digestOf(batch, 'named', name);
  const before = name === '' ? known : store.batch(digest);
  // Without a name and a time one that comes again so soon is the same; later it may be another of the same.
  const isSame = name !== '' || decoded.isTimed || (before !== undefined && takenAt - before.takenAt < repetitionMs);
  if (before?.isWhole && isSame) return repeated(before);
  if (decoded.functions.length > functionsPerSlice) {
    store.keep(digest, { takenAt, counted: 0, body: packed(batch) });
  }
  return counting(store, batch, decoded, { digest, takenAt, from: 0 });
}

function repeated({ outcome }: StoredBatch): BatchTaken {
  return { ...(JSON.parse(outcome) as BatchTaken), isRepeated: true, fresh: [] };
}

interface Position {
  readonly digest: Uint8Array;
  readonly takenAt: number;
  readonly from: number;
}

async function counting(
  store: CallStore,
  { asked }: BatchCall,
  { functions, outcome }: DecodedBatch,
  { digest, takenAt, from }: Position,
): Promise<BatchTaken> {
  const fresh: number[] = [];
  const answer: BatchTaken = { ...outcome, isRepeated: false, fresh: [] };
  let at = from;
  do {
    const slice = functions.slice(at, at + functionsPerSlice);
    at += slice.length;
    const isLast = at >= functions.length;
    const of = { digest, functions: slice, asked, counted: at, takenAt };
    fresh.push(...store.count({ ...of, outcome: isLast ? JSON.stringify(answer) : undefined }));
    if (!isLast) await passed();
  } while (at < functions.length);
  return { ...answer, fresh };
}

function digestOf({ source, asked }: BatchCall, by: 'said' | 'named', text: string): Uint8Array {
  return hash('sha256', [source.kind, asked, by, text].join('\0'), 'buffer').subarray(0, 16);
}

/** All that it takes to count a batch again, from the place that was reached. */
function packed({ source, asked, key, bytes }: BatchCall): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ source, asked, key })}\n`), bytes]);
}

function unpacked(body: Uint8Array): Pick<BatchCall, 'source' | 'asked' | 'key' | 'bytes'> {
  const end = body.indexOf(10);
  const head = JSON.parse(Buffer.from(body.subarray(0, end)).toString()) as Pick<BatchCall, 'source' | 'asked'>;
  return { key: undefined, ...head, bytes: Uint8Array.from(body.subarray(end + 1)) };
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
