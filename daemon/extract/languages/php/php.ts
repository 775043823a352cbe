import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { previousSiblings } from '../../comments.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { createNames } from './names.ts';
import { createValues } from './values.ts';
import { visit } from './visit.ts';
import type { Walk } from './walk.ts';

const declaring: Declaring = {
  namesAnything: true,
  definitions: {
    namespace_definition: (tree, node) => (tree.child(node, 'body') < 0 ? undefined : namespace(tree, node)),
    class_declaration: type('class'),
    interface_declaration: type('interface'),
    trait_declaration: type('trait'),
    enum_declaration: type('enum'),
    anonymous_class: anonymousClass,
    enum_case: (tree, node) => named(tree, node, 'enum-member'),
    function_definition: callable('function'),
    method_declaration: callable('method'),
    const_element: (tree, node) => ({
      ...simple(tree, tree.firstChild(node), 'constant'),
      visibility: visibilityOf(tree, tree.parent[node]!),
    }),
    property_element: property,
    property_promotion_parameter: (tree, node) => ({
      ...variable(tree, tree.child(node, 'name')),
      lifted: true,
      visibility: visibilityOf(tree, node),
      type: tree.child(node, 'type'),
    }),
    function_call_expression: define,
  },
  wrappers: new Set(['property_declaration', 'const_declaration', 'expression_statement']),
  packageClause(tree, node) {
    if (tree.kind(node) !== 'namespace_definition' || tree.child(node, 'body') >= 0) return undefined;
    const name = tree.text(tree.child(node, 'name'));
    return { name, prefix: prefixOf(name), definition: namespace(tree, node) };
  },
};

/** PHP: tails are qualified names; `namespace A\B;` qualifies the rest of its file. */
export const php: Language = {
  name: 'php',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-php.wasm',
  walk(tree, facts) {
    const previous = previousSiblings(tree);
    const slots = defineAll(declaring, tree, facts, previous);
    const scopes = new Scopes();
    const names = createNames({ tree, facts });
    const values = createValues({ tree, facts, slots, scopes, names });
    const walk: Walk = {
      ...{ tree, facts, slots, scopes, names, values },
      commentOn: node => (tree.kind(previous[node]!) === 'comment' ? tree.text(previous[node]!) : ''),
      visit: node => visit(walk, node),
    };
    walk.visit(0);
  },
};

function prefixOf(namespace: string): string {
  return namespace === ''
    ? ''
    : namespace
        .split('\\')
        .map(one => `${one}/`)
        .join('');
}

function simple(tree: SyntaxTree, nameNode: number, kind: SymbolKind): Definition {
  return { name: tree.text(nameNode), nameNode, kind, suffix: 'term' };
}

function named(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  return { ...simple(tree, tree.child(node, 'name'), kind), visibility: visibilityOf(tree, node) };
}

function namespace(tree: SyntaxTree, node: number): Definition {
  const written = tree.child(node, 'name');
  const nameNode = tree.namedChildren(written).at(-1) ?? -1;
  const outer = tree.text(written).split('\\').slice(0, -1).join('\\');
  return {
    ...simple(tree, nameNode, 'namespace'),
    suffix: 'namespace',
    between: prefixOf(outer),
    body: tree.child(node, 'body'),
  };
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'type',
    body: tree.child(node, 'body'),
    supers: ['base_clause', 'class_interface_clause'].flatMap(part => tree.namedChildren(tree.childOfKind(node, part))),
  });
}

/** `new class extends Base {…}`: called `class`, its tail says where it stands and what it is made of. */
function anonymousClass(tree: SyntaxTree, node: number): Definition {
  const base = tree.text(tree.childOfKind(node, 'base_clause')).replace(/^extends\s+/, '');
  return {
    ...simple(tree, tree.childOfKind(node, 'class'), 'class'),
    ...{ suffix: 'type', made: `new ${base || 'class'}`, body: tree.child(node, 'body'), exported: false },
  };
}

function callable(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, tree.text(tree.child(node, 'name')) === '__construct' ? 'constructor' : kind),
    suffix: 'method',
    body: tree.child(node, 'body'),
    type: tree.child(node, 'return_type'),
  });
}

function property(tree: SyntaxTree, node: number): Definition {
  const owner = tree.parent[node]!;
  return {
    ...variable(tree, tree.child(node, 'name')),
    whole: owner,
    visibility: visibilityOf(tree, owner),
    type: tree.child(owner, 'type'),
  };
}

/** A property may bear the name of a constant: the tail keeps the sign. */
function variable(tree: SyntaxTree, node: number): Definition {
  const plain = simple(tree, variableName(tree, node), 'property');
  return { ...plain, tailName: `$${plain.name}` };
}

/** `define('NAME', …)` makes a constant. */
function define(tree: SyntaxTree, node: number): Definition | undefined {
  if (tree.text(tree.child(node, 'function')).toLowerCase() !== 'define') return undefined;
  const [first] = tree.namedChildren(tree.child(node, 'arguments'));
  const text = tree.childOfKind(tree.childOfKind(first ?? -1, 'string'), 'string_content');
  return text < 0 ? undefined : simple(tree, text, 'constant');
}

/** `$name` without the sign. */
function variableName(tree: SyntaxTree, variable: number): number {
  return tree.childOfKind(variable, 'name');
}

function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const word = tree.text(tree.childOfKind(node, 'visibility_modifier'));
  return word === 'private' ? 'private' : word === 'protected' ? 'internal' : 'public';
}
