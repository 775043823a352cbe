import { maxDepth } from '../../builder.ts';
import { foundOnce } from '../../found-once.ts';
import { trailingTypeOf } from './declarator.ts';
import { abstractStars, isPlain, operatorValue, plainType } from './operators.ts';
import { pathValue, segmentsOf } from './paths.ts';
import { ledTo } from './pointers.ts';
import { isCpp, nameValue, type Walk, written } from './walk.ts';

/** The type that a written type names; pointers and references are looked through. */
export function typeOf(walk: Walk, node: number): number {
  const { tree, facts, slots } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return -1;
  switch (tree.kind(node)) {
    case 'type_identifier':
    case 'identifier':
      return nameValue(walk, tree.text(node));
    case 'qualified_identifier':
      return applied(walk, pathValue(walk, segmentsOf(walk, node)), lastTemplate(walk, node));
    case 'template_type':
      return applied(walk, typeOf(walk, tree.child(node, 'name')), node);
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
    case 'enum_specifier': {
      const slot = slots.byNode.get(node);
      return slot === undefined ? typeOf(walk, tree.child(node, 'name')) : facts.slot(slot);
    }
    case 'primitive_type':
    case 'sized_type_specifier':
      return plainType(walk, tree.text(node));
    case 'type_descriptor': {
      const type = tree.child(node, 'type');
      if (!isPlain(walk, type)) return typeOf(walk, type);
      const stars = abstractStars(walk, node);
      return stars < 0 ? -1 : plainType(walk, tree.text(type), stars);
    }
    case 'dependent_type':
      return typeOf(walk, tree.namedChildren(node)[0] ?? -1);
    default:
      return -1;
  }
}

/** Whether a written type has arguments: `std::vector<X>`. */
export function isTemplate(walk: Walk, type: number): boolean {
  return walk.tree.kind(type) === 'template_type' || lastTemplate(walk, type) >= 0;
}

function lastTemplate({ tree }: Walk, node: number): number {
  let at = node;
  while (tree.kind(at) === 'qualified_identifier') at = tree.child(at, 'name');
  return tree.kind(at) === 'template_type' ? at : -1;
}

function applied(walk: Walk, of: number, template: number): number {
  const { tree, facts } = walk;
  return tree
    .namedChildren(tree.child(template, 'arguments'))
    .slice(0, 6)
    .reduce((type, argument) => {
      const value = facts.instance(typeOf(walk, argument));
      return facts.generic(type, value < 0 ? facts.unknown() : value);
    }, of);
}

/** What an expression's value is, -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  return foundOnce(walk, node, compute);
}

function compute(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      return nameValue(walk, tree.text(node));
    case 'this':
      return facts.instance(written(walk, 'this'));
    case 'qualified_identifier':
      return pathValue(walk, segmentsOf(walk, node));
    case 'template_function':
      return valueAt(walk, tree.child(node, 'name'));
    case 'field_expression': {
      const field = segmentsOf(walk, tree.child(node, 'field')).at(-1);
      return facts.member(holderOf(walk, node), field?.name ?? '?');
    }
    case 'call_expression':
      return callValue(walk, node);
    case 'new_expression': {
      const type = tree.child(node, 'type');
      return facts.instance(isPlain(walk, type) ? plainType(walk, tree.text(type), 1) : typeOf(walk, type));
    }
    case 'cast_expression':
    case 'compound_literal_expression':
      return facts.instance(typeOf(walk, tree.child(node, 'type')));
    case 'subscript_expression':
      return subscriptValue(walk, valueAt(walk, tree.child(node, 'argument')));
    case 'pointer_expression': {
      const of = valueAt(walk, tree.child(node, 'argument'));
      return tree.text(node).startsWith('*') ? ledTo(walk, tree.child(node, 'argument'), '*', of) : of;
    }
    case 'parenthesized_expression':
      return valueAt(walk, tree.namedChildren(node)[0] ?? -1);
    case 'conditional_expression':
      return facts.either(
        valueAt(walk, tree.child(node, 'consequence')),
        valueAt(walk, tree.child(node, 'alternative')),
      );
    case 'assignment_expression':
      return valueAt(walk, tree.child(node, 'right'));
    case 'lambda_expression':
      return facts.functionOf(facts.instance(typeOf(walk, trailingTypeOf(tree, tree.child(node, 'declarator')))));
    default:
      return operatorValue(walk, node, valueAt);
  }
}

/** What has the member that `a.b` or `a->b` names. */
function holderOf(walk: Walk, node: number): number {
  const { tree } = walk;
  const argument = tree.child(node, 'argument');
  const isArrow = tree.text(tree.child(node, 'operator')) === '->';
  return isArrow ? ledTo(walk, argument, '->', valueAt(walk, argument)) : valueAt(walk, argument);
}

