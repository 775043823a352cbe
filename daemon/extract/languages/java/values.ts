import { foundOnce } from '../../found-once.ts';
import { inFull } from './qualified.ts';
import { arrayOf, typeOf } from './types.ts';
import { currentType, methodNamed, typeNamed, valueNamed, type Walk } from './walk.ts';

/** What an expression of the code evaluates to; -1 where nothing can be said. */
export function valueAt(walk: Walk, node: number): number {
  return foundOnce(walk, node, compute);
}

function compute(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
      return valueNamed(walk, tree.text(node));
    case 'this':
      return facts.instance(currentType(walk));
    case 'super':
      return superValue(walk);
    case 'field_access':
      return accessed(walk, node);
    case 'method_invocation':
      return facts.call(methodOf(walk, node));
    case 'object_creation_expression':
      return facts.instance(createdType(walk, node));
    case 'array_access':
      return facts.element(valueAt(walk, tree.child(node, 'array')));
    case 'cast_expression':
      return facts.instance(typeOf(walk, tree.child(node, 'type')));
    case 'parenthesized_expression':
      return valueAt(walk, tree.namedChildren(node).at(-1) ?? -1);
    case 'assignment_expression':
      return valueAt(walk, tree.child(node, 'left'));
    case 'ternary_expression':
      return facts.either(
        valueAt(walk, tree.child(node, 'consequence')),
        valueAt(walk, tree.child(node, 'alternative')),
      );
    case 'array_creation_expression':
      return facts.instance(arrayOf(walk, typeOf(walk, tree.child(node, 'type')), dimensionsOf(walk, node)));
    case 'class_literal':
      return facts.instance(facts.generic(facts.free('Class'), typeOf(walk, tree.namedChildren(node)[0] ?? -1)));
    case 'lambda_expression':
    case 'method_reference':
      return facts.functionOf(facts.unknown());
    default:
      return literalValue(walk, node);
  }
}

function literalValue(walk: Walk, node: number): number {
  const { tree } = walk;
  const of = (name: string): number => walk.facts.instance(walk.facts.free(name));
  switch (tree.kind(node)) {
    case 'string_literal':
    case 'text_block':
      return of('String');
    case 'character_literal':
      return of('char');
    case 'true':
    case 'false':
    case 'instanceof_expression':
      return of('boolean');
    case 'null_literal':
      return of('null');
    case 'decimal_integer_literal':
    case 'hex_integer_literal':
    case 'octal_integer_literal':
    case 'binary_integer_literal':
      return of(/l$/i.test(tree.text(node)) ? 'long' : 'int');
    case 'decimal_floating_point_literal':
    case 'hex_floating_point_literal':
      return of(/f$/i.test(tree.text(node)) ? 'float' : 'double');
    case 'unary_expression':
    case 'update_expression':
      return tree.text(tree.firstChild(node)) === '!'
        ? of('boolean')
        : valueAt(walk, tree.namedChildren(node)[0] ?? -1);
    case 'binary_expression':
      return binaryValue(walk, node);
    default:
      return -1;
  }
}

function binaryValue(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const operator = tree.text(tree.child(node, 'operator'));
  const sides = [tree.child(node, 'left'), tree.child(node, 'right')];
  if (/^(?:[<>=!]=?|&&|\|\||==)$/.test(operator)) return facts.instance(facts.free('boolean'));
  const text = facts.instance(facts.free('String'));
  const [left = -1, right = -1] = sides.map(side => valueAt(walk, side));
  if (operator === '+' && (left === text || right === text)) return text;
  return left < 0 || right < 0 ? -1 : facts.overload(facts.free('+'), [left, right]);
}

function dimensionsOf({ tree }: Walk, node: number): string {
  const parts = tree.namedChildren(node).filter(child => /^dimensions/.test(tree.kind(child)));
  return parts.map(part => tree.text(part).replace(/\[[^\]]*\]/g, '[]')).join('');
}

/** What `super` is called on: what the class extends, of a class without a name that which it is made of. */
function superValue(walk: Walk): number {
  const around = walk.classes.at(-1);
  if (around === undefined) return -1;
  return walk.facts.instance(around.slot < 0 ? around.type : walk.facts.superOf(around.slot));
}

function accessed(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const object = tree.child(node, 'object');
  const field = tree.child(node, 'field');
  if (tree.kind(field) === 'this') return facts.instance(typeNamed(walk, tree.text(object)));
  if (tree.kind(field) === 'super' || tree.childOfKind(node, 'super') >= 0) {
    return facts.member(facts.instance(typeNamed(walk, tree.text(object))), tree.text(field));
  }
  return inFull(walk, node, facts.member(valueAt(walk, object), tree.text(field)));
}

/** The method that an invocation means. */
export function methodOf(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const name = tree.text(tree.child(node, 'name'));
  const passed = passedTo(walk, node);
  const object = tree.child(node, 'object');
  if (object < 0) return methodNamed(walk, name, passed);
  // `Outer.super.m()`: of an interface that is named, or of what an outer class extends.
  const isSuper = tree.kind(object) !== 'super' && tree.childOfKind(node, 'super') >= 0;
  const of = isSuper ? facts.instance(typeNamed(walk, tree.text(object))) : valueAt(walk, object);
  return facts.overload(facts.member(of, name), passed);
}

export function passedTo(walk: Walk, node: number): readonly number[] {
  const { tree } = walk;
  return tree
    .namedChildren(tree.child(node, 'arguments'))
    .filter(one => !/comment/.test(tree.kind(one)))
    .map(one => valueAt(walk, one));
}

/** The class of which `new` makes one; `outer.new Inner()` is a member of the outer object's class. */
export function createdType(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const type = tree.child(node, 'type');
  const [first = -1] = tree.namedChildren(node);
  const isInner = first >= 0 && first < type && /identifier|expression|access|invocation|this/.test(tree.kind(first));
  if (!isInner) return typeOf(walk, type);
  const bare = tree.kind(type) === 'generic_type' ? (tree.namedChildren(type)[0] ?? -1) : type;
  return facts.member(valueAt(walk, first), tree.text(bare));
}
