import { copiedPosition, lastPosition, type ReferenceKind, receiverPosition } from '../../../model/facts.ts';
import { lineOf } from '../../tree.ts';
import { argumentName, argumentValue, type Call, calledBy, calledName, calledOn, passedValues } from './calls.ts';
import { referInvoked } from './operators.ts';
import { userType } from './types.ts';
import { currentValue, infixFunction, valueAt } from './values.ts';
import {
  calledLocal,
  functionNamed,
  type LambdaContext,
  nameOf,
  typeNamed,
  valueNamed,
  visitChildren,
  type Walk,
} from './walk.ts';

/** Names of no thing, by the grammar. */
const literals = new Set(['true', 'false', 'null', 'break', 'continue', 'return']);

/** A name in an expression that is no local's. */
export function visitName(walk: Walk, node: number, expression: number, kind?: ReferenceKind): void {
  const name = nameOf(walk, node);
  if (name === '' || literals.has(name) || walk.slots.nameNodes.has(node)) return;
  const local = kind === 'call' ? calledLocal(walk, name) : walk.scopes.resolve(name);
  if (local?.kind === 'local') return;
  walk.facts.refer(node, kind ?? useOf(walk, node), expression, name);
}

/** Of `"a $name"` the grammar tells but the dollar sign from the rest: of names without braces it knows in longer texts alone. */
export function visitText(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  let isBehindDollar = false;
  for (const part of tree.namedChildren(node)) {
    const isContent = tree.kind(part) === 'string_content';
    const [name = ''] = isBehindDollar && isContent ? (/^[\p{L}_][\p{L}\p{Nd}_]*/u.exec(tree.text(part)) ?? []) : [];
    if (name !== '' && name !== 'this' && walk.scopes.resolve(name)?.kind !== 'local') {
      const start = tree.start[part]!;
      facts.referAt(start, start + name.length, 'read', valueNamed(walk, name));
    }
    isBehindDollar = isContent && tree.text(part) === '$';
    if (!isContent) walk.visit(part);
  }
}

function useOf({ tree }: Walk, node: number): ReferenceKind {
  const user = tree.parent[node]!;
  if (tree.kind(user) === 'assignment') return tree.field(node) === 'left' ? 'write' : 'read';
  if (tree.kind(user) !== 'unary_expression') return 'read';
  return tree.children(user).some(child => /^(?:\+\+|--)$/.test(tree.text(child))) ? 'write' : 'read';
}

/** A type's names and arguments; its packages are nothing of the repository. */
export function visitType(walk: Walk, node: number): void {
  const { tree, facts, types, slots } = walk;
  const last = tree.namedChildren(node).findLast(part => tree.kind(part) === 'identifier');
  let isFirst = true;
  for (const part of tree.namedChildren(node)) {
    if (tree.kind(part) !== 'identifier') {
      walk.visit(part);
      continue;
    }
    const name = nameOf(walk, part);
    const isLocal = isFirst && types.resolve(name)?.kind === 'local';
    isFirst = false;
    if (isLocal || slots.nameNodes.has(part)) continue;
    if (/^[a-z]/.test(name) && tree.nextSibling(part) >= 0) continue;
    const kind = part === last && isBase(walk, node) ? 'implementation' : 'type';
    facts.refer(part, kind, userType(walk, node, tree.after[part]!), name);
  }
}

/** Whether a type stands where a class says what it extends and implements, or delegates to. */
function isBase({ tree }: Walk, type: number): boolean {
  const holder = tree.parent[type]!;
  const isWrapped = /^(?:constructor_invocation|explicit_delegation)$/.test(tree.kind(holder));
  return tree.kind(isWrapped ? tree.parent[holder]! : holder) === 'delegation_specifier';
}

