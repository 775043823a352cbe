import { isTypeNode, typeOf } from './types.ts';
import { baseType } from './values.ts';
import { nameOf, type Receiver, type Walk } from './walk.ts';

/** Declares type parameters; what one is bound to is what is known of it inside. */
export function declareTypeParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts, types } = walk;
  tree.namedChildren(tree.childOfKind(node, 'type_parameters')).forEach((one, position) => {
    const name = nameOf(walk, tree.childOfKind(one, 'identifier'));
    const bounds = [one, ...constraints(walk, node, name)].map(part => typeIn(walk, part));
    types.declare(name, () =>
      bounds
        .map(bound => (bound < 0 ? -1 : typeOf(walk, bound)))
        .reduce((of, bound) => facts.either(of, bound), facts.argument(slot, position)),
    );
  });
}

/** `where T : A, T : B`. */
function constraints(walk: Walk, node: number, name: string): readonly number[] {
  const { tree } = walk;
  return tree
    .namedChildren(tree.childOfKind(node, 'type_constraints'))
    .filter(one => nameOf(walk, tree.childOfKind(one, 'identifier')) === name);
}

function typeIn(walk: Walk, node: number): number {
  return walk.tree.namedChildren(node).find(part => isTypeNode(walk, part)) ?? -1;
}

export interface ParameterFound {
  readonly nameNode: number;
  readonly type: number;
  /** What it takes where the call leaves it out, or -1. */
  readonly preset: number;
  readonly value: number;
  readonly isRest: boolean;
}

/** Parameters of a function, in their order: a default and a `vararg` stand beside a parameter, not in it. */
export function parametersOf(walk: Walk, node: number): readonly ParameterFound[] {
  const { tree, facts } = walk;
  const found: ParameterFound[] = [];
  let isRest = false;
  const parts = tree.namedChildren(tree.childOfKind(node, 'function_value_parameters'));
  parts.forEach((one, index) => {
    if (tree.kind(one) === 'parameter_modifiers') isRest = /\bvararg\b/.test(tree.text(one));
    if (tree.kind(one) !== 'parameter') return;
    const type = tree.namedChildren(one).at(-1) ?? -1;
    const written = facts.instance(typeOf(walk, type));
    const next = parts[index + 1] ?? -1;
    const preset = /^(?:parameter|parameter_modifiers|annotation)$|comment/.test(tree.kind(next)) ? -1 : next;
    const value = isRest ? arrayOf(walk, written) : written;
    found.push({ nameNode: tree.childOfKind(one, 'identifier'), type, preset, value, isRest });
    isRest = false;
  });
  return found;
}

/** The type that an extension extends, or -1. */
export function extendedType({ tree }: Walk, node: number): number {
  for (const child of tree.namedChildren(node)) {
    if (tree.field(child) === 'name' || /variable_declaration$/.test(tree.kind(child))) return -1;
    if (/_type$/.test(tree.kind(child))) return child;
  }
  return -1;
}

/** What a function takes, in the forms that `parameter-shape.ts` tells. */
export function describeParameters(walk: Walk, slot: number, receiver: number, found: readonly ParameterFound[]): void {
  const { facts } = walk;
  if (receiver >= 0)
    facts.addSuper(slot, facts.otherwise(known(walk, facts.instance(typeOf(walk, receiver))), facts.unknown()));
  for (const { value, preset, isRest } of found) {
    const taken = known(walk, value);
    const optional = taken === facts.unknown() ? facts.instance(facts.free('Any')) : taken;
    if (isRest) facts.addSuper(slot, facts.either(facts.unknown(), taken));
    else facts.addSuper(slot, preset >= 0 ? facts.either(optional, facts.unknown()) : taken);
  }
}

function known({ facts }: Walk, expression: number): number {
  return expression < 0 ? facts.unknown() : expression;
}

/** What a class extends, in front of what it implements. */
export function describeClass(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  const bases = basesOf(walk, node);
  const isExtended = (one: number): boolean => tree.childOfKind(one, 'constructor_invocation') >= 0;
  for (const one of [...bases.filter(isExtended), ...bases.filter(one => !isExtended(one))]) {
    facts.addSuper(slot, typeOf(walk, baseType(walk, one)));
  }
  const companion = tree.namedChildren(bodyOf(walk, node)).find(one => tree.kind(one) === 'companion_object') ?? -1;
  const ofCompanion = walk.slots.byNode.get(companion);
  const copying = isData(walk, node) ? facts.functionOf(facts.instance(facts.slot(slot))) : -1;
  if (ofCompanion !== undefined || copying >= 0) {
    facts.setType(slot, facts.either(ofCompanion === undefined ? -1 : facts.slot(ofCompanion), copying));
  } else if (facts.definition(slot).kind === 'interface') describeFunctional(walk, node, slot);
}

