import { hash } from 'node:crypto';
import { textNumber, textNumbers } from '../../model/text-number.ts';
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

export class Attribute {
  readonly key: string;
  readonly value: AttributeValue;
  #text: string | undefined;
  #number: number | undefined;

  constructor(key: string, value: AttributeValue) {
    this.key = key;
    this.value = value;
  }

  /** The same for what says the same. */
  get text(): string {
    const { key, value } = this;
    this.#text ??=
      typeof value === 'string'
        ? `${key.length}:${key}${value.length}:${value}`
        : `${key.length}:${key}${JSON.stringify(canonicalValue(value))}`;
    return this.#text;
  }

  get number(): number {
    this.#number ??= textNumber(this.text);
    return this.#number;
  }
}

/** The attributes of a point, a scope or a resource, in the order in which they came. */
export interface Attributes {
  readonly list: readonly Attribute[];
  /** Why they can't be read as a whole: nothing counts that they belong to. */
  readonly problem: string | undefined;
}

/** One of them by itself, which stands for all that are written the same. */
export interface ReadAttribute {
  readonly attribute: Attribute;
  /** How much there is of it, by what `AttributeList` counts. */
  readonly size: number;
  readonly problem: string | undefined;
}

/** Attributes as they are read, until there are too many of them. */
export class AttributeList {
  readonly #most: number;
  readonly #list: Attribute[] = [];
  #size = 0;
  #problem: string | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get hasRoom(): boolean {
    return this.#problem === undefined;
  }

  add({ attribute, size, problem }: ReadAttribute): void {
    this.#size += size;
    this.#problem = problem ?? (this.#size > this.#most ? tooManyAttributes : undefined);
    this.#list.push(attribute);
  }

  end(): Attributes {
    return { list: this.#problem === undefined ? this.#list : [], problem: this.#problem };
  }
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
  const sorted = [...list].sort(byKey);
  return digestOf(sorted.map(({ text }) => text).join(''));
}

/** The same as a number, which is quickly made of attributes that have come before. */
export function attributesNumber({ list }: Attributes): number {
  let sum = 0;
  for (const { number } of list) sum = (sum + number) % textNumbers;
  return sum;
}

/** 20 characters of 6 bits each that stand for a text. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 20);
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