/** What a class's operator gives, or an element of a container or an array; an array is taken for what it holds. */
function subscriptValue({ tree, facts }: Walk, value: number): number {
  const element = facts.otherwise(facts.element(value), value);
  return isCpp(tree) ? facts.either(facts.call(facts.member(value, 'operator[]')), element) : element;
}

const casts = /^(?:(?:static|dynamic|reinterpret|const)_cast|make_unique|make_shared)$/;

function callValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const callee = tree.child(node, 'function');
  if (isPlain(walk, callee)) return facts.instance(typeOf(walk, callee));
  const name = segmentsOf(walk, callee).at(-1)?.name ?? '';
  const template = templateOf(walk, callee);
  const [first = -1] = tree.namedChildren(tree.child(node, 'arguments'));
  if (template >= 0 && casts.test(name)) {
    return facts.instance(typeOf(walk, tree.namedChildren(tree.child(template, 'arguments'))[0] ?? -1));
  }
  if (name === 'move' || name === 'forward') return valueAt(walk, first);
  return facts.call(calledWith(walk, valueAt(walk, callee), tree.namedChildren(tree.child(node, 'arguments'))));
}

function templateOf({ tree }: Walk, callee: number): number {
  let at = callee;
  while (tree.kind(at) === 'qualified_identifier') at = tree.child(at, 'name');
  return tree.kind(at) === 'template_function' ? at : -1;
}

/** The function that a call means: in C++ one of several of its name. */
export function calledWith(walk: Walk, called: number, list: readonly number[]): number {
  const { tree, facts } = walk;
  if (!isCpp(tree)) return called;
  const given = list.filter(one => tree.kind(one) !== 'comment');
  return facts.overload(
    called,
    given.slice(0, 12).map(one => argumentValue(walk, one)),
  );
}

/** What a call is given. */
function argumentValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (tree.kind(node) !== 'parameter_declaration') return givenValue(walk, node);
  // See `markGiven`.
  const name = tree.child(node, 'type');
  const declarator = tree.child(node, 'declarator');
  if (tree.kind(declarator) === 'abstract_function_declarator') {
    return facts.call(calledWith(walk, typeOf(walk, name), tree.namedChildren(tree.child(declarator, 'parameters'))));
  }
  if (tree.kind(name) !== 'type_identifier' || declarator >= 0) return -1;
  return tree.text(name) === 'this' ? facts.instance(written(walk, 'this')) : nameValue(walk, tree.text(name));
}

/** What an argument is, in which a pointer is told from what it leads to, as far as that is of the language's own types. */
export function givenValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const pointed = (word: string): number => {
    const argument = tree.child(node, 'argument');
    const of = word === '*' ? ledTo(walk, argument, '*', valueAt(walk, argument)) : valueAt(walk, argument);
    return of < 0 ? -1 : facts.overload(facts.free(word), [of]);
  };
  switch (tree.kind(node)) {
    case 'pointer_expression':
      return pointed(tree.text(node).startsWith('&') ? '&' : '*');
    case 'subscript_expression': {
      const of = valueAt(walk, node);
      return of < 0 ? -1 : facts.overload(facts.free('[]'), [of, valueAt(walk, tree.child(node, 'argument'))]);
    }
    case 'parenthesized_expression':
      return givenValue(walk, tree.namedChildren(node)[0] ?? -1);
    default:
      return node < 0 ? -1 : valueAt(walk, node);
  }
}
