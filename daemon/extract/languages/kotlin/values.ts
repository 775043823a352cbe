import { foundOnce } from '../../found-once.ts';
import { argumentValue, type Call, callAt, calledBy, calledName, calledOn } from './calls.ts';
import { inFull } from './qualified.ts';
import { applied, typeOf } from './types.ts';
import { memberNamed, nameOf, typeNamed, valueNamed, type Walk } from './walk.ts';

/** What an expression of the code evaluates to; -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  return foundOnce(walk, node, compute);
}

function compute(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const call = callAt(walk, node);
  if (call !== undefined) return callValue(walk, call);
  switch (tree.kind(node)) {
    case 'identifier': {
      const name = nameOf(walk, node);
      if (name === 'null') return facts.instance(facts.free('null'));
      if (name === 'true' || name === 'false') return facts.instance(facts.free('kotlin.Boolean'));
      return walk.narrowed.resolve(name)?.expression ?? valueNamed(walk, name);
    }
    case 'this_expression':
    case 'this':
      return thisValue(walk, node);
    case 'super_expression':
      return superValue(walk, node);
    case 'navigation_expression':
      return memberValue(walk, node);
    case 'as_expression':
      return facts.instance(typeOf(walk, tree.child(node, 'right')));
    case 'parenthesized_expression':
    case 'annotated_expression':
    case 'labeled_expression':
      return valueAt(walk, tree.namedChildren(node).at(-1) ?? -1);
    case 'index_expression':
      return facts.call(facts.member(valueAt(walk, tree.firstChild(node)), 'get'));
    case 'infix_expression': {
      const [left = -1, name = -1, right = -1] = tree.namedChildren(node);
      return facts.call(infixFunction(walk, left, name, right));
    }
    case 'if_expression':
    case 'when_expression':
    case 'try_expression':
      return branchesOf(walk, node);
    case 'block':
      return valueAt(walk, tree.namedChildren(node).at(-1) ?? -1);
    case 'object_literal': {
      const [base = -1] = tree.namedChildren(tree.childOfKind(node, 'delegation_specifiers'));
      return facts.instance(typeOf(walk, baseType(walk, base)));
    }
    case 'lambda_literal':
      return lambdaValue(walk, node);
    case 'anonymous_function':
      return facts.functionOf(facts.unknown());
    default:
      return operatorValue(walk, node);
  }
}

/** A function that takes as many as the lambda names; without names it takes one or none. */
function lambdaValue({ tree, facts, results }: Walk, node: number): number {
  const named = tree.namedChildren(tree.childOfKind(node, 'lambda_parameters'));
  const unknown = facts.unknown();
  return named.reduce(of => facts.generic(of, unknown), facts.functionOf(results.get(node) ?? unknown));
}

/** The type that a base or an implemented interface is written as. */
export function baseType({ tree }: Walk, specifier: number): number {
  const [inner = -1] = tree.namedChildren(specifier);
  return tree.kind(inner) === 'user_type' ? inner : tree.childOfKind(inner, 'user_type');
}

export function infixFunction(walk: Walk, left: number, name: number, right: number): number {
  const { facts } = walk;
  return facts.overload(facts.member(valueAt(walk, left), nameOf(walk, name)), [valueAt(walk, right)]);
}

function operatorValue(walk: Walk, node: number): number {
  const { tree } = walk;
  const of = (name: string): number => walk.facts.instance(walk.facts.free(name));
  switch (tree.kind(node)) {
    case 'string_literal':
    case 'multiline_string_literal':
    case 'line_string_literal':
      return of('kotlin.String');
    case 'character_literal':
      return of('kotlin.Char');
    case 'number_literal':
    case 'integer_literal':
      return of(/l$/i.test(tree.text(node)) && !/^0x/i.test(tree.text(node)) ? 'kotlin.Long' : 'kotlin.Int');
    case 'float_literal':
    case 'real_literal':
      return of(/f$/i.test(tree.text(node)) ? 'kotlin.Float' : 'kotlin.Double');
    case 'boolean_literal':
    case 'true':
    case 'false':
    case 'is_expression':
    case 'in_expression':
      return of('kotlin.Boolean');
    case 'unary_expression':
      if (tree.text(tree.firstChild(node)) === '!') return of('kotlin.Boolean');
      return valueAt(walk, tree.child(node, 'argument'));
    case 'binary_expression':
      return binaryValue(walk, node);
    default:
      return -1;
  }
}

function binaryValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const operator = tree.text(tree.children(node)[1] ?? -1);
  if (/^(?:[<>!=]=?=?|&&|\|\|)$/.test(operator)) return facts.instance(facts.free('kotlin.Boolean'));
  const left = valueAt(walk, tree.child(node, 'left'));
  const right = tree.child(node, 'right');
  if (operator !== '?:') {
    const other = valueAt(walk, right);
    return left < 0 || left === other ? left : facts.overload(facts.free('+'), [left, other]);
  }
  return tree.text(right) === 'null' ? left : facts.either(left, valueAt(walk, right));
}

/** `this`, `this@Outer`. */
function thisValue(walk: Walk, node: number): number {
  const label = nameOf(walk, walk.tree.childOfKind(node, 'identifier'));
  return label === '' ? currentValue(walk) : (walk.receivers.findLast(one => one.label === label)?.value ?? -1);
}

