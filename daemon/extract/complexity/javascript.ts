import type { SyntaxTree } from '../tree.ts';
import { unquoted } from './names.ts';
import {
  anonymousName,
  aroundBrackets,
  type ComplexityTable,
  type Construct,
  type FunctionHead,
  firstExpression,
  functionOf,
  type TypeHead,
  unbracketed,
} from './table.ts';

const loop: Construct = { decisions: 1, nested: true, deeper: ['body'] };
const jump: Construct = { flat: (tree, node) => (tree.child(node, 'label') < 0 ? 0 : 1) };

const brackets: ReadonlySet<string> = new Set(['parenthesized_expression']);
/** What stands between a function and what names it, and changes neither. */
const wrappers: ReadonlySet<string> = new Set([
  ...brackets,
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
]);

/**
 * JavaScript, TypeScript and TSX. Cyclomatic as ESLint 8.57's `complexity` counts, which takes the initial value of a class's
 * field and a static block for functions of their own; cognitive as eslint-plugin-sonarjs 0.25, which counts nested
 * functions apart and leaves recursion out.
 */
export const javascriptComplexity: ComplexityTable = {
  functions: {
    function_declaration: functionHead,
    generator_function_declaration: functionHead,
    function_expression: functionHead,
    generator_function: functionHead,
    arrow_function: functionHead,
    method_definition: methodHead,
    field_definition: fieldHead,
    public_field_definition: fieldHead,
    class_static_block: () => ({ name: '<static>', parameters: 0, counts: 'apart' }),
  },
  types: {
    class_declaration: classHead,
    abstract_class_declaration: classHead,
    class: classHead,
    object: () => ({ name: '', nesting: 'same' }),
  },
  constructs: {
    if_statement: {
      decisions: 1,
      nested: (tree, node) => !isElseIf(tree, node),
      flat: (tree, node) => (isElseIf(tree, node) ? 1 : 0),
      deeper: ['consequence'],
    },
    else_clause: { flat: (tree, node) => elseBody(tree, node).length, deeper: elseBody },
    for_statement: loop,
    for_in_statement: loop,
    while_statement: loop,
    do_statement: loop,
    switch_statement: { nested: true, deeper: switchCases },
    switch_case: { decisions: 1 },
    catch_clause: { decisions: 1, nested: true, deeper: ['body'] },
    ternary_expression: { decisions: 1, nested: true, deeper: ['consequence', 'alternative'] },
    augmented_assignment_expression: { decisions: isLogicalAssignment },
    break_statement: jump,
    continue_statement: jump,
  },
  booleans: {
    operators: { binary_expression: logicalOperator },
    operandsOf: (tree, node) => [operand(tree, node, 'left'), operand(tree, node, 'right')],
    brackets,
    passedOver: (tree, node, isOperation) => {
      const shortCircuit = renderedIf(tree, node, isOperation);
      return shortCircuit.length === 0 && isDefaultValue(tree, node) ? [node] : shortCircuit;
    },
  },
  calls: { call_expression: functionOf },
};

function classHead(tree: SyntaxTree, node: number): TypeHead {
  const name = tree.text(tree.child(node, 'name')) || nameGiven(tree, node).name;
  return { name: name === anonymousName ? '' : name, nesting: 'same' };
}

function functionHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.child(node, 'body') < 0) return undefined;
  const own = tree.text(tree.child(node, 'name'));
  const given = own === '' ? nameGiven(tree, node) : { name: own, selfCall: own };
  return { name: given.name, parameters: parameterCount(tree, node), counts: 'apart', selfCall: given.selfCall };
}

function methodHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  if (tree.child(node, 'body') < 0) return undefined;
  const key = tree.child(node, 'name');
  const { name, selfCall } = member(tree, key);
  // A computed name is evaluated where the class or the object is made.
  const opensAt = tree.kind(key) === 'computed_property_name' ? tree.child(node, 'parameters') : undefined;
  return { name, parameters: parameterCount(tree, node), counts: 'apart', selfCall, opensAt };
}

function fieldHead(tree: SyntaxTree, node: number): FunctionHead | undefined {
  const value = tree.child(node, 'value');
  // The initial value of an `accessor` is to ESLint no function, but part of what stands around.
  if (value < 0 || tree.childOfKind(node, 'accessor') >= 0) return undefined;
  const name = unquoted(tree.text(fieldName(tree, node)));
  return { name, parameters: 0, counts: 'apart', onlyIfBranching: true, opensAt: value, place: value };
}

function fieldName(tree: SyntaxTree, node: number): number {
  return Math.max(tree.child(node, 'name'), tree.child(node, 'property'));
}

type GivenName = Pick<FunctionHead, 'name' | 'selfCall'>;

