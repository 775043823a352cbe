import { StoreError } from '../store/store-faults.ts';
import { Transferred } from '../workers/port.ts';
import type { ReadAnswer } from '../workers/read-pool.ts';
import { openReaders } from './open-readers.ts';
import { type Asked, answerReferences, type ReferencesInput } from './symbol-answers.ts';
import { type SearchInput, symbolSearch } from './symbol-search.ts';

/** Facts and texts that the worker keeps in memory for long lists of a file, and facts for its searches. */
const cacheBytes = 24 * 1024 * 1024;

/** What the read worker serves. */
export function createReadService() {
  const readers = openReaders(cacheBytes, reader => ({ reader, search: symbolSearch(reader) }));
  const answer = (asked: Asked, work: (kept: ReturnType<typeof readers.of>) => unknown): Reply => {
    try {
      return encoded(readers.guard(asked.repo.indexFile, work));
    } catch (error) {
      if (error instanceof StoreError) return { kind: 'trouble', trouble: error.trouble, message: error.message };
      throw error;
    }
  };
  return {
    search: ({ asked, input }: { readonly asked: Asked; readonly input: SearchInput }) =>
      answer(asked, ({ search }) => search.answer(asked, input)),
    references: ({ asked, input }: { readonly asked: Asked; readonly input: ReferencesInput }) =>
      answer(asked, ({ reader }) => answerReferences(reader, asked, input)),
    warm: (asked: Asked) => answer(asked, ({ search }) => search.warm(asked)),
    forget: (indexFile: string) => readers.forget(indexFile),
  };
}

type Reply = ReadAnswer | Transferred<ReadAnswer>;

function encoded(output: unknown): Reply {
  if (output === undefined) return { kind: 'absent' };
  const bytes = new TextEncoder().encode(JSON.stringify(output));
  return new Transferred<ReadAnswer>({ kind: 'encoded', bytes }, [bytes.buffer]);
}
