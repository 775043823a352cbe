import type { SymbolKind } from '../../../model/symbol.ts';
import { previousSiblings } from '../../comments.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { bindDirectives, exportAll } from './directives.ts';
import { visit } from './visit.ts';
import type { Walk } from './walk.ts';

/** Dart: a signature and its body are siblings in this grammar, and so are the parts of a top-level variable. */
export const dart: Language = {
  name: 'dart',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm',
  project: tree => (tree.childOfKind(0, 'part_of_directive') >= 0 ? { isPart: true } : {}),
  walk(tree, facts) {
    const previous = previousSiblings(tree);
    const { byNode, nameNodes } = defineAll(declarations, tree, facts, previous);
    const scopes = new Scopes();
    const walk: Walk = {
      ...{
        tree,
        facts,
        scopes,
        byNode,
        nameNodes,
        previous,
        values: new Map(),
        cascades: new Map(),
        around: -1,
        superclass: -1,
      },
    };
    bindDirectives(walk);
    const extensions = [...byNode].filter(([node]) => tree.kind(node) === 'extension_declaration');
    exportAll(facts, new Set(extensions.map(([, slot]) => slot)));
    visit(walk, 0);
  },
};

const declarations: Declaring = {
  definitions: {
    class_definition: type('class'),
    mixin_declaration: type('class'),
    mixin_application_class: type('class'),
    extension_declaration: (tree, node) => (tree.child(node, 'name') < 0 ? unnamed : type('class'))(tree, node),
    extension_type_declaration: type('class'),
    enum_declaration: type('enum'),
    enum_constant: (tree, node) => simple(tree, node, tree.child(node, 'name'), 'enum-member'),
    type_alias: alias,
    function_signature: callable,
    getter_signature: accessor,
    setter_signature: accessor,
    operator_signature: operator,
    constructor_signature: (tree, node) => (isConstructor(tree, node) ? constructorAt : callable)(tree, node),
    constant_constructor_signature: constructorAt,
    factory_constructor_signature: constructorAt,
    redirecting_factory_constructor_signature: constructorAt,
    initialized_identifier: variable,
    static_final_declaration: variable,
    representation_declaration: (tree, node) => simple(tree, node, tree.child(node, 'name'), 'field'),
  },
  wrappers: new Set([
    'method_signature',
    'declaration',
    'initialized_identifier_list',
    'static_final_declaration_list',
    'local_function_declaration',
  ]),
};

function simple(tree: SyntaxTree, node: number, nameNode: number, kind: SymbolKind): Definition {
  const name = tree.text(nameNode);
  const isPrivate = name.startsWith('_') || isInFunction(tree, node);
  return { name, nameNode, kind, suffix: 'term', visibility: isPrivate ? 'private' : 'public' };
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => {
    const written = tree.child(node, 'name');
    const nameNode = written >= 0 ? written : firstOf(tree, node, /^(?:type_)?identifier$/);
    return { ...simple(tree, node, nameNode, kind), suffix: 'type', body: bodyOf(tree, node) };
  };
}

/** `extension on Foo`, which is its library's own: nobody can write the name that it is given. */
function unnamed(tree: SyntaxTree, node: number): Definition {
  const body = bodyOf(tree, node);
  const made = tree.source.slice(tree.start[node]!, tree.start[body]).replace(/\s+/g, ' ').trim();
  return {
    ...{ name: made.slice(0, 120), nameNode: tree.firstChild(node), kind: 'class', suffix: 'type' },
    ...{ made, body, visibility: 'private' },
  };
}

/** `typedef Fn = …` names first, `typedef int Old(int x)` names before the parameters. */
function alias(tree: SyntaxTree, node: number): Definition {
  const parameters = tree.childOfKind(node, 'formal_parameter_list');
  const names = tree.namedChildren(node).filter(child => tree.kind(child) === 'type_identifier');
  const nameNode = (parameters < 0 ? names[0] : names.at(-1)) ?? -1;
  return { ...simple(tree, node, nameNode, 'type'), suffix: 'type' };
}

function callable(tree: SyntaxTree, node: number): Definition {
  const kind = isInClass(tree, node) ? 'method' : 'function';
  return {
    ...simple(tree, node, tree.child(node, 'name'), kind),
    suffix: 'method',
    head: headOf(tree, node),
    body: siblingBody(tree, node),
  };
}

