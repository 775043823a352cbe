import { typeAt, valueOfTypeIn } from './types.ts';
import { valueOfField } from './values.ts';
import { before, partsOf, type Walk } from './walk.ts';

/** `given` tells what the parameters get that declare no type. */
export function bindParameters(walk: Walk, list: number, given: (position: number) => number = () => -1): void {
  const { tree, scopes } = walk;
  for (const [position, one] of partsOf(walk, list).entries()) {
    const kind = tree.kind(one);
    if (kind === 'optional_formal_parameters') bindParameters(walk, one);
    if (kind !== 'formal_parameter') continue;
    const held = tree.childOfKind(one, 'constructor_param');
    if (held >= 0) {
      bindField(walk, tree.childOfKind(held, 'identifier'));
      continue;
    }
    const name = tree.child(one, 'name') >= 0 ? tree.child(one, 'name') : tree.childOfKind(one, 'identifier');
    const declared = valueOfTypeIn(walk, one);
    const isFunction = tree.childOfKind(one, 'formal_parameter_list') >= 0;
    if (name >= 0)
      scopes.declare(
        tree.text(name),
        isFunction ? walk.facts.functionOf(declared) : declared >= 0 ? declared : () => given(position),
      );
  }
}

/** `this.x`: inside the initializers a parameter, of the field's type. */
function bindField(walk: Walk, name: number): void {
  const { tree, facts, scopes, around } = walk;
  if (name >= 0)
    scopes.declare(tree.text(name), facts.member(facts.instance(facts.slot(around)), tree.text(name)), 'global');
}

export function bindFor(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const name = tree.child(node, 'name');
  if (name < 0) return;
  const declared = valueOfTypeIn(walk, node);
  const isAwaited = tree.kind(tree.firstChild(tree.parent[node]!)) === 'await';
  const element = facts.element(valueOfField(walk, node, 'value'));
  scopes.declare(tree.text(name), declared >= 0 ? declared : isAwaited ? facts.awaited(element) : element);
}

/** Names in patterns; what stands for a constant is none, but in a declaration. */
export function bindPattern(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  const name = tree.childOfKind(node, 'identifier');
  switch (tree.kind(node)) {
    case 'variable_pattern':
      if (name >= 0) scopes.declare(tree.text(name), patternValue(walk, node, name));
      return;
    case 'constant_pattern':
      if (name >= 0 && isDeclared(walk, node)) scopes.declare(tree.text(name), patternValue(walk, node, name));
      return;
    default:
  }
}

/** `Foo(:final a)` is Foo's `a`. */
function patternValue(walk: Walk, node: number, name: number): number {
  const { tree, facts } = walk;
  const declared = valueOfTypeIn(walk, node);
  const { holder, label } = partOfObject(walk, node);
  if (declared >= 0 || holder < 0) return declared;
  return facts.member(matched(walk, holder), tree.text(label < 0 ? name : label));
}

/** What an object pattern matches. */
export function matched(walk: Walk, object: number): number {
  return walk.facts.instance(typeAt(walk, walk.tree.firstChild(object)));
}

/** The object pattern that a pattern is part of, with `?` or `!` behind it or not, and the name in front of it; -1 where none is. */
function partOfObject(walk: Walk, node: number): { readonly holder: number; readonly label: number } {
  const { tree } = walk;
  let part = node;
  while (/^null_\w+_pattern$/.test(tree.kind(tree.parent[part]!))) part = tree.parent[part]!;
  const holder = tree.parent[part]!;
  if (tree.kind(holder) !== 'object_pattern') return { holder: -1, label: -1 };
  const label = before(walk, part);
  return { holder, label: tree.kind(label) === 'identifier' ? label : -1 };
}

/** The object pattern whose member a pattern names by the local that it declares: `Foo(:final a)`; -1 where it is none. */
export function namesMemberOf(walk: Walk, node: number): number {
  const { holder, label } = partOfObject(walk, node);
  const isDeclaring = walk.tree.kind(node) === 'variable_pattern' || isDeclared(walk, node);
  return label < 0 && isDeclaring ? holder : -1;
}

function isDeclared({ tree }: Walk, pattern: number): boolean {
  let at = tree.parent[pattern]!;
  while (/pattern$/.test(tree.kind(at))) at = tree.parent[at]!;
  return /^(?:pattern_variable_declaration|for_loop_parts)$/.test(tree.kind(at));
}

/** `x is Foo` makes of a local what it says, as does each part of `x is Foo && …`. */
export function promote(walk: Walk, node: number): void {
  const { tree } = walk;
  const kind = tree.kind(node);
  if (kind === 'parenthesized_expression' || kind === 'logical_and_expression') {
    for (const part of tree.namedChildren(node)) promote(walk, part);
  } else if (kind === 'type_test_expression') declareTested(walk, node, false);
}

/** `if (x is! Foo) return;` */
export function promoted(walk: Walk, statement: number): void {
  const { tree } = walk;
  const consequence = tree.text(tree.child(statement, 'consequence'));
  if (
    tree.child(statement, 'alternative') >= 0 ||
    !/^\{?\s*(?:return|throw|continue|break)\b[^;]*;\s*\}?$/.test(consequence)
  )
    return;
  promoteOtherwise(walk, partsOf(walk, statement)[0] ?? -1);
}

/** `x is! Foo` makes of a local what it says where it isn't met. */
export function promoteOtherwise(walk: Walk, test: number): void {
  const { tree } = walk;
  const inner = tree.kind(test) === 'parenthesized_expression' ? (tree.namedChildren(test)[0] ?? -1) : test;
  if (tree.kind(inner) === 'type_test_expression') declareTested(walk, inner, true);
}

function declareTested(walk: Walk, node: number, isNegated: boolean): void {
  const { tree, facts, scopes } = walk;
  const test = tree.childOfKind(node, 'type_test');
  const name = tree.firstChild(node);
  const isNot = /^is\s*!/.test(tree.text(test));
  if (tree.kind(name) !== 'identifier' || isNot !== isNegated || before(walk, test) !== name) return;
  if (scopes.resolve(tree.text(name))?.kind !== 'local') return;
  scopes.declare(tree.text(name), facts.instance(typeAt(walk, tree.childOfKind(test, 'type_identifier'))));
}
