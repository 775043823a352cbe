import { maxDepth } from '../../builder.ts';
import { nameValue, type Walk } from './walk.ts';

/** The type that a type expression names. Pointers are looked through: `*T` has the members of `T`. */
export function typeOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'type_identifier':
    case 'identifier':
      return nameValue(walk, node);
    case 'qualified_type':
      return facts.member(nameValue(walk, tree.child(node, 'package')), tree.text(tree.child(node, 'name')));
    case 'pointer_type':
    case 'parenthesized_type':
    case 'type_elem':
    case 'negated_type':
      return typeOf(walk, tree.namedChildren(node)[0] ?? -1);
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      return listOf(walk, typeOf(walk, tree.child(node, 'element')));
    case 'channel_type':
      return listOf(walk, typeOf(walk, tree.child(node, 'value')));
    case 'map_type':
      return applied(walk, 'map[]', [typeOf(walk, tree.child(node, 'key')), typeOf(walk, tree.child(node, 'value'))]);
    case 'function_type':
      return facts.functionOf(resultOf(walk, node));
    case 'struct_type':
      return ownerOf(walk, node) ?? recordOf(walk, node);
    case 'interface_type':
      return ownerOf(walk, node) ?? (fieldsOf(walk, node).length === 0 ? -1 : recordOf(walk, node));
    case 'generic_type': {
      const parts = tree.namedChildren(tree.child(node, 'type_arguments'));
      return withTypes(walk, typeOf(walk, tree.child(node, 'type')), parts);
    }
    default:
      return -1;
  }
}

/** A type or a function with type arguments. */
export function withTypes(walk: Walk, of: number, types: readonly number[]): number {
  return types.reduce((made, one) => walk.facts.generic(made, known(walk, typeOf(walk, one))), of);
}

/** What has the members of a type without a name as its own. */
function ownerOf({ facts, slots }: Walk, type: number): number | undefined {
  const slot = slots.get(type);
  return slot === undefined ? undefined : facts.slot(slot);
}

/** Of a struct written out in a function no more fields than these are told apart. */
const maxFields = 64;

interface Field {
  /** With a `*` in front, the name of what is embedded. */
  readonly name: string;
  value(): number;
}

/**
 * A type without a name or an owner that has one, as that of a test's table: it is what its fields are. They are its own
 * as locals are a function's, no definitions, and the type tells only what they hold.
 */
function recordOf(walk: Walk, type: number): number {
  const fields = fieldsOf(walk, type).slice(0, maxFields);
  const values = fields.map(({ value }) => known(walk, value()));
  const word = walk.tree.kind(type) === 'struct_type' ? 'struct' : 'interface';
  const record = walk.facts.free(`${word}{${fields.map(({ name }) => name).join(' ')}}`);
  return values.reduce((of, value) => walk.facts.generic(of, value), record);
}

/** The fields of a struct and the methods of an interface that are written out. */
function fieldsOf(walk: Walk, type: number): readonly Field[] {
  const { tree } = walk;
  const isStruct = tree.kind(type) === 'struct_type';
  const body = isStruct ? tree.childOfKind(type, 'field_declaration_list') : type;
  return tree.namedChildren(body).flatMap(member => {
    switch (tree.kind(member)) {
      case 'field_declaration':
        return declaredBy(walk, member);
      case 'method_elem':
        return [{ name: tree.text(tree.child(member, 'name')), value: () => methodOf(walk, member) }];
      case 'type_elem':
        return elementsOf(walk, member);
      default:
        return [];
    }
  });
}

function declaredBy(walk: Walk, field: number): readonly Field[] {
  const { tree, facts } = walk;
  const type = tree.child(field, 'type');
  const names = tree.childrenIn(field, 'name').filter(name => tree.isNamed(name));
  if (names.length === 0) return embedded(walk, type);
  return names.map(name => ({ name: tree.text(name), value: () => facts.instance(typeOf(walk, type)) }));
}

/** What an interface embeds; of several types or one with a `~` it is a constraint. */
function elementsOf(walk: Walk, element: number): readonly Field[] {
  const { tree } = walk;
  const [type = -1, ...others] = tree.namedChildren(element);
  const isNamed = /^(?:type_identifier|qualified_type|generic_type)$/.test(tree.kind(type));
  return others.length === 0 && isNamed ? embedded(walk, type) : [];
}

