import { maxDepth } from '../../builder.ts';
import { lineOf } from '../../tree.ts';
import { assign, assignParts } from './assign.ts';
import { referToCallbackAt, referToCallbacks } from './callbacks.ts';
import { describe, describeReturn } from './describe.ts';
import { taggedType, taggedVariable } from './doc-types.ts';
import { importIncluded } from './includes.ts';
import { endingIn } from './names.ts';
import { asserted, narrowed } from './narrow.ts';
import { referToClass, referToMember, referToNamespace, referToQualifier } from './refer.ts';
import { partsOf } from './values.ts';
import { isClassKind, type Walk } from './walk.ts';

/** Walks what stands at a node: gives variables their values, and refers to what names mean. */
export function visit(walk: Walk, node: number): void {
  const slot = walk.slots.byNode.get(node);
  if (slot === undefined) visitPlain(walk, node);
  else walk.facts.within(slot, () => visitDefinition(walk, node, slot));
}

function visitChildren(walk: Walk, node: number): void {
  const { tree } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) visit(walk, child);
}

function visitDefinition(walk: Walk, node: number, slot: number): void {
  const { kind } = walk.facts.definition(slot);
  if (kind === 'namespace') {
    visitPlain(walk, node);
    return;
  }
  const isFunction = kind === 'method' || kind === 'function' || kind === 'constructor';
  if (!isFunction && !isClassKind(kind)) {
    describe(walk, node, slot);
    visitPlain(walk, node);
    return;
  }
  walk.scopes.inside('function', () => {
    describe(walk, node, slot);
    visitPlain(walk, node);
  });
}

type Rule = (walk: Walk, node: number) => void;

function visitPlain(walk: Walk, node: number): void {
  const { tree } = walk;
  if (!tree.isNamed(node)) return;
  const kind = tree.kind(node);
  const rule = Object.hasOwn(rules, kind) ? rules[kind] : undefined;
  if (rule === undefined) visitChildren(walk, node);
  else rule(walk, node);
}

const rules: Readonly<Record<string, Rule>> = {
  namespace_definition(walk, node) {
    enterNamespace(walk, node);
    visitChildren(walk, walk.tree.child(node, 'body'));
  },
  namespace_use_declaration: visitUse,
  variable_name: () => undefined,
  relative_scope: () => undefined,
  name: visitConstant,
  qualified_name: visitConstant,
  named_type: (walk, node) => referToClass(walk, walk.tree.namedChildren(node)[0] ?? -1, 'type'),
  base_clause: classes('implementation'),
  class_interface_clause: classes('implementation'),
  use_declaration: visitTraits,
  attribute(walk, node) {
    const [name = -1, ...rest] = walk.tree.namedChildren(node);
    referToClass(walk, name, 'type');
    for (const child of rest) visit(walk, child);
  },
  member_access_expression: visitAccess,
  nullsafe_member_access_expression: visitAccess,
  member_call_expression: visitAccess,
  nullsafe_member_call_expression: visitAccess,
  scoped_call_expression: visitAccess,
  scoped_property_access_expression: visitAccess,
  class_constant_access_expression: visitAccess,
  function_call_expression: visitCall,
  object_creation_expression: visitCreation,
  anonymous_class: visitAnonymousClass,
  binary_expression(walk, node) {
    visit(walk, walk.tree.child(node, 'left'));
    const right = walk.tree.child(node, 'right');
    if (isInstanceOf(walk, node)) visitClass(walk, right, 'type');
    else visit(walk, right);
  },
  argument(walk, node) {
    for (const child of walk.tree.namedChildren(node)) if (walk.tree.field(child) !== 'name') visit(walk, child);
  },
  assignment_expression: assign,
  reference_assignment_expression: assign,
  foreach_statement: visitForeach,
  catch_clause(walk, node) {
    const type = walk.tree.child(node, 'type');
    visit(walk, type);
    setVariable(walk, walk.tree.child(node, 'name'), walk.names.typed(type));
    visit(walk, walk.tree.child(node, 'body'));
  },
  if_statement: visitIf,
  conditional_expression(walk, node) {
    const [condition, body, other] = ['condition', 'body', 'alternative'].map(field => walk.tree.child(node, field));
    visit(walk, condition!);
    narrowed(walk, condition!, () => visit(walk, body!));
    visit(walk, other!);
  },
  array_element_initializer(walk, node) {
    referToCallbackAt(walk, node);
    visitChildren(walk, node);
  },
  anonymous_function: visitClosure,
  arrow_function: visitClosure,
  return_statement(walk, node) {
    visitChildren(walk, node);
    describeReturn(walk, node);
  },
  require_expression: visitInclude,
  require_once_expression: visitInclude,
  include_expression: visitInclude,
  include_once_expression: visitInclude,
  goto_statement: () => undefined,
  named_label_statement: () => undefined,
  static_variable_declaration(walk, node) {
    visit(walk, walk.tree.child(node, 'value'));
    setVariable(walk, walk.tree.child(node, 'name'), walk.values.of(walk.tree.child(node, 'value')));
  },
  const_element: visitUnnamed,
  enum_case: visitUnnamed,
  class_declaration: visitUnnamed,
  interface_declaration: visitUnnamed,
  trait_declaration: visitUnnamed,
  enum_declaration: visitUnnamed,
  function_definition: visitUnnamed,
  method_declaration: visitUnnamed,
};

