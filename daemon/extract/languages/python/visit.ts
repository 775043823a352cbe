import { maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { pathValue } from './annotations.ts';
import { collect } from './bindings.ts';
import { askedMember, noteModuleValue } from './escapes.ts';
import { receiverOf } from './fields.ts';
import { genericParameters, typeParameters } from './generics.ts';
import { kindOf, standsInType } from './kinds.ts';
import { decoratorsOf, partsOf, stringText } from './naming.ts';
import { referBinary, referManager, referSubscript } from './operators.ts';
import { readQuotedType } from './quoted-types.ts';
import { returnedValue } from './receivers.ts';
import { bind, openScope, resolve, type Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

const comprehensions = new Set([
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

/** Emits the references below a node, and descends into the scopes that it opens. */
export function visit(walk: Walk, from: number, scope: Scope): void {
  const { tree } = walk;
  const end = tree.after[from]!;
  for (let node = from; node < end; ) node = visitNode(walk, node, scope, from);
}

/** Visits one node and says where to go on. */
function visitNode(walk: Walk, node: number, scope: Scope, from: number): number {
  const { tree } = walk;
  const kind = tree.kind(node);
  const after = tree.after[node]!;
  const isTooDeep = tree.depth[node]! > maxDepth;
  switch (kind) {
    case 'function_definition':
      if (!isTooDeep) visitFunction(walk, node, scope);
      return after;
    case 'class_definition':
      if (!isTooDeep) visitClass(walk, node, scope);
      return after;
    case 'identifier':
      referName(walk, node, scope);
      return after;
    case 'attribute':
      referAttribute(walk, node, scope);
      return node + 1;
    case 'call':
      referAskedMember(walk, node, scope);
      return node + 1;
    case 'binary_operator':
      referBinary(walk, node, scope);
      return node + 1;
    case 'subscript':
      referSubscript(walk, node, scope);
      return node + 1;
    case 'with_item':
      referManager(walk, node, scope);
      return node + 1;
    case 'keyword_argument':
      visit(walk, tree.child(node, 'value'), scope);
      return after;
    case 'lambda':
      if (node === from || isTooDeep) return node + 1;
      visitLambda(walk, node, scope);
      return after;
    case 'string':
      if (standsInType(walk, node)) referQuoted(walk, node, scope);
      return node + 1;
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement':
    case 'global_statement':
    case 'nonlocal_statement':
    case 'type_parameter':
      return kind === 'type_parameter' && tree.kind(tree.parent[node]!) === 'generic_type' ? node + 1 : after;
    default:
      if (!comprehensions.has(kind) || node === from || isTooDeep) return node + 1;
      visitComprehension(walk, node, scope);
      return after;
  }
}

function visitFunction(walk: Walk, node: number, outer: Scope): void {
  const { tree, facts } = walk;
  const slot = walk.slots.get(node);
  if (slot === undefined) return;
  const receiver = outer.kind === 'class' ? receiverOf(walk, node) : '';
  const own = receiver === '' ? undefined : { name: receiver, classSlot: outer.slot };
  const scope = openScope('function', node, outer, slot, outer.kind === 'class' ? own : outer.receiver);
  walk.scopes.set(node, scope);
  facts.within(slot, () => {
    bindParameters(walk, node, scope, outer, receiver);
    for (const part of ['parameters', 'return_type', 'type_parameters']) visitSignature(walk, node, part, scope, outer);
    recordParameters(walk, node, slot, scope, receiver !== '');
    collect(walk, scope);
    typeFunction(walk, node, slot, scope);
    const body = tree.child(node, 'body');
    if (body >= 0) visit(walk, body, scope);
  });
}

function visitSignature(walk: Walk, node: number, part: string, scope: Scope, outer: Scope): void {
  const { tree } = walk;
  const from = tree.child(node, part);
  if (from < 0) return;
  const typed = tree.child(node, 'type_parameters') >= 0 ? scope : outer;
  if (part !== 'parameters') {
    visit(walk, from, typed);
    return;
  }
  for (const parameter of tree.namedChildren(from)) {
    for (const field of ['type', 'value']) {
      const inner = tree.child(parameter, field);
      if (inner >= 0) visit(walk, inner, field === 'type' ? typed : outer);
    }
  }
}

function bindParameters(walk: Walk, node: number, scope: Scope, outer: Scope, receiver: string): void {
  const { tree, facts, values } = walk;
  for (const name of typeParameters(walk, node)) bind(scope, name, node, 'local', -1);
  for (const parameter of tree.namedChildren(tree.child(node, 'parameters'))) {
    const { nameNode, stars } = parameterName(walk, parameter);
    if (nameNode < 0) continue;
    const name = tree.text(nameNode);
    const type = tree.child(parameter, 'type');
    const value = tree.child(parameter, 'value');
    bind(scope, name, nameNode, 'local', () => {
      if (name === receiver && type < 0) return receiverValue(walk, node, outer);
      const one = type < 0 ? values.valueAt(value, outer) : values.annotation(type, scope);
      if (stars === 0 || one < 0) return one;
      const holder = facts.free(stars === 1 ? 'tuple' : 'dict');
      return facts.instance(
        stars === 1 ? facts.generic(holder, one) : facts.generic(facts.generic(holder, facts.free('str')), one),
      );
    });
  }
}

/** What a function's parameters take, the receiver left out: callers hand functions over by position. */
function recordParameters(
  { tree, facts, values }: Walk,
  node: number,
  slot: number,
  scope: Scope,
  isBound: boolean,
): void {
  const parameters = partsOf(tree, tree.child(node, 'parameters')).slice(isBound ? 1 : 0, 12);
  const types = parameters.map(one => tree.child(one, 'type'));
  for (const type of types) {
    const taken = type < 0 ? -1 : values.annotation(type, scope);
    facts.addSuper(slot, taken < 0 ? facts.unknown() : taken);
  }
}

/** `self` is an instance, `cls` the class; a metaclass's methods are rare enough. */
function receiverValue({ tree, facts }: Walk, node: number, outer: Scope): number {
  const takesClass =
    decoratorsOf(tree, node).includes('classmethod') ||
    /^__(?:new|init_subclass|class_getitem)__$/.test(tree.text(tree.child(node, 'name')));
  const itself = facts.slot(outer.slot);
  return takesClass ? itself : facts.instance(itself);
}

function parameterName({ tree }: Walk, parameter: number): { nameNode: number; stars: number } {
  let at = parameter;
  let stars = 0;
  for (let steps = 0; steps < 4 && at >= 0; steps++) {
    const kind = tree.kind(at);
    if (kind === 'identifier') return { nameNode: at, stars };
    if (kind === 'list_splat_pattern') stars = 1;
    else if (kind === 'dictionary_splat_pattern') stars = 2;
    else if (!/parameter$/.test(kind)) break;
    at = tree.namedChildren(at)[0] ?? -1;
  }
  return { nameNode: -1, stars };
}

/** What calling gives: the declared type, else what `return` statements return. */
function typeFunction(walk: Walk, node: number, slot: number, scope: Scope): void {
  const { tree, facts, values } = walk;
  const declared = tree.child(node, 'return_type');
  if (declared >= 0) {
    facts.setType(slot, managed(walk, node, values.annotation(declared, scope)));
    return;
  }
  const body = tree.child(node, 'body');
  const returned: number[] = [];
  const yielded: number[] = [];
  for (let at = body; at >= 0 && at < tree.after[body]!; ) {
    const kind = tree.kind(at);
    if (kind === 'return_statement' || kind === 'yield') {
      const into = kind === 'yield' ? yielded : returned;
      const value = tree.namedChildren(at)[0] ?? -1;
      if (into.length < 6 && value >= 0) {
        into.push(kind === 'yield' ? values.valueAt(value, scope) : returnedValue(walk, slot, value, scope));
      }
    }
    at = /^(?:function_definition|class_definition|lambda)$/.test(kind) ? tree.after[at]! : at + 1;
  }
  const results = (yielded.length > 0 ? yielded : returned).reduce((of, one) => facts.either(of, one), -1);
  if (results < 0) return;
  const iterator = facts.instance(facts.generic(facts.free('Iterator'), results));
  facts.setType(slot, yielded.length > 0 ? managed(walk, node, iterator) : results);
}

/** A generator under `@contextmanager` is entered for what it yields. */
function managed({ tree, facts }: Walk, node: number, result: number): number {
  const isManager = decoratorsOf(tree, node).some(name => /\b(?:async)?contextmanager$/.test(name));
  if (!isManager || result < 0) return result;
  return facts.instance(facts.generic(facts.free('AbstractContextManager'), facts.element(result)));
}

function visitClass(walk: Walk, node: number, outer: Scope): void {
  const { tree, facts, values } = walk;
  const slot = walk.slots.get(node);
  if (slot === undefined) return;
  const scope = openScope('class', node, outer, slot, undefined);
  for (const name of typeParameters(walk, node)) bind(scope, name, node, 'local', -1);
  genericParameters(walk, node).forEach((name, position) => {
    scope.typeParameters.set(name, position);
  });
  walk.scopes.set(node, scope);
  facts.within(slot, () => {
    const bases = tree.child(node, 'superclasses');
    for (const base of tree.namedChildren(bases)) {
      const kind = tree.kind(base);
      if (kind === 'identifier' || kind === 'attribute' || kind === 'subscript') {
        facts.addSuper(slot, kind === 'subscript' ? values.type(base, scope) : values.valueAt(base, outer));
      }
      visit(walk, base, kind === 'subscript' ? scope : outer);
    }
    collect(walk, scope);
    const body = tree.child(node, 'body');
    if (body >= 0) visit(walk, body, scope);
  });
}

/** What it does is done by what a module or class has it as. */
function visitLambda(walk: Walk, node: number, outer: Scope): void {
  const { tree, facts, values } = walk;
  const scope = values.inside(node, outer);
  for (const parameter of tree.namedChildren(tree.child(node, 'parameters'))) {
    const value = tree.child(parameter, 'value');
    if (value >= 0) visit(walk, value, outer);
  }
  const visitBody = (): void => visit(walk, tree.child(node, 'body'), scope);
  const holder = tree.parent[node]!;
  const slot = tree.kind(holder) === 'assignment' ? walk.slots.get(tree.child(holder, 'left')) : undefined;
  if (slot === undefined) visitBody();
  else facts.within(slot, visitBody);
}

function visitComprehension(walk: Walk, node: number, outer: Scope): void {
  const { tree, values } = walk;
  const scope = values.inside(node, outer);
  let isFirst = true;
  for (const child of tree.namedChildren(node)) {
    const source = tree.child(child, 'right');
    const isLoop = tree.kind(child) === 'for_in_clause';
    if (!isLoop) visit(walk, child, scope);
    else {
      visit(walk, source, isFirst ? outer : scope);
      isFirst = false;
    }
  }
}

function referName(walk: Walk, node: number, scope: Scope): void {
  const { tree, facts } = walk;
  if (isPatternsMember(walk, node)) referMember(walk, node, scope);
  if (walk.sites.has(node) || !isUse(walk, node)) return;
  const found = resolve(tree, facts, scope, tree.text(node), node);
  if (found?.isLocal) {
    if (isCallOfOwnClass(walk, node, scope)) facts.refer(node, 'call', found.expression);
    return;
  }
  facts.refer(node, kindOf(walk, node), found === undefined ? facts.free(tree.text(node)) : found.expression);
  if (found !== undefined) noteModuleValue(walk, node, found.expression);
}

/** `cls()` of a method that is given its class. */
function isCallOfOwnClass(walk: Walk, node: number, scope: Scope): boolean {
  const { tree, facts } = walk;
  const { receiver } = scope;
  if (receiver === undefined || tree.text(node) !== receiver.name || kindOf(walk, node) !== 'call') return false;
  return resolve(tree, facts, scope, receiver.name, node)?.expression === facts.slot(receiver.classSlot);
}

/** Names that belong to the syntax around them rather than to a scope. */
function isUse({ tree }: Walk, node: number): boolean {
  const holder = tree.parent[node]!;
  const field = tree.field(node);
  switch (tree.kind(holder)) {
    case 'attribute':
      return field === 'object';
    case 'keyword_pattern':
      return false;
    case 'dotted_name':
      return node === tree.firstChild(holder) && !isCapture(tree, holder);
    case 'function_definition':
    case 'class_definition':
      return field !== 'name';
    default:
      return true;
  }
}

/** `Node` of `case ast.Node():`, `RED` of `case Color.RED:`. */
function isPatternsMember({ tree }: Walk, node: number): boolean {
  const dotted = tree.parent[node]!;
  return tree.kind(dotted) === 'dotted_name' && node !== tree.firstChild(dotted);
}

function referMember(walk: Walk, node: number, scope: Scope): void {
  const { tree, facts, values } = walk;
  const names = tree.namedChildren(tree.parent[node]!);
  const of = names
    .slice(1, names.indexOf(node))
    .reduce((value, one) => facts.member(value, tree.text(one)), values.valueAt(names[0]!, scope));
  facts.refer(node, kindOf(walk, node), facts.member(of, tree.text(node)));
}

/** In a `case`, a plain name takes what it matches; one with dots, or before parentheses, is looked up. */
function isCapture(tree: SyntaxTree, dotted: number): boolean {
  return tree.kind(tree.parent[dotted]!) !== 'class_pattern' && tree.nextSibling(tree.firstChild(dotted)) < 0;
}

function referAttribute(walk: Walk, node: number, scope: Scope): void {
  const { facts, tree, values } = walk;
  const nameNode = tree.child(node, 'attribute');
  noteModuleValue(walk, node, -1);
  if (nameNode < 0 || (walk.sites.has(nameNode) && !hasBases(walk, scope))) return;
  facts.refer(nameNode, kindOf(walk, node), values.valueAt(node, scope));
}

/** `getattr(m, "a")` is a use of `m.a`. */
function referAskedMember({ tree, facts, values }: Walk, node: number, scope: Scope): void {
  const asked = askedMember(tree, node);
  if (asked === undefined) return;
  const { of, nameNode } = asked;
  facts.refer(nameNode, 'read', facts.member(values.valueAt(of, scope), tree.text(nameNode)));
}

/** Whether an attribute of the receiver may be a base's. */
function hasBases({ facts }: Walk, { receiver }: Scope): boolean {
  return receiver !== undefined && facts.definition(receiver.classSlot).supers.length > 0;
}

/** Refers to the names in a quoted type. */
function referQuoted(walk: Walk, node: number, scope: Scope): void {
  const { tree } = walk;
  const content = tree.childOfKind(node, 'string_content');
  const read = content < 0 ? undefined : readQuotedType(stringText(tree, node));
  const pending = read === undefined ? [] : [read];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one.at >= 0) referPath(walk, node, scope, one.path, tree.start[content]! + one.at);
    if (!/(?:^|\.)Literal$/.test(one.path)) pending.push(...one.arguments.toReversed());
  }
}

function referPath({ tree, facts }: Walk, node: number, scope: Scope, path: string, start: number): void {
  const words = path.split('.');
  let end = start - 1;
  words.forEach((word, index) => {
    const from = end + 1;
    end = from + word.length;
    if (index === 0 && resolve(tree, facts, scope, word, node)?.isLocal) return;
    const denoted = pathValue(tree, facts, scope, words.slice(0, index + 1).join('.'), node);
    facts.referAt(from, end, index === words.length - 1 ? 'type' : 'read', denoted);
  });
}
