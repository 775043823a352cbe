import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../client/protocol/registry.ts';
import type { Notes } from './notes.ts';

/** An answer arranged for people: rows under heads, or named values; and what is to be said beside it. */
export type View =
  | {
      readonly kind: 'rows';
      readonly head: readonly string[];
      /** People are shown the heads: numbers in the columns don't speak for themselves. */
      readonly isHeaded?: true;
      readonly rows: readonly Row[];
      /** What the answer comes to, which rows alone don't tell: said to scripts as well. */
      readonly verdict?: Notes;
      /** Heads of columns that a narrow terminal may do without, the first of them first. */
      readonly drops?: readonly string[];
      readonly notes: Notes;
    }
  /** Named values, each in its lines: whatever a line says, it begins no other. */
  | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [string, readonly string[]])[]; readonly notes: Notes }
  | { readonly kind: 'text'; readonly text: string; readonly notes?: Notes };

export type Row = readonly string[];
/** What an operation answers. */
export type Answer<N extends OperationName> = OutputOf<Operations[N]>;

/** How answers of some operations are shown. */
export type Views = { readonly [N in OperationName]?: (answer: Answer<N>) => View };

export function rows(
  head: readonly string[],
  lines: readonly Row[],
  notes: Notes,
  drops: readonly string[] = [],
): View {
  return { kind: 'rows', head, rows: lines, drops, notes };
}

/** The same with what the answer comes to. */
export function judged(
  head: readonly string[],
  lines: readonly Row[],
  verdict: Notes,
  notes: Notes,
  drops: readonly string[] = [],
): View {
  return { kind: 'rows', head, rows: lines, verdict, drops, notes };
}

/** Rows with their heads above them. */
export function table(
  head: readonly string[],
  lines: readonly Row[],
  notes: Notes,
  drops: readonly string[] = [],
): View {
  return { kind: 'rows', head, isHeaded: true, rows: lines, drops, notes };
}

/** Values by their names, those left out that are empty; of a list each item has a line of its own. */
export function pairs(all: readonly (readonly [string, string | readonly string[]])[], notes: Notes = []): View {
  const inLines = all.map(([name, value]) => [name, typeof value === 'string' ? [value] : value] as const);
  return { kind: 'pairs', pairs: inLines.filter(([, lines]) => lines.some(line => line !== '')), notes };
}

export function place({
  file,
  line,
  column,
}: {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}) {
  return `${file}:${line}:${column}`;
}

/** Fields of nested objects by dotted names; lists of texts in one line, other lists as JSON. */
export function flatten(value: unknown, prefix: string): (readonly [string, string])[] {
  if (value === null || value === undefined) return [[prefix, '']];
  if (typeof value !== 'object') return [[prefix, String(value)]];
  if (Array.isArray(value)) {
    return [[prefix, value.map(item => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')]];
  }
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === '' ? key : `${prefix}.${key}`));
}

export function because(reason: string): string {
  return reason === '' ? '' : ` (${reason})`;
}

/** How much an index holds. */
export function sizeOf(index: { readonly symbolCount: number; readonly fileCount: number }): string {
  return `${amount(index.symbolCount, 'symbol')} in ${amount(index.fileCount, 'file')}`;
}
