import type { FileGraph } from '../../model/file-graph.ts';
import { components, cyclesOf } from '../graphs/components.ts';
import { type Digraph, digraph, type Edge } from '../graphs/digraph.ts';
import type { GroupEdge, Grouping } from './quotient.ts';

export interface CycleQuestion {
  readonly graph: FileGraph;
  readonly grouping: Grouping;
  readonly edges: readonly GroupEdge[];
  readonly groups: readonly Group[];
  /**
   * Of each file what it is in without us: a package with a manifest of its own, or one directory, without those below. Groups
   * are put together of such units.
   */
  readonly unitOf: (file: number) => string;
}

interface Group {
  readonly id: string;
  /** All of it is tests. */
  readonly isTest: boolean;
}

export interface Cycles {
  /** Groups that reach one another, by their ids, as some of their units do. */
  readonly cycles: readonly (readonly string[])[];
  /** Further ones: no way leads round through the units, but one does where these are put together. */
  readonly mergedCycles: readonly (readonly string[])[];
  /** Whether something of an edge between two groups is part of a cycle of units. */
  readonly isInCycle: (from: number, to: number) => boolean;
}

/**
 * The cycles of groups. What tests need of another group closes none, for nothing that is built needs it; but among groups
 * that are all tests. Linear in imports.
 */
export function cyclesBetween(question: CycleQuestion): Cycles {
  const { groups, edges } = question;
  const count = groups.length;
  const { groupOf, between } = unitsOf(question);
  const { of } = components(digraph(groupOf.length, between));
  const closing = new Map<number, Edge>();
  for (const unit of between) {
    const [from, to] = [groupOf[unit.from]!, groupOf[unit.to]!];
    if (from !== to && of[unit.from] === of[unit.to]) closing.set(from * count + to, { from, to });
  }
  const cycles = cyclesOf(digraph(count, [...closing.values()]));
  const known = new Set(cycles.map(String));
  const merged = cyclesOf(betweenGroups(groups, edges)).filter(cycle => !known.has(String(cycle)));
  const named = (cycle: readonly number[]): readonly string[] => cycle.map(group => groups[group]!.id);
  return {
    cycles: cycles.map(named),
    mergedCycles: merged.map(named),
    isInCycle: (from, to) => closing.has(from * count + to),
  };
}

interface Units {
  /** Of each unit. */
  readonly groupOf: readonly number[];
  /** Which unit needs which, each pair once, as far as that may close a cycle. */
  readonly between: readonly Edge[];
}

function unitsOf({ graph: { files, imports }, grouping, groups, unitOf }: CycleQuestion): Units {
  const { isInside } = grouping;
  const groupOf: number[] = [];
  const numbers = new Map<string, number>();
  const units = files.map((_, file) => {
    const group = grouping.groupOf[file]!;
    const name = `${group} ${unitOf(file)}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, groupOf.length);
    return groupOf.push(group) - 1;
  });
  const between = new Map<number, Edge>();
  for (const { from: file, target, isTest } of imports) {
    if (target.kind !== 'files' || !isInside(file)) continue;
    const from = units[file]!;
    if (isTest && !groups[groupOf[from]!]!.isTest) continue;
    for (const other of target.files) {
      const to = units[other]!;
      const key = from * groupOf.length + to;
      if (from !== to && !between.has(key)) between.set(key, { from, to });
    }
  }
  return { groupOf, between: [...between.values()] };
}

function betweenGroups(groups: readonly Group[], edges: readonly GroupEdge[]): Digraph {
  const counted = edges.flatMap(({ from, to, strength, fromTests }) =>
    to.kind === 'group' && (fromTests < strength || groups[from]!.isTest) ? [{ from, to: to.group }] : [],
  );
  return digraph(groups.length, counted);
}
