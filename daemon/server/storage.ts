import { statSync } from 'node:fs';
import type { Places } from '../../client/paths.ts';
import type { Storage } from '../operations/process.ts';
import type { ServedRepository } from '../operations/served-repository.ts';
import { catalogueBytes } from '../store/catalogue/file.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';
import { type IndexReader, openIndexReader } from '../store/index-reader.ts';
import { bytesBeside } from '../store/retired-files.ts';
import type { TakenDelta } from '../store/taken-deltas.ts';

export function storageOf(
  places: Places,
  database: Pick<DaemonDatabase, 'oldestSync' | 'lastSync'>,
  repositories: readonly ServedRepository[],
  nowMs: number,
): Storage {
  const indexFiles = [...new Set(repositories.map(({ record }) => record.indexFile))];
  const snapshots = repositories.map(repository => retainedOf(repository, nowMs));
  const journals = repositories.map(({ registered: { uid } }) => ({
    oldest: database.oldestSync(uid),
    newest: database.lastSync(uid),
  }));
  return {
    databaseBytes: sum([seen(() => fileBytes(places.daemonDb)), ...indexFiles.map(indexBytes)]),
    snapshotCount: sum(snapshots.map(({ count }) => count)),
    oldestSnapshotAt: earliest(snapshots.map(({ oldestAt }) => oldestAt)),
    journalEntries: sum(journals.map(({ oldest, newest }) => (newest?.seq ?? 0) - (oldest?.seq ?? 1) + 1)),
    oldestJournalAt: earliest(journals.map(({ oldest }) => oldest?.publishedAt)),
    isCompactionPending: snapshots.some(({ expired }) => expired > 0),
  };
}

/** What an index file takes with its log, with the catalogues beside it, and with what it replaced. */
export function indexBytes(indexFile: string): number {
  return seen(() => fileBytes(indexFile) + catalogueBytes(indexFile) + bytesBeside(indexFile));
}

/** A folder that keeps us out has nothing to add: its trouble is told elsewhere, and others have theirs all the same. */
function seen(bytes: () => number): number {
  try {
    return bytes();
  } catch {
    return 0;
  }
}

/** Of a database with its log. */
function fileBytes(file: string): number {
  return ['', '-wal'].reduce((sum, part) => sum + (statSync(file + part, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** What an index file holds, without the pages that wait for use. */
export function usedBytes(indexFile: string): number {
  return fromIndex(indexFile, 0, reader => reader.usedBytes());
}

export function takenDeltasOf({ record }: ServedRepository): readonly TakenDelta[] {
  return fromIndex(record.indexFile, [], reader => reader.takenDeltas(record.worktreeKey));
}

function retainedOf({ record, snapshot }: ServedRepository, nowMs: number) {
  const none = { count: 0, oldestAt: undefined, expired: 0 };
  if (snapshot === undefined) return none;
  return fromIndex(record.indexFile, none, reader => reader.retained(record.worktreeKey, nowMs));
}

/** An index that can't be read just now adds nothing: its trouble is told elsewhere. */
function fromIndex<T>(indexFile: string, otherwise: T, ask: (reader: IndexReader) => T): T {
  try {
    const reader = openIndexReader(indexFile);
    try {
      return ask(reader);
    } finally {
      reader.close();
    }
  } catch {
    return otherwise;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter(time => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
