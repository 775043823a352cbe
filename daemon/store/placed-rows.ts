import type { Range } from '../model/facts.ts';
import { innermostAt } from '../model/innermost.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import {
  enclosingOf,
  type ReferencePage,
  type ReferenceQuery,
  type ReferenceRow,
  referencePage,
} from './reference-rows.ts';
import { documentAt, type Prepare } from './rows.ts';
import type { SymbolInRepo } from './settle-candidates.ts';

/** A place that a language server names. Positions 0-based. */
export interface Place {
  readonly path: string;
  readonly range: Range;
}

/** It answers from the files as they are, as an indexer would, but nobody has compared it with one. */
const serverConfidence = 0.95;
/** Up to here only the name ties a row to the symbol: such rows stand last. */
const guessed = 0.5;

/**
 * One page of a symbol's occurrences and the places that a language server names, each once. A row of the list stays what
 * it is where it is as sure; places outside of the snapshot's documents, past the end of a line, or that begin inside of a
 * word are left out. Servers and syntax may differ in what of a name they point at (`x` or `$x`, `turn` or `self.turn`, or all of
 * a declaration on one line): what lies within the other is the same place, and that of the definition is no reference.
 */
export function pageWithPlaces(
  of: SymbolInRepo,
  places: readonly Place[],
  query: ReferenceQuery,
  views: DocumentViews,
  prepare: Prepare,
): ReferencePage {
  const everything = { ...query, includeDefinition: true, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const list = referencePage(of, everything, views, prepare);
  const rows = rowsByLine(list.rows);
  for (const place of places) {
    const same = rows.at(place);
    const [row] = same;
    if (row !== undefined) {
      if (same.length === 1 && row.confidence < serverConfidence)
        rows.put({ ...row, confidence: serverConfidence, by: 'server', isContextChanged: false });
      continue;
    }
    const view = viewOf(place, of, views, prepare);
    if (view === undefined || !isInText(place, view) || (view.isOfTests(place.range.startLine) && !query.includeTests))
      continue;
    rows.put(placedRow(place, view));
  }
  const all = rows
    .all()
    .filter(({ kind }) => query.includeDefinition || kind !== 'definition')
    .sort(inOrder);
  return { ...list, rows: all.slice(query.offset, query.offset + query.limit), total: all.length };
}

/** Rows of a list, one for each place where one begins. */
function rowsByLine(list: readonly ReferenceRow[]) {
  /** By line, then by the column where they begin. */
  const lines = new Map<string, Map<number, ReferenceRow>>();
  const put = (row: ReferenceRow): void => {
    const onLine = lines.get(lineOf(row)) ?? new Map<number, ReferenceRow>();
    lines.set(lineOf(row), onLine.set(row.range.startColumn, row));
  };
  list.forEach(put);
  return {
    put,
    all: () => [...lines.values()].flatMap(onLine => [...onLine.values()]),
    /** The row that begins where a place does; else those that lie within it, or that it lies within. */
    at(place: Place): readonly ReferenceRow[] {
      const onLine = lines.get(lineOf(place));
      const exact = onLine?.get(place.range.startColumn);
      if (exact !== undefined) return [exact];
      return [...(onLine?.values() ?? [])].filter(row => isWithin(row, place) || isWithin(place, row));
    },
  };
}

function lineOf({ path, range }: Place): string {
  return `${range.startLine}:${path}`;
}

/** Of two on one line. */
function isWithin({ range }: Place, { range: other }: Place): boolean {
  return range.startColumn >= other.startColumn && columnAfter(range) <= columnAfter(other);
}

function columnAfter({ startLine, endLine, endColumn }: Range): number {
  return endLine > startLine ? Number.POSITIVE_INFINITY : endColumn;
}

function viewOf(
  { path }: Place,
  { repo, seq }: SymbolInRepo,
  views: DocumentViews,
  prepare: Prepare,
): DocumentView | undefined {
  const id = documentAt(repo, path, prepare);
  return id === undefined ? undefined : views.at(id, seq);
}

function isInText({ range }: Place, view: DocumentView): boolean {
  const { startLine, startColumn, endLine, endColumn } = range;
  const line = view.line(startLine);
  return (
    startLine === endLine && startColumn < endColumn && endColumn <= line.length && !isInsideWord(line, startColumn)
  );
}

/** Whoever knows another version of the file points at what is somewhere else by now. */
function isInsideWord(line: string, at: number): boolean {
  return /[\p{L}\p{N}_]{2}/u.test(line.slice(Math.max(0, at - 1), at + 1));
}

/** What syntax reads there tells how the place uses the symbol. */
function placedRow({ path, range }: Place, view: DocumentView): ReferenceRow {
  const facts = view.facts();
  const { startLine, startColumn } = range;
  let read: { readonly kind: ReferenceRow['kind']; readonly enclosing: number } | undefined;
  for (let index = 0; index < facts.referenceCount && read === undefined; index++) {
    const at = facts.referenceRange(index);
    if (at.startLine === startLine && at.startColumn === startColumn) read = facts.reference(index);
  }
  const { kind, enclosing } = read ?? {
    kind: 'reference' as const,
    enclosing: innermostAt(facts, startLine, startColumn),
  };
  return {
    ...{ path, range, kind },
    line: view.line(startLine),
    isTest: view.isOfTests(startLine),
    enclosing: enclosingOf(view, enclosing),
    confidence: serverConfidence,
    by: 'server',
    isContextChanged: false,
  };
}

function inOrder(a: ReferenceRow, b: ReferenceRow): number {
  const byGuess = Number(a.confidence <= guessed) - Number(b.confidence <= guessed);
  if (byGuess !== 0) return byGuess;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.range.startLine - b.range.startLine || a.range.startColumn - b.range.startColumn;
}
