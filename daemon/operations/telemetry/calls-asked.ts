import { Fault } from '../../../client/protocol/faults.ts';
import type { Mapped } from '../../analysis/usage/service-map.ts';
import { openDaemonReading } from '../../store/daemon-file.ts';
import { publicTroubles, StoreError } from '../../store/store-faults.ts';
import { type CallReader, callReader } from '../../store/telemetry/call-reader.ts';

/** Where what is known of calls lies, and which services are of the repository asked about; plain values. */
export interface CallsAsked {
  /** `daemon.db`. */
  readonly file: string;
  readonly repoUid: string;
  readonly services: readonly AskedService[];
  /** Those that may be of it for all that is known; undefined in a question about such services themselves. */
  readonly strangers?: StrangeServices;
  /** So many functions of each service are looked at, the most called; all where nothing is said. */
  readonly mostOfEach?: number;
  /** What is never claimed to be dead: globs of paths, and names in which `*` is any text. */
  readonly excludePaths: readonly string[];
  readonly excludeNames: readonly string[];
  /** Changes with whatever is counted, and with what services belong where. */
  readonly version: string;
}

/** Ids. */
export interface StrangeServices {
  /** Of no repository that is known. */
  readonly nowhere: readonly number[];
  /** Assumed to be of another, where perhaps nothing of them matches. */
  readonly elsewhere: readonly number[];
}

export interface AskedService {
  readonly id: number;
  readonly name: string;
  /** Folder in which its code lies; '' for all of the repository. */
  readonly folder: string;
  readonly by: Mapped['by'];
}

/** One for each file, for as long as the thread lives. */
const opened = new Map<string, CallReader>();

/** Whatever it is asked throws `storageFailed` where the file fails it: whoever reads an index beside it must not take that for the index’s trouble. */
export function callsAt(file: string): CallReader {
  const known = opened.get(file) ?? ofCalls(() => readerOf(openDaemonReading(file)));
  opened.set(file, known);
  return known;
}

function readerOf({ all, get }: ReturnType<typeof openDaemonReading>): CallReader {
  return callReader({
    all: <Row>(sql: string, ...parameters: unknown[]) => ofCalls(() => all<Row>(sql, ...parameters)),
    get: <Row>(sql: string, ...parameters: unknown[]) => ofCalls(() => get<Row>(sql, ...parameters)),
  });
}

function ofCalls<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { reason, words } = publicTroubles[error.trouble];
    throw new Fault('storageFailed', `What is known of calls can’t be read now: ${words}`, {
      details: { reason: reason.replace('index', 'calls') },
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}
