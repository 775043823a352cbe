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
 * it is where it is as sure; places outside of the snapshot's documents, or past the end of a line, are left out.
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
  const rows = new Map(list.rows.map(row => [keyOf(row), row]));
  for (const place of places) {
    const row = rows.get(keyOf(place));
    if (row !== undefined) {
      if (row.confidence < serverConfidence)
        rows.set(keyOf(row), { ...row, confidence: serverConfidence, by: 'server', isContextChanged: false });
      continue;
    }
    const view = viewOf(place, of, views, prepare);
    if (view === undefined || !isInText(place, view) || (view.isTest && !query.includeTests)) continue;
    rows.set(keyOf(place), placedRow(place, view));
  }
  const all = [...rows.values()].filter(({ kind }) => query.includeDefinition || kind !== 'definition').sort(inOrder);
  return { ...list, rows: all.slice(query.offset, query.offset + query.limit), total: all.length };
}

function keyOf({ path, range }: Place): string {
  return `${range.startLine}:${range.startColumn}:${path}`;
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
  return startLine === endLine && startColumn < endColumn && endColumn <= view.line(startLine).length;
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
    isTest: view.isTest,
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
