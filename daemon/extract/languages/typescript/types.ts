import { literalText, named, type Walk } from './context.ts';
import { thisType } from './receivers.ts';
import { evidentValue, parameterTypes, resultType } from './values.ts';

const maxNesting = 40;
const primitives: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  symbol: 'Symbol',
  bigint: 'BigInt',
  never: 'never',
};

/** What a value of the annotated type is: index of an expression of the facts, -1 where the type tells nothing. */
export function typeValue(walk: Walk, node: number, nesting = 0): number {
  const { tree, facts } = walk;
  if (node < 0 || nesting > maxNesting) return -1;
  const inner = (child: number): number => typeValue(walk, child, nesting + 1);
  switch (tree.kind(node)) {
    case 'predefined_type': {
      const name = primitives[tree.text(node)];
      return name === undefined ? -1 : facts.instance(facts.free(name));
    }
    case 'type_identifier':
    case 'nested_type_identifier':
    case 'identifier':
      return facts.instance(typeName(walk, node));
    case 'this_type':
    case 'this':
      return thisType(walk);
    case 'generic_type':
      return genericValue(walk, node, inner);
    case 'array_type':
      return arrayOf(walk, inner(tree.namedChildren(node)[0] ?? -1));
    case 'readonly_type':
    case 'parenthesized_type':
    case 'optional_type':
    case 'rest_type':
    case 'type_annotation':
      return inner(tree.namedChildren(node)[0] ?? -1);
    // Named members of a tuple.
    case 'required_parameter':
    case 'optional_parameter':
      return inner(tree.child(node, 'type'));
    case 'tuple_type':
      return tupleOf(walk, tree.namedChildren(node).map(inner));
    case 'union_type':
    case 'intersection_type':
      return tree
        .namedChildren(node)
        .map(inner)
        .reduce((of, other) => facts.either(of, other), -1);
    case 'conditional_type':
      return facts.either(inner(tree.child(node, 'consequence')), inner(tree.child(node, 'alternative')));
    case 'function_type':
      return functionType(walk, node, inner);
    case 'object_type':
      return mappedFrom(walk, node, inner) ?? facts.slot(walk.typeHolder);
    case 'type_query':
      return evidentValue(walk, tree.namedChildren(node)[0] ?? -1);
    case 'lookup_type':
      return lookedUp(walk, node, inner);
    default:
      return -1;
  }
}

/** The type that a name stands for, without "a value of". */
export function typeName(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'type_identifier':
    case 'identifier':
      return named(walk, tree.text(node));
    case 'nested_type_identifier':
      return facts.member(evidentValue(walk, tree.child(node, 'module')), tree.text(tree.child(node, 'name')));
    case 'generic_type':
      return typeName(walk, tree.child(node, 'name'));
    default:
      return evidentValue(walk, node);
  }
}

function arrayOf(walk: Walk, element: number): number {
  const { facts } = walk;
  return facts.instance(facts.generic(facts.free('Array'), element < 0 ? facts.unknown() : element));
}

function tupleOf(walk: Walk, members: readonly number[]): number {
  const { facts } = walk;
  if (members.length === 1) return arrayOf(walk, members[0]!);
  const type = members.reduce(
    (of, member) => facts.generic(of, member < 0 ? facts.unknown() : member),
    facts.free('tuple'),
  );
  return facts.instance(type);
}

/** What calling a value with that call signature gives and takes. */
export function signatureType(walk: Walk, node: number): number {
  let made = -1;
  walk.scopes.inside('function', () => {
    declareTypeParameters(walk, node, -1);
    made = functionType(walk, node, child => typeValue(walk, child));
  });
  return made;
}

function functionType(walk: Walk, node: number, inner: (child: number) => number): number {
  const { facts } = walk;
  const result = resultType(walk, node, inner);
  return parameterTypes(walk, node).reduce(
    (of, argument) => facts.generic(of, argument),
    facts.functionOf(result < 0 ? facts.unknown() : result),
  );
}

function genericValue(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts } = walk;
  const list = tree.child(node, 'type_arguments');
  const type = tree.namedChildren(list).reduce(
    (of, argument) => {
      const value = inner(argument);
      return facts.generic(of, value < 0 ? facts.unknown() : value);
    },
    typeName(walk, tree.child(node, 'name')),
  );
  return facts.instance(type);
}

/** `{ [K in keyof T]: … }` has the members of T. */
function mappedFrom(walk: Walk, node: number, inner: (child: number) => number): number | undefined {
  const { tree } = walk;
  const clause = tree.childOfKind(tree.childOfKind(node, 'index_signature'), 'mapped_type_clause');
  const keys = tree.child(clause, 'type');
  if (tree.kind(keys) !== 'index_type_query') return undefined;
  return inner(tree.namedChildren(keys)[0] ?? -1);
}

function lookedUp(walk: Walk, node: number, inner: (child: number) => number): number {
  const { tree, facts } = walk;
  const [object = -1, index = -1] = tree.namedChildren(node);
  const name = literalText(walk, tree.namedChildren(index)[0] ?? -1);
  return name === undefined ? facts.element(inner(object)) : facts.member(inner(object), name);
}

/**
 * Binds the type parameters of a declaration in the innermost scope: each to its argument where the definition at `slot`
 * is applied, and to what its default and its constraint tell.
 */
export function declareTypeParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  let position = 0;
  const list = tree.child(node, 'type_parameters');
  for (const parameter of list < 0 ? [] : tree.namedChildren(list)) {
    const constraint = tree.child(parameter, 'constraint');
    const bound = tree.namedChildren(constraint)[0] ?? -1;
    const fallback = tree.namedChildren(tree.child(parameter, 'value'))[0] ?? -1;
    const argument = facts.argument(slot, position++);
    walk.scopes.declare(tree.text(tree.child(parameter, 'name')), () =>
      [typeValue(walk, fallback), typeValue(walk, bound)].reduce((of, other) => facts.either(of, other), argument),
    );
  }
}
