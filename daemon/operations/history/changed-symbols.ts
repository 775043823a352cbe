import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { FileDiff, Hunk } from '../../model/history.ts';
import { symbolId } from '../../model/identity.ts';
import { impactAnswer } from '../analysis/impact.ts';
import type { HistoricalSnapshot } from './historical.ts';

type ChangedSymbol = Exclude<OutputOf<Operations['pr.summary']>, string>['symbolsChanged'][number];

/** A symbol of which a change writes lines. */
interface Touched {
  readonly hash: string;
  readonly name: string;
  readonly kind: ChangedSymbol['kind'];
  readonly path: string;
  readonly line: number;
  readonly isNew: boolean;
  readonly lines: number;
}

/** The innermost symbols whose lines a change writes or takes lines out of: how many, and of those of the most lines what hangs on them, the riskiest first. */
export function changedSymbols(
  of: HistoricalSnapshot,
  files: readonly FileDiff[],
  most: number,
): { readonly total: number; readonly symbols: readonly ChangedSymbol[] } {
  const touched = files
    .flatMap(file => touchedIn(of, file))
    .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  const symbols = touched.slice(0, most).map(one => toldOf(of, one));
  symbols.sort(
    (a, b) => gravity[b.risk] - gravity[a.risk] || b.directCount - a.directCount || (a.path < b.path ? -1 : 1),
  );
  return { total: touched.length, symbols };
}

const gravity: Readonly<Record<ChangedSymbol['risk'], number>> = {
  critical: 4,
  high: 3,
  medium: 2,
  unknown: 1,
  low: 0,
};

function touchedIn({ graph, fromRoot }: HistoricalSnapshot, { path: top, hunks }: FileDiff): readonly Touched[] {
  const path = fromRoot(top);
  const document = path === undefined ? undefined : graph.documentAt(path);
  if (path === undefined || document === undefined || hunks.length === 0) return [];
  const spans = Array.from(document.slots, (_, at) => ({ at, ...graph.shown({ in: document, at }) }));
  const lines = new Map<number, number>();
  for (const hunk of hunks) {
    for (const [at, count] of innermostOf(hunk, spans)) lines.set(at, (lines.get(at) ?? 0) + count);
  }
  return [...lines].map(([at, count]) => {
    const { hash, name, kind, nameRange, range } = spans[at]!;
    const isNew = hunks.some(one => isWithin(range.startLine, one) && isWithin(range.endLine, one));
    return { hash, name, kind, path, line: nameRange.startLine + 1, isNew, lines: count };
  });
}

/** Lines that took the place of others may say the same anew. */
function isWithin(line: number, { oldCount, newLine, newCount }: Hunk): boolean {
  return oldCount === 0 && line >= newLine && line < newLine + newCount;
}

interface Span {
  readonly at: number;
  readonly range: { readonly startLine: number; readonly endLine: number };
}

/**
 * How many lines of a hunk lie in which span and in none inside it. Where lines are only taken away, it is the span that goes on around
 * them: what stands before or behind may be their neighbour as well.
 */
function innermostOf({ newLine, newCount, oldCount }: Hunk, spans: readonly Span[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const [first, last] = newCount === 0 ? [newLine - 1, newLine] : [newLine, newLine + newCount - 1];
  const near = spans.filter(({ range }) => range.startLine <= last && range.endLine >= first);
  near.sort((a, b) => a.range.endLine - a.range.startLine - (b.range.endLine - b.range.startLine));
  if (newCount === 0) {
    const around = near.find(({ range }) => range.startLine <= first && range.endLine >= last);
    return new Map(around === undefined ? [] : [[around.at, oldCount]]);
  }
  for (let line = first; line <= last && near.length > 0; line++) {
    const inner = near.find(({ range }) => range.startLine <= line && range.endLine >= line);
    if (inner !== undefined) counts.set(inner.at, (counts.get(inner.at) ?? 0) + 1);
  }
  return counts;
}

function toldOf(of: HistoricalSnapshot, { hash, name, kind, path, line, isNew }: Touched): ChangedSymbol {
  const id = symbolId(of.asked.repo.id, hash);
  const found = impactAnswer(of, { id, depth: 2, includeTests: false, limit: 1, sync: false });
  return {
    ...{ id, name, kind, path, line, change: isNew ? 'added' : 'modified', risk: found?.risk ?? 'unknown' },
    directCount: found?.impact.directCount ?? 0,
    transitiveCount: found?.impact.transitiveCount ?? 0,
  };
}
