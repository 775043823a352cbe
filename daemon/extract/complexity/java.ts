import type { SyntaxTree } from '../tree.ts';
import {
  anonymousName,
  type ComplexityTable,
  type Construct,
  type FunctionHead,
  partsOf,
  shortCircuit,
  type TypeHead,
} from './table.ts';

const loop: Construct = { decisions: 1, nested: true, deeper: partsOf };
const jump: Construct = { flat: (tree, node) => (tree.childOfKind(node, 'identifier') < 0 ? 0 : 1) };

/**
 * Java. Cognitive as sonar-java, and a `switch` with a value counts as one without. Cyclomatic as sonar-java counts a method
 * without the lambdas and classes in it, and each `catch`.
 */
export const javaComplexity: ComplexityTable = {
  functions: {
    method_declaration: memberHead,
    constructor_declaration: memberHead,
    compact_constructor_declaration: compactHead,
    static_initializer: () => ({ name: '<static>', parameters: 0, counts: 'both', sameLevel: true }),
    block: initializerHead,
    lambda_expression: lambdaHead,
  },
  types: {
    class_declaration: typeHead,
    interface_declaration: typeHead,
    enum_declaration: typeHead,
    record_declaration: typeHead,
    annotation_type_declaration: typeHead,
    class_body: anonymousBody,
  },
  constructs: {
    if_statement: {
      decisions: 1,
      nested: (tree, node) => !isElseIf(tree, node),
      flat: (tree, node) => Number(isElseIf(tree, node)) + elseBody(tree, node).length,
      deeper: (tree, node) => [tree.child(node, 'consequence'), ...elseBody(tree, node)],
    },
    for_statement: loop,
    enhanced_for_statement: loop,
    while_statement: loop,
    do_statement: loop,
    ternary_expression: loop,
    catch_clause: loop,
    switch_expression: { nested: true, deeper: partsOf },
    switch_label: { decisions: (tree, node) => (tree.kind(tree.firstChild(node)) === 'case' ? 1 : 0) },
    break_statement: jump,
    continue_statement: jump,
  },
  booleans: {
    operators: { binary_expression: shortCircuit },
    operandsOf: (tree, node) => [tree.child(node, 'left'), tree.child(node, 'right')],
    brackets: new Set(['parenthesized_expression']),
  },
  calls: { method_invocation: ownMethod },
  argumentCount: (tree, node) => tree.namedChildren(tree.child(node, 'arguments')).length,
};

/** Of a record's constructor that is written without parameters: those of the record. */
function compactHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  const head = memberHead(tree, node);
  return head && { ...head, parameters: parameterCount(tree, tree.parent[tree.parent[node]!]!) };
}

function memberHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.child(node, 'body') < 0) return undefined;
  const startsAt = tree.child(node, 'name');
  const name = tree.text(startsAt);
  return { name, parameters: parameterCount(tree, node), counts: 'both', sameLevel: true, selfCall: name, startsAt };
}

/** A block among members is run where an object is made. */
function initializerHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (!tree.kind(tree.parent[node]!).endsWith('class_body')) return undefined;
  return { name: '<init>', parameters: 0, counts: 'both', sameLevel: true };
}

function lambdaHead(tree: SyntaxTree, node: number): FunctionHead {
  const holder = tree.parent[node]!;
  const name = tree.kind(holder) === 'variable_declarator' ? tree.text(tree.child(holder, 'name')) : anonymousName;
  return { name, parameters: parameterCount(tree, node), counts: 'both' };
}

function typeHead(tree: SyntaxTree, node: number): TypeHead {
  return { name: tree.text(tree.child(node, 'name')), nesting: 'deeper' };
}

/** That of `new T() { … }` and of an enum's constant. */
function anonymousBody(tree: SyntaxTree, node: number): TypeHead | undefined {
  const holder = tree.parent[node]!;
  if (tree.kind(holder) === 'enum_constant') return typeHead(tree, holder);
  return tree.kind(holder) === 'object_creation_expression' ? { name: '', nesting: 'deeper' } : undefined;
}

/** Not the receiver, `A this`, which no caller passes. */
function parameterCount(tree: SyntaxTree, node: number): number {
  const parameters = tree.child(node, 'parameters');
  if (tree.kind(parameters) === 'identifier') return 1;
  const kinds = tree.namedChildren(parameters).map(one => tree.kind(one));
  return kinds.filter(kind => kind !== 'receiver_parameter' && !kind.endsWith('comment')).length;
}

/** What is called, where it is a method of the same object. */
function ownMethod(tree: SyntaxTree, node: number): number {
  const object = tree.child(node, 'object');
  return object < 0 || tree.kind(object) === 'this' ? tree.child(node, 'name') : -1;
}

function isElseIf(tree: SyntaxTree, node: number): boolean {
  return tree.field(node) === 'alternative' && tree.kind(tree.parent[node]!) === 'if_statement';
}

/** What stands in an `else` that is no `else if`. */
function elseBody(tree: SyntaxTree, node: number): readonly number[] {
  const body = tree.child(node, 'alternative');
  return body < 0 || tree.kind(body) === 'if_statement' ? [] : [body];
}
