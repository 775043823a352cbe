import type { SyntaxTree } from './tree.ts';

export interface Segments {
  /** What stands in tails for what has no name, at `node` in the definition at slot `container`, made of what `made` says. */
  of(node: number, container: number, made: string): string;
}

/**
 * Names for what has members and no name: what it is made of and the names on the way to it (a variable, a
 * callee, a named argument), so that edits elsewhere don't change them. Twins in one definition are counted.
 */
export function createSegments(tree: SyntaxTree): Segments {
  const twins = new Map<string, number>();
  return {
    of(node, container, made) {
      const text = [...labels(tree, node), made].join(' ').slice(0, maxText);
      const key = `${container}\0${text}`;
      const count = twins.get(key) ?? 0;
      twins.set(key, count + 1);
      return count === 0 ? text : `${text} +${count}`;
    },
  };
}

const maxText = 120;
const maxLabel = 40;
const boundary = /(?:body|block|statements?|list|source_file|program)$/;

/** Names around a node up to the statement or member that it stands in, outermost first. */
function labels(tree: SyntaxTree, node: number): readonly string[] {
  const found: string[] = [];
  for (let at = node, around = tree.parent[at]!; around >= 0; at = around, around = tree.parent[at]!) {
    const kind = tree.kind(around);
    if (boundary.test(kind) && !/argument_list|expression_/.test(kind)) break;
    const label = labelOf(tree, around, at);
    if (label !== '') found.unshift(label.slice(0, maxLabel));
  }
  return found;
}

/** The name that a node gives to a part of it: of a variable, an assigned place, a named argument, a function called. */
function labelOf(tree: SyntaxTree, node: number, part: number): string {
  const kind = tree.kind(node);
  if (!/declarator$|^property_declaration$|assignment|argument$|call|invocation|creation/.test(kind)) return '';
  const named = ['name', 'left', 'function', 'type'].map(field => tree.child(node, field)).find(one => one >= 0);
  const first = named ?? tree.namedChildren(node).find(child => !/modifiers|annotation/.test(tree.kind(child))) ?? -1;
  if (first < 0 || first >= part) return '';
  const words = tree.text(first).match(/[\w$]+/g);
  return words?.at(-1) ?? '';
}
