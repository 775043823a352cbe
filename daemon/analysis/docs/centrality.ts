import { atTop, type GraphDocument, isOfTests } from '../../model/graph.ts';

/**
 * PageRank of symbols over who uses whom: `rank(s) = (1 − d) / N + d · Σ rank(u) / uses(u)` over the users u of s, where d is
 * 0.85 and `uses(u)` counts the symbols that u uses (Brin and Page, 1998); what uses nothing gives its rank to all alike. Code
 * of tests uses nothing, and code at the top of a file is a user of its own. As shares of the highest, by the number of the symbol.
 */
export function centralities(documents: readonly GraphDocument[]): ReadonlyMap<number, number> {
  const nodes = numbered(documents);
  const { users, targets, counts } = edgesOf(documents, nodes);
  const size = nodes.size;
  if (size === 0) return new Map();
  let rank = new Float64Array(size).fill(1 / size);
  for (let round = 0; round < rounds; round++) rank = nextRank(rank, users, targets, counts);
  let highest = 0;
  for (const [key, node] of nodes) if (key >= 0) highest = Math.max(highest, rank[node]!);
  return new Map([...nodes].flatMap(([key, node]) => (key < 0 ? [] : [[key, rank[node]! / highest]])));
}

const damping = 0.85;
const rounds = 30;

function nextRank(
  rank: Float64Array<ArrayBuffer>,
  users: Uint32Array,
  targets: Uint32Array,
  counts: Uint32Array,
): Float64Array<ArrayBuffer> {
  let resting = 0;
  for (let node = 0; node < rank.length; node++) if (counts[node] === 0) resting += rank[node]!;
  const next = new Float64Array(rank.length).fill((1 - damping + damping * resting) / rank.length);
  for (let edge = 0; edge < users.length; edge++) {
    const user = users[edge]!;
    next[targets[edge]!]! += (damping * rank[user]!) / counts[user]!;
  }
  return next;
}

/** Symbols, and below zero the code at the top of each document, with numbers of their own. */
function numbered(documents: readonly GraphDocument[]): ReadonlyMap<number, number> {
  const nodes = new Map<number, number>();
  const add = (key: number): void => {
    if (!nodes.has(key)) nodes.set(key, nodes.size);
  };
  for (const document of documents) {
    if (document.isTest) continue;
    add(-1 - document.document);
    document.symbols.forEach(add);
  }
  return nodes;
}

function edgesOf(documents: readonly GraphDocument[], nodes: ReadonlyMap<number, number>) {
  const users: number[] = [];
  const targets: number[] = [];
  const counts = new Uint32Array(nodes.size);
  for (const document of documents) {
    if (document.isTest) continue;
    const { uses, symbols } = document;
    uses.targets.forEach((target, index) => {
      const to = nodes.get(target);
      if (to === undefined) return;
      let last = Number.NaN;
      for (let use = uses.starts[index]!; use < uses.starts[index + 1]!; use++) {
        const at = uses.users[use]!;
        // The uses of one user stand side by side; what uses itself says nothing of others.
        if (at === last || isOfTests({ in: document, at })) continue;
        last = at;
        const from = nodes.get(at === atTop ? -1 - document.document : symbols[at]!)!;
        if (from === to) continue;
        users.push(from);
        targets.push(to);
        counts[from]!++;
      }
    });
  }
  return { users: Uint32Array.from(users), targets: Uint32Array.from(targets), counts };
}
