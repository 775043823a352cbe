import type { Place } from './comparison.ts';
import type { KnownType } from './types.ts';

export function placeAt({ path, schema }: KnownType, line: number): Place {
  return { path, schema, line };
}
