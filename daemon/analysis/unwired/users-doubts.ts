import { atTop, type GraphDocument, type GraphSite } from '../../model/graph.ts';
import type { ExportedSymbol } from './claims.ts';

/** What is asked of the documents that claims are about. */
export interface Around {
  /** See `WiredDocument`. */
  ownersOf(graph: GraphDocument): Int32Array;
  /** Documents that define a symbol. */
  sitesOf(symbol: number): readonly GraphDocument[];
}

/**
 * Claims with the doubts of those who use what they are about, or what stands in it: a symbol is as surely unwired as each of
 * its users is, and no more. The code of a definition that no claim is about, and that at the top of a file, may run where
 * anything of its file does. A file hands its doubts on again when they have grown, which they do a few times at most.
 */
export function withUsersDoubts(
  found: readonly ExportedSymbol[],
  { ownersOf, sitesOf }: Around,
): readonly ExportedSymbol[] {
  const confidences = new Map<number, number>();
  const filesOf = new Map<number, GraphDocument>();
  const byFile = new Map<GraphDocument, number[]>();
  const waiting = new Set<GraphDocument>();
  const doubted = (symbol: number): void => {
    for (const graph of sitesOf(symbol)) if (!graph.isTest) waiting.add(graph);
  };
  for (const { claim, site } of found) {
    if (claim === undefined) continue;
    const symbol = symbolAt(site);
    confidences.set(symbol, claim.confidence);
    filesOf.set(symbol, site.in);
    const ofFile = byFile.get(site.in);
    if (ofFile === undefined) byFile.set(site.in, [symbol]);
    else ofFile.push(symbol);
    if (claim.confidence < sure) doubted(symbol);
  }
  const claimed = claimedBy(new Set([...filesOf.keys()].flatMap(sitesOf)), ownersOf, confidences);
  for (const graph of waiting) {
    // What is put in again while a set is gone through comes up again.
    waiting.delete(graph);
    const doubt = Math.min(1, ...(byFile.get(graph) ?? []).map(symbol => confidences.get(symbol)!));
    const owners = ownersOf(graph);
    eachUseOfOthers(graph, (used, user) => {
      const symbol = claimed.get(used);
      if (symbol === undefined) return;
      const known = confidences.get(symbol)!;
      // What runs of its own file says nothing of it, or it would not be unwired.
      const ofFile = filesOf.get(symbol) === graph ? known : doubt;
      const by = claimedAround(graph.symbols, owners, user, confidences);
      const most = by === undefined ? ofFile : confidences.get(by)!;
      if (most >= known) return;
      confidences.set(symbol, most);
      if (most < sure) doubted(symbol);
    });
  }
  return found.map(one => {
    const { claim, site } = one;
    const confidence = claim && confidences.get(symbolAt(site))!;
    if (claim === undefined || confidence === undefined || confidence === claim.confidence) return one;
    return {
      ...one,
      claim: { ...claim, confidence, reason: `${claim.reason}; what uses it may be found another way` },
    };
  });
}

function symbolAt({ in: graph, at }: GraphSite): number {
  return graph.symbols[at]!;
}

/** What claims are about, by its symbol and by those of what stands in it. */
function claimedBy(
  files: Iterable<GraphDocument>,
  ownersOf: Around['ownersOf'],
  confidences: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const graph of files) {
    const owners = ownersOf(graph);
    graph.symbols.forEach((symbol, at) => {
      const outer = claimedAround(graph.symbols, owners, at, confidences);
      if (outer !== undefined) found.set(symbol, outer);
    });
  }
  return found;
}

/** Who is this sure to be unwired casts no doubt on others. */
const sure = 0.85;

function eachUseOfOthers({ uses }: GraphDocument, take: (symbol: number, user: number) => void): void {
  const { targets, starts, users } = uses;
  for (let index = 0; index < targets.length; index++) {
    for (let use = starts[index]!; use < starts[index + 1]!; use++) take(targets[index]!, users[use]!);
  }
}

/** The symbol at a place, or the nearest around it, that a claim is about. */
function claimedAround(
  symbols: Uint32Array,
  owners: Int32Array,
  place: number,
  confidences: ReadonlyMap<number, number>,
): number | undefined {
  let steps = 0;
  for (let at = place; at !== atTop && steps < mostNested; at = owners[at]!, steps++) {
    if (confidences.has(symbols[at]!)) return symbols[at]!;
  }
  return undefined;
}

const mostNested = 100;
