import type { SyntaxTree } from '../tree.ts';
import {
  anonymousName,
  type ComplexityTable,
  type Construct,
  type FunctionHead,
  functionOf,
  noBrackets,
  partsOf,
  shortCircuit,
} from './table.ts';

const loop: Construct = { decisions: 1, nested: true, deeper: partsOf };
const jump: Construct = { flat: (tree, node) => (tree.childOfKind(node, 'label') < 0 ? 0 : 1) };

/**
 * Rust. Cognitive as sonar-rust, and with it the `&&` between conditions with `let`. Cyclomatic counts all arms of a `match`
 * but `_`, and neither `?` nor `let … else`; what stands in the arguments of a macro is not read as code.
 */
export const rustComplexity: ComplexityTable = {
  functions: { function_item: functionHead, closure_expression: closureHead },
  types: {
    impl_item: (tree, node) => ({ name: typeName(tree, tree.child(node, 'type')), nesting: 'same' }),
    trait_item: (tree, node) => ({ name: tree.text(tree.child(node, 'name')), nesting: 'same' }),
  },
  constructs: {
    if_expression: {
      decisions: 1,
      nested: (tree, node) => !isElseIf(tree, node),
      flat: (tree, node) => (tree.child(node, 'alternative') < 0 ? 0 : 1),
      deeper: (tree, node) => (isElseIf(tree, node) ? [] : partsOf(tree, node)),
    },
    while_expression: loop,
    loop_expression: loop,
    for_expression: loop,
    match_expression: { nested: true, deeper: partsOf },
    match_arm: { decisions: (tree, node) => (isWildcard(tree, tree.child(node, 'pattern')) ? 0 : 1) },
    let_chain: {
      decisions: (tree, node) => conditionsIn(tree, node).length - 1,
      // What stands before the first `let` is an operation for itself, and the chain goes on with its run.
      flat: (tree, node) => (shortCircuit(tree, conditionsIn(tree, node)[0]!) === '&&' ? 0 : 1),
    },
    break_expression: jump,
    continue_expression: jump,
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
  const hasSelf = tree.childOfKind(tree.child(node, 'parameters'), 'self_parameter') >= 0;
  return { name, parameters, counts: 'both', selfCall: hasSelf ? `self.${name}` : name };
}

function closureHead(tree: SyntaxTree, node: number): FunctionHead {
  const holder = tree.parent[node]!;
  const pattern = tree.kind(holder) === 'let_declaration' ? tree.child(holder, 'pattern') : -1;
  const name = tree.kind(pattern) === 'identifier' ? tree.text(pattern) : anonymousName;
  return { name, parameters: parameterCount(tree, node), counts: 'both' };
}

/** `self` is one of them, and `_`, which the grammar has as a token. */
function parameterCount(tree: SyntaxTree, node: number): number {
  const parts = tree.children(tree.child(node, 'parameters'));
  return parts.filter(one => (tree.isNamed(one) ? !isBeside(tree.kind(one)) : tree.kind(one) === '_')).length;
}

function isBeside(kind: string): boolean {
  return kind === 'attribute_item' || kind.endsWith('comment');
}

/** Without lifetimes, references and type arguments. */
function typeName(tree: SyntaxTree, type: number): string {
  const within = tree.child(type, 'type');
  return (tree.kind(type) === 'generic_type' ? tree.text(within) : tree.text(type)).replace(/\s+/g, ' ');
}

function isElseIf(tree: SyntaxTree, node: number): boolean {
  return tree.kind(tree.parent[node]!) === 'else_clause';
}

function isWildcard({ source, start, end }: SyntaxTree, pattern: number): boolean {
  return end[pattern]! - start[pattern]! === 1 && source[start[pattern]!] === '_';
}

function conditionsIn(tree: SyntaxTree, chain: number): readonly number[] {
  return tree.namedChildren(chain).filter(child => !tree.kind(child).endsWith('comment'));
}
