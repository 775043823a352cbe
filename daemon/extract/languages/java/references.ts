import type { ReferenceKind } from '../../../model/facts.ts';
import { lineOf } from '../../tree.ts';
import { bodyClass } from './declare.ts';
import { isInFull, visitPackages } from './qualified.ts';
import { typeOf } from './types.ts';
import { createdType, methodOf, passedTo, valueAt } from './values.ts';
import { visitChildren, type Walk } from './walk.ts';

/** A name in an expression: a field, a constant, or a class that something is a member of. */
export function visitName(walk: Walk, node: number, expression: number): void {
  const { tree, scopes } = walk;
  if (walk.slots.nameNodes.has(node) || scopes.resolve(tree.text(node))?.kind === 'local') return;
  walk.facts.refer(node, useOf(walk, node), expression);
}

function useOf({ tree }: Walk, node: number): ReferenceKind {
  const user = tree.parent[node]!;
  const isWritten =
    tree.kind(user) === 'update_expression' ||
    (tree.kind(user) === 'assignment_expression' && tree.field(node) === 'left');
  return isWritten ? 'write' : 'read';
}

/** A type's names, the last of them with the kind given. Type parameters are locals. */
export function visitType(walk: Walk, node: number, kind: ReferenceKind): void {
  const { tree, facts, types } = walk;
  switch (tree.kind(node)) {
    case 'type_identifier':
    case 'identifier': {
      const name = tree.text(node);
      if (name === 'var' || types.resolve(name)?.kind === 'local') return;
      facts.refer(node, kind, typeOf(walk, node));
      return;
    }
    case 'scoped_type_identifier':
    case 'scoped_identifier': {
      const parts = tree.namedChildren(node);
      const last = parts.at(-1) ?? -1;
      for (const one of parts.slice(0, -1)) visitQualifier(walk, one);
      if (last >= 0) facts.refer(last, kind, typeOf(walk, node));
      return;
    }
    case 'generic_type':
      for (const one of tree.namedChildren(node)) {
        if (tree.kind(one) === 'type_arguments') visitChildren(walk, one);
        else visitType(walk, one, kind);
      }
      return;
    case 'annotated_type':
      for (const one of tree.namedChildren(node)) {
        if (/annotation/.test(tree.kind(one))) walk.visit(one);
        else visitType(walk, one, kind);
      }
      return;
    default:
      walk.visit(node);
  }
}

/** What stands before a class's name is a class, or packages, which are nothing of the repository. */
function visitQualifier(walk: Walk, node: number): void {
  const name = walk.tree.text(node).split('.').at(-1) ?? '';
  if (/^[a-z]/.test(name)) return;
  visitType(walk, node, 'type');
}

export function visitAccess(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  if (isInFull(walk, node)) visitPackages(walk, node, one => valueAt(walk, one));
  else walk.visit(tree.child(node, 'object'));
  const field = tree.child(node, 'field');
  if (tree.kind(field) === 'identifier') facts.refer(field, useOf(walk, node), valueAt(walk, node));
}

export function visitCall(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  walk.visit(tree.child(node, 'object'));
  visitChildren(walk, tree.child(node, 'type_arguments'));
  const method = methodOf(walk, node);
  facts.refer(tree.child(node, 'name'), 'call', method);
  visitArguments(walk, node, method);
}

/** `this(1)` calls the class that is made, `super(2)` the one that it extends. */
export function visitConstructorCall(walk: Walk, node: number): void {
  const { tree, facts, classes } = walk;
  walk.visit(tree.child(node, 'object'));
  visitChildren(walk, tree.child(node, 'type_arguments'));
  const word = tree.child(node, 'constructor');
  const around = classes.at(-1);
  const made = (tree.kind(word) === 'super' ? around?.extended : around?.type) ?? -1;
  const called = facts.overload(made, passedTo(walk, node));
  // Of a class that extends nothing, `super()` is nobody's of the repository.
  if (called >= 0) facts.refer(word, 'call', called);
  visitArguments(walk, node, called);
}

/** The parameters of a lambda take what the parameter that it is passed for says. */
function visitArguments(walk: Walk, node: number, called: number): void {
  const { tree, facts } = walk;
  const passed = tree.namedChildren(tree.child(node, 'arguments')).filter(one => !/comment/.test(tree.kind(one)));
  passed.forEach((one, position) => {
    if (tree.kind(one) !== 'lambda_expression') {
      walk.visit(one);
      return;
    }
    const taken = facts.parameter(called, position);
    walk.visit(
      one,
      [0, 1, 2].map(index => facts.parameter(taken, index)),
    );
  });
}

