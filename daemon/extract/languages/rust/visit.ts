import type { ReferenceKind } from '../../../model/facts.ts';
import { maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { visitAttribute } from './attributes.ts';
import { visitClosure, visitFunction, visitImplementation, visitModule, visitType } from './items.ts';
import { bindUses, referUse } from './modules.ts';
import { bindPattern } from './patterns.ts';
import { visitTokens } from './tokens.ts';
import { pathValue, typeOf } from './types.ts';
import { looped, valueAt } from './values.ts';
import { type Namespace, nameCrate, nameValue, type Walk } from './walk.ts';

/** Emits the references below a node in order, opening and closing blocks on the way. */
export function visit(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  const slot = slots.byNode.get(node);
  if (slot === undefined || tree.kind(node) === 'block') visitNode(walk, node);
  else facts.within(slot, () => visitNode(walk, node));
}

function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) visit(walk, child);
}

function visitNode(walk: Walk, node: number): void {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'mod_item':
      visitModule(walk, node);
      return;
    case 'function_item':
    case 'function_signature_item':
      visitFunction(walk, node);
      return;
    case 'impl_item':
      visitImplementation(walk, node);
      return;
    case 'struct_item':
    case 'union_item':
    case 'enum_item':
    case 'trait_item':
    case 'type_item':
    case 'associated_type':
      visitType(walk, node);
      return;
    case 'closure_expression':
      visitClosure(walk, node);
      return;
    case 'use_declaration':
      referUse(walk, tree.child(node, 'argument'), -1);
      return;
    case 'macro_definition':
      for (const rule of tree.namedChildren(node)) visitTokens(walk, tree.child(rule, 'right'));
      return;
    default:
      visitStatement(walk, node);
  }
}

function visitStatement(walk: Walk, node: number): void {
  const { tree, module } = walk;
  switch (tree.kind(node)) {
    case 'block':
      module.scopes.inside('block', () => visitBlock(walk, node));
      return;
    case 'let_declaration':
      visitLet(walk, node);
      return;
    case 'let_condition':
      visit(walk, tree.child(node, 'value'));
      bindPattern(walk, tree.child(node, 'pattern'), () => valueAt(walk, tree.child(node, 'value')));
      return;
    case 'if_expression':
      module.scopes.inside('block', () => {
        visit(walk, tree.child(node, 'condition'));
        visit(walk, tree.child(node, 'consequence'));
      });
      visit(walk, tree.child(node, 'alternative'));
      return;
    case 'while_expression':
      module.scopes.inside('block', () => visitChildren(walk, node));
      return;
    case 'for_expression':
      visit(walk, tree.child(node, 'value'));
      module.scopes.inside('block', () => {
        bindPattern(walk, tree.child(node, 'pattern'), () => looped(walk, valueAt(walk, tree.child(node, 'value'))));
        visit(walk, tree.child(node, 'body'));
      });
      return;
    case 'match_arm':
      module.scopes.inside('block', () => {
        const match = tree.parent[tree.parent[node]!]!;
        bindPattern(walk, tree.child(node, 'pattern'), () => valueAt(walk, tree.child(match, 'value')));
        visit(walk, tree.child(node, 'value'));
      });
      return;
    default:
      visitExpression(walk, node);
  }
}

function visitExpression(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'field_expression': {
      visit(walk, tree.child(node, 'value'));
      const field = tree.child(node, 'field');
      if (tree.kind(field) === 'field_identifier') facts.refer(field, useOf(walk, node, 'read'), valueAt(walk, node));
      return;
    }
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      if (tree.child(node, 'path') < 0) nameCrate(walk, node, `::${tree.text(tree.child(node, 'name'))}`);
      visit(walk, tree.child(node, 'path'));
      facts.refer(tree.child(node, 'name'), useOf(walk, node, 'read'), pathValue(walk, node, namespaceOf(walk, node)));
      return;
    case 'struct_expression':
      visit(walk, tree.child(node, 'name'));
      visitFields(walk, node);
      return;
    case 'macro_invocation':
      visitMacro(walk, node);
      return;
    case 'attribute_item':
    case 'inner_attribute_item':
      visitAttribute(walk, node);
      return;
    case 'type_binding':
      visit(walk, tree.child(node, 'type'));
      return;
    case 'identifier':
    case 'type_identifier':
      referName(walk, node);
      return;
    case 'const_item':
    case 'static_item':
    case 'field_declaration':
      setWrittenType(walk, node);
      visitChildren(walk, node);
      return;
    case 'lifetime':
    case 'label':
    case 'visibility_modifier':
    case 'extern_crate_declaration':
      return;
    default:
      visitChildren(walk, node);
  }
}

/** The items of a block are seen in all of it. */
function visitBlock(walk: Walk, node: number): void {
  const { tree, facts, slots, module } = walk;
  for (const child of tree.namedChildren(node)) {
    const slot = slots.byNode.get(child);
    if (slot !== undefined) module.scopes.declare(facts.definition(slot).name, facts.slot(slot), 'global');
  }
  const globs = module.globs.length;
  module.globs.push(...bindUses(walk, node).globs);
  visitChildren(walk, node);
  module.globs.length = globs;
}

