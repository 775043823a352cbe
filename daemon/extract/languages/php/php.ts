import type { ImportFact } from '../../../model/facts.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { type Definition, type Local, outlineLanguage } from '../../outline.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** PHP: tails are qualified names; `namespace A\B;` qualifies the rest of its file. */
export const php = outlineLanguage({
  name: 'php',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-php.wasm',
  namesAnything: true,
  definitions: {
    namespace_definition: (tree, node) => (tree.child(node, 'body') < 0 ? undefined : namespace(tree, node)),
    class_declaration: type('class'),
    interface_declaration: type('interface'),
    trait_declaration: type('trait'),
    enum_declaration: type('enum'),
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
  scopes: new Set(['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function']),
  locals: { simple_parameter: parameter, variadic_parameter: parameter, assignment_expression: assigned },
  imports: { namespace_use_declaration: imports },
  identifiers: { name: 'read' },
  members: {
    member_access_expression: { of: 'object', name: 'name' },
    nullsafe_member_access_expression: { of: 'object', name: 'name' },
    member_call_expression: { of: 'object', name: 'name', call: true },
    nullsafe_member_call_expression: { of: 'object', name: 'name', call: true },
    scoped_call_expression: { of: 'scope', name: 'name', call: true },
    scoped_property_access_expression: { of: 'scope', name: 'name' },
    class_constant_access_expression: { of: '', name: '$last' },
    qualified_name: { of: 'prefix', name: '$last' },
  },
  calls: { function_call_expression: 'function', object_creation_expression: '$first' },
  writes: { assignment_expression: 'left' },
  typeParents: new Set(['named_type', 'base_clause', 'class_interface_clause', 'use_declaration', 'attribute']),
  anonymous: (tree, node) =>
    tree.kind(node) === 'anonymous_class'
      ? `new ${tree.text(tree.childOfKind(node, 'base_clause')).replace(/^extends\s+/, '') || 'class'}`
      : '',
  selves: new Set(['this', 'self', 'static', '$this']),
  packageClause(tree, node) {
    if (tree.kind(node) !== 'namespace_definition' || tree.child(node, 'body') >= 0) return undefined;
    const name = tree.text(tree.child(node, 'name'));
    return { name, prefix: prefixOf(name), definition: namespace(tree, node) };
  },
});

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

function parameter(tree: SyntaxTree, node: number): readonly Local[] {
  return [{ nameNode: variableName(tree, tree.child(node, 'name')), type: tree.child(node, 'type') }];
}

function assigned(tree: SyntaxTree, node: number): readonly Local[] {
  const left = tree.child(node, 'left');
  if (tree.kind(left) !== 'variable_name') return [];
  const right = tree.child(node, 'right');
  const isCreation = tree.kind(right) === 'object_creation_expression';
  return [{ nameNode: variableName(tree, left), type: isCreation ? (tree.namedChildren(right)[0] ?? -1) : -1 }];
}

function imports(tree: SyntaxTree, node: number): readonly ImportFact[] {
  const group = tree.childOfKind(node, 'namespace_use_group');
  const clauses = tree.namedChildren(group < 0 ? node : group).filter(one => tree.kind(one) === 'namespace_use_clause');
  const prefix = group < 0 ? '' : `${tree.text(tree.childOfKind(node, 'namespace_name'))}\\`;
  return clauses.map(clause => {
    const alias = tree.text(tree.child(clause, 'alias'));
    const path = prefix + tree.text(tree.namedChildren(clause)[0] ?? -1).replace(/^\\/, '');
    const cut = path.lastIndexOf('\\');
    const name = path.slice(cut + 1);
    const specifier = cut < 0 ? '' : path.slice(0, cut);
    return { specifier, name, local: alias || name, wildcard: false, typeOnly: false, line: lineOf(tree, node) };
  });
}
