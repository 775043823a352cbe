import { isUtf8 } from 'node:buffer';

/** What a `.proto` file is read from, token by token: the current one, and where the next begins. */
export interface Tokens {
  readonly source: string;
  /** Behind the current token. */
  at: number;
  kind: TokenKind;
  /** Of a string its value, else as written; '' at the end. */
  text: string;
  /** Of the current token, from 1. */
  line: number;
  /** Where `at` is. */
  lineAt: number;
}

export type TokenKind = 'word' | 'number' | 'string' | 'sign' | 'end';

/** A place where the text is no protobuf. Caught by `parseProto`, which tells what stands before it. */
export class Mistake extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The tokens of a text, the first of them current. A mark of byte order before them is passed over. */
export function tokensOf(source: string): Tokens {
  const at = source.startsWith('\ufeff') ? 1 : 0;
  const tokens: Tokens = { source, at, kind: 'end', text: '', line: 1, lineAt: 1 };
  advance(tokens);
  return tokens;
}

/** Makes the next token the current one. Each character is looked at once. */
export function advance(tokens: Tokens): void {
  skipBlanks(tokens);
  const { source, at: start } = tokens;
  tokens.line = tokens.lineAt;
  const code = source.charCodeAt(start);
  if (start >= source.length) take(tokens, 'end', start);
  else if (isWordStart(code)) take(tokens, 'word', wordEnd(source, start));
  else if (isDigit(code) || (code === dot && isDigit(source.charCodeAt(start + 1))))
    take(tokens, 'number', numberEnd(source, start));
  else if (code === doubleQuote || code === singleQuote) takeString(tokens, code);
  else if (code > 0x20 && code < 0x7f) take(tokens, 'sign', start + 1);
  else
    throw new Mistake(
      tokens.line,
      `${nameOf(source.codePointAt(start)!)} stands where nothing but protobuf may: take it out`,
    );
}

const newline = 0x0a;
const space = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const star = 0x2a;
const dot = 0x2e;
const slash = 0x2f;
const backslash = 0x5c;

function take(tokens: Tokens, kind: TokenKind, end: number): void {
  tokens.kind = kind;
  tokens.text = tokens.source.slice(tokens.at, end);
  tokens.at = end;
}

function nameOf(code: number): string {
  return code < 0x20 || code === 0x7f ? 'a control character' : JSON.stringify(String.fromCodePoint(code));
}

/** Blanks and comments. */
function skipBlanks(tokens: Tokens): void {
  const { source } = tokens;
  for (;;) {
    const code = source.charCodeAt(tokens.at);
    if (code === newline) {
      tokens.lineAt++;
      tokens.at++;
    } else if (code === space || (code >= 0x09 && code <= 0x0d)) tokens.at++;
    else if (code === slash && source.charCodeAt(tokens.at + 1) === slash) {
      const end = source.indexOf('\n', tokens.at);
      tokens.at = end < 0 ? source.length : end;
    } else if (code === slash && source.charCodeAt(tokens.at + 1) === star) skipComment(tokens);
    else return;
  }
}

function skipComment(tokens: Tokens): void {
  const end = tokens.source.indexOf('*/', tokens.at + 2);
  if (end < 0) throw new Mistake(tokens.lineAt, 'a comment begins here that nothing ends: end it with */');
  for (let at = tokens.at; at < end; at++) if (tokens.source.charCodeAt(at) === newline) tokens.lineAt++;
  tokens.at = end + 2;
}

export function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function wordEnd(source: string, start: number): number {
  let at = start + 1;
  while (isWordStart(source.charCodeAt(at)) || isDigit(source.charCodeAt(at))) at++;
  return at;
}

/** Letters that stand right behind digits are the number's, so that `0x1F`, `1e-9` and `10f` are one token, and `10to` is none. */
function numberEnd(source: string, start: number): number {
  const isHex = source.charCodeAt(start) === 0x30 && (source.charCodeAt(start + 1) | 0x20) === 0x78;
  let at = start + 1;
  for (;;) {
    const code = source.charCodeAt(at);
    const isExponent = (source.charCodeAt(at - 1) | 0x20) === 0x65 && !isHex;
    if (isWordStart(code) || isDigit(code) || code === dot) at++;
    else if (isExponent && (code === 0x2b || code === 0x2d) && isDigit(source.charCodeAt(at + 1))) at++;
    else return at;
  }
}

function takeString(tokens: Tokens, quote: number): void {
  const { source } = tokens;
  let at = tokens.at + 1;
  let isEscaped = false;
  for (; ; at++) {
    const code = source.charCodeAt(at);
    if (at >= source.length || code === newline)
      throw new Mistake(tokens.line, 'a string begins here that does not end on its line: end it with its quote');
    if (code === quote) break;
    if (code !== backslash) continue;
    isEscaped = true;
    at++;
    if (source.charCodeAt(at) === newline)
      throw new Mistake(tokens.line, 'a string goes over the end of its line: write it in parts, each with its quotes');
  }
  const written = source.slice(tokens.at + 1, at);
  tokens.kind = 'string';
  tokens.text = isEscaped ? unescaped(written) : written;
  tokens.at = at + 1;
}

const plainEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** What escapes of bytes make that is no UTF-8 stays one character for each byte. */
function unescaped(text: string): string {
  return text.replace(
    /((?:\\(?:[0-7]{1,3}|[xX][0-9a-fA-F]{1,2}))+)|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (_, bytes?: string, short?: string, long?: string, plain?: string) => {
      if (bytes !== undefined) return ofBytes(bytes);
      if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
      if (long !== undefined) return codePoint(Number.parseInt(long, 16));
      return plainEscapes[plain!] ?? plain!;
    },
  );
}

/** Of escapes of bytes, one behind the other. */
function ofBytes(escapes: string): string {
  const codes = escapes.split('\\').slice(1);
  const bytes = Buffer.from(
    codes.map(code => (/^[xX]/.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8))),
  );
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
