import type { SyntaxTree } from '../../tree.ts';

/** An operator that stands before a call: see `calleeOf`. */
const operators: ReadonlySet<string> = new Set(['await_expression', 'unary_expression', 'binary_expression']);

/**
 * What a call calls. With type arguments the grammar takes the operators before a call for a part of it: `await f<T>()` is a
 * call of `await f` there, `a + f<T>()` one of `a + f`. What is called is the last operand; where that is meant as a whole,
 * it stands in brackets.
 */
export function calleeOf(tree: SyntaxTree, call: number): number {
  let callee = tree.child(call, 'function');
  while (operators.has(tree.kind(callee))) callee = tree.namedChildren(callee).at(-1) ?? -1;
  return callee;
}

/** What stands before what a call calls, in the grammar's reading: the operands of these operators but the last. */
export function operandsBefore(tree: SyntaxTree, call: number): readonly number[] {
  const found: number[] = [];
  let callee = tree.child(call, 'function');
  while (operators.has(tree.kind(callee))) {
    const operands = tree.namedChildren(callee);
    found.push(...operands.slice(0, -1));
    callee = operands.at(-1) ?? -1;
  }
  return found;
}

/** What is done to what a call gives, in the grammar's reading to what is called. */
export function operatorOf(tree: SyntaxTree, call: number): 'await' | 'another' | undefined {
  const kind = tree.kind(tree.child(call, 'function'));
  if (kind === 'await_expression') return 'await';
  return operators.has(kind) ? 'another' : undefined;
}
