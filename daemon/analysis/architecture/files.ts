import { type FileGraph, type FileImport, isBelow } from '../../model/file-graph.ts';
import { cyclesOf } from '../graphs/components.ts';
import { digraph, type Edge } from '../graphs/digraph.ts';
import { answerBounds, type Bounds, bounded } from './bounds.ts';
import type { DependencyKind, ViewOptions } from './modules.ts';

export interface FileView {
  readonly files: readonly FileRow[];
  readonly fileDependencies: readonly FileDependency[];
  readonly cycles: readonly (readonly string[])[];
  /** Nothing is put together. */
  readonly mergedCycles: readonly [];
  readonly truncated: boolean;
  readonly omitted: Bounds;
}

export interface FileRow {
  readonly path: string;
  readonly language: string;
  readonly loc: number;
  readonly incomingEdges: number;
  readonly outgoingEdges: number;
  readonly outside: boolean;
}

export interface FileDependency {
  readonly from: string;
  /** A file, `npm:react`, or, unresolved, what the file says. */
  readonly to: string;
  readonly kind: DependencyKind;
  /** 1-based. */
  readonly line: number;
  readonly resolved: boolean;
  readonly typeOnly: boolean;
  readonly implicit: boolean;
  /** It is part of one of `cycles`. */
  readonly inCycle: boolean;
}

export interface FileOptions extends ViewOptions {
  /** Whether an import leads from one package of a workspace to another. */
  readonly isWorkspace: (from: number, to: number) => boolean;
}

/**
 * Files and what each of them imports: one row for a pair of files, the first import of it. What can't be resolved is listed
 * where it is meant to be of the repository; of somebody else's packages nothing but with `includeExternalDeps`.
 */
export function fileView(graph: FileGraph, options: FileOptions): FileView {
  const { files } = graph;
  const isInside = (file: number): boolean => isBelow(files[file]!.path, options.target);
  const edges: Edge[] = [];
  const rowsOfEdges: Row[] = [];
  const seen = new Set<string | number>();
  const closing = new Set<number>();
  const incoming = new Int32Array(files.length);
  const outgoing = new Int32Array(files.length);
  for (const one of graph.imports) {
    if (!isInside(one.from)) continue;
    for (const found of dependenciesOf(one, graph, options)) {
      if (found.file === one.from) continue;
      const edge = found.file === undefined ? undefined : one.from * files.length + found.file;
      // What tests in a file need of another closes no cycle, for nothing that is built needs it.
      if (edge !== undefined && !closing.has(edge) && (!one.isTest || files[one.from]!.isTest)) {
        closing.add(edge);
        edges.push({ from: one.from, to: found.file! });
      }
      const key = edge ?? `${one.from} ${found.row.to}`;
      if (seen.has(key)) continue;
      seen.add(key);
      rowsOfEdges.push(found.row);
      outgoing[one.from]!++;
      if (found.file !== undefined) incoming[found.file]!++;
    }
  }
  const rows = files.flatMap(({ path, language, loc, isCode }, file): FileRow[] => {
    const outside = !isInside(file);
    if ((outside || !isCode) && incoming[file] === 0) return [];
    return [{ path, language, loc, incomingEdges: incoming[file]!, outgoingEdges: outgoing[file]!, outside }];
  });
  const cycles = cyclesOf(digraph(files.length, edges)).map(cycle => cycle.map(file => files[file]!.path));
  const shown = bounded(rows, withCycles(rowsOfEdges, cycles), options.most ?? answerBounds, {
    keyOf: ({ path }) => path,
    endsOf: ({ from, to }) => [from, to],
    strengthOf: ({ resolved }) => (resolved ? 1 : 0),
  });
  const { nodes, edges: shownEdges, ...rest } = shown;
  return { files: nodes, fileDependencies: shownEdges, cycles, mergedCycles: [], ...rest };
}

type Row = Omit<FileDependency, 'inCycle'>;

function withCycles(rows: readonly Row[], cycles: readonly (readonly string[])[]): readonly FileDependency[] {
  const cycleOf = new Map(cycles.flatMap((cycle, at) => cycle.map(path => [path, at] as const)));
  return rows.map(row => {
    const cycle = cycleOf.get(row.from);
    return { ...row, inCycle: row.resolved && cycle !== undefined && cycle === cycleOf.get(row.to) };
  });
}

interface Found {
  readonly row: Row;
  /** The file that it leads to; undefined for what is none of this repository. */
  readonly file?: number;
}

function dependenciesOf(one: FileImport, { files }: FileGraph, options: FileOptions): readonly Found[] {
  const { from, target, line, typeOnly, implicit } = one;
  const row = { from: files[from]!.path, line, typeOnly, implicit };
  switch (target.kind) {
    case 'files':
      return target.files.map(file => ({
        row: { ...row, to: files[file]!.path, kind: kindOf(from, file, options), resolved: true },
        file,
      }));
    case 'external': {
      const kind = target.isStandard ? 'stdlib' : 'external';
      return options.includeExternalDeps ? [{ row: { ...row, to: target.id, kind, resolved: true } }] : [];
    }
    case 'unknown': {
      const kind = target.isLocal ? 'local' : 'external';
      const isShown = target.isLocal || options.includeExternalDeps;
      return isShown ? [{ row: { ...row, to: target.specifier, kind, resolved: false } }] : [];
    }
  }
}

function kindOf(from: number, to: number, { isWorkspace }: FileOptions): DependencyKind {
  return isWorkspace(from, to) ? 'workspace' : 'local';
}
