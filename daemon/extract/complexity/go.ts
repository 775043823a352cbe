import type { SyntaxTree } from '../tree.ts';
import { unquoted } from './names.ts';
import {
  anonymousName,
  type ComplexityTable,
  type Construct,
  type FunctionHead,
  firstExpression,
  functionOf,
  nextExpression,
  noBrackets,
  shortCircuit,
} from './table.ts';

const branches: Construct = { nested: true, deeper: casesOf };
const jump: Construct = { flat: (tree, node) => (tree.childOfKind(node, 'label_name') < 0 ? 0 : 1) };

/**
 * Go. Cyclomatic as gocyclo counts; cognitive as gocognit, for which a closure is part of the function around it, a call of
 * the function itself adds 1, parentheses begin a run anew, and what stands in an `else` nests no deeper than its `if`.
 */
export const goComplexity: ComplexityTable = {
  functions: {
    function_declaration: functionHead,
    method_declaration: methodHead,
    func_literal: (tree, node) => {
      return { name: nameGiven(tree, node), parameters: parameterCount(tree, node), counts: 'within' };
    },
  },
  constructs: {
    if_statement: {
      decisions: 1,
      nested: (tree, node) => !isElseIf(tree, node),
      flat: (tree, node) =>
        Number(isElseIf(tree, node)) + Number(tree.kind(tree.child(node, 'alternative')) === 'block'),
      deeper: ['consequence'],
    },
    for_statement: { decisions: 1, nested: true, deeper: ['body'] },
    expression_switch_statement: branches,
    type_switch_statement: branches,
    select_statement: branches,
    expression_case: { decisions: 1 },
    type_case: { decisions: 1 },
    communication_case: { decisions: 1 },
    break_statement: jump,
    continue_statement: jump,
    goto_statement: jump,
  },
  booleans: {
    operators: { binary_expression: shortCircuit },
    operandsOf: (tree, node) => [tree.child(node, 'left'), tree.child(node, 'right')],
    brackets: noBrackets,
  },
  calls: { call_expression: functionOf },
};

function functionHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.child(node, 'body') < 0) return undefined;
  const name = tree.text(tree.child(node, 'name'));
  const parameters = parameterCount(tree, node);
  return { name, parameters, counts: 'apart', selfCall: name, countsRecursion: true };
}

function methodHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.child(node, 'body') < 0) return undefined;
  const name = tree.text(tree.child(node, 'name'));
  const receiver = tree.childOfKind(tree.child(node, 'receiver'), 'parameter_declaration');
  const type = typeName(tree, tree.child(receiver, 'type'));
  const self = tree.text(tree.child(receiver, 'name'));
  return {
    name,
    container: type,
    parameters: parameterCount(tree, node),
    counts: 'apart',
    ...(self === '' ? {} : { selfCall: `${self}.${name}` }),
  };
}

/** Without pointer, parentheses and type parameters. */
function typeName(tree: SyntaxTree, type: number): string {
  for (let node = type; node >= 0 && node < tree.after[type]!; node++) {
    if (tree.kind(node) === 'type_identifier') return tree.text(node);
  }
  return '';
}

/** `a, b int` are two, `int, string` are two, `...T` is one; the receiver is none. */
function parameterCount(tree: SyntaxTree, node: number): number {
  let count = 0;
  for (const declaration of tree.namedChildren(tree.child(node, 'parameters'))) {
    if (tree.kind(declaration) !== 'comment') count += Math.max(1, tree.childrenIn(declaration, 'name').length);
  }
  return count;
}

const nearestHolders = 8;

/** Of a literal outside of functions: the variable or the key whose value it is part of. */
function nameGiven(tree: SyntaxTree, node: number): string {
  let inner = node;
  for (let looked = 0; looked < nearestHolders; looked++) {
    const holder = tree.parent[inner]!;
    if (holder < 0) break;
    if (tree.kind(holder) === 'keyed_element') return unquoted(tree.text(tree.child(holder, 'key')));
    if (tree.kind(holder) === 'var_spec') return variableOf(tree, { names: holder, values: inner }, node);
    inner = holder;
  }
  return anonymousName;
}

const mostVariables = 64;

/** The one of `var a, b = f, func() {}` whose value holds the node. */
function variableOf(
  tree: SyntaxTree,
  { names, values }: { readonly names: number; readonly values: number },
  node: number,
): string {
  let name = tree.child(names, 'name');
  let value = firstExpression(tree, values);
  for (let looked = 0; value >= 0 && tree.after[value]! <= node; looked++) {
    if (looked === mostVariables) return anonymousName;
    name = nextExpression(tree, name);
    value = nextExpression(tree, value);
  }
  return tree.text(name) || anonymousName;
}

function isElseIf(tree: SyntaxTree, node: number): boolean {
  return tree.field(node) === 'alternative';
}

function casesOf(tree: SyntaxTree, node: number): readonly number[] {
  return tree.namedChildren(node).filter(child => tree.kind(child).endsWith('_case'));
}
