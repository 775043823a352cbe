import { dialectOf } from '../../../extract/dialect.ts';
import type { Range } from '../../../model/facts.ts';
import { familyOf } from '../../../model/families.ts';
import type { FileDiff, Hunk } from '../../../model/history.ts';
import type { Defined } from '../../../store/graph/snapshot-graph.ts';
import type { CodeSide } from '../../readers/changed-code.ts';
import type { HistoricalSnapshot } from '../historical.ts';
import { type UsesAtHead, usesAtHead } from './uses-at-head.ts';

/** What is known of the head of a branch, whatever is checked out. */
export interface Head extends HistoricalSnapshot {
  readonly uses: UsesAtHead;
  /** Whether something of that hash is there once the change has been made. */
  remains(hash: string): boolean;
  /** What a changed file defines then; undefined as long as nobody has read it. */
  defined(file: FileDiff): readonly Defined[] | undefined;
}

export function headOf(of: HistoricalSnapshot, files: readonly FileDiff[]): Head {
  return { ...of, uses: usesAtHead(of, files), remains: remaining(of, files), defined: definedAtHead(of) };
}

function definedAtHead({ graph, comparison, fromRoot }: HistoricalSnapshot): Head['defined'] {
  const known = new Map<FileDiff, readonly Defined[] | undefined>();
  const look = (file: FileDiff): readonly Defined[] | undefined => {
    const path = fromRoot(file.path);
    if (path === undefined || file.kind === 'deleted') return [];
    const { before, after } = comparison!.sidesOf(file);
    const isSame = file.oldBlob === file.newBlob;
    const document = isSame || comparison!.asInHead.has(path) ? graph.documentAt(path) : undefined;
    if (document !== undefined) return graph.definedIn(document);
    const side = isSame ? before : after;
    if (typeof side !== 'object') return side === 'none' ? [] : undefined;
    const { definitions } = side;
    return definitions.map((one, slot) => {
      const hash = isSame ? (side.hashesThere[slot] ?? one.hash) : one.hash;
      return { ...one, hash, within: definitions[one.container]?.name ?? '' };
    });
  };
  return file => {
    if (!known.has(file)) known.set(file, look(file));
    return known.get(file);
  };
}

/** What is defined in more places than one, or moved to another file of its package, is not taken away. */
function remaining({ graph, comparison, fromRoot }: HistoricalSnapshot, files: readonly FileDiff[]): Head['remains'] {
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

/** Whether the line of a definition's name is taken away, and nothing is of its hash then. */
export function isTakenOut(
  head: Head,
  { hunks }: FileDiff,
  { definitions, hashesThere }: CodeSide,
  slot: number,
): boolean {
  const { hash, nameRange } = definitions[slot]!;
  const isOut = linesTakenOut({ ...nameRange, endLine: nameRange.startLine }, hunks) > 0;
  return isOut && !head.remains(hash) && !head.remains(hashesThere[slot]!);
}

/** What a file defines then in the place of what it defined: of the same name, kind and container. */
export function inItsPlace(head: Head, file: FileDiff, { definitions }: CodeSide, slot: number): readonly Defined[] {
  const { name, kind, container } = definitions[slot]!;
  const within = definitions[container]?.name ?? '';
  const all = head.defined(file) ?? [];
  return all.filter(one => one.name === name && one.kind === kind && one.within === within);
}

export function linesTakenOut(
  { startLine, endLine }: Pick<Range, 'startLine' | 'endLine'>,
  hunks: readonly Hunk[],
): number {
  const shared = hunks.map(
    ({ oldLine, oldCount }) => Math.min(endLine + 1, oldLine + oldCount) - Math.max(startLine, oldLine),
  );
  return shared.reduce((sum, lines) => sum + Math.max(0, lines), 0);
}

/** Languages in which a word or a list says what a file exports. */
export function exportsByName(path: string): boolean {
  return familyOf(dialectOf(path)) === 'ecmascript';
}

/** Whether others can name what stands at the top of a file. */
export function isExported({ definitions }: CodeSide, slot: number): boolean {
  const { container, exported } = definitions[slot]!;
  return container < 0 && exported;
}
