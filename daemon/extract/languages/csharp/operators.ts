import { isOfClass, referOperator } from '../../operators.ts';
import type { SyntaxTree } from '../../tree.ts';
import type { Walk } from './walk.ts';

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
  return tree.text(signOf(tree, node));
}

function signOf(tree: SyntaxTree, node: number): number {
  return tree.children(node).find(child => !tree.isNamed(child)) ?? -1;
}

/** Of a class, `a + b` calls the function that it declares for that. */
export function referBinary(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const sign = signOf(tree, node);
  if (!overloadable.test(tree.text(sign))) return;
  const [left, right] = ['left', 'right'].map(side => values.of(tree.child(node, side)));
  referOperator(facts, sign, `operator ${tree.text(sign)}`, left!, [left!, right!]);
}

const overloadable = /^(?:[+\-*/%&|^<>]|[<>=!]=|<<|>>)$/;

/** `a[i]` is what the class's indexer has. */
export function referElement(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const receiver = values.of(tree.child(node, 'expression'));
  if (!isOfClass(facts.expressions, receiver)) return;
  const sign = tree.firstChild(tree.child(node, 'subscript'));
  const holder = tree.parent[node]!;
  const isSet = tree.kind(holder) === 'assignment_expression' && tree.field(node) === 'left';
  facts.refer(sign, isSet ? 'write' : 'read', facts.member(receiver, 'this[]'), 'this[]');
}
