import type { SchemaEnum } from '../../../../model/proto-schema.ts';

/** What stays as it was where an enum stands in the place of another. */
export interface EnumLikeness {
  /** Numbers are read into the field again. */
  readonly inBytes: boolean;
  /** Names are. */
  readonly inJson: boolean;
}

/** A closed enum keeps numbers out of the field that it does not have; JSON has names, whichever of a number's several. */
export function likenessOfEnums(old: SchemaEnum, now: SchemaEnum): EnumLikeness {
  const numbers = new Set(now.values.map(({ number }) => number));
  const named = new Map(now.values.map(({ name, number }) => [name, number]));
  const keepsUnknown = old.isClosed || !now.isClosed;
  const inBytes = keepsUnknown && (!now.isClosed || old.values.every(({ number }) => numbers.has(number)));
  return { inBytes, inJson: inBytes && old.values.every(({ name, number }) => named.get(name) === number) };
}
