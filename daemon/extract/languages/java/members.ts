import {
  baseClauses,
  basesIn,
  declareTypeParameters,
  describeClass,
  describeMethod,
  namedClass,
  parametersOf,
} from './declare.ts';
import { visitType } from './references.ts';
import { arrayOf, typeOf } from './types.ts';
import { visitChildren, type Walk } from './walk.ts';

export function visitClass(walk: Walk, node: number): void {
  const { tree, facts, types, scopes, classes } = walk;
  const slot = walk.slots.byNode.get(node);
  if (slot === undefined) return;
  const { container, name } = facts.definition(slot);
  // What a block declares is seen there; a member, wherever its class is.
  if (classes.every(one => one.slot !== container)) types.declare(name, facts.slot(slot), 'global');
  facts.within(slot, () =>
    types.inside('class', () => {
      declareTypeParameters(walk, node, slot);
      describeClass(walk, node, slot);
      for (const one of tree.namedChildren(node)) {
        if (one !== tree.child(node, 'body') && one !== tree.child(node, 'name')) visitPart(walk, one);
      }
      classes.push(namedClass(walk, node, slot));
      scopes.inside('class', () => visitChildren(walk, tree.child(node, 'body')));
      classes.pop();
    }),
  );
}

function visitPart(walk: Walk, part: number): void {
  const { tree } = walk;
  const kind = tree.kind(part);
  if (kind === 'formal_parameters') for (const one of tree.namedChildren(part)) visitComponent(walk, one);
  else if (baseClauses.includes(kind)) for (const one of basesIn(walk, part)) visitType(walk, one, 'implementation');
  else walk.visit(part);
}

/** The components of a record are its fields. */
function visitComponent(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slots.byNode.get(node);
  walk.visit(tree.childOfKind(node, 'modifiers'));
  walk.visit(tree.child(node, 'type'));
  if (slot !== undefined) facts.setType(slot, facts.instance(typeOf(walk, tree.child(node, 'type'))));
}

export function visitMethod(walk: Walk, node: number): void {
  const { tree, facts, types, scopes } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  const visitParts = (): void =>
    types.inside('function', () =>
      scopes.inside('function', () => {
        declareTypeParameters(walk, node, slot);
        if (slot >= 0) describeMethod(walk, node, slot);
        for (const one of tree.namedChildren(node)) {
          if (/identifier/.test(tree.kind(one)) && tree.field(one) === 'name') continue;
          if (tree.kind(one) === 'formal_parameters') visitParameters(walk, one);
          else if (tree.field(one) !== 'body') walk.visit(one);
        }
        for (const { nameNode, value } of parametersOf(walk, node)) scopes.declare(tree.text(nameNode), value);
        walk.visit(tree.child(node, 'body'));
      }),
    );
  if (slot < 0) visitParts();
  else facts.within(slot, visitParts);
}

function visitParameters(walk: Walk, list: number): void {
  const { tree } = walk;
  for (const one of tree.namedChildren(list)) {
    for (const part of tree.namedChildren(one)) {
      if (tree.kind(part) !== 'identifier' && !/declarator/.test(tree.kind(part))) walk.visit(part);
    }
  }
}

export function visitField(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const type = tree.child(node, 'type');
  walk.visit(tree.childOfKind(node, 'modifiers'));
  walk.visit(type);
  for (const one of tree.childrenIn(node, 'declarator')) {
    const slot = walk.slots.byNode.get(one);
    if (slot === undefined) continue;
    const dimensions = tree.text(tree.child(one, 'dimensions'));
    facts.setType(slot, facts.instance(arrayOf(walk, typeOf(walk, type), dimensions)));
    facts.within(slot, () => walk.visit(tree.child(one, 'value')));
  }
}
