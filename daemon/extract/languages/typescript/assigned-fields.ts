import { isFunction, propertyName, unwrap, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunctionValue } from './functions.ts';
import { visitObjectMembers } from './objects.ts';
import { evidentValue } from './values.ts';

/** In JavaScript what a class assigns to `this` is a field of it, the constructor first, unless its body declares it. */
export function defineAssignedFields(walk: Walk, body: number, container: number): void {
  const { tree } = walk;
  const members = tree
    .namedChildren(body)
    .filter(one => tree.child(one, 'name') >= 0 || tree.child(one, 'property') >= 0);
  const nameOf = (one: number): string =>
    propertyName(walk, tree.child(one, 'name') >= 0 ? tree.child(one, 'name') : tree.child(one, 'property')) ?? '';
  const known = new Set(members.map(nameOf));
  const isConstructor = (one: number): boolean => nameOf(one) === 'constructor';
  const ordered = [...members.filter(isConstructor), ...members.filter(one => !isConstructor(one))];
  for (const member of ordered) {
    if (tree.childOfKind(member, 'static') >= 0) continue;
    for (const left of assignedIn(walk, member)) {
      const name = tree.text(tree.child(left, 'property'));
      if (!known.has(name)) defineField(walk, left, name, container);
      known.add(name);
    }
  }
}

/** `this.a` of each `this.a = …` where `this` is that of the member. */
function* assignedIn({ tree }: Walk, member: number): Generator<number> {
  for (let node = member + 1; node < tree.after[member]!; node++) {
    const kind = tree.kind(node);
    if (
      /^(?:class|method_definition|(?:generator_)?function(?:_expression|_declaration)?)$/.test(kind) &&
      tree.firstChild(node) >= 0
    ) {
      node = tree.after[node]! - 1;
      continue;
    }
    const left = kind === 'assignment_expression' ? tree.child(node, 'left') : -1;
    const isOfThis = tree.kind(left) === 'member_expression' && tree.kind(tree.child(left, 'object')) === 'this';
    if (isOfThis && tree.kind(tree.child(left, 'property')) === 'property_identifier') yield left;
  }
}

function defineField(walk: Walk, left: number, name: string, container: number): void {
  const { tree, facts } = walk;
  const assignment = tree.parent[left]!;
  const value = unwrap(walk, tree.child(assignment, 'right'));
  const { exported, visibility, supers } = facts.definition(container);
  const isCallable = isFunction(tree.kind(value));
  const slot = facts.define({
    name,
    kind: isCallable ? 'method' : 'field',
    suffix: 'term',
    nameNode: tree.child(left, 'property'),
    node: assignment,
    container,
    signature: signatureOf(
      tree,
      assignment,
      isCallable ? tree.child(value, 'body') : tree.kind(value) === 'object' ? value : -1,
    ),
    documentation: documentationAbove(tree, assignment),
    visibility,
    exported,
    hasBody: true,
  });
  // It yields to what a base declares.
  for (const base of supers) facts.addSuper(slot, facts.member(facts.instance(base), name));
  if (supers.length === 0) facts.addSuper(slot, facts.unknown());
  walk.slotOf.set(left, slot);
}

/** Walks what is assigned to a field where that is defined; false where the assignment defines none. */
export function visitAssignedField(walk: Walk, assignment: number): boolean {
  const { tree, facts } = walk;
  const left = tree.child(assignment, 'left');
  const slot = walk.slotOf.get(left);
  if (slot === undefined) return false;
  const right = tree.child(assignment, 'right');
  const value = unwrap(walk, right);
  const documented = walk.docs.type(assignment);
  facts.refer(tree.child(left, 'property'), 'write', facts.slot(slot));
  facts.within(slot, () => {
    if (isFunction(tree.kind(value))) {
      if (documented >= 0) walk.expected.set(value, documented);
      visitFunctionValue(walk, value, slot, documented);
      return;
    }
    const isObject = tree.kind(value) === 'object';
    facts.setType(slot, facts.either(documented, isObject ? -1 : evidentValue(walk, right)));
    if (isObject) visitObjectMembers(walk, value, slot);
    else walk.visit(right);
  });
  return true;
}
