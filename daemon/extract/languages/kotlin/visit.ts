import { maxDepth } from '../../builder.ts';
import { callAt } from './calls.ts';
import {
  bindParts,
  variablesOf,
  visitAlias,
  visitClass,
  visitConstant,
  visitFunction,
  visitInitialiser,
  visitObject,
  visitProperty,
} from './members.ts';
import { referAssignment, referBinary, referContains, referIndex, referIterator, referUnary } from './operators.ts';
import { isQualifier, visitPackages } from './qualified.ts';
import {
  visitCall,
  visitDelegation,
  visitInfix,
  visitMember,
  visitName,
  visitReference,
  visitText,
  visitType,
} from './references.ts';
import { isTypeNode, typeOf } from './types.ts';
import { valueAt } from './values.ts';
import {
  bind,
  inside,
  type LambdaContext,
  nameOf,
  type Receiver,
  valueNamed,
  visitChildren,
  type Walk,
} from './walk.ts';

/** Emits the references below a node, opening and closing scopes on the way. */
export function visit(walk: Walk, node: number, lambda?: LambdaContext): void {
  const { tree } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  switch (tree.kind(node)) {
    case 'class_declaration':
    case 'object_declaration':
    case 'companion_object':
      visitClass(walk, node);
      return;
    case 'function_declaration':
    case 'secondary_constructor':
      visitFunction(walk, node);
      return;
    case 'anonymous_function':
      visitFunction(walk, node);
      return;
    case 'property_declaration':
      visitProperty(walk, node);
      return;
    case 'enum_entry':
      visitConstant(walk, node);
      return;
    case 'type_alias':
      visitAlias(walk, node);
      return;
    case 'anonymous_initializer':
      visitInitialiser(walk, node);
      return;
    case 'object_literal':
      visitObject(walk, node);
      return;
    case 'lambda_literal':
      visitLambda(walk, node, lambda);
      return;
    case 'package_header':
    case 'import':
    case 'label':
      return;
    default:
      visitStatement(walk, node);
  }
}

function visitStatement(walk: Walk, node: number): void {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'block':
      inside(walk, 'block', () => visitChildren(walk, node));
      return;
    case 'for_statement':
      inside(walk, 'block', () => visitLoop(walk, node));
      return;
    case 'catch_block':
      inside(walk, 'block', () => visitCaught(walk, node));
      return;
    case 'if_expression':
      visitCondition(walk, node);
      return;
    case 'when_expression':
      inside(walk, 'block', () => visitWhen(walk, node));
      return;
    case 'binary_expression':
      visitBinary(walk, node);
      return;
    case 'return_expression': {
      const label = tree.child(node, 'label');
      for (const one of tree.namedChildren(node)) if (one !== label) walk.visit(one);
      return;
    }
    default:
      visitExpression(walk, node);
  }
}

function visitExpression(walk: Walk, node: number): void {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      if (isQualifier(walk, node)) visitPackages(walk, tree.parent[node]!);
      else visitName(walk, node, valueNamed(walk, nameOf(walk, node)));
      return;
    case 'user_type':
      visitType(walk, node);
      return;
    case 'call_expression':
      visitCall(walk, callAt(walk, node)!);
      return;
    case 'constructor_delegation_call':
      visitDelegation(walk, node);
      return;
    case 'navigation_expression':
      if (isQualifier(walk, node)) visitPackages(walk, tree.parent[node]!);
      else visitMember(walk, node);
      return;
    case 'callable_reference':
      visitReference(walk, node);
      return;
    case 'infix_expression':
      visitInfix(walk, node);
      return;
    case 'index_expression':
      visitChildren(walk, node);
      referIndex(walk, node);
      return;
    case 'range_expression':
      visitChildren(walk, node);
      referBinary(walk, node);
      return;
    case 'unary_expression':
      visitChildren(walk, node);
      referUnary(walk, node);
      return;
    case 'in_expression':
    case 'range_test':
      visitChildren(walk, node);
      referContains(walk, node);
      return;
    case 'assignment':
      visitChildren(walk, node);
      referAssignment(walk, node);
      return;
    case 'string_literal':
      visitText(walk, node);
      return;
    case 'type_parameter':
      for (const one of tree.namedChildren(node)) if (tree.kind(one) !== 'identifier') walk.visit(one);
      return;
    case 'parameter': {
      // Of a function's type: its parameters may have names.
      for (const one of tree.namedChildren(node)) if (isTypeNode(walk, one)) walk.visit(one);
      return;
    }
    case 'value_argument': {
      const parts = tree.namedChildren(node);
      const isNamed = parts.length > 1 && tree.kind(parts[0]!) === 'identifier';
      for (const one of isNamed ? parts.slice(1) : parts) walk.visit(one);
      return;
    }
    case 'this_expression':
    case 'labeled_expression':
    case 'break_expression':
    case 'continue_expression':
      for (const one of tree.namedChildren(node)) if (tree.kind(one) !== 'identifier') walk.visit(one);
      return;
    default:
      visitChildren(walk, node);
  }
}

function visitLambda(walk: Walk, node: number, context: LambdaContext = { parameters: [], receiver: -1 }): void {
  const { tree, receivers } = walk;
  inside(walk, 'function', () => {
    const list = tree.childOfKind(node, 'lambda_parameters');
    const parameters = tree.namedChildren(list);
    if (list < 0) walk.scopes.declare('it', context.parameters[0] ?? -1);
    parameters.forEach((one, position) => {
      const value = context.parameters[position] ?? -1;
      if (tree.kind(one) === 'multi_variable_declaration') bindParts(walk, tree.namedChildren(one), value);
      else bindVariable(walk, one, value);
    });
    if (context.receiver >= 0) receivers.push(lambdaReceiver(context));
    const statements = tree.namedChildren(node).filter(one => one !== list);
    for (const one of statements) walk.visit(one);
    const result = valueAt(walk, statements.at(-1) ?? -1);
    if (result >= 0) walk.results.set(node, result);
    if (context.receiver >= 0) receivers.pop();
  });
}

