import { maxDepth } from '../../builder.ts';
import { before, core, followsDot, partsOf, type Walk } from './walk.ts';

const typeKinds = /^(?:type_identifier|function_type|void_type|record_type)$/;

/** A value of the type that is written first in a node; -1 where none is. */
export function valueOfTypeIn(walk: Walk, node: number): number {
  const first = partsOf(walk, node).find(one => typeKinds.test(walk.tree.kind(one))) ?? -1;
  return walk.facts.instance(typeAt(walk, first));
}

/** A value of the type that a list of names follows: the type is a part of what stands around. */
export function valueOfTypeBefore(walk: Walk, list: number): number {
  const { tree, facts, previous } = walk;
  let first = -1;
  for (let at = previous[list]!; at >= 0; at = previous[at]!) {
    const kind = tree.kind(at);
    if (typeKinds.test(kind)) first = at;
    else if (/[;}]$/.test(tree.text(at)) || (first >= 0 && kind !== '.')) break;
  }
  return facts.instance(typeAt(walk, first));
}

/** The type whose name starts at a node; what it is applied to are the node's siblings. */
export function typeAt(walk: Walk, node: number): number {
  const { tree } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  if (tree.kind(node) === 'function_type') return functionType(walk, node);
  if (tree.kind(node) !== 'type_identifier') return -1;
  let named = node;
  let next = siblingAfter(walk, named);
  if (tree.kind(next) === 'type_identifier' && followsDot(walk, next)) {
    named = next;
    next = siblingAfter(walk, named);
  }
  // Of what is `dynamic` nothing is known.
  const type = named === node && tree.text(node) === 'dynamic' ? walk.facts.unknown() : typeNamed(walk, named);
  return tree.kind(next) === 'type_arguments' ? applied(walk, type, next) : type;
}

/** What a function takes is what its type is applied to. */
function functionType(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const result = valueOfTypeIn(walk, node);
  const taken = partsOf(walk, tree.childOfKind(node, 'parameter_type_list'))
    .filter(one => tree.kind(one) === 'normal_parameter_type')
    .map(one => {
      const named = tree.childOfKind(one, 'typed_identifier');
      return valueOfTypeIn(walk, named < 0 ? one : named);
    });
  const made = facts.functionOf(result < 0 ? facts.unknown() : result);
  return taken.reduce((of, one) => facts.generic(of, one < 0 ? facts.unknown() : one), made);
}

/** What a type's name denotes; of `prefix.Type` both parts are siblings. */
export function typeNamed(walk: Walk, node: number): number {
  const { tree, facts, scopes } = walk;
  const name = tree.text(node);
  const prefix = followsDot(walk, node) ? before(walk, node) : -1;
  if (tree.kind(prefix) === 'type_identifier') {
    const of = scopes.resolve(tree.text(prefix));
    return facts.member(of === undefined ? core(walk, tree.text(prefix)) : of.expression, name);
  }
  const known = scopes.resolve(name);
  return known?.kind === 'local' && known.expression < 0 ? -1 : (known?.expression ?? core(walk, name));
}

function applied(walk: Walk, type: number, list: number): number {
  const { tree, facts } = walk;
  let found = type;
  for (const one of argumentsOf(walk, list)) {
    const argument =
      tree.kind(one) === 'type_identifier' || tree.kind(one) === 'function_type' ? typeAt(walk, one) : -1;
    found = facts.generic(found, argument < 0 ? facts.unknown() : argument);
  }
  return found;
}

/** The nodes with which the arguments of a list begin: `a.B<C>, D` are four siblings. */
export function argumentsOf(walk: Walk, list: number): readonly number[] {
  const { tree } = walk;
  return partsOf(walk, list).filter(one => typeKinds.test(tree.kind(one)) && !followsDot(walk, one));
}

/** Binds type parameters: each to its argument where the definition at `slot` is applied, and to what bounds it. */
export function bindTypeParameters(walk: Walk, holder: number, slot: number): void {
  const { tree, facts, scopes } = walk;
  const list = tree.childOfKind(holder, 'type_parameters');
  tree.namedChildren(list).forEach((one, position) => {
    const name = tree.text(tree.childOfKind(one, 'type_identifier'));
    if (name === '') return;
    const bound = tree.childOfKind(one, 'type_bound');
    const argument = slot < 0 ? -1 : facts.argument(slot, position);
    scopes.declare(name, () => facts.either(argument, typeAt(walk, tree.childOfKind(bound, 'type_identifier'))));
  });
}

function siblingAfter({ tree }: Walk, node: number): number {
  let at = tree.nextSibling(node);
  while (at >= 0 && (!tree.isNamed(at) || tree.kind(at).includes('comment'))) at = tree.nextSibling(at);
  return at;
}
