import type { DescriptorSuffix } from '../../../model/identity.ts';
import type { SymbolKind } from '../../../model/symbol.ts';
import { expect, isFunction, literalText, unwrap, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunctionValue } from './functions.ts';
import { declareImport, declareRequire, visitBoundRequire } from './imports.ts';
import { declaredType } from './members.ts';
import { visitObjectMembers } from './objects.ts';
import { declarePattern, patternNames } from './patterns.ts';
import { makesRequire, noteRequire } from './required-modules.ts';
import { typeValue } from './types.ts';
import { annotated, evidentValue } from './values.ts';

/**
 * Binds what the statements directly in a block declare, before any of them is walked: functions and classes are used
 * above their declaration. Definitions get their slots here; the walk fills them in.
 */
export function declareStatements(walk: Walk, block: number, isTop = walk.isTop): void {
  const bound = new Map<string, number>();
  const bind = (name: string, expression: number): void => {
    const merged = walk.facts.either(bound.get(name) ?? -1, expression);
    bound.set(name, merged);
    walk.scopes.declare(name, merged, 'global');
  };
  for (const statement of walk.tree.namedChildren(block)) declareStatement(walk, statement, { isTop, bind });
}

interface Place {
  readonly isTop: boolean;
  bind(name: string, expression: number): void;
}

const declared: Readonly<Record<string, readonly [SymbolKind, DescriptorSuffix]>> = {
  function_declaration: ['function', 'method'],
  generator_function_declaration: ['function', 'method'],
  function_signature: ['function', 'method'],
  class_declaration: ['class', 'type'],
  abstract_class_declaration: ['class', 'type'],
  interface_declaration: ['interface', 'type'],
  type_alias_declaration: ['type', 'type'],
  enum_declaration: ['enum', 'type'],
};

function declareStatement(walk: Walk, node: number, place: Place): void {
  const { tree } = walk;
  const kind = tree.kind(node);
  if (Object.hasOwn(declared, kind)) {
    const [symbolKind, suffix] = declared[kind]!;
    const name = tree.child(node, 'name');
    if (name >= 0) declareNamed(walk, node, name, symbolKind, suffix, place);
    return;
  }
  switch (kind) {
    case 'export_statement':
      declareExported(walk, node, place);
      return;
    case 'ambient_declaration':
    case 'expression_statement':
    case 'labeled_statement':
      for (const child of tree.namedChildren(node))
        if (isDeclaration(tree.kind(child))) declareStatement(walk, child, place);
      return;
    case 'internal_module':
    case 'module':
      declareNamespace(walk, node, place);
      return;
    case 'lexical_declaration':
    case 'variable_declaration':
      for (const one of tree.namedChildren(node))
        if (tree.kind(one) === 'variable_declarator') declareVariable(walk, one, place);
      return;
    case 'import_statement':
    case 'import_alias':
      declareImport(walk, node);
      return;
  }
}

function isDeclaration(kind: string): boolean {
  return (
    Object.hasOwn(declared, kind) || /^(?:internal_module|module|lexical_declaration|variable_declaration)$/.test(kind)
  );
}

function declareExported(walk: Walk, node: number, place: Place): void {
  const { tree } = walk;
  const declaration = tree.child(node, 'declaration');
  const outer = walk.isExported;
  walk.isExported = true;
  if (declaration >= 0) declareStatement(walk, declaration, place);
  else
    for (const child of tree.namedChildren(node))
      if (isDeclaration(tree.kind(child))) declareStatement(walk, child, place);
  walk.isExported = outer;
}

function declareNamed(
  walk: Walk,
  node: number,
  nameNode: number,
  kind: SymbolKind,
  suffix: DescriptorSuffix,
  place: Place,
): void {
  const { tree, facts } = walk;
  const body = tree.child(node, 'body');
  const statement = statementOf(walk, node);
  const exported = isExported(walk, nameNode, place);
  const slot = facts.define({
    name: tree.text(nameNode),
    kind,
    suffix,
    nameNode,
    node,
    signature: signatureOf(tree, statement, kind === 'type' ? -1 : body),
    documentation: documentationAbove(tree, statement),
    exported,
    visibility: exported || !place.isTop ? 'public' : 'internal',
    hasBody: body >= 0,
  });
  walk.slotOf.set(node, slot);
  place.bind(tree.text(nameNode), facts.slot(slot));
}

function isExported(walk: Walk, nameNode: number, { isTop }: Place): boolean {
  const isOfFile = isTop && walk.facts.enclosing < 0;
  return walk.isExported || (isOfFile && walk.lateExports.has(walk.tree.text(nameNode)));
}

