import { referOperator } from '../../operators.ts';
import { valueAt } from './values.ts';
import { isCpp, type Walk } from './walk.ts';

/** What is seldom done with pointers, which are not told from what they lead to: comparing and indexing is. */
const told = /^(?:[-+*/%&|^]|<<|>>)$/;

/** `a + b` of a class calls its `operator+`; functions beside it are known by their arguments alone, which is not enough. */
export function referBinary(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const sign = tree.child(node, 'operator');
  if (!isCpp(tree) || !told.test(tree.text(sign))) return;
  const [left, right] = ['left', 'right'].map(side => valueAt(walk, tree.child(node, side)));
  referOperator(facts, sign, `operator${tree.text(sign)}`, left!, [right!]);
}
