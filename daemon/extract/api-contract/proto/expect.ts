import { advance, isWordStart, Mistake, type Tokens } from './tokens.ts';

/** Whether the current token is this word or sign. */
export function sees(tokens: Tokens, text: string): boolean {
  return tokens.text === text && (tokens.kind === 'word' || tokens.kind === 'sign');
}

/** Passes over this word or sign where it stands here. */
export function passes(tokens: Tokens, text: string): boolean {
  if (!sees(tokens, text)) return false;
  advance(tokens);
  return true;
}

export function expect(tokens: Tokens, text: string, where: string): void {
  if (!passes(tokens, text)) throw unexpected(tokens, `"${text}"`, where);
}

/** A name without dots. */
export function expectName(tokens: Tokens, where: string): string {
  if (tokens.kind !== 'word') throw unexpected(tokens, 'a name', where);
  const name = tokens.text;
  if (name.length > longestName)
    throw new Mistake(tokens.line, `${where} has a name of ${name.length} characters: ${longestName} are the most`);
  advance(tokens);
  return name;
}

/** Far more than anything real: names of what lies within are made of those around it. */
const longestName = 255;
const longestPath = 1_000;

/** A name with dots: `shop.v1.Cart`, `.shop.v1.Cart`. */
export function expectPath(tokens: Tokens, where: string): string {
  const { line } = tokens;
  let path = passes(tokens, '.') ? '.' : '';
  path += expectName(tokens, where);
  while (passes(tokens, '.')) {
    path += `.${expectName(tokens, where)}`;
    if (path.length > longestPath)
      throw new Mistake(line, `${where} has a name of more than ${longestPath} characters`);
  }
  return path;
}

/** One string, of parts that stand one behind the other. */
export function expectString(tokens: Tokens, where: string): string {
  if (tokens.kind !== 'string') throw unexpected(tokens, 'a string', where);
  const parts: string[] = [];
  while (tokens.kind === 'string') {
    parts.push(tokens.text);
    advance(tokens);
  }
  return parts.join('');
}

/** A whole number, decimal, octal or hexadecimal, with its sign. */
export function expectNumber(tokens: Tokens, where: string): number {
  const sign = passes(tokens, '-') ? -1 : 1;
  const number = tokens.kind === 'number' ? wholeNumber(tokens.text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw unexpected(tokens, 'a whole number', where);
  advance(tokens);
  return number === 0 ? 0 : sign * number;
}

function wholeNumber(text: string): number {
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^(?:0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : Number.NaN;
}

export function unexpected(tokens: Tokens, wanted: string, where: string): Mistake {
  const { kind, text, line } = tokens;
  const found = kind === 'end' ? 'the file ends' : `${kind === 'string' ? 'a string' : `"${cut(text)}"`} stands`;
  return new Mistake(line, `${found} where ${where} has ${wanted}`);
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The word or sign behind the current token, which stays; '' where there is neither. */
export function following(tokens: Tokens): string {
  const ahead = { ...tokens };
  try {
    advance(ahead);
  } catch {
    return '';
  }
  return ahead.kind === 'word' || ahead.kind === 'sign' ? ahead.text : '';
}

/** Whether a text begins as names do. */
export function isName(text: string): boolean {
  return isWordStart(text.charCodeAt(0));
}
