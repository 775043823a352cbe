import { parameterTypes } from '../../model/parameter-shape.ts';
import { bareType } from '../instances.ts';
import { either, optionsOf } from '../options.ts';
import type { OverloadRules } from '../overloads.ts';
import { roleOf } from '../roles.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';

/**
 * The function of C++ that a call means, of those of one name: those that take so many arguments, where none does, those
 * that take a few more; of several those that are reached by the least conversions. Those that may be as well as each
 * other are all given.
 */
export function chosenFromCpp(of: Value, given: readonly (() => Value | undefined)[], rules: OverloadRules): Value {
  const functions = optionsOf(of).filter(
    (one): one is DefinitionValue => one.kind === 'definition' && roleOf(one) === 'callable',
  );
  if (functions.length < 2) return of;
  const near = leastExtra(functions, given.length);
  if (near.length < 2) return near[0] ?? of;
  const passed = given.map(one => passedType(rules.valueOf(one() ?? nothing), rules));
  const rated = near.flatMap(one => {
    const by = costOf(one, passed, rules);
    return by === undefined ? [] : [{ one, by }];
  });
  const most = Math.min(...rated.map(({ by }) => by.most));
  const kept = rated.filter(({ by }) => by.least <= most).map(({ one }) => one);
  if (kept.length === 1) return kept[0]!;
  const all = kept.length > 0 ? kept : near;
  return oneFunction(all) ?? oneAlike(all, passed) ?? either(all) ?? of;
}

const nothing: Value = { kind: 'function', of: undefined };

/** Less sure than by rule: by how parameters are written; and of what may differ in the object that it is called on. */
const likely = 0.85;
const possible = 0.7;

/**
 * A declaration and its body may write one type with the namespaces around it and without; what is written for objects
 * that stay as they are stands beside the same for those that needn't, which is meant of any object but those.
 */
function oneFunction(all: readonly DefinitionValue[]): DefinitionValue | undefined {
  const spelled = all.map(
    one =>
      `${one.scope} ${parametersOf(one)
        .join()
        .replace(/\w+::|\s/g, '')}`,
  );
  if (spelled.some(one => one !== spelled[0])) return undefined;
  const qualifiers = ({ tail }: DefinitionValue): number => parameterTypes(tail).length;
  const [first] = [...all].sort((a, b) => qualifiers(a) - qualifiers(b));
  return { ...first!, confidence: possible };
}

/** Of those that all may be meant the one whose parameters are written like the arguments' types: a format for a text. */
function oneAlike(all: readonly DefinitionValue[], passed: readonly (Type | undefined)[]): DefinitionValue | undefined {
  const alike = all.map(one => likeness(parametersOf(one), passed));
  const most = Math.max(...alike);
  const [first, second] = all.filter((_, index) => alike[index] === most);
  return first === undefined || second !== undefined ? undefined : { ...first, confidence: likely };
}

function likeness(takes: readonly string[], passed: readonly (Type | undefined)[]): number {
  let sum = 0;
  passed.forEach((type, index) => {
    const taken = takes[index];
    if (type === undefined || taken === undefined) return;
    if (type.is === 'plain' && type.name === 'char' && type.stars === 1) {
      if (/char|string|\bS\b/i.test(taken)) sum += /\bw\w*(?:string|char)/.test(taken) ? 1 : 2;
      else if (!/^[A-Z]\w*[&*]*(?:\.\.\.)?$/.test(taken)) sum -= 2;
    } else if (taken.split(/\W+/).includes(nameOf(type))) sum += 2;
  });
  return sum;
}

function nameOf(type: Type): string {
  return type.is === 'class' ? type.of.sites[0]!.document.facts.definitions[type.of.sites[0]!.slot]!.name : type.name;
}

function leastExtra(functions: readonly DefinitionValue[], count: number): readonly DefinitionValue[] {
  const extras = functions.map(one => extraParameters(parametersOf(one), count));
  const lowest = Math.min(...extras);
  return functions.filter((_, index) => extras[index] === lowest);
}

/** Types that a function takes, as they are written. */
export function parametersOf({ tail }: DefinitionValue): readonly string[] {
  return parameterTypes(tail).filter(type => !/^(?:const|volatile|&&?|noexcept)$/.test(type));
}

function extraParameters(takes: readonly string[], count: number): number {
  if (takes.some(isPack)) return Math.max(0, takes.length - 1 - count) + 0.5;
  return takes.length < count ? Number.POSITIVE_INFINITY : takes.length - count;
}

