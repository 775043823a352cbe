import { arrayOf, typeOf } from './types.ts';
import { valueAt } from './values.ts';
import type { ClassAround, Walk } from './walk.ts';

/** Declares the type parameters of a class or method; what one is bound to is what is known of it inside. */
export function declareTypeParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts, types } = walk;
  const list = tree.childOfKind(node, 'type_parameters');
  tree.namedChildren(list).forEach((one, position) => {
    const name = tree.text(tree.childOfKind(one, 'type_identifier'));
    const bounds = tree.namedChildren(tree.childOfKind(one, 'type_bound'));
    types.declare(name, () =>
      bounds
        .map(bound => typeOf(walk, bound))
        .reduce((of, bound) => facts.either(of, bound), facts.argument(slot, position)),
    );
  });
}

/** What a method gives and takes. */
export function describeMethod(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  const type = tree.child(node, 'type');
  if (type >= 0) facts.setType(slot, facts.instance(typeOf(walk, type)));
  for (const parameter of parametersOf(walk, node)) {
    const { value } = parameter;
    const taken = value < 0 ? facts.unknown() : value;
    facts.addSuper(slot, parameter.isRest ? facts.either(facts.unknown(), taken) : taken);
  }
}

interface ParameterFound {
  readonly nameNode: number;
  readonly value: number;
  readonly isRest: boolean;
}

export function parametersOf(walk: Walk, node: number): readonly ParameterFound[] {
  const { tree, facts } = walk;
  const list = tree.child(node, 'parameters');
  const found: ParameterFound[] = [];
  for (const one of tree.namedChildren(list)) {
    if (tree.kind(one) === 'formal_parameter') {
      const type = typeOf(walk, tree.child(one, 'type'));
      const dimensions = tree.text(tree.child(one, 'dimensions'));
      const value = facts.instance(arrayOf(walk, type, dimensions));
      found.push({ nameNode: tree.child(one, 'name'), value, isRest: false });
    } else if (tree.kind(one) === 'spread_parameter') {
      const declarator = tree.childOfKind(one, 'variable_declarator');
      const type = tree.namedChildren(one).find(child => !/modifiers|declarator/.test(tree.kind(child))) ?? -1;
      const value = facts.instance(arrayOf(walk, typeOf(walk, type)));
      found.push({ nameNode: tree.child(declarator, 'name'), value, isRest: true });
    }
  }
  return found;
}

/** What a class extends and implements, and for an interface with one method, that it is such a function. */
export function describeClass(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  for (const base of basesOf(walk, node)) facts.addSuper(slot, typeOf(walk, base));
  if (tree.kind(node) !== 'interface_declaration') return;
  const methods = tree
    .namedChildren(tree.child(node, 'body'))
    .filter(one => tree.kind(one) === 'method_declaration' && tree.child(one, 'body') < 0);
  const [only] = methods;
  if (methods.length === 1) facts.setType(slot, facts.slot(walk.slots.byNode.get(only!) ?? -1));
}

function basesOf(walk: Walk, node: number): readonly number[] {
  return baseClauses.flatMap(kind => basesIn(walk, walk.tree.childOfKind(node, kind)));
}

/** In this order: what a class extends stands first. */
export const baseClauses: readonly string[] = ['superclass', 'super_interfaces', 'extends_interfaces'];

export function basesIn({ tree }: Walk, clause: number): readonly number[] {
  return tree
    .namedChildren(clause)
    .flatMap(part => (tree.kind(part) === 'type_list' ? tree.namedChildren(part) : [part]));
}

/** The class that a declaration with a name opens. */
export function namedClass(walk: Walk, node: number, slot: number): ClassAround {
  const { facts, tree } = walk;
  return {
    type: facts.slot(slot),
    slot,
    extended: tree.child(node, 'superclass') < 0 ? -1 : facts.superOf(slot),
    inherits: basesOf(walk, node).length > 0 || tree.kind(node) === 'enum_declaration',
    own: name => facts.slotsNamed(slot, name),
  };
}

/** A class without a name: `new T() {…}`, or the body of an enum's constant. */
export function bodyClass(walk: Walk, body: number, type: number): ClassAround {
  const { tree, facts, slots } = walk;
  const members = new Map<string, number[]>();
  for (const one of tree.namedChildren(body)) {
    const nodes = tree.kind(one) === 'field_declaration' ? tree.childrenIn(one, 'declarator') : [one];
    for (const node of nodes) {
      const slot = slots.byNode.get(node);
      if (slot === undefined) continue;
      const { name } = facts.definition(slot);
      members.set(name, [...(members.get(name) ?? []), slot]);
    }
  }
  return { type, slot: -1, extended: type, inherits: type >= 0, own: name => members.get(name) ?? [] };
}

/** Variables of a declaration with their types; `var` is what it is given. */
export function declareVariables(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const type = tree.child(node, 'type');
  const isInferred = tree.text(type) === 'var';
  const declared = isInferred ? -1 : typeOf(walk, type);
  for (const one of tree.childrenIn(node, 'declarator')) {
    const dimensions = tree.text(tree.child(one, 'dimensions'));
    const value = isInferred
      ? valueAt(walk, tree.child(one, 'value'))
      : facts.instance(arrayOf(walk, declared, dimensions));
    scopes.declare(tree.text(tree.child(one, 'name')), value);
  }
}
