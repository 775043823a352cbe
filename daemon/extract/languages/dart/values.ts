import { foundOnce } from '../../found-once.ts';
import { argumentsOf, typeAt } from './types.ts';
import { before, core, freeName, partsOf, type Walk } from './walk.ts';

/**
 * What a chain denotes up to a node: in this grammar `a.b(c).d` is a row of siblings, `a` and three selectors. -1 where
 * nothing can be said.
 */
export function valueThrough(walk: Walk, node: number): number {
  return foundOnce(walk, node, compute);
}

/** What the last chain in a node denotes: of what only wraps it. */
export function valueIn(walk: Walk, node: number): number {
  return valueThrough(walk, partsOf(walk, node).at(-1) ?? -1);
}

/** What the last of the nodes in a field denotes. */
export function valueOfField(walk: Walk, node: number, field: string): number {
  const parts = walk.tree.childrenIn(node, field).filter(one => walk.tree.isNamed(one));
  return valueThrough(walk, parts.at(-1) ?? -1);
}

const literals: Readonly<Record<string, string>> = {
  string_literal: 'String',
  decimal_integer_literal: 'int',
  hex_integer_literal: 'int',
  decimal_floating_point_literal: 'double',
  true: 'bool',
  false: 'bool',
  symbol_literal: 'Symbol',
  relational_expression: 'bool',
  equality_expression: 'bool',
  logical_and_expression: 'bool',
  logical_or_expression: 'bool',
  type_test_expression: 'bool',
};

function compute(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const kind = tree.kind(node);
  if (genericCall(walk, node) !== undefined) return valueIn(walk, node);
  const generic = /^(?:parenthesized_expression|record_literal)$/.test(kind)
    ? genericCall(walk, tree.parent[node]!)
    : undefined;
  if (generic?.list === node) return genericResult(walk, generic);
  if (Object.hasOwn(literals, kind)) return facts.instance(core(walk, literals[kind]!));
  switch (kind) {
    case 'identifier':
      return nameValue(walk, node);
    case 'this':
      return facts.instance(facts.slot(walk.around));
    case 'selector':
      return selected(walk, node, tree.namedChildren(node)[0] ?? -1);
    case 'unconditional_assignable_selector':
    case 'conditional_assignable_selector':
    case 'argument_part':
    case 'arguments':
      return selected(walk, node, node);
    case 'cascade_selector':
      return selectedFrom(walk, cascaded(walk, tree.parent[node]!), node);
    case 'cascade_section':
      return cascaded(walk, node);
    case 'new_expression':
    case 'const_object_expression':
    case 'constructor_invocation':
      return madeBy(walk, node);
    case 'list_literal':
      return collection(walk, node, 'List');
    case 'set_or_map_literal':
      return collection(walk, node, tree.source[tree.end[node]! - 1] === '}' && hasPairs(walk, node) ? 'Map' : 'Set');
    default:
      return composed(walk, node, kind);
  }
}

function composed(walk: Walk, node: number, kind: string): number {
  const { tree, facts } = walk;
  switch (kind) {
    case 'parenthesized_expression':
    case 'assignable_expression':
    case 'expression_statement':
    case 'postfix_expression':
    case 'function_expression_body':
    case 'cascade_expression':
      return valueIn(walk, node);
    case 'unary_expression':
      return tree.kind(tree.firstChild(node)) === 'await_expression' ? valueIn(walk, node) : -1;
    case 'await_expression':
      return facts.awaited(valueIn(walk, node));
    case 'conditional_expression':
      return facts.either(valueOfField(walk, node, 'consequence'), valueOfField(walk, node, 'alternative'));
    case 'if_null_expression':
      return facts.either(valueOfField(walk, node, 'first'), valueOfField(walk, node, 'second'));
    case 'assignment_expression':
      return valueOfField(walk, node, 'right');
    case 'type_cast_expression': {
      const cast = tree.childOfKind(node, 'type_cast');
      return facts.instance(typeAt(walk, tree.childOfKind(cast, 'type_identifier')));
    }
    case 'function_expression':
      return facts.functionOf(valueThrough(walk, tree.child(node, 'body')));
    default:
      return -1;
  }
}

