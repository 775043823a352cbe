import { expect, isFunction, isTooDeep, propertyName, unwrap, visitComputedKey, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunction, visitFunctionValue } from './functions.ts';
import { evidentValue } from './values.ts';

/** Keys of an object that is the value of a definition are definitions inside it: `const.key.key`. */
export function visitObjectMembers(
  walk: Walk,
  object: number,
  container: number,
  self = walk.facts.slot(container),
): void {
  const { tree } = walk;
  if (isTooDeep(walk, object)) {
    walk.visit(object);
    return;
  }
  const outer = walk.thisValue;
  walk.thisValue = self;
  const expected = walk.expected.get(object) ?? -1;
  for (const child of tree.namedChildren(object)) visitObjectMember(walk, child, container, expected);
  walk.thisValue = outer;
}

function visitObjectMember(walk: Walk, node: number, container: number, expected: number): void {
  const { tree, facts } = walk;
  const wanted = referToMember(walk, node, expected);
  switch (tree.kind(node)) {
    case 'pair': {
      const key = tree.child(node, 'key');
      const value = tree.child(node, 'value');
      const slot = defineKey(walk, node, key, unwrap(walk, value), container);
      visitComputedKey(walk, key);
      if (slot < 0) walk.visit(value);
      else {
        expect(walk, value, wanted);
        // Inside an object that is declared to be of a type, so is each object under a key.
        const declared = facts.definition(container).type < 0 ? -1 : wanted;
        facts.within(slot, () => visitKeyValue(walk, slot, value, declared));
      }
      return;
    }
    case 'method_definition': {
      const key = tree.child(node, 'name');
      const slot = defineKey(walk, node, key, node, container);
      visitComputedKey(walk, key);
      if (wanted >= 0) walk.expected.set(node, wanted);
      if (slot < 0) visitFunction(walk, node, -1, -1);
      else facts.within(slot, () => visitFunction(walk, node, slot, -1));
      return;
    }
    case 'shorthand_property_identifier': {
      walk.visit(node);
      const slot = defineKey(walk, node, node, -1, container);
      facts.setType(slot, evidentValue(walk, node));
      return;
    }
    default:
      walk.visit(node);
  }
}

/** The key also fulfils a member of what the object is declared to be; gives what that member is. */
function referToMember(walk: Walk, node: number, expected: number): number {
  const { tree, facts } = walk;
  if (expected < 0) return -1;
  const kind = tree.kind(node);
  const key =
    kind === 'pair' ? tree.child(node, 'key') : kind === 'method_definition' ? tree.child(node, 'name') : node;
  const name = propertyName(walk, key);
  if (name === undefined) return -1;
  const member = facts.member(expected, name);
  facts.refer(key, 'write', member, name);
  return member;
}

function visitKeyValue(walk: Walk, slot: number, value: number, declared: number): void {
  const { tree, facts } = walk;
  const bare = unwrap(walk, value);
  const documented = walk.docs.type(tree.parent[value]!);
  if (isFunction(tree.kind(bare))) visitFunctionValue(walk, bare, slot, facts.call(documented) < 0 ? -1 : documented);
  else {
    const isObject = tree.kind(bare) === 'object';
    facts.setType(slot, facts.either(documented, isObject ? declared : evidentValue(walk, value)));
    if (isObject) visitObjectMembers(walk, bare, slot);
    else walk.visit(value);
  }
}

function defineKey(walk: Walk, node: number, key: number, value: number, container: number): number {
  const { tree, facts } = walk;
  const name = propertyName(walk, key);
  if (name === undefined) return -1;
  const isMethod = tree.kind(node) === 'method_definition' && !isAccessor(walk, node);
  const isCallable = isMethod || isFunction(tree.kind(value));
  const { exported } = facts.definition(container);
  return facts.define({
    name,
    kind: isCallable ? 'method' : 'property',
    suffix: isMethod ? 'method' : 'term',
    nameNode: key,
    node,
    container,
    signature: signatureOf(
      tree,
      node,
      isCallable ? tree.child(value, 'body') : tree.kind(value) === 'object' ? value : -1,
    ),
    documentation: documentationAbove(tree, node),
    visibility: exported ? 'public' : 'internal',
    exported,
    hasBody: value >= 0,
  });
}

/** `get x()` and `set x(v)`: a property to whoever uses it. */
export function isAccessor(walk: Walk, node: number): boolean {
  const { tree } = walk;
  const name = tree.child(node, 'name');
  for (let child = tree.firstChild(node); child >= 0 && child < name; child = tree.nextSibling(child)) {
    const kind = tree.kind(child);
    if (kind === 'get' || kind === 'set') return true;
  }
  return false;
}
