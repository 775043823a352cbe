import { maxDepth } from './builder.ts';
import type { SyntaxTree } from './tree.ts';

/** A walk that remembers what the expressions evaluate to that it looked at. */
interface Remembering {
  readonly tree: Pick<SyntaxTree, 'depth'>;
  /** By node. */
  readonly values: Map<number, number>;
}

/**
 * What `compute` finds at a node, looked for once. -1 where there is no node, where it lies too deep, and in answer to
 * what is asked of a node while it is being looked at.
 */
export function foundOnce<Walk extends Remembering>(
  walk: Walk,
  node: number,
  compute: (walk: Walk, node: number) => number,
): number {
  if (node < 0 || walk.tree.depth[node]! > maxDepth) return -1;
  const known = walk.values.get(node);
  if (known !== undefined) return known;
  walk.values.set(node, -1);
  const found = compute(walk, node);
  walk.values.set(node, found);
  return found;
}
