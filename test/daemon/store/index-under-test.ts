import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { type IndexWriter, openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import type { Published } from '../../../daemon/store/publication.ts';
import type { ReferenceQuery } from '../../../daemon/store/reference-rows.ts';
import { StoreError, type StoreTrouble } from '../../../daemon/store/store-faults.ts';
import { type HandMade, type Made, made, symbolTarget } from '../../support/synthetic.ts';

/** An index file of its own for each test of a file, and its writer. */
export interface IndexUnderTest {
  file: string;
  writer: IndexWriter;
  publish(documents: readonly (HandMade | Made)[], removed?: readonly string[], at?: number, key?: string): Published;
  reading<T>(work: (reader: IndexReader) => T): T;
}

export function indexUnderTest(): IndexUnderTest {
  let folder: string;
  const index = {
    publish(documents, removed = [], at = 0, key = 'r') {
      const all = documents.map(one => ('fact' in one ? one : made(one)));
      return index.writer.publish(key, {
        facts: all.map(one => one.fact),
        entries: all.map(one => one.entry),
        removed: removed as RepoPath[],
        linked: [linkBatch(all.map(one => one.linked))],
        snapshotId: `sha256:${at}:${all.length}`,
        publishedAt: at,
      });
    },
    reading(work) {
      const reader = openIndexReader(index.file);
      try {
        return work(reader);
      } finally {
        reader.close();
      }
    },
  } as IndexUnderTest;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
    index.file = join(folder, 'index.db');
    index.writer = openIndexWriter(index.file, { newEpoch: () => 'epoch' });
  });
  afterEach(() => {
    index.writer.close();
    rmSync(folder, { recursive: true });
  });
  return index;
}

export const everything: ReferenceQuery = {
  includeTests: true,
  includeDefinition: false,
  merge: 'prefer-first',
  offset: 0,
  limit: 100,
};
export const minute = 60_000;

export const hashOf = (path: string, tail: string): string => symbolHash(path as ScopeKey, tail);

export const library: HandMade = {
  path: 'src/lib.ts',
  definitions: [{ name: 'open' }, { name: 'close', line: 4 }],
  text: 'open\n\n\n\nclose\n',
};
export const user: HandMade = {
  path: 'src/use.ts',
  definitions: [{ name: 'main' }],
  uses: [
    { name: 'open', line: 2, column: 6, enclosing: 0, target: symbolTarget('src/lib.ts', 'open().', 0.95) },
    { name: 'open', line: 1, enclosing: 0, target: symbolTarget('src/lib.ts', 'open().') },
  ],
  text: 'main\r\nopen()\r\n  then open()\r\n',
};

export function isTrouble(trouble: StoreTrouble) {
  return (error: unknown): boolean => error instanceof StoreError && error.trouble === trouble;
}
