import { maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { nameValue, type Walk, written } from './walk.ts';

/** One name of a path, and the node that stands for it. */
export interface Segment {
  readonly leaf: number;
  readonly name: string;
}

/** `a::b<T>::c` as its names; a leading `::` is a name that is empty. */
export function segmentsOf(walk: Walk, node: number): readonly Segment[] {
  const { tree } = walk;
  const segments: Segment[] = [];
  let at = node;
  for (; tree.kind(at) === 'qualified_identifier'; at = tree.child(at, 'name')) {
    const scope = tree.child(at, 'scope');
    if (scope < 0) segments.push({ leaf: -1, name: '' });
    else segments.push(segmentAt(walk, scope));
  }
  if (at >= 0) segments.push(segmentAt(walk, at));
  return segments;
}

function segmentAt({ tree }: Walk, node: number): Segment {
  let leaf = node;
  while (/^(?:template_\w+|dependent_\w+|nested_namespace_specifier)$/.test(tree.kind(leaf))) {
    const name = tree.child(leaf, 'name');
    leaf = name >= 0 ? name : (tree.namedChildren(leaf)[0] ?? -1);
  }
  return { leaf, name: /identifier$|^destructor_name$/.test(tree.kind(leaf)) ? tree.text(leaf) : '?' };
}

/** The names of the namespaces in `a::b::c`, which the grammar nests; of too many the outer ones. */
export function namespaceNames(tree: SyntaxTree, node: number): readonly number[] {
  // Each scope is named by all around it: to link more would cost the process.
  if (node < 0 || tree.depth[node]! > maxDepth) return [];
  if (tree.kind(node) !== 'nested_namespace_specifier') return [node];
  return tree.namedChildren(node).flatMap(one => namespaceNames(tree, one));
}

/** The same as a path. */
export function namespaceSegments({ tree }: Walk, node: number): readonly Segment[] {
  const names = namespaceNames(tree, node).map(leaf => ({ leaf, name: tree.text(leaf) }));
  return tree.text(node).startsWith('::') ? [{ leaf: -1, name: '' }, ...names] : names;
}

/** What the first names of a path denote, so many of them. */
export function pathValue(walk: Walk, segments: readonly Segment[], count = segments.length): number {
  const { facts, scopes } = walk;
  const [first] = segments;
  if (first === undefined) return -1;
  const names = segments.slice(0, count).map(({ name }) => name);
  if (count === 1 && first.name !== '') return nameValue(walk, first.name);
  const bound = scopes.resolve(first.name);
  if (bound === undefined) return written(walk, names.join('::'));
  return names.slice(1).reduce((of, name) => facts.member(of, name), bound.expression);
}
