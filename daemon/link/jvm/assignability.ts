import { identityOf } from '../environments.ts';
import { bounded } from '../instances.ts';
import { optionsOf } from '../options.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';

/** Types above one are looked at so far. */
const maxAncestors = 64;
const mismatch = Number.NEGATIVE_INFINITY;

/** Whether one of the arguments can't be passed. */
export function isMismatch(rank: number): boolean {
  return rank === mismatch;
}

/** Whether all of so many arguments are of just the types that are taken. */
export function isExact(rank: number, count: number): boolean {
  return rank === exact * count;
}

const exact = 3;

/**
 * How well a parameter takes a value, by their types: 3 for the same, 2 for one below it, 1 where nothing is known,
 * less where anything would do.
 */
export function assignability(
  parameter: Value | undefined,
  value: Value | undefined,
  isRest: boolean,
  basesOf: (of: DefinitionValue) => Iterable<Value>,
): number {
  const type = typeOf(parameter);
  const given = typeOf(value);
  if (type?.kind === 'function' && given?.kind === 'function') return ofFunctions(arityOf(parameter), arityOf(value));
  if (isRest && type !== undefined && /^(?:\[\]|Array)$/.test(nameOf(type))) {
    const element = elementOf(parameter);
    const ofElement = assignability(element, value, false, basesOf);
    return isMismatch(ofElement) && given !== undefined && nameOf(given) === '[]' ? 2 : ofElement;
  }
  if (type === undefined || type.kind === 'variable') return 0.9;
  const name = nameOf(type);
  if (isRoot(name)) return given === undefined ? 1.1 : 0.6;
  if (given === undefined) return 1;
  if (given.kind === 'function') return takesFunction(type, name);
  if (given.kind === 'external' && given.name === 'null') return primitives.has(name) ? mismatch : 1;
  if (isSame(type, given)) return name === '[]' ? ofArrays(elementOf(parameter), elementOf(value), basesOf) : 3;
  if (given.kind === 'definition') return ofDefinition(type, name, given, basesOf);
  if (given.kind === 'external') return ofExternal(type, name, nameOf(given));
  return 1;
}

/** The bare type of a value, of a type parameter its erasure: the first of its bounds. */
function typeOf(written: Value | undefined): Value | undefined {
  const isBounded = written?.kind === 'either' && bounded(written) !== written;
  const value = isBounded ? optionsOf(bounded(written))[0] : written;
  if (value === undefined || value.kind === 'either') return undefined;
  if (value.kind === 'function') return value;
  const type = value.kind === 'instance' ? value.of : value;
  if (type.kind === 'applied') return type.of;
  // A static member of a library's class: of a number's class a number, else anything.
  if (value.kind === 'external')
    return limits.test(value.name) ? { ...value, name: value.name.replace(limits, '') } : undefined;
  return type.kind === 'definition' && roleOf(type) !== 'type' ? undefined : type;
}

function elementOf(value: Value | undefined): Value | undefined {
  const type = value?.kind === 'instance' ? value.of : value;
  const element = type?.kind === 'applied' ? type.arguments[0] : undefined;
  return element === undefined || element.kind === 'variable' || element.kind === 'instance'
    ? element
    : { kind: 'instance', of: element };
}

/** An array of primitives is one of no others, nor is one of objects one of primitives. */
function ofArrays(
  parameter: Value | undefined,
  value: Value | undefined,
  basesOf: (of: DefinitionValue) => Iterable<Value>,
): number {
  const names = [parameter, value].map(one => nameOf(typeOf(one) ?? unknownType));
  if (names[0] !== names[1] && names.some(name => primitives.has(name))) return mismatch;
  return assignability(parameter, value, false, basesOf);
}

const unknownType: Value = { kind: 'function', of: undefined };

function nameOf(type: Value): string {
  return type.kind === 'external' ? type.name.slice(type.name.lastIndexOf('.') + 1) : '';
}

function isSame(a: Value, b: Value): boolean {
  if (a.kind === 'definition') return b.kind === 'definition' && a.scope === b.scope && a.tail === b.tail;
  if (a.kind !== 'external' || b.kind !== 'external') return false;
  return a.name === b.name;
}

function boxOf(name: string): string {
  return boxes[name] ?? name;
}

/** How many a function takes, what it is called on counted in; undefined of a lambda that names none. */
function arityOf(value: Value | undefined): number | undefined {
  const type = value?.kind === 'instance' ? value.of : value;
  if (type?.kind === 'applied') return type.arguments.length;
  return type?.kind === 'function' && type.of !== undefined ? 0 : undefined;
}

