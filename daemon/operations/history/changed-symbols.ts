import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Range } from '../../model/facts.ts';
import type { FileDiff, Hunk } from '../../model/history.ts';
import { symbolId } from '../../model/identity.ts';
import { impactAnswer } from '../analysis/impact.ts';
import type { SideDefinition } from '../readers/changed-code.ts';
import type { HistoricalSnapshot } from './historical.ts';
import type { TakenAway } from './taken-away/taken.ts';
import { takenAway } from './taken-away/taken-away.ts';

type ChangedSymbol = Exclude<OutputOf<Operations['pr.summary']>, string>['symbolsChanged'][number];

/** A symbol of which a change writes lines. */
interface Written extends Pick<ChangedSymbol, 'name' | 'container' | 'kind' | 'path' | 'line'> {
  readonly change: 'added' | 'modified';
  readonly hash: string;
  readonly lines: number;
}

export interface ChangedSymbols {
  readonly total: number;
  /** Those that somebody misses and those of the most lines, as many as are asked for, the riskiest first. */
  readonly symbols: readonly ChangedSymbol[];
  /** Of these, however many are asked for: the riskiest but for what is new, which nobody relied on. */
  readonly gravest: ChangedSymbol | undefined;
  /** How many are taken away though something looks for them. */
  readonly missed: number;
}

/** So many are looked at for the risk of a change. */
const mostWeighed = 25;
/** Of more that is removed, the rest is looked for where it is told. */
const mostLookedFor = 300;

/**
 * The innermost symbols whose lines a change writes or takes lines out of, and the outermost that it takes away from where others
 * find them, with what hangs on them.
 */
export function changedSymbols(of: HistoricalSnapshot, files: readonly FileDiff[], most: number): ChangedSymbols {
  const { taken, redeclared } = takenAway(of, files);
  const withdrawn = new Set(taken.filter(({ change }) => change === 'unexported').map(keyOf));
  const written = files.flatMap(file => writtenIn(of, file, redeclared)).filter(one => !withdrawn.has(keyOf(one)));
  const largest = <One extends Written | TakenAway>(all: readonly One[]): readonly One[] =>
    [...all].sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  // What leaves somebody behind comes first, however small it is.
  const removed = largest(taken.filter(({ change }) => change === 'removed')).slice(0, mostLookedFor);
  const found = taken.filter(({ change }) => change !== 'removed');
  const missed = largest([...found, ...removed.filter(one => one.users().length > 0)]);
  const isMissed = new Set<Written | TakenAway>(missed);
  const others = largest([...written, ...taken]).filter(one => !isMissed.has(one));
  const touched = [...missed, ...others];
  const told = touched.slice(0, Math.max(most, mostWeighed)).map(one => toldOf(of, one));
  const [gravest] = gravestFirst(told.slice(0, mostWeighed).filter(({ change }) => change !== 'added'));
  return { total: touched.length, symbols: gravestFirst(told.slice(0, most)), gravest, missed: missed.length };
}

function keyOf({ path, hash }: Pick<Written, 'path' | 'hash'>): string {
  return `${path} ${hash}`;
}

function gravestFirst(symbols: readonly ChangedSymbol[]): readonly ChangedSymbol[] {
  return [...symbols].sort(
    (a, b) => gravity[b.risk] - gravity[a.risk] || b.directCount - a.directCount || (a.path < b.path ? -1 : 1),
  );
}

const gravity: Readonly<Record<ChangedSymbol['risk'], number>> = {
  critical: 4,
  high: 3,
  medium: 2,
  unknown: 1,
  low: 0,
};

/** A definition as the head has it. Of most nobody wants to know more than where they are. */
interface Span {
  readonly range: Range;
  readonly shown: () => Pick<SideDefinition, 'hash' | 'name' | 'kind' | 'nameRange'> & { readonly container: string };
}

