import type { MountedDocument } from '../model/document.ts';
import { parameterTypes } from '../model/parameter-shape.ts';
import type { Definitions } from './definitions.ts';
import { instantiated } from './inferred.ts';
import type { Inheritance } from './inheritance.ts';
import { either, optionsOf } from './options.ts';
import { isType, roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';
import { writtenName } from './written-names.ts';

/** What choosing among functions of one name asks of the evaluator. */
export interface OverloadRules {
  /** What the parameter of a function at a position takes. */
  parameter(of: DefinitionValue, position: number): Value | undefined;
  /** What an argument is of: what a variable holds. */
  valueOf(argument: Value): Value | undefined;
  /** Whether a class has another among those above it. */
  extends(one: DefinitionValue, other: DefinitionValue): boolean;
  /** Functions of that name that the bases of the functions' class have. */
  above(of: DefinitionValue): Value | undefined;
  evaluate(document: MountedDocument, index: number): Value | undefined;
  /** What a name denotes in a document that binds it nowhere. */
  free(document: MountedDocument, name: string): Value | undefined;
  /** What a variable holds; anything else is itself. */
  held(of: Value | undefined): Value | undefined;
  basesOf(of: DefinitionValue): Iterable<Value>;
}

/** The rules over what the evaluator knows. */
export function overloadRules({
  parameter,
  upFrom,
  inherited,
  at,
  ...rules
}: Pick<Inheritance, 'upFrom' | 'inherited'> &
  Pick<Definitions, 'at'> &
  Pick<OverloadRules, 'evaluate' | 'free' | 'held' | 'basesOf'> & {
    parameter(of: Value, position: number): Value | undefined;
  }): OverloadRules {
  return {
    ...rules,
    parameter,
    valueOf(argument) {
      const [, type] = (argument.kind === 'external' && constants.exec(argument.name)) || [];
      if (argument.kind !== 'external' || type === undefined) return rules.held(argument);
      return { kind: 'instance', of: { ...argument, name: type } };
    },
    extends: (one, other) => upFrom(one).some(({ scope, tail }) => scope === other.scope && tail === other.tail),
    above(of) {
      const { document, slot } = of.sites[0]!;
      const { container } = document.facts.definitions[slot]!;
      const owner = container < 0 ? undefined : at(document, container);
      return owner?.kind === 'definition' ? inherited(owner, writtenName(document.facts, slot)) : undefined;
    },
  };
}

/** Constants of types of a library, which are of these types: `double.NaN`. */
const constants =
  /^(\w+)\.(?:Instance|MinValue|MaxValue|NaN|PositiveInfinity|NegativeInfinity|Epsilon|Zero|Empty|Now|UtcNow)$/;

/** Classes above one that are asked for more functions of a name. */
const maxAbove = 8;

/**
 * The function that a call means, of those that its name denotes: by the number of arguments, then by what is known of
 * their types. Where several fit as well as each other, all of those.
 */
export function chosen(of: Value, given: readonly (() => Value | undefined)[], rules: OverloadRules): Value {
  let among: Value | undefined = of;
  for (let steps = 0; steps < maxAbove && among !== undefined; steps++) {
    const functions = optionsOf(among).filter(isFunction);
    if (functions.length === 0) return among;
    const best = bestOf(functions, given, rules);
    const called = optionsOf(best).map(one => instantiated(one, passedTo(one, given), rules));
    if (called.length > 0) return either(called)!;
    among = rules.above(functions[0]!);
  }
  return of;
}

/** What an extension is called on is the first that it takes. */
function passedTo(one: Value, given: readonly (() => Value | undefined)[]): readonly (() => Value | undefined)[] {
  const on = one.kind === 'definition' ? one.on : undefined;
  return on === undefined ? given : [() => on.value, ...given];
}

function isFunction(one: Value): one is DefinitionValue {
  return one.kind === 'definition' && roleOf(one) === 'callable';
}

/** Costs of what fits less well; what can't fit has none. */
const cost = { optional: 4, rest: 5, unknown: 1, wide: 2, foreign: 3, generic: 0.5, lifted: 0.2, against: 60 } as const;

function bestOf(
  functions: readonly DefinitionValue[],
  given: readonly (() => Value | undefined)[],
  rules: OverloadRules,
): Value | undefined {
  const fitting = functions.flatMap(one => {
    const by = costOfCount(one, given.length, rules);
    return by === undefined ? [] : [{ one, by }];
  });
  if (fitting.length <= 1) return fitting[0]?.one;
  const rated = fitting.flatMap(({ one, by }) => {
    const types = costOfTypes(one, given, rules);
    return types === undefined ? [] : [{ one, by: by + types }];
  });
  const least = Math.min(...rated.map(({ by }) => by));
  return either(rated.filter(({ by }) => by === least).map(({ one }) => one));
}

/** Undefined where a function can't be called with so many arguments. */
function costOfCount(one: DefinitionValue, count: number, rules: OverloadRules): number | undefined {
  const wanted = parameterCount(one);
  const isGeneric = /\+\d+\)\.$/.test(one.tail) ? cost.generic : 0;
  const extra = count + (one.on === undefined ? 0 : 1) - wanted;
  if (extra === 0) return isGeneric;
  const last = wanted === 0 ? undefined : rules.parameter(one, wanted - 1);
  if (extra < 0) {
    const mayLack = (position: number): boolean =>
      mayBeLeftOut(one, position) || (position === wanted - 1 && last !== undefined && isArray(last));
    const isCallable = Array.from({ length: -extra }, (_, more) => wanted - 1 - more).every(mayLack);
    return isCallable ? isGeneric - extra * cost.optional : undefined;
  }
  const isRest =
    last === undefined ? /\[\]$|^params|\.\.\.$/.test(parameterTypes(one.tail).at(-1) ?? '') : isArray(last);
  return isRest ? isGeneric + cost.rest : undefined;
}

