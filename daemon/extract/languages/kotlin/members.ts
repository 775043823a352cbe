import {
  bodyClass,
  bodyOf,
  declareTypeParameters,
  describeClass,
  describeParameters,
  extendedType,
  namedClass,
  parametersOf,
  takenBy,
} from './declare.ts';
import { referPart } from './operators.ts';
import { isTypeNode, typeOf } from './types.ts';
import { valueAt } from './values.ts';
import { bind, inside, type Receiver, visitChildren, type Walk } from './walk.ts';

export function visitClass(walk: Walk, node: number): void {
  const { tree, facts, types, scopes, receivers } = walk;
  const slot = walk.slots.byNode.get(node);
  if (slot === undefined) {
    visitChildren(walk, node);
    return;
  }
  const { container, name } = facts.definition(slot);
  const isLocal = container >= 0 && receivers.every(one => one.slot !== container);
  if (isLocal) for (const one of [types, scopes]) one.declare(name, facts.slot(slot), 'global');
  facts.within(slot, () =>
    inside(walk, 'class', () => {
      declareTypeParameters(walk, node, slot);
      describeClass(walk, node, slot);
      const body = bodyOf(walk, node);
      visit(walk, tree.childOfKind(node, 'modifiers'));
      visit(walk, tree.childOfKind(node, 'type_parameters'));
      receivers.push(namedClass(walk, node, slot));
      visitConstructor(walk, tree.childOfKind(node, 'primary_constructor'));
      initialise(walk, () => visit(walk, tree.childOfKind(node, 'delegation_specifiers')));
      for (const one of tree.namedChildren(node)) if (/type_constraints/.test(tree.kind(one))) visit(walk, one);
      visitChildren(walk, body);
      receivers.pop();
    }),
  );
}

function visit(walk: Walk, node: number): void {
  if (node >= 0) walk.visit(node);
}

/** Runs `body` where the parameters of the class's constructor are seen. */
function initialise(walk: Walk, body: () => void): void {
  inside(walk, 'block', () => {
    const around = walk.receivers.at(-1);
    for (const [name, value] of around?.parameters ?? []) walk.scopes.declare(name, value);
    body();
  });
}

export function visitInitialiser(walk: Walk, node: number): void {
  initialise(walk, () => visitChildren(walk, node));
}

function visitConstructor(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  visit(walk, tree.childOfKind(node, 'modifiers'));
  for (const one of tree.namedChildren(tree.childOfKind(node, 'class_parameters'))) {
    const parts = tree.namedChildren(one);
    const type = parts.find(part => isTypeNode(walk, part)) ?? -1;
    const slot = walk.slots.byNode.get(one);
    if (slot !== undefined) facts.setType(slot, takenBy(walk, one));
    initialise(walk, () => {
      for (const part of parts) if (tree.kind(part) !== 'identifier' || part > type) visit(walk, part);
    });
  }
}

export function visitFunction(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  if (slot >= 0) {
    const { container, name } = facts.definition(slot);
    const isMember = container < 0 || tree.kind(tree.parent[node]!) !== 'block';
    if (!isMember) scopes.declare(name, facts.slot(slot), 'global');
  }
  const visitParts = (): void => inside(walk, 'function', () => visitParameters(walk, node, slot));
  if (slot < 0) visitParts();
  else facts.within(slot, visitParts);
}

function visitParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts, receivers } = walk;
  declareTypeParameters(walk, node, slot);
  const found = parametersOf(walk, node);
  const receiver = extendedType(walk, node);
  if (slot >= 0) describeParameters(walk, slot, receiver, found);
  for (const one of tree.namedChildren(node)) {
    if (/^(?:modifiers|type_parameters|type_constraints)$/.test(tree.kind(one))) visit(walk, one);
    else if (isTypeNode(walk, one)) visit(walk, one);
  }
  if (receiver >= 0) receivers.push(extended(walk, receiver, slot < 0 ? '' : facts.definition(slot).name));
  for (const { type, preset, nameNode, value } of found) {
    visit(walk, type);
    visit(walk, preset);
    bind(walk, nameNode, value);
  }
  visit(walk, tree.childOfKind(node, 'constructor_delegation_call'));
  visitBody(walk, node, slot);
  if (receiver >= 0) receivers.pop();
}

function extended(walk: Walk, type: number, label: string): Receiver {
  return {
    value: walk.facts.instance(typeOf(walk, type)),
    slot: -1,
    isSure: true,
    label,
    inherits: true,
    own: () => [],
  };
}

/** What a function gives is written, or what its expression is. */
function visitBody(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  const list = tree.childOfKind(node, 'function_value_parameters');
  const result = tree.namedChildren(node).find(one => one > list && isTypeNode(walk, one)) ?? -1;
  const body = tree.namedChildren(node).find(one => /^(?:function_body|block)$/.test(tree.kind(one))) ?? -1;
  visit(walk, body);
  if (slot < 0) return;
  if (result >= 0) facts.setType(slot, facts.instance(typeOf(walk, result)));
  else facts.setType(slot, bodyValue(walk, body));
}

/** The value of a body that is an expression. */
function bodyValue(walk: Walk, body: number): number {
  const { tree } = walk;
  const [expression = -1] = tree.namedChildren(body);
  return tree.kind(expression) === 'block' || tree.kind(body) === 'block' ? -1 : valueAt(walk, expression);
}

