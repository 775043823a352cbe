import type { Declaring, Definition } from '../../outline.ts';
import type { SyntaxTree } from '../../tree.ts';
import { spelledOut } from './parameter-types.ts';
import { classDescriptor } from './specialisation.ts';

/**
 * What a source file that is no header defines for itself alone: types, macros, and `main`, of which each program has
 * one. Other files can't name them, so the mark of file scope stands in their tails (see `scopeOfTail`).
 */
export function ofTheFile(definitions: Declaring['definitions']): Declaring['definitions'] {
  const marked = Object.entries(definitions).map(([kind, rule]) => {
    const markedRule: typeof rule = (tree, node) => {
      const found = [rule(tree, node) ?? []].flat().map(one => spelled(tree, one));
      if (isNested(tree, node))
        return found.map(one => (one.kind === 'enum-member' ? { ...one, exported: false } : one));
      return found.map(one => (isOfTheFile(tree, one) ? withMark(one) : one));
    };
    return [kind, markedRule] as const;
  });
  return Object.fromEntries(marked);
}

/** What a source file alone calls by a name of its own, a header with the declaration calls by another. */
function spelled(tree: SyntaxTree, one: Definition): Definition {
  if (one.disambiguator === undefined) return one;
  return { ...one, disambiguator: spelledOut(tree, one.disambiguator) };
}

const mark = 'static/';

function isOfTheFile(tree: SyntaxTree, one: Definition): boolean {
  if (one.between?.startsWith(mark)) return false;
  if (one.suffix === 'type' || one.suffix === 'macro' || (one.suffix === 'method' && one.name === 'main')) return true;
  // `void Foo::f() {}` belongs where the file's own `class Foo` does.
  const owner = one.between?.slice(0, one.between.indexOf('#') + 1);
  return owner !== undefined && owner !== '' && typesOf(tree).has(owner);
}

function withMark(one: Definition): Definition {
  return { ...one, between: mark + (one.between ?? ''), exported: false };
}

/** Members and nested types follow what they stand in. */
function isNested(tree: SyntaxTree, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (typeNode.test(tree.kind(at))) return tree.child(at, 'body') >= 0;
    if (tree.kind(at) === 'function_definition') return true;
  }
  return false;
}

const typeNode = /^(?:class|struct|union|enum)_specifier$/;
const names = new WeakMap<SyntaxTree, ReadonlySet<string>>();

/** Descriptors of the types that a file defines with a body. */
function typesOf(tree: SyntaxTree): ReadonlySet<string> {
  const known = names.get(tree);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    if (!typeNode.test(tree.kind(node)) || tree.child(node, 'body') < 0) continue;
    const name = tree.child(node, 'name');
    found.add(classDescriptor(tree, name));
  }
  names.set(tree, found);
  return found;
}
