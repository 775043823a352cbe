import type { ScipOccurrences } from './occurrences.ts';
import type { PagedNumbers, ScratchMemory } from './scratch-memory.ts';

/** Occurrences of a document, wherever they are kept. */
export interface KeptOccurrences {
  read(): ScipOccurrences;
}

const columns = 6;

/** Keeps the occurrences of documents that the reader has left behind, in scratch memory. */
export class OccurrenceShelf {
  readonly #numbers: PagedNumbers;

  constructor(memory: ScratchMemory) {
    this.#numbers = memory.numbers();
  }

  put(occurrences: ScipOccurrences): KeptOccurrences {
    const { count, startLine, startColumn, endLine, endColumn, roles, symbol, enclosing } = occurrences;
    const numbers = this.#numbers;
    const start = numbers.append(startLine, startColumn, endLine, endColumn, roles, symbol, enclosing);
    const length = numbers.length - start;
    return { read: () => occurrencesIn(numbers.slice(start, length), count) };
  }
}

function occurrencesIn(numbers: Int32Array, count: number): ScipOccurrences {
  const column = (part: number): Int32Array => numbers.subarray(part * count, (part + 1) * count);
  return {
    count,
    startLine: column(0),
    startColumn: column(1),
    endLine: column(2),
    endColumn: column(3),
    roles: column(4),
    symbol: column(5),
    enclosing: numbers.subarray(columns * count),
  };
}