/** Properties of files and classes, and variables of blocks. */
export function visitProperty(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const variable = tree.childOfKind(node, 'variable_declaration');
  const slot = walk.slots.byNode.get(variable);
  if (slot === undefined) {
    visitVariable(walk, node);
    return;
  }
  facts.within(slot, () =>
    inside(walk, 'function', () => {
      declareTypeParameters(walk, node, slot);
      const receiver = extendedType(walk, node);
      visit(walk, tree.childOfKind(node, 'modifiers'));
      visit(walk, receiver);
      if (receiver >= 0) walk.receivers.push(extended(walk, receiver, ''));
      const type = tree.namedChildren(variable).find(one => isTypeNode(walk, one)) ?? -1;
      visit(walk, type);
      let value = type < 0 ? -1 : facts.instance(typeOf(walk, type));
      initialise(walk, () => {
        for (const one of initialisersOf(walk, node)) {
          visit(walk, one);
          if (value < 0) value = valueAt(walk, held(walk, one));
        }
      });
      for (const kind of ['getter', 'setter']) {
        const given = visitAccessor(walk, tree.childOfKind(node, kind), value);
        if (kind === 'getter' && value < 0) value = given;
      }
      facts.setType(slot, value);
      if (receiver >= 0) walk.receivers.pop();
    }),
  );
}

/** What a property begins with or is delegated to. */
function initialisersOf({ tree }: Walk, node: number): readonly number[] {
  const variable = tree.namedChildren(node).find(one => /variable_declaration$/.test(tree.kind(one))) ?? -1;
  return tree
    .namedChildren(node)
    .filter(one => one > variable && !/^(?:getter|setter|type_constraints)$|comment/.test(tree.kind(one)));
}

function held({ tree }: Walk, node: number): number {
  return tree.kind(node) === 'property_delegate' ? (tree.namedChildren(node)[0] ?? -1) : node;
}

/** What a getter gives whose body is an expression. */
function visitAccessor(walk: Walk, node: number, value: number): number {
  const { tree } = walk;
  let given = -1;
  if (node < 0) return given;
  inside(walk, 'function', () => {
    walk.scopes.declare('field', value);
    bind(walk, tree.kind(node) === 'setter' ? tree.childOfKind(node, 'identifier') : -1, value);
    for (const one of tree.namedChildren(node)) {
      if (tree.kind(one) === 'identifier') continue;
      visit(walk, one);
      if (tree.kind(one) === 'function_body') given = bodyValue(walk, one);
    }
  });
  return given;
}

function visitVariable(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  visit(walk, tree.childOfKind(node, 'modifiers'));
  const variables = variablesOf(walk, node);
  for (const one of variables) {
    for (const part of tree.namedChildren(one)) if (tree.kind(part) !== 'identifier') visit(walk, part);
  }
  let value = -1;
  for (const one of initialisersOf(walk, node)) {
    visit(walk, one);
    if (value < 0) value = valueAt(walk, held(walk, one));
  }
  if (tree.childOfKind(node, 'multi_variable_declaration') >= 0) bindParts(walk, variables, value);
  else {
    const [variable = -1] = variables;
    const type = tree.namedChildren(variable).find(one => isTypeNode(walk, one)) ?? -1;
    bind(walk, tree.childOfKind(variable, 'identifier'), type < 0 ? value : facts.instance(typeOf(walk, type)));
  }
}

export function variablesOf({ tree }: Walk, node: number): readonly number[] {
  const several = tree.childOfKind(node, 'multi_variable_declaration');
  return tree.namedChildren(several < 0 ? node : several).filter(one => tree.kind(one) === 'variable_declaration');
}

/** `val (a, b) = value`. */
export function bindParts(walk: Walk, variables: readonly number[], value: number): void {
  const { tree, facts } = walk;
  variables.forEach((one, index) => {
    const name = `component${index + 1}`;
    referPart(walk, one, name, value);
    bind(walk, tree.childOfKind(one, 'identifier'), facts.call(facts.member(value, name)));
  });
}

/** A constant of an enum, which may have a body of its own. */
export function visitConstant(walk: Walk, node: number): void {
  const { tree, facts, receivers } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  const value = receivers.at(-1)?.value ?? -1;
  const visitParts = (): void => {
    for (const one of tree.namedChildren(node)) {
      if (tree.kind(one) === 'class_body') {
        receivers.push(bodyClass(walk, one, value));
        inside(walk, 'class', () => visitChildren(walk, one));
        receivers.pop();
      } else if (tree.kind(one) !== 'identifier') visit(walk, one);
    }
  };
  if (slot < 0) visitParts();
  else {
    facts.setType(slot, value);
    facts.within(slot, visitParts);
  }
}

export function visitAlias(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  inside(walk, 'class', () => {
    visit(walk, tree.childOfKind(node, 'modifiers'));
    declareTypeParameters(walk, node, slot);
    const type = tree.namedChildren(node).findLast(one => isTypeNode(walk, one)) ?? -1;
    if (slot >= 0) facts.setType(slot, facts.instance(typeOf(walk, type)));
    visit(walk, type);
  });
}

/** `object : Base(a), Iface {…}`. */
export function visitObject(walk: Walk, node: number): void {
  const { tree, receivers } = walk;
  visit(walk, tree.childOfKind(node, 'delegation_specifiers'));
  const body = tree.childOfKind(node, 'class_body');
  if (body < 0) return;
  receivers.push(bodyClass(walk, body, valueAt(walk, node)));
  inside(walk, 'class', () => visitChildren(walk, body));
  receivers.pop();
}
