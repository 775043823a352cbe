import { accessOf, partsOf, variableDocumentation } from './naming.ts';
import type { Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

/** Attributes that methods assign to their receiver are fields, at their first assignment, unless the class declares them. */
export function collectFields(walk: Walk, scope: Scope, body: number): void {
  const { tree } = walk;
  for (let node = body; node < tree.after[body]!; ) {
    const kind = tree.kind(node);
    if (kind === 'function_definition') {
      const receiver = receiverOf(walk, node);
      if (receiver !== '') collectReceiverFields(walk, scope, node, receiver);
    }
    node = kind === 'function_definition' || kind === 'class_definition' ? tree.after[node]! : node + 1;
  }
}

/** The first parameter of a method, '' where there is none. */
export function receiverOf({ tree }: Walk, definition: number): string {
  const holder = tree.parent[definition]!;
  const isStatic = tree.children(holder).some(child => /^@staticmethod\b/.test(tree.text(child).slice(0, 20)));
  if (tree.kind(holder) === 'decorated_definition' && isStatic) return '';
  const [first = -1] = partsOf(tree, tree.child(definition, 'parameters'));
  if (tree.kind(first) === 'identifier') return tree.text(first);
  return tree.kind(first) === 'typed_parameter' ? tree.text(tree.firstChild(first)) : '';
}

function collectReceiverFields(walk: Walk, scope: Scope, method: number, receiver: string): void {
  const { tree, facts } = walk;
  for (let node = method; node < tree.after[method]!; node++) {
    const kind = tree.kind(node);
    if (kind === 'class_definition') {
      node = tree.after[node]! - 1;
      continue;
    }
    if (kind !== 'attribute' || tree.text(tree.child(node, 'object')) !== receiver || !isTarget(walk, node)) continue;
    const nameNode = tree.child(node, 'attribute');
    const name = tree.text(nameNode);
    if (facts.slotsNamed(scope.slot, name).length === 0) defineField(walk, scope, node, nameNode, name);
  }
}

function defineField(walk: Walk, scope: Scope, node: number, nameNode: number, name: string): void {
  const { tree, facts } = walk;
  const statement = statementOf(walk, node);
  walk.sites.add(nameNode);
  const slot = facts.define({
    name,
    kind: 'field',
    suffix: 'term',
    nameNode,
    node: statement,
    container: scope.slot,
    signature: tree.text(statement),
    documentation: variableDocumentation(tree, statement),
    ...accessOf(name),
    hasBody: true,
  });
  walk.slots.set(nameNode, slot);
  if (tree.child(statement, 'type') < 0) yieldToBases(walk, slot);
}

/** Says where an attribute that no annotation declares may be declared: in the bases of its class. */
export function yieldToBases({ facts }: Walk, slot: number): void {
  const { container, name } = facts.definition(slot);
  const bases = container < 0 ? [] : facts.definition(container).supers;
  for (const base of bases) facts.addSuper(slot, facts.member(facts.instance(base), name));
  if (bases.length === 0) facts.addSuper(slot, facts.unknown());
}

/** Whether a node is what an assignment, loop or `with` writes to. */
export function isTarget({ tree }: Walk, node: number): boolean {
  let child = node;
  for (let at = tree.parent[node]!; at >= 0; child = at, at = tree.parent[at]!) {
    const kind = tree.kind(at);
    if (kind === 'assignment' || kind === 'for_statement' || kind === 'for_in_clause') {
      return tree.field(child) === 'left';
    }
    if (kind === 'as_pattern_target') return true;
    if (!/pattern|^(?:tuple|list|parenthesized_expression)$/.test(kind)) return false;
  }
  return false;
}

/** The assignment that a target belongs to, else the target itself. */
export function statementOf({ tree }: Walk, node: number): number {
  let at = tree.parent[node]!;
  while (at > 0 && /pattern|^(?:tuple|list|attribute)/.test(tree.kind(at))) at = tree.parent[at]!;
  return tree.kind(at) === 'assignment' ? at : node;
}
