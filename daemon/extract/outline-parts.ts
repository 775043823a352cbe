import type { SyntaxTree } from './tree.ts';

/** The part of a node that a table names: see `Outline.members`. */
export function part(tree: SyntaxTree, node: number, field: string): number {
  if (field === '') return tree.firstChild(node);
  if (field === '$first') return tree.namedChildren(node).at(0) ?? -1;
  if (field === '$last') return tree.namedChildren(node).at(-1) ?? -1;
  if (field === '$selector') return selectedFrom(tree, node);
  return tree.child(node, field);
}

/** Tokens bear the names of their keywords (`import`), so only named nodes are looked up. */
export function ruleFor<T>(table: Readonly<Record<string, T>>, tree: SyntaxTree, node: number): T | undefined {
  if (!tree.isNamed(node)) return undefined;
  const kind = tree.kind(node);
  return Object.hasOwn(table, kind) ? table[kind] : undefined;
}

/** Dart's `a.b` is `a` and a selector behind it; a longer chain has no node of its own. */
function selectedFrom(tree: SyntaxTree, node: number): number {
  const selector = tree.parent[node]!;
  let before = -1;
  for (
    let child = tree.firstChild(tree.parent[selector] ?? -1);
    child >= 0 && child < selector;
    child = tree.nextSibling(child)
  ) {
    before = child;
  }
  return /^(?:identifier|this)$/.test(tree.kind(before)) ? before : -1;
}
