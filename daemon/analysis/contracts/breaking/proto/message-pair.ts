import type { SchemaField, SchemaMessage } from '../../../../model/proto-schema.ts';
import { type Comparison, type Told, tell } from './comparison.ts';
import { placeAt } from './place-at.ts';
import { type Kept, keptBy } from './reserved.ts';
import type { KnownType } from './types.ts';

/** Two revisions of a message. */
export interface MessagePair {
  readonly comparison: Comparison;
  readonly oldType: KnownType;
  readonly nowType: KnownType;
  readonly old: SchemaMessage;
  readonly now: SchemaMessage;
  /** The earlier full name. */
  readonly name: string;
  readonly oldKept: Kept;
  readonly nowKept: Kept;
  readonly oldOneofs: OneofNumbers;
  readonly nowOneofs: OneofNumbers;
}

/** The numbers of the fields in each oneof, in order. */
export type OneofNumbers = ReadonlyMap<string, readonly number[]>;

export function messagePair(comparison: Comparison, oldType: KnownType, nowType: KnownType): MessagePair {
  const [old, now] = [oldType.message!, nowType.message!];
  return {
    comparison,
    oldType,
    nowType,
    old,
    now,
    name: oldType.fullName,
    oldKept: keptBy(old.reserved),
    nowKept: keptBy(now.reserved),
    oldOneofs: oneofNumbers(old),
    nowOneofs: oneofNumbers(now),
  };
}

function oneofNumbers({ fields }: SchemaMessage): OneofNumbers {
  const numbers = new Map<string, number[]>();
  for (const { oneof, number } of fields) {
    if (oneof === undefined) continue;
    const known = numbers.get(oneof);
    if (known === undefined) numbers.set(oneof, [number]);
    else known.push(number);
  }
  for (const list of numbers.values()) list.sort((a, b) => a - b);
  return numbers;
}

export type SayField = (id: string, told: Pick<Told, 'severity' | 'compatibility' | 'message'>) => void;

/** Tells of a field under its earlier name. */
export function sayer(
  { comparison, oldType, nowType, name }: MessagePair,
  old: SchemaField | undefined,
  now: SchemaField | undefined,
): SayField {
  return (id, told) =>
    tell(
      comparison,
      { type: oldType.fullName },
      {
        id,
        subject: `${name}.${(old ?? now)!.name}`,
        ...told,
        before: old === undefined ? undefined : placeAt(oldType, old.line),
        after: now === undefined ? undefined : placeAt(nowType, now.line),
      },
    );
}
