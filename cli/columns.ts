/** Which columns of a table are shown, and how wide. */
export interface FittedColumns {
  /** Indexes of those that are. */
  readonly shown: readonly number[];
  /** Of these. */
  readonly widths: readonly number[];
}

export interface WantedColumns {
  readonly head: readonly string[];
  /** The widest text of each. */
  readonly widest: readonly number[];
  /** Heads of columns that may be left out, the first of them first. */
  readonly drops: readonly string[];
  /** Columns of the terminal. */
  readonly columns: number;
}

/** What stands between two columns. */
export const gap = '  ';

/**
 * Columns that need no more than the terminal has: what a row is of, and where it stands, keep a share of their own, what the
 * last column explains gives way first, and then columns are left out, rather than that none can be read.
 */
export function fitColumns({ head, widest, drops, columns }: WantedColumns): FittedColumns {
  let shown = head.map((_, column) => column);
  const least = (some: readonly number[]): readonly number[] =>
    some.map(column => Math.min(widest[column]!, leastOf(head[column]!, column === head.length - 1)));
  const room = (some: readonly number[]): number => columns - gap.length * (some.length - 1);
  for (const dropped of drops) {
    if (sum(least(shown)) <= room(shown)) break;
    shown = shown.filter(column => head[column] !== dropped);
  }
  const begun = least(shown);
  const left = room(shown) - sum(begun);
  const whole = shown.map(column => widest[column]!);
  const heads = shown.map(column => head[column]!);
  return { shown, widths: left >= 0 ? widened(begun, whole, heads, left) : narrowed(begun, heads, room(shown)) };
}

/** What names a row. */
const names: ReadonlySet<string> = new Set(['name', 'id', 'caller', 'callee', 'in']);

/** Of a place the end says most: the file and its line. */
export function isPlace(head: string): boolean {
  return head === 'where' || head === 'root';
}

const leastName = 24;
const leastPlace = 28;
const leastExplained = 20;
const leastWidth = 3;

/** Below so much a column is not cut while another can be left out. */
function leastOf(head: string, isLast: boolean): number {
  if (names.has(head)) return leastName;
  if (isPlace(head)) return leastPlace;
  return isLast ? leastExplained : Number.POSITIVE_INFINITY;
}

/** Gives what room is left to names, then to places, then to the others. */
function widened(
  begun: readonly number[],
  whole: readonly number[],
  heads: readonly string[],
  left: number,
): readonly number[] {
  const widths = [...begun];
  const rank = (at: number): number => (names.has(heads[at]!) ? 0 : isPlace(heads[at]!) ? 1 : 2);
  let rest = left;
  for (const at of heads.map((_, index) => index).sort((a, b) => rank(a) - rank(b))) {
    const more = Math.min(rest, whole[at]! - widths[at]!);
    widths[at]! += more;
    rest -= more;
  }
  return widths;
}

/** Cuts names, places and the last column to one width, and if that is not enough all of them. */
function narrowed(begun: readonly number[], heads: readonly string[], room: number): readonly number[] {
  const mayGive = (at: number): boolean => names.has(heads[at]!) || isPlace(heads[at]!) || at === heads.length - 1;
  let widths = begun;
  for (const gives of [mayGive, () => true]) {
    for (let cap = Math.max(...widths); sum(widths) > room && cap >= leastWidth; cap--) {
      widths = widths.map((width, at) => (gives(at) ? Math.min(width, cap) : width));
    }
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
