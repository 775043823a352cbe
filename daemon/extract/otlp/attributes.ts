import { hash } from 'node:crypto';
import { otlpLimits } from './limits.ts';

/** OTLP tells whole numbers (`bigint`) from others. Undefined: a value of no kind, or of one that came later than this. */
export type AttributeValue =
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | readonly AttributeValue[]
  | AttributeMap
  | undefined;

export interface AttributeMap {
  readonly entries: readonly Attribute[];
}

export interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}

/** The attributes of a point, a scope or a resource, in the order in which they came. */
export interface Attributes {
  readonly list: readonly Attribute[];
  /** Why they can't be read as a whole: nothing counts that they belong to. */
  readonly problem: string | undefined;
}

export const noAttributes: Attributes = { list: [], problem: undefined };
export const tooManyBytes: Attributes = {
  list: [],
  problem: `has attributes of more than ${otlpLimits.attributeBytes} bytes`,
};
export const tooManyAttributes = `has more than ${otlpLimits.attributes} attributes, values in lists and maps counted`;
export const tooDeepAttributes = `has attributes that lie more than ${otlpLimits.attributeDepth} levels deep in others`;

/** The same for the same attributes, whatever their order and however they were written: 20 characters, 120 bits. */
export function attributesDigest({ list }: Attributes): string {
  let text = '';
  for (const { key, value } of list.length < 2 ? list : [...list].sort(byKey)) {
    text += `${key.length}:${key}`;
    text += typeof value === 'string' ? `${value.length}:${value}` : JSON.stringify(canonicalValue(value));
  }
  return shortDigest(text, 20);
}

/** So many characters of 6 bits each. */
export function shortDigest(text: string, characters: number): string {
  return hash('sha256', text, 'base64url').slice(0, characters);
}

function canonicalEntries(list: readonly Attribute[]): readonly unknown[] {
  return [...list].sort(byKey).map(({ key, value }) => [key, canonicalValue(value)]);
}

/** Texts and booleans as they are, all others with what they are. */
function canonicalValue(value: AttributeValue): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === undefined) return null;
  if (typeof value === 'bigint') return ['int', String(value)];
  if (typeof value === 'number') return ['double', String(value)];
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')];
  return isList(value) ? ['list', value.map(canonicalValue)] : ['map', canonicalEntries(value.entries)];
}

function isList(value: readonly AttributeValue[] | AttributeMap): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

function byKey(a: Attribute, b: Attribute): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
