import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Range } from '../../model/facts.ts';
import type { FileDiff, Hunk } from '../../model/history.ts';
import { symbolId } from '../../model/identity.ts';
import { once } from '../../model/once.ts';
import { lookingFor } from '../analysis/gone-file.ts';
import { impactAnswer } from '../analysis/impact.ts';
import type { CodeSide, CodeSides, SideDefinition } from '../readers/changed-code.ts';
import type { HistoricalSnapshot } from './historical.ts';

type ChangedSymbol = Exclude<OutputOf<Operations['pr.summary']>, string>['symbolsChanged'][number];

/** A symbol of which a change writes lines, or that it takes away. */
interface Touched extends Pick<ChangedSymbol, 'name' | 'kind' | 'path' | 'line' | 'change'> {
  readonly hash: string;
  readonly lines: number;
  /** Where the index may not have it any more: what had it, and at which slot. */
  readonly gone?: { readonly from: CodeSide; readonly slot: number };
}

export interface ChangedSymbols {
  readonly total: number;
  /** Those of the most lines, as many as are asked for, the riskiest first. */
  readonly symbols: readonly ChangedSymbol[];
  /** Of those of the most lines, however many are asked for: the riskiest but for what is new, which nobody relied on. */
  readonly gravest: ChangedSymbol | undefined;
  /** Of these: how many are taken away though something uses them. */
  readonly missed: number;
}

/** So many are looked at for the risk of a change. */
const mostWeighed = 25;

/**
 * The innermost symbols whose lines a change writes or takes lines out of, and the outermost that it takes away, with what hangs
 * on them.
 */
export function changedSymbols(of: HistoricalSnapshot, files: readonly FileDiff[], most: number): ChangedSymbols {
  const remains = remaining(of, files);
  const touched = files
    .flatMap(file => [...touchedIn(of, file), ...removedFrom(of, file, remains)])
    .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  const head = headUses(of, files);
  const told = touched.slice(0, Math.max(most, mostWeighed)).map(one => toldOf(of, one, head));
  const weighed = told.slice(0, mostWeighed);
  const [gravest] = gravestFirst(weighed.filter(({ change }) => change !== 'added'));
  const missed = weighed.filter(({ change, directCount }) => change === 'removed' && directCount > 0).length;
  return { total: touched.length, symbols: gravestFirst(told.slice(0, most)), gravest, missed };
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
  readonly shown: () => Pick<SideDefinition, 'hash' | 'name' | 'kind' | 'nameRange'>;
}

/** Of a changed file of code: from the index where that has it so, else from what was read of the head. Undefined of what is not known. */
function spansIn({ graph, comparison, fromRoot }: HistoricalSnapshot, file: FileDiff): readonly Span[] | undefined {
  const path = fromRoot(file.path);
  if (path === undefined || file.hunks.length === 0) return [];
  const { asInHead, sidesOf } = comparison!;
  const document = asInHead.has(path) ? graph.documentAt(path) : undefined;
  if (document !== undefined) {
    return graph.rangesOf(document).map((range, at) => ({ range, shown: () => graph.shown({ in: document, at }) }));
  }
  const { after } = sidesOf(file);
  if (after === 'none') return [];
  if (after === undefined || after === 'unreadable') return undefined;
  return after.definitions.map(one => ({ range: one.range, shown: () => one }));
}

