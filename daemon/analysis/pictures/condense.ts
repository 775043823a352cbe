import { feedback } from '../graphs/feedback.ts';
import { type Arrow, arrowsBetween, chosen } from './arrows.ts';
import { captionOf, counted } from './caption.ts';
import { type Box, collapse } from './collapse.ts';
import { groupsOf } from './groups.ts';
import { type Drawing, type DrawnEdge, type DrawnNode, type NodeKind, type Picture, wordsOfCode } from './picture.ts';

/** More boxes than these nobody can look at. */
export const mostNodes = 80;

/**
 * The drawing of a picture. Of one with more than 80 nodes those of one directory become one box; of one with more arrows than
 * `mostEdges` those are left out first that others imply, then the weakest (see `chosen`). The caption says what is not there.
 */
export function condense(picture: Picture, mostEdges: number): Drawing {
  const boxes = boxesOf(picture);
  const { between, inside, hasCycle } = arrowsBetween(boxes, picture);
  const kinds = boxes.map(box => kindOf(box, picture));
  const isApart = (box: number): boolean => kinds[box] === 'package';
  const choice = chosen({ count: boxes.length, isApart }, between, mostEdges);
  const places = boxes.map(({ place }, at) => (kinds[at] === 'inside' || kinds[at] === 'test' ? place : []));
  const { names, groupOf } = groupsOf(places);
  return {
    title: picture.title,
    words: picture.words ?? wordsOfCode,
    caption: captionOf(picture, boxes, { inside, arrows: between.length, ...choice }),
    nodes: boxes.map((box, at): DrawnNode => {
      const [kind, cycle] = [kinds[at]!, hasCycle[at]!];
      const label = `${labelOf(box, picture, kind)}${cycle ? ' ⟳' : ''}`;
      const detail = detailOf(box, picture, kind);
      return { label, detail, kind, group: groupOf[at]!, stands: box.members.length, hasCycle: cycle };
    }),
    edges: directed(boxes.length, choice.drawn),
    groups: names,
  };
}

/** The boxes of a picture, in the order of their first nodes. */
export function boxesOf({ nodes, edges }: Picture): readonly Box[] {
  if (nodes.length <= mostNodes) return nodes.map(({ place }, at) => ({ place, extent: 'one', members: [at] }));
  const weights = nodes.map(() => 0);
  for (const { from, to, strength } of edges) {
    weights[from]! += strength;
    weights[to]! += strength;
  }
  return collapse(nodes, weights, mostNodes);
}

/** What types and tests alone need had rather lead backwards than anything else. */
const solidity = 1_000;

function directed(size: number, arrows: readonly Arrow[]): readonly DrawnEdge[] {
  const isBack = feedback(
    size,
    arrows.map(({ from, to, strength, isFaint }) => ({ from, to, weight: strength * (isFaint ? 1 : solidity) })),
  );
  return arrows.map(({ inCycle, ...arrow }, at) => {
    return { ...arrow, isBack: isBack[at] === 1, closesCycle: isBack[at] === 1 && inCycle };
  });
}

/** Of parts of the repository together with tests that they are no tests. */
function kindOf({ members }: Box, { nodes }: Picture): NodeKind {
  const kinds = new Set(members.map(member => nodes[member]!.kind));
  return kinds.size === 1 ? nodes[members[0]!]!.kind : 'inside';
}

/** What a box is: a node, all of a directory, or the rest of one; packages stand below the name of their manager. */
function labelOf({ place, extent, members }: Box, { nodes }: Picture, kind: NodeKind): string {
  if (extent === 'one') return nodes[members[0]!]!.label;
  if (kind === 'package')
    return `${extent === 'rest' ? 'other ' : ''}${place.join('').replace(/:$/, '')} packages`.trim();
  const directory = place.map(name => `${name}/`).join('');
  if (extent === 'all') return directory;
  return directory === '' ? 'the rest' : `rest of ${directory}`;
}

function detailOf({ members }: Box, { nodes, noun }: Picture, kind: NodeKind): string {
  let files = 0;
  let loc = 0;
  for (const member of members) {
    files += nodes[member]!.fileCount;
    loc += nodes[member]!.loc;
  }
  const called = kind === 'package' ? { one: 'package', many: 'packages' } : noun;
  const parts = [
    ...(members.length === 1 ? [] : [counted(members.length, called)]),
    ...(noun.one === 'file' || files === 0 ? [] : [counted(files, { one: 'file', many: 'files' })]),
    ...(loc === 0 ? [] : [counted(loc, { one: 'line', many: 'lines' })]),
  ];
  return parts.join(' · ');
}
