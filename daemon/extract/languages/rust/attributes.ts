import type { SyntaxTree } from '../../tree.ts';
import { visitChain } from './tokens.ts';
import { moduleValue, parentValue, pathValue } from './types.ts';
import { nameValue, type Walk } from './walk.ts';

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

/** Emits the macros that an attribute names, which are those that it derives from, or itself, and what it tells them of. */
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
      visitArguments(walk, list);
      return;
    }
    default:
      visitMacro(walk, path);
      visitArguments(walk, list);
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

/**
 * Emits what the arguments of an attribute name for the macro that reads it: the values of `key = path`, and paths in texts
 * under keys that have them there (`#[serde(default = "start")]`). A word alone tells the macro something.
 */
function visitArguments(walk: Walk, list: number): void {
  const { tree } = walk;
  if (tree.kind(list) !== 'token_tree') return;
  const tokens = tree.children(list);
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    if (tree.kind(token) === 'token_tree') visitArguments(walk, token);
    if (tree.kind(token) !== '=') {
      at++;
      continue;
    }
    const value = tokens[at + 1] ?? -1;
    if (tree.kind(value) === 'string_literal') {
      if (namesPath.test(tree.text(tokens[at - 1] ?? -1))) referText(walk, value);
      at += 2;
    } else for (at++; at < tokens.length && tree.kind(tokens[at]!) !== ','; ) at = visitValue(walk, tokens, at);
  }
}

/** A name that nothing here has is a parameter of what stands below, or the macro's. */
function visitValue(walk: Walk, tokens: readonly number[], at: number): number {
  const { tree, module } = walk;
  const isPath = tree.kind(tokens[at + 1] ?? -1) === '::' || isSeen(module, tree.text(tokens[at]!));
  return isPath ? visitChain(walk, tokens, at).next : at + 1;
}

/** Keys of serde, clap, derivative, validator and their like under which a text is a path. */
const namesPath =
  /^(?:default|with|getter|remote|from|try_from|into|function|method|map|and_then|custom|validator|parser|constructor|builder|\w+_(?:with|if|fn))$/;

/** The names of a path that a text is, where it begins with something of the crate that is seen here. */
function referText(walk: Walk, text: number): void {
  const { tree, facts, module } = walk;
  const written = tree.text(text).slice(1, -1);
  const names = written.split('::');
  const [first = ''] = names;
  if (!/^\w+(?:::\w+)*$/.test(written) || !isSeen(module, first)) return;
  let of = -1;
  let start = tree.start[text]! + 1;
  names.forEach((name, index) => {
    const isLast = index === names.length - 1;
    of =
      index === 0 ? firstOfText(walk, name, isLast) : facts.member(of, isLast || name === 'super' ? name : `${name}#`);
    if (!/^(?:crate|self|super)$/.test(name)) facts.referAt(start, start + name.length, isLast ? 'read' : 'type', of);
    start += name.length + 2;
  });
}

function isSeen({ items, scopes }: Walk['module'], name: string): boolean {
  return /^(?:crate|self|super)$/.test(name) || items.has(name) || scopes.resolve(name)?.kind === 'global';
}

function firstOfText(walk: Walk, name: string, isLast: boolean): number {
  switch (name) {
    case 'crate':
      return walk.facts.free('crate');
    case 'self':
      return moduleValue(walk);
    case 'super':
      return parentValue(walk);
    default:
      return nameValue(walk, name, isLast ? '' : '#');
  }
}
