import { maxDepth } from '../../builder.ts';
import { bodyClass, declareVariables } from './declare.ts';
import { visitClass, visitField, visitMethod } from './members.ts';
import {
  visitAccess,
  visitAnnotation,
  visitCall,
  visitConstructorCall,
  visitCreation,
  visitName,
  visitReferenceToMethod,
  visitType,
} from './references.ts';
import { typeOf } from './types.ts';
import { valueAt } from './values.ts';
import { currentType, valueNamed, visitChildren, type Walk } from './walk.ts';

/** Emits the references below a node in order, opening and closing scopes on the way. */
export function visit(walk: Walk, node: number, parameters: readonly number[] = []): void {
  const { tree } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  switch (tree.kind(node)) {
    case 'class_declaration':
    case 'interface_declaration':
    case 'record_declaration':
    case 'enum_declaration':
    case 'annotation_type_declaration':
      visitClass(walk, node);
      return;
    case 'method_declaration':
    case 'constructor_declaration':
    case 'compact_constructor_declaration':
    case 'annotation_type_element_declaration':
      visitMethod(walk, node);
      return;
    case 'field_declaration':
    case 'constant_declaration':
      visitField(walk, node);
      return;
    case 'enum_constant':
      visitConstant(walk, node);
      return;
    case 'package_declaration':
    case 'import_declaration':
    case 'break_statement':
    case 'continue_statement':
      return;
    case 'labeled_statement':
      walk.visit(tree.namedChildren(node).at(-1) ?? -1);
      return;
    case 'lambda_expression':
      visitLambda(walk, node, parameters);
      return;
    default:
      visitStatement(walk, node);
  }
}

function visitStatement(walk: Walk, node: number): void {
  const { tree, scopes, types } = walk;
  switch (tree.kind(node)) {
    case 'block':
    case 'constructor_body':
    case 'static_initializer':
    case 'for_statement':
    case 'try_with_resources_statement':
    case 'catch_clause':
      types.inside('block', () => scopes.inside('block', () => visitChildren(walk, node)));
      return;
    case 'enhanced_for_statement':
      scopes.inside('block', () => visitLoop(walk, node));
      return;
    case 'local_variable_declaration':
      visitVariables(walk, node);
      return;
    case 'resource':
      visitResource(walk, node);
      return;
    case 'catch_formal_parameter':
      visitCaught(walk, node);
      return;
    case 'switch_expression':
    case 'switch_statement':
      visitSwitch(walk, node);
      return;
    default:
      visitExpression(walk, node);
  }
}

function visitExpression(walk: Walk, node: number): void {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      visitName(walk, node, valueNamed(walk, tree.text(node)));
      return;
    case 'type_identifier':
    case 'scoped_type_identifier':
      visitType(walk, node, 'type');
      return;
    case 'field_access':
      visitAccess(walk, node);
      return;
    case 'method_invocation':
      visitCall(walk, node);
      return;
    case 'object_creation_expression':
      visitCreation(walk, node);
      return;
    case 'explicit_constructor_invocation':
      visitConstructorCall(walk, node);
      return;
    case 'method_reference':
      visitReferenceToMethod(walk, node);
      return;
    case 'annotation':
    case 'marker_annotation':
      visitAnnotation(walk, node);
      return;
    case 'instanceof_expression':
      visitTest(walk, node);
      return;
    case 'type_pattern':
    case 'record_pattern_component':
      visitPattern(walk, node);
      return;
    case 'record_pattern': {
      const [type = -1, ...parts] = tree.namedChildren(node);
      visitType(walk, type, 'type');
      for (const part of parts) walk.visit(part);
      return;
    }
    default:
      visitChildren(walk, node);
  }
}

/** `values`: what the lambda's parameters take, as far as that is known. */
function visitLambda(walk: Walk, node: number, values: readonly number[]): void {
  const { tree, scopes } = walk;
  scopes.inside('function', () => {
    const parameters = tree.child(node, 'parameters');
    const list = tree.kind(parameters) === 'identifier' ? [parameters] : tree.namedChildren(parameters);
    list.forEach((one, position) => {
      const type = tree.child(one, 'type');
      walk.visit(type);
      const nameNode = tree.kind(one) === 'identifier' ? one : tree.child(one, 'name');
      const isTyped = type >= 0 && tree.text(type) !== 'var';
      const value = isTyped ? walk.facts.instance(typeOf(walk, type)) : (values[position] ?? -1);
      if (nameNode >= 0) scopes.declare(tree.text(nameNode), value);
    });
    walk.visit(tree.child(node, 'body'));
  });
}

