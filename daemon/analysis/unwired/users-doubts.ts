import { atTop, type GraphDocument } from '../../model/graph.ts';
import type { ExportedSymbol } from './claims.ts';

/**
 * Claims with the doubts of those who use what they are about: a symbol is as surely unwired as each of its users is, and no
 * more. `ownersOf`: see `WiredDocument`. The code of a definition that no claim is about, and that at the top of a file, may run where anything of its file
 * does. A file hands its doubts on again when they have grown, which they do a few times at most.
 */
export function withUsersDoubts(
  found: readonly ExportedSymbol[],
  ownersOf: (graph: GraphDocument) => Int32Array,
): readonly ExportedSymbol[] {
  const confidences = new Map<number, number>();
  const filesOf = new Map<number, GraphDocument>();
  const byFile = new Map<GraphDocument, ExportedSymbol[]>();
  for (const one of found) {
    if (one.claim === undefined) continue;
    const { in: graph, at } = one.site;
    confidences.set(graph.symbols[at]!, one.claim.confidence);
    filesOf.set(graph.symbols[at]!, graph);
    const ofFile = byFile.get(graph);
    if (ofFile === undefined) byFile.set(graph, [one]);
    else ofFile.push(one);
  }
  const doubtOf = (graph: GraphDocument): number =>
    Math.min(...byFile.get(graph)!.map(({ site }) => confidences.get(site.in.symbols[site.at]!)!));
  const waiting = new Set([...byFile.keys()].filter(graph => !graph.isTest && doubtOf(graph) < sure));
  for (const graph of waiting) {
    // What is put in again while a set is gone through comes up again.
    waiting.delete(graph);
    const doubt = doubtOf(graph);
    eachUseOfOthers(graph, (symbol, user) => {
      const known = confidences.get(symbol);
      const file = filesOf.get(symbol);
      if (known === undefined || file === undefined) return;
      const ofUser = confidenceOfUser(graph.symbols, ownersOf(graph), user, confidences);
      // What runs of its own file says nothing of it, or it would not be unwired.
      const most = ofUser ?? (file === graph ? known : doubt);
      if (most >= known) return;
      confidences.set(symbol, most);
      if (!file.isTest && most < sure) waiting.add(file);
    });
  }
  return found.map(one => {
    const { claim, site } = one;
    const confidence = claim && confidences.get(site.in.symbols[site.at]!)!;
    if (claim === undefined || confidence === undefined || confidence === claim.confidence) return one;
    return {
      ...one,
      claim: { ...claim, confidence, reason: `${claim.reason}; what uses it may be found another way` },
    };
  });
}

/** Who is this sure to be unwired casts no doubt on others. */
const sure = 0.85;

function eachUseOfOthers({ uses }: GraphDocument, take: (symbol: number, user: number) => void): void {
  const { targets, starts, users } = uses;
  for (let index = 0; index < targets.length; index++) {
    for (let use = starts[index]!; use < starts[index + 1]!; use++) take(targets[index]!, users[use]!);
  }
}

/** Of the claim about the definition whose code it is, or about one around that. */
function confidenceOfUser(
  symbols: Uint32Array,
  owners: Int32Array,
  user: number,
  confidences: ReadonlyMap<number, number>,
): number | undefined {
  let steps = 0;
  for (let at = user; at !== atTop && steps < mostNested; at = owners[at]!, steps++) {
    const found = confidences.get(symbols[at]!);
    if (found !== undefined) return found;
  }
  return undefined;
}

const mostNested = 100;
