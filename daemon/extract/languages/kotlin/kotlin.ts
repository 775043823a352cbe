import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import type { FactsBuilder } from '../../builder.ts';
import { previousSiblings } from '../../comments.ts';
import { kotlinComplexity } from '../../complexity/kotlin.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll, type Slots } from '../../outline.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { withPrefixesOutermost } from './prefixes.ts';
import { readable } from './readable.ts';
import { visitImport } from './references.ts';
import { valueAt } from './values.ts';
import { visit } from './visit.ts';
import { visitChildren, type Walk } from './walk.ts';

/** Kotlin: like Java, a package's files share one scope; everything is public unless it says otherwise. */
export const kotlin: Language = {
  name: 'kotlin',
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  prepare: readable,
  rehang: withPrefixesOutermost,
  complexity: kotlinComplexity,
  walk(tree, facts) {
    const slots = defineAll(declaring, tree, facts, previousSiblings(tree));
    const walk: Walk = {
      tree,
      facts,
      slots,
      called: calledIn(tree),
      extensions: extensionsIn(tree, facts, slots),
      scopes: new Scopes(),
      types: new Scopes(),
      narrowed: new Scopes(),
      imports: new Map(),
      receivers: [],
      values: new Map(),
      results: new Map(),
      value: node => valueAt(walk, node),
      visit: (node, lambda) => visit(walk, node, lambda),
    };
    for (const one of tree.namedChildren(0)) if (tree.kind(one) === 'import') visitImport(walk, one);
    visitChildren(walk, 0);
    exportFile(tree, facts);
  },
};

const declaring: Declaring = {
  definitions: {
    class_declaration: classLike,
    object_declaration: (tree, node) => ({ ...named(tree, node, 'object'), suffix: 'type', body: bodyOf(tree, node) }),
    companion_object: companion,
    enum_entry: (tree, node) => named(tree, node, 'enum-member'),
    type_alias: (tree, node) => ({ ...named(tree, node, 'type'), suffix: 'type' }),
    function_declaration: callable,
    secondary_constructor: (tree, node) => ({
      ...named(tree, node, 'constructor'),
      name: 'constructor',
      nameNode: tree.firstChild(node),
      suffix: 'method',
      disambiguator: erasedParameters(tree, node),
      body: bodyOf(tree, node),
    }),
    variable_declaration: property,
    class_parameter: constructorProperty,
  },
  wrappers: new Set(['property_declaration']),
  anonymous(tree, node) {
    if (tree.kind(node) !== 'object_literal') return '';
    const [first = -1] = tree.namedChildren(tree.childOfKind(node, 'delegation_specifiers'));
    return `new ${
      tree
        .text(first)
        .replace(/[<({][\s\S]*$/, '')
        .trim() || 'object'
    }`;
  },
  packageClause(tree, node) {
    if (tree.kind(node) !== 'package_header') return undefined;
    return { name: tree.text(tree.childOfKind(node, 'qualified_identifier')).replace(/\s/g, ''), prefix: '' };
  },
};

/** `@file:JvmName("Files")` names the class that the file is for Java: by the first that Java sees of it. */
function exportFile(tree: SyntaxTree, facts: FactsBuilder): void {
  const written = tree.namedChildren(0).filter(one => tree.kind(one) === 'file_annotation');
  const [, name] =
    /\bJvmName\s*\(\s*(?:name\s*=\s*)?"([\w$]+)"/.exec(written.map(one => tree.text(one)).join(' ')) ?? [];
  const seen = facts.definitions.findIndex(
    one => one.container < 0 && one.visibility !== 'private' && /^(?:function|variable|constant)$/.test(one.kind),
  );
  if (name !== undefined && seen >= 0) facts.addExport(name, facts.slot(seen));
}

/** Names of classes that are called, which may be functions of that name. */
function calledIn(tree: SyntaxTree): ReadonlySet<string> {
  const found = new Set<string>();
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'call_expression' || tree.kind(node + 1) !== 'identifier') continue;
    const name = tree.text(node + 1);
    if (/^[A-Z]/.test(name)) found.add(name);
  }
  return found;
}

/** Extensions that are members themselves. */
function extensionsIn(tree: SyntaxTree, facts: FactsBuilder, slots: Slots): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [node, slot] of slots.byNode) {
    const { container, name } = facts.definition(slot);
    const owner = tree.kind(node) === 'variable_declaration' ? tree.parent[node]! : node;
    if (container < 0 || !/^(?:function|property)_declaration$/.test(tree.kind(owner))) continue;
    if (erasedReceiver(tree, owner) !== '') found.set(name, [...(found.get(name) ?? []), slot]);
  }
  return found;
}

function named(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  const field = tree.child(node, 'name') >= 0 ? tree.child(node, 'name') : tree.child(node, 'type');
  const nameNode = field >= 0 ? field : tree.childOfKind(node, 'identifier');
  return {
    name: tree.text(nameNode).replaceAll('`', ''),
    nameNode,
    kind,
    suffix: 'term',
    visibility: visibilityOf(tree, node),
  };
}

