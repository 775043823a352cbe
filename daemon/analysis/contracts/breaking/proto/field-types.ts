import type { SchemaField } from '../../../../model/proto-schema.ts';
import type { Compatibility } from '../change.ts';
import { type Comparison, isSameType, type Likeness } from './comparison.ts';
import { likenessOfEnums } from './like-enums.ts';
import { likenessOfMessages } from './like-messages.ts';
import type { MeantType } from './types.ts';

export interface TypedField {
  readonly field: SchemaField;
  readonly meant: MeantType;
}

export interface TypeChange {
  readonly from: string;
  readonly to: string;
  readonly broken: readonly Compatibility[];
  /** '' or what follows, behind a colon. */
  readonly consequence: string;
}

/** What another type breaks, as protobuf's rules for updating a message have it; undefined where the type is the same. */
export function changeOfType(comparison: Comparison, old: TypedField, now: TypedField): TypeChange | undefined {
  const isSameKey = old.field.mapKey === now.field.mapKey || old.field.cardinality !== now.field.cardinality;
  const isMessage = old.meant.kind === 'message' || old.meant.kind === 'unknown';
  const isDelimitedOtherwise = isMessage && old.field.isDelimited !== now.field.isDelimited;
  const isSame = isSameType(comparison, old.meant, now.meant);
  if (isSame && isSameKey && !isDelimitedOtherwise) return undefined;
  const keyWire = isSameKey || wireOf(old.field.mapKey!) === wireOf(now.field.mapKey!);
  const keyJson = isSameKey || keyOf(old.field.mapKey!) === keyOf(now.field.mapKey!);
  const like = isSame ? { inBytes: true, inJson: true } : likenessOf(comparison, old.meant, now.meant);
  const isReadable = !isDelimitedOtherwise && keyWire && like.inBytes;
  const isSameJson = keyJson && like.inJson;
  return {
    from: shown(old),
    to: shown(now),
    broken: [...(isReadable ? [] : (['wire'] as const)), ...(isSameJson ? [] : (['json'] as const)), 'source'],
    consequence: consequenceOf(old.meant, now.meant, {
      isSame,
      isReadable,
      isSameJson: like.inJson,
      isDelimitedOtherwise,
    }),
  };
}

/** Whether bytes and JSON that are written as the one are read as the other. */
function likenessOf(comparison: Comparison, old: MeantType, now: MeantType): Likeness {
  const [was, is] = [comparison.before.types.get(old.name), comparison.after.types.get(now.name)];
  if (was?.enum !== undefined && is?.enum !== undefined) return likenessOfEnums(was.enum, is.enum);
  if (was?.message !== undefined && is?.message !== undefined) return likenessOfMessages(comparison, was, is);
  const form = jsonForm(old);
  return { inBytes: goesThrough(old, now), inJson: form !== '' && form === jsonForm(now) };
}

function shown({ field, meant }: TypedField): string {
  if (field.mapKey !== undefined) return `map<${field.mapKey}, ${meant.name}>`;
  return field.isDelimited ? `group ${meant.name}` : meant.name;
}

/** Types of one group are written alike. */
const wireGroups: readonly (readonly string[])[] = [
  ['int32', 'uint32', 'int64', 'uint64', 'bool', 'enum'],
  ['sint32', 'sint64'],
  ['fixed32', 'sfixed32'],
  ['fixed64', 'sfixed64'],
];

/** Types of one group are alike in JSON, numbers of other ranges aside. */
const jsonGroups: readonly (readonly string[])[] = [
  ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'],
  ['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'],
  ['float', 'double'],
];

function wireOf(type: string): string {
  return wireGroups.find(group => group.includes(type))?.[0] ?? type;
}

function jsonOf(type: string): string {
  return jsonGroups.find(group => group.includes(type))?.[0] ?? type;
}

/** In JSON keys are strings, whatever they are: numbers are alike, ranges aside. */
function keyOf(type: string): string {
  return /32$|64$/.test(type) ? 'number' : type;
}

/** What is written as the one can be read as the other. Bytes need not be the UTF-8 that strings are. */
function goesThrough(old: MeantType, now: MeantType): boolean {
  const [was, is] = [basic(old), basic(now)];
  if (was === '' || is === '') return false;
  return wireOf(was) === wireOf(is) || (was === 'string' && is === 'bytes');
}

/** The scalar, or `enum`; '' for messages and what is not known. */
function basic({ kind, name }: MeantType): string {
  return kind === 'scalar' ? name : kind === 'enum' ? 'enum' : '';
}

function jsonForm(type: MeantType): string {
  return type.kind === 'scalar' ? jsonOf(type.name) : type.kind === 'enum' ? 'enum' : '';
}

const narrow = new Set(['int32', 'uint32', 'bool', 'enum', 'sint32']);
const wide = new Set(['int64', 'uint64', 'sint64']);

interface Kept {
  readonly isSame: boolean;
  readonly isReadable: boolean;
  readonly isSameJson: boolean;
  readonly isDelimitedOtherwise: boolean;
}

function consequenceOf(old: MeantType, now: MeantType, kept: Kept): string {
  const { isSame, isReadable, isSameJson, isDelimitedOtherwise } = kept;
  if (isDelimitedOtherwise) return ': it is written between tags on one side, behind its length on the other';
  const [was, is] = [basic(old), basic(now)];
  if (!isReadable && was === 'enum' && is === 'enum') return ': numbers that are not in it are kept out of the field';
  if (!isReadable) return ': what was written before can’t be read';
  if (isSame) return '';
  if (was === is) return isSameJson ? ': both are read alike' : ': the bytes can still be read, names in JSON differ';
  return narrow.has(is) && (wide.has(was) || is === 'bool')
    ? ': larger numbers are cut off'
    : ': the bytes can still be read';
}
