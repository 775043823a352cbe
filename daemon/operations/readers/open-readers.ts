import { type Clock, every } from '../../clock.ts';
import { type IndexReader, openIndexReader } from '../../store/index-reader.ts';
import { StoreError } from '../../store/store-faults.ts';

/** Connections to index files, opened at first use and closed when nobody has used them for a while. */
export interface OpenReaders<Kept> {
  of(indexFile: string): Kept;
  /** As `of`; until `leave` is called it stays open, but for a file that is let go. */
  hold(indexFile: string): { readonly kept: Kept; readonly leave: () => void };
  /** Runs `work`; a file that proves corrupt is let go, so that its successor is opened. */
  guard<T>(indexFile: string, work: (kept: Kept) => T): T;
  has(indexFile: string): boolean;
  all(): readonly Kept[];
  /** Closes what is kept of a file; tells whether anything was. */
  forget(indexFile: string): boolean;
  close(): void;
}

export interface ReadersOptions {
  /** Facts and texts that each connection may keep in memory. */
  readonly cacheBytes: number;
  readonly clock: Clock;
}

const filesKept = 8;
/** A connection that is not used between two looks is closed at the second. */
const betweenLooksMs = 30_000;

interface Open<Kept> {
  readonly reader: IndexReader;
  readonly kept: Kept;
  isUsed: boolean;
  holders: number;
}

/** `make` derives what is kept beside a connection. */
export function openReaders<Kept>(
  { cacheBytes, clock }: ReadersOptions,
  make: (reader: IndexReader) => Kept,
): OpenReaders<Kept> {
  /** The one used last is last. */
  const open = new Map<string, Open<Kept>>();
  let stopLooking: (() => void) | undefined;

  const forget = (indexFile: string): boolean => {
    open.get(indexFile)?.reader.close();
    const wasOpen = open.delete(indexFile);
    if (open.size === 0) {
      stopLooking?.();
      stopLooking = undefined;
    }
    return wasOpen;
  };
  const closeUnused = (): void => {
    for (const [file, entry] of [...open]) {
      if (!entry.isUsed && entry.holders === 0) forget(file);
      entry.isUsed = false;
    }
  };
  const opened = (indexFile: string): Open<Kept> => {
    const reader = openIndexReader(indexFile, { cacheBytes });
    stopLooking ??= every(clock, betweenLooksMs, closeUnused);
    return { reader, kept: make(reader), isUsed: true, holders: 0 };
  };
  const used = (indexFile: string): Open<Kept> => {
    const entry = open.get(indexFile) ?? opened(indexFile);
    entry.isUsed = true;
    open.delete(indexFile);
    open.set(indexFile, entry);
    if (open.size > filesKept) {
      const oldest = [...open].find(([, { holders }]) => holders === 0);
      if (oldest !== undefined && oldest[1] !== entry) forget(oldest[0]);
    }
    return entry;
  };
  const of = (indexFile: string): Kept => used(indexFile).kept;
  return {
    of,
    hold: indexFile => {
      const entry = used(indexFile);
      entry.holders++;
      return { kept: entry.kept, leave: () => void entry.holders-- };
    },
    forget,
    has: indexFile => open.has(indexFile),
    all: () => [...open.values()].map(({ kept }) => kept),
    close: () => {
      for (const file of [...open.keys()]) forget(file);
    },
    guard: (indexFile, work) => {
      try {
        return work(of(indexFile));
      } catch (error) {
        if (error instanceof StoreError) forget(indexFile);
        throw error;
      }
    },
  };
}
