import { maxDepth } from '../../builder.ts';
import { inFull } from './qualified.ts';
import { typeNamed, type Walk } from './walk.ts';

/** The type that a type expression names; -1 where nothing can be said. */
export function typeOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'type_identifier':
    case 'identifier':
      return typeNamed(walk, tree.text(node));
    case 'scoped_type_identifier':
    case 'scoped_identifier': {
      const parts = tree.namedChildren(node).filter(child => !/annotation/.test(tree.kind(child)));
      const member = facts.member(typeOf(walk, parts[0] ?? -1), tree.text(parts.at(-1) ?? -1));
      return inFull(walk, node, member);
    }
    case 'generic_type': {
      const [bare = -1] = tree.namedChildren(node);
      const parts = tree.namedChildren(tree.childOfKind(node, 'type_arguments'));
      return parts.reduce((of, part) => facts.generic(of, known(walk, typeOf(walk, part))), typeOf(walk, bare));
    }
    case 'array_type': {
      const dimensions = tree.text(tree.child(node, 'dimensions'));
      return arrayOf(walk, typeOf(walk, tree.child(node, 'element')), dimensions);
    }
    case 'wildcard': {
      const bound = tree.namedChildren(node).at(-1) ?? -1;
      return tree.childOfKind(node, 'super') >= 0 || bound < 0 ? typeOf(walk, bound) : typeOf(walk, bound);
    }
    case 'annotated_type':
      return typeOf(walk, tree.namedChildren(node).at(-1) ?? -1);
    case 'integral_type':
    case 'floating_point_type':
    case 'boolean_type':
    case 'void_type':
      return facts.free(tree.text(node));
    default:
      return -1;
  }
}

/** One level for each `[` of the dimensions. */
export function arrayOf({ facts }: Walk, element: number, dimensions = '[]'): number {
  let type = element;
  for (let left = Math.min(dimensions.split('[').length - 1, 4); left > 0; left--) {
    type = facts.generic(facts.free('[]'), type < 0 ? facts.unknown() : type);
  }
  return type;
}

function known({ facts }: Walk, expression: number): number {
  return expression < 0 ? facts.unknown() : expression;
}
