import type { ImportFact } from '../../../model/facts.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { type Definition, type Local, outlineLanguage } from '../../outline.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';

/** Rust: what an `impl` block defines belongs to the type that it names. */
export const rust = outlineLanguage({
  name: 'rust',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-rust.wasm',
  definitions: {
    struct_item: type('struct'),
    union_item: type('struct'),
    enum_item: type('enum'),
    trait_item: type('trait'),
    type_item: type('type'),
    associated_type: type('type'),
    enum_variant: (tree, node) => ({ ...named(tree, node, 'enum-member'), visibility: 'public' }),
    field_declaration: (tree, node) => ({ ...named(tree, node, 'field'), type: tree.child(node, 'type') }),
    const_item: (tree, node) => ({ ...named(tree, node, 'constant'), type: tree.child(node, 'type') }),
    static_item: (tree, node) => ({ ...named(tree, node, 'variable'), type: tree.child(node, 'type') }),
    mod_item: (tree, node) => ({
      ...named(tree, node, 'module'),
      suffix: 'namespace',
      body: tree.child(node, 'body'),
    }),
    macro_definition: (tree, node) => ({
      ...named(tree, node, 'macro'),
      suffix: 'macro',
      visibility: isMacroExport(tree, node) ? 'public' : 'private',
      body: tree.childOfKind(node, 'macro_rule'),
    }),
    function_item: callable,
    function_signature_item: callable,
  },
  scopes: new Set([
    'struct_item',
    'enum_item',
    'trait_item',
    'impl_item',
    'function_item',
    'block',
    'closure_expression',
    'for_expression',
    'match_arm',
    'if_expression',
    'while_expression',
  ]),
  locals: {
    parameter: pattern,
    type_parameter: (tree, node) => [{ nameNode: tree.child(node, 'name') }],
    let_declaration: pattern,
    let_condition: pattern,
    for_expression: pattern,
    match_arm: pattern,
    closure_parameters: (tree, node) => tree.namedChildren(node).flatMap(one => bindings(tree, one, -1)),
  },
  imports: { use_declaration: (tree, node) => uses(tree, tree.child(node, 'argument'), '', lineOf(tree, node)) },
  identifiers: {
    identifier: 'read',
    type_identifier: 'type',
    field_identifier: 'read',
    shorthand_field_identifier: 'read',
  },
  members: {
    field_expression: { of: 'value', name: 'field' },
    scoped_identifier: { of: 'path', name: 'name' },
    scoped_type_identifier: { of: 'path', name: 'name' },
  },
  calls: {
    call_expression: 'function',
    macro_invocation: 'macro',
    struct_expression: 'name',
    generic_function: 'function',
  },
  writes: { assignment_expression: 'left', compound_assignment_expr: 'left' },
  selves: new Set(['self', 'Self']),
});

function named(tree: SyntaxTree, node: number, kind: SymbolKind): Definition {
  const nameNode = tree.child(node, 'name');
  const isMember = ['function', 'constant', 'type'].includes(kind) && ownerOf(tree, node) !== '';
  const between = betweenOf(tree, node);
  return {
    name: tree.text(nameNode),
    nameNode,
    kind: isMember && kind === 'function' ? 'method' : kind,
    suffix: 'term',
    visibility: visibilityOf(tree, node),
    ...(between === '' ? {} : { between }),
  };
}

function type(kind: SymbolKind) {
  return (tree: SyntaxTree, node: number): Definition => ({
    ...named(tree, node, kind),
    suffix: 'type',
    body: tree.child(node, 'body'),
    supers: tree.namedChildren(tree.child(node, 'bounds')),
  });
}

function callable(tree: SyntaxTree, node: number): Definition {
  return {
    ...named(tree, node, 'function'),
    suffix: 'method',
    body: tree.child(node, 'body'),
    type: tree.child(node, 'return_type'),
  };
}

/** The type of the `impl` block, or the trait, around a definition; '' where there is none. */
function ownerOf(tree: SyntaxTree, node: number): string {
  const owner = tree.parent[tree.parent[node]!] ?? -1;
  if (tree.kind(owner) === 'trait_item') return tree.text(tree.child(owner, 'name'));
  return tree.kind(owner) === 'impl_item' ? baseType(tree.text(tree.child(owner, 'type'))) : '';
}

/**
 * Descriptors of the `impl` block: the type, and the trait in brackets where it is one's implementation. `&Foo` and
 * `Foo<u8>` implement it beside `Foo<T>`.
 */
function betweenOf(tree: SyntaxTree, node: number): string {
  const block = tree.parent[tree.parent[node]!] ?? -1;
  if (tree.kind(block) !== 'impl_item') return '';
  const trait = tree.child(block, 'trait');
  const implemented = `impl ${traitOf(tree.text(trait))}${specialOf(tree, block)}`.replaceAll('`', '');
  const suffix = trait < 0 ? '' : `\`${implemented}\`#`;
  const owner = ownerOf(tree, node);
  return `${/^\w+$/.test(owner) ? owner : `\`${owner.replaceAll('`', '')}\``}#${suffix}`;
}

