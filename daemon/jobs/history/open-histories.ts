import { rmSync } from 'node:fs';
import { Fault } from '../../../client/protocol/faults.ts';
import { type HistoryWriter, openHistoryWriter } from '../../store/history/history-writer.ts';
import { isBeyondRepair, makeFolderOf, quarantineFile } from '../../store/quarantine.ts';
import { StoreError } from '../../store/store-faults.ts';
import { storageFault } from '../storage-fault.ts';

/** History files, opened at first use. */
export interface OpenHistories {
  /** Runs `work` over a file; one that proves damaged is put aside. Rejects with Fault `storageFailed`. */
  use<T>(file: string, work: HistoryWork<T>): Promise<T>;
  /** The same, behind all that was asked for in turn before. */
  inTurn<T>(file: string, work: HistoryWork<T>): Promise<T>;
  /** Closes a file and puts it aside. */
  discard(file: string): void;
  release(file: string): void;
  close(): void;
}

/** `renew` puts a new file in the place of the one that is worked over: what else runs over that is cancelled. */
export type HistoryWork<T> = (writer: HistoryWriter, renew: () => HistoryWriter) => Promise<T>;

export function openHistories(nowMs: () => number): OpenHistories {
  const open = new Map<string, HistoryWriter>();
  const turns = new Map<string, Promise<unknown>>();
  const release = (file: string): void => {
    open.get(file)?.close();
    open.delete(file);
  };
  const discard = (file: string): void => {
    release(file);
    quarantineFile(file, nowMs());
  };
  const opened = (file: string): HistoryWriter => {
    const known = open.get(file);
    if (known !== undefined) return known;
    makeFolderOf(file);
    let writer: HistoryWriter;
    try {
      writer = openHistoryWriter(file);
    } catch (error) {
      if (!isDamage(error, file)) throw error;
      quarantineFile(file, nowMs());
      writer = openHistoryWriter(file);
    }
    open.set(file, writer);
    return writer;
  };
  const use = async <T>(file: string, work: HistoryWork<T>): Promise<T> => {
    let writer: HistoryWriter | undefined;
    const renew = (): HistoryWriter => {
      release(file);
      for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
      writer = opened(file);
      return writer;
    };
    try {
      writer = opened(file);
      return await work(writer, renew);
    } catch (error) {
      if (writer !== undefined && open.get(file) !== writer)
        throw new Fault('cancelled', 'The history is being read anew', { cause: error });
      if (!(error instanceof StoreError)) throw error;
      if (isDamage(error, file)) discard(file);
      else release(file);
      throw storageFault(error);
    }
  };
  return {
    use,
    inTurn: (file, work) => {
      const before = turns.get(file) ?? Promise.resolve();
      const turn = before.then(() => use(file, work));
      const settled = turn.catch(() => {});
      turns.set(file, settled);
      void settled.then(() => {
        if (turns.get(file) === settled) turns.delete(file);
      });
      return turn;
    },
    discard,
    release,
    close: () => {
      for (const file of [...open.keys()]) release(file);
    },
  };
}

/** It can be read off git again. */
function isDamage(error: unknown, file: string): boolean {
  return error instanceof StoreError && (error.trouble === 'newerSchema' || isBeyondRepair(error, file));
}
