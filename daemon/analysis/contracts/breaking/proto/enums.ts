import type { SchemaEnum, SchemaEnumValue } from '../../../../model/proto-schema.ts';
import { type Comparison, everywhere, type Told, tell } from './comparison.ts';
import { changeOfJsonFormat } from './json-format.ts';
import { holdAll } from './number-ranges.ts';
import { placeAt } from './place-at.ts';
import { type Kept, keptBy, tellReserved } from './reserved.ts';
import type { KnownType } from './types.ts';

interface EnumPair {
  readonly old: SchemaEnum;
  readonly now: SchemaEnum;
  readonly oldKept: Kept;
  readonly nowKept: Kept;
  readonly say: Say;
}

type Say = (
  told: Pick<Told, 'id' | 'severity' | 'compatibility' | 'message'>,
  old: SchemaEnumValue | undefined,
  now: SchemaEnumValue | undefined,
) => void;

/** Two revisions of an enum. */
export function compareEnums(comparison: Comparison, oldType: KnownType, nowType: KnownType): void {
  const [old, now] = [oldType.enum!, nowType.enum!];
  const { fullName } = oldType;
  const say: Say = (told, was, is) =>
    tell(
      comparison,
      { type: fullName },
      {
        ...told,
        subject: was === undefined && is === undefined ? fullName : `${fullName}.${(was ?? is)!.name}`,
        before: was === undefined && is !== undefined ? undefined : placeAt(oldType, was?.line ?? old.line),
        after: is === undefined && was !== undefined ? undefined : placeAt(nowType, is?.line ?? now.line),
      },
    );
  const pair: EnumPair = { old, now, oldKept: keptBy(old.reserved), nowKept: keptBy(now.reserved), say };
  compareValues(pair);
  compareRules(pair);
  tellReserved(comparison, oldType, nowType, { old: old.reserved, now: pair.nowKept });
}

/** A value is the same where its name is, else where its number is and the name there came new. */
function compareValues(pair: EnumPair): void {
  const { old, now, say } = pair;
  const byName = new Map(now.values.map(value => [value.name, value]));
  const oldNames = new Set(old.values.map(({ name }) => name));
  const numbers = new Set(now.values.map(({ number }) => number));
  const come = new Map(now.values.filter(({ name }) => !oldNames.has(name)).map(value => [value.number, value]));
  const met = new Set<SchemaEnumValue>();
  for (const value of old.values) {
    const counterpart = byName.get(value.name) ?? come.get(value.number);
    come.delete(counterpart?.number ?? Number.NaN);
    if (counterpart === undefined) tellDeleted(pair, value, numbers.has(value.number));
    else {
      met.add(counterpart);
      compareValue(say, value, counterpart);
    }
  }
  for (const value of now.values) if (!met.has(value)) tellAdded(pair, value);
}

function compareValue(say: Say, old: SchemaEnumValue, now: SchemaEnumValue): void {
  if (old.name !== now.name) {
    const message = `the value ${old.name} = ${old.number} is called ${now.name} now`;
    say({ id: 'enum-value-renamed', severity: 'breaking', compatibility: ['json', 'source'], message }, old, now);
  } else if (old.number !== now.number) {
    const message = `the number of ${old.name} changed from ${old.number} to ${now.number}: what was written before is read as something else`;
    say({ id: 'enum-value-number-changed', severity: 'breaking', compatibility: ['wire'], message }, old, now);
  }
  if (now.isDeprecated && !old.isDeprecated) {
    const message = `the value ${old.name} is deprecated`;
    say({ id: 'enum-value-deprecated', severity: 'safe', compatibility: [], message }, old, now);
  }
}

/** An alias leaves its number to the others. */
function tellDeleted({ nowKept, say }: EnumPair, value: SchemaEnumValue, isAlias: boolean): void {
  const { name, number } = value;
  const keepsNumber = isAlias || holdAll(nowKept.numbers, number, number);
  const keepsName = nowKept.names.has(name);
  const message = keepsNumber
    ? `the value ${name} = ${number} was deleted`
    : `the value ${name} = ${number} was deleted, and its number may be taken by another: reserve it`;
  const compatibility = [
    ...(keepsNumber ? [] : ['wire' as const]),
    ...(keepsName ? [] : ['json' as const]),
    'source' as const,
  ];
  say({ id: 'enum-value-deleted', severity: 'breaking', compatibility, message }, value, undefined);
}

function tellAdded({ oldKept, now, say }: EnumPair, value: SchemaEnumValue): void {
  const { name, number } = value;
  if (holdAll(oldKept.numbers, number, number) || oldKept.names.has(name)) {
    const message = `the value ${name} = ${number} takes a number or a name that was reserved`;
    say(
      { id: 'reserved-enum-value-used', severity: 'breaking', compatibility: ['wire', 'json'], message },
      undefined,
      value,
    );
    return;
  }
  const { isClosed } = now;
  const message = isClosed
    ? `the value ${name} = ${number} was added to a closed enum: who doesn't know it loses fields that have it`
    : `the value ${name} = ${number} was added`;
  const severity = isClosed ? 'risky' : 'safe';
  say({ id: 'enum-value-added', severity, compatibility: isClosed ? ['wire', 'json'] : [], message }, undefined, value);
}

/** Which value stands for nothing, and what becomes of numbers that nobody knows. */
function compareRules({ old, now, say }: EnumPair): void {
  const [was, is] = [old.values[0], now.values[0]];
  if (was !== undefined && is !== undefined && was.number !== is.number) {
    const message = `the first value is ${is.name} = ${is.number} instead of ${was.name} = ${was.number}: fields that are not sent have it`;
    say({ id: 'enum-zero-value-changed', severity: 'breaking', compatibility: ['wire', 'json'], message }, was, is);
  }
  const json = changeOfJsonFormat('enum', old.features, now.features);
  if (json !== undefined) say(json, undefined, undefined);
  if (old.isClosed === now.isClosed) return;
  const message = now.isClosed
    ? 'the enum is closed now: numbers that it has not are kept out of fields, and refused in JSON'
    : 'the enum is open now: fields may have numbers that nobody knows';
  const compatibility = now.isClosed ? everywhere : (['source'] as const);
  say({ id: 'enum-type-changed', severity: 'breaking', compatibility, message }, undefined, undefined);
}
