import { type ParameterShape, shapeOf, takesSoMany } from '../model/parameter-shape.ts';
import { ownerOf, substituted } from './environments.ts';
import { assignability, isMismatch } from './jvm-assignability.ts';
import { either, optionsOf } from './options.ts';
import type { OverloadRules } from './overloads.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

/** So many levels of bases are looked at for a function that takes what is passed. */
const maxLevels = 16;
/** Ranks so close to each other settle nothing. */
const margin = 0.25;

/**
 * Which of several functions of a name a call means: by the number of its arguments, then by what is known of their
 * types; where the class itself declares none that fits, a base's. Several where the syntax doesn't tell.
 */
export function chosenFromKotlin(of: Value, passed: Passed, rules: OverloadRules): Value {
  return chosenOf(of, passed, rules, all => all.filter(one => one.shape !== 'receiver'));
}

/** The same of Java, which passes what an extension of Kotlin is called on. */
export function chosenFromJava(of: Value, passed: Passed, rules: OverloadRules): Value {
  return chosenOf(of, passed, rules, all =>
    all.map(one => (one.shape === 'receiver' ? { ...one, shape: 'plain' } : one)),
  );
}

function chosenOf(
  of: Value,
  passed: Passed,
  { evaluate, held, above, basesOf }: OverloadRules,
  seen: (all: readonly Parameter[]) => readonly Parameter[],
): Value {
  const parametersOf = (of: DefinitionValue): readonly Parameter[] => {
    const { document, slot } = of.sites[0]!;
    return seen(
      document.facts.definitions[slot]!.supers.map(index => ({
        shape: shapeOf(at => document.facts.expressions[at]!, index),
        type: () => evaluate(document, index),
      })),
    );
  };

  const chosen = (value: Value | undefined, passed: Passed, level: number): Value | undefined => {
    const functions = optionsOf(value).filter(isFunction);
    const types = optionsOf(value).filter(one => one.kind === 'definition' && roleOf(one) === 'type');
    if (functions.length === 0) return value;
    const fitting = bestOf(
      functions.filter(one =>
        takesSoMany(
          parametersOf(one).map(({ shape }) => shape),
          passed.length,
        ),
      ),
      passed,
    );
    const closer = fitting.length === 1 && level === 0 ? ofBaseInstead(fitting[0]!, passed) : undefined;
    if (closer !== undefined) return closer;
    if (fitting.length > 0)
      return either([...(types.length > 0 ? types : []), ...fitting.map(one => inferred(one, passed))]);
    if (types.length > 0) return either(types);
    const inherited = level < maxLevels ? chosen(above(functions[0]!), passed, level + 1) : undefined;
    return inherited ?? (level === 0 ? value : undefined);
  };

  /** Where the only one that takes so many can't take such values, a base may have one that does. */
  const ofBaseInstead = (only: DefinitionValue, passed: Passed): Value | undefined => {
    const inherited = above(only);
    if (inherited === undefined || !isMismatch(rankOf(parametersOf(only), passed))) return undefined;
    return chosen(inherited, passed, 1);
  };

  /** Those that take the values that are passed, the closest types first; one alone takes what it is given. */
  const bestOf = (functions: readonly DefinitionValue[], passed: Passed): readonly DefinitionValue[] => {
    if (functions.length <= 1) return functions;
    const ranked = functions
      .map(one => ({ one, rank: rankOf(parametersOf(one), passed) }))
      .filter(({ rank }) => !isMismatch(rank));
    const best = Math.max(...ranked.map(({ rank }) => rank));
    const close = ranked.filter(({ rank }) => rank > best - margin);
    return close.sort((a, b) => b.rank - a.rank).map(({ one }) => one);
  };

  const rankOf = (parameters: readonly Parameter[], passed: Passed): number => {
    let rank = 0;
    for (let position = 0; position < passed.length; position++) {
      const parameter = parameters[Math.min(position, parameters.length - 1)];
      const value = passed[position]!();
      rank += assignability(parameter?.type(), value, parameter?.shape === 'rest', basesOf);
    }
    // What takes just so many goes before what takes any number.
    return parameters.some(one => one.shape === 'rest') ? rank - 0.5 : rank;
  };

  /** The function with its own type parameters as far as what is passed tells them. */
  const inferred = (of: DefinitionValue, passed: Passed): DefinitionValue => {
    const owner = ownerOf(of.scope, of.tail);
    const known: Value[] = [];
    parametersOf(of).forEach((parameter, position) => {
      const type = passed[position] === undefined ? undefined : parameter.type();
      if (type !== undefined && mentions(type, owner)) match(type, passed[position]!(), owner, known);
    });
    if (known.length === 0) return of;
    const bound = substituted(of, { kind: 'applied', of, arguments: known });
    return bound?.kind === 'definition' ? bound : of;
  };

  return (
    chosen(
      of,
      passed.map(one => () => held(one())),
      0,
    ) ?? of
  );
}

interface Parameter {
  readonly shape: ParameterShape;
  readonly type: () => Value | undefined;
}

type Passed = readonly (() => Value | undefined)[];

function isFunction(value: Value): value is DefinitionValue {
  return value.kind === 'definition' && roleOf(value) === 'callable';
}

const maxNesting = 4;

function mentions(type: Value, owner: string, nesting = 0): boolean {
  if (nesting > maxNesting) return false;
  if (type.kind === 'variable') return type.owner === owner;
  if (type.kind === 'instance') return mentions(type.of, owner, nesting + 1);
  if (type.kind === 'function') return type.of !== undefined && mentions(type.of, owner, nesting + 1);
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
