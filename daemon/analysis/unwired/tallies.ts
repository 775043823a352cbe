import { atTop } from '../../model/graph.ts';
import type { Reach } from './reach.ts';
import type { Wiring } from './wiring.ts';

/** How often a symbol is used, by symbol: where, and by what. Handing it on is counted apart; all others are uses. */
export interface Tallies {
  /** In files of which none defines it: by code that a root reaches, … */
  readonly reached: Uint32Array;
  /** … by code of loaded files that no root reaches, … */
  readonly unreached: Uint32Array;
  /** … in files that nothing loads. */
  readonly unloaded: Uint32Array;
  /** In its own files, but for its own code: by what a root reaches, and by the rest. */
  readonly ownReached: Uint32Array;
  readonly own: Uint32Array;
  readonly handedOn: Uint32Array;
  readonly tests: Uint32Array;
}

export function tallyUses(wiring: Wiring, { live, reached }: Reach): Tallies {
  const { documents, parts, offsets } = wiring;
  let last = 0;
  for (const { graph } of documents) last = Math.max(last, graph.symbols.at(-1) ?? 0);
  const column = (): Uint32Array => new Uint32Array(last + 1);
  const tallies = {
    ...{ reached: column(), unreached: column(), unloaded: column(), ownReached: column(), own: column() },
    ...{ handedOn: column(), tests: column() },
  };
  documents.forEach(({ graph, handedOn, tests }, document) => {
    const { uses } = graph;
    const loaded = new Set<number>([atTop, ...parts[document]!.loaded]);
    const runs = (user: number): boolean =>
      live[document] === 1 && (loaded.has(user) || reached[offsets[document]! + user] === 1);
    for (let target = 0; target < uses.targets.length; target++) {
      const symbol = uses.targets[target]!;
      const home = homeOf(wiring, symbol, document);
      if (home === 'none') continue;
      for (let use = uses.starts[target]!; use < uses.starts[target + 1]!; use++) {
        const user = uses.users[use]!;
        if (home === 'here' && isWithin(graph.containers, user, symbol, graph.symbols)) continue;
        columnOf(tallies, {
          isTest: tests.has(user) || (graph.isTest && home !== 'here'),
          isHandedOn: handedOn.has(use),
          isOwn: home === 'here',
          isLive: live[document] === 1,
          runs: runs(user),
        })[symbol]! += uses.counts[use]!;
      }
    }
  });
  return tallies;
}

interface UseTraits {
  readonly isTest: boolean;
  readonly isHandedOn: boolean;
  readonly isOwn: boolean;
  readonly isLive: boolean;
  readonly runs: boolean;
}

function columnOf(tallies: Tallies, { isTest, isHandedOn, isOwn, isLive, runs }: UseTraits): Uint32Array {
  if (isTest) return tallies.tests;
  if (isHandedOn) return tallies.handedOn;
  if (isOwn) return runs ? tallies.ownReached : tallies.own;
  if (runs) return tallies.reached;
  return isLive ? tallies.unreached : tallies.unloaded;
}

/** Whether a symbol is defined in a document, elsewhere in the snapshot, or by others. */
function homeOf(wiring: Wiring, symbol: number, document: number): 'here' | 'elsewhere' | 'none' {
  let home: 'here' | 'elsewhere' | 'none' = 'none';
  wiring.eachSite(symbol, node => {
    if (home === 'here') return;
    const isHere = node >= wiring.offsets[document]! && node < wiring.offsets[document + 1]!;
    home = isHere ? 'here' : 'elsewhere';
  });
  return home;
}

/** A definition's own code says nothing of whether anybody wants it. */
function isWithin(containers: Int32Array, user: number, symbol: number, symbols: Uint32Array): boolean {
  for (let at = user; at >= 0; at = containers[at]!) if (symbols[at] === symbol) return true;
  return false;
}
