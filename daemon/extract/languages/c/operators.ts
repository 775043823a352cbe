import { declaratorName } from './declarator.ts';
import { isCpp, type Walk } from './walk.ts';

/** A type that the language has words for, `char`, or a pointer to one, `char*`: in C++, whose overloads they tell apart. */
export function plainType(walk: Walk, name: string, stars = 0): number {
  if (!isCpp(walk.tree) || name === 'auto' || (name === 'void' && stars === 0)) return -1;
  return walk.facts.free(`|#${name.replace(/\s+/g, ' ')}${'*'.repeat(stars)}`);
}

/** Whether a written type is one or several words of the language. */
export function isPlain({ tree }: Walk, type: number): boolean {
  return /^(?:primitive_type|sized_type_specifier)$/.test(tree.kind(type));
}

/** What a declarator makes of such a type: pointers and arrays are told from what they lead to, functions from their results. */
export function plainAs(walk: Walk, type: number, declarator: number): number {
  const { tree, facts } = walk;
  const name = declaratorName(tree, declarator);
  const innermost = name >= 0 ? name : declarator;
  let stars = 0;
  for (let at = innermost; at >= 0 && tree.parent[at] !== tree.parent[type]; at = tree.parent[at]!)
    stars += starsOf(walk, tree.parent[at]!, stars);
  return stars < 0 ? -1 : facts.instance(plainType(walk, tree.text(type), stars));
}

/** Of a type without a name that it declares: `(char *)text`. */
export function abstractStars({ tree }: Walk, descriptor: number): number {
  const text = tree.text(tree.child(descriptor, 'declarator'));
  return text.includes('(') ? Number.NEGATIVE_INFINITY : text.split(/[*[]/).length - 1;
}

/** A pointer to a function is none to what that gives. */
function starsOf({ tree }: Walk, node: number, inside: number): number {
  const kind = tree.kind(node);
  if (/^(?:abstract_)?(?:pointer|array)_declarator$/.test(kind)) return 1;
  return /function_declarator$/.test(kind) && inside > 0 ? Number.NEGATIVE_INFINITY : 0;
}

/** What an expression's value is: see `values.ts`. */
type ValueAt = (walk: Walk, node: number) => number;

/** What a literal, an operator or a cast to a number gives; -1 of anything else. */
export function operatorValue(walk: Walk, node: number, valueAt: ValueAt): number {
  const { tree, facts } = walk;
  if (!isCpp(tree)) return -1;
  const plain = (name: string, stars = 0): number => facts.instance(plainType(walk, name, stars));
  switch (tree.kind(node)) {
    case 'number_literal':
      return plain(numberType(tree.text(node)));
    case 'char_literal':
      return plain(charType(tree.text(node)));
    case 'string_literal':
    case 'concatenated_string':
    case 'raw_string_literal':
      return plain(charType(tree.text(node)), 1);
    case 'true':
    case 'false':
      return plain('bool');
    case 'null':
    case 'nullptr':
      return plain('nullptr_t');
    case 'sizeof_expression':
      return plain('unsigned long');
    case 'update_expression':
      return valueAt(walk, tree.child(node, 'argument'));
    case 'unary_expression': {
      if (/^(?:!|not)/.test(tree.text(node))) return plain('bool');
      return computed(walk, [valueAt(walk, tree.child(node, 'argument'))]);
    }
    case 'binary_expression':
      return binaryValue(walk, node, valueAt);
    default:
      return -1;
  }
}

function binaryValue(walk: Walk, node: number, valueAt: ValueAt): number {
  const { tree, facts } = walk;
  const operator = tree.text(tree.child(node, 'operator'));
  const [left = -1, right = -1] = ['left', 'right'].map(side => valueAt(walk, tree.child(node, side)));
  if (/^(?:[<>=!]=?|&&|\|\||==|and|or|not_eq)$/.test(operator)) return facts.instance(plainType(walk, 'bool'));
  if (/^(?:<<|>>)$/.test(operator)) return computed(walk, [left]);
  return operator === '<=>' ? -1 : computed(walk, [left, right]);
}

/** What arithmetic gives is told by what it is done with, which the linker finds. */
function computed(walk: Walk, values: readonly number[]): number {
  return values.some(one => one < 0) ? -1 : walk.facts.overload(walk.facts.free('+'), values);
}

function numberType(text: string): string {
  if (text === '0') return '0';
  const isHex = /^0x/i.test(text);
  if (isHex ? /[p.]/i.test(text) : /[.e]/i.test(text))
    return /f$/i.test(text) ? 'float' : /l$/i.test(text) ? 'long double' : 'double';
  const suffix = /[ulz]*$/i.exec(text)![0].toLowerCase();
  const isUnsigned = suffix.includes('u') ? 'unsigned ' : '';
  if (suffix.includes('ll')) return `${isUnsigned}long long`;
  return `${isUnsigned}${/[lz]/.test(suffix) ? 'long' : 'int'}`;
}

/** By what stands in front of the quote. */
function charType(text: string): string {
  switch (/^(?:u8|[LuU])?/.exec(text)![0]) {
    case 'L':
      return 'wchar_t';
    case 'u':
      return 'char16_t';
    case 'U':
      return 'char32_t';
    default:
      return 'char';
  }
}
