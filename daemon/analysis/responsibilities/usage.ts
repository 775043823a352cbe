import { isCode } from '../../model/families.ts';
import { atTop, type GraphDocument, type GraphSite, kindOfDefinition, traitsOf } from '../../model/graph.ts';
import { once } from '../../model/once.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { isToolConfiguration } from '../../model/tool-configurations.ts';

/** Who uses what modules offer. */
export interface Usage {
  /** What a module offers to others, by its number: each symbol once, the most used first. Made when it is asked for first. */
  offeredBy(module: number): readonly Offered[];
  /** Paths of the files of code of a module, sorted. */
  filesOf(module: number): readonly string[];
  /** The numbers of the other modules that a module uses, that of which it uses most symbols first. */
  mostUsedBy(module: number): readonly number[];
}

export interface Offered {
  readonly in: GraphDocument;
  /** Index of the definition. */
  readonly at: number;
  /** Files of other modules that use it, and those modules; files of its own but for where it stands; files of tests. */
  readonly files: number;
  readonly modules: number;
  readonly ownFiles: number;
  readonly testFiles: number;
}

/** What the counting asks of others. */
export interface UsageQuestions {
  /** The number of the module of a path. */
  readonly moduleAt: (path: string) => number;
  /** Whether a definition that stands in none is a part of a type all the same, as in C++ and Rust. */
  readonly isMember: (site: GraphSite) => boolean;
}

/**
 * Counts uses in one go over all documents. What is offered is what its file exports at its top, or in a namespace: members
 * come with their types, and what tools read as settings is for nobody else.
 */
export function usageOf(documents: readonly GraphDocument[], { moduleAt, isMember }: UsageQuestions): Usage {
  const byModule = new Map<number, GraphDocument[]>();
  for (const one of documents) {
    const module = moduleAt(one.path);
    const known = byModule.get(module);
    if (known === undefined) byModule.set(module, [one]);
    else known.push(one);
  }
  const counts = countsOf(byModule.values(), documents);
  const documentsOf = (module: number): readonly GraphDocument[] => byModule.get(module) ?? [];
  const offered = new Map<number, readonly Offered[]>();
  const homes = once(() => homesOf(byModule, sizeOf(documents)));
  return {
    filesOf: module => documentsOf(module).flatMap(({ language, path }) => (isCode(language) ? [path] : [])),
    mostUsedBy: module => mostUsed(documentsOf(module), module, homes()),
    offeredBy: module => {
      const known = offered.get(module) ?? offeredIn(documentsOf(module), counts, isMember);
      offered.set(module, known);
      return known;
    },
  };
}

/** By symbol. */
interface Counts {
  readonly files: Uint32Array;
  readonly tests: Uint32Array;
  readonly modules: Uint32Array;
}

function countsOf(modules: Iterable<readonly GraphDocument[]>, documents: readonly GraphDocument[]): Counts {
  const size =
    1 + documents.reduce((most, { symbols, uses }) => Math.max(most, symbols.at(-1) ?? 0, uses.targets.at(-1) ?? 0), 0);
  const counts = { files: new Uint32Array(size), tests: new Uint32Array(size), modules: new Uint32Array(size) };
  const lastModule = new Uint32Array(size);
  let number = 0;
  for (const own of modules) {
    number++;
    for (const { isTest, uses } of own) {
      for (const symbol of uses.targets) {
        if (isTest) {
          counts.tests[symbol]!++;
          continue;
        }
        counts.files[symbol]!++;
        if (lastModule[symbol] === number) continue;
        lastModule[symbol] = number;
        counts.modules[symbol]!++;
      }
    }
  }
  return counts;
}

/** Symbols are numbered from 1 on. */
function sizeOf(documents: readonly GraphDocument[]): number {
  const last = ({ symbols, uses }: GraphDocument): number => Math.max(symbols.at(-1) ?? 0, uses.targets.at(-1) ?? 0);
  return 1 + documents.reduce((most, one) => Math.max(most, last(one)), 0);
}

/** By symbol the number of a module that defines it, and 1 more; 0 of what no module does. */
function homesOf(byModule: ReadonlyMap<number, readonly GraphDocument[]>, size: number): Uint32Array {
  const homes = new Uint32Array(size);
  for (const [module, own] of byModule) {
    for (const { symbols } of own) for (const symbol of symbols) homes[symbol] ||= module + 1;
  }
  return homes;
}

function mostUsed(own: readonly GraphDocument[], module: number, homes: Uint32Array): readonly number[] {
  const used = new Map<number, number>();
  for (const { uses } of own) {
    for (const symbol of uses.targets) {
      const home = homes[symbol]! - 1;
      if (home >= 0 && home !== module) used.set(home, (used.get(home) ?? 0) + 1);
    }
  }
  return [...used].sort(([one, some], [other, others]) => others - some || one - other).map(([home]) => home);
}

function offeredIn(
  own: readonly GraphDocument[],
  { files, modules, tests }: Counts,
  isMember: UsageQuestions['isMember'],
): readonly Offered[] {
  const inside = new Map<number, number>();
  for (const { isTest, uses } of own) {
    if (!isTest) for (const symbol of uses.targets) inside.set(symbol, (inside.get(symbol) ?? 0) + 1);
  }
  const found = new Map<number, Offered>();
  for (const one of own) {
    if (one.isTest || isToolConfiguration(one.path)) continue;
    for (let at = 0; at < one.symbols.length; at++) {
      const symbol = one.symbols[at]!;
      if (found.has(symbol) || !isOffered(one, at) || isHidden(one, at, isMember)) continue;
      const within = inside.get(symbol) ?? 0;
      found.set(symbol, {
        ...{ in: one, at, files: files[symbol]! - within, modules: modules[symbol]! - Math.min(1, within) },
        ...{ ownFiles: Math.max(0, within - 1), testFiles: tests[symbol]! },
      });
    }
  }
  return [...found.values()].sort((a, b) => weightOf(b) - weightOf(a) || inOrder(a, b));
}

/** A file of another module counts as one, and the module for two more; what uses it at home, or tests it, for less. */
function weightOf({ files, modules, ownFiles, testFiles }: Offered): number {
  return files + 2 * modules + ownFiles / 2 + testFiles / 4;
}

function inOrder(a: Offered, b: Offered): number {
  return a.in.path < b.in.path ? -1 : a.in.path > b.in.path ? 1 : a.in.slots[a.at]! - b.in.slots[b.at]!;
}

/** Exported by its file, of no test, and no part of a type. */
function isOffered(one: GraphDocument, at: number): boolean {
  const { exported, isTest, kind } = traitsOf({ in: one, at });
  if (!exported || isTest || !offeredKinds.has(kind)) return false;
  const container = one.containers[at]!;
  return container === atTop || namespaces.has(kindOfDefinition(one, container));
}

/** Bodies of members stand outside of their types in C++, types of `impl` blocks in Rust. */
function isHidden(one: GraphDocument, at: number, isMember: UsageQuestions['isMember']): boolean {
  if (one.containers[at] !== atTop) return false;
  const { kind } = traitsOf({ in: one, at });
  const mayBe = one.language === 'rust' ? kind === 'type' : /^c(?:pp)?$/.test(one.language) && kind === 'function';
  return mayBe && isMember({ in: one, at });
}

const namespaces: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);
const offeredKinds: ReadonlySet<SymbolKind> = new Set([
  ...([
    'function',
    'class',
    'interface',
    'struct',
    'enum',
    'trait',
    'type',
    'variable',
    'constant',
    'macro',
    'object',
  ] as const),
]);
