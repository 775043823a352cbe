import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { dialectOf } from '../../extract/dialect.ts';
import type { Range } from '../../model/facts.ts';
import { familyOf } from '../../model/families.ts';
import type { FileDiff, Hunk } from '../../model/history.ts';
import { symbolId } from '../../model/identity.ts';
import { once } from '../../model/once.ts';
import { lookingFor } from '../analysis/gone-file.ts';
import { impactAnswer } from '../analysis/impact.ts';
import type { CodeSide, CodeSides, SideDefinition } from '../readers/changed-code.ts';
import type { HistoricalSnapshot } from './historical.ts';

type ChangedSymbol = Exclude<OutputOf<Operations['pr.summary']>, string>['symbolsChanged'][number];

/** A symbol of which a change writes lines, or that it takes away from where others find it. */
interface Touched extends Pick<ChangedSymbol, 'name' | 'kind' | 'path' | 'line' | 'change'> {
  readonly hash: string;
  readonly lines: number;
  readonly gone?: Gone;
}

/** What is taken away from where others find it. */
interface Gone {
  readonly change: 'removed' | 'unexported' | 'moved';
  /** What had it, and at which slot. */
  readonly from: CodeSide;
  readonly slot: number;
  /** Files that look for it still, sorted; undefined as long as nobody has asked. */
  readonly users?: readonly string[];
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
 * The innermost symbols whose lines a change writes or takes lines out of, and the outermost that it takes away from where others
 * find them, with what hangs on them.
 */
export function changedSymbols(of: HistoricalSnapshot, files: readonly FileDiff[], most: number): ChangedSymbols {
  const remains = remaining(of, files);
  const head = headUses(of, files);
  const touched = [
    ...files.flatMap(file => [...touchedIn(of, file, head), ...removedFrom(of, file, remains)]),
    ...movedFrom(of, files, remains, head),
  ].sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  const told = touched.slice(0, Math.max(most, mostWeighed)).map(one => toldOf(of, one, head));
  const weighed = told.slice(0, mostWeighed);
  const [gravest] = gravestFirst(weighed.filter(({ change }) => change !== 'added'));
  const missed = weighed.filter(({ users }) => users !== undefined).length;
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

function touchedIn(of: HistoricalSnapshot, file: FileDiff, head: HeadUses): readonly Touched[] {
  const path = of.fromRoot(file.path)!;
  const { before } = of.comparison!.sidesOf(file);
  const earlier = typeof before === 'object' ? new Set(before.hashesThere) : undefined;
  const spans = spansIn(of, file) ?? [];
  const lines = new Map<Span, number>();
  for (const hunk of file.hunks) {
    for (const [span, count] of innermostOf(hunk, spans)) lines.set(span, (lines.get(span) ?? 0) + count);
  }
  const withdrawn = withdrawnFrom(of, file);
  return [...lines].map(([{ range, shown }, count]) => {
    const { hash, name, kind, nameRange } = shown();
    const isNew = earlier === undefined ? isPutIn(range, file.hunks) : !earlier.has(hash);
    const told = { hash, name, kind, path, line: nameRange.startLine + 1, lines: count };
    const slot = withdrawn.get(hash);
    if (slot === undefined || typeof before !== 'object') return { ...told, change: isNew ? 'added' : 'modified' };
    const gone = { change: 'unexported', from: before, slot } as const;
    const users = usersLeft(of, gone, !of.comparison!.asInHead.has(path), head);
    return users.length === 0
      ? { ...told, change: 'modified' }
      : { ...told, change: gone.change, gone: { ...gone, users } };
  });
}

/** What a file exported and only defines then: its slots before, by the hashes that it has then. Where a word says what is exported. */
function withdrawnFrom(of: HistoricalSnapshot, file: FileDiff): ReadonlyMap<string, number> {
  const { comparison, graph, fromRoot } = of;
  const { before, after } = comparison!.sidesOf(file);
  const path = fromRoot(file.path) ?? '';
  if (typeof before !== 'object' || familyOf(dialectOf(path)) !== 'ecmascript') return new Map();
  const document = comparison!.asInHead.has(path) ? graph.documentAt(path) : undefined;
  const now =
    document !== undefined
      ? graph.exportedIn(document)
      : new Map(typeof after === 'object' ? after.definitions.map(({ hash, exported }) => [hash, exported]) : []);
  const exported = [...before.definitions.keys()].filter(slot => isExported(before, slot));
  return new Map(
    exported.flatMap(slot => (now.get(before.hashesThere[slot]!) === false ? [[before.hashesThere[slot]!, slot]] : [])),
  );
}

function isExported({ definitions }: CodeSide, slot: number): boolean {
  const { container, exported } = definitions[slot]!;
  return container < 0 && exported;
}

/** Of more files that a change moves, the others are not looked for. */
const mostMoved = 25;

/** What is known by where its file lies and for which somebody still looks where that was, of files that a change moves. */
function movedFrom(
  of: HistoricalSnapshot,
  files: readonly FileDiff[],
  remains: Remains,
  head: HeadUses,
): readonly Touched[] {
  const { comparison, graph, fromRoot } = of;
  const moved = files.flatMap(file => {
    const { before } = comparison!.sidesOf(file);
    const path = fromRoot(file.path);
    const isMoved = file.from !== undefined && path !== undefined && typeof before === 'object';
    return isMoved ? [{ before, path, isSame: file.oldBlob === file.newBlob }] : [];
  });
  return moved.slice(0, mostMoved).flatMap(({ before, path, isSame }) => {
    const slots = [...before.definitions.keys()].filter(slot => {
      const [hash, there] = [before.definitions[slot]!.hash, before.hashesThere[slot]!];
      return isExported(before, slot) && hash !== there && !remains(hash) && (isSame || remains(there));
    });
    const isIndexed = graph.documentAt(before.path) !== undefined;
    const looking = isIndexed ? graph.importersOf(before.path) : lookingFor(graph, before.path, before.facts(), slots);
    if (looking.length === 0) return [];
    return slots.flatMap(slot => {
      const { name, kind, nameRange, range } = before.definitions[slot]!;
      const gone = { change: 'moved', from: before, slot } as const;
      const users = usersLeft(of, gone, isIndexed, head);
      if (users.length === 0) return [];
      const [line, lines] = [nameRange.startLine + 1, range.endLine - range.startLine + 1];
      const hash = before.hashesThere[slot]!;
      return [{ hash, name, kind, path, line, change: gone.change, lines, gone: { ...gone, users } }];
    });
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
    const gone = { change: 'removed', from: before, slot } as const;
    return [{ hash, name, kind, path, line, change: gone.change, lines, gone }];
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
  /** Whether the change moves the file that was at a path. */
  hasMoved(path: string): boolean;
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
    hasMoved: path => changed.get(path)?.from !== undefined,
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
  if (gone !== undefined) return { ...told, ...leftWithout(of, gone, head) };
  const found = impactAnswer(of, { id, depth: 2, includeTests: false, limit: 1, sync: false });
  if (found !== undefined) {
    const { directCount, transitiveCount } = found.impact;
    return { ...told, risk: found.risk, directCount, transitiveCount };
  }
  // The index is of another commit: nobody there can use what is new, and of the rest it knows nothing.
  return { ...told, risk: change === 'added' ? 'low' : 'unknown', directCount: 0, transitiveCount: 0 };
}

/** So many users of what is taken away are looked at one by one. */
const mostUsers = 1000;

/**
 * Files that still look for what is taken away, sorted. Where the index is as it is then, those are who looks for it in vain; else
 * (`isIndexed`) who uses it there, but for who does without it then. Of what a change takes away and puts somewhere else, an index of
 * before can't tell who has found it.
 */
function usersLeft(
  of: HistoricalSnapshot,
  { from, slot, change }: Omit<Gone, 'users'>,
  isIndexed: boolean,
  head: HeadUses,
): readonly string[] {
  const { name, exported, hash } = from.definitions[slot]!;
  const filesOf = (): readonly string[] => {
    if (!isIndexed) return lookingFor(of.graph, from.path, from.facts(), [slot]).map(({ path }) => path);
    if (change === 'removed' && head.isMoved(name)) return [];
    const id = symbolId(of.asked.repo.id, hash);
    const found = impactAnswer(of, { id, depth: 1, includeTests: true, limit: mostUsers, sync: false });
    const users = (found?.affected ?? []).map(({ location }) => location.file).filter(path => head.still(path, name));
    if (change === 'removed') return [...users, ...(exported ? head.importing(name) : [])];
    return users.filter(path => path !== from.path && !head.hasMoved(path));
  };
  return [...new Set(filesOf())].sort();
}

const mostUsersTold = 20;

/** Files that still look for what is taken away are broken; what nobody here uses, others may, where they can name it. */
function leftWithout(
  of: HistoricalSnapshot,
  gone: Gone,
  head: HeadUses,
): Pick<ChangedSymbol, 'risk' | 'directCount' | 'transitiveCount' | 'users'> {
  const { hash, exported } = gone.from.definitions[gone.slot]!;
  const isIndexed = (): boolean => {
    const symbol = of.graph.numberOf(hash);
    return symbol !== undefined && of.graph.sitesOf(symbol).length > 0;
  };
  const users = gone.users ?? usersLeft(of, gone, isIndexed(), head);
  const directCount = users.length;
  const risk = directCount > 0 ? 'high' : exported ? 'unknown' : 'low';
  return {
    risk,
    directCount,
    transitiveCount: 0,
    ...(directCount > 0 ? { users: users.slice(0, mostUsersTold) } : {}),
  };
}
