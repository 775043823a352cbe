import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { previousSiblings } from '../../comments.ts';
import { withFirstAlternatives, withoutDirectives } from '../../directives.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { createNames } from './names.ts';
import { createValues } from './values.ts';
import { visit } from './visit.ts';
import type { Walk } from './walk.ts';

/** A directive between an `if` and its `else`, for which the grammar has no place. */
const branches = /^[ \t]*#[ \t]*(?:if|elif|else|endif)\b.*\r?\n\s*else\b/m;

const declaring: Declaring = {
  definitions: {
    namespace_declaration: namespace,
    class_declaration: type('class'),
    record_declaration: type('class'),
    struct_declaration: type('struct'),
    interface_declaration: type('interface'),
    enum_declaration: type('enum'),
    enum_member_declaration: (tree, node) => ({ ...named(tree, node, 'enum-member'), visibility: 'public' }),
    delegate_declaration: (tree, node) => namedType(tree, node, 'type'),
    method_declaration: callable('method'),
    local_function_statement: callable('function'),
    constructor_declaration: constructorAt,
    destructor_declaration: (tree, node) => ({
      ...callable('method')(tree, node),
      name: `~${tree.text(tree.child(node, 'name'))}`,
    }),
    operator_declaration: operator,
    conversion_operator_declaration: conversion,
    property_declaration: (tree, node) => ({ ...named(tree, node, 'property'), type: tree.child(node, 'type') }),
    indexer_declaration: (tree, node) => ({
      ...named(tree, node, 'property'),
      name: 'this[]',
      ...tailNameOf(tree, node, 'this[]'),
      nameNode: tree.children(node).find(child => tree.text(child) === 'this') ?? node,
      disambiguator: erasedParameters(tree, node),
      suffix: 'method',
    }),
    event_declaration: (tree, node) => ({ ...named(tree, node, 'event'), type: tree.child(node, 'type') }),
    variable_declarator: field,
    parameter: recordProperty,
  },
  wrappers: new Set(['field_declaration', 'event_field_declaration', 'variable_declaration']),
  packageClause(tree, node) {
    if (tree.kind(node) !== 'file_scoped_namespace_declaration') return undefined;
    const name = tree.text(tree.child(node, 'name')).replace(/\s/g, '');
    return {
      definition: namespace(tree, node),
      name,
      prefix: name
        .split('.')
        .map(one => `${one}/`)
        .join(''),
    };
  },
};

/** C#: tails are qualified names, since a namespace and a partial class span files. */
export const csharp: Language = {
  name: 'csharp',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-c_sharp.wasm',
  prepare: source => (branches.test(source) ? withoutDirectives(source) : source),
  retries: [withoutDirectives, withFirstAlternatives],
  project: tree => (tree.childOfKind(0, 'global_statement') >= 0 ? { runs: true } : {}),
  walk(tree, facts) {
    const scopes = new Scopes();
    const slots = defineAll(declaring, tree, facts, previousSiblings(tree));
    const names = createNames({ tree, facts, slots, scopes });
    const values = createValues({ tree, facts, slots, scopes, names });
    const walk: Walk = {
      ...{ tree, facts, slots, scopes, names, values },
      visit: node => visit(walk, node),
    };
    walk.visit(0);
  },
};

function named(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  const nameNode = tree.child(node, 'name');
  const plain: Definition = {
    name: tree.text(nameNode),
    nameNode,
    kind,
    suffix: 'term',
    visibility: visibilityOf(tree, node),
  };
  return { ...plain, ...tailNameOf(tree, node, plain.name) };
}

/** `void I.M()` fulfils an interface, beside the class's own `M`. */
function tailNameOf(tree: SyntaxTree, node: number, name: string): Pick<Definition, 'tailName'> {
  const fulfilled = withoutSpace(tree, tree.childOfKind(node, 'explicit_interface_specifier')).replace(/\.$/, '');
  return fulfilled === '' ? {} : { tailName: `${fulfilled}.${name}` };
}

/** How many type parameters a definition takes: those that differ in that alone are not the same. */
function arityOf(tree: SyntaxTree, node: number): number {
  return tree.namedChildren(tree.childOfKind(node, 'type_parameter_list')).length;
}

/** A type that takes type parameters may stand beside one of its name that takes none. */
function namedType(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  const plain = { ...named(tree, node, kind), suffix: 'type' } as const;
  const arity = arityOf(tree, node);
  return arity === 0 ? plain : { ...plain, tailName: `${plain.name}+${arity}` };
}