export function visitCreation(walk: Walk, node: number): void {
  const { tree, facts, classes } = walk;
  const type = tree.child(node, 'type');
  for (const one of tree.namedChildren(node)) if (one < type) walk.visit(one);
  const made = createdType(walk, node);
  facts.calling(passedTo(walk, node), () => visitCreated(walk, type, made));
  visitArguments(walk, node, made);
  const body = tree.childOfKind(node, 'class_body');
  if (body < 0) return;
  classes.push(bodyClass(walk, body, made < 0 ? facts.unknown() : made));
  walk.scopes.inside('class', () => visitChildren(walk, body));
  classes.pop();
}

/** `new a.B<C>()` is a call of `B`. */
function visitCreated(walk: Walk, type: number, made: number): void {
  const { tree, facts } = walk;
  const [bare = -1, ...rest] = tree.kind(type) === 'generic_type' ? tree.namedChildren(type) : [type];
  if (tree.kind(bare) === 'type_identifier' && typeOf(walk, bare) !== made && rest.length === 0) {
    facts.refer(bare, 'call', made);
  } else visitType(walk, bare, 'call');
  for (const one of rest) visitChildren(walk, one);
}

export function visitReferenceToMethod(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [of = -1, ...rest] = tree.namedChildren(node);
  walk.visit(of);
  const name = rest.at(-1) ?? -1;
  const word = tree.children(node).at(-1) ?? -1;
  if (tree.kind(word) === 'new') visitMaking(walk, of, word);
  if (tree.kind(name) !== 'identifier') return;
  const isType = /type/.test(tree.kind(of));
  const holder = isType ? facts.instance(typeOf(walk, of)) : valueAt(walk, of);
  facts.refer(name, 'reference', facts.member(holder, tree.text(name)));
}

/** `Circle::new` makes circles when it is called; of which constructor, its arguments would tell. */
function visitMaking(walk: Walk, of: number, word: number): void {
  const { tree, facts } = walk;
  const type = tree.kind(of) === 'generic_type' ? tree.firstChild(of) : of;
  if (!/identifier$/.test(tree.kind(type))) return;
  const name = tree.text(type);
  facts.refer(word, 'call', typeOf(walk, type), name.slice(name.lastIndexOf('.') + 1));
}

export function visitAnnotation(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const name = tree.child(node, 'name');
  visitType(walk, name, 'type');
  for (const one of tree.namedChildren(tree.child(node, 'arguments'))) {
    if (tree.kind(one) !== 'element_value_pair') {
      walk.visit(one);
      continue;
    }
    const key = tree.child(one, 'key');
    facts.refer(key, 'write', facts.member(typeOf(walk, name), tree.text(key)));
    walk.visit(tree.child(one, 'value'));
  }
}

/** What an import binds, and the classes on the way to it. */
export function visitImport(walk: Walk, node: number): void {
  const { tree, facts, imports } = walk;
  const path = tree.namedChildren(node).find(child => /identifier/.test(tree.kind(child))) ?? -1;
  const wildcard = tree.childOfKind(node, 'asterisk') >= 0;
  const line = lineOf(tree, node);
  const parts = identifiersOf(walk, path);
  const names = parts.map(one => tree.text(one));
  parts.forEach((one, index) => {
    const isBound = index === parts.length - 1 && !wildcard;
    if (!isBound && !/^[A-Z]/.test(names[index]!)) return;
    const name = names[index]!;
    const specifier = names.slice(0, index).join('.');
    const local = isBound ? name : '';
    const imported = facts.addImport({ specifier, name, local, wildcard: false, typeOnly: false, line });
    if (isBound) imports.set(name, [...(imports.get(name) ?? []), imported]);
    facts.refer(one, 'import', facts.imported(imported));
  });
  if (!wildcard) return;
  facts.addImport({ specifier: names.join('.'), name: '*', local: '', wildcard: true, typeOnly: false, line });
}

function identifiersOf({ tree }: Walk, path: number): readonly number[] {
  const found: number[] = [];
  for (let at = path; at >= 0 && at < tree.after[path]!; at++) if (tree.kind(at) === 'identifier') found.push(at);
  return found;
}
