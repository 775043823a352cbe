import type { ReferenceKind } from '../../../model/facts.ts';
import { descriptor } from '../../../model/identity.ts';
import { maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { conditionAt } from './conditions.ts';
import { calleeIn, givenTo, markGiven, mayBeCast } from './constructions.ts';
import { bindDeclared, bindParameter, bindTypeParameter, describe, markDeclared } from './declared.ts';
import { visitMacroBody } from './macro-bodies.ts';
import { referBinary } from './operator-calls.ts';
import { namespaceSegments, pathValue, segmentsOf } from './paths.ts';
import { calledWith, typeOf, valueAt } from './values.ts';
import { contextOf, isCpp, nameValue, type Walk, written } from './walk.ts';

/** Emits the references below a node in order, opening and closing scopes on the way. */
export function visit(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  const slot = slots.byNode.get(node);
  const { context, condition } = walk;
  walk.condition = conditionAt(tree, tree.start[node]!);
  if (slot === undefined) {
    if (isClassBody(walk, node)) walk.context = contextOf(facts, facts.enclosing);
    walk.context += walk.fixtures.get(node) ?? '';
    visitScope(walk, node);
  } else {
    facts.within(slot, () => {
      describe(walk, node, slot);
      if (!keepsContext(walk, node)) walk.context = contextOf(facts, slot) + fixtureOf(walk, node);
      visitScope(walk, node);
    });
  }
  Object.assign(walk, { context, condition });
}

/** The bases of a class are looked for outside of it, what a friend names in the class that calls it one. */
function keepsContext({ tree }: Walk, node: number): boolean {
  return /_specifier$/.test(tree.kind(node)) || tree.kind(tree.parent[node]!) === 'friend_declaration';
}

/** What stands in a class is of the types that the class, and its bases, have before those around it: `Node* head;`. */
function isClassBody({ tree, slots }: Walk, node: number): boolean {
  return tree.kind(node) === 'field_declaration_list' && slots.byNode.has(tree.parent[node]!);
}

const opening =
  /^(?:template_declaration|function_definition|compound_statement|for_statement|for_range_loop|lambda_expression|catch_clause|if_statement|while_statement|switch_statement|preproc_function_def)$/;

function visitScope(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  const kind = tree.kind(node);
  if (opening.test(kind))
    scopes.inside(kind === 'function_definition' ? 'function' : 'block', () => visitNode(walk, node));
  else visitNode(walk, node);
}

function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) visit(walk, child);
}

function visitNode(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  switch (tree.kind(node)) {
    case 'preproc_include':
      return;
    case 'preproc_arg':
      visitMacroBody(walk, node);
      return;
    case 'declaration':
    case 'field_declaration':
    case 'type_definition':
    case 'friend_declaration':
      markDeclared(walk, node);
      markGiven(walk, node);
      // Names of parameters are the declaration's own.
      scopes.inside('block', () => visitChildren(walk, node));
      bindDeclared(walk, node);
      return;
    case 'for_range_loop':
      markDeclared(walk, node);
      for (const part of ['initializer', 'type', 'right']) visit(walk, tree.child(node, part));
      bindDeclared(walk, node);
      visit(walk, tree.child(node, 'body'));
      return;
    case 'parameter_declaration':
      if (isTitle(walk, node)) return;
      if (walk.given.has(tree.parent[node]!)) visitChildren(walk, node);
      else visitParameter(walk, node);
      return;
    case 'optional_parameter_declaration':
    case 'variadic_parameter_declaration':
      visitParameter(walk, node);
      return;
    case 'type_parameter_declaration':
    case 'optional_type_parameter_declaration':
    case 'variadic_type_parameter_declaration':
      bindTypeParameter(walk, node);
      visitChildren(walk, node);
      return;
    case 'lambda_capture_initializer': {
      const left = tree.child(node, 'left');
      visit(walk, tree.child(node, 'right'));
      walk.bound.add(left);
      scopes.declare(tree.text(left), valueAt(walk, tree.child(node, 'right')));
      return;
    }
    case 'preproc_params':
    case 'parameter_list':
      for (const one of tree.namedChildren(node)) {
        // Of an old function, names without types.
        if (tree.kind(one) !== 'identifier') continue;
        walk.bound.add(one);
        scopes.declare(tree.text(one), -1);
      }
      visitChildren(walk, node);
      return;
    case 'using_declaration':
      visitUsing(walk, node);
      return;
    case 'expression_statement':
      visitChildren(walk, node);
      fixtureBefore(walk, node);
      return;
    default:
      visitExpression(walk, node);
  }
}

