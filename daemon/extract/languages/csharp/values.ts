import { genericName, isDynamic, isPlainPath, tupleName } from './names.ts';
import { hasOperator, isCondition } from './operators.ts';
import { typeAround, type Walk } from './walk.ts';

/** What expressions give, as far as the file tells. */
export interface Values {
  /** What an expression denotes: a value, or a type or namespace where it names one. */
  of(node: number): number;
  /** The function that a call calls, with its arguments looked at. */
  called(node: number): number;
  /** What a member access or a name denotes before it is called: all functions of that name. */
  named(node: number): number;
  /** What the initializer of a constructor makes first: the class around, or its base, with the arguments looked at. */
  made(node: number): number;
  /** The arguments of a call, in their order. */
  arguments(node: number): readonly number[];
}

const maxChain = 60;

export function createValues(walk: Omit<Walk, 'values' | 'visit'>): Values {
  const { tree, facts, names } = walk;
  const known = new Map<number, number>();

  const of = (node: number, depth = 0): number => {
    if (node < 0 || depth > maxChain) return -1;
    const before = known.get(node);
    if (before !== undefined) return before;
    const found = look(node, depth + 1);
    known.set(node, found);
    return found;
  };

  const self = (): number => facts.instance(facts.slot(typeAround(walk)));
  const plain = (type: string): number => facts.instance(facts.free(type));

  const look = (node: number, depth: number): number => {
    switch (tree.kind(node)) {
      case 'identifier':
      case 'generic_name':
      case 'member_access_expression':
      case 'conditional_access_expression':
        return named(node, depth);
      case 'this':
        return self();
      case 'base':
        return facts.instance(facts.superOf(typeAround(walk)));
      case 'invocation_expression':
        return result(node, depth);
      case 'object_creation_expression':
      case 'cast_expression':
      case 'default_expression':
      case 'array_creation_expression':
        return names.typed(tree.child(node, 'type'));
      case 'as_expression':
        return names.typed(tree.child(node, 'right'));
      case 'element_access_expression':
        return indexed(of(tree.child(node, 'expression'), depth));
      case 'await_expression':
        return unlessDynamic(of(tree.namedChildren(node)[0] ?? -1, depth), value => facts.awaited(value));
      case 'assignment_expression':
        return of(tree.child(node, 'left'), depth);
      case 'conditional_expression':
        return oneOf(of(tree.child(node, 'consequence'), depth), of(tree.child(node, 'alternative'), depth));
      case 'parenthesized_expression':
      case 'checked_expression':
      case 'ref_expression':
      case 'postfix_unary_expression':
      case 'with_expression':
        return of(tree.namedChildren(node)[0] ?? -1, depth);
      case 'prefix_unary_expression':
        return hasOperator(tree, node, '!') ? plain('bool') : of(tree.namedChildren(node)[0] ?? -1, depth);
      case 'binary_expression':
        return binary(node, depth);
      case 'tuple_expression':
        return tuple(node, depth);
      case 'predefined_type':
        return facts.free(tree.text(node));
      case 'alias_qualified_name':
      case 'qualified_name':
        return names.type(node);
      default:
        return literal(node);
    }
  };

  const literal = (node: number): number => {
    const kind = tree.kind(node);
    switch (kind) {
      case 'integer_literal':
        return plain(/l$/i.test(tree.text(node)) ? 'long' : 'int');
      case 'real_literal':
        return plain(/f$/i.test(tree.text(node)) ? 'float' : /m$/i.test(tree.text(node)) ? 'decimal' : 'double');
      case 'string_literal':
      case 'verbatim_string_literal':
      case 'raw_string_literal':
      case 'interpolated_string_expression':
        return plain('string');
      case 'character_literal':
        return plain('char');
      case 'boolean_literal':
      case 'is_pattern_expression':
      case 'is_expression':
        return plain('bool');
      case 'typeof_expression':
        return plain('Type');
      case 'null_literal':
        return isArgument(node) ? plain('null') : -1;
      default:
        return -1;
    }
  };

  /** `(a, name: b.c)`: elements are called as they say, or else by the last name of what they are. */
  const tuple = (node: number, depth: number): number => {
    const parts = tree.namedChildren(node).map(part => ({
      name: tree.child(part, 'name'),
      value: tree.namedChildren(part).findLast(child => tree.field(child) !== 'name') ?? -1,
    }));
    const nameOf = (value: number): number =>
      tree.kind(value) === 'identifier'
        ? value
        : tree.kind(value) === 'member_access_expression'
          ? tree.child(value, 'name')
          : -1;
    const type = facts.free(tupleName(parts.map(({ name, value }) => tree.text(name < 0 ? nameOf(value) : name))));
    return facts.instance(
      parts.reduce((whole, { value }) => {
        const given = of(value, depth);
        return facts.generic(whole, given < 0 ? facts.unknown() : given);
      }, type),
    );
  };

  /** What is of `dynamic` is `dynamic`: no method that extends others is called on it. */
  const unlessDynamic = (value: number, then: (value: number) => number): number =>
    isDynamic(facts, value) ? value : then(value);

  const oneOf = (one: number, other: number): number =>
    unlessDynamic(one, () => unlessDynamic(other, () => facts.either(one, other)));

  const isArgument = (node: number): boolean => tree.kind(tree.parent[node]!) === 'argument';

  const binary = (node: number, depth: number): number => {
    if (isCondition(tree, node)) return plain('bool');
    const [left, right] = [of(tree.child(node, 'left'), depth), of(tree.child(node, 'right'), depth)];
    if (hasOperator(tree, node, '??')) return oneOf(left, right);
    const text = plain('string');
    if (left === text || right === text) return text;
    return left === right
      ? left
      : unlessDynamic(left, () => facts.overload(left < 0 ? -1 : facts.free('+'), [left, right]));
  };

  /** What `a[i]` gives: what its class's indexer says. */
  const indexed = (holder: number): number => unlessDynamic(holder, value => facts.call(facts.member(value, 'this[]')));

  const named = (node: number, depth = 0): number => {
    switch (tree.kind(node)) {
      case 'identifier':
        return names.value(tree.text(node));
      case 'generic_name':
        return names.value(genericName(walk, node));
      case 'member_access_expression':
        return memberOf(tree.child(node, 'expression'), tree.child(node, 'name'), depth);
      case 'conditional_access_expression': {
        const bound = tree.namedChildren(node).at(-1) ?? -1;
        const condition = tree.child(node, 'condition');
        if (tree.kind(bound) === 'member_binding_expression') {
          return memberOf(condition, tree.child(bound, 'name'), depth);
        }
        return tree.kind(bound) === 'element_binding_expression' ? indexed(of(condition, depth)) : -1;
      }
      default:
        return of(node, depth);
    }
  };

  const memberOf = (receiver: number, name: number, depth: number): number => {
    const written = tree.kind(name) === 'generic_name' ? genericName(walk, name) : tree.text(name);
    const value = of(receiver, depth);
    if (isDynamic(facts, value)) return value;
    const member = facts.member(value, written);
    if (!isDotted(receiver)) return member;
    const path = tree.text(receiver);
    const place = names.within(value, written);
    return facts.otherwise(member, isPlainPath(path) ? facts.otherwise(place, names.dotted(path, written)) : place);
  };

  /** Names alone may be types and namespaces up to the last. */
  const isDotted = (node: number): boolean => {
    let at = node;
    while (tree.kind(at) === 'member_access_expression') at = tree.child(at, 'expression');
    if (tree.kind(at) === 'alias_qualified_name') return true;
    if (tree.kind(at) !== 'identifier' && tree.kind(at) !== 'generic_name') return false;
    return walk.scopes.resolve(tree.text(at)) === undefined && /^[A-Z]/.test(tree.text(at));
  };

  const called = (node: number, depth = 0): number =>
    facts.overload(named(tree.child(node, 'function'), depth), args(node));

  const result = (node: number, depth: number): number => {
    const callee = tree.child(node, 'function');
    return unlessDynamic(named(callee, depth), () => facts.call(withTypeArguments(callee, called(node, depth))));
  };

  const made = (node: number): number => {
    const isOwn = tree.children(node).some(child => tree.kind(child) === 'this');
    const slot = typeAround(walk);
    return facts.overload(isOwn ? facts.slot(slot) : facts.superOf(slot), args(node));
  };

  const args = (node: number): readonly number[] => {
    const list = tree.child(node, 'arguments');
    return tree
      .namedChildren(list < 0 ? tree.childOfKind(node, 'argument_list') : list)
      .filter(one => tree.kind(one) === 'argument')
      .map(one => given(tree.namedChildren(one).findLast(child => tree.field(child) !== 'name') ?? -1));
  };

  /** What is given: of lambdas only that they are functions. */
  const given = (node: number): number => {
    switch (tree.kind(node)) {
      case 'lambda_expression':
      case 'anonymous_method_expression':
        return facts.functionOf(facts.unknown());
      case 'declaration_expression':
        return names.typed(tree.child(node, 'type'));
      default:
        return of(node);
    }
  };

  /** `Make<T>()` gives what `Make` says of T. */
  const withTypeArguments = (callee: number, expression: number): number => {
    const inner = tree.kind(callee) === 'conditional_access_expression' ? tree.namedChildren(callee).at(-1)! : callee;
    const name = tree.kind(inner) === 'generic_name' ? inner : tree.child(inner, 'name');
    if (tree.kind(name) !== 'generic_name') return expression;
    return tree
      .namedChildren(tree.childOfKind(name, 'type_argument_list'))
      .reduce(
        (whole, one) => facts.generic(whole, names.type(one) < 0 ? facts.unknown() : names.type(one)),
        expression,
      );
  };

  return { of: node => of(node), called: node => called(node), named: node => named(node), made, arguments: args };
}
