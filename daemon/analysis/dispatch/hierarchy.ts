import {
  atTop,
  type CodeGraph,
  type GraphDocument,
  type GraphSite,
  kindOfDefinition,
  kindOfUse,
} from '../../model/graph.ts';
import { childrenOf } from '../../model/graph-children.ts';
import { descriptorsOf, lastDescriptorAt } from '../../model/identity.ts';
import type { SymbolKind } from '../../model/symbol.ts';

/**
 * What members stand in: a type, a constant of an enum, or what holds a class without name, which `anonymous` tells from
 * what else that holds: the descriptor that stands for it in tails, '' of any other.
 */
export interface Owner {
  readonly symbol: number;
  readonly anonymous: string;
}

/** An owner above or below another, and how sure it is that the one extends or implements the other. */
export interface Related extends Owner {
  readonly confidence: number;
}

/** Which types extend or implement which, and what stands in them. What was asked once is remembered: it is of one question. */
export interface Hierarchy {
  readonly graph: CodeGraph;
  /** What a member stands in, by all of its sites; none of what stands in no type. */
  ownersOf(member: number): readonly Owner[];
  /** The same by one site. */
  ownersAt(site: GraphSite): readonly Owner[];
  /** Those directly above. */
  basesOf(owner: Owner): readonly Related[];
  /** Those directly below. */
  heirsOf(owner: Owner): readonly Related[];
  /** All above, the nearest first, and all below; no more than a bound. */
  allAbove(owner: Owner): readonly Related[];
  allBelow(owner: Owner): readonly Related[];
  /** Sites of what an owner declares under a name, by the name's number. */
  membersOf(owner: Owner, name: number): readonly GraphSite[];
  /** A name as its symbol's tail has it. */
  nameOf(symbol: number): string;
}

/** Owners as keys of maps. */
export function keyOfOwner({ symbol, anonymous }: Owner): number | string {
  return anonymous === '' ? symbol : `${symbol} ${anonymous}`;
}

/** Types that are looked at above one, and below one. */
export const mostAbove = 64;
const mostBelow = 5_000;

function reachedFrom(owner: Owner, step: (owner: Owner) => readonly Related[], most: number): readonly Related[] {
  const found: Related[] = [];
  eachReached([owner], step, most, one => found.push(one) > 0);
  return found;
}

/** Each owner that is reached by steps from some, once, by the shortest way, and no more than `most`: `take` says whether to go on from it. */
export function eachReached(
  from: readonly Owner[],
  step: (owner: Owner) => readonly Related[],
  most: number,
  take: (owner: Related) => boolean,
): void {
  const seen = new Set(from.map(keyOfOwner));
  const pending: Related[] = from.map(one => ({ ...one, confidence: 1 }));
  for (let at = 0; at < pending.length; at++) {
    const way = pending[at]!.confidence;
    for (const next of step(pending[at]!)) {
      const key = keyOfOwner(next);
      if (seen.has(key)) continue;
      if (seen.size > most) return;
      seen.add(key);
      const reached = { ...next, confidence: way * next.confidence };
      if (take(reached)) pending.push(reached);
    }
  }
}

export function createHierarchy(graph: CodeGraph): Hierarchy {
  const above = new Map<number | string, readonly Related[]>();
  const below = new Map<number | string, readonly Related[]>();
  const allAbove = new Map<number | string, readonly Related[]>();
  const allBelow = new Map<number | string, readonly Related[]>();
  const owners = new Map<number, readonly Owner[]>();
  const basesAt = (owner: Owner): readonly Related[] =>
    remembered(above, keyOfOwner(owner), () => basesOf(graph, owner));
  const heirsAt = (owner: Owner): readonly Related[] =>
    remembered(below, keyOfOwner(owner), () => heirsOf(graph, owner));
  return {
    graph,
    ownersOf: member => remembered(owners, member, () => ownersOf(graph, member)),
    ownersAt: site => ownersAt(graph, site),
    basesOf: basesAt,
    heirsOf: heirsAt,
    allAbove: owner => remembered(allAbove, keyOfOwner(owner), () => reachedFrom(owner, basesAt, mostAbove)),
    allBelow: owner => remembered(allBelow, keyOfOwner(owner), () => reachedFrom(owner, heirsAt, mostBelow)),
    membersOf: (owner, name) => membersOf(graph, owner, name),
    nameOf: symbol => nameOf(graph, symbol),
  };
}

