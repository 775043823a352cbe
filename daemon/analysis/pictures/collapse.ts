import type { Box } from './condense.ts';

/** A directory: what stands in it, and the directories below. */
interface Branch {
  readonly place: readonly string[];
  readonly boxes: Box[];
  readonly below: Map<string, Branch>;
  count: number;
}

/**
 * Boxes put together by directory until there are no more than `most`. From the root down the directory with most boxes is
 * opened next, as long as what is in it has room; of the largest that has none so much is shown as there is room for.
 */
export function collapse(boxes: readonly Box[], most: number): readonly Box[] {
  const closed: Branch[] = [];
  const shown: Box[] = [];
  const open = [treeOf(boxes)];
  const room = (): number => most - shown.length - open.length - closed.length;
  for (let branch = largest(open); branch !== undefined; branch = largest(open)) {
    if (widthOf(branch) > room() + 1) closed.push(branch);
    else {
      shown.push(...branch.boxes);
      for (const below of branch.below.values()) {
        if (below.count === 1) shown.push(...boxesIn(below));
        else open.push(below);
      }
    }
    open.splice(open.indexOf(branch), 1);
  }
  const [first, ...rest] = closed.sort((a, b) => b.count - a.count);
  const parts = first === undefined ? [] : partly(first, most - shown.length - rest.length);
  return [...shown, ...parts, ...rest.map(branch => boxOf(branch, ''))].sort(comparePlaces);
}

function treeOf(boxes: readonly Box[]): Branch {
  const root: Branch = { place: [], boxes: [], below: new Map(), count: 0 };
  for (const box of boxes) {
    let branch = root;
    branch.count++;
    for (const [depth, name] of box.place.entries()) {
      let next = branch.below.get(name);
      if (next === undefined) {
        next = { place: box.place.slice(0, depth + 1), boxes: [], below: new Map(), count: 0 };
        branch.below.set(name, next);
      }
      next.count++;
      branch = next;
    }
    branch.boxes.push(box);
  }
  return root;
}

/** The one that counts most, of such the first. */
function largest(branches: readonly Branch[]): Branch | undefined {
  return branches.reduce<Branch | undefined>(
    (best, one) => (best === undefined || one.count > best.count ? one : best),
    undefined,
  );
}

function widthOf({ boxes, below }: Branch): number {
  return boxes.length + below.size;
}

/** The largest parts of a directory, and one box for the rest. */
function partly(branch: Branch, room: number): readonly Box[] {
  if (room < 2) return [boxOf(branch, '')];
  const parts = [...branch.boxes, ...[...branch.below.values()].map(below => boxOf(below, ''))];
  const order = parts.map((box, at) => ({ box, at })).sort((a, b) => size(b.box) - size(a.box) || a.at - b.at);
  const rest = order.slice(room - 1).flatMap(({ box }) => box.members);
  const others: Box = { label: nameOf(branch, '…'), place: branch.place, members: rest };
  return [...order.slice(0, room - 1).map(({ box }) => box), others];
}

function size({ members }: Box): number {
  return members.length;
}

/** A directory as one box; of one box alone that one. */
function boxOf(branch: Branch, mark: string): Box {
  const boxes = boxesIn(branch);
  if (boxes.length === 1) return boxes[0]!;
  return {
    label: nameOf(branch, mark),
    place: branch.place,
    members: boxes.flatMap(({ members }) => members).sort((a, b) => a - b),
  };
}

function nameOf({ place }: Branch, mark: string): string {
  return `${place.map(name => `${name}/`).join('')}${mark}` || '/';
}

function boxesIn({ boxes, below }: Branch): readonly Box[] {
  return [...boxes, ...[...below.values()].flatMap(boxesIn)];
}

function comparePlaces(a: Box, b: Box): number {
  return a.members[0]! - b.members[0]!;
}