/** What code without a word more is called on: a lambda need not be called on anything. */
export function currentValue({ receivers, facts }: Walk): number {
  let value = -1;
  for (const one of receivers.toReversed()) {
    value = facts.otherwise(value, one.value);
    if (one.isSure) break;
  }
  return value;
}

function superValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const written = tree.childOfKind(node, 'user_type');
  if (written >= 0) return facts.instance(typeOf(walk, written));
  const around = walk.receivers.at(-1);
  if (around === undefined) return -1;
  if (around.slot < 0) return around.value;
  // A class that extends none may have functions of the interfaces that it implements.
  const [first = -1] = facts.definition(around.slot).supers;
  return facts.instance(facts.otherwise(facts.superOf(around.slot), first));
}

/** A member of a value or of a class; `Foo::class` is a value of its own. */
function memberValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const parts = tree.namedChildren(node);
  const [of = -1] = parts;
  const name = nameOf(walk, parts.at(-1) ?? -1);
  const isReference = tree.children(node).some(child => tree.text(child) === '::');
  if (isReference && name === 'class') {
    const type = tree.kind(of) === 'identifier' ? typeNamed(walk, nameOf(walk, of)) : -1;
    return facts.instance(facts.generic(facts.free('KClass'), type));
  }
  if (isReference) return -1;
  return isClassOfJava(walk, of, name)
    ? javaClass(walk, of)
    : inFull(walk, node, memberNamed(walk, valueAt(walk, of), name));
}

function isClassOfJava({ tree }: Walk, of: number, name: string): boolean {
  return name.startsWith('java') && /::\s*class$/.test(tree.text(of));
}

/** `Foo::class.java` is a `Class<Foo>`. */
function javaClass(walk: Walk, of: number): number {
  const { tree, facts } = walk;
  const [holder = -1] = tree.namedChildren(of);
  const type = tree.kind(holder) === 'identifier' ? typeNamed(walk, nameOf(walk, holder)) : -1;
  return facts.instance(facts.generic(facts.free('Class'), type));
}

const emptyHolders: Readonly<Record<string, string>> = {
  listOf: 'List',
  listOfNotNull: 'List',
  mutableListOf: 'MutableList',
  arrayListOf: 'MutableList',
  emptyList: 'List',
  setOf: 'Set',
  mutableSetOf: 'MutableSet',
  linkedSetOf: 'MutableSet',
  emptySet: 'Set',
  arrayOf: 'Array',
  sequenceOf: 'Sequence',
  mapOf: 'Map',
  mutableMapOf: 'MutableMap',
  linkedMapOf: 'MutableMap',
  hashMapOf: 'MutableMap',
  emptyMap: 'Map',
};

function callValue(walk: Walk, call: Call): number {
  const { tree, facts } = walk;
  const name = calledName(walk, call);
  const on = calledOn(walk, call);
  const standard = standardResult(walk, call, name, on);
  if (standard >= 0) return standard;
  const called = calledBy(walk, call);
  const made = facts.call(applied(walk, called, call.typeArguments));
  // A class of a dependency can't be told from a function but by its name.
  if (!/^[A-Z]/.test(name)) return made;
  const bare = tree.kind(call.callee) === 'identifier' ? typeNamed(walk, name) : called;
  const instance = facts.instance(applied(walk, bare, call.typeArguments));
  return call.typeArguments >= 0 ? instance : facts.otherwise(made, instance);
}

/** What functions of the standard library give whose result hangs on a lambda or on what is put in. */
function standardResult(walk: Walk, call: Call, name: string, on: number): number {
  const { facts } = walk;
  if (walk.scopes.resolve(name) !== undefined) return -1;
  const held = on < 0 && Object.hasOwn(emptyHolders, name) ? emptyHolders[name]! : '';
  if (held !== '') {
    const type = facts.free(held);
    if (call.typeArguments >= 0) return facts.instance(applied(walk, type, call.typeArguments));
    const element = held.endsWith('Map') ? -1 : valueAt(walk, argumentValue(walk, call.passed[0] ?? -1));
    return facts.instance(facts.generic(type, element));
  }
  const isPassed = call.lambda >= 0 || (call.passed.length === 1 && /^(?:apply|also)$/.test(name));
  if (!isPassed) return -1;
  const result = walk.results.get(call.lambda) ?? -1;
  if (/^(?:apply|also|takeIf|takeUnless|onEach)$/.test(name)) return on < 0 ? currentValue(walk) : on;
  if (/^(?:let|run|with|lazy|use|synchronized|withLock)$/.test(name)) return result;
  if (on < 0 || result < 0 || !/^(?:map|mapNotNull|mapIndexed|flatMap)$/.test(name)) return -1;
  return name === 'flatMap' ? result : facts.instance(facts.generic(facts.free('List'), result));
}

const maxBranches = 4;

/** One of the values of the branches. */
function branchesOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const entries = tree.kind(node) === 'when_expression';
  const condition = tree.child(node, 'condition');
  const branches = entries
    ? tree
        .namedChildren(node)
        .filter(one => tree.kind(one) === 'when_entry')
        .map(one => tree.namedChildren(one).at(-1) ?? -1)
    : tree.namedChildren(node).filter(one => one !== condition && !/catch|finally/.test(tree.kind(one)));
  return branches
    .filter(one => !/^(?:throw|return)_expression$/.test(tree.kind(one)) && tree.text(one) !== 'null')
    .slice(0, maxBranches)
    .reduce((of, one) => facts.either(of, valueAt(walk, one)), -1);
}
