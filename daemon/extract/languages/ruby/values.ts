import { receiverPosition } from '../../../model/facts.ts';
import { maxDepth } from '../../builder.ts';
import { foundOnce } from '../../found-once.ts';
import { constant, library, ofSelf, selfValue, type Walk } from './walk.ts';

/** What a piece of code denotes where the walk stands; -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  return foundOnce(walk, node, compute);
}

/** The class that a literal is of. */
const literals: Readonly<Record<string, string>> = {
  string: 'String',
  chained_string: 'String',
  heredoc_beginning: 'String',
  subshell: 'String',
  simple_symbol: 'Symbol',
  delimited_symbol: 'Symbol',
  integer: 'Integer',
  float: 'Float',
  regex: 'Regexp',
  hash: 'Hash',
  string_array: 'Array',
  symbol_array: 'Array',
  range: 'Range',
  lambda: 'Proc',
  true: 'TrueClass',
  false: 'FalseClass',
};

/** Methods that give the same whatever has them. */
const results: Readonly<Record<string, string>> = {
  to_s: 'String',
  to_str: 'String',
  inspect: 'String',
  to_sym: 'Symbol',
  to_i: 'Integer',
  to_f: 'Float',
  to_a: 'Array',
  to_h: 'Hash',
  to_proc: 'Proc',
  split: 'Array',
  join: 'String',
  keys: 'Array',
  gsub: 'String',
  sub: 'String',
  strip: 'String',
  downcase: 'String',
  upcase: 'String',
};

/** Methods that give what they are called on. */
const givesReceiver = new Set('tap freeze dup clone itself each'.split(' '));
/** Methods whose blocks get one element after another. */
const givesElements = new Set(
  `each map select reject find detect each_with_index each_with_object flat_map collect filter filter_map any? all? none?
  sort_by group_by partition each_slice find_all min_by max_by sum reverse_each`.split(/\s+/),
);

function compute(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const kind = tree.kind(node);
  if (Object.hasOwn(literals, kind)) return facts.instance(library(walk, literals[kind]!));
  switch (kind) {
    case 'identifier': {
      const local = walk.scopes.resolve(tree.text(node));
      return local === undefined ? nameless(walk, node) : local.expression;
    }
    case 'constant':
      return constant(walk, tree.text(node));
    case 'scope_resolution':
      return scoped(walk, node);
    case 'self':
      return selfValue(walk);
    case 'instance_variable':
    case 'class_variable':
    case 'global_variable':
      return variable(walk, node);
    case 'super':
      return facts.call(above(walk));
    case 'call':
      return callValue(walk, node);
    case 'array':
      return arrayOf(walk, valueAt(walk, tree.namedChildren(node)[0] ?? -1));
    case 'element_reference':
      return facts.element(valueAt(walk, tree.child(node, 'object')));
    case 'assignment':
      return valueAt(walk, tree.child(node, 'right'));
    case 'operator_assignment':
      return tree.text(tree.child(node, 'operator')) === '||='
        ? facts.either(valueAt(walk, tree.child(node, 'left')), valueAt(walk, tree.child(node, 'right')))
        : -1;
    default:
      return composed(walk, node, kind);
  }
}

/** A name that no local has; RSpec has words for what a group of examples is about. */
function nameless(walk: Walk, node: number): number {
  const { tree, facts, described, subject } = walk;
  const name = tree.text(node);
  if (name === 'new') return made(walk, node, -1);
  if (name === 'described_class' && described >= 0) return described;
  if (name === 'subject' && subject >= 0) return subject;
  if (name === 'subject' && described >= 0) return facts.instance(described);
  return facts.call(ofSelf(walk, 'call', name));
}

/** Statements and operators whose value is one of their parts. */
function composed(walk: Walk, node: number, kind: string): number {
  const { tree, facts } = walk;
  const parts = tree.namedChildren(node).filter(one => tree.kind(one) !== 'comment');
  switch (kind) {
    case 'parenthesized_statements':
    case 'body_statement':
    case 'block_body':
    case 'then':
    case 'else':
    case 'begin':
      return valueAt(walk, parts.findLast(one => !/^(?:rescue|ensure|else)$/.test(tree.kind(one))) ?? -1);
    case 'return':
      return valueAt(walk, onlyArgument(walk, parts[0] ?? -1));
    case 'conditional':
    case 'if':
    case 'unless':
    case 'elsif':
      return facts.either(
        valueAt(walk, tree.child(node, 'consequence')),
        valueAt(walk, tree.child(node, 'alternative')),
      );
    case 'binary': {
      const right = valueAt(walk, tree.child(node, 'right'));
      const operator = tree.text(tree.child(node, 'operator'));
      if (operator === '||' || operator === 'or') return facts.either(valueAt(walk, tree.child(node, 'left')), right);
      return operator === '&&' || operator === 'and' ? right : -1;
    }
    default:
      return -1;
  }
}

function onlyArgument({ tree }: Walk, list: number): number {
  const parts = tree.namedChildren(list);
  return parts.length === 1 ? parts[0]! : -1;
}

/** `A::B`, written as one path where all of it is constants. */
function scoped(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const path = pathOf(walk, node);
  if (path.startsWith('::')) return library(walk, path.slice(2));
  return path === ''
    ? facts.member(valueAt(walk, tree.child(node, 'scope')), tree.text(tree.child(node, 'name')))
    : constant(walk, path);
}