/** By what the extractor says that they take; where it says nothing, by the tail. */
function parameterCount(one: DefinitionValue): number {
  const { document, slot } = one.sites[0]!;
  return document.facts.definitions[slot]!.supers.length || parameterTypes(one.tail).length;
}

/** A parameter with a default: its type is followed by what says nothing. */
function mayBeLeftOut(one: DefinitionValue, position: number): boolean {
  return one.sites.some(({ document: { facts }, slot }) => {
    const takes = facts.expressions[facts.definitions[slot]!.supers[position] ?? -1];
    return takes === undefined || (takes.op === 'otherwise' && facts.expressions[takes.other]!.op === 'unknown');
  });
}

function isArray(value: Value): boolean {
  const type = value.kind === 'instance' ? value.of : value;
  const bare = type.kind === 'applied' ? type.of : type;
  return bare.kind === 'external' && bare.name === 'Array';
}

/** Undefined where an argument is of a type that its parameter can't take. */
function costOfTypes(
  one: DefinitionValue,
  given: readonly (() => Value | undefined)[],
  rules: OverloadRules,
): number | undefined {
  let sum = 0;
  const all = passedTo(one, given);
  for (let position = 0; position < all.length; position++) {
    const argument = all[position]!();
    const by = costOfArgument(one, position, argument && rules.valueOf(argument), rules);
    if (by === undefined) return undefined;
    sum += by;
  }
  return sum;
}

function costOfArgument(
  one: DefinitionValue,
  position: number,
  argument: Value | undefined,
  rules: OverloadRules,
): number | undefined {
  const last = parameterCount(one) - 1;
  const taken = rules.parameter(one, Math.min(position, last));
  if (argument === undefined) return taken !== undefined && isArray(taken) ? cost.unknown + cost.lifted : cost.unknown;
  if (taken === undefined) return cost.unknown;
  const whole = position <= last ? costOfType(argument, taken, rules) : undefined;
  const element = position >= last && isArray(taken) ? argumentsOf(taken)[0] : undefined;
  if (element === undefined || (whole !== undefined && whole < cost.unknown)) return whole;
  const spread = costOfType(argument, element, rules);
  return spread === undefined ? whole : spread + cost.unknown;
}

function argumentsOf(value: Value): readonly (Value | undefined)[] {
  const type = value.kind === 'instance' ? value.of : value;
  return type.kind === 'applied' ? type.arguments : [];
}