function classLike(tree: SyntaxTree, node: number): Definition {
  const words = tree.children(node).map(child => tree.text(child));
  const modifiers = tree.text(tree.childOfKind(node, 'modifiers'));
  const nameAt = tree.start[tree.child(node, 'name')] ?? 0;
  const isInterface =
    words.includes('interface') ||
    /\bannotation[ \t]+class\s+$/.test(tree.source.slice(Math.max(0, nameAt - 40), nameAt));
  const kind = isInterface ? 'interface' : /\benum\b/.test(modifiers) ? 'enum' : 'class';
  return {
    ...named(tree, node, kind),
    suffix: 'type',
    body: bodyOf(tree, node),
  };
}

function companion(tree: SyntaxTree, node: number): Definition {
  const nameNode = tree.child(node, 'name');
  const token = tree.children(node).find(child => tree.text(child) === 'companion') ?? tree.firstChild(node);
  return {
    ...named(tree, node, 'object'),
    name: nameNode < 0 ? 'Companion' : tree.text(nameNode),
    nameNode: nameNode < 0 ? token : nameNode,
    suffix: 'type',
    body: bodyOf(tree, node),
  };
}

/** `fun String.ext()` parses with an empty name and the name at the end of the receiver's type. */
function callable(tree: SyntaxTree, node: number): Definition {
  const plain = named(tree, node, isMember(tree, node) ? 'method' : 'function');
  const receiver = tree.childOfKind(node, 'user_type');
  const nameNode = plain.name === '' ? (tree.namedChildren(receiver).at(-1) ?? -1) : plain.nameNode;
  return {
    ...plain,
    name: tree.text(nameNode).replaceAll('`', ''),
    nameNode,
    suffix: 'method',
    disambiguator: [erasedReceiver(tree, node), erasedParameters(tree, node), arityOf(tree, node)]
      .filter(one => one !== '')
      .join(','),
    body: bodyOf(tree, node),
  };
}

/** `fun <T> tag()` may stand beside `fun tag()`. */
function arityOf(tree: SyntaxTree, node: number): string {
  const count = tree.namedChildren(tree.childOfKind(node, 'type_parameters')).length;
  return count === 0 ? '' : `+${count}`;
}

/** The type that an extension is for: of those with one name, each type has its own. '' of what is none. */
function erasedReceiver(tree: SyntaxTree, node: number): string {
  for (const child of tree.namedChildren(node)) {
    if (tree.field(child) === 'name' || /variable_declaration$/.test(tree.kind(child))) return '';
    if (/_type$/.test(tree.kind(child))) return erased(tree, child);
  }
  return '';
}

/** Properties of files and classes; what a function declares is local. */
function property(tree: SyntaxTree, node: number): Definition | undefined {
  let owner = tree.parent[node]!;
  if (tree.kind(owner) === 'multi_variable_declaration') owner = tree.parent[owner]!;
  const room = tree.kind(tree.parent[owner]!);
  if (tree.kind(owner) !== 'property_declaration') return undefined;
  if (!/^(?:source_file|class_body|enum_class_body|object_body)$/.test(room)) return undefined;
  const modifiers = tree.text(tree.childOfKind(owner, 'modifiers'));
  // See `readable`.
  const isConstant = (room === 'source_file' ? /\b(?:const|final)\b/ : /\bconst\b/).test(modifiers);
  const kind = isConstant ? 'constant' : room === 'source_file' ? 'variable' : 'property';
  const plain = named(tree, node, kind);
  const receiver = erasedReceiver(tree, owner);
  return {
    ...plain,
    ...(receiver === '' ? {} : { tailName: `${receiver}.${plain.name}` }),
    whole: owner,
    visibility: visibilityOf(tree, owner),
  };
}

function constructorProperty(tree: SyntaxTree, node: number): Definition | undefined {
  const isProperty = tree.children(node).some(child => /^(?:val|var)$/.test(tree.text(child)));
  return isProperty ? named(tree, node, 'property') : undefined;
}

function bodyOf(tree: SyntaxTree, node: number): number {
  return (
    tree
      .namedChildren(node)
      .find(child => /^(?:class_body|enum_class_body|function_body|block)$/.test(tree.kind(child))) ?? -1
  );
}

function isMember(tree: SyntaxTree, node: number): boolean {
  return /class_body$/.test(tree.kind(tree.parent[node]!));
}

function erasedParameters(tree: SyntaxTree, node: number): string {
  return tree
    .namedChildren(tree.childOfKind(node, 'function_value_parameters'))
    .filter(one => tree.kind(one) === 'parameter')
    .map(one => erased(tree, tree.namedChildren(one).at(-1) ?? -1))
    .join(',');
}

function erased(tree: SyntaxTree, type: number): string {
  return tree.text(type).replace(/\s/g, '').replace(/<.*>/, '');
}

function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const modifier = tree.text(tree.childOfKind(tree.childOfKind(node, 'modifiers'), 'visibility_modifier'));
  if (modifier === 'private') return 'private';
  return modifier === 'internal' || modifier === 'protected' ? 'internal' : 'public';
}
