import { maxDepth } from '../../builder.ts';
import { bindFor, bindParameters, bindPattern, promote, promoted, promoteOtherwise } from './bindings.ts';
import { givenTo } from './closures.ts';
import { referBinary } from './operators.ts';
import { referConstructor, referMatched, referName, referOwn, referType } from './references.ts';
import { bindTypeParameters, typeAt, typeNamed, valueOfTypeBefore, valueOfTypeIn } from './types.ts';
import { valueIn, valueThrough } from './values.ts';
import { before, followsDot, partsOf, type Walk } from './walk.ts';

/** Emits the references below a node in order, opening and closing blocks on the way. */
export function visit(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  const slot = walk.byNode.get(node);
  switch (tree.kind(node)) {
    case 'class_definition':
    case 'mixin_declaration':
    case 'mixin_application_class':
    case 'extension_declaration':
    case 'extension_type_declaration':
    case 'enum_declaration':
      visitClass(walk, node, slot ?? -1);
      return;
    case 'import_or_export':
    case 'library_name':
    case 'part_directive':
    case 'part_of_directive':
    case 'label':
      return;
    case 'method_signature':
    case 'declaration':
      scopes.inside('function', () => {
        bindSignature(walk, node);
        visitChildren(walk, node);
      });
      return;
    case 'function_body':
      visitBody(walk, node, slot);
      return;
    case 'initializers':
    case 'redirection':
      facts.within(walk.byNode.get(before(walk, node)) ?? facts.enclosing, () => visitChildren(walk, node));
      return;
    case 'function_expression':
      visitClosure(walk, node);
      return;
    case 'if_statement':
    case 'conditional_expression':
      visitChoice(walk, node);
      return;
    case 'block':
    case 'for_statement':
    case 'switch_statement_case':
    case 'switch_expression_case':
    case 'logical_and_expression':
    case 'while_statement':
      scopes.inside('block', () => visitPromoting(walk, node));
      return;
    case 'catch_clause':
      visitCatch(walk, node);
      return;
    default:
      if (slot === undefined) visitLeaf(walk, node);
      else facts.within(slot, () => visitDefinition(walk, node, slot));
  }
}

function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) visit(walk, child);
}

function visitLeaf(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
    case 'identifier_dollar_escaped':
      referName(walk, node);
      return;
    case 'type_identifier':
      referType(walk, node);
      return;
    case 'initialized_variable_definition':
      visitLocals(walk, node);
      return;
    case 'additive_expression':
    case 'multiplicative_expression':
    case 'relational_expression':
    case 'equality_expression':
    case 'shift_expression':
      visitChildren(walk, node);
      referBinary(walk, node);
      return;
    case 'variable_pattern':
    case 'constant_pattern':
      referMatched(walk, node);
      bindPattern(walk, node);
      visitChildren(walk, node);
      return;
    case 'pattern_variable_declaration':
    case 'object_pattern':
      visitChildren(walk, node);
      return;
    case 'catch_parameters':
      return;
    case 'for_loop_parts':
      for (const child of tree.namedChildren(node)) if (tree.field(child) !== 'name') visit(walk, child);
      bindFor(walk, node);
      return;
    case 'field_initializer':
      referOwn(walk, tree.childOfKind(node, 'identifier'));
      for (const part of partsOf(walk, node).slice(1)) visit(walk, part);
      return;
    case 'constructor_param':
      referOwn(walk, tree.childOfKind(node, 'identifier'));
      return;
    case 'super_formal_parameter':
      return;
    case 'super':
    case 'this':
      referConstructor(walk, node);
      return;
    case 'local_function_declaration':
      declareFunction(walk, node);
      visitChildren(walk, node);
      return;
    case 'lambda_expression':
      scopes.inside('function', () => visitChildren(walk, node));
      return;
    default:
      visitChildren(walk, node);
  }
}

function visitClass(walk: Walk, node: number, slot: number): void {
  const { facts, scopes } = walk;
  const { around, superclass } = walk;
  const inner = (): void =>
    scopes.inside('class', () => {
      bindTypeParameters(walk, node, slot);
      if (slot >= 0) for (const one of basesOf(walk, node)) facts.addSuper(slot, typeAt(walk, one));
      walk.around = slot;
      walk.superclass = superclassOf(walk, node);
      visitChildren(walk, node);
      walk.around = around;
      walk.superclass = superclass;
    });
  if (slot < 0) inner();
  else facts.within(slot, inner);
}

