import type { SyntaxTree } from '../tree.ts';
import { type ComplexityTable, type Construct, type FunctionHead, functionOf, noBrackets, partsOf } from './table.ts';

const loop: Construct = { decisions: 1, nested: true, deeper: ['body'] };
const handler: Construct = { decisions: 1, nested: true, deeper: blocksIn };

/**
 * Python. Cyclomatic as radon counts, but for `assert` and for the `else` of loops and of `try`, which decide nothing, and for
 * functions inside, lambdas too, which count for themselves. Cognitive as sonar-python, which leaves recursion out, lets a
 * class begin anew, and takes a function that only makes and returns another for no nesting.
 */
export const pythonComplexity: ComplexityTable = {
  functions: { function_definition: functionHead, lambda: lambdaHead },
  types: {
    class_definition: (tree, node) => ({ name: tree.text(tree.child(node, 'name')), nesting: 'anew' }),
  },
  constructs: {
    if_statement: { decisions: 1, nested: true, deeper: ['consequence'] },
    elif_clause: { decisions: 1, flat: 1, deeper: ['consequence'] },
    else_clause: { flat: 1, deeper: ['body'] },
    for_statement: loop,
    while_statement: loop,
    except_clause: handler,
    except_group_clause: handler,
    match_statement: { nested: true },
    case_clause: { decisions: (tree, node) => (isDefault(tree, node) ? 0 : 1), deeper: ['consequence'] },
    conditional_expression: { decisions: 1, nested: true, deeper: partsOf },
    for_in_clause: { decisions: 1 },
    // Of a comprehension: what guards a case is part of it.
    if_clause: { decisions: (tree, node) => (tree.field(node) === 'guard' ? 0 : 1) },
  },
  booleans: {
    operators: { boolean_operator: (tree, node) => tree.kind(tree.child(node, 'operator')) },
    operandsOf: (tree, node) => [tree.child(node, 'left'), tree.child(node, 'right')],
    brackets: noBrackets,
  },
  calls: { call: functionOf },
};

function functionHead(tree: SyntaxTree, node: number): FunctionHead {
  const name = tree.text(tree.child(node, 'name'));
  return {
    name,
    parameters: parameterCount(tree, node),
    counts: 'both',
    sameLevel: isWrapped(tree, node),
    selfCall: isMember(tree, node) ? `self.${name}` : name,
    // Default values are evaluated where the function is made.
    opensAt: tree.child(node, 'body'),
  };
}

function lambdaHead(tree: SyntaxTree, node: number): FunctionHead {
  const holder = tree.parent[node]!;
  const target = tree.kind(holder) === 'assignment' ? tree.child(holder, 'left') : -1;
  const name = tree.kind(target) === 'identifier' ? tree.text(target) : '<lambda>';
  return { name, parameters: parameterCount(tree, node), counts: 'both', opensAt: tree.child(node, 'body') };
}

/** `self` counts, as it does for lizard and pylint; a bare `*` or `/` does not. */
function parameterCount(tree: SyntaxTree, node: number): number {
  const kinds = tree.namedChildren(tree.child(node, 'parameters')).map(one => tree.kind(one));
  return kinds.filter(kind => !kind.endsWith('_separator') && kind !== 'comment').length;
}

/** Its definition, decorators included. */
function definitionOf(tree: SyntaxTree, node: number): number {
  const holder = tree.parent[node]!;
  return tree.kind(holder) === 'decorated_definition' ? holder : node;
}

function isMember(tree: SyntaxTree, node: number): boolean {
  return tree.kind(tree.parent[tree.parent[definitionOf(tree, node)]!]!) === 'class_definition';
}

/** A function that defines and returns another has no more statements and comments than this. */
const mostStatements = 64;

/** Whether the function around does nothing but define this one and return names. */
function isWrapped(tree: SyntaxTree, node: number): boolean {
  const definition = definitionOf(tree, node);
  const block = tree.parent[definition]!;
  if (tree.kind(tree.parent[block]!) !== 'function_definition') return false;
  let one = tree.firstChild(block);
  for (let looked = 0; one >= 0 && looked < mostStatements; looked++, one = tree.nextSibling(one)) {
    if (one !== definition && !isReturnOfName(tree, one)) return false;
  }
  return one < 0;
}

function isReturnOfName(tree: SyntaxTree, statement: number): boolean {
  if (tree.kind(statement) === 'comment') return true;
  const values = tree.kind(statement) === 'return_statement' ? tree.namedChildren(statement) : [];
  return values.length === 1 && tree.kind(values[0]!) === 'identifier';
}

function blocksIn(tree: SyntaxTree, node: number): readonly number[] {
  return tree.namedChildren(node).filter(child => tree.kind(child) === 'block');
}

/** `case _:`. */
function isDefault(tree: SyntaxTree, node: number): boolean {
  return tree.child(node, 'guard') < 0 && tree.text(tree.childOfKind(node, 'case_pattern')) === '_';
}
