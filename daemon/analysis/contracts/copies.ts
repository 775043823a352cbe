import type { ContractEdge } from '../../model/federation.ts';

/**
 * Which edges are to a copy: whoever has the contract there calls others by it, so that nobody depends on them for it, and those who
 * provide it say so of the copy for want of another.
 */
export function copiesAmong(edges: readonly ContractEdge[]): (edge: ContractEdge) => boolean {
  const copies = new Set(edges.filter(({ from, contract }) => from === contract.uid).map(keyOf));
  return edge => copies.has(keyOf(edge));
}

function keyOf({ contract: { uid, path }, service }: ContractEdge): string {
  return JSON.stringify([uid, path, service]);
}
