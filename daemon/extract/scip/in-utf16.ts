import { lineStarts } from '../../model/line-starts.ts';
import type { PositionEncoding } from './document.ts';
import { enclosingWidth, OccurrenceRows, type ScipOccurrences } from './occurrences.ts';

export interface OccurrencesInText {
  readonly occurrences: ScipOccurrences;
  /** How many stood where the text has no character. They are left out. */
  readonly beyond: number;
}

/** The occurrences of a document with columns in UTF-16 code units, as facts have them. `text` is the document's. */
export function occurrencesInUtf16(
  occurrences: ScipOccurrences,
  text: string,
  encoding: PositionEncoding,
): OccurrencesInText {
  const unitOf = unitsIn(text, encoding);
  if (encoding === 'utf-16' && areAllIn(unitOf, occurrences)) return { occurrences, beyond: 0 };
  const rows = new OccurrenceRows();
  const { startLine, startColumn, endLine, endColumn, symbol, roles, enclosing } = occurrences;
  let nextEnclosing = 0;
  for (let at = 0; at < occurrences.count; at++) {
    const range = rangeInUtf16(unitOf, startLine[at]!, startColumn[at]!, endLine[at]!, endColumn[at]!);
    if (range !== undefined) rows.add(range, symbol[at]!, roles[at]!);
    for (; enclosing[nextEnclosing] === at; nextEnclosing += enclosingWidth) {
      const [, line, column, lastLine, lastColumn] = enclosing.subarray(nextEnclosing, nextEnclosing + enclosingWidth);
      const whole = range && rangeInUtf16(unitOf, line!, column!, lastLine!, lastColumn!);
      if (whole !== undefined) rows.addEnclosing(whole);
    }
  }
  return { occurrences: rows.columns(), beyond: occurrences.count - rows.count };
}

/** Of occurrences in a text with a byte order mark those in the text behind it. */
export function withoutMark({ occurrences, beyond }: OccurrencesInText): OccurrencesInText {
  const { startLine, startColumn, endLine, endColumn, enclosing } = occurrences;
  const behind = (columns: Int32Array, lines: Int32Array): Int32Array =>
    columns.map((column, at) => (lines[at] === 0 ? Math.max(0, column - 1) : column));
  const isFirst = (at: number): boolean => [2, 4].includes(at % enclosingWidth) && enclosing[at - 1] === 0;
  const columns = {
    startColumn: behind(startColumn, startLine),
    endColumn: behind(endColumn, endLine),
    enclosing: enclosing.map((value, at) => (isFirst(at) ? Math.max(0, value - 1) : value)),
  };
  return { occurrences: { ...occurrences, ...columns }, beyond };
}

/** The code unit at which a column is, counted from the line's beginning; -1 where there is none. */
type UnitOf = (line: number, column: number) => number;

function areAllIn(unitOf: UnitOf, occurrences: ScipOccurrences): boolean {
  const { count, startLine, startColumn, endLine, endColumn, enclosing } = occurrences;
  for (let at = 0; at < count; at++) {
    if (unitOf(startLine[at]!, startColumn[at]!) < 0 || unitOf(endLine[at]!, endColumn[at]!) < 0) return false;
  }
  for (let at = 1; at < enclosing.length; at += enclosingWidth) {
    if (unitOf(enclosing[at]!, enclosing[at + 1]!) < 0 || unitOf(enclosing[at + 2]!, enclosing[at + 3]!) < 0)
      return false;
  }
  return true;
}

function rangeInUtf16(
  unitOf: UnitOf,
  startLine: number,
  startColumn: number,
  endLine: number,
  endColumn: number,
): readonly number[] | undefined {
  const start = unitOf(startLine, startColumn);
  const end = unitOf(endLine, endColumn);
  return start < 0 || end < 0 ? undefined : [startLine, start, endLine, end];
}

function unitsIn(text: string, encoding: PositionEncoding): UnitOf {
  const starts = lineStarts(text);
  /** By line, of each column the unit; undefined for a line in which columns are units. Together as long as the text. */
  const tables = new Map<number, Int32Array | undefined>();
  return (line, column) => {
    const start = starts[line];
    if (start === undefined) return -1;
    const end = line + 1 < starts.length ? starts[line + 1]! - 1 : text.length;
    if (encoding === 'utf-16') return column <= end - start ? column : -1;
    if (!tables.has(line)) tables.set(line, tableOf(text.slice(start, end), encoding));
    const table = tables.get(line);
    return table === undefined ? (column <= end - start ? column : -1) : (table[column] ?? -1);
  };
}

function tableOf(line: string, encoding: 'utf-8' | 'utf-32'): Int32Array | undefined {
  if (Buffer.byteLength(line) === line.length) return undefined;
  const table: number[] = [];
  let unit = 0;
  for (const character of line) {
    table.push(unit);
    // Columns in the midst of a character are none.
    if (encoding === 'utf-8') for (let rest = Buffer.byteLength(character); rest > 1; rest--) table.push(-1);
    unit += character.length;
  }
  table.push(unit);
  return Int32Array.from(table);
}