export function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

/** Languages whose classes without name are told in tails alone: their members stand in what holds them. */
const hasAnonymous: ReadonlySet<string> = new Set(['java', 'kotlin']);
/** What a class of such a language may stand in. */
const typeKinds: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'object', 'type']);

const isValue: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'property']);

function isType(one: GraphDocument, at: number): boolean {
  return typeKinds.has(kindOfDefinition(one, at));
}

function ownersOf(graph: CodeGraph, member: number): readonly Owner[] {
  const found = new Map<number | string, Owner>();
  for (const site of graph.sitesOf(member)) {
    for (const owner of ownersAt(graph, site)) found.set(keyOfOwner(owner), owner);
  }
  return [...found.values()];
}

function ownersAt(graph: CodeGraph, { in: one, at }: GraphSite): readonly Owner[] {
  const container = one.containers[at]!;
  const anonymous = hasAnonymous.has(one.language) ? anonymousAround(graph, { in: one, at }) : '';
  // The body of a member may stand outside of its type, in the namespace around that.
  if (container >= 0 && kindOfDefinition(one, container) === 'namespace') return [];
  if (container >= 0) return [{ symbol: one.symbols[container]!, anonymous }];
  const holder = anonymous === '' ? undefined : holderAtTop(graph, one, anonymous);
  return holder === undefined ? [] : [{ symbol: holder, anonymous }];
}

/** By document, of its definitions what `anonymousAround` tells. */
const anonymous = new WeakMap<GraphDocument, Map<number, string>>();

/** The descriptor of the class without name that a definition is a member of, '' where it is of none. */
function anonymousAround(graph: CodeGraph, { in: one, at }: GraphSite): string {
  const known = anonymous.get(one) ?? new Map<number, string>();
  anonymous.set(one, known);
  return remembered(known, at, () => readAnonymous(graph, { in: one, at }));
}

function readAnonymous(graph: CodeGraph, { in: one, at }: GraphSite): string {
  const { tail } = graph.declaredAt({ in: one, at });
  const around = tail.slice(0, lastDescriptorAt(tail));
  const last = around.slice(lastDescriptorAt(around));
  return baseOfAnonymous(last) === undefined ? '' : last;
}

/** The name of what a class without name extends or implements, as its descriptor tells; undefined of any other descriptor. */
function baseOfAnonymous(segment: string): string | undefined {
  return /^`(?:[^`]* )?new (?:[\w$]+\.)*([\w$]+)[^`]*`#$/.exec(segment)?.[1];
}

