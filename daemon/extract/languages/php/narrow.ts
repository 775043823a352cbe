import type { Walk } from './walk.ts';

interface Narrowing {
  readonly name: string;
  readonly value: number;
}

/**
 * Runs `body` where a condition holds: a variable that is asked for its class is of it there. Where it is asked not to be,
 * and `block` ends what it stands in, it is of that class behind it.
 */
export function narrowed(walk: Walk, condition: number, body: () => void, block = -1): void {
  const { scopes } = walk;
  const before = narrowingsOf(walk, condition, true).map(one => ({
    ...one,
    outer: scopes.resolve(one.name)?.expression,
  }));
  for (const { name, value } of before) scopes.hoist(name, value);
  body();
  for (const { name, value, outer } of before) {
    if (scopes.resolve(name)?.expression === value) scopes.hoist(name, outer ?? -1);
  }
  if (block < 0 || !leaves(walk, block)) return;
  for (const { name, value } of narrowingsOf(walk, condition, false)) scopes.hoist(name, value);
}

/** `assert($x instanceof Foo)`, `assertInstanceOf(Foo::class, $x)`: from here on it is of that class. */
export function asserted(walk: Walk, call: number): void {
  const { tree, facts, scopes, names } = walk;
  const [first = -1, second = -1] = tree.namedChildren(tree.child(call, 'arguments'));
  const condition = tree.namedChildren(first)[0] ?? -1;
  if (tree.text(tree.child(call, 'function')).replace(/^\\/, '') === 'assert') {
    for (const { name, value } of narrowingsOf(walk, condition, true)) scopes.hoist(name, value);
  }
  const variable = tree.namedChildren(second)[0] ?? -1;
  if (tree.text(tree.child(call, 'name')) !== 'assertInstanceOf' || tree.kind(variable) !== 'variable_name') return;
  const [of = -1, word = -1] = tree.namedChildren(condition);
  if (tree.kind(condition) !== 'class_constant_access_expression' || tree.text(word) !== 'class') return;
  scopes.hoist(tree.text(tree.childOfKind(variable, 'name')), facts.instance(names.classNamed(tree.text(of))));
}

/** What holds where the condition does (`holds`), or where it doesn't. */
function narrowingsOf(walk: Walk, node: number, holds: boolean): readonly Narrowing[] {
  const { tree, facts, values } = walk;
  switch (tree.kind(node)) {
    case 'parenthesized_expression':
      return narrowingsOf(walk, tree.namedChildren(node)[0] ?? -1, holds);
    case 'unary_op_expression':
      if (tree.text(tree.firstChild(node)) !== '!') return [];
      return narrowingsOf(walk, tree.namedChildren(node)[0] ?? -1, !holds);
    case 'binary_expression': {
      const operator = tree.children(node).find(child => !tree.isNamed(child)) ?? -1;
      const [left, right] = [tree.child(node, 'left'), tree.child(node, 'right')];
      if (/^(?:&&|and)$/i.test(tree.text(operator)) === holds && /^(?:&&|and|\|\||or)$/i.test(tree.text(operator))) {
        return [...narrowingsOf(walk, left, holds), ...narrowingsOf(walk, right, holds)];
      }
      if (tree.kind(operator) !== 'instanceof' || !holds || tree.kind(left) !== 'variable_name') return [];
      const name = tree.text(tree.childOfKind(left, 'name'));
      const value = facts.instance(values.classOf(right));
      return name === 'this' || value < 0 ? [] : [{ name, value }];
    }
    default:
      return [];
  }
}

/** Whether nothing behind a block is reached from it. */
function leaves({ tree }: Walk, block: number): boolean {
  const last = tree.kind(block) === 'compound_statement' ? (tree.namedChildren(block).at(-1) ?? -1) : block;
  if (/^(?:return|continue|break|throw|exit)_statement$/.test(tree.kind(last))) return true;
  const [expression = -1] = tree.namedChildren(last);
  return tree.kind(last) === 'expression_statement' && tree.kind(expression) === 'throw_expression';
}