function embedded(walk: Walk, type: number): readonly Field[] {
  const name = walk.tree.text(embeddedName(walk, type));
  return name === '' ? [] : [{ name: `*${name}`, value: () => walk.facts.instance(typeOf(walk, type)) }];
}

function methodOf(walk: Walk, element: number): number {
  return walk.facts.functionOf(known(walk, resultOf(walk, element)));
}

/** What calling a function of that declaration or type gives: a value, or a tuple of them. */
export function resultOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const result = tree.child(node, 'result');
  if (result < 0) return -1;
  if (tree.kind(result) !== 'parameter_list') return facts.instance(typeOf(walk, result));
  const results: number[] = [];
  for (const one of tree.namedChildren(result)) {
    const value = facts.instance(typeOf(walk, tree.child(one, 'type')));
    const names = tree.childrenIn(one, 'name').filter(name => tree.isNamed(name)).length;
    for (let count = Math.max(1, names); count > 0; count--) results.push(value);
  }
  return results.length === 1 ? results[0]! : facts.instance(applied(walk, 'tuple', results));
}

/** `*pkg.Name[T]` is a field called `Name`. */
export function embeddedName({ tree }: Walk, type: number): number {
  let at = type;
  for (let steps = 0; steps < 6; steps++) {
    const kind = tree.kind(at);
    if (kind === 'type_identifier') return at;
    at =
      kind === 'qualified_type'
        ? tree.child(at, 'name')
        : kind === 'generic_type'
          ? tree.child(at, 'type')
          : (tree.namedChildren(at)[0] ?? -1);
  }
  return -1;
}

export function listOf(walk: Walk, element: number): number {
  return applied(walk, '[]', [element]);
}

function applied(walk: Walk, name: string, parts: readonly number[]): number {
  const { facts } = walk;
  return parts.slice(0, 12).reduce((of, part) => facts.generic(of, known(walk, part)), facts.free(name));
}

function known({ facts }: Walk, expression: number): number {
  return expression < 0 ? facts.unknown() : expression;
}

/** What a definition's type parameters denote inside of it: their arguments, and what their constraints tell. */
export function bindTypeParameters(walk: Walk, list: number, slot: number): void {
  const { tree, facts, scopes, constraints, typeParameters } = walk;
  let position = 0;
  for (const one of tree.namedChildren(list)) {
    const constraint = tree.child(one, 'type');
    for (const name of tree.childrenIn(one, 'name')) {
      if (!tree.isNamed(name)) continue;
      const argument = slot < 0 ? -1 : facts.argument(slot, position++);
      constraints.set(argument, constraint);
      typeParameters.add(tree.text(name));
      scopes.declare(tree.text(name), () => constrained(walk, argument, constraint));
    }
  }
}

/** `func (s *Set[K, V])` names anew the parameters of the type that the method at a slot belongs to. */
export function bindReceiverParameters(walk: Walk, receiver: number, slot: number): void {
  const { tree, facts, scopes, constraints, typeParameters } = walk;
  if (receiver < 0) return;
  const owner = slot < 0 ? -1 : facts.definition(slot).container;
  for (let node = receiver; node < tree.after[receiver]!; node++) {
    if (tree.kind(node) !== 'type_arguments') continue;
    tree.namedChildren(node).forEach((one, position) => {
      const argument = owner < 0 ? -1 : facts.argument(owner, position);
      typeParameters.add(tree.text(one));
      scopes.declare(tree.text(one), () => constrained(walk, argument, constraints.get(argument) ?? -1));
    });
  }
}

function constrained(walk: Walk, argument: number, constraint: number): number {
  return walk.facts.either(argument, constraintOf(walk, constraint));
}

/** What all that fits a constraint has; -1 where that are several types, or any. */
function constraintOf(walk: Walk, constraint: number): number {
  const { tree } = walk;
  const parts = constraint < 0 ? [] : tree.namedChildren(constraint);
  return parts.length !== 1 || /^(?:any|comparable)$/.test(tree.text(constraint)) ? -1 : typeOf(walk, parts[0]!);
}