/** The variable at the top of a file that is given a value of a class without name: what stands in that stands in no definition. */
function holderAtTop(graph: CodeGraph, one: GraphDocument, anonymous: string): number | undefined {
  const [, name] = /^`([\w$]+) /.exec(anonymous) ?? [];
  const held = childrenOf(one, atTop).find(at => {
    const { tail } = isType(one, at) ? { tail: '' } : graph.declaredAt({ in: one, at });
    return name !== undefined && tail === `${name}.`;
  });
  return held === undefined ? undefined : one.symbols[held];
}

function basesOf(graph: CodeGraph, owner: Owner): readonly Related[] {
  const found: Related[] = [];
  const sites = graph.sitesOf(owner.symbol);
  for (const site of sites) {
    const { in: one, at } = site;
    const container = one.containers[at]!;
    if (owner.anonymous === '' && kindOfDefinition(one, at) === 'enum-member' && container >= 0) {
      found.push({ symbol: one.symbols[container]!, anonymous: '', confidence: 1 });
    }
    const told = hasAnonymous.has(one.language) && !isType(one, at);
    if (told !== (owner.anonymous !== '')) continue;
    graph.eachUseBy(site, (symbol, use) => {
      const isBase = told
        ? isAnonymousBase(graph, site, owner.anonymous, { symbol, use })
        : kindOfUse(one.uses.marks[use]!) === 'implementation';
      if (isBase) found.push({ symbol, anonymous: '', confidence: graph.confidence(one, use) });
    });
  }
  return found;
}

function heirsOf(graph: CodeGraph, owner: Owner): readonly Related[] {
  const found: Related[] = [];
  if (owner.anonymous !== '') return found;
  for (const { in: one, at } of graph.sitesOf(owner.symbol)) {
    for (const constant of kindOfDefinition(one, at) === 'enum' ? childrenOf(one, at) : []) {
      const isOwner = kindOfDefinition(one, constant) === 'enum-member' && childrenOf(one, constant).length > 0;
      if (isOwner) found.push({ symbol: one.symbols[constant]!, anonymous: '', confidence: 1 });
    }
  }
  graph.eachUse(owner.symbol, (user, use) => {
    const at = user.uses.users[use]!;
    if (at < 0) return;
    const heir = { symbol: user.symbols[at]!, confidence: graph.confidence(user, use) };
    if (!hasAnonymous.has(user.language) || isType(user, at)) {
      const isHeir = kindOfUse(user.uses.marks[use]!) === 'implementation';
      if (isHeir) found.push({ ...heir, anonymous: '' });
      return;
    }
    for (const anonymous of anonymousIn(graph, { in: user, at })) {
      if (isAnonymousBase(graph, { in: user, at }, anonymous, { symbol: owner.symbol, use })) {
        found.push({ ...heir, anonymous });
      }
    }
  });
  return found;
}

/**
 * Whether a use by what holds a class without name is of what that extends or implements: Java calls what it makes a value
 * of, Kotlin lists the others behind, of which the descriptor says nothing.
 */
function isAnonymousBase(
  graph: CodeGraph,
  holder: GraphSite,
  anonymous: string,
  { symbol, use }: { readonly symbol: number; readonly use: number },
): boolean {
  const kind = kindOfUse(holder.in.uses.marks[use]!);
  const isKotlin = holder.in.language === 'kotlin';
  if (kind !== (isKotlin ? 'implementation' : 'call')) return false;
  if (isKotlin && anonymousIn(graph, holder).length === 1) return true;
  return baseOfAnonymous(anonymous) === nameOf(graph, symbol);
}

/** The descriptors of the classes without name that a definition holds. */
function anonymousIn(graph: CodeGraph, { in: one, at }: GraphSite): readonly string[] {
  const found = new Set<string>();
  for (const child of childrenOf(one, at)) found.add(anonymousAround(graph, { in: one, at: child }));
  if (one.containers[at] === atTop && isValue.has(kindOfDefinition(one, at))) {
    for (const child of childrenOf(one, atTop)) {
      const anonymous = anonymousAround(graph, { in: one, at: child });
      if (anonymous !== '' && holderAtTop(graph, one, anonymous) === one.symbols[at]) found.add(anonymous);
    }
  }
  found.delete('');
  return [...found];
}

function membersOf(graph: CodeGraph, { symbol, anonymous }: Owner, name: number): readonly GraphSite[] {
  const found: GraphSite[] = [];
  for (const { in: one, at } of graph.sitesOf(symbol)) {
    const take = (child: number): void => {
      const site = { in: one, at: child };
      if (anonymous === '' || anonymousAround(graph, site) === anonymous) found.push(site);
    };
    for (const child of namedIn(one, at, name)) take(child);
    if (anonymous !== '' && one.containers[at] === atTop) for (const child of namedIn(one, atTop, name)) take(child);
  }
  return found;
}

function nameOf(graph: CodeGraph, symbol: number): string {
  const [site] = graph.sitesOf(symbol);
  const { tail } = site === undefined ? { tail: '' } : graph.declaredAt(site);
  return /^`?([^`#.(]+)/.exec(descriptorsOf(tail).at(-1) ?? '')?.[1] ?? '';
}

/** Those that bear a name, by its number, of the definitions that stand in one. */
function namedIn(one: GraphDocument, container: number, name: number): Uint32Array {
  return childrenOf(one, container).filter(child => one.names[child] === name);
}
