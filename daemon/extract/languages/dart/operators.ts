import { referOperator } from '../../operators.ts';
import { valueThrough } from './values.ts';
import type { Walk } from './walk.ts';

/** Of a class, `a + b` calls what it declares as `operator +`; of several in a row the first two are known. */
export function referBinary(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [left = -1, sign = -1, right = -1] = tree.namedChildren(node);
  const name = tree.text(sign);
  if (/^(?:[-+*/%&|^<>]|~\/|[<>=]=|<<|>>>?)$/.test(name)) {
    referOperator(facts, sign, name, valueThrough(walk, left), [valueThrough(walk, right)]);
  }
}
