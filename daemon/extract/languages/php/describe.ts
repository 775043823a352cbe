import { parameterType, taggedType } from './doc-types.ts';
import { classAround, isClassKind, type Walk } from './walk.ts';

/** What a definition is of and is built from; a function's parameters. A closure has slot -1. */
export function describe(walk: Walk, node: number, slot: number): void {
  const { tree, facts, values } = walk;
  const kind = slot < 0 ? 'function' : facts.definition(slot).kind;
  if (isClassKind(kind)) {
    describeClass(walk, node, slot);
    return;
  }
  switch (kind) {
    case 'function':
    case 'method':
    case 'constructor':
      describeFunction(walk, node, slot);
      break;
    case 'property':
      describeProperty(walk, node, slot);
      break;
    case 'enum-member':
      facts.setType(slot, facts.instance(facts.slot(facts.definition(slot).container)));
      break;
    case 'constant':
      facts.setType(slot, values.of(tree.namedChildren(node).at(-1) ?? -1));
      break;
    default:
      break;
  }
}

/** Traits before the parent, whose methods they hide, and that before interfaces. */
function describeClass({ tree, facts, names }: Walk, node: number, slot: number): void {
  const body = tree.child(node, 'body');
  const traits = tree
    .namedChildren(body)
    .filter(one => tree.kind(one) === 'use_declaration')
    .flatMap(one => tree.namedChildren(one).filter(child => tree.kind(child) !== 'use_list'));
  const above = tree.namedChildren(tree.childOfKind(node, 'base_clause'));
  const interfaces = tree.namedChildren(tree.childOfKind(node, 'class_interface_clause'));
  for (const one of [...traits, ...above, ...interfaces]) facts.addSuper(slot, names.classNamed(tree.text(one)));
  if (above[0] !== undefined) names.setParent(slot, names.classNamed(tree.text(above[0])));
}

function describeFunction(walk: Walk, node: number, slot: number): void {
  const { tree, facts, scopes } = walk;
  const comment = slot < 0 ? '' : facts.definition(slot).documentation;
  for (const one of tree.namedChildren(tree.child(node, 'parameters'))) {
    const variable = tree.childOfKind(tree.child(one, 'name'), 'name');
    if (variable < 0) continue;
    const name = tree.text(variable);
    const value = preciser(walk, tree.child(one, 'type'), parameterType(comment, name));
    const isMany = tree.kind(one) === 'variadic_parameter' && value >= 0;
    scopes.declare(name, isMany ? facts.instance(facts.generic(facts.free('array'), value)) : value);
  }
  if (slot >= 0) facts.setType(slot, preciser(walk, tree.child(node, 'return_type'), taggedType(comment, 'return')));
}

/** Of a function without written type: what it is seen to return. */
export function describeReturn({ tree, facts, names, values }: Walk, node: number): void {
  const slot = facts.enclosing;
  if (slot < 0 || isInClosure(tree, node) || isTyped({ tree, facts }, node, slot)) return;
  const [value = -1] = tree.namedChildren(node);
  facts.setType(slot, tree.text(value) === '$this' ? names.described('$this') : values.of(value));
}

function isInClosure(tree: Walk['tree'], node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (/^(?:anonymous_function|arrow_function)$/.test(tree.kind(at))) return true;
    if (/^(?:method_declaration|function_definition)$/.test(tree.kind(at))) return false;
  }
  return false;
}

function isTyped({ tree, facts }: Pick<Walk, 'tree' | 'facts'>, node: number, slot: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (!/^(?:method_declaration|function_definition)$/.test(tree.kind(at))) continue;
    return tree.child(at, 'return_type') >= 0 || /@return\s/.test(facts.definition(slot).documentation);
  }
  return true;
}

function describeProperty(walk: Walk, node: number, slot: number): void {
  const { tree, facts, values } = walk;
  const isPromoted = tree.kind(node) === 'property_promotion_parameter';
  const written = tree.child(isPromoted ? node : tree.parent[node]!, 'type');
  const { name, documentation } = facts.definition(slot);
  const ofConstructor = isPromoted ? constructorComment(walk) : '';
  const type = preciser(walk, written, taggedType(documentation, 'var') || parameterType(ofConstructor, name));
  facts.setType(slot, type >= 0 ? type : values.of(tree.child(node, 'default_value')));
}

/** A promoted parameter is walked inside its property; what describes it stands on the constructor. */
function constructorComment({ facts }: Walk): string {
  const owner = classAround({ facts });
  const [slot] = facts.slotsNamed(owner, '__construct');
  return slot === undefined ? '' : facts.definition(slot).documentation;
}

/** A comment says more than the language can of what holds others; else what is written counts. */
function preciser({ tree, names }: Walk, written: number, described: string): number {
  const own = names.typed(written);
  const isVague =
    written < 0 ||
    /^\??(?:array|iterable|object|mixed|\\?\w*(?:Iterator|Traversable|Generator|Collection))$/.test(tree.text(written));
  const more = described !== '' && isVague ? names.described(described) : -1;
  return more >= 0 ? more : own;
}
