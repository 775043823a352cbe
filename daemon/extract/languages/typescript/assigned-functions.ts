import { isFunction, unwrap, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunctionValue } from './functions.ts';

/**
 * `api.run = () => …` and `Made.from = function () {…}` among the statements of a file: the function is a member of the
 * object, function or class that the file declares under that name. False where the assignment is none of these.
 */
export function visitAssignedFunction(walk: Walk, assignment: number): boolean {
  const { tree, facts } = walk;
  const left = tree.child(assignment, 'left');
  const value = unwrap(walk, tree.child(assignment, 'right'));
  if (!isFunction(tree.kind(value)) || tree.kind(tree.parent[tree.parent[assignment]!]!) !== 'program') return false;
  const owner = tree.child(left, 'object');
  const container = ownerOf(walk, owner);
  const property = tree.child(left, 'property');
  if (container < 0 || tree.kind(property) !== 'property_identifier') return false;
  if (facts.slotsNamed(container, tree.text(property)).length > 0) return false;
  walk.visit(owner);
  const slot = define(walk, assignment, property, value, container);
  const documented = walk.docs.type(assignment);
  if (documented >= 0) walk.expected.set(value, documented);
  const outer = walk.thisValue;
  if (tree.kind(value) !== 'arrow_function') walk.thisValue = facts.slot(container);
  facts.within(slot, () => visitFunctionValue(walk, value, slot, documented));
  walk.thisValue = outer;
  return true;
}

/** Slot of what a name at the top of the file stands for, -1 where it has its members from somewhere else. */
function ownerOf({ tree, facts, scopes, madeObjects }: Walk, node: number): number {
  if (tree.kind(node) !== 'identifier') return -1;
  const [slot = -1, another] = facts.slotsNamed(-1, tree.text(node));
  if (slot < 0 || another !== undefined || scopes.resolve(tree.text(node))?.expression !== facts.slot(slot)) return -1;
  const { kind, type, hasBody } = facts.definition(slot);
  const isOwn =
    kind === 'function' ||
    kind === 'class' ||
    (/^(?:constant|variable)$/.test(kind) && hasBody && (type < 0 || madeObjects.has(slot)));
  return isOwn ? slot : -1;
}

function define(walk: Walk, assignment: number, property: number, value: number, container: number): number {
  const { tree, facts } = walk;
  const { exported, kind, visibility } = facts.definition(container);
  return facts.define({
    name: tree.text(property),
    kind: 'method',
    suffix: 'term',
    nameNode: property,
    node: assignment,
    container,
    signature: signatureOf(tree, assignment, tree.child(value, 'body')),
    documentation: documentationAbove(tree, tree.parent[assignment]!),
    visibility,
    exported,
    hasBody: true,
    isStatic: kind === 'class',
  });
}