/** The name of a definition is none of its uses. */
function visitUnnamed(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) if (!walk.slots.nameNodes.has(child)) visit(walk, child);
}

function setVariable({ tree, scopes }: Walk, variable: number, value: number): void {
  const name = tree.kind(variable) === 'variable_name' ? tree.childOfKind(variable, 'name') : -1;
  if (name >= 0) scopes.hoist(tree.text(name), value);
}

function enterNamespace(walk: Walk, node: number): void {
  const { tree, names } = walk;
  const written = tree.child(node, 'name');
  const path = tree.text(written);
  names.enter(path === '' ? '' : `${path.replaceAll('\\', '/')}/`);
  const parts = tree.namedChildren(written);
  parts.slice(0, -1).forEach((part, at) => {
    referToNamespace(walk, part, parts.slice(0, at + 1));
  });
}

function visitInclude(walk: Walk, node: number): void {
  importIncluded(walk, node);
  visitChildren(walk, node);
}

/** `use A\B as C, function f;`, `use A\{B, function c};` */
function visitUse(walk: Walk, node: number): void {
  const { tree, facts, names } = walk;
  const group = tree.childOfKind(node, 'namespace_use_group');
  const prefix = group < 0 ? -1 : tree.childOfKind(node, 'namespace_name');
  const outer = tree.namedChildren(prefix);
  outer.forEach((part, at) => {
    referToNamespace(walk, part, outer.slice(0, at + 1));
  });
  for (const clause of tree.namedChildren(group < 0 ? node : group)) {
    if (tree.kind(clause) !== 'namespace_use_clause') continue;
    const written = tree.namedChildren(clause)[0] ?? -1;
    const alias = tree.text(tree.child(clause, 'alias'));
    const leaf = tree.kind(written) === 'name' ? written : (tree.namedChildren(written).at(-1) ?? -1);
    const parts = tree.namedChildren(tree.childOfKind(written, 'namespace_name'));
    parts.forEach((part, at) => {
      referToNamespace(walk, part, [...outer, ...parts.slice(0, at + 1)]);
    });
    const path = [...outer, ...parts, leaf].map(part => tree.text(part)).join('\\');
    const kind = useKind(walk, node, clause);
    const cut = path.lastIndexOf('\\');
    const [specifier, name] = [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)];
    facts.addImport({
      specifier,
      name,
      local: alias || name,
      wildcard: false,
      typeOnly: false,
      line: lineOf(tree, node),
    });
    names.bind(kind, alias || name, path);
    const suffix = { class: '#', function: '()', constant: '' }[kind];
    facts.refer(leaf, 'import', facts.free(endingIn(path.replaceAll('\\', '/'), suffix)));
  }
}

function useKind({ tree }: Walk, node: number, clause: number): 'class' | 'function' | 'constant' {
  const words = [...tree.children(node), ...tree.children(clause)].map(child => tree.kind(child));
  return words.includes('function') ? 'function' : words.includes('const') ? 'constant' : 'class';
}

const magic = /^(?:true|false|null|self|static|parent|__[A-Z]+__)$/i;

/** A name that stands where a value may: a constant. */
function visitConstant(walk: Walk, node: number): void {
  const { tree, facts, slots, names } = walk;
  const leaf = tree.kind(node) === 'name' ? node : (tree.namedChildren(node).at(-1) ?? -1);
  if (leaf < 0 || slots.nameNodes.has(leaf) || magic.test(tree.text(leaf))) return;
  referToQualifier(walk, node);
  facts.refer(leaf, 'read', names.constantNamed(tree.text(node)));
}

