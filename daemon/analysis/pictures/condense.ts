import { components } from '../graphs/components.ts';
import { digraph } from '../graphs/digraph.ts';
import { feedback } from '../graphs/feedback.ts';
import { collapse } from './collapse.ts';
import { groupsOf } from './groups.ts';
import type { Drawing, DrawnEdge, DrawnNode, NodeKind, Noun, Picture, PictureEdge, PictureNode } from './picture.ts';

/** More boxes than these nobody can look at. */
export const mostNodes = 80;

/** A box of the drawing: which nodes it stands for, and what they have in common. */
export interface Box {
  readonly label: string;
  readonly place: readonly string[];
  readonly members: readonly number[];
}

/**
 * The drawing of a picture. Of one with more than 80 nodes first those become one that reach one another, then those of one
 * directory; of one with more edges than `mostEdges` those are left out first that a longer way implies, then the weakest.
 * The caption says what is not there.
 */
export function condense(picture: Picture, mostEdges: number): Drawing {
  const boxes = boxesOf(picture);
  const all = edgesBetween(boxes, picture);
  const { of } = components(digraph(boxes.length, all));
  const kept = all.length <= mostEdges ? all : withoutImplied(all, of, boxes.length, mostEdges);
  const isBack = feedback(
    boxes.length,
    kept.map(({ from, to, strength }) => ({ from, to, weight: strength })),
  );
  const { names, groupOf } = groupsOf(boxes.map(({ place }) => place));
  const shownAlone = boxes.filter(({ members }) => members.length === 1).length;
  const direct = picture.edges.filter(({ from, to }) => from !== to).length;
  return {
    title: picture.title,
    caption: captionOf(picture, picture.nodes.length - shownAlone, direct - kept.length),
    nodes: boxes.map((box, at) => drawnNode(box, picture, groupOf[at]!)),
    edges: kept.map((edge, at): DrawnEdge => ({ ...edge, isBack: isBack[at] === 1 })),
    groups: names,
  };
}

function boxesOf({ nodes, edges }: Picture): readonly Box[] {
  const alone = nodes.map(({ label, place }, at): Box => ({ label, place, members: [at] }));
  if (nodes.length <= mostNodes) return alone;
  const knots = knotsOf(nodes, edges);
  return knots.length <= mostNodes ? knots : collapse(knots, mostNodes);
}

/** Nodes that reach one another as one box, named by the largest of them. */
function knotsOf(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): readonly Box[] {
  const { of, count } = components(digraph(nodes.length, edges));
  const members: number[][] = Array.from({ length: count }, () => []);
  nodes.forEach((_, node) => void members[of[node]!]!.push(node));
  return members
    .sort((a, b) => a[0]! - b[0]!)
    .map(knot => {
      const largest = knot.reduce((best, one) => (nodes[one]!.loc > nodes[best]!.loc ? one : best));
      const { label, place } = nodes[largest]!;
      return { label: knot.length === 1 ? label : `${label} ⟳ ${knot.length}`, place, members: knot };
    });
}

function edgesBetween(boxes: readonly Box[], { nodes, edges }: Picture): readonly PictureEdge[] {
  const boxOf = new Int32Array(nodes.length);
  boxes.forEach(({ members }, box) => {
    for (const member of members) boxOf[member] = box;
  });
  const sums = new Map<number, PictureEdge>();
  for (const { from, to, strength, isFaint } of edges) {
    const [source, target] = [boxOf[from]!, boxOf[to]!];
    if (source === target) continue;
    const key = source * boxes.length + target;
    const sum = sums.get(key) ?? { from: source, to: target, strength: 0, isFaint: true };
    sums.set(key, { ...sum, strength: sum.strength + strength, isFaint: sum.isFaint && isFaint });
  }
  return [...sums.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

/** The edges that are worth most: those between nodes that reach one another stay longest, implied ones go first. */
function withoutImplied(
  edges: readonly PictureEdge[],
  of: Int32Array,
  size: number,
  most: number,
): readonly PictureEdge[] {
  const { starts, targets } = digraph(size, edges);
  const reached = reachedFrom(size, starts, targets);
  const isImplied = ({ from, to }: PictureEdge): boolean => {
    for (let at = starts[from]!; at < starts[from + 1]!; at++) {
      const via = targets[at]!;
      if (of[via] !== of[from] && of[via] !== of[to] && reached[via]![to] === 1) return true;
    }
    return false;
  };
  const worth = (edge: PictureEdge): number => (of[edge.from] === of[edge.to] ? 2 : isImplied(edge) ? 0 : 1);
  const order = edges.map((edge, at) => ({ edge, at, worth: worth(edge) }));
  order.sort((a, b) => b.worth - a.worth || b.edge.strength - a.edge.strength || a.at - b.at);
  return order
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ edge }) => edge);
}

/** For each node which others it reaches. Of condensed drawings alone, whose size is bounded. */
function reachedFrom(size: number, starts: Int32Array, targets: Int32Array): readonly Uint8Array[] {
  return Array.from({ length: size }, (_, root) => {
    const reached = new Uint8Array(size);
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (let at = starts[node]!; at < starts[node + 1]!; at++) {
        const target = targets[at]!;
        if (reached[target] === 1) continue;
        reached[target] = 1;
        open.push(target);
      }
    }
    return reached;
  });
}

function drawnNode({ label, members }: Box, { nodes, noun }: Picture, group: number): DrawnNode {
  let files = 0;
  let loc = 0;
  for (const member of members) {
    files += nodes[member]!.fileCount;
    loc += nodes[member]!.loc;
  }
  const kinds = new Set(members.map(member => nodes[member]!.kind));
  const kind: NodeKind = kinds.size === 1 ? nodes[members[0]!]!.kind : 'inside';
  const parts = [
    ...(members.length === 1 ? [] : [counted(members.length, noun)]),
    ...(noun.one === 'file' || files === 0 ? [] : [counted(files, { one: 'file', many: 'files' })]),
    ...(loc === 0 ? [] : [counted(loc, { one: 'line', many: 'lines' })]),
  ];
  return { label, detail: parts.join(' · '), kind, group, stands: members.length };
}

function captionOf({ nodes, edges, noun }: Picture, hiddenNodes: number, hiddenEdges: number): string {
  const whole = `${counted(nodes.length, noun)}, ${counted(edges.length, { one: 'dependency', many: 'dependencies' })}`;
  if (hiddenNodes === 0 && hiddenEdges === 0) return whole;
  const hidden = [
    ...(hiddenNodes === 0 ? [] : [counted(hiddenNodes, noun)]),
    ...(hiddenEdges === 0 ? [] : [counted(hiddenEdges, { one: 'edge', many: 'edges' })]),
  ];
  const how = hiddenNodes === 0 ? 'implied or weak ones' : `in larger boxes, by cycle and by directory`;
  return `${whole}; ${hidden.join(', ')} hidden (${how})`;
}

/** `1,204 files`. */
export function counted(count: number, { one, many }: Noun): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`;
}
