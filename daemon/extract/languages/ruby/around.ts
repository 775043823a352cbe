import type { SyntaxTree } from '../../tree.ts';

export const anyClass = /^(?:class|module|singleton_class)$/;
const classOrMethod = /^(?:class|module|singleton_class|method|singleton_method)$/;

/** The innermost node of these kinds around one; -1 where there is none. */
export function around(tree: SyntaxTree, node: number, kinds: RegExp): number {
  let at = tree.parent[node]!;
  while (at >= 0 && !kinds.test(tree.kind(at))) at = tree.parent[at]!;
  return at;
}

/** Where a module keeps what classes that include it have themselves: `class_methods do … end` makes it, too. */
export const ofClassMethods = 'ClassMethods#';

/** Whether a node stands right in such a block. */
export function standsInClassMethods(tree: SyntaxTree, node: number): boolean {
  const block = around(tree, node, /^(?:(?:do_)?block|class|module|singleton_class|method|singleton_method)$/);
  if (!/^(?:do_)?block$/.test(tree.kind(block))) return false;
  const call = tree.parent[block]!;
  if (tree.text(tree.child(call, 'method')) !== 'class_methods' || tree.child(call, 'receiver') >= 0) return false;
  return tree.kind(around(tree, call, anyClass)) === 'module';
}

/**
 * Who has the methods that a call makes (`define_method`): objects of the class around it; the class itself, right in
 * `class << self`; nobody can tell in a method of objects, which a class that extends a module has.
 */
export function makesFor(tree: SyntaxTree, call: number): 'objects' | 'class' | 'unknown' {
  const place = around(tree, call, classOrMethod);
  if (tree.kind(place) === 'singleton_class') return 'class';
  if (tree.kind(place) !== 'method') return 'objects';
  return tree.kind(around(tree, place, anyClass)) === 'singleton_class' ? 'objects' : 'unknown';
}