export function visitCall(walk: Walk, call: Call): void {
  const { tree, facts } = walk;
  const { callee, passed, lambda, typeArguments } = call;
  const isMember = tree.kind(callee) === 'navigation_expression';
  if (isMember) walk.visit(tree.firstChild(callee));
  else if (tree.kind(callee) !== 'identifier') walk.visit(callee);
  if (tree.kind(typeArguments) === 'type_arguments') visitChildren(walk, typeArguments);
  else if (typeArguments >= 0) visitGenericArgument(walk, typeArguments);
  for (const one of passed) if (!isFunction(walk, one)) walk.visit(one);
  const called = calledBy(walk, call);
  const nameNode = isMember ? (tree.namedChildren(callee).at(-1) ?? -1) : callee;
  if (tree.kind(nameNode) === 'identifier') {
    if (isMember) facts.refer(nameNode, 'call', called, nameOf(walk, nameNode));
    else {
      visitName(walk, nameNode, called, 'call');
      referInvoked(walk, nameNode, call);
    }
  }
  for (const one of passed) visitArgumentName(walk, one, call, called);
  passed.forEach((one, position) => {
    if (isFunction(walk, one)) walk.visit(argumentValue(walk, one), lambdaContext(walk, call, called, position));
  });
  if (lambda >= 0) walk.visit(lambda, lambdaContext(walk, call, called, lastPosition));
}

/** `: this(a)` calls the class that is made, `: super(a)` the one that it extends. */
export function visitDelegation(walk: Walk, node: number): void {
  const { tree, facts, receivers } = walk;
  const word = tree.children(node).find(child => /^(?:this|super)$/.test(tree.kind(child))) ?? -1;
  const passed = tree.namedChildren(tree.childOfKind(node, 'value_arguments'));
  const call: Call = { callee: word, passed, lambda: -1, typeArguments: -1 };
  const slot = receivers.at(-1)?.slot ?? -1;
  const made = tree.kind(word) === 'this' ? facts.slot(slot) : facts.superOf(slot);
  const called = facts.overload(made, passedValues(walk, call));
  if (called >= 0) facts.refer(word, 'call', called);
  passed.forEach((one, position) => {
    if (isFunction(walk, one)) walk.visit(argumentValue(walk, one), lambdaContext(walk, call, called, position));
    else walk.visit(one);
  });
}

function isFunction(walk: Walk, argument: number): boolean {
  return /^(?:lambda_literal|anonymous_function)$/.test(walk.tree.kind(argumentValue(walk, argument)));
}

/** `f<T>(a)`, which the grammar takes for comparisons. */
function visitGenericArgument(walk: Walk, node: number): void {
  const { tree, facts, types } = walk;
  const name = nameOf(walk, node);
  if (tree.kind(node) !== 'identifier') walk.visit(node);
  else if (types.resolve(name)?.kind !== 'local') facts.refer(node, 'type', typeNamed(walk, name), name);
}

/** `Point(x = 1)` names a property of the class that is made, `point.copy(x = 1)` one of what is copied. */
function visitArgumentName(walk: Walk, argument: number, call: Call, called: number): void {
  const { facts } = walk;
  const name = argumentName(walk, argument);
  const made = calledName(walk, call);
  const isCopied = made === 'copy' && calledOn(walk, call) >= 0;
  if (name < 0 || (!isCopied && !/^[A-Z]/.test(made))) return;
  const of = isCopied ? facts.parameter(called, copiedPosition) : facts.instance(called);
  facts.refer(name, 'write', facts.member(of, nameOf(walk, name)), nameOf(walk, name));
}

const passesReceiver = new Set(['let', 'also', 'takeIf', 'takeUnless', 'use', 'runCatching']);
const passesElements =
  /^(?:forEach|filter|filterNot|map|mapNotNull|flatMap|any|all|none|first|firstOrNull|last|lastOrNull|find|findLast|count|single|singleOrNull|sortedBy|sortBy|sortedByDescending|maxBy|minBy|maxByOrNull|minByOrNull|groupBy|associate|associateBy|associateWith|partition|sumOf|takeWhile|dropWhile|distinctBy|onEach|indexOfFirst|indexOfLast|removeAll|removeIf|retainAll|joinToString|mapTo|filterTo)$/;