function visitLoop(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const type = tree.child(node, 'type');
  const value = tree.child(node, 'value');
  walk.visit(value);
  walk.visit(type);
  const isInferred = tree.text(type) === 'var';
  const element = isInferred ? facts.element(valueAt(walk, value)) : facts.instance(typeOf(walk, type));
  scopes.declare(tree.text(tree.child(node, 'name')), element);
  walk.visit(tree.child(node, 'body'));
}

function visitVariables(walk: Walk, node: number): void {
  const { tree } = walk;
  walk.visit(tree.childOfKind(node, 'modifiers'));
  walk.visit(tree.child(node, 'type'));
  for (const one of tree.childrenIn(node, 'declarator')) walk.visit(tree.child(one, 'value'));
  declareVariables(walk, node);
}

function visitResource(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const type = tree.child(node, 'type');
  if (type < 0) {
    visitChildren(walk, node);
    return;
  }
  const value = tree.child(node, 'value');
  walk.visit(type);
  walk.visit(value);
  const isInferred = tree.text(type) === 'var';
  const held = isInferred ? valueAt(walk, value) : facts.instance(typeOf(walk, type));
  scopes.declare(tree.text(tree.child(node, 'name')), held);
}

function visitCaught(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const types = tree.namedChildren(tree.childOfKind(node, 'catch_type'));
  for (const type of types) walk.visit(type);
  const [first = -1] = types;
  scopes.declare(tree.text(tree.child(node, 'name')), facts.instance(typeOf(walk, first)));
}

/** The names of cases are constants of the enum that is looked at. */
function visitSwitch(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const condition = tree.child(node, 'condition');
  walk.visit(condition);
  const subject = valueAt(walk, condition);
  const visitLabel = (label: number): void => {
    for (const one of tree.namedChildren(label)) {
      if (tree.kind(one) !== 'identifier') walk.visit(one);
      else {
        const name = tree.text(one);
        visitName(walk, one, facts.otherwise(facts.member(subject, name), valueNamed(walk, name)));
      }
    }
  };
  scopes.inside('block', () => {
    for (const group of tree.namedChildren(tree.child(node, 'body'))) {
      for (const one of tree.namedChildren(group)) {
        if (tree.kind(one) === 'switch_label') visitLabel(one);
        else walk.visit(one);
      }
    }
  });
}

/** `x instanceof T t` binds `t` for what follows. */
function visitTest(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  walk.visit(tree.child(node, 'left'));
  walk.visit(tree.child(node, 'right'));
  walk.visit(tree.child(node, 'pattern'));
  const nameNode = tree.child(node, 'name');
  if (nameNode < 0) return;
  scopes.declare(tree.text(nameNode), facts.instance(typeOf(walk, tree.child(node, 'right'))));
}

function visitPattern(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const parts = tree.namedChildren(node).filter(one => !/modifiers/.test(tree.kind(one)));
  const [type = -1] = parts;
  walk.visit(type);
  const name = parts.at(-1) ?? -1;
  if (name !== type && tree.kind(name) === 'identifier') {
    scopes.declare(tree.text(name), facts.instance(typeOf(walk, type)));
  }
}

/** A constant of an enum, which may have a body of its own. */
function visitConstant(walk: Walk, node: number): void {
  const { tree, facts, classes } = walk;
  const slot = walk.slots.byNode.get(node) ?? -1;
  const type = currentType(walk);
  const visitParts = (): void => {
    walk.visit(tree.childOfKind(node, 'modifiers'));
    walk.visit(tree.child(node, 'arguments'));
    const body = tree.child(node, 'body');
    if (body < 0) return;
    classes.push(bodyClass(walk, body, type));
    visitChildren(walk, body);
    classes.pop();
  };
  if (slot < 0) visitParts();
  else {
    facts.setType(slot, facts.instance(type));
    facts.within(slot, visitParts);
  }
}
