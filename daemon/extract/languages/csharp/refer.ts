import type { ReferenceKind } from '../../../model/facts.ts';
import { genericName } from './names.ts';
import { hasOperator } from './operators.ts';
import type { Walk } from './walk.ts';

/** What a written name is: a type, a namespace, or an attribute, of which the name may leave out the last word. */
export type Written = 'type' | 'namespace' | 'attribute';

/** Refers to all names of a written type, and gives what it denotes. Type parameters are nobody's. */
export function referToType(walk: Walk, node: number, kind: ReferenceKind, as: Written = 'type'): number {
  const { tree, facts, names, scopes } = walk;
  switch (tree.kind(node)) {
    case 'identifier': {
      const name = tree.text(node);
      const denoted = denotedBy(walk, node, as);
      if (scopes.resolve(`${name}#`)?.kind !== 'local' && !isKeyword(name)) facts.refer(node, kind, denoted);
      return denoted;
    }
    case 'generic_name': {
      const leaf = tree.firstChild(node);
      const name = genericName(walk, node);
      facts.refer(leaf, kind, names.typeNamed(name));
      for (const one of tree.namedChildren(tree.childOfKind(node, 'type_argument_list'))) {
        referToType(walk, one, 'type');
      }
      return names.type(node);
    }
    case 'qualified_name':
      return referToQualified(walk, node, kind, as);
    case 'alias_qualified_name': {
      const name = tree.child(node, 'name');
      facts.refer(tree.kind(name) === 'generic_name' ? tree.firstChild(name) : name, kind, names.type(node));
      return names.type(node);
    }
    case 'tuple_element':
      return referToType(walk, tree.child(node, 'type'), kind);
    default: {
      for (const child of tree.namedChildren(node)) {
        // How long what is made is to be.
        if (tree.kind(child) === 'array_rank_specifier') for (const size of tree.namedChildren(child)) walk.visit(size);
        else referToType(walk, child, kind === 'call' ? 'type' : kind);
      }
      return names.type(node);
    }
  }
}

function referToQualified(walk: Walk, node: number, kind: ReferenceKind, as: Written): number {
  const { tree, facts, names } = walk;
  const [qualifier, name] = [tree.child(node, 'qualifier'), tree.child(node, 'name')];
  referToPlace(walk, qualifier);
  const isGeneric = tree.kind(name) === 'generic_name';
  const written = isGeneric ? genericName(walk, name) : tree.text(name);
  const denoted = qualifiedAs(walk, node, written, as);
  facts.refer(isGeneric ? tree.firstChild(name) : name, kind, denoted);
  for (const one of tree.namedChildren(tree.childOfKind(name, 'type_argument_list'))) referToType(walk, one, 'type');
  return isGeneric ? names.type(node) : denoted;
}

function referToPlace(walk: Walk, node: number): void {
  const { tree, facts, names } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      facts.refer(node, 'read', names.place(node));
      break;
    case 'qualified_name':
      referToPlace(walk, tree.child(node, 'qualifier'));
      facts.refer(tree.child(node, 'name'), 'read', names.place(node), tree.text(tree.child(node, 'name')));
      break;
    default:
      referToType(walk, node, 'type');
  }
}

function denotedBy({ tree, facts, names }: Walk, node: number, as: Written): number {
  const name = tree.text(node);
  switch (as) {
    case 'type':
      return names.typeNamed(name);
    case 'namespace':
      return names.place(node);
    case 'attribute':
      return facts.otherwise(names.typeNamed(`${name}Attribute`), names.typeNamed(name));
  }
}

function qualifiedAs({ tree, facts, names }: Walk, node: number, name: string, as: Written): number {
  switch (as) {
    case 'type':
      return names.qualified(node, '#');
    case 'namespace':
      return names.qualified(node, '/');
    case 'attribute': {
      const place = names.place(tree.child(node, 'qualifier'));
      return facts.otherwise(facts.member(place, `${name}Attribute#`), names.qualified(node, '#'));
    }
  }
}

/** Refers to what a name in an expression means: `x`, `a.x`, `x<T>`, `a?.x`, called or not. */
export function referTo(walk: Walk, node: number): void {
  const { tree, facts, slots, scopes, values } = walk;
  const leaf = tree.kind(node) === 'generic_name' ? tree.firstChild(node) : node;
  const name = tree.text(leaf);
  if (slots.nameNodes.has(leaf)) return;
  const whole = wholeOf(walk, node);
  if (whole === node && (scopes.resolve(name)?.kind === 'local' || isKeyword(name))) return;
  if (whole === node && scopes.resolve(`${name}#`)?.kind === 'local') return;
  const user = tree.parent[whole]!;
  const isCalled = tree.kind(user) === 'invocation_expression' && tree.child(user, 'function') === whole;
  if (isCalled && name === 'nameof' && whole === node) return;
  const kind = isCalled ? 'call' : isWritten(walk, whole) ? 'write' : 'read';
  facts.refer(leaf, kind, isCalled ? values.called(user) : values.named(whole));
}

/** Whether something is assigned to, with an operator or without, or counted up or down. */
function isWritten(walk: Walk, node: number): boolean {
  const { tree } = walk;
  const user = tree.parent[node]!;
  switch (tree.kind(user)) {
    case 'assignment_expression':
      return tree.child(user, 'left') === node;
    case 'postfix_unary_expression':
    case 'prefix_unary_expression':
      return hasOperator(tree, user, '++') || hasOperator(tree, user, '--');
    case 'parenthesized_expression':
      return isWritten(walk, user);
    default:
      return false;
  }
}

/** The member access that a name is the last part of, or the name itself. */
function wholeOf({ tree }: Walk, node: number): number {
  const parent = tree.parent[node]!;
  if (tree.field(node) !== 'name') return node;
  if (tree.kind(parent) === 'member_access_expression') return parent;
  return tree.kind(parent) === 'member_binding_expression' ? tree.parent[parent]! : node;
}

function isKeyword(name: string): boolean {
  return (
    name === '_' || name === 'var' || name === 'dynamic' || name === 'global' || name === 'nint' || name === 'nuint'
  );
}
