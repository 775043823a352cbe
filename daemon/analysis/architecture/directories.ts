import { type FileGraph, isBelow } from '../../model/file-graph.ts';
import { directoryOf } from '../../model/paths.ts';
import { answerBounds, type Bounds, bounded } from './bounds.ts';
import { cyclesBetween } from './cycles.ts';
import { degreesOf, type ViewOptions } from './modules.ts';
import { edgesBetween, type Grouping, groupSizes } from './quotient.ts';

export interface DirectoryView {
  readonly directories: readonly DirectoryRow[];
  readonly directoryDependencies: readonly DirectoryDependency[];
  /** As of modules: `mergedCycles` hold only because what lies deeper counts with its ancestor. */
  readonly cycles: readonly (readonly string[])[];
  readonly mergedCycles: readonly (readonly string[])[];
  readonly truncated: boolean;
  readonly omitted: Bounds;
}

export interface DirectoryRow {
  /** `.` is the root. */
  readonly path: string;
  readonly fileCount: number;
  readonly loc: number;
  readonly language: string;
  /** A file speaks for the directory, such as `index.ts` or `__init__.py`. */
  readonly hasIndexFile: boolean;
  readonly incomingEdges: number;
  readonly outgoingEdges: number;
  readonly outside: boolean;
}

export interface DirectoryDependency {
  readonly from: string;
  /** A directory, or `npm:react`. */
  readonly to: string;
  readonly importCount: number;
  readonly typeOnly: number;
  readonly fromTests: number;
  readonly production: number;
  readonly inCycle: boolean;
}

export interface DirectoryOptions extends ViewOptions {
  /** So many levels below the target have rows of their own; what lies deeper counts with its ancestor there. */
  readonly depth: number;
}

/** Directories that hold code and what they need of each other. */
export function directoryView(
  graph: FileGraph,
  { depth, target, includeExternalDeps, most = answerBounds }: DirectoryOptions,
): DirectoryView {
  const { grouping, directories } = directoriesOf(graph, target, depth);
  const edges = edgesBetween(graph, grouping, includeExternalDeps);
  const degrees = degreesOf(directories.length, edges);
  const sizes = groupSizes(graph.files, grouping, () => true);
  const indexed = indexedDirectories(graph);
  const rows = directories.flatMap(({ id, path, outside }, at): DirectoryRow[] => {
    const incomingEdges = degrees.incoming[at]!;
    const isEmpty = sizes[at]!.fileCount === 0;
    if ((outside || isEmpty) && incomingEdges === 0) return [];
    const { fileCount, loc, language } = sizes[at]!;
    const hasIndexFile = indexed.has(path);
    const outgoingEdges = degrees.outgoing[at]!;
    return [{ path: id, fileCount, loc, language, hasIndexFile, incomingEdges, outgoingEdges, outside }];
  });
  const groups = directories.map(({ id }, at) => ({ id, isTest: sizes[at]!.isTest }));
  const unitOf = (file: number): string => directoryOf(graph.files[file]!.path);
  const { cycles, mergedCycles, isInCycle } = cyclesBetween({ graph, grouping, edges, groups, unitOf });
  const dependencies = edges.map(
    ({ from, to, strength, typeOnly, fromTests, production }): DirectoryDependency => ({
      from: directories[from]!.id,
      to: to.kind === 'group' ? directories[to.group]!.id : to.id,
      importCount: strength,
      typeOnly,
      fromTests,
      production,
      inCycle: to.kind === 'group' && isInCycle(from, to.group),
    }),
  );
  const shown = bounded(rows, dependencies, most, {
    keyOf: row => row.path,
    endsOf: ({ from, to }) => [from, to],
    strengthOf: ({ importCount }) => importCount,
  });
  const { nodes, edges: listed, ...rest } = shown;
  return { directories: nodes, directoryDependencies: listed, cycles, mergedCycles, ...rest };
}

interface Directory {
  readonly id: string;
  readonly path: string;
  readonly outside: boolean;
}

/** Of each file the directory that it counts with, in the order of their paths. */
function directoriesOf(
  { files }: FileGraph,
  target: string,
  depth: number,
): { readonly grouping: Grouping; readonly directories: readonly Directory[] } {
  const insideOf = files.map(({ path }) => isBelow(path, target));
  const keys = files.map(({ path }, file) => ancestorOf(path, insideOf[file] ? levelsOf(target) + depth : depth));
  const known = new Map<string, Directory>();
  keys.forEach((path, file) => {
    const outside = insideOf[file] !== true;
    // What surrounds the target may have files below it and beside it.
    if (known.get(path)?.outside !== false) known.set(path, { id: path === '' ? '.' : path, path, outside });
  });
  const directories = [...known.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const numbers = new Map(directories.map(({ path }, at) => [path, at]));
  const groupOf = Int32Array.from(keys, path => numbers.get(path)!);
  return { grouping: { groupOf, count: directories.length, isInside: file => insideOf[file]! }, directories };
}

function levelsOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** The directory of a file, or its ancestor at that level. */
function ancestorOf(path: string, level: number): string {
  let end = -1;
  for (let at = 0; at < level; at++) {
    const next = path.indexOf('/', end + 1);
    if (next < 0) break;
    end = next;
  }
  return end < 0 ? '' : path.slice(0, end);
}

const indexFile =
  /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.pyi?|(?:mod|lib)\.rs|package-info\.java|doc\.go|index\.php)$/;

function indexedDirectories({ files }: FileGraph): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { path } of files) {
    if (indexFile.test(path)) found.add(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  }
  return found;
}
