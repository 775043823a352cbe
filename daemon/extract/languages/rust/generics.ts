import { boundsOf } from './types.ts';
import type { Walk } from './walk.ts';

/**
 * Binds the type parameters of an item. Each stands for what it is bounded by, and in a type, first for what it is
 * applied to: `owner` is that type's slot.
 */
export function bindTypeParameters(walk: Walk, item: number, owner: number): void {
  const { tree, facts, module } = walk;
  const list = tree.namedChildren(tree.child(item, 'type_parameters')).filter(one => !isLifetime(walk, one));
  list.forEach((one, index) => {
    const nameNode = parameterName(walk, one);
    if (nameNode < 0) return;
    const name = tree.text(nameNode);
    walk.bound.add(nameNode);
    const position = owner < 0 ? -1 : positionIn(walk, item, name, index);
    module.scopes.declare(name, () => {
      const bound = facts.either(boundsOf(walk, tree.child(one, 'bounds')), whereBounds(walk, item, name));
      return position < 0 ? bound : facts.either(facts.argument(owner, position), bound);
    });
  });
}

function isLifetime({ tree }: Walk, parameter: number): boolean {
  return tree.kind(parameter).includes('lifetime') || tree.kind(parameter) === 'attribute_item';
}

function parameterName({ tree }: Walk, parameter: number): number {
  if (tree.kind(parameter) === 'type_identifier') return parameter;
  const name = tree.child(parameter, 'name') >= 0 ? tree.child(parameter, 'name') : tree.child(parameter, 'left');
  return name;
}

/** Of `impl<T> Foo<u8, T>` the parameter is Foo's second, as it is of `impl<T> Trait for &Foo<u8, T>`. */
function positionIn({ tree }: Walk, item: number, name: string, index: number): number {
  if (tree.kind(item) !== 'impl_item') return index;
  const written = tree.child(item, 'type');
  const type = tree.kind(written) === 'reference_type' ? tree.child(written, 'type') : written;
  const given = tree.namedChildren(tree.child(type, 'type_arguments')).filter(one => tree.kind(one) !== 'lifetime');
  return given.findIndex(one => tree.text(one) === name);
}

function whereBounds(walk: Walk, item: number, name: string): number {
  const { tree, facts } = walk;
  return tree
    .namedChildren(tree.childOfKind(item, 'where_clause'))
    .filter(one => tree.text(tree.child(one, 'left')) === name)
    .map(one => boundsOf(walk, tree.child(one, 'bounds')))
    .reduce((of, other) => facts.either(of, other), -1);
}