/** What a lambda takes that is passed to a function: the library's by their names, others by what they declare. */
function lambdaContext(walk: Walk, call: Call, called: number, position: number): LambdaContext {
  const { facts } = walk;
  const name = calledName(walk, call);
  const on = calledOn(walk, call);
  const subject = on >= 0 ? on : currentValue(walk);
  if (passesReceiver.has(name)) return { parameters: [subject], receiver: -1 };
  if (name === 'apply' || name === 'run') return { parameters: [], receiver: subject, isSure: true };
  if (name === 'with' && call.passed.length > 0) {
    return { parameters: [], receiver: valueAt(walk, argumentValue(walk, call.passed[0]!)), isSure: true };
  }
  if (name === 'buildString') {
    return { parameters: [], receiver: facts.instance(facts.free('StringBuilder')), isSure: true };
  }
  // `Listener { … }` makes an interface's object of a function.
  const taken = /^[A-Z]/.test(name) ? facts.instance(called) : facts.parameter(called, position);
  const declared = [0, 1, 2].map(index => facts.parameter(taken, index));
  if (on >= 0 && passesElements.test(name)) {
    return { parameters: [facts.otherwise(facts.element(on), declared[0]!)], receiver: -1 };
  }
  if (/^(?:lazy|synchronized|buildList|repeat|run|thread)$/.test(name)) return { parameters: [], receiver: -1 };
  return { parameters: declared, receiver: facts.parameter(taken, receiverPosition) };
}

export function visitMember(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const parts = tree.namedChildren(node);
  const [of = -1] = parts;
  const nameNode = parts.at(-1) ?? -1;
  const isReference = tree.children(node).some(child => tree.text(child) === '::');
  if (isReference && tree.kind(of) === 'identifier') visitReferred(walk, of);
  else walk.visit(of);
  const name = nameOf(walk, nameNode);
  if (tree.kind(nameNode) !== 'identifier' || nameNode === of || (isReference && name === 'class')) return;
  if (!isReference) facts.refer(nameNode, useOf(walk, node), valueAt(walk, node), name);
  else {
    const holder = tree.kind(of) === 'identifier' ? referredTo(walk, of) : valueAt(walk, of);
    facts.refer(nameNode, 'reference', facts.member(holder, name), name);
  }
}

/** What stands before `::` is a class, unless a variable bears the name. */
function referredTo(walk: Walk, node: number): number {
  const name = nameOf(walk, node);
  return walk.scopes.resolve(name) === undefined && /^[A-Z]/.test(name)
    ? walk.facts.instance(typeNamed(walk, name))
    : valueAt(walk, node);
}

function visitReferred(walk: Walk, node: number): void {
  const { facts, types, scopes } = walk;
  const name = nameOf(walk, node);
  if (!/^[A-Z]/.test(name) || scopes.resolve(name) !== undefined) walk.visit(node);
  else if (types.resolve(name)?.kind !== 'local') facts.refer(node, 'type', typeNamed(walk, name), name);
}

/** `::name`. */
export function visitReference(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const one of tree.namedChildren(node)) {
    if (tree.kind(one) !== 'identifier') walk.visit(one);
    else visitName(walk, one, functionReferred(walk, one), 'reference');
  }
}

function functionReferred(walk: Walk, node: number): number {
  const { facts } = walk;
  const name = nameOf(walk, node);
  const expression = functionNamed(walk, name, []);
  return expression < 0 ? facts.free(name) : expression;
}

export function visitInfix(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [left = -1, name = -1, right = -1] = tree.namedChildren(node);
  walk.visit(left);
  walk.visit(right);
  if (tree.kind(name) === 'identifier') {
    facts.refer(name, 'call', infixFunction(walk, left, name, right), nameOf(walk, name));
  }
}

/** What an import binds, and the classes on the way to it. */
export function visitImport(walk: Walk, node: number): void {
  const { tree, facts, imports } = walk;
  const path = tree.childOfKind(node, 'qualified_identifier');
  const parts = tree.namedChildren(path).filter(one => tree.kind(one) === 'identifier');
  const wildcard = tree.text(node).trimEnd().endsWith('*');
  const alias = nameOf(walk, tree.childOfKind(node, 'identifier'));
  const line = lineOf(tree, node);
  const names = parts.map(one => nameOf(walk, one));
  parts.forEach((one, index) => {
    const isBound = index === parts.length - 1 && !wildcard;
    const name = names[index]!;
    if (!isBound && !/^[A-Z]/.test(name)) return;
    const specifier = names.slice(0, index).join('.');
    const local = isBound ? alias || name : '';
    const imported = facts.addImport({ specifier, name, local, wildcard: false, typeOnly: false, line });
    if (isBound) imports.set(local, [...(imports.get(local) ?? []), imported]);
    facts.refer(one, 'import', facts.imported(imported), name);
  });
  if (!wildcard) return;
  facts.addImport({ specifier: names.join('.'), name: '*', local: '', wildcard: true, typeOnly: false, line });
}
