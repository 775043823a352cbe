import type { ReferenceKind } from '../../../model/facts.ts';
import type { Walk } from './walk.ts';

const words = /^(?:self|static|parent)$/i;

/** Refers to a class by its name, and to the namespaces before it. */
export function referToClass(walk: Walk, node: number, kind: ReferenceKind): void {
  const { tree, facts, names } = walk;
  const leaf = tree.kind(node) === 'name' ? node : (tree.namedChildren(node).at(-1) ?? -1);
  if (leaf < 0 || tree.kind(leaf) !== 'name' || words.test(tree.text(leaf))) return;
  referToQualifier(walk, node);
  facts.refer(leaf, kind, names.classNamed(tree.text(node)));
}

/** The namespaces that a qualified name goes through, from where it begins. */
export function referToQualifier({ tree, facts, names }: Walk, node: number): void {
  const parts = tree.namedChildren(tree.childOfKind(node, 'namespace_name'));
  const root = tree.text(node).startsWith('\\') ? '\\' : '';
  parts.forEach((part, at) => {
    const path = parts.slice(0, at + 1).map(one => tree.text(one));
    facts.refer(part, 'read', names.namespaceNamed(root + path.join('\\')));
  });
}

/** Refers from one part of a path to the namespace that it ends there. */
export function referToNamespace({ tree, facts, names }: Walk, part: number, path: readonly number[]): void {
  facts.refer(part, 'read', names.namespaceNamed(`\\${path.map(one => tree.text(one)).join('\\')}`));
}

/** Refers to the member that an access names. */
export function referToMember(walk: Walk, node: number, name: number): void {
  const { tree, facts, values } = walk;
  const leaf = tree.kind(name) === 'variable_name' && isStatic(walk, node) ? tree.childOfKind(name, 'name') : name;
  if (tree.kind(leaf) !== 'name') return;
  if (tree.kind(node) === 'class_constant_access_expression' && tree.text(leaf).toLowerCase() === 'class') return;
  const user = tree.parent[node]!;
  const isWritten = /assignment_expression$/.test(tree.kind(user)) && tree.child(user, 'left') === node;
  const kind = tree.kind(node).endsWith('call_expression') ? 'call' : isWritten ? 'write' : 'read';
  facts.refer(leaf, kind, values.member(node));
}

function isStatic({ tree }: Walk, node: number): boolean {
  return tree.kind(node) === 'scoped_property_access_expression';
}
