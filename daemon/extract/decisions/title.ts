import type { NumberStyle } from '../../model/decision.ts';

/** A title between people and Markdown, there and back: what is written here is read here as it was given. */

/** The text of a heading as people mean it, and the number that it begins with. */
export interface ReadTitle {
  readonly title: string;
  readonly number: { readonly digits: string; readonly style: NumberStyle } | undefined;
}

/** Of a heading's Markdown. One that is a number and nothing else is a title all the same. */
export function readTitle(markdown: string): ReadTitle {
  const number = numberIn(markdown);
  const rest = number === undefined ? markdown : markdown.slice(number.length);
  const title = plainInline(rest.trim() === '' ? markdown : rest).trim();
  return { title, number };
}

/** A title as Markdown that shows it literally, with its number before it where the style has one. */
export function writtenTitle(title: string, style: NumberStyle | undefined, digits: string): string {
  const literal = literalInline(title);
  const before = style === undefined ? '' : `${style.before}${digits.padStart(style.width, '0')}${style.after}`;
  const found = numberIn(`${before}${literal}`);
  const taken = (found?.length ?? 0) - before.length;
  return `${before}${taken > 0 ? untaken(literal, taken) : literal}`;
}

/** A title of which so much would be taken for a number, or for what stands behind one. */
function untaken(literal: string, taken: number): string {
  const mark = literal.slice(0, taken).search(/[.:)\]-]/);
  if (mark >= 0) return `${literal.slice(0, mark)}\\${literal.slice(mark)}`;
  return `&#${literal.codePointAt(0)};${literal.slice(String.fromCodePoint(literal.codePointAt(0)!).length)}`;
}

/** A title in one line: any run of blanks and line breaks is one blank. */
export function foldedTitle(title: string): string {
  return title.replace(/[\s\u0085]+/gu, ' ').trim();
}

/** `12. `, `ADR-012: `, `[ADR 12] `, `0012 - `: at the beginning, with what parts it from the words behind it. */
function numberIn(markdown: string) {
  const found =
    /^(\[?(?:adr|decision)[-_ #]{0,3})(\d{1,40})(\]?(?:[.:)]|[ \t]{1,3}[-–—:])?(?:[ \t]{1,8}|$))/i.exec(markdown) ??
    /^()(\d{1,40})((?:[.:)]|[ \t]{0,3}[-–—])[ \t]{1,8})/.exec(markdown);
  if (found === null) return undefined;
  const [whole, before, digits, after] = found as unknown as readonly [string, string, string, string];
  // `Decision 12 angry men took`: a word and a number make no id.
  if (/^decision/i.test(before) && !/[\].:)–—-]/.test(after)) return undefined;
  const style: NumberStyle = { before, width: digits.length, after: after.trim() === '' ? ' ' : after };
  return { length: whole.length, digits: withoutZeros(digits), style };
}

export function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Text in a line of Markdown so that each of its marks is shown and none counts. */
function literalInline(text: string): string {
  return text
    .replace(/[\\`*[\]<{]|&(?=#?\w{1,32};)|~(?=~)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/(?<=^|\s)#+$/, '\\$&');
}

/** Markdown in a line without its escapes and entities; what stands in code stays as it is. */
export function plainInline(markdown: string): string {
  if (!/[\\`&]/.test(markdown)) return markdown;
  let plain = '';
  for (let at = 0; at < markdown.length; ) {
    const rest = markdown.slice(at, at + longestEntity);
    const code = rest.startsWith('`') ? codeSpanAt(markdown, at) : 0;
    const entity = rest.startsWith('&') ? /^&(?:#(\d{1,7})|(amp|lt|gt|quot|nbsp));/.exec(rest) : null;
    if (code > 0) {
      plain += markdown.slice(at, at + code);
      at += code;
    } else if (/^\\[!-/:-@[-`{-~]/.test(rest)) {
      plain += markdown[at + 1];
      at += 2;
    } else if (entity !== null) {
      plain += entity[1] === undefined ? entities[entity[2]!]! : characterOf(Number(entity[1]));
      at += entity[0].length;
    } else {
      plain += markdown[at];
      at++;
    }
  }
  return plain;
}

const longestEntity = 12;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** How long the code is that begins there; a run of marks that no equal one closes is none, and only that run is text. */
function codeSpanAt(markdown: string, at: number): number {
  let end = at;
  while (markdown[end] === '`') end++;
  const length = end - at;
  for (let next = markdown.indexOf('`', end); next >= 0; ) {
    let past = next;
    while (markdown[past] === '`') past++;
    if (past - next === length) return past - at;
    next = markdown.indexOf('`', past);
  }
  return length;
}
