import { taggedType, taggedVariable } from './doc-types.ts';
import { classAround, type Walk } from './walk.ts';

/** `$x = value`: from here on the variable holds it; `$this->x = value` in a constructor says what the property is. */
export function assign(walk: Walk, node: number): void {
  const { tree, values } = walk;
  const [left, right] = [tree.child(node, 'left'), tree.child(node, 'right')];
  walk.visit(right);
  if (tree.kind(left) !== 'variable_name' && !isList(walk, left)) walk.visit(left);
  const value = values.of(right);
  const comment = walk.commentOn(tree.parent[node]!);
  const written = comment === '' ? '' : taggedType(comment, 'var');
  const named = comment === '' ? '' : taggedVariable(comment);
  const isMeant = written !== '' && (named === '' || named === tree.text(left).replace(/^\$/, ''));
  assignParts(walk, left, isMeant ? walk.names.described(written) : value);
}

/** Gives a variable, or those of a list, their values. */
export function assignParts(walk: Walk, left: number, value: number): void {
  const { tree, facts, scopes } = walk;
  switch (tree.kind(left)) {
    case 'variable_name': {
      const name = tree.childOfKind(left, 'name');
      if (name >= 0) scopes.hoist(tree.text(name), value);
      break;
    }
    case 'by_ref':
      assignParts(walk, tree.namedChildren(left).at(-1) ?? -1, value);
      break;
    case 'list_literal':
    case 'array_creation_expression':
      for (const part of tree.namedChildren(left)) assignParts(walk, part, facts.element(value));
      break;
    case 'array_element_initializer':
      assignParts(walk, tree.namedChildren(left).at(-1) ?? -1, value);
      break;
    case 'member_access_expression':
      assignProperty(walk, left, value);
      break;
  }
}

function isList({ tree }: Walk, node: number): boolean {
  return /^(?:list_literal|array_creation_expression)$/.test(tree.kind(node));
}

const preparing = new Set(['__construct', 'setUp']);

function assignProperty({ tree, facts }: Walk, left: number, value: number): void {
  const owner = classAround({ facts });
  if (owner < 0 || value < 0 || tree.text(tree.child(left, 'object')) !== '$this') return;
  if (!preparing.has(facts.definitions[facts.enclosing]?.name ?? '')) return;
  const slot = facts
    .slotsNamed(owner, tree.text(tree.child(left, 'name')))
    .find(one => facts.definition(one).kind === 'property' && facts.definition(one).type < 0);
  if (slot !== undefined) facts.setType(slot, value);
}
