import { type CodeGraph, type GraphSite, isMade, kindOfDefinition, kindOfUse } from '../../model/graph.ts';
import { childrenOf } from '../../model/graph-children.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { isInitialised } from './accessors.ts';
import { type Hierarchy, remembered } from './hierarchy.ts';

/** What runs when a value of a class is made, besides what code calls: the one direction is the other's inverse. */
export interface Making {
  /** What making a value of a class runs, or one of its constructors: constructors, what fields begin with, the classes above. */
  madeBy(symbol: number): readonly number[];
  /** The classes and constructors that run a constructor, what a field begins with, or the making of a class. */
  makersOf(symbol: number): readonly number[];
}

export function createMaking(hierarchy: Hierarchy): Making {
  const { graph } = hierarchy;
  const made = new Map<number, readonly number[]>();
  const madeBy = (symbol: number): readonly number[] =>
    remembered(made, symbol, () => {
      const site = madeSite(graph, symbol);
      if (site === undefined) return [];
      return kindOfDefinition(site.in, site.at) === 'constructor'
        ? madeByConstructor(hierarchy, symbol)
        : madeByClass(hierarchy, symbol);
    });
  const makersOf = (symbol: number): readonly number[] => {
    const kind = kindOf(graph, symbol);
    if (kind === undefined) return [];
    const types = isMadeKind(graph, symbol)
      ? hierarchy.heirsOf({ symbol, anonymous: '' }).filter(heir => heir.anonymous === '')
      : runsWhenMade.has(kind)
        ? hierarchy.ownersOf(symbol)
        : [];
    const makers = new Set(types.flatMap(type => [type.symbol, ...constructorsOf(graph, type.symbol)]));
    return [...makers].filter(maker => madeBy(maker).includes(symbol));
  };
  return { madeBy, makersOf };
}

/** Fields and what else has a value from the start. */
const heldKinds: ReadonlySet<SymbolKind> = new Set(['field', 'property']);
const runsWhenMade: ReadonlySet<SymbolKind> = new Set([...heldKinds, 'constructor']);

function kindOf(graph: CodeGraph, symbol: number): SymbolKind | undefined {
  const [site] = graph.sitesOf(symbol);
  return site === undefined ? undefined : kindOfDefinition(site.in, site.at);
}

function isMadeKind(graph: CodeGraph, symbol: number): boolean {
  return graph.sitesOf(symbol).some(({ in: one, at }) => isMade(one, at));
}

function madeSite(graph: CodeGraph, symbol: number): GraphSite | undefined {
  return graph
    .sitesOf(symbol)
    .find(({ in: one, at }) => isMade(one, at) || kindOfDefinition(one, at) === 'constructor');
}

/** Languages in which what stands in a class's head is a constructor that is no definition. */
const hasPrimaryConstructor: ReadonlySet<string> = new Set(['kotlin']);

function madeByClass(hierarchy: Hierarchy, type: number): readonly number[] {
  const { graph } = hierarchy;
  const constructors = constructorsOf(graph, type);
  const isAll = constructors.length === 0 || hasPrimaryConstructor.has(languageOf(graph, type));
  return [...constructors, ...(isAll ? [...fieldsOf(graph, type), ...classesAbove(hierarchy, type)] : [])];
}

/** Languages whose constructors begin by making what is above, whether they say so or not. */
const makesAbove: ReadonlySet<string> = new Set(['java', 'csharp', 'cpp', 'kotlin', 'dart']);

function madeByConstructor(hierarchy: Hierarchy, maker: number): readonly number[] {
  const { graph } = hierarchy;
  const [owner] = hierarchy.ownersOf(maker);
  if (owner === undefined || !isMadeKind(graph, owner.symbol) || isFactory(graph, maker)) return [];
  const above = makesAbove.has(languageOf(graph, maker)) ? classesAbove(hierarchy, owner.symbol) : [];
  const isSaid = callsAny(graph, maker, [owner.symbol, ...above]);
  return [...fieldsOf(graph, owner.symbol), ...(isSaid ? [] : above)];
}

/** Dart's gives a value that something else has made. */
function isFactory(graph: CodeGraph, maker: number): boolean {
  return graph.sitesOf(maker).some(site => /^(?:const\s+)?factory\b/.test(graph.declaredAt(site).signature));
}

/** Whether a constructor calls a constructor of some classes, or these. */
function callsAny(graph: CodeGraph, maker: number, types: readonly number[]): boolean {
  const meant = new Set(types.flatMap(type => [type, ...constructorsOf(graph, type)]));
  let found = false;
  for (const site of graph.sitesOf(maker)) {
    graph.eachUseBy(site, (symbol, use) => {
      found ||= meant.has(symbol) && kindOfUse(site.in.uses.marks[use]!) === 'call';
    });
  }
  return found;
}

function languageOf(graph: CodeGraph, symbol: number): string {
  return graph.sitesOf(symbol)[0]?.in.language ?? '';
}

function constructorsOf(graph: CodeGraph, type: number): readonly number[] {
  const found = membersOfKind(graph, type, ({ in: one, at }) => kindOfDefinition(one, at) === 'constructor');
  return [...found];
}

/** Fields that begin with what code gives. */
function fieldsOf(graph: CodeGraph, type: number): readonly number[] {
  const isMeant = (site: GraphSite): boolean =>
    heldKinds.has(kindOfDefinition(site.in, site.at)) && calls(graph, site) && isInitialised(graph, site);
  return [...membersOfKind(graph, type, isMeant)];
}

function calls(graph: CodeGraph, site: GraphSite): boolean {
  let found = false;
  graph.eachUseBy(site, (_, use) => {
    found ||= kindOfUse(site.in.uses.marks[use]!) === 'call';
  });
  return found;
}

function membersOfKind(graph: CodeGraph, type: number, isMeant: (site: GraphSite) => boolean): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { in: one, at } of graph.sitesOf(type)) {
    if (!isMade(one, at)) continue;
    for (const child of childrenOf(one, at)) if (isMeant({ in: one, at: child })) found.add(one.symbols[child]!);
  }
  return found;
}

/**
 * The classes whose making is a part of a class's own. In Python the constructor of one counts alone: of the first base that
 * has any.
 */
function classesAbove(hierarchy: Hierarchy, type: number): readonly number[] {
  const { graph } = hierarchy;
  const bases = hierarchy.basesOf({ symbol: type, anonymous: '' }).map(({ symbol }) => symbol);
  const classes = [...new Set(bases)].filter(base => isMadeKind(graph, base));
  if (languageOf(graph, type) !== 'python' || classes.length < 2) return classes;
  return inOrderOfText(graph, type, classes)
    .filter(base => isConstructed(hierarchy, base, new Set([type])))
    .slice(0, 1);
}

function isConstructed(hierarchy: Hierarchy, type: number, seen: Set<number>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  if (constructorsOf(hierarchy.graph, type).length > 0) return true;
  return hierarchy
    .basesOf({ symbol: type, anonymous: '' })
    .some(({ symbol }) => isConstructed(hierarchy, symbol, seen));
}

function inOrderOfText(graph: CodeGraph, type: number, bases: readonly number[]): readonly number[] {
  const first = new Map<number, number>();
  for (const site of graph.sitesOf(type)) {
    graph.eachUseBy(site, (symbol, use) => {
      const { marks, references } = site.in.uses;
      if (kindOfUse(marks[use]!) === 'implementation' && !first.has(symbol)) first.set(symbol, references[use]!);
    });
  }
  return [...bases].sort((a, b) => (first.get(a) ?? 0) - (first.get(b) ?? 0));
}
