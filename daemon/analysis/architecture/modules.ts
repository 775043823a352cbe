import { type FileGraph, isBelow } from '../../model/file-graph.ts';
import { directoryOf } from '../../model/paths.ts';
import { answerBounds, type Bounds, bounded } from './bounds.ts';
import { type Cycles, cyclesBetween } from './cycles.ts';
import { edgesBetween, type GroupEdge, type Grouping, groupSizes } from './quotient.ts';

/** A module as far as a picture needs it. */
export interface ModuleNode {
  readonly id: string;
  /** '' of the root. */
  readonly path: string;
  readonly name: string;
  readonly isTest: boolean;
  /** One with a manifest is a unit of its own, another is directories put together. */
  readonly detectedBy: 'manifest' | 'inferred';
}

/** The modules of a repository, and which of them each file of the graph is in. */
export interface ModuleCut<Module extends ModuleNode = ModuleNode> {
  readonly modules: readonly Module[];
  /** Of each file an index into the modules. */
  readonly moduleOf: Int32Array;
  /** Whether one of them may name the other as a package of the same workspace. */
  readonly isWorkspace: (from: Module, to: Module) => boolean;
}

export interface ModuleView {
  readonly modules: readonly ModuleRow[];
  readonly dependencies: readonly ModuleDependency[];
  /** Modules that reach one another, by their ids; those that do as directories put together alone are `mergedCycles`. */
  readonly cycles: readonly (readonly string[])[];
  readonly mergedCycles: readonly (readonly string[])[];
  readonly truncated: boolean;
  readonly omitted: Bounds;
}

export interface ModuleRow {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly language: string;
  readonly fileCount: number;
  readonly symbolCount: number;
  readonly loc: number;
  /** Edges of the whole view, whether or not they are all listed. */
  readonly incomingEdges: number;
  readonly outgoingEdges: number;
  readonly isTest: boolean;
  /** It lies elsewhere, and something of what is shown needs it. */
  readonly outside: boolean;
}

export type DependencyKind = 'local' | 'workspace' | 'external' | 'stdlib';

export interface ModuleDependency {
  readonly from: string;
  /** A module's id, or `npm:react`. */
  readonly to: string;
  readonly kind: DependencyKind;
  /** How many imports. */
  readonly strength: number;
  readonly typeOnly: number;
  readonly fromTests: number;
  readonly implicit: number;
  /** How many are neither of types alone nor by tests. */
  readonly production: number;
  /** It is part of one of `cycles`. */
  readonly inCycle: boolean;
}

export interface ViewOptions {
  readonly includeExternalDeps: boolean;
  /** What the view is of: a path, '' for everything. */
  readonly target: string;
  readonly most?: Bounds;
}

/** Modules and what they need of each other. */
export function moduleView<Module extends ModuleNode>(
  graph: FileGraph,
  cut: ModuleCut<Module>,
  { includeExternalDeps, target, most = answerBounds }: ViewOptions,
): ModuleView {
  const { modules, moduleOf } = cut;
  const isInside = (file: number): boolean => isBelow(graph.files[file]!.path, target);
  const grouping: Grouping = { groupOf: moduleOf, count: modules.length, isInside };
  const edges = edgesBetween(graph, grouping, includeExternalDeps);
  const inside = modules.map(({ path }) => isBelow(path, target));
  graph.files.forEach((_, file) => {
    if (isInside(file)) inside[moduleOf[file]!] = true;
  });
  const degrees = degreesOf(modules.length, edges);
  const sizes = groupSizes(graph.files, grouping, file => isInside(file) || inside[moduleOf[file]!] === false);
  const rows = modules.flatMap(({ id, name, path, isTest }, at): ModuleRow[] => {
    const outside = inside[at] !== true;
    if (outside && degrees.incoming[at] === 0) return [];
    const size = sizes[at]!;
    const edgeCounts = { incomingEdges: degrees.incoming[at]!, outgoingEdges: degrees.outgoing[at]! };
    return [{ id, name, path, ...size, ...edgeCounts, isTest: isTest || size.isTest, outside }];
  });
  const groups = modules.map(({ id, isTest }, at) => ({ id, isTest: isTest || sizes[at]!.isTest }));
  const unitOf = (file: number): string => {
    const { detectedBy, path } = modules[moduleOf[file]!]!;
    return detectedBy === 'manifest' ? path : directoryOf(graph.files[file]!.path);
  };
  const { cycles, mergedCycles, isInCycle } = cyclesBetween({ graph, grouping, edges, groups, unitOf });
  const dependencies = edges.map(edge => dependencyOf(edge, cut, isInCycle));
  const shown = bounded(rows, dependencies, most, {
    keyOf: ({ id }) => id,
    endsOf: ({ from, to }) => [from, to],
    strengthOf: ({ strength }) => strength,
  });
  const { nodes, edges: shownEdges, ...rest } = shown;
  return { modules: nodes, dependencies: shownEdges, cycles, mergedCycles, ...rest };
}

function dependencyOf<Module extends ModuleNode>(
  { from, to, ...counts }: GroupEdge,
  { modules, isWorkspace }: ModuleCut<Module>,
  isInCycle: Cycles['isInCycle'],
): ModuleDependency {
  const source = modules[from]!;
  if (to.kind === 'external') {
    return { from: source.id, to: to.id, kind: to.isStandard ? 'stdlib' : 'external', ...counts, inCycle: false };
  }
  const other = modules[to.group]!;
  const kind = isWorkspace(source, other) ? 'workspace' : 'local';
  return { from: source.id, to: other.id, kind, ...counts, inCycle: isInCycle(from, to.group) };
}

/** How many edges lead to each group and away from it. */
export function degreesOf(count: number, edges: readonly GroupEdge[]): Degrees {
  const incoming = new Int32Array(count);
  const outgoing = new Int32Array(count);
  for (const { from, to } of edges) {
    outgoing[from]!++;
    if (to.kind === 'group') incoming[to.group]!++;
  }
  return { incoming, outgoing };
}

export interface Degrees {
  readonly incoming: Int32Array;
  readonly outgoing: Int32Array;
}
