import { type IndexReader, openIndexReader } from '../store/index-reader.ts';
import { StoreError } from '../store/store-faults.ts';

/** Connections to index files, opened at first use and kept. */
export interface OpenReaders<Kept> {
  of(indexFile: string): Kept;
  /** Closes what is kept of a file; tells whether anything was. */
  forget(indexFile: string): boolean;
  close(): void;
}

const filesKept = 32;

/** `make` derives what is kept beside a connection. A file that proves corrupt is let go, so that its successor is opened. */
export function openReaders<Kept>(
  cacheBytes: number,
  make: (reader: IndexReader) => Kept,
): OpenReaders<Kept> & { readonly guard: <T>(indexFile: string, work: (kept: Kept) => T) => T } {
  const open = new Map<string, { readonly reader: IndexReader; readonly kept: Kept }>();
  const forget = (indexFile: string): boolean => {
    open.get(indexFile)?.reader.close();
    return open.delete(indexFile);
  };
  const of = (indexFile: string): Kept => {
    const known = open.get(indexFile);
    if (known !== undefined) return known.kept;
    const reader = openIndexReader(indexFile, { cacheBytes });
    const entry = { reader, kept: make(reader) };
    open.set(indexFile, entry);
    if (open.size > filesKept) for (const oldest of [...open.keys()].slice(0, 1)) forget(oldest);
    return entry.kept;
  };
  return {
    of,
    forget,
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
