import type { FactsBuilder } from '../../builder.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { isTooDeep, literalText, named, returningNothing, type Walk } from './context.ts';
import { declareStatements, visitAmbient, visitNamespace, visitVariable } from './declarations.ts';
import { noteModuleValue } from './escapes.ts';
import { visitExport } from './exports.ts';
import {
  refer,
  visitArray,
  visitAsserted,
  visitAssignment,
  visitCall,
  visitDecorator,
  visitMemberAccess,
  visitNew,
  visitObject,
} from './expressions.ts';
import { visitArrow, visitFunctionDeclaration, visitReturn } from './functions.ts';
import { visitImport } from './imports.ts';
import { createDocTypes, noDocTypes } from './jsdoc.ts';
import { lateExports } from './late-exports.ts';
import { visitClass, visitEnum, visitInterface, visitObjectType, visitTypeAlias } from './members.ts';
import { visitBinary, visitIf, visitTernary } from './narrow.ts';
import { visitObjectMembers } from './objects.ts';
import { declarePattern } from './patterns.ts';
import { declareReferenceDirectives } from './reference-directives.ts';
import { declareTypeParameters, typeName, typeValue } from './types.ts';
import { evidentValue } from './values.ts';

/** Walks a program once, top down, and tells the builder what it defines, imports, exports and refers to. */
export function walkProgram(tree: SyntaxTree, facts: FactsBuilder, isJavaScript = false): void {
  const visitors = visitorsFor(tree.typeNames);
  const walk: Walk = {
    tree,
    facts,
    scopes: new Scopes(),
    slotOf: new Map(),
    madeObjects: new Set(),
    parameterTypes: new Map(),
    expected: new Map(),
    visit(node) {
      if (isTooDeep(walk, node)) scan(walk, node);
      else (visitors[tree.type[node]!] ?? visitChildren)(walk, node);
    },
    visitChildren: node => visitChildren(walk, node),
    declareStatements: (block, isTop) => declareStatements(walk, block, isTop),
    visitMembers: (object, container, self) => visitObjectMembers(walk, object, container, self),
    typeValue: node => typeValue(walk, node),
    docs: noDocTypes,
    assignsFields: isJavaScript,
    thisValue: -1,
    classSlot: -1,
    returning: returningNothing,
    isTop: true,
    typeHolder: -1,
    isExported: false,
    lateExports: lateExports(tree),
  };
  if (isJavaScript) walk.docs = createDocTypes(walk);
  declareReferenceDirectives(walk);
  declareStatements(walk, 0);
  visitChildren(walk, 0);
  walk.docs.exportNames();
}

type Visitor = (walk: Walk, node: number) => void;

const tables = new WeakMap<readonly string[], readonly (Visitor | undefined)[]>();

function visitorsFor(typeNames: readonly string[]): readonly (Visitor | undefined)[] {
  let table = tables.get(typeNames);
  if (table === undefined) {
    table = typeNames.map(name => (Object.hasOwn(visitors, name) ? visitors[name] : undefined));
    tables.set(typeNames, table);
  }
  return table;
}

