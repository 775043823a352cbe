import type { SchemaEnum } from '../../../../model/proto-schema.ts';
import type { Likeness } from './comparison.ts';

/** A closed enum keeps numbers out of the field that it does not have; JSON has names, whichever of a number's several. */
export function likenessOfEnums(old: SchemaEnum, now: SchemaEnum): Likeness {
  const numbers = new Set(now.values.map(({ number }) => number));
  const named = new Map(now.values.map(({ name, number }) => [name, number]));
  const keepsUnknown = old.isClosed || !now.isClosed;
  const inBytes = keepsUnknown && (!now.isClosed || old.values.every(({ number }) => numbers.has(number)));
  return { inBytes, inJson: inBytes && old.values.every(({ name, number }) => named.get(name) === number) };
}