/** Mixins from the last, then the superclass, then interfaces; what a mixin or an extension is on. */
function basesOf(walk: Walk, node: number): readonly number[] {
  const { tree } = walk;
  const typesIn = (one: number): readonly number[] =>
    partsOf(walk, one).filter(part => tree.kind(part) === 'type_identifier' && !followsDot(walk, part));
  const superclass = tree.child(node, 'superclass');
  const mixins = [superclass, node].flatMap(one => typesIn(tree.childOfKind(one, 'mixins')));
  const on = tree.kind(node) === 'extension_declaration' ? tree.childrenIn(node, 'class') : typesIn(node);
  const interfaces = typesIn(tree.childOfKind(node, 'interfaces'));
  const own = on.filter(one => tree.kind(one) === 'type_identifier' && !walk.nameNodes.has(one));
  return [...mixins.toReversed(), ...typesIn(superclass), ...own, ...interfaces];
}

/** The name that a class extends, without its prefix. */
function superclassOf(walk: Walk, node: number): number {
  const { tree } = walk;
  const parts = partsOf(walk, tree.child(node, 'superclass'));
  return parts.findLast(part => tree.kind(part) === 'type_identifier') ?? -1;
}

/** What a signature binds is seen in itself, in a constructor's initializers, and in the body that follows it. */
function bindSignature(walk: Walk, node: number): void {
  const { tree } = walk;
  const signature =
    /_signature$/.test(tree.kind(node)) && tree.kind(node) !== 'method_signature' ? node : inside(walk, node);
  if (signature < 0) return;
  bindTypeParameters(walk, signature, walk.byNode.get(signature) ?? -1);
  bindParameters(walk, tree.childOfKind(signature, 'formal_parameter_list'));
}

function inside({ tree }: Walk, node: number): number {
  return tree.namedChildren(node).find(one => /_signature$/.test(tree.kind(one))) ?? -1;
}

function visitBody(walk: Walk, node: number, slot: number | undefined): void {
  const { tree, facts, scopes } = walk;
  let signature = before(walk, node);
  while (tree.kind(signature) === 'initializers') signature = before(walk, signature);
  const inner = (): void =>
    scopes.inside('function', () => {
      if (/_signature$/.test(tree.kind(signature))) bindSignature(walk, signature);
      visitChildren(walk, node);
      if (slot === undefined || facts.definition(slot).type >= 0 || tree.childOfKind(node, 'block') >= 0) return;
      // `get x => …` without a type
      const isAsync = /^(?:async|sync)/.test(tree.text(node));
      if (!isAsync && facts.definition(slot).kind !== 'constructor') facts.setType(slot, valueIn(walk, node));
    });
  if (slot === undefined) inner();
  else facts.within(slot, inner);
}

function visitClosure(walk: Walk, node: number): void {
  const { tree } = walk;
  const given = (position: number): number => givenTo(walk, node, position);
  walk.scopes.inside('function', () => {
    bindParameters(walk, tree.child(node, 'parameters'), given);
    visitChildren(walk, node);
    valueThrough(walk, tree.child(node, 'body'));
  });
}

/** Once a test says of what type a local is, it is so in what follows. */
function visitPromoting(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const child of tree.namedChildren(node)) {
    visit(walk, child);
    if (tree.kind(node) !== 'block') promote(walk, child);
    else if (tree.kind(child) === 'if_statement') promoted(walk, child);
  }
}

/** What a test says holds in what stands there for it, and the contrary in what stands there otherwise. */
function visitChoice(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  const parts = tree.namedChildren(node);
  const isAlternative = (one: number): boolean => tree.field(one) === 'alternative';
  scopes.inside('block', () => {
    for (const one of parts.filter(part => !isAlternative(part))) {
      visit(walk, one);
      if (tree.field(one) !== 'consequence') promote(walk, one);
    }
  });
  // A chain's selectors are siblings of what they stand behind.
  scopes.inside('block', () => {
    promoteOtherwise(walk, partsOf(walk, node)[0] ?? -1);
    for (const one of parts.filter(isAlternative)) visit(walk, one);
  });
}

function visitCatch(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const type = before(walk, node);
  const caught = tree.kind(type) === 'type_identifier' ? facts.instance(typeNamed(walk, type)) : -1;
  // The block is a sibling that follows.
  tree.namedChildren(tree.childOfKind(node, 'catch_parameters')).forEach((one, index) => {
    scopes.declare(tree.text(one), index === 0 ? caught : -1);
  });
}

