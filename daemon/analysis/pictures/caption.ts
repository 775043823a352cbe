import type { Choice } from './arrows.ts';
import type { Box } from './collapse.ts';
import type { Noun, Picture } from './picture.ts';

export interface Shown extends Choice {
  /** How many edges of the picture have both ends in one box. */
  readonly inside: number;
  /** How many pairs of boxes the others lie between. */
  readonly arrows: number;
}

/** What a picture is of, and what of it is put together or not drawn. */
export function captionOf(picture: Picture, boxes: readonly Box[], shown: Shown): string {
  const all = picture.nodes.map((_, node) => node);
  const whole = [...nodesIn(all, picture), counted(picture.edges.length, dependency)];
  return [whole.join(', '), ...mergedIn(picture, boxes, shown), ...leftOutOf(shown)].join('. ');
}

const dependency = { one: 'dependency', many: 'dependencies' };

function mergedIn(picture: Picture, boxes: readonly Box[], { inside, arrows }: Shown): readonly string[] {
  const merged = boxes.filter(({ members }) => members.length > 1);
  if (merged.length === 0) return [];
  const nodes = nodesIn(
    merged.flatMap(({ members }) => members),
    picture,
  );
  const within = inside === 0 ? '' : `, with ${counted(inside, dependency)} inside`;
  const others = counted(picture.edges.length - inside, dependency);
  return [
    `${nodes.join(' and ')} are put together in ${counted(merged.length, { one: 'box', many: 'boxes' })}${within}`,
    ...(arrows === 0 ? [] : [`${others} between boxes make ${counted(arrows, { one: 'arrow', many: 'arrows' })}`]),
  ];
}

function leftOutOf({ implied, weak }: Shown): readonly string[] {
  if (implied + weak === 0) return [];
  const those = `${counted(implied + weak)} of these ${implied + weak === 1 ? 'is' : 'are'} not drawn`;
  if (weak === 0) return [`${those}, implied by ways of drawn ones`];
  if (implied === 0) return [`${those}, weak ones`];
  return [`${those}: ${counted(implied)} implied by ways of drawn ones, ${counted(weak)} weak`];
}

/** `26 modules`, and what is somebody else's apart. */
function nodesIn(members: readonly number[], { nodes, noun }: Picture): readonly string[] {
  const packages = members.filter(member => nodes[member]!.kind === 'package').length;
  const own = members.length - packages;
  return [
    ...(own === 0 && packages > 0 ? [] : [counted(own, noun)]),
    ...(packages === 0 ? [] : [counted(packages, { one: 'package of others', many: 'packages of others' })]),
  ];
}

/** `1,204 files`. */
export function counted(count: number, noun?: Noun): string {
  const digits = String(count).replace(/\B(?=(\d{3})+$)/g, ',');
  return noun === undefined ? digits : `${digits} ${count === 1 ? noun.one : noun.many}`;
}