/** `static` stands before the signature, in what wraps it. */
function headOf(tree: SyntaxTree, node: number): number {
  const outer = tree.parent[node]!;
  return tree.kind(tree.firstChild(outer)) === 'static' ? outer : node;
}

function accessor(tree: SyntaxTree, node: number): Definition {
  const kind = isInClass(tree, node) ? 'property' : 'variable';
  return { ...callable(tree, node), kind, suffix: 'term' };
}

function operator(tree: SyntaxTree, node: number): Definition {
  const nameNode = tree.namedChildren(node).find(child => /operator/.test(tree.kind(child))) ?? node;
  const token = tree.children(node).find(child => /^(?:==|\[\]=?|~)$/.test(tree.text(child))) ?? nameNode;
  return { ...callable(tree, node), ...simple(tree, node, token, 'method'), suffix: 'method' };
}

/** A method that declares no type reads like a constructor, whose name is its class's or begins with it. */
function isConstructor(tree: SyntaxTree, node: number): boolean {
  const [name = -1, own] = tree.childrenIn(node, 'name').filter(child => tree.isNamed(child));
  if (own !== undefined) return true;
  let at = tree.parent[node]!;
  while (at >= 0 && !typeBody.test(tree.kind(at))) at = tree.parent[at]!;
  return at >= 0 && tree.text(tree.child(tree.parent[at]!, 'name')) === tree.text(name);
}

/** `Foo.named` is called `named`, `Foo` like its class; objects may have a method of that name. */
function constructorAt(tree: SyntaxTree, node: number): Definition {
  const parameters = tree.childOfKind(node, 'formal_parameter_list');
  const names = tree.namedChildren(node).filter(child => tree.kind(child) === 'identifier' && child < parameters);
  return {
    ...simple(tree, node, names.at(-1) ?? -1, 'constructor'),
    isStatic: true,
    suffix: 'method',
    body: siblingBody(tree, node),
  };
}

/** Variables of files and classes; what a function declares is local. */
function variable(tree: SyntaxTree, node: number): Definition | undefined {
  if (isInFunction(tree, node)) return undefined;
  const list = tree.parent[node]!;
  const words = modifiersBefore(tree, list);
  const isConstant = words.includes('const');
  const kind = isConstant ? 'constant' : isInClass(tree, node) ? 'field' : 'variable';
  return { ...simple(tree, node, tree.firstChild(node), kind), whole: declarationOf(tree, list) };
}

function declarationOf(tree: SyntaxTree, list: number): number {
  return tree.kind(tree.parent[list]!) === 'declaration' ? tree.parent[list]! : list;
}

/** The words of the declaration that stand before a list of names. */
function modifiersBefore(tree: SyntaxTree, list: number): readonly string[] {
  let words: string[] = [];
  for (let child = tree.firstChild(tree.parent[list]!); child >= 0 && child < list; child = tree.nextSibling(child)) {
    const word = tree.text(child);
    words = /[;}]$/.test(word) ? [] : [...words, word];
  }
  return words;
}

function siblingBody(tree: SyntaxTree, node: number): number {
  let outer = node;
  while (/^(?:method_signature|lambda_expression)$/.test(tree.kind(tree.parent[outer]!))) outer = tree.parent[outer]!;
  if (tree.kind(outer) === 'lambda_expression') return tree.child(outer, 'body');
  let next = tree.nextSibling(outer);
  if (tree.kind(next) === 'initializers') next = tree.nextSibling(next);
  return tree.kind(next) === 'function_body' ? next : -1;
}

function bodyOf(tree: SyntaxTree, node: number): number {
  const body = tree.child(node, 'body');
  return body >= 0 ? body : firstOf(tree, node, /_body$/);
}

function firstOf(tree: SyntaxTree, node: number, kinds: RegExp): number {
  return tree.namedChildren(node).find(child => kinds.test(tree.kind(child))) ?? -1;
}

function isInClass(tree: SyntaxTree, node: number): boolean {
  return around(tree, node, typeBody);
}

const typeBody = /^(?:class|extension|enum|mixin)_body$/;

function isInFunction(tree: SyntaxTree, node: number): boolean {
  return around(tree, node, /^function_body$/);
}

function around(tree: SyntaxTree, node: number, kinds: RegExp): boolean {
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (kinds.test(tree.kind(at))) return true;
    if (/^(?:function|class|extension|enum|mixin)_body$/.test(tree.kind(at))) return false;
  }
  return false;
}
