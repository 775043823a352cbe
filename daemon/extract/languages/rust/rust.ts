import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import type { FactsBuilder } from '../../builder.ts';
import { previousSiblings } from '../../comments.ts';
import { rustComplexity } from '../../complexity/rust.ts';
import type { Language } from '../../language.ts';
import { type Declaring, type Definition, defineAll, type Slots } from '../../outline.ts';
import type { SyntaxTree } from '../../tree.ts';
import { procedureMacros } from './attributes.ts';
import { visitModule } from './items.ts';
import { importsOf } from './modules.ts';
import { testLines } from './tests.ts';
import { visit } from './visit.ts';
import { openModule, type Walk } from './walk.ts';

/** Rust: what an `impl` block defines belongs to the type that it names. */
const table: Declaring = {
  definitions: {
    struct_item: type('struct'),
    union_item: type('struct'),
    enum_item: type('enum'),
    trait_item: type('trait'),
    type_item: type('type'),
    associated_type: type('type'),
    enum_variant: (tree, node) => ({ ...named(tree, node, 'enum-member'), visibility: 'public' }),
    field_declaration: (tree, node) => ({ ...named(tree, node, 'field') }),
    const_item: (tree, node) => ({ ...named(tree, node, 'constant') }),
    static_item: (tree, node) => ({ ...named(tree, node, 'variable') }),
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
};

export const rust: Language = {
  name: 'rust',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-rust.wasm',
  complexity: rustComplexity,
  tests: testLines,
  walk(tree, facts) {
    const macros = procedureMacros(tree);
    const slots = defineAll(tableWith(macros), tree, facts, previousSiblings(tree));
    for (let node = 0; node < tree.size; node++) {
      const isImport = /^(?:use|extern_crate)_declaration$/.test(tree.kind(node));
      if (isImport) for (const one of importsOf(tree, node)) facts.addImport(one);
    }
    markValues(tree, facts, slots);
    const module = openModule({ facts, slots }, -1, undefined);
    const walk: Walk = {
      tree,
      facts,
      slots,
      bound: new Set(),
      crates: new Set(),
      module,
      self: { type: -1, slot: -1 },
      visit: node => visit(walk, node),
    };
    visitModule(walk, 0);
    for (const [node, name] of macros) if (name !== '') facts.addExport(name, facts.slot(slots.byNode.get(node) ?? -1));
  },
};

function tableWith(macros: ReadonlyMap<number, string>): Declaring {
  if (macros.size === 0) return table;
  const functionItem = (tree: SyntaxTree, node: number): Definition =>
    macros.has(node) ? { ...callable(tree, node), kind: 'macro', suffix: 'macro' } : callable(tree, node);
  return { definitions: { ...table.definitions, function_item: functionItem } };
}

/** The name of a struct is a value, too, where its fields have none. */
function markValues(tree: SyntaxTree, facts: FactsBuilder, slots: Slots): void {
  for (const [node, slot] of slots.byNode) {
    const isNamed = tree.kind(tree.child(node, 'body')) === 'field_declaration_list';
    if (tree.kind(node) === 'struct_item' && !isNamed) facts.setType(slot, facts.instance(facts.slot(slot)));
  }
}

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
  });
}

function callable(tree: SyntaxTree, node: number): Definition {
  return {
    ...named(tree, node, 'function'),
    suffix: 'method',
    body: tree.child(node, 'body'),
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
