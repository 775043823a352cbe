import { descriptor, returnedSegment } from '../../../model/identity.ts';
import { calleeOf } from './callee.ts';
import { expect, literalText, returningNothing, type Walk } from './context.ts';
import { declarePattern } from './patterns.ts';
import { returnedValue } from './receivers.ts';
import { declareTypeParameters, typeValue } from './types.ts';
import { annotated, documentedParameter, evidentValue, parameterTypes, resultType } from './values.ts';

/** A function's result is inferred from at most so many `return` statements. */
const maxReturns = 4;
const maxCalleeText = 60;

export function visitFunctionDeclaration(walk: Walk, node: number): void {
  const slot = walk.slotOf.get(node);
  if (slot === undefined) {
    visitArrow(walk, node);
    return;
  }
  walk.facts.within(slot, () => visitFunction(walk, node, slot, -1));
}

/** A function that is the value of a definition: of a constant, a property, an export. */
export function visitFunctionValue(walk: Walk, node: number, slot: number, declaredType: number): void {
  visitFunction(walk, node, slot, walk.facts.call(declaredType));
}

/** A function without a name of its own. A callback gives what is defined in it a segment of the tail. */
export function visitArrow(walk: Walk, node: number): void {
  walk.facts.between(callbackSegment(walk, node), () => visitFunction(walk, node, -1, -1));
}

/** Parameters, annotations and body. `slot` -1: nothing asks for the result. `result` overrides what the body tells. */
export function visitFunction(walk: Walk, node: number, slot: number, result: number): void {
  const { tree, facts } = walk;
  const outer = {
    returning: walk.returning,
    isTop: walk.isTop,
    isExported: walk.isExported,
    thisValue: walk.thisValue,
  };
  walk.isTop = false;
  walk.isExported = false;
  if (hasOwnThis(tree.kind(node), slot)) walk.thisValue = -1;
  walk.scopes.inside('function', () => {
    declareTypeParameters(walk, node, slot);
    for (const part of ['type_parameters', 'return_type'] as const) {
      const mentioned = tree.child(node, part);
      if (mentioned >= 0) walk.visit(mentioned);
    }
    declareParameters(walk, node);
    const declared = result >= 0 ? result : resultType(walk, node);
    if (slot >= 0) {
      facts.setType(slot, declared);
      if (declared < 0) facts.setType(slot, walk.docs.result(node));
      for (const type of parameterTypes(walk, node)) facts.addSuper(slot, type);
    }
    const wanted = declared >= 0 ? declared : facts.call(walk.expected.get(node) ?? -1);
    const isInferred = slot >= 0 && declared < 0 && tree.child(node, 'return_type') < 0;
    const expected = facts.awaited(wanted);
    walk.returning = isInferred ? { expected, slot, remaining: maxReturns } : { ...returningNothing, expected };
    visitBody(walk, tree.child(node, 'body'));
  });
  Object.assign(walk, outer);
}

/** Methods and arrow functions keep the `this` around them, and so does a function that is the value of a member. */
function hasOwnThis(kind: string, slot: number): boolean {
  return /^(?:generator_)?function/.test(kind) && (slot < 0 || /(?:declaration|signature)$/.test(kind));
}

function visitBody(walk: Walk, body: number): void {
  const { tree } = walk;
  if (body < 0) return;
  if (tree.kind(body) === 'statement_block') {
    walk.declareStatements(body);
    walk.visitChildren(body);
    return;
  }
  visitResult(walk, body);
}

export function visitReturn(walk: Walk, node: number): void {
  const [value = -1] = walk.tree.namedChildren(node);
  if (value >= 0) visitResult(walk, value);
}

function visitResult(walk: Walk, value: number): void {
  const { returning, tree } = walk;
  expect(walk, value, returning.expected);
  const [inner = -1] = tree.kind(value) === 'parenthesized_expression' ? tree.namedChildren(value) : [value];
  const isUndeclared = returning.slot >= 0 && returning.expected < 0 && isCalled(walk, returning.slot);
  if (isUndeclared && tree.kind(inner) === 'object') {
    addResult(walk, visitReturnedObject(walk, inner, returning.slot));
    return;
  }
  walk.visit(value);
  addResult(walk, returnedValue(walk, value));
}

