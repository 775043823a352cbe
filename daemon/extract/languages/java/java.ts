import type { ImportFact } from '../../../model/facts.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { type Definition, type Local, outlineLanguage } from '../../outline.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** Java: a package's files share one scope, and methods overload, so erased parameter types are part of a method's tail. */
export const java = outlineLanguage({
  name: 'java',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-java.wasm',
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
  scopes: new Set([
    'class_declaration',
    'interface_declaration',
    'record_declaration',
    'method_declaration',
    'constructor_declaration',
    'compact_constructor_declaration',
    'block',
    'lambda_expression',
    'for_statement',
    'enhanced_for_statement',
    'catch_clause',
    'try_with_resources_statement',
    'switch_block_statement_group',
    'switch_rule',
  ]),
  locals: {
    formal_parameter: declared,
    catch_formal_parameter: declared,
    enhanced_for_statement: declared,
    resource: declared,
    instanceof_expression: declared,
    type_pattern: (tree, node) => [{ nameNode: tree.childOfKind(node, 'identifier'), type: tree.firstChild(node) }],
    type_parameter: (tree, node) => [{ nameNode: tree.childOfKind(node, 'type_identifier') }],
    spread_parameter: (tree, node) => [{ nameNode: tree.child(tree.childOfKind(node, 'variable_declarator'), 'name') }],
    variable_declarator: local,
    inferred_parameters: (tree, node) => tree.namedChildren(node).map(nameNode => ({ nameNode })),
    lambda_expression(tree, node) {
      const parameters = tree.child(node, 'parameters');
      return tree.kind(parameters) === 'identifier' ? [{ nameNode: parameters }] : [];
    },
  },
  imports: { import_declaration: imports },
  identifiers: { identifier: 'read', type_identifier: 'type' },
  members: {
    field_access: { of: 'object', name: 'field' },
    method_invocation: { of: 'object', name: 'name', call: true },
    scoped_type_identifier: { of: '', name: '$last' },
    method_reference: { of: '', name: '$last' },
  },
  calls: { object_creation_expression: 'type' },
  writes: { assignment_expression: 'left', update_expression: '' },
  selves: new Set(['this']),
  anonymous: (tree, node) =>
    tree.kind(node) === 'object_creation_expression' && tree.childOfKind(node, 'class_body') >= 0
      ? `new ${withoutArguments(tree.text(tree.child(node, 'type')))}`
      : '',
  packageClause(tree, node) {
    if (tree.kind(node) !== 'package_declaration') return undefined;
    return { name: tree.text(tree.namedChildren(node).at(-1) ?? -1).replace(/\s/g, ''), prefix: '' };
  },
});

function withoutArguments(type: string): string {
  return type.replace(/<[\s\S]*>/, '').replace(/\s/g, '');
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'type',
    body: tree.child(node, 'body'),
    supers: ['superclass', 'interfaces', 'super_interfaces', 'extends_interfaces']
      .flatMap(part => [tree.child(node, part), tree.childOfKind(node, part)])
      .filter((part, index, all) => part >= 0 && all.indexOf(part) === index)
      .flatMap(part => tree.namedChildren(part))
      .flatMap(part => (tree.kind(part) === 'type_list' ? tree.namedChildren(part) : [part])),
  });
}

function callable(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'method',
    disambiguator: erasedParameters(tree, tree.child(node, 'parameters')),
    body: tree.child(node, 'body'),
    type: tree.child(node, 'type'),
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
    type: tree.child(owner, 'type'),
  };
}

/** The components of a record are its fields. */
function recordComponent(tree: SyntaxTree, node: number): Definition | undefined {
  if (tree.kind(tree.parent[tree.parent[node]!] ?? -1) !== 'record_declaration') return undefined;
  return { ...named(tree, node, 'field'), visibility: 'private', type: tree.child(node, 'type') };
}

function declared(tree: SyntaxTree, node: number): readonly Local[] {
  return [{ nameNode: tree.child(node, 'name'), type: typeOrValue(tree, node) }];
}

function local(tree: SyntaxTree, node: number): readonly Local[] {
  const owner = tree.parent[node]!;
  const type = tree.child(owner, 'type');
  const value = tree.child(node, 'value');
  const isCreation = tree.text(type) === 'var' && tree.kind(value) === 'object_creation_expression';
  return [{ nameNode: tree.child(node, 'name'), type: isCreation ? tree.child(value, 'type') : type }];
}

function typeOrValue(tree: SyntaxTree, node: number): number {
  return tree.child(node, tree.kind(node) === 'instanceof_expression' ? 'right' : 'type');
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

function imports(tree: SyntaxTree, node: number): readonly ImportFact[] {
  const path = tree.namedChildren(node).find(child => /identifier/.test(tree.kind(child)));
  const written = tree.text(path ?? -1).replace(/\s/g, '');
  const wildcard = tree.childOfKind(node, 'asterisk') >= 0;
  const name = wildcard ? '*' : written.slice(written.lastIndexOf('.') + 1);
  const specifier = wildcard ? written : written.slice(0, Math.max(0, written.lastIndexOf('.')));
  const line = lineOf(tree, node);
  return [{ specifier, name, local: wildcard ? '' : name, wildcard, typeOnly: false, line }];
}
