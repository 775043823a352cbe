import type { SyntaxTree } from '../../tree.ts';
import { declaratorName } from './declarator.ts';

/**
 * Types of a function's parameters, and what `this` must be: one text for what a declaration and its definition may spell in
 * several ways. Names, defaults, namespaces other than `std`, `struct` and a `const` of the parameter itself are left out. '' in C and under `extern "C"`, where nothing overloads.
 */
export function parametersOf(tree: SyntaxTree, declarator: number): string {
  let node = declarator;
  while (node >= 0 && tree.child(node, 'parameters') < 0) node = inner(tree, node);
  if (!tree.typeNames.includes('class_specifier') || isOfC(tree, declarator)) return '';
  const types = typesIn(tree, tree.child(node, 'parameters'));
  const qualifiers = tree.namedChildren(node).filter(one => /^(?:type|ref)_qualifier$/.test(tree.kind(one)));
  return [...types, ...qualifiers.map(one => tree.text(one))].join(',');
}

const aliases = new WeakMap<SyntaxTree, ReadonlyMap<string, string>>();

/** Parameter types in which the names that a file gives to types outside of classes are spelled out. */
export function spelledOut(tree: SyntaxTree, types: string): string {
  if (types === '') return '';
  const known = aliases.get(tree) ?? aliasesIn(tree);
  aliases.set(tree, known);
  return expanded(types, known);
}

function aliasesIn(tree: SyntaxTree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const put = (name: string, text: string): void => {
    if (name !== '' && !text.includes('{')) found.set(name, expanded(text, found));
  };
  for (let node = 0; node < tree.size; node++) {
    const kind = tree.kind(node);
    if (kind === 'alias_declaration') {
      put(tree.text(tree.child(node, 'name')), plain(tree.text(tree.child(node, 'type'))));
    } else if (kind === 'type_definition') {
      const [declarator] = tree.childrenIn(node, 'declarator');
      const name = declarator === undefined ? -1 : declaratorName(tree, declarator);
      if (name >= 0) put(tree.text(name), typeText(tree, node, name).replace(/^typedef | ?;$/g, ''));
    }
    if (/^(?:template_declaration|compound_statement|field_declaration_list)$/.test(kind)) node = tree.after[node]! - 1;
  }
  return found;
}

function inner(tree: SyntaxTree, node: number): number {
  return tree.child(node, 'declarator') >= 0 ? tree.child(node, 'declarator') : (tree.namedChildren(node).at(-1) ?? -1);
}

function isOfC(tree: SyntaxTree, node: number): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (tree.kind(at) === 'linkage_specification') return tree.text(tree.child(at, 'value')) === '"C"';
    if (/^(?:class|struct|union)_specifier$/.test(tree.kind(at))) return false;
  }
  return false;
}

function typesIn(tree: SyntaxTree, list: number): readonly string[] {
  return tree
    .namedChildren(list)
    .filter(one => /parameter_declaration$/.test(tree.kind(one)))
    .map(one => {
      const name = declaratorName(tree, tree.child(one, 'declarator'));
      return withoutOwnConst(typeText(tree, one, name));
    })
    .filter(type => type !== 'void');
}

/** The text of a declaration of one name without the name and its default; lists of parameters in it are made alike. */
function typeText(tree: SyntaxTree, node: number, name: number): string {
  const value = tree.child(node, 'default_value');
  const end = value < 0 ? tree.end[node]! : tree.start[value]!;
  const list = name < 0 ? -1 : listBehind(tree, node, name);
  const before = tree.source.slice(tree.start[node]!, name < 0 ? end : tree.start[name]!);
  const middle = name < 0 ? '' : tree.source.slice(tree.end[name]!, list < 0 ? end : tree.start[list]!);
  const behind = list < 0 ? '' : `(${typesIn(tree, list).join(',')})${tree.source.slice(tree.end[list]!, end)}`;
  return plain(before + middle + behind);
}

/** The parameters of a pointer to a function, `int (*name)(int a)`. */
function listBehind(tree: SyntaxTree, node: number, name: number): number {
  for (let at = tree.parent[name]!; at > node; at = tree.parent[at]!) {
    if (tree.kind(at) === 'function_declarator') return tree.child(at, 'parameters');
  }
  return -1;
}

function plain(text: string): string {
  return text
    .replace(/=\s*$/, '')
    .replace(/\b(?:struct|class|enum|union|typename|register)\s+(?=[\w:])/g, '')
    .replace(/(?<!\w|::)::(?=\w)/g, '')
    .replace(/\b(?!std::)[A-Za-z_]\w*::(?!std::)(?=\w)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([*&<>,()]) ?/g, '$1')
    .trim()
    .replace(/^(?!const\b|volatile\b)([\w:]+(?:<.*>)?) ?const(?=[*&\s]|$)/, 'const $1');
}

/** Of a parameter that is passed by value: `const int` is `int` to whoever calls. An array is a pointer. */
function withoutOwnConst(type: string): string {
  const passed = type.replace(/ ?\[[^[\]]*\]$/, '*').replace(/\*const$/, '*');
  return /[*&]/.test(passed) ? passed : passed.replace(/^const /, '');
}

function expanded(types: string, known: ReadonlyMap<string, string>): string {
  if (known.size === 0) return types;
  return types.replace(/(?<![\w:])[A-Za-z_]\w*(?![\w:])/g, word => known.get(word) ?? word);
}
