import type { Range } from '../../model/facts.ts';
import { compareRanges } from './compare-ranges.ts';

interface Whole {
  readonly slot: number;
  readonly range: Range;
}

/** Which definition has a place in it: all are added first, then places are asked for in their order. */
export class EnclosingSlots {
  readonly #wholes: Whole[] = [];
  /** Those that began before the place last asked for; the innermost is the last that isn't over. */
  readonly #open: Whole[] = [];
  #next = -1;

  add(slot: number, range: Range): void {
    this.#wholes.push({ slot, range });
  }

  /** The innermost, -1 where there is none. */
  around(line: number, column: number): number {
    if (this.#next < 0) {
      this.#wholes.sort((a, b) => compareRanges(a.range, b.range));
      this.#next = 0;
    }
    while (this.#next < this.#wholes.length && !isBehind(this.#wholes[this.#next]!.range, line, column))
      this.#open.push(this.#wholes[this.#next++]!);
    let innermost = this.#open.at(-1);
    while (innermost !== undefined && isOver(innermost.range, line, column)) {
      this.#open.pop();
      innermost = this.#open.at(-1);
    }
    return innermost?.slot ?? -1;
  }
}

function isBehind({ startLine, startColumn }: Range, line: number, column: number): boolean {
  return startLine > line || (startLine === line && startColumn > column);
}

function isOver({ endLine, endColumn }: Range, line: number, column: number): boolean {
  return endLine < line || (endLine === line && endColumn <= column);
}