/** The nodes of a call with a type argument. */
export interface GenericCall {
  readonly callee: number;
  readonly argument: number;
  readonly list: number;
}

/** `f<T>(x)` reads as two comparisons, the second with what stands in parentheses. */
export function genericCall(walk: Walk, node: number): GenericCall | undefined {
  const { tree } = walk;
  const inner = tree.firstChild(node);
  if ([node, inner].some(one => tree.kind(one) !== 'relational_expression')) return undefined;
  const [less = -1, greater = -1] = [inner, node].map(one => tree.childOfKind(one, 'relational_operator'));
  const list = tree.nextSibling(greater);
  const isList = /^(?:parenthesized_expression|record_literal)$/.test(tree.kind(list));
  if (!isList || tree.text(less) !== '<' || tree.text(greater) !== '>') return undefined;
  return { callee: before(walk, less), argument: tree.nextSibling(less), list };
}

function genericResult(walk: Walk, { callee, argument }: GenericCall): number {
  const { tree, facts } = walk;
  const type = facts.generic(valueThrough(walk, callee), valueThrough(walk, argument));
  const name = tree.kind(callee) === 'identifier' ? tree.text(callee) : nameOf(walk, tree.firstChild(callee));
  return /^_?[A-Z]/.test(name) ? facts.instance(type) : facts.call(type);
}

function nameValue(walk: Walk, node: number): number {
  const name = walk.tree.text(node);
  return walk.scopes.resolve(name)?.expression ?? freeName(walk, name);
}

/** What a selector makes of what stands before it. */
function selected(walk: Walk, node: number, part: number): number {
  const prior = before(walk, node);
  if (walk.tree.kind(prior) === 'super') return aboveMember(walk, nameOf(walk, part));
  return selectedFrom(walk, valueThrough(walk, prior), part);
}

/** Getters of the library's collections that give one of their elements. */
const oneElement = /^(?:first|last|single|firstOrNull|lastOrNull|singleOrNull)$/;
/** Methods that give again what they are called on, or something with the same elements. */
const sameElements = new Set('where toList toSet skip take skipWhile takeWhile followedBy reversed cast'.split(' '));

function selectedFrom(walk: Walk, of: number, part: number): number {
  const { tree, facts } = walk;
  switch (tree.kind(part)) {
    case 'argument_part':
    case 'arguments':
      return called(walk, of, part);
    case 'unconditional_assignable_selector':
    case 'conditional_assignable_selector':
    case 'cascade_selector': {
      if (tree.childOfKind(part, 'index_selector') >= 0) {
        return facts.otherwise(facts.element(of), facts.call(facts.member(of, 'get')));
      }
      const name = nameOf(walk, part);
      if (name === '') return of;
      const member = facts.member(of, name);
      if (name === 'new') return of;
      if (name === 'reversed') return facts.otherwise(facts.call(member), of);
      if (/^(?:values|keys)$/.test(name)) return facts.otherwise(facts.call(member), member);
      return oneElement.test(name) ? facts.otherwise(facts.element(of), member) : member;
    }
    default:
      // `x!`
      return part < 0 ? of : -1;
  }
}

function called(walk: Walk, of: number, part: number): number {
  const { tree, facts, values } = walk;
  const callee = before(walk, tree.kind(tree.parent[part]!) === 'selector' ? tree.parent[part]! : part);
  const inner = tree.kind(callee) === 'selector' ? tree.firstChild(callee) : callee;
  const name = tree.kind(inner) === 'identifier' ? tree.text(inner) : nameOf(walk, inner);
  if (/^_?[A-Z]/.test(name) && of >= 0) return madeOf(walk, of, tree.childOfKind(part, 'type_arguments'));
  const value = resultOf(walk, of, name, part);
  if (!sameElements.has(name)) return value;
  const receiver = values.get(before(walk, callee)) ?? -1;
  return facts.otherwise(value, receiver);
}

export function nameOf({ tree }: Walk, part: number): string {
  return tree.text(tree.childOfKind(part, 'identifier'));
}

