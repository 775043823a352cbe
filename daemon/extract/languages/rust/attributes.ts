import type { SyntaxTree } from '../../tree.ts';
import { visitChain } from './tokens.ts';
import { pathValue } from './types.ts';
import type { Walk } from './walk.ts';

/**
 * The functions of a file that are macros to other crates, each with the name that `#[proc_macro_derive(Name)]` gives it;
 * '' where it goes by its own. They stand at the top of their crate.
 */
export function procedureMacros(tree: SyntaxTree): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (!tree.source.includes('#[proc_macro')) return found;
  let name: string | undefined;
  for (const child of tree.namedChildren(0)) {
    if (tree.kind(child) === 'attribute_item') {
      const written = /^#\[\s*proc_macro(?:_attribute|_derive\s*\(\s*(\w+)[^\]]*)?\s*\]/.exec(tree.text(child));
      if (written !== null) name = written[1] ?? '';
    } else if (!/comment$/.test(tree.kind(child))) {
      if (name !== undefined && tree.kind(child) === 'function_item') found.set(child, name);
      name = undefined;
    }
  }
  return found;
}

/** Emits the macros that an attribute names, which are those that it derives from, or itself. */
export function visitAttribute(walk: Walk, node: number): void {
  const { tree } = walk;
  const attribute = tree.childOfKind(node, 'attribute');
  const path = tree.firstChild(attribute);
  const list = tree.child(attribute, 'arguments');
  switch (tree.text(path)) {
    case 'derive':
      visitDerived(walk, list);
      return;
    case 'cfg_attr': {
      const tokens = tree.children(list);
      tokens.forEach((token, at) => {
        if (tree.text(token) === 'derive') visitDerived(walk, tokens[at + 1] ?? -1);
      });
      return;
    }
    default:
      visitMacro(walk, path);
  }
}

function visitDerived(walk: Walk, list: number): void {
  const { tree } = walk;
  if (tree.kind(list) !== 'token_tree') return;
  const tokens = tree.children(list);
  for (let at = 0; at < tokens.length; ) at = visitChain(walk, tokens, at, '!').next;
}

const tools = /^(?:rustfmt|clippy|diagnostic|miri|rust_analyzer|rustdoc)\b/;

/** A path, or what a `use` binds; any other name may be one that the language knows, or help for a macro to read. */
function visitMacro(walk: Walk, path: number): void {
  const { tree, facts, module } = walk;
  const isPath = tree.kind(path) === 'scoped_identifier' && !tools.test(tree.text(path));
  if (!isPath && module.scopes.resolve(tree.text(path))?.kind !== 'global') return;
  if (isPath) walk.visit(tree.child(path, 'path'));
  facts.refer(isPath ? tree.child(path, 'name') : path, 'call', pathValue(walk, path, '!'));
}