function classes(kind: 'implementation' | 'type'): Rule {
  return (walk, node) => {
    for (const child of walk.tree.namedChildren(node)) referToClass(walk, child, kind);
  };
}

/** `use A, B { A::f insteadof B; g as protected h; }` */
function visitTraits(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  for (const child of tree.namedChildren(node)) {
    if (tree.kind(child) !== 'use_list') referToClass(walk, child, 'implementation');
  }
  for (const clause of tree.namedChildren(tree.childOfKind(node, 'use_list'))) {
    const [method = -1, ...others] = tree.namedChildren(clause);
    if (tree.kind(method) === 'class_constant_access_expression') {
      const [trait, name] = partsOf(walk, method);
      referToClass(walk, trait, 'type');
      facts.refer(name, 'read', facts.member(walk.values.classOf(trait), `${tree.text(name).toLowerCase()}()`));
    } else if (tree.kind(method) === 'name') {
      facts.refer(method, 'read', facts.member(facts.slot(facts.enclosing), `${tree.text(method).toLowerCase()}()`));
    }
    if (tree.kind(clause) === 'use_instead_of_clause') for (const one of others) referToClass(walk, one, 'type');
  }
}

/** A class by name, or whatever gives one. */
function visitClass(walk: Walk, node: number, kind: 'read' | 'type' | 'call'): void {
  if (/^(?:name|qualified_name|relative_name)$/.test(walk.tree.kind(node))) referToClass(walk, node, kind);
  else visit(walk, node);
}

function visitAccess(walk: Walk, node: number): void {
  const { tree } = walk;
  const [object, name] = partsOf(walk, node);
  visitClass(walk, object, 'read');
  referToMember(walk, node, name);
  visit(walk, tree.child(node, 'arguments'));
  asserted(walk, node);
}

function visitCall(walk: Walk, node: number): void {
  const { tree, facts, names } = walk;
  const called = tree.child(node, 'function');
  if (/^(?:name|qualified_name|relative_name)$/.test(tree.kind(called))) {
    const leaf = tree.kind(called) === 'name' ? called : (tree.namedChildren(called).at(-1) ?? -1);
    referToQualifier(walk, called);
    facts.refer(leaf, 'call', names.functionNamed(tree.text(called)));
    referToCallbacks(walk, tree.text(called), tree.child(node, 'arguments'));
  } else visit(walk, called);
  visit(walk, tree.child(node, 'arguments'));
  asserted(walk, node);
}

function visitCreation(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  for (const child of tree.namedChildren(node)) {
    const slot = slots.byNode.get(child);
    if (slot === undefined) {
      visitClass(walk, child, 'call');
      continue;
    }
    facts.refer(tree.childOfKind(child, 'class'), 'call', facts.slot(slot));
    visit(walk, tree.childOfKind(child, 'arguments'));
    visit(walk, child);
  }
}

/** What its constructor is given is no part of it. */
function visitAnonymousClass(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) if (walk.tree.kind(child) !== 'arguments') visit(walk, child);
}

function isInstanceOf({ tree }: Walk, node: number): boolean {
  return tree.children(node).some(child => tree.kind(child) === 'instanceof');
}

function visitForeach(walk: Walk, node: number): void {
  const { tree, facts, values } = walk;
  const [many = -1, ...rest] = tree.namedChildren(node);
  const describe = (): void => describeVariable(walk, walk.commentOn(node));
  describe();
  visit(walk, many);
  const target = rest[0] ?? -1;
  const element = facts.element(values.of(many));
  const bound = tree.kind(target) === 'pair' ? (tree.namedChildren(target).at(-1) ?? -1) : target;
  assignParts(walk, bound, element);
  describe();
  visit(walk, tree.child(node, 'body'));
}

/** `@var Foo $name`: what a comment says of a variable. */
function describeVariable({ scopes, names }: Walk, comment: string): void {
  const name = taggedVariable(comment);
  const value = name === '' ? -1 : names.described(taggedType(comment, 'var'));
  if (value >= 0) scopes.hoist(name, value);
}

function visitIf(walk: Walk, node: number): void {
  const { tree } = walk;
  const condition = tree.child(node, 'condition');
  visit(walk, condition);
  narrowed(walk, condition, () => visit(walk, tree.child(node, 'body')), tree.child(node, 'body'));
  for (const child of tree.childrenIn(node, 'alternative')) visit(walk, child);
}

function visitClosure(walk: Walk, node: number): void {
  walk.scopes.inside('function', () => {
    describe(walk, node, -1);
    visitChildren(walk, node);
  });
}
