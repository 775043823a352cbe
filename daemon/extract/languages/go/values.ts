import { maxDepth } from '../../builder.ts';
import { instantiatedBy } from './type-arguments.ts';
import { resultOf, typeOf, withTypes } from './types.ts';
import { nameValue, type Walk } from './walk.ts';

/** What an expression's value is, -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'identifier':
      return nameValue(walk, node);
    case 'selector_expression':
      return facts.member(valueAt(walk, tree.child(node, 'operand')), tree.text(tree.child(node, 'field')));
    case 'call_expression':
      return callValue(walk, node);
    case 'type_conversion_expression':
      return isInstantiation(walk, node)
        ? facts.call(typeOf(walk, tree.child(node, 'type')))
        : facts.instance(typeOf(walk, tree.child(node, 'type')));
    case 'composite_literal':
    case 'type_assertion_expression':
      return facts.instance(typeOf(walk, tree.child(node, 'type')));
    case 'unary_expression': {
      const operand = valueAt(walk, tree.child(node, 'operand'));
      const operator = tree.kind(tree.child(node, 'operator'));
      return operator === '<-' ? facts.element(operand) : operator === '!' ? -1 : operand;
    }
    case 'index_expression':
      return facts.element(valueAt(walk, tree.child(node, 'operand')));
    case 'slice_expression':
      return valueAt(walk, tree.child(node, 'operand'));
    case 'parenthesized_expression':
    case 'literal_element':
    case 'expression_list':
      return valueAt(walk, tree.namedChildren(node)[0] ?? -1);
    case 'func_literal':
      return facts.functionOf(resultOf(walk, node));
    case 'interpreted_string_literal':
    case 'raw_string_literal':
      return facts.instance(facts.free('string'));
    case 'generic_type':
    case 'slice_type':
    case 'map_type':
    case 'pointer_type':
    case 'type_identifier':
    case 'qualified_type':
      return typeOf(walk, node);
    default:
      return -1;
  }
}

/** `New[int](x)`: the grammar sees a type, but a function is called so, too. */
export function isInstantiation({ tree }: Walk, conversion: number): boolean {
  const isConversion = tree.kind(conversion) === 'type_conversion_expression';
  return isConversion && tree.kind(tree.child(conversion, 'type')) === 'generic_type';
}

function callValue(walk: Walk, node: number): number {
  const { tree, facts, scopes } = walk;
  const callee = tree.child(node, 'function');
  const [first = -1] = tree.namedChildren(tree.child(node, 'arguments'));
  if (tree.kind(callee) === 'identifier' && scopes.resolve(tree.text(callee)) === undefined) {
    switch (tree.text(callee)) {
      case 'new':
      case 'make':
        return facts.instance(first < 0 ? -1 : typeOf(walk, first));
      case 'append':
        return valueAt(walk, first);
      case 'recover':
        return -1;
      default:
    }
  }
  const instantiated = instantiatedBy(walk, node);
  if (instantiated === undefined) return facts.call(withArguments(walk, node, valueAt(walk, callee)));
  return facts.call(withTypes(walk, valueAt(walk, instantiated.of), instantiated.types));
}

/** A function with type parameters gives what it is given; methods have none of their own. */
function withArguments(walk: Walk, call: number, of: number): number {
  const { tree, facts, packages, scopes } = walk;
  const callee = tree.child(call, 'function');
  const name = tree.text(tree.kind(callee) === 'selector_expression' ? tree.child(callee, 'operand') : callee);
  const isFunction = tree.kind(callee) === 'identifier' ? scopes.resolve(name)?.kind !== 'local' : packages.has(name);
  const passed = tree.namedChildren(tree.child(call, 'arguments')).filter(one => tree.kind(one) !== 'comment');
  if (!isFunction || of < 0 || passed.length === 0) return of;
  const values = passed.map(one => valueAt(walk, one));
  return values.every(one => one < 0) ? of : facts.overload(of, values);
}

/** Values for the names on the left of `=`, `:=` or `range`, one question for each. */
export function valuesFor(walk: Walk, count: number, right: readonly number[]): readonly (() => number)[] {
  const { tree, facts } = walk;
  const one = right[0] ?? -1;
  if (right.length === 1 && count > 1) {
    const isTuple = tree.kind(one) === 'call_expression';
    return Array.from({ length: count }, (_, index) => () => {
      if (!isTuple) return index === 0 ? valueAt(walk, one) : -1;
      return facts.member(valueAt(walk, one), String(index));
    });
  }
  return Array.from({ length: count }, (_, index) => () => valueAt(walk, right[index] ?? -1));
}
