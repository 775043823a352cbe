import { isStaticTail } from '../model/identity.ts';
import type { Value } from './values.ts';

/** A union has at most so many options worth looking at. */
const maxOptions = 8;

/** The union of what is known; the value itself where only one is. */
export function either(values: readonly (Value | undefined)[]): Value | undefined {
  const options = values.flatMap(value => optionsOf(value)).slice(0, maxOptions);
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

export function then(value: Value | undefined, next: (value: Value) => Value | undefined): Value | undefined {
  return value === undefined ? undefined : next(value);
}
