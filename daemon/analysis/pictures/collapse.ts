import type { NodeKind, PictureNode } from './picture.ts';

/** A box of a drawing: which nodes it stands for, in their order, and what they have in common. */
export interface Box {
  /** Where its only member stands, or the directory that its members stand in. */
  readonly place: readonly string[];
  /** `rest`: other parts of the place have boxes of their own. */
  readonly extent: 'one' | 'all' | 'rest';
  readonly members: readonly number[];
}

/** A directory: what stands in it, and the directories below. */
interface Branch {
  readonly place: readonly string[];
  readonly nodes: number[];
  readonly below: Map<string, Branch>;
  count: number;
}

/** What is never put together: what the picture is of, what lies outside of that, and what is somebody else's. */
const realms = ['own', 'outside', 'package'] as const;
type Realm = (typeof realms)[number];

/**
 * Nodes put together by directory until there are no more than `most` boxes. Of these what lies outside and what is somebody
 * else's may have a third each, and what the others leave.
 */
export function collapse(nodes: readonly PictureNode[], weights: readonly number[], most: number): readonly Box[] {
  const trees = treesOf(nodes);
  let left = most;
  const boxes = trees.flatMap((tree, at) => {
    const kept = trees.slice(at + 1).reduce((sum, { count }) => sum + Math.min(count, Math.floor(most / 3)), 0);
    const found = opened(tree, nodes, weights, left - kept);
    left -= found.length;
    return found;
  });
  return boxes.sort((a, b) => a.members[0]! - b.members[0]!);
}

/**
 * From the root down the directory with most nodes is opened next, as long as what is in it has room; of the largest that has
 * none so much is shown as there is room for: what is largest, then what is heaviest.
 */
function opened(tree: Branch, nodes: readonly PictureNode[], weights: readonly number[], most: number): readonly Box[] {
  const closed: Branch[] = [];
  const shown: Box[] = [];
  const open = [tree];
  const room = (): number => most - shown.length - open.length - closed.length;
  for (let branch = largest(open); branch !== undefined; branch = largest(open)) {
    if (branch.nodes.length + branch.below.size > room() + 1) closed.push(branch);
    else {
      shown.push(...branch.nodes.map(node => boxOfNode(node, nodes)));
      for (const below of branch.below.values()) {
        if (below.count === 1) shown.push(boxOf(below, nodes));
        else open.push(below);
      }
    }
    open.splice(open.indexOf(branch), 1);
  }
  const [first, ...others] = closed.sort((a, b) => b.count - a.count);
  const parts = first === undefined ? [] : partly(first, nodes, weights, most - shown.length - others.length);
  return [...shown, ...parts, ...others.map(branch => boxOf(branch, nodes))];
}

function treesOf(nodes: readonly PictureNode[]): readonly Branch[] {
  const roots = new Map(realms.map(realm => [realm, emptyBranch([])]));
  for (const [node, { place, kind }] of nodes.entries()) {
    let branch = roots.get(realmOf(kind))!;
    branch.count++;
    for (const [depth, name] of place.entries()) {
      const next = branch.below.get(name) ?? emptyBranch(place.slice(0, depth + 1));
      branch.below.set(name, next);
      next.count++;
      branch = next;
    }
    branch.nodes.push(node);
  }
  return [...roots.values()].filter(({ count }) => count > 0);
}

function realmOf(kind: NodeKind): Realm {
  return kind === 'outside' || kind === 'package' ? kind : 'own';
}

function emptyBranch(place: readonly string[]): Branch {
  return { place, nodes: [], below: new Map(), count: 0 };
}

/** The one that counts most, of such the first. */
function largest(branches: readonly Branch[]): Branch | undefined {
  return branches.reduce<Branch | undefined>(
    (best, one) => (best === undefined || one.count > best.count ? one : best),
    undefined,
  );
}

/** The largest parts of a directory, and one box for the rest. */
function partly(
  branch: Branch,
  nodes: readonly PictureNode[],
  weights: readonly number[],
  room: number,
): readonly Box[] {
  if (room < 2) return [boxOf(branch, nodes)];
  const parts = [
    ...branch.nodes.map(node => boxOfNode(node, nodes)),
    ...[...branch.below.values()].map(one => boxOf(one, nodes)),
  ];
  const weighed = parts.map((box, at) => ({
    box,
    at,
    weight: box.members.reduce((sum, member) => sum + weights[member]!, 0),
  }));
  weighed.sort((a, b) => b.box.members.length - a.box.members.length || b.weight - a.weight || a.at - b.at);
  const rest = inOrder(weighed.slice(room - 1).flatMap(({ box }) => box.members));
  const extent = 'rest' as const;
  return [...weighed.slice(0, room - 1).map(({ box }) => box), { place: branch.place, extent, members: rest }];
}

function boxOfNode(node: number, nodes: readonly PictureNode[]): Box {
  return { place: nodes[node]!.place, extent: 'one', members: [node] };
}

/** A directory as one box; of one node alone that one. */
function boxOf(branch: Branch, nodes: readonly PictureNode[]): Box {
  const members = inOrder(nodesIn(branch));
  if (members.length === 1) return boxOfNode(members[0]!, nodes);
  return { place: branch.place, extent: 'all', members };
}

function nodesIn({ nodes, below }: Branch): readonly number[] {
  return [...nodes, ...[...below.values()].flatMap(nodesIn)];
}

function inOrder(members: readonly number[]): readonly number[] {
  return [...members].sort((a, b) => a - b);
}
