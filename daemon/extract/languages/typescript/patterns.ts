import type { BindingKind } from '../../scopes.ts';
import { isTooDeep, propertyName, visitComputedKey, type Walk } from './context.ts';
import { typeValue } from './types.ts';
import { evidentValue } from './values.ts';

/** The identifiers that a binding pattern binds. */
export function patternNames(walk: Walk, pattern: number): number[] {
  const { tree } = walk;
  if (isTooDeep(walk, pattern)) return [];
  switch (tree.kind(pattern)) {
    case 'identifier':
    case 'shorthand_property_identifier_pattern':
      return [pattern];
    case 'pair_pattern':
      return patternNames(walk, tree.child(pattern, 'value'));
    case 'assignment_pattern':
    case 'object_assignment_pattern':
      return patternNames(walk, tree.child(pattern, 'left'));
    case 'object_pattern':
    case 'array_pattern':
    case 'rest_pattern':
      return tree.namedChildren(pattern).flatMap(child => patternNames(walk, child));
    default:
      return [];
  }
}

/**
 * Binds a pattern to a value in the innermost scope: locals get their share of it, definitions made at the scope's entry
 * get it as their type. Walks defaults and computed keys on the way, and refers to the properties taken out.
 */
export function declarePattern(walk: Walk, pattern: number, value: number, type = -1): void {
  const { tree } = walk;
  if (isTooDeep(walk, pattern)) return;
  switch (tree.kind(pattern)) {
    case 'identifier':
    case 'shorthand_property_identifier_pattern':
      bind(walk, pattern, value);
      return;
    case 'assignment_pattern':
    case 'object_assignment_pattern': {
      const fallback = tree.child(pattern, 'right');
      const given = value < 0 ? evidentValue(walk, fallback) : value;
      declarePattern(walk, tree.child(pattern, 'left'), given, type);
      walk.visit(fallback);
      return;
    }
    case 'object_pattern':
      for (const child of tree.namedChildren(pattern)) declareProperty(walk, child, value, type);
      return;
    case 'array_pattern':
      declareElements(walk, pattern, value);
      return;
    case 'rest_pattern': {
      const isArray = tree.kind(tree.parent[pattern]!) !== 'object_pattern';
      declarePattern(walk, tree.namedChildren(pattern)[0] ?? -1, isArray ? value : -1);
      return;
    }
    default:
      if (pattern >= 0 && tree.isNamed(pattern)) walk.visit(pattern);
  }
}

function bind(walk: Walk, node: number, value: number, kind: BindingKind = 'local'): void {
  const slot = walk.slotOf.get(node);
  if (slot === undefined) walk.scopes.declare(walk.tree.text(node), value, kind);
  else walk.facts.setType(slot, value);
}

function declareProperty(walk: Walk, child: number, value: number, type: number): void {
  const { tree, facts } = walk;
  const isPair = tree.kind(child) === 'pair_pattern';
  const isDefaulted = tree.kind(child) === 'object_assignment_pattern';
  if (tree.kind(child) === 'rest_pattern') {
    declarePattern(walk, child, -1);
    return;
  }
  const key = isPair ? tree.child(child, 'key') : isDefaulted ? tree.child(child, 'left') : child;
  const name = propertyName(walk, key);
  const property = name === undefined ? -1 : propertyIn(walk, type, name);
  const declared = tree.namedChildren(tree.child(property, 'type'))[0] ?? -1;
  const member = facts.slot(walk.slotOf.get(property) ?? -1);
  const denoted = member >= 0 ? member : name === undefined ? -1 : facts.member(value, name);
  const share = declared >= 0 ? typeValue(walk, declared) : denoted;
  if (name !== undefined) facts.refer(key, 'read', denoted, name);
  visitComputedKey(walk, key);
  const bound = isPair ? tree.child(child, 'value') : child;
  const isName = /^(?:identifier|shorthand_property_identifier_pattern)$/.test(tree.kind(bound));
  if (isName && isModule(walk, value)) bind(walk, bound, share, 'global');
  else declarePattern(walk, bound, share, declared);
}

/** Whether a value is a module, awaited or not: what is taken out of it by its name is as good as imported. */
function isModule({ facts }: Walk, value: number): boolean {
  const one = facts.expressions[value];
  return facts.importAt(one?.op === 'awaited' ? one.of : value)?.name === '*';
}

/** The node at which an inline object type declares a property, -1 where it doesn't. */
function propertyIn(walk: Walk, type: number, name: string): number {
  const { tree } = walk;
  if (tree.kind(type) !== 'object_type') return -1;
  const properties = tree.namedChildren(type).filter(member => tree.kind(member) === 'property_signature');
  return properties.find(member => propertyName(walk, tree.child(member, 'name')) === name) ?? -1;
}

function declareElements(walk: Walk, pattern: number, value: number): void {
  const { tree, facts } = walk;
  let position = 0;
  for (const child of tree.children(pattern)) {
    if (tree.text(child) === ',') position++;
    else if (tree.kind(child) === 'rest_pattern') declarePattern(walk, child, value);
    else if (tree.isNamed(child)) declarePattern(walk, child, facts.member(value, String(position)));
  }
}