/** What a cascade goes out from: `a..b()..c` is `a` all along. */
function cascaded(walk: Walk, section: number): number {
  const { tree, cascades } = walk;
  let prior = before(walk, section);
  while (tree.kind(prior) === 'cascade_section' && !cascades.has(prior)) prior = before(walk, prior);
  const value = cascades.get(prior) ?? valueThrough(walk, prior);
  cascades.set(section, value);
  return value;
}

/** A member as what the class around is built from has it: the last mixin first, then the superclass. */
export function aboveMember(walk: Walk, name: string): number {
  const { facts, around } = walk;
  const supers = around < 0 ? [] : facts.definition(around).supers;
  const found = supers.map(one => facts.member(facts.instance(one), name));
  return found.reduceRight((rest, one) => facts.otherwise(one, rest), -1);
}

/** `context.read<Foo>()`: what is asked for by its type is of that type, as far as nobody knows better. */
function resultOf(walk: Walk, of: number, name: string, part: number): number {
  const { tree, facts } = walk;
  const list = tree.childOfKind(part, 'type_arguments');
  const parts = list < 0 ? [] : argumentsOf(walk, list).map(one => typeAt(walk, one));
  const applied = parts.reduce((called, one) => facts.generic(called, one < 0 ? facts.unknown() : one), of);
  const value = facts.call(list < 0 ? withArguments(walk, of, part) : applied);
  const isAsked = parts.length === 1 && /^(?:read|watch|of|get|find|call)$/.test(name);
  return isAsked ? facts.otherwise(value, facts.instance(parts[0]!)) : value;
}

/** What is passed by position tells what a function's own type parameters stand for. */
function withArguments(walk: Walk, of: number, part: number): number {
  const { tree, facts } = walk;
  const list = tree.kind(part) === 'arguments' ? part : tree.childOfKind(part, 'arguments');
  const passed = tree.namedChildren(list).filter(one => tree.kind(one) === 'argument');
  const values = passed.map(one => valueIn(walk, one));
  return of < 0 || values.every(one => one < 0) ? of : facts.overload(of, values);
}

/** `Completer<T>()`: what a type gives that is called, whether or not anybody knows the type. */
function madeOf(walk: Walk, type: number, list: number): number {
  const { facts } = walk;
  const parts = list < 0 ? [] : argumentsOf(walk, list).map(one => typeAt(walk, one));
  const applied = parts.reduce((of, one) => facts.generic(of, one < 0 ? facts.unknown() : one), type);
  return facts.instance(applied);
}

/** `new a.B<C>.named(x)` */
function madeBy(walk: Walk, node: number): number {
  return walk.facts.instance(typeAt(walk, walk.tree.childOfKind(node, 'type_identifier')));
}

function collection(walk: Walk, node: number, name: string): number {
  const { tree, facts } = walk;
  const list = tree.childOfKind(node, 'type_arguments');
  const written = list < 0 ? [] : argumentsOf(walk, list);
  const bare = core(walk, written.length === 2 ? 'Map' : name);
  const parts = written.map(one => typeAt(walk, one));
  if (list < 0 && name === 'List') parts.push(valueOfElement(walk, node));
  return facts.instance(parts.reduce((of, part) => facts.generic(of, part < 0 ? facts.unknown() : part), bare));
}

/** Of the first element of a list, all of which are siblings. */
function valueOfElement(walk: Walk, node: number): number {
  const [first = -1, ...rest] = partsOf(walk, node);
  let last = first;
  for (const one of rest.slice(0, 8)) {
    if (walk.tree.kind(one) !== 'selector') break;
    last = one;
  }
  return valueThrough(walk, last);
}

function hasPairs({ tree }: Walk, node: number): boolean {
  return tree.namedChildren(node).length === 0 || tree.childOfKind(node, 'pair') >= 0;
}

export function receiverOf(walk: Walk, node: number): number {
  const { tree } = walk;
  const holder = tree.parent[node]!;
  if (tree.kind(holder) === 'cascade_selector') return cascaded(walk, tree.parent[holder]!);
  const whole = tree.kind(tree.parent[holder]!) === 'selector' ? tree.parent[holder]! : holder;
  const prior = before(walk, whole);
  return tree.kind(prior) === 'super' ? -2 : valueThrough(walk, prior);
}
