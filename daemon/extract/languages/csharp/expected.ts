import { typePosition } from '../../../model/facts.ts';
import { partOf } from './deconstruct.ts';
import { hasModifier, type Walk } from './walk.ts';

/** What the place of an expression asks for: a type that is written there, or one that a value there has; -1 for none. */
export type Expected =
  | { readonly by: 'type'; readonly type: number }
  | { readonly by: 'value'; readonly value: number };

/** What stands at a node is given to a variable, a parameter, or whoever calls the function around. */
export function expectedAt(walk: Walk, node: number): Expected {
  const { tree, values } = walk;
  const holder = tree.parent[node] ?? -1;
  switch (tree.kind(holder)) {
    case 'variable_declarator':
      return writtenAt(walk, tree.parent[holder]!);
    case 'property_declaration':
    case 'parameter':
    case 'cast_expression':
      return writtenAt(walk, holder);
    case 'arrow_expression_clause':
    case 'return_statement':
      return givenBack(walk, holder);
    case 'yield_statement':
      return elementOf(walk, givenBack(walk, holder));
    case 'lambda_expression':
      return tree.field(node) === 'body' ? givenBack(walk, node) : nothing;
    case 'parenthesized_expression':
    case 'switch_expression':
      return expectedAt(walk, holder);
    case 'switch_expression_arm':
      return expectedAt(walk, tree.parent[holder]!);
    case 'conditional_expression':
      return tree.field(node) === 'condition' ? nothing : asBranch(walk, node);
    case 'binary_expression':
      return asFallback(walk, node);
    case 'assignment_expression':
      return assigned(walk, node);
    case 'with_initializer':
      return asMember(walk, values.of(tree.parent[holder]!), tree.namedChildren(holder)[0]!);
    case 'initializer_expression':
      return asElement(walk, node);
    case 'argument':
      return asArgument(walk, node);
    default:
      return nothing;
  }
}

/** A value of what is expected. */
export function valueExpected({ names }: Walk, expected: Expected): number {
  return expected.by === 'type' ? names.typed(expected.type) : expected.value;
}

export function typeExpected({ facts, names }: Walk, expected: Expected): number {
  return expected.by === 'type' ? names.type(expected.type) : facts.parameter(expected.value, typePosition);
}

const nothing: Expected = { by: 'value', value: -1 };

function writtenAt({ tree }: Walk, node: number): Expected {
  const type = tree.child(node, 'returns') >= 0 ? tree.child(node, 'returns') : tree.child(node, 'type');
  return type < 0 || tree.kind(type) === 'implicit_type' ? nothing : { by: 'type', type };
}

/** What the function around gives: the one in which `return` stands, or the lambda whose body it is. */
function givenBack(walk: Walk, node: number): Expected {
  const { tree, facts } = walk;
  let around = node;
  do around = tree.parent[around] ?? -1;
  while (around >= 0 && !functions.has(tree.kind(around)));
  const kind = tree.kind(around);
  if (kind === 'accessor_declaration') return writtenAt(walk, tree.parent[tree.parent[around]!]!);
  const isLambda = kind === 'lambda_expression' || kind === 'anonymous_method_expression';
  const given: Expected = isLambda
    ? { by: 'value', value: facts.call(valueExpected(walk, expectedAt(walk, around))) }
    : writtenAt(walk, around);
  if (!hasModifier(tree, around, 'async')) return given;
  return { by: 'value', value: facts.awaited(valueExpected(walk, given)) };
}

const functions: ReadonlySet<string> = new Set([
  'method_declaration',
  'local_function_statement',
  'operator_declaration',
  'conversion_operator_declaration',
  'property_declaration',
  'indexer_declaration',
  'accessor_declaration',
  'lambda_expression',
  'anonymous_method_expression',
  // They give nothing.
  'constructor_declaration',
  'destructor_declaration',
]);

/** `c ? a : node`: what is expected of both, or else what the other one is of. */
function asBranch(walk: Walk, node: number): Expected {
  const { tree, values } = walk;
  const holder = tree.parent[node]!;
  const expected = expectedAt(walk, holder);
  if (expected.by === 'type' || expected.value >= 0) return expected;
  const other = tree.child(holder, tree.field(node) === 'consequence' ? 'alternative' : 'consequence');
  return { by: 'value', value: values.of(other) };
}

