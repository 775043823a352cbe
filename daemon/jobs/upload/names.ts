import { ByteStrings, longestBytes } from '../../extract/scip/byte-strings.ts';
import { tooLarge } from '../../extract/scip/problem.ts';
import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';

/** So many names are sorted at once. */
const portion = 128 * 1024;

/** Distinct names, numbered as they come. */
export class UploadNames {
  readonly #texts: ByteStrings;
  readonly #bytes = Buffer.alloc(longestBytes);
  readonly #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);

  constructor(memory: ScratchMemory) {
    this.#texts = new ByteStrings(memory);
  }

  /** The number of a name, which takes no more than `longestBytes`. */
  add(name: string): number {
    const number = this.#texts.add(0, this.#view, 0, this.#bytes.write(name));
    if (number < 0) throw tooLarge('Names made to be slow to tell apart', 0);
    return number;
  }

  /** All of them, some at a time and these in order; once all are taken, `rows` has the row of each number, from 1. */
  *inRows(rows: PagedNumbers): Generator<readonly string[]> {
    rows.resize(this.#texts.count);
    for (let first = 0; first < this.#texts.count; first += portion) {
      const count = Math.min(portion, this.#texts.count - first);
      const texts = Array.from({ length: count }, (_, at) => this.#texts.text(first + at));
      const order = Array.from(texts.keys()).sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
      order.forEach((at, row) => {
        rows.set(first + at, first + row + 1);
      });
      yield order.map(at => texts[at]!);
    }
  }
}