function visitParameter(walk: Walk, node: number): void {
  markDeclared(walk, node);
  visitChildren(walk, node);
  bindParameter(walk, node);
}

/** `TEST(suite, name) {` is a macro that makes a function: what it is given are words, but for the class in `TEST_F`. */
function isTitle({ tree }: Walk, node: number): boolean {
  const list = tree.parent[node]!;
  const declarator = tree.parent[list]!;
  const macro = testMacro(tree, tree.parent[declarator]!);
  if (macro === '' || tree.child(node, 'declarator') >= 0) return false;
  return !ofFixtures.test(macro) || tree.namedChildren(list)[0] !== node;
}

/** The name of a macro that makes the function; '' of any other function. */
function testMacro(tree: SyntaxTree, node: number): string {
  const name = tree.text(tree.child(tree.child(node, 'declarator'), 'declarator'));
  return tree.child(node, 'type') < 0 && /^[A-Z][A-Z0-9_]+$/.test(name) ? name : '';
}

const ofFixtures = /_[FP]$|^TYPED_TEST/;

/**
 * `TEST_F(Fixture, name) {…}` is a method of a class made from the fixture, whose names it sees: its context ends in
 * `Fixture:`, which stands for whatever is called so there.
 */
function fixtureOf({ tree }: Walk, node: number): string {
  if (tree.kind(node) !== 'function_definition' || !isCpp(tree) || !ofFixtures.test(testMacro(tree, node))) return '';
  const parameters = tree.child(tree.child(node, 'declarator'), 'parameters');
  const [fixture = -1, name = -1] = tree.namedChildren(parameters);
  return name >= 0 ? inFixture(tree.text(tree.child(fixture, 'type'))) : '';
}

function inFixture(written: string): string {
  return /^\w+(?:::\w+)*$/.test(written) ? descriptor(written, 'meta') : '';
}

/**
 * `TEST_CASE_METHOD(Fixture, "name") {…}` is one too. With a text for its name the grammar takes it for a call that lacks its
 * semicolon, and for a block of its own.
 */
function fixtureBefore({ tree, fixtures }: Walk, statement: number): void {
  const [call = -1, end = -1] = tree.children(statement);
  const block = tree.nextSibling(statement);
  if (!isCpp(tree) || tree.kind(block) !== 'compound_statement' || tree.text(end) !== '') return;
  if (!/^[A-Z][A-Z0-9_]*_(?:METHOD|FIXTURE)$/.test(tree.text(tree.child(call, 'function')))) return;
  const [fixture = -1, name = -1] = tree.namedChildren(tree.child(call, 'arguments'));
  if (tree.kind(name) === 'string_literal') fixtures.set(block, inFixture(tree.text(fixture)));
}

/** `using a::b;` binds a name where it stands, `using namespace a;` opens a namespace for the file. */
function visitUsing(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  visitChildren(walk, node);
  const segments = segmentsOf(walk, tree.namedChildren(node)[0] ?? -1);
  if (tree.children(node).some(child => tree.kind(child) === 'namespace')) {
    // Not to be looked for in what is opened.
    facts.addExport('using', written(walk, `=${segments.map(({ name }) => name).join('::')}`));
  } else if (segments.length > 0) scopes.declare(segments.at(-1)!.name, pathValue(walk, segments), 'global');
}

