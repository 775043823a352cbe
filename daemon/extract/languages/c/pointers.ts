import type { Resolution } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { isCpp, type Walk } from './walk.ts';

/**
 * Pointers are looked through, but classes have operators of their own for `->` and `*`: what a value leads to is asked
 * of it wherever it isn't known to be a pointer.
 */

/** What `value`, which the expression at a node has, leads to by `->` or `*`. */
export function ledTo(walk: Walk, node: number, sign: '->' | '*', value: number): number {
  const isPointer = (levelOf(walk, node) ?? 0) > 0;
  return isPointer || !isCpp(walk.tree) ? value : walk.facts.member(value, sign);
}

/** So many pointers a name is declared to be; undefined of a function. */
export function declaredLevel(tree: SyntaxTree, nameNode: number): number | undefined {
  let level = 0;
  for (let at = tree.parent[nameNode]!; /declarator$/.test(tree.kind(at)); at = tree.parent[at]!) {
    if (tree.kind(at) === 'function_declarator') return undefined;
    if (/^(?:pointer|array)_declarator$/.test(tree.kind(at))) level++;
  }
  return level;
}

/** Remembers of the name that was bound last so many pointers. */
export function noteLevel({ scopes }: Walk, name: string, level: number | undefined): void {
  const bound = scopes.resolve(name);
  if (bound !== undefined && level !== undefined) levels.set(bound, level);
}

const levels = new WeakMap<Resolution, number>();

/** So many pointers stand between an expression and what they lead to; undefined where that isn't known. */
export function levelOf(walk: Walk, node: number): number | undefined {
  const { tree, scopes } = walk;
  switch (tree.kind(node)) {
    case 'identifier': {
      const bound = scopes.resolve(tree.text(node));
      return bound && levels.get(bound);
    }
    case 'this':
    case 'new_expression':
      return 1;
    case 'parenthesized_expression':
      return levelOf(walk, tree.namedChildren(node)[0] ?? -1);
    case 'pointer_expression': {
      const level = levelOf(walk, tree.child(node, 'argument'));
      if (level === undefined) return undefined;
      if (tree.text(node).startsWith('&')) return level + 1;
      return level > 0 ? level - 1 : undefined;
    }
    default:
      return undefined;
  }
}