function visitLet(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const type = tree.child(node, 'type');
  const value = tree.child(node, 'value');
  visit(walk, type);
  visit(walk, value);
  visit(walk, tree.child(node, 'alternative'));
  const isTold = type >= 0 && !/^_$/.test(tree.text(type));
  bindPattern(walk, tree.child(node, 'pattern'), () =>
    isTold ? facts.instance(typeOf(walk, type)) : valueAt(walk, value),
  );
}

function setWrittenType(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  if (facts.enclosing >= 0) facts.setType(facts.enclosing, facts.instance(typeOf(walk, tree.child(node, 'type'))));
}

function visitFields(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const whole = facts.instance(pathValue(walk, tree.child(node, 'name'), '#'));
  for (const one of tree.namedChildren(tree.child(node, 'body'))) {
    const isShort = tree.kind(one) === 'shorthand_field_initializer';
    const name = isShort ? (tree.namedChildren(one).at(-1) ?? -1) : tree.child(one, 'field');
    if (/identifier$/.test(tree.kind(name))) facts.refer(name, 'write', facts.member(whole, tree.text(name)));
    if (!isShort) visit(walk, name === -1 ? one : tree.child(one, 'value'));
  }
}

function visitMacro(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const macro = tree.child(node, 'macro');
  const name = tree.kind(macro) === 'scoped_identifier' ? tree.child(macro, 'name') : macro;
  if (name !== macro) visit(walk, tree.child(macro, 'path'));
  facts.refer(name, 'call', macroNamed(walk, macro));
  visitTokens(walk, tree.childOfKind(node, 'token_tree'));
}

/** A macro of the crate is seen without a path wherever it is written before. */
function macroNamed(walk: Walk, macro: number): number {
  const { tree, facts } = walk;
  if (tree.kind(macro) === 'scoped_identifier') {
    const crate = pathValue(walk, tree.child(macro, 'path'), '#');
    return facts.otherwise(pathValue(walk, macro, ''), facts.member(crate, `${tree.text(tree.child(macro, 'name'))}!`));
  }
  const name = tree.text(macro);
  return facts.otherwise(macroItem(walk, name), nameValue(walk, name, '!'));
}

function macroItem({ facts }: Walk, name: string): number {
  const slot = facts.definitions.findIndex(one => one.kind === 'macro' && one.name === name);
  return facts.slot(slot);
}

function referName(walk: Walk, node: number): void {
  const { tree, facts, slots, bound, module } = walk;
  const name = tree.text(node);
  if (slots.nameNodes.has(node) || bound.has(node) || name === 'Self' || name === '_') return;
  if (module.scopes.resolve(name)?.kind === 'local') return;
  const kind = tree.kind(node) === 'type_identifier' ? 'type' : 'read';
  if (tree.field(node) === 'path') nameCrate(walk, node, name);
  facts.refer(node, useOf(walk, node, kind), nameValue(walk, name, namespaceOf(walk, node)));
}

/** Where a name or a path is looked for, by its place. */
function namespaceOf({ tree }: Walk, node: number): Namespace {
  const parent = tree.parent[node]!;
  switch (tree.kind(parent)) {
    case 'type_arguments':
      // `Grid<WIDTH>` may be given a constant.
      return '';
    case 'scoped_identifier':
    case 'scoped_type_identifier':
    case 'generic_type_with_turbofish':
    case 'bracketed_type':
      return '#';
    default:
      return /^(?:scoped_)?type_identifier$/.test(tree.kind(node)) ? '#' : '()';
  }
}

/** How a name or a path is used. */
function useOf({ tree }: Walk, node: number, kind: ReferenceKind): ReferenceKind {
  const parent = tree.parent[node]!;
  if (isImplemented(tree, node)) return 'implementation';
  switch (tree.kind(parent)) {
    case 'call_expression':
      return tree.field(node) === 'function' ? 'call' : kind;
    case 'generic_function':
      return tree.field(node) === 'function' ? 'call' : kind;
    case 'struct_expression':
      return tree.field(node) === 'name' ? 'call' : kind;
    case 'assignment_expression':
    case 'compound_assignment_expr':
      return tree.field(node) === 'left' ? 'write' : kind;
    case 'scoped_identifier':
    case 'scoped_type_identifier':
      return tree.field(node) === 'path' ? 'type' : kind;
    default:
      return tree.kind(node) === 'scoped_type_identifier' ? 'type' : kind;
  }
}

/** Is it the trait of an `impl`, or one that a trait builds on? */
function isImplemented(tree: SyntaxTree, node: number): boolean {
  let whole = node;
  while (/^(?:generic_type|higher_ranked_trait_bound)$/.test(tree.kind(tree.parent[whole]!))) {
    if (tree.field(whole) !== 'type') return false;
    whole = tree.parent[whole]!;
  }
  const holder = tree.parent[whole]!;
  if (tree.kind(holder) === 'impl_item') return tree.field(whole) === 'trait';
  if (tree.kind(holder) !== 'trait_bounds') return false;
  const item = tree.parent[holder]!;
  if (tree.kind(item) === 'trait_item') return true;
  const isOfSelf = tree.kind(item) === 'where_predicate' && tree.text(tree.child(item, 'left')) === 'Self';
  return isOfSelf && tree.kind(tree.parent[tree.parent[item]!]!) === 'trait_item';
}
