import { maxDepth } from '../../builder.ts';
import { bindPattern } from './patterns.ts';
import { pathValue, resultOf, selfType, typeOf, unwrapped } from './types.ts';
import { nameValue, type Walk } from './walk.ts';

/** What an expression's value is, -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'identifier':
      return nameValue(walk, tree.text(node), '()');
    case 'self':
      return facts.instance(selfType(walk));
    case 'scoped_identifier':
      return pathValue(walk, node, '()');
    case 'generic_function':
      return valueAt(walk, tree.child(node, 'function'));
    case 'field_expression':
      return fieldValue(walk, node);
    case 'call_expression':
      return callValue(walk, node);
    case 'struct_expression':
      return facts.instance(pathValue(walk, tree.child(node, 'name'), '#'));
    case 'type_cast_expression':
      return facts.instance(typeOf(walk, tree.child(node, 'type')));
    case 'try_expression':
      return unwrapped(walk, valueAt(walk, tree.namedChildren(node)[0] ?? -1));
    case 'index_expression':
      return facts.element(valueAt(walk, tree.namedChildren(node)[0] ?? -1));
    case 'reference_expression':
      return valueAt(walk, tree.child(node, 'value'));
    case 'unary_expression':
    case 'parenthesized_expression':
      return valueAt(walk, tree.namedChildren(node)[0] ?? -1);
    case 'await_expression':
      return awaited(walk, valueAt(walk, tree.namedChildren(node)[0] ?? -1));
    default:
      return valueOfOther(walk, node);
  }
}

function valueOfOther(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'closure_expression': {
      const written = resultOf(walk, node);
      const value = written < 0 ? closureValue(walk, node, -1) : written;
      return facts.functionOf(value < 0 ? facts.unknown() : value);
    }
    case 'tuple_expression':
      return applied(walk, 'tuple', tree.namedChildren(node));
    case 'array_expression':
      return applied(walk, '[]', tree.namedChildren(node).slice(0, 1));
    case 'string_literal':
    case 'raw_string_literal':
      return facts.instance(facts.free('str'));
    case 'if_expression':
      return facts.either(
        tailValue(walk, tree.child(node, 'consequence')),
        tailValue(walk, tree.namedChildren(tree.child(node, 'alternative'))[0] ?? -1),
      );
    case 'match_expression':
      return tree
        .namedChildren(tree.child(node, 'body'))
        .slice(0, 6)
        .map(arm => armValue(walk, arm, tree.child(node, 'value')))
        .reduce((of, other) => facts.either(of, other), -1);
    case 'macro_invocation':
      return macroValue(walk, node);
    default:
      return -1;
  }
}

function armValue(walk: Walk, arm: number, matched: number): number {
  let value = -1;
  walk.module.scopes.inside('block', () => {
    bindPattern(walk, walk.tree.child(arm, 'pattern'), () => valueAt(walk, matched), true);
    value = tailValue(walk, walk.tree.child(arm, 'value'));
  });
  return value;
}

/** What calling a closure gives; `takes` is the function that is expected in its place. */
function closureValue(walk: Walk, node: number, takes: number): number {
  const { tree, facts } = walk;
  let value = -1;
  walk.module.scopes.inside('function', () => {
    bindClosure(walk, node, takes, true);
    value = tailValue(walk, tree.child(node, 'body'));
  });
  return facts.instance(value);
}

/** Declares what a closure takes. */
export function bindClosure(walk: Walk, node: number, takes: number, isQuiet: boolean): void {
  const { tree, facts } = walk;
  tree.namedChildren(tree.child(node, 'parameters')).forEach((one, index) => {
    const isTyped = tree.kind(one) === 'parameter';
    const type = isTyped ? tree.child(one, 'type') : -1;
    const value = (): number =>
      type >= 0 ? facts.instance(typeOf(walk, type)) : takes < 0 ? -1 : facts.parameter(takes, index);
    bindPattern(walk, isTyped ? tree.child(one, 'pattern') : one, value, isQuiet);
  });
}

/** What a branch ends in; behind statements, only where that hangs on no name that they may bind. */
function tailValue(walk: Walk, node: number): number {
  const { tree } = walk;
  const children = tree.kind(node) === 'block' ? tree.namedChildren(node) : [node];
  const last = children.at(-1) ?? -1;
  if (children.length === 1) return valueAt(walk, last);
  if (tree.kind(last) !== 'call_expression' && tree.kind(last) !== 'struct_expression') return -1;
  const callee = tree.child(last, 'function');
  return tree.kind(callee) === 'field_expression' && !/^self\b/.test(tree.text(callee)) ? -1 : valueAt(walk, last);
}