/**
 * The object that a function returns, where nothing declares what that is: its keys are definitions of the function,
 * which others reach by calling it. They stand apart from what the function's body defines. Gives the object.
 */
function visitReturnedObject(walk: Walk, object: number, slot: number): number {
  const { facts } = walk;
  const returned = facts.instance(facts.slot(slot));
  facts.between(returnedSegment, () => walk.visitMembers(object, slot, returned));
  return returned;
}

/** Whether a definition is used by calling it, unlike an accessor. */
function isCalled({ facts }: Walk, slot: number): boolean {
  return /^(?:function|method)$/.test(facts.definition(slot).kind);
}

function addResult(walk: Walk, result: number): void {
  const { returning } = walk;
  if (returning.slot < 0 || returning.remaining <= 0 || result < 0) return;
  returning.remaining--;
  walk.facts.setType(returning.slot, result);
}

function declareParameters(walk: Walk, node: number): void {
  const { tree } = walk;
  const told = walk.parameterTypes.get(node) ?? [];
  const expected = walk.expected.get(node) ?? -1;
  const evident = (position: number): number => told[position] ?? walk.facts.parameter(expected, position);
  const single = tree.child(node, 'parameter');
  if (single >= 0) declarePattern(walk, single, documented(walk, single, 0, evident(0)));
  const list = tree.child(node, 'parameters');
  if (list < 0) return;
  tree
    .namedChildren(list)
    .filter(child => tree.kind(child) !== 'comment')
    .forEach((parameter, index) => {
      declareParameter(walk, parameter, documented(walk, parameter, index, evident(index)));
    });
}

/** What a comment says of a parameter, before what is evident otherwise. */
function documented(walk: Walk, parameter: number, position: number, evident: number): number {
  return walk.facts.either(documentedParameter(walk, parameter, position), evident);
}

function declareParameter(walk: Walk, parameter: number, evident: number): void {
  const { tree } = walk;
  const kind = tree.kind(parameter);
  if (kind !== 'required_parameter' && kind !== 'optional_parameter') {
    declarePattern(walk, parameter, evident);
    return;
  }
  const pattern = tree.child(parameter, 'pattern');
  for (const child of tree.namedChildren(parameter)) if (tree.kind(child) === 'decorator') walk.visit(child);
  const segment = tree.kind(pattern) === 'identifier' ? descriptor(tree.text(pattern), 'parameter') : '';
  const type = annotated(walk, parameter, 'type');
  if (type >= 0) walk.facts.between(segment, () => walk.visit(type));
  const declared = typeValue(walk, type);
  const fallback = tree.child(parameter, 'value');
  if (tree.kind(pattern) === 'this') {
    walk.thisValue = declared;
    return;
  }
  declarePattern(walk, pattern, type >= 0 ? declared : evident >= 0 ? evident : evidentValue(walk, fallback), type);
  if (fallback >= 0) walk.visit(fallback);
}

/** `describe("adds")` for a callback that is an argument: what is defined inside stays apart from other callbacks' definitions. */
function callbackSegment(walk: Walk, node: number): string {
  const { tree } = walk;
  const list = tree.parent[node]!;
  if (list < 0 || tree.kind(list) !== 'arguments') return '';
  const call = tree.parent[list]!;
  const callee = calleeOf(tree, call);
  if (callee < 0) return '';
  const name = tree.text(tree.kind(callee) === 'member_expression' ? tree.child(callee, 'property') : callee);
  const label = tree
    .namedChildren(list)
    .map(argument => literalText(walk, argument))
    .find(text => text !== undefined);
  const text = label === undefined ? '' : JSON.stringify(label.slice(0, maxCalleeText));
  return descriptor(`${name.slice(0, maxCalleeText)}(${text})`, 'namespace');
}
