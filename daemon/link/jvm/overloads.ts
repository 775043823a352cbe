import { type ParameterShape, parameterTypes, shapeOf, takesSoMany } from '../../model/parameter-shape.ts';
import { inferred } from '../inferred.ts';
import { either, optionsOf } from '../options.ts';
import type { OverloadRules } from '../overloads.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { assignability, isExact, isMismatch, primitiveOf } from './assignability.ts';

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

/** The same of Java, which passes what an extension of Kotlin is called on, and sees a primitive where Kotlin's type is never null. */
export function chosenFromJava(of: Value, passed: Passed, rules: OverloadRules): Value {
  return chosenOf(of, passed, rules, (all, { sites, tail }) => {
    const isKotlin = sites[0]!.document.facts.language === 'kotlin';
    const written = isKotlin ? parameterTypes(tail) : [];
    return all.map(({ shape, type }, position) => {
      const primitive = written.length === all.length ? primitiveOf(written[position]!) : undefined;
      return { shape: shape === 'receiver' ? 'plain' : shape, type: primitive === undefined ? type : () => primitive };
    });
  });
}

function chosenOf(
  of: Value,
  passed: Passed,
  { evaluate, held, above, basesOf }: OverloadRules,
  seen: (all: readonly Parameter[], of: DefinitionValue) => readonly Parameter[],
): Value {
  const parametersOf = (of: DefinitionValue): readonly Parameter[] => {
    const { document, slot } = of.sites[0]!;
    return seen(
      document.facts.definitions[slot]!.supers.map(index => ({
        shape: shapeOf(at => document.facts.expressions[at]!, index),
        type: () => evaluate(document, index),
      })),
      of,
    );
  };

  const typesOf = (of: DefinitionValue): readonly (() => Value | undefined)[] =>
    parametersOf(of).map(({ type }) => type);

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
      return either([...(types.length > 0 ? types : []), ...fitting.map(one => inferred(one, typesOf(one), passed))]);
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

  return (
    chosen(
      of,
      passed.map(one => () => held(one())),
      0,
    ) ?? of
  );
}

/**
 * The secondary constructor of Kotlin that takes just what is passed, none with an argument more. Of what is passed
 * otherwise the primary constructor, which is no definition, may take as much.
 */
export function secondaryTaking(
  all: readonly DefinitionValue[],
  passed: Passed,
  { evaluate, basesOf }: OverloadRules,
): DefinitionValue | undefined {
  return all.find(({ sites }) => {
    const { document, slot } = sites[0]!;
    const takes = document.facts.definitions[slot]!.supers;
    if (takes.length !== passed.length) return false;
    const ranks = takes.map((index, at) => assignability(evaluate(document, index), passed[at]!(), false, basesOf));
    return isExact(
      ranks.reduce((sum, rank) => sum + rank, 0),
      passed.length,
    );
  });
}

interface Parameter {
  readonly shape: ParameterShape;
  readonly type: () => Value | undefined;
}

type Passed = readonly (() => Value | undefined)[];

function isFunction(value: Value): value is DefinitionValue {
  return value.kind === 'definition' && roleOf(value) === 'callable';
}
