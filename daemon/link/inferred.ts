import { ownerOf, substituted } from './environments.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

/** A function with its own type parameters as far as what is passed tells them. */
export function inferred(
  of: DefinitionValue,
  takes: readonly (() => Value | undefined)[],
  passed: readonly (() => Value | undefined)[],
): DefinitionValue {
  const owner = ownerOf(of.scope, of.tail);
  const known: Value[] = [];
  takes.forEach((taken, position) => {
    const type = passed[position] === undefined ? undefined : taken();
    if (type !== undefined && mentions(type, owner)) match(type, passed[position]!(), owner, known);
  });
  if (known.length === 0) return of;
  const bound = substituted(of, { kind: 'applied', of, arguments: known });
  return bound?.kind === 'definition' ? bound : of;
}

const maxNesting = 4;

function mentions(type: Value, owner: string, nesting = 0): boolean {
  if (nesting > maxNesting) return false;
  if (type.kind === 'variable') return type.owner === owner;
  if (type.kind === 'instance') return mentions(type.of, owner, nesting + 1);
  if (type.kind === 'function') return type.of !== undefined && mentions(type.of, owner, nesting + 1);
  if (type.kind === 'either') return type.options.some(one => mentions(one, owner, nesting + 1));
  if (type.kind !== 'applied') return false;
  return [type.of, ...type.arguments].some(one => one !== undefined && mentions(one, owner, nesting + 1));
}

/** Finds what type parameters stand for where a value of a type is passed that mentions them. */
function match(type: Value, value: Value | undefined, owner: string, known: Value[], nesting = 0): void {
  if (value === undefined || nesting > maxNesting) return;
  if (type.kind === 'variable') {
    if (type.owner === owner) known[type.position] ??= value;
    return;
  }
  if (type.kind === 'either') {
    // A type parameter stands beside its bounds, which say nothing of what is passed.
    for (const one of type.options) if (mentions(one, owner)) match(one, value, owner, known, nesting + 1);
    return;
  }
  const [bare, given] = [type, value].map(one => (one.kind === 'instance' ? one.of : one)) as [Value, Value];
  if (bare.kind === 'variable') match(bare, given, owner, known, nesting + 1);
  else if (bare.kind === 'function' && given.kind === 'function') {
    if (bare.of !== undefined) match(bare.of, given.of, owner, known, nesting + 1);
  } else if (bare.kind === 'applied') {
    if (bare.of.kind === 'function') match(bare.of, given, owner, known, nesting + 1);
    if (given.kind !== 'applied') return;
    bare.arguments.forEach((argument, index) => {
      if (argument !== undefined) match(argument, given.arguments[index], owner, known, nesting + 1);
    });
  }
}

/** What finding type arguments asks of the evaluator. */
interface Taking {
  /** What the parameter of a function at a position takes. */
  parameter(of: DefinitionValue, position: number): Value | undefined;
  /** What a variable holds; anything else is itself. */
  held(of: Value | undefined): Value | undefined;
}

/** A function with type parameters, as far as what is passed tells them, for languages that have but one of a name. */
export function instantiated(of: Value, passed: readonly (() => Value | undefined)[], rules: Taking): Value {
  if (of.kind !== 'definition' || roleOf(of) !== 'callable') return of;
  const takes = passed.map((_, position) => () => rules.parameter(of, position));
  return inferred(
    of,
    takes,
    passed.map(one => () => rules.held(one())),
  );
}
