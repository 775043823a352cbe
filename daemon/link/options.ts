import { isStaticTail } from '../model/identity.ts';
import type { Value } from './values.ts';

/** A union has at most so many options worth looking at; functions of one name may be more. */
const maxOptions = 8;
const maxOverloads = 64;

/** The union of what is known; the value itself where only one is. */
export function either(values: readonly (Value | undefined)[]): Value | undefined {
  if (values.length === 1 && values[0]?.kind !== 'either') return values[0];
  const all = values.flatMap(value => optionsOf(value));
  const options = all.slice(0, all.every(one => one.kind === 'definition') ? maxOverloads : maxOptions);
  return options.length <= 1 ? options[0] : { kind: 'either', options };
}

export function optionsOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return value.kind === 'either' ? value.options : [value];
}

export function pick(value: Value | undefined, tail: string): Value | undefined {
  return optionsOf(value).find(one => one.kind === 'definition' && one.tail === tail);
}

/** Of several things of a name those of the class itself, or those of its instances; all where none is. */
export function onSide(options: readonly Value[], isStatic: boolean): Value | undefined {
  const ofSide = options.filter(one => one.kind === 'definition' && isStaticTail(one.tail) === isStatic);
  return either(ofSide.length === 0 ? options : ofSide);
}

export function first<T, R>(many: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of many) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is presumed of a dependency gives way to what is known of anything else. */
export function otherwise(value: Value | undefined, other: () => Value | undefined): Value | undefined {
  return isKnown(value) ? value : (other() ?? value);
}

/** Whether something is known of a value that is no mere presumption. */
export function isKnown(value: Value | undefined): value is Value {
  return value !== undefined && value.kind !== 'method';
}

export function then(value: Value | undefined, next: (value: Value) => Value | undefined): Value | undefined {
  return value === undefined ? undefined : next(value);
}

/** No surer than that. */
export function sure(value: Value | undefined, confidence: number): Value | undefined {
  if (value?.kind !== 'definition') return value;
  return { ...value, confidence: Math.min(value.confidence ?? 1, confidence) };
}