/** What is called on something may name it or not: `A.(B) -> C` takes lambdas of one and of two. */
function ofFunctions(wanted: number | undefined, given: number | undefined): number {
  if (wanted === undefined) return 1;
  if (given === undefined) return wanted <= 2 ? 2 : mismatch;
  return wanted === given ? 3 : wanted === given + 1 ? 1 : mismatch;
}

function takesFunction(type: Value, name: string): number {
  if (type.kind === 'definition') return kindOf(type) === 'interface' ? 2 : mismatch;
  if (type.kind === 'function') return 3;
  return final.has(name) || name === '[]' ? mismatch : 1;
}

function kindOf({ sites }: DefinitionValue): string {
  const { document, slot } = sites[0]!;
  return document.facts.definitions[slot]!.kind;
}

function ofDefinition(
  type: Value,
  name: string,
  given: DefinitionValue,
  basesOf: (of: DefinitionValue) => Iterable<Value>,
): number {
  const seen = new Set<string>();
  const pending: DefinitionValue[] = [given];
  let isKnown = true;
  for (let one = pending.shift(); one !== undefined && seen.size < maxAncestors; one = pending.shift()) {
    if (seen.has(identityOf(one))) continue;
    seen.add(identityOf(one));
    for (const base of basesOf(one)) {
      const above = base.kind === 'applied' ? base.of : base;
      if (isSame(above, type)) return 2;
      if (above.kind === 'definition') pending.push(above);
      else isKnown = false;
    }
  }
  if (final.has(name) || name === '[]' || type.kind === 'function') return mismatch;
  return isKnown && (type.kind === 'definition' || !lowest.has(name)) ? mismatch : 0.5;
}

function ofExternal(type: Value, name: string, given: string): number {
  if (type.kind === 'function') return mismatch;
  // No library is below what the repository declares.
  if (type.kind === 'definition') return mismatch;
  if (numbers.has(name) && numbers.has(given)) return ofNumber(name, given);
  if (boxOf(name) === boxOf(given)) return ofBoxes(name, given);
  if (isText(given) && ['CharSequence', 'Comparable', 'Serializable'].includes(name)) return 2;
  if (numbers.has(boxOf(given)) && ['Number', 'Comparable', 'Serializable'].includes(name)) return 1;
  const isClosed = (one: string): boolean => final.has(one) || one === '[]';
  return isClosed(name) || (isClosed(given) && given !== 'Class') || isRoot(given) ? mismatch : 1;
}

function isRoot(name: string): boolean {
  return name === 'Object' || name === 'Any';
}

function isText(name: string): boolean {
  return name === 'String';
}

const widths = ['byte', 'short', 'int', 'long', 'float', 'double'];
const primitives = new Set([...widths, 'char', 'boolean']);
const boxes: Readonly<Record<string, string>> = {
  int: 'Int',
  Integer: 'Int',
  long: 'Long',
  short: 'Short',
  byte: 'Byte',
  float: 'Float',
  double: 'Double',
  char: 'Char',
  Character: 'Char',
  boolean: 'Boolean',
};

/** What Java has for a type of Kotlin that is never null. */
export function primitiveOf(type: string): Value | undefined {
  const name = type.toLowerCase();
  return primitives.has(name) && boxes[name] === type
    ? { kind: 'instance', of: { kind: 'external', manager: 'std', package: 'java', name } }
    : undefined;
}

const numbers = new Set([
  ...widths,
  'char',
  'Int',
  'Long',
  'Short',
  'Byte',
  'Float',
  'Double',
  'Char',
  'Integer',
  'Character',
]);
/** Nothing stands below them. */
const final = new Set([...numbers, 'boolean', 'Boolean', 'String', 'Class', 'KClass']);
/** What each class is besides what it says. */
const lowest = new Set(['Object', 'Any', 'Record', 'Enum', 'Comparable', 'Annotation', 'Serializable']);

/** A number is widened before it is put into a box, and no further than needed. */
function ofNumber(name: string, given: string): number {
  const [from, to] = [widths.indexOf(given === 'char' ? 'short' : given), widths.indexOf(name)];
  if (from >= 0 && to > from) return 2.9 - 0.3 * (to - from);
  return boxOf(name) === boxOf(given) ? ofBoxes(name, given) : mismatch;
}

/** A box is a box, whatever Java and Kotlin call it; to put something into one, or to take it out, comes after all that needs neither. */
function ofBoxes(name: string, given: string): number {
  return primitives.has(name) === primitives.has(given) ? exact : 1.4;
}

const limits = /\.(?:MAX_VALUE|MIN_VALUE|MIN_NORMAL|NaN|POSITIVE_INFINITY|NEGATIVE_INFINITY)$/;
