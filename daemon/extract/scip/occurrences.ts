/**
 * The occurrences of a document as columns, sorted by where they begin, then by where they end; nothing is in them twice.
 * Lines and columns are 0-based, ends exclusive; what a column counts the document's `positionEncoding` says.
 */
export interface ScipOccurrences {
  readonly count: number;
  readonly startLine: Int32Array;
  readonly startColumn: Int32Array;
  readonly endLine: Int32Array;
  readonly endColumn: Int32Array;
  /** Bits of `symbolRole`. */
  readonly roles: Int32Array;
  /** The number of a global symbol in the index's table; of one local to the document, below 0. */
  readonly symbol: Int32Array;
  /** The range of the whole of what is defined or the expression used here, as rows of `enclosingWidth`; by occurrence, ascending. */
  readonly enclosing: Int32Array;
}

export const symbolRole = {
  definition: 1,
  import: 2,
  write: 4,
  read: 8,
  generated: 16,
  test: 32,
  forwardDefinition: 64,
} as const;

/** Occurrence, start line, start column, end line, end column. */
export const enclosingWidth = 5;

/** start line, start column, end line, end column, symbol, roles: what makes an occurrence another one. */
const rowWidth = 6;

/** Where the occurrences of one document are gathered, and made into columns. Its memory serves the next one. */
export class OccurrenceRows {
  #rows = new Int32Array(rowWidth * 1024);
  #count = 0;
  /** Rows as in `ScipOccurrences`, with the occurrence's number as it came. */
  #enclosing: number[] = [];
  #isSorted = true;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
    this.#enclosing = [];
    this.#isSorted = true;
  }

  /** `range` has start line, start column, end line, end column. */
  add(range: ArrayLike<number>, symbol: number, roles: number): void {
    const at = this.#count * rowWidth;
    if (at === this.#rows.length) this.#widen();
    const rows = this.#rows;
    rows[at] = range[0]!;
    rows[at + 1] = range[1]!;
    rows[at + 2] = range[2]!;
    rows[at + 3] = range[3]!;
    rows[at + 4] = symbol;
    rows[at + 5] = roles;
    if (this.#isSorted && this.#stoodBefore(at)) return;
    this.#count++;
  }

  /** Whether the row at `at` is one of those with its range before it; sees on the way whether it is in order. */
  #stoodBefore(at: number): boolean {
    for (let before = at - rowWidth, most = 8; before >= 0; before -= rowWidth, most--) {
      const order = compareRanges(this.#rows, before, at);
      if (order > 0 || most === 0) this.#isSorted = false;
      if (order !== 0 || most === 0) return false;
      if (this.#rows[before + 4] === this.#rows[at + 4] && this.#rows[before + 5] === this.#rows[at + 5]) return true;
    }
    return false;
  }

  /** Of the occurrence added last; of several, the first counts. */
  addEnclosing(range: ArrayLike<number>): void {
    const number = this.#count - 1;
    if (this.#enclosing.at(-enclosingWidth) === number) return;
    this.#enclosing.push(number, range[0]!, range[1]!, range[2]!, range[3]!);
  }

  columns(): ScipOccurrences {
    if (this.#isSorted) return columnsOf(this.#rows, undefined, this.#count, Int32Array.from(this.#enclosing));
    const { order, newNumbers } = distinctInOrder(this.#rows, this.#count);
    return columnsOf(this.#rows, order, order.length, renumbered(this.#enclosing, newNumbers));
  }

  #widen(): void {
    const rows = new Int32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}

/** The occurrences of two documents of one path, symbols numbered alike: each once. */
export function mergeOccurrences(one: ScipOccurrences, other: ScipOccurrences): ScipOccurrences {
  const rows = new OccurrenceRows();
  for (const part of [one, other]) {
    let enclosing = 0;
    for (let at = 0; at < part.count; at++) {
      const range = [part.startLine[at]!, part.startColumn[at]!, part.endLine[at]!, part.endColumn[at]!];
      rows.add(range, part.symbol[at]!, part.roles[at]!);
      for (; part.enclosing[enclosing] === at; enclosing += enclosingWidth)
        rows.addEnclosing(part.enclosing.subarray(enclosing + 1, enclosing + enclosingWidth));
    }
  }
  return rows.columns();
}

function compareRows(rows: Int32Array, a: number, b: number): number {
  return compareRanges(rows, a, b) || rows[a + 4]! - rows[b + 4]! || rows[a + 5]! - rows[b + 5]!;
}

function compareRanges(rows: Int32Array, a: number, b: number): number {
  for (let part = 0; part < 4; part++) {
    const difference = rows[a + part]! - rows[b + part]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `newNumbers` tells by an occurrence's old number its new one; those that are the same share one. */
function distinctInOrder(rows: Int32Array, count: number): { order: Uint32Array; newNumbers: Uint32Array } {
  const sorted = new Uint32Array(count).map((_, at) => at);
  sorted.sort((a, b) => compareRows(rows, a * rowWidth, b * rowWidth) || a - b);
  const newNumbers = new Uint32Array(count);
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const number = sorted[at]!;
    const isNew = kept === 0 || compareRows(rows, sorted[kept - 1]! * rowWidth, number * rowWidth) !== 0;
    if (isNew) sorted[kept++] = number;
    newNumbers[number] = kept - 1;
  }
  return { order: sorted.subarray(0, kept), newNumbers };
}

/** One enclosing range for each occurrence, the first that was told. */
function renumbered(enclosing: readonly number[], newNumbers: Uint32Array): Int32Array {
  const byNumber = new Map<number, readonly number[]>();
  for (let at = 0; at < enclosing.length; at += enclosingWidth) {
    const number = newNumbers[enclosing[at]!]!;
    if (!byNumber.has(number)) byNumber.set(number, [number, ...enclosing.slice(at + 1, at + enclosingWidth)]);
  }
  const ordered = [...byNumber.values()].sort((a, b) => a[0]! - b[0]!);
  return Int32Array.from(ordered.flat());
}

function columnsOf(
  rows: Int32Array,
  order: Uint32Array | undefined,
  count: number,
  enclosing: Int32Array,
): ScipOccurrences {
  const all = new Int32Array(count * rowWidth);
  for (let part = 0; part < rowWidth; part++) {
    const start = part * count;
    if (order === undefined)
      for (let number = 0; number < count; number++) all[start + number] = rows[number * rowWidth + part]!;
    else for (let number = 0; number < count; number++) all[start + number] = rows[order[number]! * rowWidth + part]!;
  }
  const column = (part: number): Int32Array => all.subarray(part * count, (part + 1) * count);
  return {
    count,
    startLine: column(0),
    startColumn: column(1),
    endLine: column(2),
    endColumn: column(3),
    symbol: column(4),
    roles: column(5),
    enclosing,
  };
}