function macroValue({ tree, facts }: Walk, node: number): number {
  switch (tree.text(tree.child(node, 'macro'))) {
    case 'format':
      return facts.instance(facts.free('String'));
    case 'vec':
      return facts.instance(facts.free('Vec'));
    default:
      return -1;
  }
}

function applied(walk: Walk, name: string, parts: readonly number[]): number {
  const { facts } = walk;
  const type = parts.slice(0, 12).reduce((of, part) => {
    const value = valueAt(walk, part);
    return facts.generic(of, value < 0 ? facts.unknown() : value);
  }, facts.free(name));
  return facts.instance(type);
}

function fieldValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const value = tree.child(node, 'value');
  const field = tree.child(node, 'field');
  const isOwn = tree.kind(value) === 'self' && tree.kind(field) === 'integer_literal';
  return isOwn ? ownPart(walk, Number(tree.text(field))) : facts.member(valueAt(walk, value), tree.text(field));
}

/** `self.0` of a tuple struct of this file. */
function ownPart(walk: Walk, index: number): number {
  const { tree, facts, slots } = walk;
  const name = tree.text(walk.self.type).replace(/<.*$/s, '');
  const [slot] = walk.module.items.get(name) ?? [];
  for (const [node, defined] of slots.byNode) {
    if (defined !== slot || tree.kind(node) !== 'struct_item') continue;
    return facts.instance(typeOf(walk, tree.childrenIn(tree.child(node, 'body'), 'type')[index] ?? -1));
  }
  return -1;
}

/** What a function that is `async` gives is known as what awaiting it gives. */
export function awaited({ facts }: Walk, value: number): number {
  return facts.otherwise(facts.member(value, '.await'), value);
}

/** What a loop over a value gives. */
export function looped({ facts }: Walk, value: number): number {
  return facts.otherwise(facts.member(value, '.item'), facts.element(value));
}

/** By custom these give what they are called on, or a value of the type that they are called on. */
const same = new Set(['clone', 'to_owned', 'by_ref', 'as_ref', 'as_mut', 'borrow', 'borrow_mut', 'into_iter']);
const makers = new Set(['default', 'new', 'from']);
/** Functions of the language that hand on what they are given, in a wrapper that is looked through or not. */
const wrappers: Readonly<Record<string, string>> = {
  Some: 'Option',
  Ok: 'Result',
  'Box::new': '',
  'Rc::new': '',
  'Arc::new': '',
  'Box::pin': '',
  'Arc::clone': '',
  'Rc::clone': '',
  'Mutex::new': 'Mutex',
  'RwLock::new': 'RwLock',
  'RefCell::new': 'RefCell',
};

function callValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const callee = tree.child(node, 'function');
  const bare = tree.kind(callee) === 'generic_function' ? tree.child(callee, 'function') : callee;
  const text = tree.end[bare]! - tree.start[bare]! < 40 ? tree.text(bare) : '';
  const [first = -1] = tree.namedChildren(tree.child(node, 'arguments'));
  if (Object.hasOwn(wrappers, text)) return wrapped(walk, wrappers[text]!, valueAt(walk, first));
  const called = given(walk, valueAt(walk, bare), first);
  switch (tree.kind(bare)) {
    case 'field_expression': {
      const name = tree.text(tree.child(bare, 'field'));
      return resultOfMethod(walk, called, name, () => valueAt(walk, tree.child(bare, 'value')));
    }
    case 'scoped_identifier': {
      const name = tree.text(tree.child(bare, 'name'));
      return resultOfPath(walk, called, name, () => pathValue(walk, tree.child(bare, 'path'), '#'));
    }
    default:
      return facts.call(called);
  }
}

/** What calling a method gives; `of` is what it is called on, asked for only where that counts: chains are long. */
export function resultOfMethod({ facts }: Walk, called: number, name: string, of: () => number): number {
  const result = facts.call(called);
  return same.has(name) ? facts.otherwise(result, of()) : result;
}

/** What calling a function of a type gives, as `Vec::new`. */
export function resultOfPath({ facts }: Walk, called: number, name: string, type: () => number): number {
  const result = facts.call(called);
  return makers.has(name) ? facts.otherwise(result, facts.instance(type())) : result;
}

/** A method of the library that is given a closure gives what that makes of it: `map`. */
function given(walk: Walk, callee: number, argument: number): number {
  const { tree, facts } = walk;
  if (tree.kind(argument) !== 'closure_expression' || callee < 0) return callee;
  const made = closureValue(walk, argument, facts.parameter(callee, 0));
  return facts.generic(callee, made);
}

function wrapped({ facts }: Walk, type: string, value: number): number {
  if (type === '') return value;
  return facts.instance(facts.generic(facts.free(type), value < 0 ? facts.unknown() : value));
}