/** The name of a function or class that has none of its own: of what it is assigned to first. */
function nameGiven(tree: SyntaxTree, node: number): GivenName {
  const holder = aroundBrackets(tree, node, wrappers);
  switch (tree.kind(holder)) {
    case 'variable_declarator':
      return namedByTarget(tree, tree.child(holder, 'name'));
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return namedByTarget(tree, tree.child(holder, 'left'));
    case 'pair':
      return member(tree, tree.child(holder, 'key'));
    case 'field_definition':
    case 'public_field_definition':
      return member(tree, fieldName(tree, holder));
    case 'export_statement':
      return { name: 'default' };
    default:
      return { name: anonymousName };
  }
}

function namedByTarget(tree: SyntaxTree, target: number): GivenName {
  const name = tree.text(target);
  if (tree.kind(target) === 'identifier') return { name, selfCall: name };
  const property = tree.child(target, 'property');
  return property < 0 ? { name: anonymousName } : member(tree, property);
}

function member(tree: SyntaxTree, key: number): GivenName {
  const name = unquoted(tree.text(key));
  return { name, selfCall: `this.${name}` };
}

function parameterCount(tree: SyntaxTree, node: number): number {
  if (tree.child(node, 'parameter') >= 0) return 1;
  let count = 0;
  for (let one = tree.firstChild(tree.child(node, 'parameters')); one >= 0; one = tree.nextSibling(one)) {
    if (tree.isNamed(one) && tree.kind(one) !== 'comment' && !isThis(tree, one)) count++;
  }
  return count;
}

/** TypeScript's `this: T`, which no caller passes. */
function isThis(tree: SyntaxTree, parameter: number): boolean {
  return tree.kind(tree.child(parameter, 'pattern')) === 'this';
}

function isElseIf(tree: SyntaxTree, node: number): boolean {
  return tree.kind(tree.parent[node]!) === 'else_clause';
}

/** What stands in an `else` that is no `else if`. */
function elseBody(tree: SyntaxTree, node: number): readonly number[] {
  const statement = firstExpression(tree, node);
  return statement < 0 || tree.kind(statement) === 'if_statement' ? [] : [statement];
}

function switchCases(tree: SyntaxTree, node: number): readonly number[] {
  return tree.namedChildren(tree.child(node, 'body'));
}

function isLogicalAssignment(tree: SyntaxTree, node: number): number {
  const operator = tree.kind(tree.child(node, 'operator'));
  return operator === '&&=' || operator === '||=' || operator === '??=' ? 1 : 0;
}

function logicalOperator(tree: SyntaxTree, node: number): string {
  const operator = tree.kind(tree.child(node, 'operator'));
  return operator === '&&' || operator === '||' || operator === '??' ? operator : '';
}

function operand(tree: SyntaxTree, node: number, field: string): number {
  return beforeNonNull(tree, unbracketed(tree, tree.child(node, field), brackets));
}

/**
 * The grammar takes `a && b!.c` for `(a && b)!.c`, whatever follows the `!`. Where an operand begins with such a misreading,
 * this is the operation in it, which is a part of the run; else the operand.
 */
function beforeNonNull(tree: SyntaxTree, written: number): number {
  let at = written;
  while (logicalOperator(tree, at) === '') {
    const inner = tree.firstChild(at);
    if (!tree.isNamed(inner)) return written;
    if (tree.kind(at) === 'non_null_expression' && logicalOperator(tree, inner) !== '') return inner;
    at = inner;
  }
  return written;
}

/**
 * The operations of `{shown && <Part />}`, where they are all of one kind: JSX's way to write a condition, to which
 * eslint-plugin-sonarjs adds nothing.
 */
function renderedIf(tree: SyntaxTree, root: number, isOperation: (node: number) => boolean): readonly number[] {
  if (tree.kind(aroundBrackets(tree, root, brackets)) !== 'jsx_expression') return [];
  const operator = logicalOperator(tree, root);
  const found = [root];
  for (let at = 0; at < found.length; at++) {
    for (const field of ['left', 'right']) {
      const one = operand(tree, found[at]!, field);
      if (tree.kind(one) === 'ternary_expression') return [];
      if (!isOperation(one)) continue;
      if (logicalOperator(tree, one) !== operator) return [];
      found.push(one);
    }
  }
  return found;
}

const literals: ReadonlySet<string> = new Set([
  'string',
  'number',
  'regex',
  'true',
  'false',
  'null',
  'array',
  'object',
]);

/** `const x = y || 'literal'`, `x = x ?? []`: a default, which eslint-plugin-sonarjs takes for no condition. */
function isDefaultValue(tree: SyntaxTree, node: number): boolean {
  const right = unbracketed(tree, tree.child(node, 'right'), brackets);
  if (logicalOperator(tree, node) === '&&' || !literals.has(tree.kind(right))) return false;
  const holder = aroundBrackets(tree, node, brackets);
  if (tree.kind(holder) === 'variable_declarator') return true;
  if (!tree.kind(holder).endsWith('assignment_expression')) return false;
  const left = unbracketed(tree, tree.child(node, 'left'), brackets);
  return tree.text(tree.child(holder, 'left')) === tree.text(left);
}
