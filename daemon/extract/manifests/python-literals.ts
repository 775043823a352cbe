import type { Content } from './values.ts';

/**
 * The keyword arguments of a call in Python that are literals: texts, and lists, tuples and dictionaries of them, nested
 * no deeper than `maxDepth`. What has to be computed is left out. `call` matches up to its parenthesis.
 */
export function literalsOf(source: string, call: RegExp): Content {
  const start = call.exec(source);
  if (start === null) return {};
  const reader = { tokens: tokensFrom(source, start.index + start[0].length), at: 0 };
  const found: [string, unknown][] = [];
  while (reader.at < reader.tokens.length) {
    const name = reader.tokens[reader.at]!;
    const value = reader.tokens[reader.at + 1]?.sign === '=' ? readValue(moved(reader, 2), 0) : unknown;
    if (value !== unknown && name.sign === 'name' && isEnd(reader)) found.push([name.text, value]);
    skipArgument(reader);
  }
  return Object.fromEntries(found);
}

const maxDepth = 8;
const maxTokens = 20_000;

interface Token {
  readonly sign: 'name' | 'text' | ',' | ':' | '=' | '(' | ')' | '[' | ']' | '{' | '}' | 'other';
  readonly text: string;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

/** No value of Python: something is computed. */
const unknown = Symbol('unknown');

/** The tokens up to the parenthesis that closes the call. */
function tokensFrom(source: string, start: number): readonly Token[] {
  const token =
    /#[^\n]*|[rbuRBU]{0,2}(?:"""([\s\S]*?)"""|'''([\s\S]*?)'''|"([^"\\\n]*(?:\\.[^"\\\n]*)*)(?:"|\\?$)|'([^'\\\n]*(?:\\.[^'\\\n]*)*)(?:'|\\?$))|([A-Za-z_]\w*)|([,:=()[\]{}])|[^\s#]/gm;
  token.lastIndex = start;
  const tokens: Token[] = [];
  let depth = 0;
  for (let found = token.exec(source); found !== null && tokens.length < maxTokens; found = token.exec(source)) {
    const [whole, triple, tripleSingle, double, single, name, sign] = found;
    if (whole.startsWith('#')) continue;
    const written = triple ?? tripleSingle ?? double ?? single;
    if (written !== undefined) tokens.push({ sign: 'text', text: written });
    else if (name !== undefined) tokens.push({ sign: 'name', text: name });
    else tokens.push({ sign: (sign ?? 'other') as Token['sign'], text: whole });
    if (/^[([{]$/.test(whole)) depth++;
    if (/^[)\]}]$/.test(whole) && depth-- === 0) break;
  }
  return tokens;
}

function moved(reader: Reader, by: number): Reader {
  reader.at += by;
  return reader;
}

function signAt(reader: Reader): Token['sign'] | undefined {
  return reader.tokens[reader.at]?.sign;
}

function isEnd(reader: Reader): boolean {
  return signAt(reader) === ',' || signAt(reader) === ')';
}

/** Goes behind the comma that ends the argument. */
function skipArgument(reader: Reader): void {
  let depth = 0;
  for (; reader.at < reader.tokens.length; reader.at++) {
    const sign = signAt(reader)!;
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (sign === ',' && depth <= 0) {
      reader.at++;
      return;
    }
  }
}

function readValue(reader: Reader, depth: number): unknown {
  const sign = signAt(reader);
  if (sign === 'text') return readText(reader);
  if (depth >= maxDepth) return unknown;
  if (sign === '[') return readList(reader, ']', depth);
  if (sign === '(') return readList(reader, ')', depth);
  return sign === '{' ? readDictionary(reader, depth) : unknown;
}

/** Texts beside each other are one. */
function readText(reader: Reader): string {
  let text = '';
  for (; signAt(reader) === 'text'; reader.at++) text += reader.tokens[reader.at]!.text;
  return text;
}

function readList(reader: Reader, end: ']' | ')', depth: number): unknown {
  const items: unknown[] = [];
  reader.at++;
  while (signAt(reader) !== end) {
    const item = readValue(reader, depth + 1);
    if (item === unknown) return unknown;
    items.push(item);
    if (signAt(reader) === ',') reader.at++;
    else if (signAt(reader) !== end) return unknown;
  }
  reader.at++;
  return items;
}

function readDictionary(reader: Reader, depth: number): unknown {
  const entries: [string, unknown][] = [];
  reader.at++;
  while (signAt(reader) !== '}') {
    if (signAt(reader) !== 'text') return unknown;
    const key = readText(reader);
    if (signAt(reader) !== ':') return unknown;
    const value = readValue(moved(reader, 1), depth + 1);
    if (value === unknown) return unknown;
    entries.push([key, value]);
    if (signAt(reader) === ',') reader.at++;
    else if (signAt(reader) !== '}') return unknown;
  }
  reader.at++;
  return Object.fromEntries(entries);
}