function visitExpression(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'qualified_identifier':
      visitPath(walk, node);
      return;
    case 'nested_namespace_specifier':
      visitNamespaces(walk, node);
      return;
    case 'field_expression': {
      visit(walk, tree.child(node, 'argument'));
      const field = segmentsOf(walk, tree.child(node, 'field')).at(-1);
      if (field !== undefined && field.leaf >= 0) refer(walk, field.leaf, node, valueAt(walk, node));
      visitArguments(walk, tree.child(node, 'field'));
      return;
    }
    case 'binary_expression':
      visitChildren(walk, node);
      referBinary(walk, node);
      return;
    case 'initializer_pair':
      visitDesignated(walk, node);
      return;
    case 'field_initializer':
      visitInitialiser(walk, node);
      return;
    case 'identifier':
    case 'type_identifier':
    case 'namespace_identifier':
      referName(walk, node);
      return;
    case 'field_identifier':
      if (!walk.slots.nameNodes.has(node)) facts.refer(node, 'read', -1);
      return;
    default:
      visitChildren(walk, node);
  }
}

function visitArguments(walk: Walk, node: number): void {
  const { tree } = walk;
  for (let at = node; at >= 0 && at < tree.after[node]!; at++) {
    if (tree.kind(at) !== 'template_argument_list') continue;
    visitChildren(walk, at);
    return;
  }
}

/** Each name of `a::b<T>::c` refers by itself. */
function visitPath(walk: Walk, node: number): void {
  const { tree, facts, slots } = walk;
  const segments = segmentsOf(walk, node);
  segments.forEach(({ leaf, name }, index) => {
    if (leaf < 0 || name === '?' || slots.nameNodes.has(leaf)) return;
    const isLast = index === segments.length - 1;
    const isLocal = index === 0 && walk.scopes.resolve(name)?.kind === 'local';
    if (isLast) refer(walk, leaf, node, pathValue(walk, segments));
    else if (!isLocal) facts.refer(leaf, 'type', pathValue(walk, segments, index + 1));
  });
  for (let at = node; tree.kind(at) === 'qualified_identifier'; at = tree.child(at, 'name')) {
    visitArguments(walk, tree.child(at, 'scope'));
    if (tree.kind(tree.child(at, 'name')) !== 'qualified_identifier') visitArguments(walk, tree.child(at, 'name'));
  }
}

/** `namespace a::b {`, `namespace c = a::b;` */
function visitNamespaces(walk: Walk, node: number): void {
  const { facts, slots } = walk;
  const segments = namespaceSegments(walk, node);
  segments.forEach(({ leaf }, index) => {
    if (leaf >= 0 && !slots.nameNodes.has(leaf)) facts.refer(leaf, 'reference', pathValue(walk, segments, index + 1));
  });
}

/** `: size_(1), Base(2)`: a member is written, a base or the class itself is called. */
function visitInitialiser(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [initialised = -1, ...rest] = tree.namedChildren(node);
  const leaf = segmentsOf(walk, initialised).at(-1)?.leaf ?? -1;
  const name = tree.text(leaf);
  if (tree.kind(initialised) === 'qualified_identifier') visitPath(walk, initialised);
  else if (leaf >= 0) {
    const isType = leaf !== initialised || namesType(walk, name);
    const isMember = !isType && namesField(walk, name);
    const member = facts.member(facts.instance(written(walk, 'this')), name);
    // Of a class that another file writes down, only linking tells which of the two it is: here the one, then the other.
    if (!isType) facts.refer(leaf, 'write', isMember ? member : facts.otherwise(member, written(walk, `!${name}`)));
    if (!isMember) refer(walk, leaf, initialised, isType ? nameValue(walk, name) : written(walk, `^${name}`));
    visitArguments(walk, initialised);
  }
  for (const child of rest) visit(walk, child);
}

/** Whether a constructor's class, or a base that the file shows it to have, is called so. */
function namesType(walk: Walk, name: string): boolean {
  const { facts, slots } = walk;
  if (facts.enclosing < 0) return false;
  const { name: own, container } = facts.definition(facts.enclosing);
  const bases = slots.superBySlot.get(container)?.slice(0, 32) ?? [];
  return own === name || bases.some(one => segmentsOf(walk, one).at(-1)?.name === name);
}

