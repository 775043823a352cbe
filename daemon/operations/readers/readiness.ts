import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { listedInSteps } from '../index-server/listed.ts';
import type { ShownAs } from '../index-server/shown.ts';
import type { SymbolSearch } from '../symbols/search.ts';
import type { OpenReaders } from './open-readers.ts';

/**
 * Makes what questions about a snapshot begin with: of a million symbols that takes seconds, in which others are answered.
 * Undefined where all of it is there, or is made in no time. Nothing rejects: trouble shows itself to whoever asks.
 */
export interface Readiness {
  /** What lists and searches begin with. */
  of(place: SnapshotOfFile): Promise<void> | undefined;
  /** And the order in which an index server lists it. */
  asListed(place: SnapshotOfFile, as: ShownAs): Promise<void> | undefined;
}

export interface SnapshotOfFile {
  readonly indexFile: string;
  readonly key: string;
  readonly seq: number;
}

interface Kept {
  readonly reader: IndexReader;
  readonly search: SymbolSearch;
}

type Steps = Generator<void, void>;

/** So long others wait for their turn. */
const turnMs = 5;

export function readiness(
  readers: Pick<OpenReaders<Kept>, 'guard'>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): Readiness {
  const making = new Map<string, Promise<void>>();
  /** Goes on for a turn; tells whether that was the last. */
  const goOn = (indexFile: string, steps: Steps): boolean =>
    readers.guard(indexFile, () => {
      const endMs = monotonicMs() + turnMs;
      do if (steps.next().done === true) return true;
      while (monotonicMs() < endMs);
      return false;
    });
  const rest = async (indexFile: string, steps: Steps): Promise<void> => {
    do await nextTurn();
    while (!goOn(indexFile, steps));
  };
  /** One at a time of each thing, whoever asks for it. */
  const make = (indexFile: string, what: string, begin: (kept: Kept) => Steps): Promise<void> | undefined => {
    const place = `${indexFile}\0${what}`;
    const known = making.get(place);
    if (known !== undefined) return known;
    try {
      const steps = readers.guard(indexFile, begin);
      if (goOn(indexFile, steps)) return undefined;
      const made = rest(indexFile, steps)
        .catch(() => {})
        .finally(() => making.delete(place));
      making.set(place, made);
      return made;
    } catch {
      return undefined;
    }
  };
  const of: Readiness['of'] = ({ indexFile, key, seq }) => make(indexFile, key, kept => toSearch(kept, key, seq));
  return {
    of,
    asListed: (place, as) => {
      const { indexFile, key, seq } = place;
      const inOrder = (): Promise<void> | undefined =>
        make(indexFile, JSON.stringify([key, seq, as]), ({ reader }) => listedInSteps(reader, key, seq, as));
      const first = of(place);
      return first === undefined ? inOrder() : first.then(inOrder);
    },
  };
}

function* toSearch({ reader, search }: Kept, key: string, seq: number): Steps {
  const isFirst = yield* reader.readying(key, seq);
  const catalogue = isFirst ? reader.catalogue(key, seq) : undefined;
  if (catalogue !== undefined) yield* search.readying(catalogue);
}