/** ` for &Foo`, ` for Foo<u8>`; '' where the block is for the type as such, whatever its parameters. */
function specialOf(tree: SyntaxTree, block: number): string {
  const written = tree.text(tree.child(block, 'type'));
  const parameters = tree
    .namedChildren(tree.child(block, 'type_parameters'))
    .map(one => /\w+/.exec(tree.text(one))?.[0]);
  const given = /<(.*)>$/s.exec(written)?.[1] ?? '';
  const isGeneral = given.split(',').every(one => /^\s*(?:'\w+)?$/.test(one) || parameters.includes(one.trim()));
  return isGeneral && /^[\w:]/.test(written) ? '' : ` for ${written.replace(/\s+/g, ' ').replace(/'\w+ ?/g, '')}`;
}

/** A type implements `From<A>` beside `From<B>`; lifetimes tell no implementations apart. */
function traitOf(written: string): string {
  const inBrackets = /<.*$/s.exec(written)?.[0] ?? '';
  const types = inBrackets
    .replace(/'\w+\s*,?\s*/g, '')
    .replaceAll('<>', '')
    .replace(/\s+/g, ' ');
  return baseType(written) + types;
}

/** `&mut a::Foo<T>` is `Foo`. */
function baseType(written: string): string {
  const path = written.replace(/<.*$/s, '').replace(/^[&*]\s*(?:'\w+\s*)?(?:mut|const|dyn)?\s*/, '');
  return path.slice(path.lastIndexOf(':') + 1).trim();
}

/** `#[macro_export]` among the attributes above a macro. */
function isMacroExport(tree: SyntaxTree, macro: number): boolean {
  const above = tree.namedChildren(tree.parent[macro]!).filter(child => child < macro);
  const first = above.findLastIndex(child => !/^(?:attribute_item|line_comment)$/.test(tree.kind(child))) + 1;
  return above.slice(first).some(child => /^#\[\s*macro_export\b/.test(tree.text(child)));
}

function visibilityOf(tree: SyntaxTree, node: number): Visibility {
  const modifier = tree.text(tree.childOfKind(node, 'visibility_modifier'));
  if (modifier === 'pub') return 'public';
  if (modifier !== '') return 'internal';
  // A variant is as public as its enum, and so are its fields.
  if (tree.kind(tree.parent[tree.parent[node]!] ?? -1) === 'enum_variant') return 'public';
  const block = tree.parent[tree.parent[node]!] ?? -1;
  const isTraitMember = tree.kind(block) === 'trait_item' || tree.child(block, 'trait') >= 0;
  return isTraitMember ? 'public' : 'private';
}

function pattern(tree: SyntaxTree, node: number): readonly Local[] {
  const written = tree.child(node, 'type');
  const value = tree.child(node, 'value');
  const maker = tree.kind(value) === 'call_expression' ? tree.child(tree.child(value, 'function'), 'path') : -1;
  const made = tree.kind(value) === 'struct_expression' ? tree.child(value, 'name') : maker;
  return bindings(tree, tree.child(node, 'pattern'), written >= 0 ? written : made);
}

/** The names that a pattern binds: small letters; a path or a capital is a constant or a variant. */
function bindings(tree: SyntaxTree, node: number, type: number): readonly Local[] {
  const kind = tree.kind(node);
  if (kind === 'identifier') return /^[a-z_]/.test(tree.text(node)) ? [{ nameNode: node, type }] : [];
  if (kind === 'shorthand_field_identifier') return [{ nameNode: node }];
  if (!/pattern|parameter/.test(kind)) return [];
  return tree
    .namedChildren(node)
    .filter(child => !/^(?:type|condition)$/.test(tree.field(child)))
    .flatMap(child => bindings(tree, child, -1));
}

/** `use a::{b, c as d, e::*}` is three imports. */
function uses(tree: SyntaxTree, node: number, prefix: string, line: number): readonly ImportFact[] {
  const one = (specifier: string, name: string, local: string): ImportFact => ({
    specifier,
    name,
    local,
    wildcard: name === '*',
    typeOnly: false,
    line,
  });
  const under = (path: string): string => (prefix === '' ? path : `${prefix}::${path}`);
  switch (tree.kind(node)) {
    case 'scoped_use_list':
      return uses(tree, tree.child(node, 'list'), under(tree.text(tree.child(node, 'path'))), line);
    case 'use_list':
      return tree.namedChildren(node).flatMap(child => uses(tree, child, prefix, line));
    case 'use_as_clause': {
      const [plain] = uses(tree, tree.child(node, 'path'), prefix, line);
      return plain === undefined ? [] : [{ ...plain, local: tree.text(tree.child(node, 'alias')) }];
    }
    case 'use_wildcard':
      return [one(under(tree.text(tree.firstChild(node))), '*', '')];
    case 'scoped_identifier': {
      const name = tree.text(tree.child(node, 'name'));
      return [one(under(tree.text(tree.child(node, 'path'))), name, name)];
    }
    case 'self':
      return [one(prefix, '*', prefix.slice(prefix.lastIndexOf(':') + 1))].map(self => ({ ...self, wildcard: false }));
    default: {
      const name = tree.text(node);
      return name === '' ? [] : [one(prefix, name, name)];
    }
  }
}
