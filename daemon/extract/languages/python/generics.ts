import type { Walk } from './walk.ts';

/** The names between the brackets of `def f[T]` and `class A[T]`. */
export function typeParameters({ tree }: Walk, node: number): readonly string[] {
  return tree
    .namedChildren(tree.child(node, 'type_parameters'))
    .map(one => tree.text(one).split(/[:=]/, 1)[0]!.replace(/^\*+/, '').trim());
}

/** Type parameters in their order: those of `class A[T]`, of `Generic[T]` or `Protocol[T]`, else those that its bases are given. */
export function genericParameters(walk: Walk, node: number): readonly string[] {
  const { tree } = walk;
  const own = typeParameters(walk, node);
  if (own.length > 0) return own;
  const bases = tree.namedChildren(tree.child(node, 'superclasses')).filter(base => tree.kind(base) === 'subscript');
  const listing = bases.find(base => /(?:^|\.)(?:Generic|Protocol)$/.test(tree.text(tree.child(base, 'value'))));
  if (listing !== undefined) return tree.childrenIn(listing, 'subscript').map(one => tree.text(one));
  const given = bases.flatMap(base => tree.childrenIn(base, 'subscript')).map(one => tree.text(one));
  if (given.length === 0) return [];
  const variables = typeVariables(tree.source);
  return [...new Set(given)].filter(name => variables.has(name));
}

/** `T = TypeVar('T')` in the file; one that is imported bears no mark. */
function typeVariables(source: string): ReadonlySet<string> {
  if (!source.includes('TypeVar')) return new Set();
  return new Set([...source.matchAll(/^(\w+)\s*=\s*(?:\w+\.)?TypeVar\(/gm)].map(([, name = '']) => name));
}