function visitDefinition(walk: Walk, node: number, slot: number): void {
  const { tree, facts, around } = walk;
  switch (tree.kind(node)) {
    case 'function_signature':
    case 'getter_signature':
    case 'operator_signature':
      visitCallable(walk, node, slot);
      return;
    case 'constructor_signature':
      if (facts.definition(slot).kind === 'constructor') visitConstructor(walk, node, slot);
      else visitCallable(walk, node, slot);
      return;
    case 'constant_constructor_signature':
    case 'factory_constructor_signature':
    case 'redirecting_factory_constructor_signature':
      visitConstructor(walk, node, slot);
      return;
    case 'initialized_identifier':
    case 'static_final_declaration': {
      const declared = valueOfTypeBefore(walk, tree.parent[node]!);
      visitChildren(walk, node);
      const [, ...rest] = partsOf(walk, node);
      facts.setType(slot, declared >= 0 || rest.length === 0 ? declared : valueIn(walk, node));
      return;
    }
    case 'enum_constant':
      facts.setType(slot, facts.instance(facts.slot(around)));
      visitChildren(walk, node);
      return;
    case 'representation_declaration':
      facts.setType(slot, valueOfTypeIn(walk, node));
      visitChildren(walk, node);
      return;
    case 'type_alias':
      visitAlias(walk, node, slot);
      return;
    default:
      visitChildren(walk, node);
  }
}

function visitCallable(walk: Walk, node: number, slot: number): void {
  const { facts } = walk;
  walk.scopes.inside('function', () => {
    bindSignature(walk, node);
    facts.setType(slot, valueOfTypeIn(walk, node));
    for (const one of takenBy(walk, node)) facts.addSuper(slot, one < 0 ? facts.unknown() : one);
    visitChildren(walk, node);
  });
}

/** What a function's parameters take, those without names of their own in a call. */
function takenBy(walk: Walk, node: number): readonly number[] {
  const { tree } = walk;
  const list = tree.kind(node) === 'operator_signature' ? -1 : tree.childOfKind(node, 'formal_parameter_list');
  return partsOf(walk, list)
    .filter(one => tree.kind(one) === 'formal_parameter')
    .map(one => valueOfTypeIn(walk, one));
}

/** The class's name in front of its constructor's is no use of the class. */
function visitConstructor(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  facts.setType(slot, facts.instance(facts.slot(walk.around)));
  const parameters = tree.childOfKind(node, 'formal_parameter_list');
  for (const child of tree.namedChildren(node)) {
    if (tree.kind(child) !== 'identifier' || child > parameters) visit(walk, child);
  }
}

function visitAlias(walk: Walk, node: number, slot: number): void {
  const { tree, facts, scopes } = walk;
  scopes.inside('class', () => {
    bindTypeParameters(walk, node, slot);
    const type = partsOf(walk, node).find(
      one => /^(?:type_identifier|function_type)$/.test(tree.kind(one)) && !walk.nameNodes.has(one),
    );
    const isOld = tree.childOfKind(node, 'formal_parameter_list') >= 0;
    const value = typeAt(walk, type ?? -1);
    facts.setType(slot, isOld ? facts.functionOf(facts.instance(value)) : value);
    visitChildren(walk, node);
  });
}

function declareFunction(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  for (let at = node; at < tree.after[node]!; at++) {
    const slot = tree.kind(at) === 'function_signature' ? walk.byNode.get(at) : undefined;
    if (slot === undefined) continue;
    scopes.declare(facts.definition(slot).name, facts.slot(slot), 'global');
    return;
  }
}

/** `Type a = x, b = y` and `final a = x` */
function visitLocals(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  const declared = valueOfTypeIn(walk, node);
  const name = tree.child(node, 'name');
  for (const child of tree.namedChildren(node))
    if (child !== name && tree.kind(child) !== 'initialized_identifier') visit(walk, child);
  const value =
    tree
      .childrenIn(node, 'value')
      .filter(one => tree.isNamed(one))
      .at(-1) ?? -1;
  scopes.declare(tree.text(name), declared >= 0 ? declared : () => valueThrough(walk, value));
  for (const one of tree.namedChildren(node).filter(child => tree.kind(child) === 'initialized_identifier')) {
    for (const part of partsOf(walk, one).slice(1)) visit(walk, part);
    scopes.declare(tree.text(tree.firstChild(one)), declared >= 0 ? declared : () => valueIn(walk, one));
  }
}