function touchedIn(of: HistoricalSnapshot, file: FileDiff): readonly Touched[] {
  const path = of.fromRoot(file.path)!;
  const { before } = of.comparison!.sidesOf(file);
  const earlier = typeof before === 'object' ? new Set(before.hashesThere) : undefined;
  const spans = spansIn(of, file) ?? [];
  const lines = new Map<Span, number>();
  for (const hunk of file.hunks) {
    for (const [span, count] of innermostOf(hunk, spans)) lines.set(span, (lines.get(span) ?? 0) + count);
  }
  return [...lines].map(([{ range, shown }, count]) => {
    const { hash, name, kind, nameRange } = shown();
    const isNew = earlier === undefined ? isPutIn(range, file.hunks) : !earlier.has(hash);
    return {
      hash,
      name,
      kind,
      path,
      line: nameRange.startLine + 1,
      change: isNew ? 'added' : 'modified',
      lines: count,
    };
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

/** Whether something of that hash is there once a change has been made. */
type Remains = (hash: string) => boolean;

/** What is defined in more places than one, or moved to another file of its package, is not taken away. */
function remaining({ graph, comparison, fromRoot }: HistoricalSnapshot, files: readonly FileDiff[]): Remains {
  const { asInHead, sidesOf } = comparison!;
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const file of files) {
    const { after } = sidesOf(file);
    if (typeof after === 'object') for (const { hash } of after.definitions) read.add(hash);
    for (const path of [file.path, file.from]) changed.add((path && fromRoot(path)) ?? '');
  }
  return hash => {
    if (read.has(hash)) return true;
    const symbol = graph.numberOf(hash);
    if (symbol === undefined) return false;
    return graph.sitesOf(symbol).some(({ in: { path } }) => asInHead.has(path) || !changed.has(path));
  };
}

/**
 * The outermost of what a file defined in lines that are taken away, and nothing defines any more. What only came to stand in
 * something else, its lines as they were, would tell of the same change once more.
 */
function removedFrom(of: HistoricalSnapshot, file: FileDiff, remains: Remains): readonly Touched[] {
  const { before } = of.comparison!.sidesOf(file);
  if (typeof before !== 'object' || spansIn(of, file) === undefined) return [];
  const { path, definitions, hashesThere } = before;
  const isRemoved = definitions.map(
    ({ hash, nameRange }, slot) =>
      linesTakenOut({ ...nameRange, endLine: nameRange.startLine }, file.hunks) > 0 &&
      !remains(hash) &&
      !remains(hashesThere[slot]!),
  );
  const seen = new Set<string>();
  return definitions.flatMap(({ hash, name, kind, container, nameRange, range }, slot) => {
    if (isRemoved[slot] !== true || isRemoved[container] === true || seen.has(hash)) return [];
    seen.add(hash);
    const [line, lines] = [nameRange.startLine + 1, linesTakenOut(range, file.hunks)];
    return [{ hash, name, kind, path, line, change: 'removed' as const, lines, gone: { from: before, slot } }];
  });
}

function linesTakenOut({ startLine, endLine }: Pick<Range, 'startLine' | 'endLine'>, hunks: readonly Hunk[]): number {
  const shared = hunks.map(
    ({ oldLine, oldCount }) => Math.min(endLine + 1, oldLine + oldCount) - Math.max(startLine, oldLine),
  );
  return shared.reduce((sum, lines) => sum + Math.max(0, lines), 0);
}

/** What the files of a change that are not as the index has them use by some name, as far as the head was read. */
interface HeadUses {
  /** Whether the file at a path may still use what it had by that name: of a file that is as the index has it, it does. */
  still(path: string, name: string): boolean;
  /** Files that import something of that name. */
  importing(name: string): readonly string[];
  /** Whether the change puts a definition of that name somewhere: then who names it may mean that. */
  isMoved(name: string): boolean;
}

function headUses({ comparison, fromRoot }: HistoricalSnapshot, files: readonly FileDiff[]): HeadUses {
  const { asInHead, sidesOf } = comparison!;
  const changed = new Map<string, FileDiff>();
  for (const file of files) {
    for (const path of [file.path, file.from]) if (path !== undefined) changed.set(fromRoot(path) ?? '', file);
  }
  const read = [...new Set(changed.values())].flatMap(file => {
    const { before, after } = sidesOf(file);
    return typeof after === 'object' ? [{ before, after }] : [];
  });
  const moved = once(() => new Set(read.flatMap(namesPutIn)));
  return {
    still: (path, name) => {
      const file = changed.get(path);
      if (file === undefined || asInHead.has(path)) return true;
      const { before, after } = sidesOf(file);
      if (after === 'none') return false;
      if (typeof after !== 'object') return true;
      if (!after.names.has(name)) return false;
      // Whoever imports it from somewhere else now has another.
      const from = (typeof before === 'object' && before.sources.get(name)) || [];
      return from.length === 0 || (after.sources.get(name)?.some(one => from.includes(one)) ?? false);
    },
    importing: name => read.flatMap(({ after }) => (after.sources.has(name) ? [after.path] : [])),
    isMoved: name => moved().has(name),
  };
}

/** Of what stands at the top of a file and did not before. */
function namesPutIn({ before, after }: { readonly before: CodeSides['before']; readonly after: CodeSide }) {
  const earlier = new Set(typeof before === 'object' ? before.hashesThere : []);
  return after.definitions.flatMap(({ name, container, hash }) => (container < 0 && !earlier.has(hash) ? [name] : []));
}

function toldOf(of: HistoricalSnapshot, touched: Touched, head: HeadUses): ChangedSymbol {
  const { hash, name, kind, path, line, change, gone } = touched;
  const id = symbolId(of.asked.repo.id, hash);
  const told = { id, name, kind, path, line, change };
  const found = impactAnswer(of, { id, depth: 2, includeTests: false, limit: gone ? mostUsers : 1, sync: false });
  if (gone !== undefined) return { ...told, ...leftWithout(of, gone, found, head) };
  if (found !== undefined) {
    const { directCount, transitiveCount } = found.impact;
    return { ...told, risk: found.risk, directCount, transitiveCount };
  }
  // The index is of another commit: nobody there can use what is new, and of the rest it knows nothing.
  return { ...told, risk: change === 'added' ? 'low' : 'unknown', directCount: 0, transitiveCount: 0 };
}

/** So many users of what is taken away are looked at one by one. */
const mostUsers = 1000;
const mostUsersTold = 20;

/**
 * Files that still use what is taken away are broken. Where the index has it no more, those are what looks for it in vain; else what
 * uses it there, but for what the change itself makes do without it. Of what the change puts somewhere else, the index of
 * another commit can't tell who has found it; what nobody here uses, others may, where they can name it.
 */
function leftWithout(
  { graph }: HistoricalSnapshot,
  { from, slot }: NonNullable<Touched['gone']>,
  found: ReturnType<typeof impactAnswer>,
  head: HeadUses,
): Pick<ChangedSymbol, 'risk' | 'directCount' | 'transitiveCount' | 'users'> {
  const { name, exported } = from.definitions[slot]!;
  const filesOf = (): readonly string[] => {
    if (found === undefined) return lookingFor(graph, from.path, from.facts(), [slot]).map(({ path }) => path);
    if (head.isMoved(name)) return [];
    const users = found.affected.filter(({ distance }) => distance === 1).map(({ location }) => location.file);
    return [...users.filter(path => head.still(path, name)), ...(exported ? head.importing(name) : [])];
  };
  const users = [...new Set(filesOf())].sort();
  const directCount = users.length;
  const harmless = exported ? 'unknown' : 'low';
  const gravest = found?.risk === 'critical' ? 'critical' : 'high';
  const risk = directCount > 0 ? gravest : harmless;
  return {
    risk,
    directCount,
    transitiveCount: 0,
    ...(directCount > 0 ? { users: users.slice(0, mostUsersTold) } : {}),
  };
}