/** The node at which the whole statement begins: `export` and `declare` belong to it. */
function statementOf(walk: Walk, node: number): number {
  const { tree } = walk;
  let at = node;
  for (let above = tree.parent[at]!; above >= 0; above = tree.parent[above]!) {
    const kind = tree.kind(above);
    if (kind !== 'export_statement' && kind !== 'ambient_declaration' && kind !== 'expression_statement') break;
    at = above;
  }
  return at;
}

function declareNamespace(walk: Walk, node: number, place: Place): void {
  const { tree, facts } = walk;
  const nameNode = tree.child(node, 'name');
  const names = literalText(walk, nameNode) ?? tree.text(nameNode);
  if (nameNode < 0) return;
  const isNested = tree.kind(nameNode) === 'nested_identifier';
  const leaves = isNested ? identifiersIn(walk, nameNode) : [nameNode];
  let container = facts.enclosing;
  leaves.forEach((leaf, index) => {
    const slot = facts.define({
      name: isNested ? tree.text(leaf) : names,
      kind: tree.kind(nameNode) === 'string' ? 'module' : 'namespace',
      suffix: 'namespace',
      nameNode: leaf,
      node,
      container,
      signature: signatureOf(tree, statementOf(walk, node), tree.child(node, 'body')),
      documentation: documentationAbove(tree, statementOf(walk, node)),
      exported: walk.isExported || tree.kind(nameNode) === 'string',
      hasBody: true,
    });
    if (index === 0 && tree.kind(nameNode) !== 'string') place.bind(tree.text(leaf), facts.slot(slot));
    container = slot;
    walk.slotOf.set(node, slot);
  });
}

function identifiersIn(walk: Walk, node: number): number[] {
  const found: number[] = [];
  for (let at = node; at < walk.tree.after[node]!; at++) {
    if (/identifier$/.test(walk.tree.kind(at)) && walk.tree.firstChild(at) < 0) found.push(at);
  }
  return found;
}

export function visitNamespace(walk: Walk, node: number): void {
  visitPlace(walk, walk.tree.child(node, 'body'), walk.slotOf.get(node));
}

/** `declare global { … }` holds definitions of the file's own scope; any other ambient declaration is what it declares. */
export function visitAmbient(walk: Walk, node: number): void {
  const body = walk.tree.childOfKind(node, 'statement_block');
  if (body < 0) walk.visitChildren(node);
  else visitPlace(walk, body, undefined);
}

/** A block whose variables are definitions. */
function visitPlace(walk: Walk, body: number, slot: number | undefined): void {
  const { facts } = walk;
  if (body < 0) return;
  const outer = { isTop: walk.isTop, isExported: walk.isExported };
  walk.isTop = true;
  // What is put into the global scope is there for everybody.
  walk.isExported = slot === undefined;
  facts.within(slot ?? facts.enclosing, () =>
    walk.scopes.inside('function', () => {
      declareStatements(walk, body);
      walk.visitChildren(body);
    }),
  );
  walk.isTop = outer.isTop;
  walk.isExported = outer.isExported;
}

function declareVariable(walk: Walk, declarator: number, place: Place): void {
  const { tree } = walk;
  if (declareRequire(walk, declarator)) return;
  const pattern = tree.child(declarator, 'name');
  if (!place.isTop) {
    const value = (): number => variableValue(walk, declarator);
    if (tree.kind(pattern) === 'identifier') {
      const isVar = tree.kind(tree.parent[declarator]!) === 'variable_declaration';
      if (isVar) walk.scopes.hoist(tree.text(pattern), value);
      else walk.scopes.declare(tree.text(pattern), value);
    } else for (const name of patternNames(walk, pattern)) walk.scopes.declare(tree.text(name), -1);
    return;
  }
  for (const name of patternNames(walk, pattern)) defineVariable(walk, declarator, name, place);
}

function defineVariable(walk: Walk, declarator: number, nameNode: number, place: Place): void {
  const { tree, facts } = walk;
  const statement = statementOf(walk, tree.parent[declarator]!);
  const isPlain = tree.child(declarator, 'name') === nameNode;
  const value = isPlain ? unwrap(walk, tree.child(declarator, 'value')) : -1;
  const exported = isExported(walk, nameNode, place);
  const slot = facts.define({
    name: tree.text(nameNode),
    kind: variableKind(walk, declarator, value),
    suffix: 'term',
    nameNode,
    node: declarator,
    signature: signatureOf(tree, statement, bodyOf(walk, value)),
    documentation: documentationAbove(tree, statement),
    exported,
    visibility: exported ? 'public' : 'internal',
    hasBody: value >= 0,
  });
  walk.slotOf.set(nameNode, slot);
  if (makesObject(walk, value)) walk.madeObjects.add(slot);
  if (makesRequire(walk, value)) noteRequire(walk, facts.slot(slot));
  place.bind(tree.text(nameNode), facts.slot(slot));
}

