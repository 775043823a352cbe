import { atTop, type GraphDocument, indexOfSymbol } from '../../model/graph.ts';
import type { Reach } from './reach.ts';
import type { Wiring } from './wiring.ts';

/** How often a symbol is used: where, and by what. Handing it on is counted apart; all others are uses. */
export interface Tally {
  /** In files of which none defines it: by code that a root reaches, … */
  readonly reached: number;
  /** … by code of loaded files that no root reaches, … */
  readonly unreached: number;
  /** … in files that nothing loads. */
  readonly unloaded: number;
  /** In its own files, but for its own code. */
  readonly own: number;
  readonly handedOn: number;
  readonly tests: number;
}

/** Costs what the documents do that may use it. */
export function tallyOf(symbol: number, wiring: Wiring, reach: Reach): Tally {
  const tally = { reached: 0, unreached: 0, unloaded: 0, own: 0, handedOn: 0, tests: 0 };
  for (const used of wiring.withMakers(symbol)) {
    for (const place of new Set(wiring.around(used))) countUses(tally, { symbol, used, place }, wiring, reach);
  }
  return tally;
}

/** `used`: the symbol, or one that stands for it. */
function countUses(
  tally: { -readonly [Column in keyof Tally]: number },
  { symbol, used, place }: { readonly symbol: number; readonly used: number; readonly place: number },
  wiring: Wiring,
  reach: Reach,
): void {
  const { graph, handedOn, tests } = wiring.documents[place]!;
  const { uses } = graph;
  const target = indexOfSymbol(uses.targets, used);
  if (target < 0) return;
  const isOwn = indexOfSymbol(graph.symbols, symbol) >= 0;
  const isLive = reach.isLive(place);
  for (let use = uses.starts[target]!; use < uses.starts[target + 1]!; use++) {
    const user = uses.users[use]!;
    if (isOwn && isWithin(graph, user, symbol)) continue;
    const isTest = tests.has(user) || (graph.isTest && !isOwn);
    const runs = (): boolean => isLive && doesRun(graph, user, wiring.part(place).loaded, reach);
    tally[columnOf({ isTest, isHandedOn: handedOn.has(use), isOwn, isLive, runs })] += uses.counts[use]!;
  }
}

interface UseTraits {
  readonly isTest: boolean;
  readonly isHandedOn: boolean;
  readonly isOwn: boolean;
  readonly isLive: boolean;
  runs(): boolean;
}

function columnOf({ isTest, isHandedOn, isOwn, isLive, runs }: UseTraits): keyof Tally {
  if (isTest) return 'tests';
  if (isHandedOn) return 'handedOn';
  if (isOwn) return 'own';
  if (!isLive) return 'unloaded';
  return runs() ? 'reached' : 'unreached';
}

function doesRun({ symbols }: GraphDocument, user: number, loaded: ReadonlySet<number>, reach: Reach): boolean {
  return user === atTop || loaded.has(user) || reach.isReached(symbols[user]!);
}

/** A definition's own code says nothing of whether anybody wants it. */
function isWithin({ containers, symbols }: GraphDocument, user: number, symbol: number): boolean {
  for (let at = user; at >= 0; at = containers[at]!) if (symbols[at] === symbol) return true;
  return false;
}