/** '' where something else than constants is part of it. */
export function pathOf(walk: Walk, node: number): string {
  const { tree } = walk;
  if (tree.kind(node) === 'constant') return tree.text(node);
  if (tree.kind(node) !== 'scope_resolution' || tree.depth[node]! > maxDepth) return '';
  const scope = tree.child(node, 'scope');
  const above = scope < 0 ? '' : pathOf(walk, scope);
  return scope >= 0 && above === '' ? '' : `${above}::${tree.text(tree.child(node, 'name'))}`;
}

/** Variables of objects and classes are members; a global is everybody's. */
export function variable(walk: Walk, node: number): number {
  const { tree, facts, self } = walk;
  const name = tree.text(node);
  if (name.startsWith('$')) return facts.free(`variable ${name}`);
  return self.slot < 0 && self.groupIn === undefined ? -1 : ofSelf(walk, 'variable', name);
}

/** What `super` calls: the method of the same name further up. */
export function above(walk: Walk): number {
  const method = methodAround(walk);
  return method === '' ? -1 : ofSelf(walk, 'super', method);
}

export function methodAround({ facts }: Walk): string {
  const { enclosing } = facts;
  const around = enclosing < 0 ? undefined : facts.definition(enclosing);
  return around !== undefined && /^(?:method|constructor)$/.test(around.kind) ? around.name : '';
}

/** The method that a call names. */
export function callee(walk: Walk, node: number): number {
  const { tree } = walk;
  const receiver = tree.child(node, 'receiver');
  const method = tree.child(node, 'method');
  if (tree.kind(method) === 'super') return above(walk);
  const name = tree.text(method);
  if (receiver < 0 || tree.kind(receiver) === 'self') return ofSelf(walk, 'call', name);
  if (isOwnClass(walk, receiver)) return ofOwnClass(walk, name);
  return calledOn(walk, valueAt(walk, receiver), name);
}

/** A method of a value. */
export function calledOn(walk: Walk, value: number, name: string): number {
  const { facts } = walk;
  if (everyObjectHas.has(name)) return facts.member(facts.instance(library(walk, 'Object')), name);
  return facts.otherwise(facts.member(value, name), facts.free(`any ${name}`));
}

/** Nobody has a method of their own under such a name. */
const everyObjectHas = new Set(
  `class nil? is_a? kind_of? instance_of? object_id instance_variable_get instance_variable_set instance_variable_defined?
  frozen? tap extend respond_to? send instance_eval instance_exec public_send __send__ singleton_class define_singleton_method`.split(
    /\s+/,
  ),
);

/** `self.class`, `class` being no name to write without its dot. */
function isOwnClass({ tree, self }: Walk, node: number): boolean {
  const isClass = tree.kind(node) === 'call' && tree.text(tree.child(node, 'method')) === 'class';
  return isClass && tree.kind(tree.child(node, 'receiver')) === 'self' && !self.isStatic && self.slot >= 0;
}

function ofOwnClass(walk: Walk, name: string): number {
  return ofSelf({ ...walk, self: { ...walk.self, isStatic: true } }, 'call', name);
}

function callValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const receiver = tree.child(node, 'receiver');
  const method = tree.child(node, 'method');
  const name = tree.text(method);
  if (isOwnClass(walk, node)) return ownClass(walk);
  if (name === 'new') return made(walk, node, receiver);
  if (tree.kind(method) === 'constant' && tree.child(node, 'arguments') < 0) {
    return facts.member(valueAt(walk, receiver), name);
  }
  if (receiver >= 0 && givesReceiver.has(name)) return valueAt(walk, receiver);
  const value = facts.call(callee(walk, node));
  if (receiver < 0 || !Object.hasOwn(results, name)) return value;
  return facts.otherwise(value, facts.instance(library(walk, results[name]!)));
}

/** `X.new`; `Class.new(X)` is an X itself. */
function made(walk: Walk, node: number, receiver: number): number {
  const { tree, facts, self } = walk;
  if (tree.text(receiver) === 'Class') return valueAt(walk, tree.namedChildren(tree.child(node, 'arguments'))[0] ?? -1);
  if (receiver >= 0 && tree.kind(receiver) !== 'self') return facts.instance(valueAt(walk, receiver));
  const isSure = receiver >= 0 || !self.isInBlock;
  return self.isStatic && isSure ? facts.instance(ownClass(walk)) : -1;
}

/** The class that `self` is, or is of: one that is built from the class around may have the method. */
function ownClass({ facts, self }: Walk): number {
  return facts.either(facts.argument(self.slot, receiverPosition), facts.slot(self.slot));
}

function arrayOf(walk: Walk, element: number): number {
  return walk.facts.instance(walk.facts.generic(library(walk, 'Array'), element));
}

/** What a block's first parameter gets from the call that the block is given to; a method says what it yields. */
export function yielded(walk: Walk, call: number): number {
  const { tree, facts } = walk;
  const receiver = tree.child(call, 'receiver');
  const name = tree.text(tree.child(call, 'method'));
  if (name === 'new') return valueAt(walk, call);
  if (receiver >= 0 && (name === 'tap' || name === 'then')) return valueAt(walk, receiver);
  const given = facts.parameter(callee(walk, call), 0);
  return receiver >= 0 && givesElements.has(name)
    ? facts.otherwise(facts.element(valueAt(walk, receiver)), given)
    : given;
}
