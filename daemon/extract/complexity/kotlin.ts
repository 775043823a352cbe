import type { SyntaxTree } from '../tree.ts';
import {
  anonymousName,
  type ComplexityTable,
  type Construct,
  type FunctionHead,
  nextExpression,
  noBrackets,
  partsOf,
  shortCircuit,
} from './table.ts';

const loop: Construct = { decisions: 1, nested: true, deeper: partsOf };
const headedLoop: Construct = { ...loop, deeper: (tree, node) => [...partsOf(tree, node), ...bodyBelow(tree, node)] };

/**
 * Kotlin. Cognitive as sonar-kotlin, and `do … while` as any loop: an `else` adds 1 where it is a block or another `if`, so
 * that `if (a) b else c` counts as a ternary does elsewhere, and a class begins anew. Cyclomatic as detekt counts branches,
 * loops, `catch`, `&&`, `||` and `?:`, without the `else` of a `when`.
 */
export const kotlinComplexity: ComplexityTable = {
  functions: {
    function_declaration: functionHead,
    anonymous_function: (tree, node) => closureHead(tree, node, tree.childOfKind(node, 'function_value_parameters')),
    lambda_literal: (tree, node) => closureHead(tree, node, tree.childOfKind(node, 'lambda_parameters')),
    secondary_constructor: constructorHead,
    anonymous_initializer: () => ({ name: '<init>', parameters: 0, counts: 'both', sameLevel: true }),
    getter: (tree, node) => accessorHead(tree, node, 'get'),
    setter: (tree, node) => accessorHead(tree, node, 'set'),
  },
  types: {
    class_declaration: (tree, node) => ({ name: nameOf(tree, node), nesting: 'anew' }),
    enum_entry: (tree, node) => ({ name: tree.text(tree.childOfKind(node, 'identifier')), nesting: 'anew' }),
    object_declaration: (tree, node) => ({ name: nameOf(tree, node), nesting: 'same' }),
    object_literal: () => ({ name: '', nesting: 'same' }),
  },
  constructs: {
    if_expression: {
      decisions: 1,
      nested: (tree, node) => !isElseIf(tree, node),
      flat: (tree, node) => (isBranching(tree, elseOf(tree, node)) ? 1 : 0),
      deeper: (tree, node) => (isElseIf(tree, node) ? [] : partsOf(tree, node)),
    },
    for_statement: headedLoop,
    while_statement: headedLoop,
    do_while_statement: loop,
    catch_block: loop,
    when_expression: { nested: true, deeper: partsOf },
    when_entry: { decisions: (tree, node) => (tree.childOfKind(node, 'else') < 0 ? 1 : 0) },
    labeled_expression: { flat: (tree, node) => (isJump(tree, node) ? 1 : 0) },
    binary_expression: { decisions: (tree, node) => (tree.kind(tree.child(node, 'operator')) === '?:' ? 1 : 0) },
  },
  booleans: {
    operators: { binary_expression: shortCircuit },
    operandsOf: (tree, node) => [tree.child(node, 'left'), tree.child(node, 'right')],
    brackets: noBrackets,
  },
  calls: { call_expression: calleeOf },
  argumentCount,
};

function functionHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.childOfKind(node, 'function_body') < 0) return undefined;
  const startsAt = tree.child(node, 'name');
  const name = tree.text(startsAt);
  const parameters = parameterCount(tree, tree.childOfKind(node, 'function_value_parameters'));
  return { name, parameters, counts: 'both', selfCall: name, startsAt };
}

function constructorHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.childOfKind(node, 'block') < 0) return undefined;
  const parameters = parameterCount(tree, tree.childOfKind(node, 'function_value_parameters'));
  return { name: 'constructor', parameters, counts: 'both' };
}

function closureHead(tree: SyntaxTree, node: number, parameters: number): FunctionHead {
  const holder = tree.parent[node]!;
  const name = tree.kind(holder) === 'property_declaration' ? variableName(tree, holder) : anonymousName;
  return { name, parameters: parameterCount(tree, parameters), counts: 'both' };
}

function accessorHead(tree: SyntaxTree, node: number, kind: 'get' | 'set'): FunctionHead | undefined {
  if (tree.childOfKind(node, 'function_body') < 0) return undefined;
  const property = tree.parent[node]!;
  return {
    name: `${variableName(tree, property)}.${kind}`,
    parameters: kind === 'set' ? 1 : 0,
    counts: 'both',
    sameLevel: true,
  };
}

function parameterCount(tree: SyntaxTree, parameters: number): number {
  const kinds = tree.namedChildren(parameters).map(one => tree.kind(one));
  return kinds.filter(kind => kind === 'parameter' || kind.endsWith('variable_declaration')).length;
}

function nameOf(tree: SyntaxTree, node: number): string {
  return tree.text(tree.child(node, 'name'));
}

function variableName(tree: SyntaxTree, property: number): string {
  const variable = tree.childOfKind(property, 'variable_declaration');
  return tree.text(tree.childOfKind(variable, 'identifier')) || anonymousName;
}

const mostBelow = 16;

/**
 * What is the body of a loop and stands below it without braces: the grammar takes it for the next statement. Where that is
 * such a loop, its body as well.
 */
function bodyBelow(tree: SyntaxTree, loopNode: number): readonly number[] {
  const found: number[] = [];
  for (let node = loopNode; found.length < mostBelow && tree.kind(tree.after[node]! - 1) === ')'; ) {
    const last = tree.after[node]! - 1;
    if (tree.parent[last] !== node) break;
    node = tree.nextSibling(node);
    while (tree.kind(node).endsWith('comment')) node = tree.nextSibling(node);
    if (!tree.isNamed(node) || /^\s*;/.test(tree.source.slice(tree.end[last]!, tree.start[node]!))) break;
    found.push(node);
    if (tree.kind(node) !== 'for_statement' && tree.kind(node) !== 'while_statement') break;
  }
  return found;
}

function isElseIf(tree: SyntaxTree, node: number): boolean {
  const around = tree.parent[node]!;
  return tree.kind(around) === 'if_expression' && elseOf(tree, around) === node;
}

/** What stands behind `else`, or -1. */
function elseOf(tree: SyntaxTree, node: number): number {
  return nextExpression(tree, tree.childOfKind(node, 'else'));
}

function isBranching(tree: SyntaxTree, node: number): boolean {
  return tree.kind(node) === 'block' || tree.kind(node) === 'if_expression';
}

/** `break@outer`, `continue@outer`. */
function isJump(tree: SyntaxTree, node: number): boolean {
  const label = tree.text(tree.childOfKind(node, 'label'));
  return label === 'break@' || label === 'continue@';
}

/** The name that is called, where it is one of the same object. */
function calleeOf(tree: SyntaxTree, node: number): number {
  const callee = tree.firstChild(node);
  const [object = -1, name = -1] = tree.kind(callee) === 'navigation_expression' ? tree.namedChildren(callee) : [];
  if (object < 0) return callee;
  return tree.kind(object) === 'this_expression' ? name : -1;
}

function argumentCount(tree: SyntaxTree, node: number): number {
  return tree.namedChildren(tree.childOfKind(node, 'value_arguments')).length;
}
