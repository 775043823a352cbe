import type { SyntaxTree } from '../../tree.ts';

const conditions = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'is']);

/** Whether an expression has that operator between or before its operands. */
export function hasOperator(tree: SyntaxTree, node: number, operator: string): boolean {
  return operatorOf(tree, node) === operator;
}

/** Whether it gives true or false, whatever its operands are. */
export function isCondition(tree: SyntaxTree, node: number): boolean {
  return conditions.has(operatorOf(tree, node));
}

function operatorOf(tree: SyntaxTree, node: number): string {
  return tree.text(tree.children(node).find(child => !tree.isNamed(child)) ?? -1);
}