function isPack(type: string): boolean {
  return type.endsWith('...');
}

/** A type as overloads are told apart by it; `stars` only of those that the language has words for, and of parameters. */
type Type =
  | { readonly is: 'plain'; readonly name: string; readonly stars: number }
  | { readonly is: 'class'; readonly of: DefinitionValue; readonly stars?: number }
  | { readonly is: 'library'; readonly name: string };

/** How far a call is from what a function takes, where that isn't known for sure between two bounds. */
interface Cost {
  readonly least: number;
  readonly most: number;
}

const same: Cost = { least: 0, most: 0 };
const promoted = exactly(1);
const converted = exactly(2);
const byConstructor: Cost = { least: 3, most: 3.5 };
/** A parameter of a template takes all as it is, but gives way to what does so without; an unknown name may be of one. */
const perhaps: Cost = { least: 0.5, most: 3.5 };

function exactly(cost: number): Cost {
  return { least: cost, most: cost };
}

function costOf(one: DefinitionValue, passed: readonly (Type | undefined)[], rules: OverloadRules): Cost | undefined {
  const takes = parametersOf(one);
  let [least, most] = [0, 0];
  for (let index = 0; index < passed.length; index++) {
    const argument = passed[index];
    const written = takes[Math.min(index, takes.length - 1)];
    if (argument === undefined || written === undefined) continue;
    const by = costOfOne(argument, writtenType(one, written, rules), rules);
    if (by === undefined) return undefined;
    least += by.least;
    most += by.most;
  }
  return { least, most };
}

function costOfOne(from: Type, to: Type | undefined, rules: OverloadRules): Cost | undefined {
  if (to === undefined) return perhaps;
  switch (from.is) {
    case 'plain':
      return to.is === 'plain' ? costOfPlain(from, to) : costToClass(from, to);
    case 'class':
      return costFromClass(from, to, rules);
    case 'library':
      if (to.is === 'plain') return from.name === 'string' || to.stars > 0 ? undefined : byConstructor;
      if (to.is === 'library' && to.name === from.name) return { least: 0, most: 1 };
      return to.is === 'library' && isText(from.name) && isText(to.name) ? exactly(2.5) : byConstructor;
  }
}

function costOfPlain(from: Plain, to: Plain): Cost | undefined {
  if (from.name === to.name && from.stars === to.stars) return same;
  if (from.stars === 0 && from.name === 'nullptr_t') return to.stars > 0 ? promoted : undefined;
  if (from.stars > 0) {
    if (to.stars > 0) return to.name === 'void' && to.stars === 1 ? converted : undefined;
    return to.name === 'bool' ? exactly(2.2) : undefined;
  }
  if (to.stars > 0) return from.name === '0' ? converted : undefined;
  if (from.name === '0' && to.name === 'int') return same;
  const isPromotion = to.name === 'int' ? narrow.has(from.name) : to.name === 'double' && from.name === 'float';
  return isPromotion ? promoted : converted;
}

type Plain = Extract<Type, { is: 'plain' }>;

const narrow: ReadonlySet<string> = new Set([
  'bool',
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
]);

/** What makes an object of a number or a text: its constructors are not looked at. */
function costToClass(from: Plain, to: Exclude<Type, Plain>): Cost | undefined {
  const isNull = from.stars === 0 && (from.name === 'nullptr_t' || from.name === '0');
  if (to.is === 'class' && (to.stars ?? 0) > 0) return isNull ? promoted : undefined;
  if (to.is === 'library' && isText(to.name))
    return from.name === 'char' && from.stars === 1 ? exactly(2.5) : undefined;
  return byConstructor;
}

function costFromClass(from: Extract<Type, { is: 'class' }>, to: Type, rules: OverloadRules): Cost | undefined {
  if (to.is === 'library') return byConstructor;
  if (to.is === 'plain') {
    if (isEnum(from.of)) return to.stars > 0 ? undefined : to.name === 'int' ? promoted : converted;
    return to.stars > 0 && to.name === 'void' ? { least: 2, most: 3.5 } : byConstructor;
  }
  if (isSame(from.of, to.of)) return same;
  return rules.extends(from.of, to.of) ? exactly(1.5) : to.stars ? undefined : byConstructor;
}

function isEnum({ sites }: DefinitionValue): boolean {
  const { document, slot } = sites[0]!;
  return document.facts.definitions[slot]!.kind === 'enum';
}

function isSame(one: DefinitionValue, other: DefinitionValue): boolean {
  return one.scope === other.scope && one.tail === other.tail;
}

