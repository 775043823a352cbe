import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexReader } from '../../store/index-reader.ts';
import type { SymbolSearch } from '../symbols/search.ts';
import type { OpenReaders } from './open-readers.ts';

/** Makes what lists and searches of a snapshot begin with: of a million symbols that takes seconds, in which others are answered. */
export interface Readiness {
  /** Undefined where all of it is there. Never rejects: trouble shows itself to whoever asks. */
  of(indexFile: string, key: string, seq: number): Promise<void> | undefined;
}

interface Kept {
  readonly reader: IndexReader;
  readonly search: SymbolSearch;
}

export function readiness(readers: Pick<OpenReaders<Kept>, 'guard'>): Readiness {
  const making = new Map<string, Promise<void>>();
  const stepIn = (indexFile: string, steps: Generator<void, void>): boolean =>
    readers.guard(indexFile, () => steps.next()).done === true;
  const make = async (indexFile: string, steps: Generator<void, void>): Promise<void> => {
    do await nextTurn();
    while (!stepIn(indexFile, steps));
  };
  return {
    of: (indexFile, key, seq) => {
      const place = `${indexFile}\0${key}`;
      const known = making.get(place);
      if (known !== undefined) return known;
      try {
        const steps = readers.guard(indexFile, kept => stepsOf(kept, key, seq));
        if (stepIn(indexFile, steps)) return undefined;
        const made = make(indexFile, steps)
          .catch(() => {})
          .finally(() => making.delete(place));
        making.set(place, made);
        return made;
      } catch {
        return undefined;
      }
    },
  };
}

function* stepsOf({ reader, search }: Kept, key: string, seq: number): Generator<void, void> {
  const isFirst = yield* reader.readying(key, seq);
  const catalogue = isFirst ? reader.catalogue(key, seq) : undefined;
  if (catalogue !== undefined) yield* search.readying(catalogue);
}
