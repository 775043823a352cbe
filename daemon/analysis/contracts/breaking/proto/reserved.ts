import type { SchemaReserved } from '../../../../model/proto-schema.ts';
import { type Comparison, tell } from './comparison.ts';
import { type ApartRanges, apart, gapsIn } from './number-ranges.ts';
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
  const say = (kind: 'range' | 'name', what: string, are: string, line: number): void =>
    tell(
      comparison,
      { type: fullName },
      {
        id: `reserved-${kind}-removed`,
        severity: 'risky',
        compatibility: [kind === 'range' ? 'wire' : 'json'],
        subject: `${fullName} reserved ${what}`,
        message: `${are} no longer reserved: something new may take what older messages have with another meaning`,
        before: placeAt(oldType, line),
        after: placeAt(nowType, (nowType.message ?? nowType.enum)!.line),
      },
    );
  // What several ranges have is looked at once, so that it costs what their lengths cost.
  let reached = Number.NEGATIVE_INFINITY;
  for (const { from, to, line } of [...old.ranges].sort((a, b) => a.from - b.from)) {
    for (const gap of gapsIn(now.numbers, Math.max(from, reached + 1), to)) {
      if (gap.from === gap.to) say('range', String(gap.from), `number ${gap.from} is`, line);
      else say('range', `${gap.from} to ${gap.to}`, `numbers ${gap.from} to ${gap.to} are`, line);
    }
    reached = Math.max(reached, to);
  }
  for (const { name, line } of old.names) if (!now.names.has(name)) say('name', name, `the name ${name} is`, line);
}