function isText(name: string): boolean {
  return /^(?:w?string|w?string_view)$/.test(name);
}

/** What an argument is; undefined where nothing, or not enough, is known. */
function passedType(value: Value | undefined, rules: OverloadRules): Type | undefined {
  const type = value?.kind === 'instance' ? bareType(value) : undefined;
  return type === undefined ? undefined : typed(type, 0, rules);
}

const maxAliases = 4;

function typed(type: Value, stars: number, rules: OverloadRules, steps = 0): Type | undefined {
  if (type.kind === 'external') return ofLibrary(type, stars);
  if (type.kind !== 'definition') return undefined;
  const role = roleOf(type);
  if (role === 'type') return { is: 'class', of: type, stars };
  if (role !== 'alias' || steps > maxAliases) return undefined;
  const { document, slot } = type.sites[0]!;
  const { type: index } = document.facts.definitions[slot]!;
  const meant = bareType(index < 0 ? undefined : rules.evaluate(document, index));
  return meant === undefined ? undefined : typed(meant, stars, rules, steps + 1);
}

function ofLibrary({ package: library, name }: Extract<Value, { kind: 'external' }>, stars: number): Type | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const plain = plainType(last, stars);
  if (plain !== undefined) return plain;
  return library === 'cpp' && stars === 0 ? { is: 'library', name: last } : undefined;
}

/** The type that a parameter is written as; undefined of a template's parameter and of what is not in sight. */
function writtenType(of: DefinitionValue, written: string, rules: OverloadRules): Type | undefined {
  const bare = written
    .replace(/<.*>/s, '')
    .replace(/\b(?:const|volatile|struct|class|enum|union|typename|register)\b|&|\.\.\.$/g, '')
    .trim();
  const stars = bare.split(/[*[]/).length - 1;
  const name = bare.replace(/\s*[*[].*$/s, '');
  if (/[^\w: ]/.test(bare.replace(/\*|\[\w*\]/g, ''))) return undefined;
  const plain = plainType(name, stars);
  if (plain !== undefined) return plain;
  if (name === 'void') return { is: 'plain', name, stars };
  if (/ /.test(name)) return undefined;
  const { document } = of.sites[0]!;
  const found = rules.free(document, `${containerOf(of.tail)}|${name}`);
  const known = found === undefined ? undefined : typed(optionsOf(found)[0]!, stars, rules);
  const last = name.slice(name.lastIndexOf(':') + 1);
  return known ?? (found === undefined && isText(last) && stars === 0 ? { is: 'library', name: last } : undefined);
}

/** Words that may stand in any order, one type under one name; what `<cstdint>` calls so included. */
function plainType(name: string, pointers: number): Plain | undefined {
  const stars = pointers + name.split('*').length - 1;
  const bare = name.replaceAll('*', '').replace(/^std::/, '');
  const known = Object.hasOwn(fixed, bare) ? fixed[bare]! : bare;
  const words = known.split(' ').filter(Boolean);
  if (words.length === 0 || !words.every(word => plainWords.has(word))) return undefined;
  return { is: 'plain', name: words.length === 1 ? words[0]! : canonical(words), stars };
}

const plainWords: ReadonlySet<string> = new Set(
  'void bool char char8_t char16_t char32_t wchar_t short int long signed unsigned float double nullptr_t 0'.split(' '),
);

/** As they are on most machines of 64 bits. */
const fixed: Readonly<Record<string, string>> = {
  int8_t: 'signed char',
  uint8_t: 'unsigned char',
  int16_t: 'short',
  uint16_t: 'unsigned short',
  int32_t: 'int',
  uint32_t: 'unsigned int',
  int64_t: 'long',
  uint64_t: 'unsigned long',
  size_t: 'unsigned long',
  ssize_t: 'long',
  ptrdiff_t: 'long',
  intptr_t: 'long',
  uintptr_t: 'unsigned long',
  unsigned: 'unsigned int',
  signed: 'int',
};

function canonical(words: readonly string[]): string {
  const sign = words.includes('unsigned')
    ? 'unsigned '
    : words.includes('char') && words.includes('signed')
      ? 'signed '
      : '';
  if (words.includes('double')) return 'long double';
  if (words.includes('char')) return `${sign}char`;
  if (words.includes('short')) return `${sign}short`;
  const longs = words.filter(word => word === 'long').length;
  return `${sign}${longs === 0 ? 'int' : longs === 1 ? 'long' : 'long long'}`;
}