/** `namespace A.B` bears the name `A.B`; its tail is `A/B/`, so that it meets `namespace A { namespace B`. */
function namespace(tree: SyntaxTree, node: number): Definition {
  const written = tree.child(node, 'name');
  const names = tree.text(written).replace(/\s/g, '').split('.');
  const last = tree.kind(written) === 'qualified_name' ? tree.child(written, 'name') : written;
  const between = names
    .slice(0, -1)
    .map(one => `${one}/`)
    .join('');
  return {
    name: names.at(-1)!,
    nameNode: last,
    kind: 'namespace',
    suffix: 'namespace',
    between,
    body: tree.child(node, 'body'),
  };
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...namedType(tree, node, kind),
    kind: kind === 'class' && tree.children(node).some(child => tree.text(child) === 'struct') ? 'struct' : kind,
    body: tree.child(node, 'body'),
    supers: tree.namedChildren(tree.childOfKind(node, 'base_list')),
  });
}

function callable(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'method',
    disambiguator: [erasedParameters(tree, node), arityOf(tree, node) === 0 ? '' : `+${arityOf(tree, node)}`]
      .filter(one => one !== '')
      .join(','),
    body: tree.child(node, 'body'),
    type: tree.child(node, 'returns') >= 0 ? tree.child(node, 'returns') : tree.child(node, 'type'),
  });
}

function operator(tree: SyntaxTree, node: number): Definition {
  const word = tree.children(node).findIndex(child => tree.text(child) === 'operator');
  const nameNode = tree.children(node)[word + 1] ?? node;
  return { ...callable('method')(tree, node), name: `operator ${tree.text(nameNode)}`, nameNode };
}

/** A static constructor takes no parameters either, but is not the one that code calls. */
function constructorAt(tree: SyntaxTree, node: number): Definition {
  const plain = callable('constructor')(tree, node);
  const isStatic = tree.children(node).some(child => tree.text(child) === 'static');
  return isStatic ? { ...plain, disambiguator: 'static' } : plain;
}

function conversion(tree: SyntaxTree, node: number): Definition {
  const list =
    tree.child(node, 'parameters') >= 0 ? tree.child(node, 'parameters') : tree.childOfKind(node, 'parameter_list');
  const nameNode = tree.namedChildren(node).findLast(child => child < list) ?? node;
  return { ...callable('method')(tree, node), name: `operator ${tree.text(nameNode)}`, nameNode, type: nameNode };
}

function field(tree: SyntaxTree, node: number): Definition | undefined {
  const list = tree.parent[node]!;
  const owner = tree.parent[list]!;
  const isEvent = tree.kind(owner) === 'event_field_declaration';
  if (!isEvent && tree.kind(owner) !== 'field_declaration') return undefined;
  const isConstant = tree.children(owner).some(child => tree.text(child) === 'const');
  return {
    ...named(tree, node, isEvent ? 'event' : isConstant ? 'constant' : 'field'),
    whole: owner,
    visibility: visibilityOf(tree, owner),
    type: tree.child(list, 'type'),
  };
}

/** The parameters of a record are its properties. */
function recordProperty(tree: SyntaxTree, node: number): Definition | undefined {
  if (tree.kind(tree.parent[tree.parent[node]!] ?? -1) !== 'record_declaration') return undefined;
  return { ...named(tree, node, 'property'), visibility: 'public', type: tree.child(node, 'type') };
}

function erasedParameters(tree: SyntaxTree, node: number): string {
  const list = tree.child(node, 'parameters');
  return tree
    .namedChildren(list)
    .map(one => (tree.kind(one) === 'parameter' ? tree.child(one, 'type') : tree.field(one) === 'type' ? one : -1))
    .filter(type => type >= 0)
    .map(type => erased(tree, type))
    .join(',');
}

function erased(tree: SyntaxTree, type: number): string {
  return withoutSpace(tree, type).replace(/<.*>/, '');
}

function withoutSpace(tree: SyntaxTree, node: number): string {
  return tree.text(node).replace(/\s/g, '');
}

function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const words = tree
    .children(node)
    .filter(child => tree.kind(child) === 'modifier')
    .map(child => tree.text(child));
  if (words.includes('public')) return 'public';
  if (words.includes('protected') || words.includes('internal')) return 'internal';
  if (words.includes('private')) return 'private';
  const owner = tree.kind(tree.parent[tree.parent[node]!] ?? -1);
  if (owner === 'interface_declaration') return 'public';
  return /^(?:class|struct|record)_declaration$/.test(owner) ? 'private' : 'internal';
}
