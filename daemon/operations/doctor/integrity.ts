import type { SuggestedFix } from '../../../client/protocol/faults.ts';
import { openIndexReader } from '../../store/index-reader.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { Finding } from '../finding.ts';
import type { ServedRepository } from '../served-repository.ts';
import type { Installation } from './installation.ts';
import { found } from './looking.ts';

const check = 'index.integrity';

/** Whether the index can be read just now: its file may go, or be damaged, while it is served. */
export function integrity(
  repository: ServedRepository,
  onDamage: Installation['onDamage'],
  fixes: readonly SuggestedFix[],
): Promise<readonly Finding[]> {
  return found(
    check,
    () => {
      const { record, failure, snapshot } = repository;
      if (failure !== undefined) return { check, status: 'fail', message: failure, fixes };
      if (snapshot !== undefined) read(repository, onDamage);
      return { check, status: 'pass', message: record.indexFile };
    },
    fixes,
  );
}

/** Whoever looks after the file hears of its trouble, as from any question that meets it. */
function read({ record }: ServedRepository, onDamage: Installation['onDamage']): void {
  try {
    const reader = openIndexReader(record.indexFile);
    try {
      reader.snapshot(record.worktreeKey);
    } finally {
      reader.close();
    }
  } catch (error) {
    if (error instanceof StoreError) onDamage(record.id, error);
    throw error;
  }
}
