import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { referenceKinds } from '../../model/facts-format.ts';
import type { ExtraReference, PreciseContent } from '../../model/precise.ts';

const headerWords = 5;
const extraWords = 6;

/** Keeps what an indexer says of documents in scratch memory until it is published. */
export class SaidShelf {
  readonly #numbers: PagedNumbers;

  constructor(memory: ScratchMemory) {
    this.#numbers = memory.numbers();
  }

  /** Returns what reads it again. */
  put({ referenceCount, occurrences, covered, extras, named }: PreciseContent): () => PreciseContent {
    const numbers = this.#numbers;
    const start = numbers.append(
      [referenceCount, occurrences.length, covered.length, extras.length, named.length],
      ...[occurrences, covered, extras.flatMap(wordsOf), named],
    );
    const length = numbers.length - start;
    return () => contentOf(numbers.slice(start, length));
  }
}

function wordsOf({ kind, line, column, endLine, endColumn, enclosing }: ExtraReference): readonly number[] {
  return [referenceKinds.indexOf(kind), line, column, endLine, endColumn, enclosing];
}

function contentOf(words: Int32Array): PreciseContent {
  const [referenceCount, occurrences, covered, extras] = words as unknown as readonly [number, number, number, number];
  const coveredAt = headerWords + occurrences;
  const extrasAt = coveredAt + covered;
  const namedAt = extrasAt + extras * extraWords;
  return {
    referenceCount,
    occurrences: words.subarray(headerWords, coveredAt),
    covered: words.subarray(coveredAt, extrasAt),
    extras: Array.from({ length: extras }, (_, at) => extraAt(words, extrasAt + at * extraWords)),
    named: words.subarray(namedAt),
  };
}

function extraAt(words: Int32Array, at: number): ExtraReference {
  return {
    kind: referenceKinds[words[at]!]!,
    line: words[at + 1]!,
    column: words[at + 2]!,
    endLine: words[at + 3]!,
    endColumn: words[at + 4]!,
    enclosing: words[at + 5]!,
  };
}