/** `Object.create(…)`: what is assigned to it is its own, whatever it has from elsewhere. */
function makesObject({ tree, scopes }: Walk, value: number): boolean {
  if (tree.kind(value) !== 'call_expression') return false;
  return (
    tree.text(tree.child(value, 'function')).slice(0, 20) === 'Object.create' && scopes.resolve('Object') === undefined
  );
}

function variableKind(walk: Walk, declarator: number, value: number): SymbolKind {
  const { tree } = walk;
  const kind = tree.kind(value);
  if (isFunction(kind)) return 'function';
  if (kind === 'class') return 'class';
  const keyword = tree.text(tree.firstChild(tree.parent[declarator]!));
  return keyword === 'const' ? 'constant' : 'variable';
}

function bodyOf(walk: Walk, value: number): number {
  const kind = walk.tree.kind(value);
  if (isFunction(kind) || kind === 'class') return walk.tree.child(value, 'body');
  return kind === 'object' ? value : -1;
}

function variableValue(walk: Walk, declarator: number): number {
  const declared = typeValue(walk, annotated(walk, declarator, 'type'));
  if (declared >= 0) return declared;
  return walk.facts.either(walk.docs.type(declarator), evidentValue(walk, walk.tree.child(declarator, 'value')));
}

/** A `const`, `let` or `var` statement. */
export function visitVariable(walk: Walk, node: number): void {
  for (const one of walk.tree.namedChildren(node)) {
    if (walk.tree.kind(one) === 'variable_declarator' && !visitBoundRequire(walk, one)) visitDeclarator(walk, one);
  }
}

function visitDeclarator(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const pattern = tree.child(node, 'name');
  const type = tree.child(node, 'type');
  const value = tree.child(node, 'value');
  const slot = walk.slotOf.get(pattern);
  if (slot === undefined) {
    if (type >= 0) {
      walk.visit(type);
      expect(walk, value, walk.typeValue(annotated(walk, node, 'type')));
    } else expect(walk, value, walk.docs.type(node));
    if (value >= 0) walk.visit(value);
    declarePattern(walk, pattern, variableValue(walk, node), annotated(walk, node, 'type'));
    return;
  }
  facts.within(slot, () => visitInitialiser(walk, slot, node, value));
}

function visitInitialiser(walk: Walk, slot: number, declarator: number, value: number): void {
  const { tree, facts } = walk;
  const type = annotated(walk, declarator, 'type');
  const documented = walk.docs.type(declarator);
  const declared = type < 0 ? documented : declaredType(walk, slot, type);
  const bare = unwrap(walk, value);
  const kind = tree.kind(bare);
  if (isFunction(kind)) {
    expect(walk, bare, declared);
    visitFunctionValue(walk, bare, slot, declared);
    return;
  }
  if (kind === 'class') {
    walk.slotOf.set(bare, slot);
    walk.visit(value);
    return;
  }
  const isObject = kind === 'object';
  const asserted = bare === value || !isObject ? -1 : assertedType(walk, value, bare, /^(?:as|satisfies)_/);
  expect(walk, value, declared >= 0 ? declared : asserted);
  // What satisfies a type stays what it is; what is asserted to be of one counts for that.
  const evident = isObject ? assertedType(walk, value, bare, /^as_/) : evidentValue(walk, value);
  facts.setType(slot, documented >= 0 ? facts.either(documented, evident) : declared >= 0 ? declared : evident);
  if (kind === 'object') visitObjectMembers(walk, bare, slot);
  else if (value >= 0) walk.visit(value);
  visitAssertedType(walk, value, bare);
}

/** What the nearest assertion of the kinds asked for (`{ … } as T`, `{ … } satisfies T`) says of the object. */
function assertedType(walk: Walk, value: number, bare: number, kinds: RegExp): number {
  for (let at = walk.tree.parent[bare]!; at >= value; at = walk.tree.parent[at]!) {
    if (!kinds.test(walk.tree.kind(at))) continue;
    const [, type = -1] = walk.tree.namedChildren(at);
    const asserted = walk.typeValue(type);
    if (asserted >= 0) return asserted;
  }
  return -1;
}

/** The type of `{ … } as T` and `{ … } satisfies T`, around an object that was taken apart by itself. */
function visitAssertedType(walk: Walk, value: number, bare: number): void {
  if (bare === value || walk.tree.kind(bare) !== 'object') return;
  for (let at = walk.tree.parent[bare]!; at >= value; at = walk.tree.parent[at]!) {
    for (const child of walk.tree.namedChildren(at)) {
      if (child > bare) walk.visit(child);
    }
  }
}
