import { maxDepth } from '../../builder.ts';
import { type Namespace, nameValue, type Walk } from './walk.ts';

/** The type that a written type names. References are looked through: `&T` has the members of `T`. */
export function typeOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return applied(walk, typeOf(walk, tree.child(node, 'type')), typeArguments(walk, node));
    case 'reference_type':
    case 'pointer_type':
      return typeOf(walk, tree.child(node, 'type'));
    case 'dynamic_type':
    case 'abstract_type':
      return typeOf(walk, tree.child(node, 'trait'));
    case 'bounded_type':
    case 'higher_ranked_trait_bound':
      return boundsOf(walk, node);
    case 'array_type':
      return applied(walk, facts.free('[]'), [tree.child(node, 'element')]);
    case 'tuple_type':
      return applied(walk, facts.free('tuple'), tree.namedChildren(node));
    case 'function_type':
      return functionOf(walk, node);
    case 'bracketed_type':
      return typeOf(walk, tree.namedChildren(node)[0] ?? -1);
    case 'qualified_type':
      return typeOf(walk, tree.child(node, 'alias'));
    case 'type_binding':
      // `Iterator<Item = A>`, `Future<Output = A>`: the one thing that these are of.
      return /^(?:Item|Output)$/.test(tree.text(tree.child(node, 'name')))
        ? typeOf(walk, tree.child(node, 'type'))
        : -1;
    case 'primitive_type':
      return facts.free(tree.text(node));
    default:
      return pathValue(walk, node, '#');
  }
}

/** What a path denotes: `crate::a::B`, `Self::new`, `super::x`. All names but the last are of types and modules. */
export function pathValue(walk: Walk, node: number, among: Namespace): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'identifier':
    case 'type_identifier':
      return tree.text(node) === 'Self' ? selfType(walk) : nameValue(walk, tree.text(node), among);
    case 'self':
      return moduleValue(walk);
    case 'super':
      return parentValue(walk);
    case 'crate':
      return facts.free('crate');
    case 'metavariable':
      return tree.text(node) === '$crate' ? facts.free('crate') : -1;
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      return scopedValue(walk, node, among);
    case 'generic_type':
    case 'generic_type_with_turbofish':
    case 'bracketed_type':
      return typeOf(walk, node);
    case 'generic_function':
      return pathValue(walk, tree.child(node, 'function'), among);
    default:
      return -1;
  }
}

function scopedValue(walk: Walk, node: number, among: Namespace): number {
  const { tree, facts } = walk;
  const path = tree.child(node, 'path');
  const name = tree.text(tree.child(node, 'name'));
  // `::name` begins at the crates.
  if (path < 0) return facts.free(`::${name}`);
  return facts.member(pathValue(walk, path, '#'), name === 'super' ? name : name + among);
}

/** The module that the walk stands in, as a value. */
export function moduleValue({ facts, module }: Walk): number {
  return module.slot < 0 ? facts.free('self') : facts.slot(module.slot);
}

export function parentValue({ facts, module }: Walk): number {
  if (module.slot < 0) return facts.free('super');
  const parent = module.parent?.slot ?? -1;
  return parent < 0 ? facts.free('self') : facts.slot(parent);
}

export function selfType(walk: Walk): number {
  const { slot, type } = walk.self;
  if (slot >= 0) return walk.facts.slot(slot);
  return type < 0 ? -1 : typeOf(walk, type);
}

/** What a function of that declaration or type gives. */
export function resultOf(walk: Walk, node: number): number {
  return walk.facts.instance(typeOf(walk, walk.tree.child(node, 'return_type')));
}

/** `Fn(A) -> B`, `fn(A) -> B`. */
function functionOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const result = resultOf(walk, node);
  const made = facts.functionOf(result < 0 ? facts.unknown() : result);
  return applied(walk, made, tree.namedChildren(tree.child(node, 'parameters')));
}

function applied(walk: Walk, of: number, types: readonly number[]): number {
  const { facts } = walk;
  return types.slice(0, 12).reduce((type, argument) => {
    const value = facts.instance(typeOf(walk, argument));
    return facts.generic(type, value < 0 ? facts.unknown() : value);
  }, of);
}

function typeArguments({ tree }: Walk, node: number): readonly number[] {
  const list = tree.child(node, 'type_arguments');
  return tree.namedChildren(list).filter(one => tree.kind(one) !== 'lifetime' && !/_literal$/.test(tree.kind(one)));
}

/** A value of one of the traits that a type is bounded by, each by itself; lifetimes are none. */
export function boundsOf(walk: Walk, bounds: number): number {
  const { tree, facts } = walk;
  return tree
    .namedChildren(bounds)
    .filter(one => !/lifetime|for_|type_parameters|removed_trait/.test(tree.kind(one)))
    .map((one, _, all) => (all.length === 1 ? typeOf(walk, one) : facts.instance(typeOf(walk, one))))
    .reduce((of, other) => facts.either(of, other), -1);
}

/** What `?` gives, or a pattern like `Some(x)` takes out. */
export function unwrapped({ facts }: Walk, value: number): number {
  return facts.call(facts.member(value, 'unwrap'));
}