/** `a ?? node`: of what stands before it. */
function asFallback({ tree, values }: Walk, node: number): Expected {
  const holder = tree.parent[node]!;
  const isFallback = tree.field(node) === 'right' && tree.children(holder).some(child => tree.text(child) === '??');
  return isFallback ? { by: 'value', value: values.of(tree.child(holder, 'left')) } : nothing;
}

/** `a = node`, `a ??= node`, and in what an initializer lists `Name = node` and `[key] = node`. */
function assigned(walk: Walk, node: number): Expected {
  const { tree, facts, values } = walk;
  const holder = tree.parent[node]!;
  const isPlain = tree.children(holder).some(child => /^(?:\?\?)?=$/.test(tree.text(child)));
  if (!isPlain || tree.field(node) !== 'right') return nothing;
  const left = tree.child(holder, 'left');
  const list = tree.parent[holder]!;
  if (tree.kind(list) !== 'initializer_expression') return { by: 'value', value: values.of(left) };
  const whole = initialised(walk, list);
  if (tree.kind(left) === 'identifier') return asMember(walk, whole, left);
  return { by: 'value', value: facts.call(facts.member(whole, 'this[]')) };
}

function asMember({ tree, facts }: Walk, of: number, name: number): Expected {
  return { by: 'value', value: facts.member(of, tree.text(name)) };
}

/** `{ node }`, or `{ { key, node } }`, which is what `Add` takes. */
function asElement(walk: Walk, node: number): Expected {
  const { tree, facts } = walk;
  const list = tree.parent[node]!;
  const around = tree.parent[list]!;
  if (tree.kind(around) !== 'initializer_expression') {
    return { by: 'value', value: facts.element(initialised(walk, list)) };
  }
  const add = facts.member(initialised(walk, around), 'Add');
  return { by: 'value', value: facts.parameter(add, tree.namedChildren(list).indexOf(node)) };
}

/** What `{ … }` fills. */
function initialised(walk: Walk, list: number): number {
  const { tree, values } = walk;
  const holder = tree.parent[list]!;
  switch (tree.kind(holder)) {
    case 'object_creation_expression':
    case 'array_creation_expression':
      return values.of(holder);
    case 'implicit_object_creation_expression':
      return valueExpected(walk, expectedAt(walk, holder));
    default:
      return valueExpected(walk, expectedAt(walk, list));
  }
}

function asArgument(walk: Walk, node: number): Expected {
  const { tree, facts, names, values } = walk;
  const argument = tree.parent[node]!;
  const list = tree.parent[argument]!;
  const position = tree.namedChildren(list).indexOf(argument);
  const taken = (by: number): Expected => ({ by: 'value', value: facts.parameter(by, position) });
  if (tree.kind(list) === 'tuple_expression') return asPart(walk, list, position);
  // `[node, …]`
  if (tree.kind(list) === 'element_binding_expression') return elementOf(walk, expectedAt(walk, list));
  // By its name it may be for another parameter than that at its place, which a lambda mostly is for all the same.
  if (tree.child(argument, 'name') >= 0 && tree.kind(node) === 'implicit_object_creation_expression') return nothing;
  const call = tree.parent[list]!;
  switch (tree.kind(call)) {
    case 'invocation_expression':
      return taken(values.called(call));
    case 'object_creation_expression':
      return taken(names.type(tree.child(call, 'type')));
    case 'implicit_object_creation_expression':
      return taken(typeExpected(walk, expectedAt(walk, call)));
    case 'constructor_initializer':
      return taken(values.made(call));
    default:
      return nothing;
  }
}

function asPart(walk: Walk, tuple: number, position: number): Expected {
  const { tree } = walk;
  const expected = expectedAt(walk, tuple);
  if (expected.by === 'value') {
    const count = tree.namedChildren(tuple).length;
    return { by: 'value', value: expected.value < 0 ? -1 : partOf(walk, expected.value, position, count) };
  }
  return writtenAt(walk, tree.namedChildren(expected.type)[position] ?? -1);
}

function elementOf(walk: Walk, of: Expected): Expected {
  return { by: 'value', value: walk.facts.element(valueExpected(walk, of)) };
}
