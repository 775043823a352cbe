import { maxDepth } from '../../builder.ts';
import { inFull, typeInFull } from './qualified.ts';
import { nameOf, typeNamed, type Walk } from './walk.ts';

const typeKind = /^(?:user|nullable|function|parenthesized|non_nullable|not_nullable)_type$/;

export function isTypeNode({ tree }: Walk, node: number): boolean {
  return typeKind.test(tree.kind(node));
}

/** The type that a type expression names; -1 where nothing can be said. */
export function typeOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'user_type':
      return userType(walk, node, tree.after[node]!);
    case 'nullable_type':
    case 'parenthesized_type':
    case 'not_nullable_type':
    case 'non_nullable_type':
    case 'type_projection':
      return typeOf(walk, tree.namedChildren(node).at(-1) ?? -1);
    case 'function_type':
      return functionType(walk, node);
    case 'identifier':
      return typeNamed(walk, nameOf(walk, node));
    case 'navigation_expression': {
      // Of type arguments that the grammar took for comparisons.
      const [of = -1, ...rest] = tree.namedChildren(node);
      return inFull(walk, node, facts.member(typeOf(walk, of), nameOf(walk, rest.at(-1) ?? -1)));
    }
    default:
      return -1;
  }
}

/** A type's names up to the node `until`, with their arguments. */
export function userType(walk: Walk, node: number, until: number): number {
  const { tree, facts } = walk;
  const parts = tree.namedChildren(node);
  const last = parts.findLast(part => tree.kind(part) === 'identifier');
  const names: string[] = [];
  let type = -1;
  for (const part of parts) {
    if (part >= until) break;
    if (tree.kind(part) === 'identifier') {
      const name = nameOf(walk, part);
      names.push(name);
      const member = names.length === 1 ? typeNamed(walk, name) : facts.member(type, name);
      type = names.length === 1 ? member : typeInFull(walk, names, part === last, member);
    } else if (tree.kind(part) === 'type_arguments') type = applied(walk, type, part);
  }
  return type;
}

/** `of` with type arguments, a list of them or one that stands alone. */
export function applied(walk: Walk, of: number, list: number): number {
  const { tree, facts } = walk;
  if (list < 0) return of;
  const parts = tree.kind(list) === 'type_arguments' ? tree.namedChildren(list) : [list];
  return parts.reduce((type, part) => {
    const argument = typeOf(walk, part);
    return facts.generic(type, argument < 0 ? facts.unknown() : argument);
  }, of);
}

/** What it is called on stands first among its parameters, marked. */
function functionType(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const list = tree.childOfKind(node, 'function_type_parameters');
  const parts = tree.namedChildren(node).filter(part => isTypeNode(walk, part));
  const receiver = parts.find(part => part < list);
  const result = facts.instance(typeOf(walk, parts.find(part => part > list) ?? -1));
  const parameters = tree.namedChildren(list).map(one => {
    const written = tree.kind(one) === 'parameter' ? (tree.namedChildren(one).at(-1) ?? -1) : one;
    return facts.instance(typeOf(walk, written));
  });
  const all = receiver === undefined ? parameters : [receiverMark(walk, receiver), ...parameters];
  return all.reduce(
    (of, one) => facts.generic(of, one < 0 ? facts.unknown() : one),
    facts.functionOf(result < 0 ? facts.unknown() : result),
  );
}

function receiverMark(walk: Walk, receiver: number): number {
  const { facts } = walk;
  return facts.generic(facts.free(':receiver'), facts.instance(typeOf(walk, receiver)));
}