/** Whether the compiler makes `copy` for a class; what the parser is shown of it may lack the word. */
function isData({ tree }: Walk, node: number): boolean {
  const before = tree.source.slice(tree.start[node]!, tree.start[tree.child(node, 'name')] ?? 0);
  return /\bdata\s+(?:\w+\s+)*class\s+$/.test(before);
}

/** An interface with one function is such a function. */
function describeFunctional(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  const isOpen = (one: number): boolean =>
    tree.kind(one) === 'function_declaration' && tree.childOfKind(one, 'function_body') < 0;
  const open = tree.namedChildren(bodyOf(walk, node)).filter(isOpen);
  if (open.length === 1) facts.setType(slot, facts.slot(walk.slots.byNode.get(open[0]!) ?? -1));
}

function basesOf({ tree }: Walk, node: number): readonly number[] {
  return tree.namedChildren(tree.childOfKind(node, 'delegation_specifiers'));
}

export function bodyOf({ tree }: Walk, node: number): number {
  return tree.namedChildren(node).find(one => /^(?:class_body|enum_class_body)$/.test(tree.kind(one))) ?? -1;
}

/** The class that a declaration with a name opens; its companion's members are in sight too. */
export function namedClass(walk: Walk, node: number, slot: number): Receiver {
  const { facts, tree, slots } = walk;
  const companions = tree
    .namedChildren(bodyOf(walk, node))
    .filter(one => tree.kind(one) === 'companion_object')
    .map(one => ({ node: one, slot: slots.byNode.get(one) ?? -1 }));
  const isEnum = facts.definition(slot).kind === 'enum';
  let parameters: Receiver['parameters'];
  return {
    value: facts.instance(facts.slot(slot)),
    slot,
    isSure: true,
    label: facts.definition(slot).name,
    inherits: isEnum || [node, ...companions.map(one => one.node)].some(one => basesOf(walk, one).length > 0),
    own: name => [slot, ...companions.map(one => one.slot)].flatMap(one => facts.slotsNamed(one, name)),
    get parameters() {
      // Not before the class is around: its types may be of its body.
      parameters ??= constructorParameters(walk, node);
      return parameters;
    },
  };
}

function constructorParameters(walk: Walk, node: number) {
  const { tree } = walk;
  const list = tree.childOfKind(tree.childOfKind(node, 'primary_constructor'), 'class_parameters');
  return tree
    .namedChildren(list)
    .filter(one => tree.kind(one) === 'class_parameter' && !walk.slots.byNode.has(one))
    .map(one => [nameOf(walk, tree.childOfKind(one, 'identifier')), takenBy(walk, one)] as const);
}

/** What a parameter of a class's constructor takes. */
export function takenBy(walk: Walk, parameter: number): number {
  const { tree } = walk;
  const type = tree.namedChildren(parameter).find(one => isTypeNode(walk, one)) ?? -1;
  const written = walk.facts.instance(typeOf(walk, type));
  const isRest = /\bvararg\b/.test(tree.text(tree.childOfKind(parameter, 'modifiers')));
  return isRest ? arrayOf(walk, written) : written;
}

function arrayOf(walk: Walk, element: number): number {
  const { facts } = walk;
  return facts.instance(facts.generic(facts.free('Array'), known(walk, element)));
}

/** A class without a name: `object : T {…}`, or the body of an enum's constant. */
export function bodyClass(walk: Walk, body: number, value: number): Receiver {
  const { tree, facts, slots } = walk;
  const members = new Map<string, number[]>();
  for (const one of tree.namedChildren(body)) {
    const node = tree.kind(one) === 'property_declaration' ? tree.childOfKind(one, 'variable_declaration') : one;
    const slot = slots.byNode.get(node);
    if (slot === undefined) continue;
    const { name } = facts.definition(slot);
    members.set(name, [...(members.get(name) ?? []), slot]);
  }
  return { value, slot: -1, isSure: true, label: '', inherits: value >= 0, own: name => members.get(name) ?? [] };
}
