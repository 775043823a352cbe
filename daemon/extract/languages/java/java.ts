import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { previousSiblings } from '../../comments.ts';
import { javaComplexity } from '../../complexity/java.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { visitImport } from './references.ts';
import { visit } from './visit.ts';
import { visitChildren, type Walk } from './walk.ts';

/** Java: a package's files share one scope, and methods overload, so erased parameter types are part of a method's tail. */
export const java: Language = {
  name: 'java',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-java.wasm',
  complexity: javaComplexity,
  walk(tree, facts) {
    const slots = defineAll(declaring, tree, facts, previousSiblings(tree));
    const walk: Walk = {
      tree,
      facts,
      slots,
      scopes: new Scopes(),
      types: new Scopes(),
      imports: new Map(),
      classes: [],
      values: new Map(),
      visit: (node, parameters) => visit(walk, node, parameters),
    };
    for (const one of tree.namedChildren(0)) if (tree.kind(one) === 'import_declaration') visitImport(walk, one);
    visitChildren(walk, 0);
  },
};

const declaring: Declaring = {
  definitions: {
    class_declaration: type('class'),
    record_declaration: type('class'),
    interface_declaration: type('interface'),
    annotation_type_declaration: type('interface'),
    enum_declaration: type('enum'),
    enum_constant: (tree, node) => ({ ...named(tree, node, 'enum-member'), suffix: 'term', visibility: 'public' }),
    method_declaration: callable('method'),
    annotation_type_element_declaration: callable('method'),
    constructor_declaration: callable('constructor'),
    compact_constructor_declaration: callable('constructor'),
    variable_declarator: field,
    formal_parameter: recordComponent,
  },
  anonymous: (tree, node) =>
    tree.kind(node) === 'object_creation_expression' && tree.childOfKind(node, 'class_body') >= 0
      ? `new ${withoutArguments(tree.text(tree.child(node, 'type')))}`
      : '',
  packageClause(tree, node) {
    if (tree.kind(node) !== 'package_declaration') return undefined;
    return { name: tree.text(tree.namedChildren(node).at(-1) ?? -1).replace(/\s/g, ''), prefix: '' };
  },
};

function withoutArguments(type: string): string {
  return type.replace(/<[\s\S]*>/, '').replace(/\s/g, '');
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'type',
    body: tree.child(node, 'body'),
  });
}

function callable(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'method',
    disambiguator: erasedParameters(tree, tree.child(node, 'parameters')),
    body: tree.child(node, 'body'),
  });
}

function named(tree: SyntaxTree, node: number, kind: SymbolKind) {
  const nameNode = tree.child(node, 'name');
  return { name: tree.text(nameNode), nameNode, kind, suffix: 'term' as const, visibility: visibilityOf(tree, node) };
}

function field(tree: SyntaxTree, node: number): Definition | undefined {
  const owner = tree.parent[node]!;
  if (!/^(?:field|constant)_declaration$/.test(tree.kind(owner))) return undefined;
  const modifiers = tree.text(tree.childOfKind(owner, 'modifiers'));
  const isConstant =
    tree.kind(owner) === 'constant_declaration' || (/\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers));
  return {
    ...named(tree, node, isConstant ? 'constant' : 'field'),
    whole: owner,
    visibility: visibilityOf(tree, owner),
  };
}

/** The components of a record are its fields. */
function recordComponent(tree: SyntaxTree, node: number): Definition | undefined {
  if (tree.kind(tree.parent[tree.parent[node]!] ?? -1) !== 'record_declaration') return undefined;
  return { ...named(tree, node, 'field'), visibility: 'private' };
}

/** `(List<String> a, int... b)` is `List,int[]`: what the compiler keeps of the types. */
function erasedParameters(tree: SyntaxTree, parameters: number): string {
  return tree
    .namedChildren(parameters)
    .filter(one => /^(?:formal|spread)_parameter$/.test(tree.kind(one)))
    .map(one => {
      const isSpread = tree.kind(one) === 'spread_parameter';
      const type = isSpread
        ? tree.namedChildren(one).find(child => !/modifiers|declarator/.test(tree.kind(child)))
        : tree.child(one, 'type');
      const written = tree.text(type ?? -1).replace(/\s/g, '');
      const dimensions = tree.text(tree.child(one, 'dimensions')).replace(/\s/g, '');
      return erase(written) + dimensions + (isSpread ? '[]' : '');
    })
    .join(',');
}

function erase(type: string): string {
  const open = type.indexOf('<');
  return open < 0 ? type : type.slice(0, open) + type.slice(type.lastIndexOf('>') + 1);
}

function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const modifiers = tree.childOfKind(node, 'modifiers');
  for (const child of tree.children(modifiers)) {
    const word = tree.text(child);
    if (word === 'public') return 'public';
    if (word === 'private') return 'private';
    if (word === 'protected') return 'internal';
  }
  return /interface_body|annotation_type_body/.test(tree.kind(tree.parent[node]!)) ? 'public' : 'internal';
}