function namesField({ facts }: Walk, name: string): boolean {
  if (facts.enclosing < 0) return false;
  const { container } = facts.definition(facts.enclosing);
  return container >= 0 && facts.slotsNamed(container, name).some(slot => facts.definition(slot).kind === 'field');
}

/** `.name = value`, of what the list around it makes. */
function visitDesignated(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  let of = listType(walk, tree.parent[node]!);
  for (const designator of tree.childrenIn(node, 'designator')) {
    const [name = -1] = tree.namedChildren(designator);
    if (tree.kind(designator) !== 'field_designator') visit(walk, name);
    else {
      of = facts.member(of, tree.text(name));
      facts.refer(name, 'write', of);
    }
  }
  visit(walk, tree.child(node, 'value'));
}

/** What an initialiser in braces makes: by what is declared, cast to, or named around it. */
function listType(walk: Walk, list: number): number {
  const { tree, facts } = walk;
  if (tree.depth[list]! > maxDepth) return -1;
  const holder = tree.parent[list] ?? -1;
  switch (tree.kind(holder)) {
    case 'initializer_list':
      return listType(walk, holder);
    case 'initializer_pair': {
      const names = tree.childrenIn(holder, 'designator').filter(one => tree.kind(one) === 'field_designator');
      const whole = listType(walk, tree.parent[holder]!);
      return names.reduce((of, one) => facts.member(of, tree.text(tree.namedChildren(one)[0] ?? -1)), whole);
    }
    case 'declaration':
    case 'init_declarator':
      return facts.instance(typeOf(walk, tree.child(declarationOf(walk, holder), 'type')));
    case 'compound_literal_expression':
      return facts.instance(typeOf(walk, tree.child(holder, 'type')));
    default:
      return -1;
  }
}

function declarationOf({ tree }: Walk, declarator: number): number {
  let at = declarator;
  while (/declarator$/.test(tree.kind(at))) at = tree.parent[at]!;
  return at;
}

const casts = /^(?:static|dynamic|reinterpret|const)_cast$/;

function referName(walk: Walk, node: number): void {
  const { tree, slots, bound, scopes } = walk;
  const name = tree.text(node);
  if (name === '' || casts.test(name) || slots.nameNodes.has(node) || bound.has(node)) return;
  if (scopes.resolve(name)?.kind === 'local') return;
  const whole = tree.kind(tree.parent[node]!) === 'template_function' ? tree.parent[node]! : node;
  refer(walk, node, whole, nameValue(walk, name));
}

/** `whole` is the name with what qualifies it. */
function refer(walk: Walk, leaf: number, whole: number, value: number): void {
  const { tree, facts } = walk;
  if (walk.slots.nameNodes.has(leaf) || (isCpp(tree) && tree.text(leaf) === 'this')) return;
  let used = whole;
  while (tree.kind(tree.parent[used]!) === 'template_type' && tree.field(used) === 'name') used = tree.parent[used]!;
  // Outside of all definitions a prototype with a macro before it reads like one.
  if (facts.enclosing >= 0) used = calleeIn(tree, used);
  if (mayBeCast(walk, used)) {
    // Linking tells which of the two it is.
    facts.refer(leaf, 'read', written(walk, `)${tree.text(leaf)}`));
    facts.refer(leaf, 'call', written(walk, `(${tree.text(leaf)}`));
    return;
  }
  const given = givenTo(walk, used);
  if (given === undefined) facts.refer(leaf, kindOf(walk, leaf, tree.parent[used]!, tree.field(used)), value);
  else facts.refer(leaf, 'call', calledWith(walk, value, given));
}

function kindOf({ tree, given }: Walk, leaf: number, user: number, field: string): ReferenceKind {
  switch (tree.kind(user)) {
    case 'base_class_clause':
      return 'implementation';
    case 'assignment_expression':
      return field === 'left' ? 'write' : 'read';
    case 'update_expression':
      return 'write';
    default:
      if (tree.kind(leaf) === 'namespace_identifier') return 'reference';
      if (given.has(tree.parent[user]!)) return 'read';
      return tree.kind(leaf) === 'type_identifier' || field === 'type' ? 'type' : 'read';
  }
}