const visitors: Readonly<Record<string, Visitor>> = {
  import_statement: visitImport,
  export_statement: visitExport,
  function_declaration: visitFunctionDeclaration,
  generator_function_declaration: visitFunctionDeclaration,
  function_signature: visitFunctionDeclaration,
  function_expression: visitArrow,
  generator_function: visitArrow,
  arrow_function: visitArrow,
  class_declaration: visitClass,
  abstract_class_declaration: visitClass,
  class: visitClass,
  interface_declaration: visitInterface,
  type_alias_declaration: visitTypeAlias,
  enum_declaration: visitEnum,
  internal_module: visitNamespace,
  module: visitNamespace,
  ambient_declaration: visitAmbient,
  lexical_declaration: visitVariable,
  variable_declaration: visitVariable,
  statement_block: visitBlock,
  if_statement: visitIf,
  ternary_expression: visitTernary,
  binary_expression: visitBinary,
  for_statement: visitLoop,
  for_in_statement: visitForIn,
  switch_body: visitSwitch,
  catch_clause: visitCatch,
  return_statement: visitReturn,
  call_expression: visitCall,
  new_expression: visitNew,
  decorator: visitDecorator,
  member_expression: visitMemberAccess,
  subscript_expression: visitMemberAccess,
  assignment_expression: visitAssignment,
  augmented_assignment_expression: visitAssignment,
  update_expression: visitAssignment,
  object: visitObject,
  array: visitArray,
  as_expression: visitAsserted,
  satisfies_expression: visitAsserted,
  identifier: visitIdentifier,
  shorthand_property_identifier: visitIdentifier,
  type_identifier: visitTypeIdentifier,
  nested_type_identifier: visitNestedType,
  lookup_type: visitLookup,
  object_type: visitObjectType,
  nested_identifier: visitMemberAccess,
  type_parameters: visitTypeParameters,
  jsx_attribute: visitJsxAttribute,
  jsx_opening_element: visitJsxElement,
  jsx_self_closing_element: visitJsxElement,
  jsx_closing_element: visitJsxClosing,
  function_type: visitFunctionType,
  constructor_type: visitFunctionType,
  call_signature: visitFunctionType,
  construct_signature: visitFunctionType,
  method_signature: visitFunctionType,
  index_signature: visitIndexSignature,
  mapped_type_clause: visitIndexSignature,
  infer_type: visitInfer,
  labeled_statement: (walk, node) => walk.visit(walk.tree.child(node, 'body')),
  break_statement: () => {},
  continue_statement: () => {},
};

function visitChildren(walk: Walk, node: number): void {
  const { tree } = walk;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    if (tree.isNamed(child)) walk.visit(child);
  }
}

/** A subtree nested too deeply for recursion: its names are taken as they come. */
function scan(walk: Walk, root: number): void {
  const { tree } = walk;
  for (let node = root; node < tree.after[root]!; node++) {
    const kind = tree.kind(node);
    if (kind === 'identifier') visitIdentifier(walk, node);
    else if (kind === 'type_identifier') visitTypeIdentifier(walk, node);
    else if (kind === 'property_identifier') walk.facts.refer(node, 'read', -1);
  }
}

function visitIdentifier(walk: Walk, node: number): void {
  const name = walk.tree.text(node);
  const found = walk.scopes.resolve(name);
  if (found !== undefined) noteModuleValue(walk, node, found.expression);
  if (found?.kind === 'local' || name === 'undefined') return;
  walk.facts.refer(node, 'read', found?.expression ?? walk.facts.free(name));
}

function visitTypeIdentifier(walk: Walk, node: number): void {
  const found = walk.scopes.resolve(walk.tree.text(node));
  if (found?.kind !== 'local') walk.facts.refer(node, 'type', named(walk, walk.tree.text(node)));
}

function visitNestedType(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.visit(tree.child(node, 'module'));
  walk.facts.refer(tree.child(node, 'name'), 'type', typeName(walk, node));
}

/** `T['key']` mentions the member. */
function visitLookup(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [object = -1, index = -1] = tree.namedChildren(node);
  const [literal = -1] = tree.namedChildren(index);
  const name = tree.kind(index) === 'literal_type' ? literalText(walk, literal) : undefined;
  walk.visit(object);
  if (name === undefined) walk.visit(index);
  else facts.refer(literal, 'type', typeValue(walk, node), name);
}

function visitBlock(walk: Walk, node: number): void {
  const { isTop } = walk;
  walk.isTop = false;
  walk.scopes.inside('block', () => {
    declareStatements(walk, node);
    visitChildren(walk, node);
  });
  walk.isTop = isTop;
}

function visitLoop(walk: Walk, node: number): void {
  const { isTop } = walk;
  walk.isTop = false;
  walk.scopes.inside('block', () => visitChildren(walk, node));
  walk.isTop = isTop;
}

