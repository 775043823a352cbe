import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Json, listOf } from './json-values.ts';
import { otlpLimits } from './limits.ts';
import { OtlpProblem, undecodable } from './problem.ts';

/** JSON of which the long lists are still as they were written. */
export interface ParsedJson {
  readonly value: unknown;
  /** What was parsed to it: where a list was, it names that. */
  readonly text: string;
  readonly lists: LongLists;
}

/** One element of a list, made when it is asked for. */
export interface Element {
  readonly value: unknown;
  /** As it is written; undefined of one that was parsed with all around it. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The value of JSON that somebody sent; undefined for no bytes. Lists of fields called `longList` are parsed by those who go
 * through them, element by element: all at once they take ten times the memory of their text. Throws OtlpProblem, before much
 * is made of what is too much.
 */
export function parseJson(bytes: Uint8Array, longList: string): ParsedJson {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spans = spansIn(buffer, longList);
  if (!isUtf8(buffer)) throw undecodable('It is not UTF-8');
  // Nobody can write what nobody can guess: a text that names a list stands where that was.
  const lists = new LongLists(buffer, spans, `${randomUUID()} `);
  const text = lists.around();
  return { value: text === '' ? undefined : parsed(text), text, lists };
}

/** Where a list is, without its brackets. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export class LongLists {
  readonly #buffer: Buffer;
  readonly #spans: readonly Span[];
  readonly #mark: string;
  readonly #unread: Set<number>;

  constructor(buffer: Buffer, spans: readonly Span[], mark: string) {
    this.#buffer = buffer;
    this.#spans = spans;
    this.#mark = mark;
    this.#unread = new Set(spans.keys());
  }

  /** The text without the lists; a byte order mark is none of it. */
  around(): string {
    const pieces: string[] = [];
    let at = this.#buffer.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0;
    for (const [number, { start, end }] of this.#spans.entries()) {
      pieces.push(this.#buffer.toString('utf8', at, start - 1), JSON.stringify(this.#mark + number));
      at = end + 1;
    }
    pieces.push(this.#buffer.toString('utf8', at));
    return pieces.join('');
  }

  /** Whether a field holds a list. */
  isList(value: unknown): boolean {
    return Array.isArray(value) || this.#numberOf(value) !== undefined;
  }

  /** The elements of a list. Throws OtlpProblem where a field holds none, and for an element that is not JSON. */
  *elementsOf(json: Json, field: string): Generator<Element> {
    const number = this.#numberOf(json[field]);
    if (number === undefined) {
      for (const value of listOf(json, field)) yield { value, bytes: undefined };
      return;
    }
    this.#unread.delete(number);
    for (const bytes of this.#written(this.#spans[number]!)) yield { value: parsed(bytes.toString('utf8')), bytes };
  }

  /** Looks whether all that nobody went through is JSON as well. */
  end(): void {
    for (const number of this.#unread) {
      for (const bytes of this.#written(this.#spans[number]!)) parsed(bytes.toString('utf8'));
    }
  }

  #numberOf(value: unknown): number | undefined {
    return typeof value === 'string' && value.startsWith(this.#mark)
      ? Number(value.slice(this.#mark.length))
      : undefined;
  }

  *#written({ start, end }: Span): Generator<Buffer> {
    let from = start;
    let depth = 0;
    for (let at = start; at < end; at++) {
      const byte = this.#buffer[at]!;
      if (byte === quote) at = endOfString(this.#buffer, at);
      else if (byte === openList || byte === openObject) depth++;
      else if (byte === closeList || byte === closeObject) depth--;
      else if (byte === comma && depth === 0) {
        yield this.#buffer.subarray(from, at);
        from = at + 1;
      }
    }
    if (from > start || firstSign(this.#buffer, start) < end) yield this.#buffer.subarray(from, end);
  }
}

const byteOrderMark = Buffer.from('\ufeff');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw undecodable('It is not JSON');
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Where the lists are whose field is written as `name`, those in others left out. Looks at brackets, commas and colons alone,
 * as if all of it were JSON: what is none parsing tells.
 */
function spansIn(bytes: Buffer, field: string): readonly Span[] {
  const { jsonDepth, jsonMembers } = otlpLimits;
  const name = Buffer.from(`"${field}"`);
  const spans: Span[] = [];
  const counted = new Counted(field);
  /** Of each bracket that is open. */
  const members = new Uint32Array(jsonDepth + 1);
  let depth = 0;
  /** The text before, with its quotes. */
  const text = { start: 0, end: 0 };
  /** The list that follows is one. */
  let isNamed = false;
  /** Where the list begins that we are in, and how deep it lies. */
  let start: number | undefined;
  let outside = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      text.start = at;
      at = endOfString(bytes, at);
      text.end = at + 1;
    } else if (byte === comma) counted.value(start !== undefined && depth === outside + 1);
    else if (byte === colon) {
      if (++members[depth]! > jsonMembers) throw undecodable(`An object has more than ${jsonMembers} fields`);
      isNamed =
        start === undefined &&
        name.equals(bytes.subarray(text.start, text.end)) &&
        bytes[firstSign(bytes, at + 1)] === openList;
    } else if (byte === openList || byte === openObject) {
      if (isNamed) [start, outside, isNamed] = [at + 1, depth, false];
      counted.value(start === at + 1);
      if (++depth > jsonDepth) throw undecodable(`It is nested deeper than ${jsonDepth} levels`);
      members[depth] = 0;
    } else if (byte === closeList || byte === closeObject) {
      depth = Math.max(0, depth - 1);
      if (start === undefined || depth !== outside) continue;
      if (byte !== closeList) throw undecodable('It is not JSON');
      spans.push({ start, end: at });
      start = undefined;
      counted.endOfList();
    }
  }
  return spans;
}

/** Counts values, and refuses too many of them: in all, around the lists, and in one of their elements. */
class Counted {
  readonly #field: string;
  #all = 1;
  #around = 1;
  #inElement: number | undefined;

  constructor(field: string) {
    this.#field = field;
  }

  value(beginsElement: boolean): void {
    const { jsonValues, jsonValuesAtOnce } = otlpLimits;
    if (++this.#all > jsonValues) throw tooMany(jsonValues, 'It holds');
    if (beginsElement) this.#inElement = 0;
    if (this.#inElement === undefined) this.#around++;
    else this.#inElement++;
    if (this.#around > jsonValuesAtOnce) throw tooMany(jsonValuesAtOnce, `Outside of ${this.#field} it holds`);
    if ((this.#inElement ?? 0) > jsonValuesAtOnce) throw tooMany(jsonValuesAtOnce, `One of its ${this.#field} holds`);
  }

  endOfList(): void {
    this.#inElement = undefined;
  }
}

function tooMany(limit: number, what: string): OtlpProblem {
  return new OtlpProblem('too large', `${what} more than ${limit} values: send it in parts`);
}

/** Where what follows begins. */
function firstSign(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
  return at;
}
