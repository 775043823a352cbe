import { atTop, type GraphDocument, indexOfSymbol, kindOfUse } from '../../model/graph.ts';
import { loadsFiles } from './doubts.ts';
import { exportsByName, type Reach } from './reach.ts';
import type { Wiring } from './wiring.ts';

/**
 * How often a symbol is used, or what stands in it: where, and by what. Handing it on is counted apart; all others are uses.
 */
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
  /** Of those by code that nothing reaches (`byUnreached`): by code of which no claim says so. */
  readonly unclaimed: number;
}

/** Whether a claim is made about a definition of the document at a place, or about one around it. */
export type IsClaimed = (place: number, at: number) => boolean;

type Column = Exclude<keyof Tally, 'unclaimed'>;

/** Costs what the documents do that may use it. */
export function tallyOf(symbol: number, wiring: Wiring, reach: Reach, isClaimed: IsClaimed): Tally {
  const tally = { reached: 0, unreached: 0, unloaded: 0, own: 0, handedOn: 0, tests: 0, unclaimed: 0 };
  for (const used of [symbol, ...standingIn(symbol, wiring)]) {
    for (const place of new Set(wiring.around(used)))
      countUses(tally, { symbol, used, place }, wiring, reach, isClaimed);
  }
  return tally;
}

/** What stands in a symbol, at whatever depth: who uses a member, or a constructor, uses what it is a member of. */
function standingIn(symbol: number, wiring: Wiring): ReadonlySet<number> {
  const found = new Set<number>();
  wiring.eachSite(symbol, (place, at) => {
    const { symbols } = wiring.documents[place]!.graph;
    const { children, childStarts } = wiring.part(place);
    const waiting = [at];
    for (let outer = waiting.pop(); outer !== undefined; outer = waiting.pop()) {
      for (let index = childStarts[outer + 1]!; index < childStarts[outer + 2]!; index++) {
        waiting.push(children[index]!);
        found.add(symbols[children[index]!]!);
      }
    }
  });
  found.delete(symbol);
  return found;
}

/** `used`: the symbol, or one that stands in it. */
function countUses(
  tally: { -readonly [Column in keyof Tally]: number },
  { symbol, used, place }: { readonly symbol: number; readonly used: number; readonly place: number },
  wiring: Wiring,
  reach: Reach,
  isClaimed: IsClaimed,
): void {
  const { graph, handedOn, tests, owners } = wiring.documents[place]!;
  const { uses } = graph;
  const target = indexOfSymbol(uses.targets, used);
  if (target < 0) return;
  const isOwn = indexOfSymbol(graph.symbols, symbol) >= 0;
  const isLive = reach.isLive(place);
  for (let use = uses.starts[target]!; use < uses.starts[target + 1]!; use++) {
    const user = uses.users[use]!;
    if (isOwn && isWithin(graph.symbols, owners, user, symbol)) continue;
    const isTest = tests.has(user) || (graph.isTest && !isOwn);
    const runs = (): boolean => isLive && doesRun(graph, use, wiring.part(place).loaded, reach);
    const column = columnOf({ isTest, isHandedOn: handedOn.has(use), isOwn, isLive, runs });
    tally[column] += uses.counts[use]!;
    const isUnclaimed = unreachedColumns(graph.language).includes(column) && !isClaimed(place, user);
    if (isUnclaimed) tally.unclaimed += uses.counts[use]!;
  }
}

/** Uses by code that nothing reaches, as far as its file being loaded or not makes no difference. */
export function byUnreached(tally: Tally, language: string): number {
  return unreachedColumns(language).reduce((sum, column) => sum + tally[column], 0);
}

/** Where a file lists its exports, what it uses itself is no matter; elsewhere that would have been reached. */
function unreachedColumns(language: string): readonly Column[] {
  if (exportsByName.has(language)) return ['unreached'];
  return loadsFiles.has(language) ? ['unreached', 'own'] : ['unreached', 'own', 'unloaded'];
}

interface UseTraits {
  readonly isTest: boolean;
  readonly isHandedOn: boolean;
  readonly isOwn: boolean;
  readonly isLive: boolean;
  runs(): boolean;
}

function columnOf({ isTest, isHandedOn, isOwn, isLive, runs }: UseTraits): Column {
  if (isTest) return 'tests';
  if (isHandedOn) return 'handedOn';
  if (isOwn) return 'own';
  if (!isLive) return 'unloaded';
  return runs() ? 'reached' : 'unreached';
}

/** A class is built from others for whoever uses it, not where it is declared. */
function doesRun({ uses, symbols }: GraphDocument, use: number, loaded: ReadonlySet<number>, reach: Reach): boolean {
  const user = uses.users[use]!;
  if (user === atTop || reach.isReached(symbols[user]!)) return true;
  return loaded.has(user) && kindOfUse(uses.marks[use]!) !== 'implementation';
}

/** A definition's own code says nothing of whether anybody wants it. */
function isWithin(symbols: Uint32Array, owners: Int32Array, user: number, symbol: number): boolean {
  for (let at = user; at >= 0; at = owners[at]!) if (symbols[at] === symbol) return true;
  return false;
}