function isNullable(value: Value): boolean {
  const bare = typeOf(value);
  return bare?.kind === 'external' && bare.name === 'Nullable';
}

function costOfType(argument: Value, taken: Value, rules: OverloadRules): number | undefined {
  if (isNullable(taken) || isNullable(argument)) return costOfNullable(argument, taken, rules);
  const [from, to] = [typeOf(argument), typeOf(taken)];
  if (from === undefined || to === undefined) return cost.unknown;
  if (from.kind === 'external' && from.name === 'null') return isValueType(to) ? undefined : cost.lifted;
  if (from.kind === 'either') return cost.unknown;
  if (to.kind === 'variable') return cost.wide;
  if (to.kind === 'external' && isRoot(to.name)) return cost.wide;
  if (from.kind === 'function' || to.kind === 'function') return from.kind === to.kind ? 0 : costOfLambda(from, to);
  if (from.kind === 'definition' && to.kind === 'definition') {
    if (from.scope === to.scope && from.tail === to.tail) return 0;
    return rules.extends(from, to) ? cost.unknown : cost.against;
  }
  if (from.kind === 'external' && to.kind === 'external') {
    if (withoutFields(from.name) === withoutFields(to.name)) return 0;
    const [a, b] = [rankOf(from.name), rankOf(to.name)];
    if (a === undefined || b === undefined) return isPrimitive(to.name) ? undefined : cost.foreign;
    return b > a ? (b - a) * 0.1 : undefined;
  }
  const own = from.kind === 'definition' ? to : from;
  if (own.kind !== 'external') return cost.foreign;
  if (isPrimitive(own.name)) return cost.against;
  // No type of a library is built from one of ours.
  return own === from && argument.kind === 'instance' ? cost.foreign + cost.unknown : cost.foreign;
}

/** `tuple{a b}` is any tuple. */
function withoutFields(name: string): string {
  return name.replace(/\{.*/, '');
}

/** A value is taken where it may be missing, but not the other way round. */
function costOfNullable(argument: Value, taken: Value, rules: OverloadRules): number | undefined {
  const inner = (value: Value): Value | undefined => (isNullable(value) ? argumentsOf(value)[0] : value);
  const [from, to] = [inner(argument), inner(taken)];
  const bare = typeOf(argument);
  if (bare?.kind === 'external' && bare.name === 'null') return cost.lifted;
  if (from === undefined || to === undefined) return cost.unknown;
  const by = costOfType(from, to, rules);
  if (isNullable(taken)) return by === undefined ? undefined : by + (isNullable(argument) ? 0 : cost.lifted);
  const wide = typeOf(to);
  return wide?.kind === 'external' && isRoot(wide.name) ? cost.wide : undefined;
}

/** Never null. */
function isValueType(type: Value): boolean {
  return type.kind === 'external' && (rankOf(type.name) !== undefined || type.name === 'bool');
}

/** A function is no value of a class or of a plain type. */
function costOfLambda(from: Value, to: Value): number | undefined {
  const other = from.kind === 'function' ? to : from;
  if (other.kind === 'external') return isPrimitive(other.name) ? undefined : 0.5;
  return isType(other) && other.kind === 'definition' && roleOf(other) === 'type' ? cost.against : 0.5;
}

function typeOf(value: Value): Value | undefined {
  const type = value.kind === 'instance' ? value.of : value;
  if (type.kind !== 'applied') return type;
  return type.of;
}

function isRoot(name: string): boolean {
  return /^(?:object|Object|Any|dynamic|mixed)$/.test(name);
}

/** How wide a type of numbers is; a narrower one is taken where a wider one is wanted. */
function rankOf(name: string): number | undefined {
  const rank = ranks.indexOf(name);
  return rank < 0 ? undefined : rank;
}

const ranks = [
  'sbyte',
  'byte',
  'char',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'float',
  'double',
  'decimal',
];
const primitives: ReadonlySet<string> = new Set([...ranks, 'bool', 'boolean', 'string', 'String', 'Type', 'Array']);

function isPrimitive(name: string): boolean {
  return primitives.has(name);
}
