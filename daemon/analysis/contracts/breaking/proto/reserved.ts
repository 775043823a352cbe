import type { SchemaReserved } from '../../../../model/proto-schema.ts';
import { type Comparison, tell } from './comparison.ts';
import { type ApartRanges, apart, holdAll } from './number-ranges.ts';
import { placeAt } from './place-at.ts';
import type { KnownType } from './types.ts';

/** What is reserved, to be asked often. */
export interface Kept {
  readonly numbers: ApartRanges;
  readonly names: ReadonlySet<string>;
}

export function keptBy({ ranges, names }: SchemaReserved): Kept {
  return { numbers: apart(ranges), names: new Set(names.map(({ name }) => name)) };
}

/** Numbers and names that are no longer kept free. */
export function tellReserved(
  comparison: Comparison,
  oldType: KnownType,
  nowType: KnownType,
  { old, now }: { readonly old: SchemaReserved; readonly now: Kept },
): void {
  const { fullName } = oldType;
  const after = placeAt(nowType, (nowType.message ?? nowType.enum)!.line);
  for (const { from, to, line } of old.ranges) {
    if (holdAll(now.numbers, from, to)) continue;
    const numbers = from === to ? `number ${from} is` : `numbers ${from} to ${to} are`;
    tell(
      comparison,
      { type: fullName },
      {
        id: 'reserved-range-removed',
        severity: 'risky',
        compatibility: ['wire'],
        subject: `${fullName} reserved ${from === to ? from : `${from} to ${to}`}`,
        message: `${numbers} no longer reserved: something new may take what older messages have with another meaning`,
        before: placeAt(oldType, line),
        after,
      },
    );
  }
  for (const { name, line } of old.names) {
    if (now.names.has(name)) continue;
    tell(
      comparison,
      { type: fullName },
      {
        id: 'reserved-name-removed',
        severity: 'risky',
        compatibility: ['json'],
        subject: `${fullName} reserved ${name}`,
        message: `the name ${name} is no longer reserved: something new may take what older JSON has with another meaning`,
        before: placeAt(oldType, line),
        after,
      },
    );
  }
}
