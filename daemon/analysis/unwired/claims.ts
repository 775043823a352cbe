import type { GraphDocument, GraphSite } from '../../model/graph.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { type Circumstances, ceilingOf, doubtsOf, loadsFiles } from './doubts.ts';
import { exportsByName } from './reach.ts';
import { byUnreached, type Tally } from './tallies.ts';

/** That no entrypoint reaches an exported symbol. */
export interface Claim {
  readonly site: GraphSite;
  readonly kind: SymbolKind;
  /** Uses outside tests and in them. */
  readonly references: number;
  readonly testReferences: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** An exported symbol, and the claim about one that no entrypoint reaches. */
export interface ExportedSymbol {
  readonly site: GraphSite;
  readonly kind: SymbolKind;
  readonly claim: Claim | undefined;
}

export type Claimed = Omit<Circumstances, 'graph' | 'hangsOnLoading'> & Pick<Claim, 'site' | 'kind'>;

export function claimOf(tally: Tally, { site, kind, ...about }: Claimed): Claim {
  const { in: graph } = site;
  const isLoaded = about.isLoaded || !loadsFiles.has(graph.language);
  const grounds = groundsOf(tally, graph, isLoaded);
  const hangsOnLoading = !isLoaded || tally.unloaded > 0;
  const doubts = doubtsOf({ ...about, graph, isLoaded, hangsOnLoading });
  const { reached, unreached, unloaded, own, handedOn, tests } = tally;
  return {
    site,
    kind,
    references: reached + unreached + unloaded + own + handedOn,
    testReferences: tests,
    confidence: Math.min(grounds.confidence, ceilingOf(graph.language), ...doubts.map(({ cap }) => cap)),
    reason: [grounds.reason, ...doubts.map(({ because }) => because)].join('; '),
  };
}

/** Why nothing reaches a symbol, as far as its uses say. */
function groundsOf(tally: Tally, graph: GraphDocument, isLoaded: boolean): { confidence: number; reason: string } {
  const { own, unloaded, unclaimed } = tally;
  const isByFile = loadsFiles.has(graph.language);
  const isOwn = exportsByName.has(graph.language);
  const users = [
    // As sure as what is claimed of those users, which `withUsersDoubts` sees to.
    byUnreached(tally, graph.language) > 0 && {
      confidence: unclaimed > 0 ? 0.75 : 0.95,
      reason: 'code that is itself unwired',
    },
    isByFile && unloaded > 0 && { confidence: 0.85, reason: 'files that nothing loads' },
    tally.tests > 0 && { confidence: 0.9, reason: 'tests' },
    isOwn && own > 0 && { confidence: 0.9, reason: 'its own file' },
  ].filter(one => one !== false);
  const confidence = Math.min(isLoaded ? 0.95 : 0.85, ...users.map(one => one.confidence));
  const handedOn = tally.handedOn > 0 ? ', those who hand it on apart' : '';
  const behind = `${handedOn}${isLoaded ? '' : ', and nothing loads its file'}`;
  const [first, ...others] = users.map(({ reason }) => reason);
  if (first === undefined) return { confidence, reason: `nothing uses it${behind}` };
  const last = others.pop();
  const all = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return { confidence, reason: `nothing but ${all} uses it${behind}` };
}
