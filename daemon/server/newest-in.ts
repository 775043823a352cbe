import { statSync } from 'node:fs';
import type { RepositoryRecord } from '../model/repository.ts';
import { translated } from '../store/connection.ts';
import { openIndexReader } from '../store/index-reader.ts';
import type { PublishedIn } from './history.ts';

/** The newest publication in an index file; undefined without the file or without any. Throws `StoreError`. */
export function newestIn(record: Pick<RepositoryRecord, 'indexFile' | 'worktreeKey'>): PublishedIn | undefined {
  if (translated(() => statSync(record.indexFile, { throwIfNoEntry: false })) === undefined) return undefined;
  const reader = openIndexReader(record.indexFile);
  try {
    const snapshot = reader.snapshot(record.worktreeKey);
    return snapshot && { snapshot, epoch: reader.epoch };
  } finally {
    reader.close();
  }
}