function visitForIn(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const right = tree.child(node, 'right');
  const left = tree.child(node, 'left');
  walk.visit(right);
  walk.scopes.inside('block', () => {
    const isOf = tree.text(tree.child(node, 'operator')) === 'of';
    const isDeclared = tree.child(node, 'kind') >= 0;
    if (isDeclared) declarePattern(walk, left, isOf ? facts.awaited(facts.element(evidentValue(walk, right))) : -1);
    else walk.visit(left);
    walk.visit(tree.child(node, 'body'));
  });
}

function visitSwitch(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.scopes.inside('block', () => {
    for (const branch of tree.namedChildren(node)) declareStatements(walk, branch, false);
    visitLoop(walk, node);
  });
}

function visitCatch(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.scopes.inside('block', () => {
    const parameter = tree.child(node, 'parameter');
    if (parameter >= 0) declarePattern(walk, parameter, -1);
    walk.visit(tree.child(node, 'body'));
  });
}

/** Type parameters are bound by whoever opens their scope; here only what they mention counts. */
function visitTypeParameters(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const parameter of tree.namedChildren(node)) {
    for (const part of ['constraint', 'value']) {
      const mentioned = tree.child(parameter, part);
      if (mentioned >= 0) walk.visitChildren(mentioned);
    }
  }
}

function visitJsxAttribute(walk: Walk, node: number): void {
  const [, value = -1] = walk.tree.namedChildren(node);
  if (value >= 0) walk.visit(value);
}

/** A tag that opens an element of a component calls it; lower-case tags name elements of the platform, no definitions. */
function visitJsxElement(walk: Walk, node: number): void {
  const { tree } = walk;
  const name = tree.child(node, 'name');
  const takes = /^[a-z]/.test(tree.text(name)) ? -1 : walk.facts.parameter(evidentValue(walk, name), 0);
  for (const child of tree.namedChildren(node)) {
    if (tree.kind(child) === 'jsx_attribute' && takes >= 0) {
      const property = tree.firstChild(child);
      walk.facts.refer(property, 'write', walk.facts.member(takes, tree.text(property)));
    }
    if (child !== name) walk.visit(child);
    else if (!isIntrinsic(walk, child)) refer(walk, child, 'call');
  }
}

function visitJsxClosing(walk: Walk, node: number): void {
  const name = walk.tree.child(node, 'name');
  if (name >= 0 && !isIntrinsic(walk, name)) refer(walk, name, 'read');
}

function isIntrinsic(walk: Walk, name: number): boolean {
  return walk.tree.kind(name) === 'identifier' && /^[a-z]/.test(walk.tree.text(name));
}

/** A signature without a body: parameters are names only, types count. */
function visitFunctionType(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.scopes.inside('function', () => {
    const parameters = tree.child(node, 'parameters');
    declareTypeParameters(walk, node, -1);
    for (const child of tree.namedChildren(node)) {
      if (child === parameters) for (const parameter of tree.namedChildren(child)) visitParameterType(walk, parameter);
      else walk.visit(child);
    }
  });
}

function visitParameterType(walk: Walk, parameter: number): void {
  const { tree } = walk;
  const pattern = tree.child(parameter, 'pattern');
  if (tree.kind(pattern) === 'identifier') walk.scopes.declare(tree.text(pattern), -1);
  const type = tree.child(parameter, 'type');
  if (type >= 0) walk.visit(type);
}

function visitIndexSignature(walk: Walk, node: number): void {
  const { tree } = walk;
  const name = tree.child(node, 'name');
  walk.scopes.inside('block', () => {
    if (name >= 0) walk.scopes.declare(tree.text(name), -1);
    const clause = tree.childOfKind(node, 'mapped_type_clause');
    if (clause >= 0) walk.scopes.declare(tree.text(tree.child(clause, 'name')), -1);
    for (const child of tree.namedChildren(node)) if (child !== name) walk.visit(child);
  });
}

function visitInfer(walk: Walk, node: number): void {
  const { tree } = walk;
  const [name = -1, ...rest] = tree.namedChildren(node);
  walk.scopes.declare(tree.text(name), -1);
  for (const child of rest) walk.visit(child);
}
