import { maxDepth } from '../../builder.ts';
import { argumentsOf, typeAt, valueOfTypeBefore, valueOfTypeIn } from './types.ts';
import { nameOf, valueOfField, valueThrough } from './values.ts';
import { before, core, partsOf, type Walk } from './walk.ts';

/** What the parameter at a position of a function gets that declares no type for it: as it is used, or where it is wanted. */
export function givenTo(walk: Walk, closure: number, position: number): number {
  const { tree, facts } = walk;
  const argument = argumentAround(walk, closure);
  const call = argument < 0 ? -1 : callAround(walk, argument);
  const declared = facts.parameter(wanted(walk, closure), position);
  if (!/^(?:selector|argument_part)$/.test(tree.kind(call))) return declared;
  const callee = before(walk, call);
  const name = nameOf(walk, tree.kind(callee) === 'selector' ? tree.firstChild(callee) : callee);
  if (name === 'having') return matched(walk, callee);
  if (tree.text(callee) === 'testWidgets') return facts.instance(core(walk, 'WidgetTester'));
  const receiver = name === '' ? -1 : valueThrough(walk, before(walk, callee));
  return facts.otherwise(usual(walk, name, receiver, position), declared);
}

/** Methods of the library that hand a function one element after another. */
const givesElements = new Set(
  `map where forEach any every expand firstWhere lastWhere singleWhere takeWhile skipWhile removeWhere retainWhere
  indexWhere asyncMap listen`.split(/\s+/),
);
/** Methods that hand over two elements at once. */
const givesPairs = /^(?:sort|sorted|reduce)$/;

function usual({ facts }: Walk, name: string, receiver: number, position: number): number {
  if (givesPairs.test(name)) return facts.element(receiver);
  if (position > 0) return -1;
  if (name === 'then') return facts.awaited(receiver);
  return givesElements.has(name) ? facts.element(receiver) : -1;
}

/** The argument of a call that a function is; -1 where it is none. */
function argumentAround({ tree }: Walk, closure: number): number {
  let argument = closure;
  while (/^(?:argument|named_argument)$/.test(tree.kind(tree.parent[argument]!))) argument = tree.parent[argument]!;
  return argument !== closure && tree.kind(tree.parent[argument]!) === 'arguments' ? argument : -1;
}

/** The selector that calls, or the expression that makes an object by its type. */
function callAround({ tree }: Walk, argument: number): number {
  const part = tree.parent[tree.parent[argument]!]!;
  return tree.kind(tree.parent[part]!) === 'selector' ? tree.parent[part]! : part;
}

/** As what is called says it; an argument with a name mostly is a field of the object that is made. */
function declaredFor(walk: Walk, argument: number): number {
  const { tree, facts } = walk;
  const call = callAround(walk, argument);
  const named = tree.kind(argument) === 'named_argument' ? argument : tree.childOfKind(argument, 'named_argument');
  if (named >= 0) {
    const label = tree.text(tree.childOfKind(tree.childOfKind(named, 'label'), 'identifier'));
    return facts.member(valueThrough(walk, call), label);
  }
  if (!/^(?:selector|argument_part)$/.test(tree.kind(call))) return -1;
  const place = partsOf(walk, tree.parent[argument]!).indexOf(argument);
  return place < 0 || place > 8 ? -1 : facts.parameter(valueThrough(walk, before(walk, call)), place);
}

/** The function type that is wanted where a function stands: of a variable, or of what is returned. */
function wanted(walk: Walk, closure: number): number {
  const { tree, facts } = walk;
  const argument = argumentAround(walk, closure);
  if (argument >= 0) return declaredFor(walk, argument);
  const holder = tree.parent[closure]!;
  switch (tree.kind(holder)) {
    case 'record_field':
    case 'record_literal': {
      const list = tree.kind(holder) === 'record_field' ? tree.parent[holder]! : holder;
      const label = tree.childOfKind(before(walk, closure), 'identifier');
      return facts.member(valueThrough(walk, list), tree.text(label));
    }
    case 'initialized_variable_definition':
      return valueOfTypeIn(walk, holder);
    case 'initialized_identifier':
    case 'static_final_declaration':
      return valueOfTypeBefore(walk, tree.parent[holder]!);
    case 'assignment_expression':
      return valueOfField(walk, holder, 'left');
    case 'return_statement':
    case 'function_body':
    case 'function_expression_body':
      return facts.call(functionAround(walk, closure));
    default:
      return -1;
  }
}

/** The function that gives what stands in it. */
function functionAround(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  if (tree.depth[node]! > maxDepth) return -1;
  for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
    if (tree.kind(at) === 'function_expression') return wanted(walk, at);
    const slot = tree.kind(at) === 'function_body' ? walk.byNode.get(at) : undefined;
    if (slot !== undefined) return facts.slot(slot);
  }
  return -1;
}

/** `isA<Foo>().having((foo) => …)` */
function matched(walk: Walk, callee: number): number {
  const { tree, facts } = walk;
  for (let at = before(walk, callee); at >= 0; at = before(walk, at)) {
    const list = tree.childOfKind(tree.childOfKind(at, 'argument_part'), 'type_arguments');
    const [type] = list < 0 ? [] : argumentsOf(walk, list);
    if (type !== undefined) return facts.instance(typeAt(walk, type));
  }
  return -1;
}
