import type { CodeFile, FileGraph, FileImport, ImportTarget } from '../../model/file-graph.ts';

/** Files put together: which group each is in, and which files a picture is of. */
export interface Grouping {
  /** Of each file. */
  readonly groupOf: Int32Array;
  readonly count: number;
  /** Whether the picture is of this file; of others it shows where edges lead. */
  readonly isInside: (file: number) => boolean;
}

/** All imports between two groups, or from a group to a package of somebody else's. */
export interface GroupEdge {
  readonly from: number;
  readonly to: GroupTarget;
  /** How many imports. */
  readonly strength: number;
  /** How many of them are of types alone, of tests, and of files that see each other without a word. */
  readonly typeOnly: number;
  readonly fromTests: number;
  readonly implicit: number;
  /** How many are neither of types alone nor of tests. */
  readonly production: number;
}

export type GroupTarget =
  | { readonly kind: 'group'; readonly group: number }
  | Extract<ImportTarget, { kind: 'external' }>;

/**
 * The edges between groups, by the groups' numbers, packages of others last. An import that may mean several files counts
 * once for each group that it leads to; within a group it counts nothing.
 */
export function edgesBetween(graph: FileGraph, grouping: Grouping, withExternal: boolean): readonly GroupEdge[] {
  const { groupOf, count, isInside } = grouping;
  const sums = edgeSums(count);
  for (const one of graph.imports) {
    if (!isInside(one.from)) continue;
    const from = groupOf[one.from]!;
    const { target } = one;
    if (target.kind === 'files') {
      for (const group of groupsOf(target.files, groupOf)) {
        if (group !== from) countIn(sums.of(from, { kind: 'group', group }, group), one);
      }
    } else if (target.kind === 'external' && withExternal) {
      countIn(sums.of(from, target, sums.numberOf(target.id)), one);
    }
  }
  return [...sums.all()].sort((a, b) => a.from - b.from || compareTargets(a.to, b.to));
}

function countIn(sum: Sum, { typeOnly, implicit, isTest }: FileImport): void {
  sum.strength++;
  if (typeOnly) sum.typeOnly++;
  if (isTest) sum.fromTests++;
  if (implicit) sum.implicit++;
  if (!typeOnly && !isTest) sum.production++;
}

/** One sum for each pair of a group and what it needs; packages of others have the numbers behind the groups. */
function edgeSums(groups: number) {
  const sums = new Map<number, Sum>();
  const externals = new Map<string, number>();
  return {
    all: () => sums.values(),
    numberOf: (id: string): number => {
      const number = externals.get(id) ?? groups + externals.size;
      externals.set(id, number);
      return number;
    },
    of: (from: number, to: GroupTarget, number: number): Sum => {
      const key = number * groups + from;
      let sum = sums.get(key);
      if (sum === undefined) {
        sum = { from, to, strength: 0, typeOnly: 0, fromTests: 0, implicit: 0, production: 0 };
        sums.set(key, sum);
      }
      return sum;
    },
  };
}

type Sum = { -readonly [Field in keyof GroupEdge]: GroupEdge[Field] };

/** Most imports mean one file. */
function groupsOf(files: readonly number[], groupOf: Int32Array): Iterable<number> {
  if (files.length === 1) return [groupOf[files[0]!]!];
  return new Set(files.map(file => groupOf[file]!));
}

function compareTargets(a: GroupTarget, b: GroupTarget): number {
  if (a.kind === 'group') return b.kind === 'group' ? a.group - b.group : -1;
  if (b.kind === 'group') return 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** What the files of a group come to. */
export interface GroupSize {
  readonly fileCount: number;
  readonly symbolCount: number;
  readonly loc: number;
  /** The one with most lines; '' where there is no file. */
  readonly language: string;
  /** There are files, and all are tests. */
  readonly isTest: boolean;
}

/** The size of each group in files of code; `counts`: which of them count. */
export function groupSizes(
  files: readonly CodeFile[],
  { groupOf, count }: Grouping,
  counts: (file: number) => boolean,
): readonly GroupSize[] {
  const sums = Array.from({ length: count }, () => ({
    fileCount: 0,
    symbolCount: 0,
    loc: 0,
    tests: 0,
    lines: new Map<string, number>(),
  }));
  files.forEach(({ language, loc, symbolCount, isTest, isCode }, file) => {
    if (!isCode || !counts(file)) return;
    const sum = sums[groupOf[file]!]!;
    sum.fileCount++;
    sum.symbolCount += symbolCount;
    sum.loc += loc;
    if (isTest) sum.tests++;
    sum.lines.set(language, (sum.lines.get(language) ?? 0) + loc);
  });
  return sums.map(({ tests, lines, ...sum }) => ({
    ...sum,
    language: mostOf(lines),
    isTest: sum.fileCount > 0 && tests === sum.fileCount,
  }));
}

function mostOf(lines: ReadonlyMap<string, number>): string {
  let most = '';
  for (const [language, loc] of lines) {
    const best = lines.get(most) ?? -1;
    if (loc > best || (loc === best && language < most)) most = language;
  }
  return most;
}
