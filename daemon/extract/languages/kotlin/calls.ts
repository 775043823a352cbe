import { operandOf } from './prefixes.ts';
import { inFull } from './qualified.ts';
import { functionNamed, memberNamed, nameOf, type Walk } from './walk.ts';

/** A call, however the grammar took it apart: `f(a) {…}` is a call of a call, `f<T>(a)` two comparisons. */
export interface Call {
  readonly callee: number;
  /** What is passed in parentheses. */
  readonly passed: readonly number[];
  readonly lambda: number;
  readonly typeArguments: number;
}

export function callAt({ tree }: Pick<Walk, 'tree'>, node: number): Call | undefined {
  if (tree.kind(node) === 'binary_expression') return genericCall(tree, node);
  if (tree.kind(node) !== 'call_expression') return undefined;
  const annotated = tree.childOfKind(node, 'annotated_lambda');
  const lambda = tree.childOfKind(annotated, 'lambda_literal');
  const first = tree.firstChild(node);
  const hasOwn = tree.childOfKind(node, 'value_arguments') >= 0;
  const isNested = lambda >= 0 && !hasOwn && tree.kind(first) === 'call_expression';
  const holder = isNested && tree.childOfKind(first, 'annotated_lambda') < 0 ? first : node;
  return {
    callee: tree.firstChild(holder),
    passed: tree.namedChildren(tree.childOfKind(holder, 'value_arguments')),
    lambda,
    typeArguments: tree.childOfKind(holder, 'type_arguments'),
  };
}

function genericCall(tree: Walk['tree'], node: number): Call | undefined {
  const left = tree.child(node, 'left');
  const right = tree.child(node, 'right');
  const lambda = tree.kind(right) === 'lambda_literal' ? right : -1;
  const isPassed = lambda >= 0 || tree.kind(right) === 'parenthesized_expression';
  if (!isPassed || tree.kind(left) !== 'binary_expression') return undefined;
  const operator = (of: number): string => tree.text(tree.children(of)[1] ?? -1);
  if (operator(node) !== '>' || operator(left) !== '<') return undefined;
  const typeArguments = tree.child(left, 'right');
  const passed = lambda < 0 ? tree.namedChildren(right) : [];
  return { callee: operandOf(tree, tree.child(left, 'left')), passed, lambda, typeArguments };
}

/** The value that stands in an argument, behind its name or star. */
export function argumentValue({ tree }: Walk, argument: number): number {
  if (tree.kind(argument) !== 'value_argument') return argument;
  const value = tree.namedChildren(argument).at(-1) ?? -1;
  return tree.kind(value) === 'spread_expression' ? (tree.namedChildren(value)[0] ?? -1) : value;
}

/** The name by which an argument is passed, or -1. */
export function argumentName({ tree }: Walk, argument: number): number {
  const [name = -1, value] = tree.namedChildren(argument);
  return tree.kind(argument) === 'value_argument' && value !== undefined && tree.kind(name) === 'identifier'
    ? name
    : -1;
}

/** Values passed, by position as long as none is named. */
export function passedValues(walk: Walk, call: Call): readonly number[] {
  let isNamed = false;
  const values = call.passed.map(one => {
    isNamed ||= argumentName(walk, one) >= 0;
    return isNamed ? -1 : walk.value(argumentValue(walk, one));
  });
  return call.lambda < 0 ? values : [...values, isNamed ? -1 : walk.value(call.lambda)];
}

/** What a call calls. */
export function calledBy(walk: Walk, call: Call): number {
  const { tree, facts } = walk;
  const passed = passedValues(walk, call);
  switch (tree.kind(call.callee)) {
    case 'identifier':
      return functionNamed(walk, nameOf(walk, call.callee), passed);
    case 'navigation_expression': {
      const [of = -1, ...rest] = tree.namedChildren(call.callee);
      const name = rest.at(-1) ?? -1;
      const member = memberNamed(walk, walk.value(of), nameOf(walk, name));
      return facts.overload(inFull(walk, call.callee, member), passed);
    }
    default:
      return walk.value(call.callee);
  }
}

/** The name that is called, or ''. */
export function calledName(walk: Walk, call: Call): string {
  const { tree } = walk;
  if (tree.kind(call.callee) === 'identifier') return nameOf(walk, call.callee);
  if (tree.kind(call.callee) !== 'navigation_expression') return '';
  return nameOf(walk, tree.namedChildren(call.callee).at(-1) ?? -1);
}

/** What the called function is a member of, by the code; -1 where it stands alone. */
export function calledOn(walk: Walk, call: Call): number {
  const { tree } = walk;
  if (tree.kind(call.callee) !== 'navigation_expression') return -1;
  return walk.value(tree.firstChild(call.callee));
}