function lambdaReceiver({ receiver, isSure = false }: LambdaContext): Receiver {
  return { value: receiver, slot: -1, isSure, label: '', inherits: true, own: () => [] };
}

function bindVariable(walk: Walk, variable: number, value: number): void {
  const { tree, facts } = walk;
  const type = tree.namedChildren(variable).find(one => isTypeNode(walk, one)) ?? -1;
  walk.visit(type);
  bind(walk, tree.childOfKind(variable, 'identifier'), type < 0 ? value : facts.instance(typeOf(walk, type)));
}

function visitLoop(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const parts = tree.namedChildren(node);
  const at = parts.findIndex(one => /variable_declaration$/.test(tree.kind(one)));
  const [value = -1, ...rest] = parts.slice(at + 1);
  walk.visit(value);
  const iterated = valueAt(walk, value);
  referIterator(walk, node, iterated);
  const element = facts.element(iterated);
  if (tree.kind(parts[at] ?? -1) === 'multi_variable_declaration') bindParts(walk, variablesOf(walk, node), element);
  else if (at >= 0) bindVariable(walk, parts[at]!, element);
  for (const one of rest) walk.visit(one);
}

function visitCaught(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  for (const one of tree.namedChildren(node)) {
    if (tree.kind(one) === 'identifier') continue;
    walk.visit(one);
    if (isTypeNode(walk, one)) bind(walk, tree.childOfKind(node, 'identifier'), facts.instance(typeOf(walk, one)));
  }
}

/** `if (x is T) …` tells of `x` inside, `if (x !is T) return` from there on. */
function visitCondition(walk: Walk, node: number): void {
  const { tree } = walk;
  const condition = tree.child(node, 'condition');
  walk.visit(condition);
  const [then = -1, ...rest] = tree.namedChildren(node).filter(one => one !== condition);
  inside(walk, 'block', () => {
    narrow(walk, condition, true);
    walk.visit(then);
  });
  for (const one of rest) walk.visit(one);
  const last = tree.kind(then) === 'block' ? (tree.namedChildren(then).at(-1) ?? -1) : then;
  if (/^(?:return|throw|break|continue)_expression$/.test(tree.kind(last)) && rest.length === 0) {
    narrow(walk, condition, false);
  }
}

/** Declares what a condition tells of names where it holds, or where it doesn't. */
function narrow(walk: Walk, condition: number, holds: boolean): void {
  const { tree, facts } = walk;
  if (tree.kind(condition) === 'parenthesized_expression') {
    narrow(walk, tree.namedChildren(condition)[0] ?? -1, holds);
  } else if (tree.kind(condition) === 'binary_expression') {
    const operator = tree.text(tree.children(condition)[1] ?? -1);
    if (operator !== (holds ? '&&' : '||')) return;
    for (const side of ['left', 'right']) narrow(walk, tree.child(condition, side), holds);
  } else if (tree.kind(condition) === 'is_expression') {
    const left = tree.child(condition, 'left');
    const isNegative = tree.children(condition).some(child => tree.text(child) === '!is');
    if (tree.kind(left) !== 'identifier' || isNegative === holds) return;
    const type = facts.instance(typeOf(walk, tree.child(condition, 'right')));
    walk.narrowed.declare(nameOf(walk, left), type);
  }
}

/** Right of `a is T &&` the test holds already. */
function visitBinary(walk: Walk, node: number): void {
  const { tree } = walk;
  const call = callAt(walk, node);
  if (call !== undefined) {
    visitCall(walk, call);
    return;
  }
  const left = tree.child(node, 'left');
  walk.visit(left);
  const operator = tree.text(tree.children(node)[1] ?? -1);
  walk.narrowed.inside('block', () => {
    if (operator === '&&' || operator === '||') narrow(walk, left, operator === '&&');
    walk.visit(tree.child(node, 'right'));
  });
  referBinary(walk, node);
}

/** An entry with one test of a type tells of the subject inside. */
function visitWhen(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const subject = tree.childOfKind(node, 'when_subject');
  const parts = tree.namedChildren(subject);
  const value = parts.at(-1) ?? -1;
  walk.visit(value);
  const variable = parts.length > 1 ? parts[0]! : -1;
  if (variable >= 0) bindVariable(walk, variable, valueAt(walk, value));
  const nameNode = variable >= 0 ? tree.childOfKind(variable, 'identifier') : value;
  const name = tree.kind(nameNode) === 'identifier' ? nameOf(walk, nameNode) : '';
  for (const entry of tree.namedChildren(node)) {
    if (tree.kind(entry) !== 'when_entry') continue;
    const conditions = tree.childrenIn(entry, 'condition').filter(one => tree.isNamed(one));
    for (const one of conditions) walk.visit(one);
    inside(walk, 'block', () => {
      const [only = -1] = conditions;
      if (conditions.length === 1 && subject < 0) narrow(walk, only, true);
      else if (conditions.length === 1 && tree.kind(only) === 'type_test' && name !== '') {
        const type = tree.namedChildren(only).find(one => isTypeNode(walk, one)) ?? -1;
        const isNegative = tree.children(only).some(child => tree.text(child) === '!is');
        if (!isNegative) walk.narrowed.declare(name, facts.instance(typeOf(walk, type)));
      }
      for (const one of tree.namedChildren(entry)) if (!conditions.includes(one)) walk.visit(one);
    });
  }
}