/** Of a changed file of code: from the index where that has it so, else from what was read of the head. Undefined of what is not known. */
function spansIn({ graph, comparison, fromRoot }: HistoricalSnapshot, file: FileDiff): readonly Span[] | undefined {
  const path = fromRoot(file.path);
  if (path === undefined || file.hunks.length === 0) return [];
  const { asInHead, sidesOf } = comparison!;
  const document = asInHead.has(path) ? graph.documentAt(path) : undefined;
  if (document !== undefined) {
    return graph.rangesOf(document).map((range, at) => ({
      range,
      shown: () => {
        const { containers, ...one } = graph.shown({ in: document, at });
        return { ...one, container: containers.at(-1) ?? '' };
      },
    }));
  }
  const { after } = sidesOf(file);
  if (after === 'none') return [];
  if (after === undefined || after === 'unreadable') return undefined;
  const { definitions } = after;
  const containerOf = ({ container }: SideDefinition): string => definitions[container]?.name ?? '';
  return definitions.map(one => ({ range: one.range, shown: () => ({ ...one, container: containerOf(one) }) }));
}

function writtenIn(of: HistoricalSnapshot, file: FileDiff, redeclared: ReadonlySet<string>): readonly Written[] {
  const path = of.fromRoot(file.path)!;
  const { before } = of.comparison!.sidesOf(file);
  const earlier = typeof before === 'object' ? new Set(before.hashesThere) : undefined;
  const spans = spansIn(of, file) ?? [];
  const lines = new Map<Span, number>();
  for (const hunk of file.hunks) {
    for (const [span, count] of innermostOf(hunk, spans)) lines.set(span, (lines.get(span) ?? 0) + count);
  }
  return [...lines].map(([{ range, shown }, count]) => {
    const { hash, name, container, kind, nameRange } = shown();
    const isOther = earlier === undefined ? isPutIn(range, file.hunks) : !earlier.has(hash);
    const isNew = isOther && !redeclared.has(hash);
    const [line, change] = [nameRange.startLine + 1, isNew ? ('added' as const) : ('modified' as const)];
    return { hash, name, container, kind, path, line, change, lines: count };
  });
}

/** Lines that took the place of others may say the same anew. */
function isPutIn({ startLine, endLine }: Range, hunks: readonly Hunk[]): boolean {
  return hunks.some(
    ({ oldCount, newLine, newCount }) => oldCount === 0 && startLine >= newLine && endLine < newLine + newCount,
  );
}

/**
 * How many lines of a hunk lie in which span and in none inside it. Where lines are only taken away, it is the span that goes on around
 * them: what stands before or behind may be their neighbour as well.
 */
function innermostOf({ newLine, newCount, oldCount }: Hunk, spans: readonly Span[]): ReadonlyMap<Span, number> {
  const counts = new Map<Span, number>();
  const [first, last] = newCount === 0 ? [newLine - 1, newLine] : [newLine, newLine + newCount - 1];
  const near = spans.filter(({ range }) => range.startLine <= last && range.endLine >= first);
  near.sort((a, b) => a.range.endLine - a.range.startLine - (b.range.endLine - b.range.startLine));
  if (newCount === 0) {
    const around = near.find(({ range }) => range.startLine <= first && range.endLine >= last);
    return new Map(around === undefined ? [] : [[around, oldCount]]);
  }
  for (let line = first; line <= last && near.length > 0; line++) {
    const inner = near.find(({ range }) => range.startLine <= line && range.endLine >= line);
    if (inner !== undefined) counts.set(inner, (counts.get(inner) ?? 0) + 1);
  }
  return counts;
}

const mostUsersTold = 20;

function toldOf(of: HistoricalSnapshot, one: Written | TakenAway): ChangedSymbol {
  const { hash, name, container, kind, path, line, change } = one;
  const id = symbolId(of.asked.repo.id, hash);
  const told = { id, name, container, kind, path, line, change };
  if ('users' in one) {
    // Files that still look for it are broken; what nobody here uses, others may, where they can name it.
    const users = one.users();
    if (users.length === 0) return { ...told, risk: one.exported ? 'unknown' : 'low', ...uncounted };
    const shown = users.slice(0, mostUsersTold);
    return { ...told, risk: 'high', directCount: users.length, transitiveCount: 0, users: shown };
  }
  const found = impactAnswer(of, { id, depth: 2, includeTests: false, limit: 1, sync: false });
  // The index is of another commit: nobody there can use what is new, and of the rest it knows nothing.
  if (found === undefined) return { ...told, risk: change === 'added' ? 'low' : 'unknown', ...uncounted };
  const { directCount, transitiveCount } = found.impact;
  return { ...told, risk: found.risk, directCount, transitiveCount };
}

const uncounted = { directCount: 0, transitiveCount: 0 };
