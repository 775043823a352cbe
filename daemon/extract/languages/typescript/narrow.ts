import { guardPosition } from '../../../model/facts.ts';
import { calleeOf, operatorOf } from './callee.ts';
import type { Walk } from './context.ts';
import { evidentValue } from './values.ts';

interface Narrowing {
  readonly name: string;
  readonly value: number;
}

/** `if (x instanceof X) …`: a local is an X where that holds; behind an `if` that leaves where it doesn't, from there on. */
export function visitIf(walk: Walk, node: number): void {
  const { tree } = walk;
  const condition = tree.child(node, 'condition');
  const consequence = tree.child(node, 'consequence');
  const alternative = tree.child(node, 'alternative');
  walk.visit(condition);
  narrowed(walk, condition, true, consequence);
  narrowed(walk, condition, false, alternative);
  if (alternative >= 0 || !leaves(walk, consequence)) return;
  const around = tree.parent[node]!;
  if (tree.kind(around) !== 'statement_block') return;
  for (const { name, value } of narrowingsIn(walk, condition, false, around)) walk.scopes.narrow(name, value);
}

/** `x instanceof X ? … : …` */
export function visitTernary(walk: Walk, node: number): void {
  const { tree } = walk;
  const condition = tree.child(node, 'condition');
  walk.visit(condition);
  narrowed(walk, condition, true, tree.child(node, 'consequence'));
  narrowed(walk, condition, false, tree.child(node, 'alternative'));
}

/** Right of `x instanceof X &&` the test holds already. */
export function visitBinary(walk: Walk, node: number): void {
  const { tree } = walk;
  const operator = tree.text(tree.child(node, 'operator'));
  if (operator !== '&&' && operator !== '||') {
    walk.visitChildren(node);
    return;
  }
  walk.visit(tree.child(node, 'left'));
  narrowed(walk, tree.child(node, 'left'), operator === '&&', tree.child(node, 'right'));
}

/** Walks what is run where a condition holds, or where it doesn't. */
function narrowed(walk: Walk, condition: number, holds: boolean, body: number): void {
  if (body < 0) return;
  const narrowings = narrowingsIn(walk, condition, holds, body);
  if (narrowings.length === 0) {
    walk.visit(body);
    return;
  }
  walk.scopes.inside('block', () => {
    for (const { name, value } of narrowings) walk.scopes.narrow(name, value);
    walk.visit(body);
  });
}

/** What is assigned in there may be anything again. */
function narrowingsIn(walk: Walk, condition: number, holds: boolean, body: number): readonly Narrowing[] {
  return narrowingsOf(walk, condition, holds).filter(({ name }) => !isAssigned(walk, body, name));
}

/** What it is declared as may have more than the class that it turns out to be. */
function narrowingsOf(walk: Walk, node: number, holds: boolean): readonly Narrowing[] {
  const { tree, facts, scopes } = walk;
  switch (tree.kind(node)) {
    case 'parenthesized_expression':
      return narrowingsOf(walk, tree.namedChildren(node)[0] ?? -1, holds);
    case 'unary_expression':
      if (tree.text(tree.child(node, 'operator')) !== '!') return [];
      return narrowingsOf(walk, tree.child(node, 'argument'), !holds);
    case 'call_expression':
      return holds && operatorOf(tree, node) === undefined ? guardedIn(walk, node) : [];
    case 'binary_expression': {
      const operator = tree.text(tree.child(node, 'operator'));
      const [left, right] = [tree.child(node, 'left'), tree.child(node, 'right')];
      if (operator === (holds ? '&&' : '||')) {
        return [...narrowingsOf(walk, left, holds), ...narrowingsOf(walk, right, holds)];
      }
      const isClass = /(?:^|\.)[A-Z]\w*$/.test(tree.text(right));
      if (operator !== 'instanceof' || !holds || !isClass || tree.kind(left) !== 'identifier') return [];
      const known = scopes.resolve(tree.text(left));
      const value = facts.instance(evidentValue(walk, right));
      if (known?.kind !== 'local' || value < 0) return [];
      return [{ name: tree.text(left), value: facts.either(value, known.expression) }];
    }
    default:
      return [];
  }
}

/** `isX(x)`: where the function is a type guard, x is what it says. */
function guardedIn(walk: Walk, call: number): readonly Narrowing[] {
  const { tree, facts, scopes } = walk;
  const [argument = -1] = tree.namedChildren(tree.child(call, 'arguments'));
  const known = tree.kind(argument) === 'identifier' ? scopes.resolve(tree.text(argument)) : undefined;
  if (known?.kind !== 'local') return [];
  const value = facts.parameter(evidentValue(walk, calleeOf(tree, call)), guardPosition);
  return value < 0 ? [] : [{ name: tree.text(argument), value: facts.either(value, known.expression) }];
}

function isAssigned({ tree }: Walk, body: number, name: string): boolean {
  for (let node = body; node < tree.after[body]!; node++) {
    if (tree.kind(node) !== 'identifier' || tree.text(node) !== name) continue;
    const user = tree.parent[node]!;
    const isTarget = /^(?:(?:augmented_)?assignment_expression|for_in_statement)$/.test(tree.kind(user));
    if (isTarget && tree.child(user, 'left') === node) return true;
    if (/_pattern$/.test(tree.kind(user))) return true;
  }
  return false;
}

/** Whether nothing behind a statement is reached from it. */
function leaves({ tree }: Walk, statement: number): boolean {
  const last = tree.kind(statement) === 'statement_block' ? (tree.namedChildren(statement).at(-1) ?? -1) : statement;
  return /^(?:return|throw|break|continue)_statement$/.test(tree.kind(last));
}
