import { isDocumentation } from './documentation.ts';
import { type Heredoc, type HeredocEnds, heredocAt, heredocEnds } from './heredocs.ts';
import { type Conditions, isFirstOfLine, leftOut } from './left-out.ts';
import type { Lexis, StringForm } from './lexis.ts';

/** A text as long as the one that was read, with line ends where they were, and spaces for what was left out. */
export interface Blanked {
  /** Without comments, what a preprocessor leaves out, and what strings hold. */
  readonly code: string;
  /** Without comments and what a preprocessor leaves out. */
  readonly readable: string;
}

/** Tells comments, strings and code apart, in one pass: what isn't closed ends with its line, or with the text. */
export function blanked(text: string, lexis: Lexis): Blanked {
  const marks = marksOf(lexis);
  const code: string[] = [];
  const readable: string[] = [];
  let codeFrom = 0;
  let readableFrom = 0;
  const blankCode = (from: number, to: number): void => {
    code.push(text.slice(codeFrom, from), spaces(text, from, to));
    codeFrom = to;
  };
  const blankBoth = (from: number, to: number): void => {
    blankCode(from, to);
    readable.push(text.slice(readableFrom, from), spaces(text, from, to));
    readableFrom = to;
  };
  const last = dataFrom(text, lexis);
  const awaited: Heredoc[] = [];
  let ends: HeredocEnds | undefined;
  const conditions: Conditions = { taken: [] };
  for (let at = 0; at < last; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || marks[unit] === 0) continue;
    if (unit === newline && awaited.length > 0) {
      ends ??= heredocEnds(text, lexis.heredocs!);
      let from = at + 1;
      for (const heredoc of awaited.splice(0)) {
        const found = ends(heredoc, from);
        if (found === undefined) continue;
        blankCode(from, found.to);
        from = found.to;
      }
      // The line end before what follows may begin a comment.
      if (from > at + 1) {
        at = from - 1;
        continue;
      }
    }
    const comment = commentEnd(text, at, lexis);
    if (comment >= 0) {
      blankBoth(at, comment);
      at = comment - 1;
      continue;
    }
    if (unit === hash && lexis.preprocessor === true && isFirstOfLine(text, at)) {
      const lines = leftOut(text, at, conditions);
      if (lines === undefined) continue;
      blankBoth(lines.from, lines.to);
      at = lines.to - 1;
      continue;
    }
    const form = formAt(text, at, lexis);
    if (form === undefined) {
      if (lexis.expressions === true && unit === slash && isOperandDue(text, at)) at = expressionEnd(text, at);
      const heredoc = unit === less && lexis.heredocs !== undefined ? heredocAt(text, at, lexis.heredocs) : undefined;
      if (heredoc === undefined) continue;
      awaited.push(heredoc);
      at = heredoc.end - 1;
      continue;
    }
    const end = stringEnd(text, at, form, lexis, 0);
    if (lexis.documentation !== undefined && isDocumentation(text, at, lexis.documentation)) blankBoth(at, end);
    else {
      const inside = Math.min(at + form.open.length, end);
      const isClosed = text.startsWith(form.close, end - form.close.length);
      const close = Math.max(inside, isClosed ? end - form.close.length : end);
      if (close > inside) blankCode(inside, close);
    }
    at = end - 1;
  }
  if (last < text.length) blankBoth(Math.max(last, codeFrom), text.length);
  code.push(text.slice(codeFrom));
  readable.push(text.slice(readableFrom));
  return { code: code.join(''), readable: readable.join('') };
}

/** Where what is no code any more begins; the end of a text that has no such line. */
function dataFrom(text: string, { dataBelow }: Lexis): number {
  if (dataBelow === undefined) return text.length;
  for (let at = text.indexOf(dataBelow); at >= 0; at = text.indexOf(dataBelow, at + 1)) {
    const isLine =
      (at === 0 || text.charCodeAt(at - 1) === newline) &&
      /^\r?(?:\n|$)/.test(text.slice(at + dataBelow.length, at + dataBelow.length + 2));
    if (isLine) return at;
  }
  return text.length;
}

/** The string that begins at `at`: what it holds, and where it ends; undefined where none begins. */
export function stringAt(
  text: string,
  at: number,
  lexis: Lexis,
): { readonly from: number; readonly to: number; readonly end: number } | undefined {
  const unit = text.charCodeAt(at);
  const form = unit < 128 && marksOf(lexis)[unit] === 1 ? formAt(text, at, lexis) : undefined;
  if (form === undefined) return undefined;
  const from = at + form.open.length;
  const end = stringEnd(text, at, form, lexis, 0);
  const isClosed = end - form.close.length >= from && text.startsWith(form.close, end - form.close.length);
  return { from, to: isClosed ? end - form.close.length : end, end };
}

/** Where the string that begins at `at` ends, its mark included. */
export function stringEnd(text: string, at: number, form: StringForm, lexis: Lexis, depth: number): number {
  for (let i = at + form.open.length; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === newline && form.long !== true) return i;
    if (form.hole !== undefined && depth < deepest && text.startsWith(form.hole, i)) {
      i = holeEnd(text, i + form.hole.length, form, lexis, depth) - 1;
    } else if (unit === backslash && form.escapes === true)
      i += text.charCodeAt(i + 1) === newline && form.long !== true ? 0 : 1;
    else if (text.startsWith(form.close, i)) {
      let end = i + form.close.length;
      if (form.doubled === true && text.startsWith(form.close, end)) {
        i = end;
        continue;
      }
      while (form.greedy === true && text.startsWith(form.close[0]!, end)) end++;
      return end;
    }
  }
  return text.length;
}

/** Strings in expressions in strings: deeper ones are read as plain text. */
const deepest = 6;

function holeEnd(text: string, from: number, form: StringForm, lexis: Lexis, depth: number): number {
  const [opening, closing] = form.hole === '\\(' ? [0x28, 0x29] : [0x7b, 0x7d];
  let open = 1;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === newline && form.long !== true) return i;
    if (unit === opening) open++;
    else if (unit === closing && --open === 0) return i + 1;
    else if (unit === 0x22 || unit === 0x27 || unit === 0x60) {
      const inner = formAt(text, i, lexis);
      if (inner !== undefined) i = Math.max(i, stringEnd(text, i, inner, lexis, depth + 1) - 1);
    }
  }
  return text.length;
}

const newline = 10;
const backslash = 0x5c;
const slash = 0x2f;
const less = 0x3c;
const hash = 0x23;

/** Per character of ASCII: whether a comment, a string or a directive may begin with it. */
function marksOf(lexis: Lexis): Uint8Array {
  const known = marksKnown.get(lexis);
  if (known !== undefined) return known;
  const marks = new Uint8Array(128);
  for (const open of lexis.lineComments) marks[open.charCodeAt(0)] = 1;
  for (const [open] of lexis.blockComments) {
    marks[open.charCodeAt(0)] = 1;
    if (open.startsWith('\n')) marks[open.charCodeAt(1)] = 1;
  }
  for (const { open } of lexis.strings) marks[open.charCodeAt(0)] = 1;
  if (lexis.preprocessor === true) marks[hash] = 1;
  if (lexis.heredocs !== undefined) {
    marks[less] = 1;
    marks[newline] = 1;
  }
  marksKnown.set(lexis, marks);
  return marks;
}

const marksKnown = new WeakMap<Lexis, Uint8Array>();

/** -1 where none begins. */
function commentEnd(text: string, at: number, lexis: Lexis): number {
  for (const [open, close] of lexis.blockComments) {
    // What has to begin a line may begin the text as well.
    if (at === 0 && open.startsWith('\n') && text.startsWith(open.slice(1)))
      return blockEnd(text, -1, open, close, false);
    if (text.startsWith(open, at)) return blockEnd(text, at, open, close, lexis.nests === true);
  }
  for (const open of lexis.lineComments) {
    if (!text.startsWith(open, at) || (lexis.attributes !== undefined && text.startsWith(lexis.attributes, at)))
      continue;
    const end = text.indexOf('\n', at + open.length);
    return end < 0 ? text.length : end;
  }
  return -1;
}

function blockEnd(text: string, at: number, open: string, close: string, nests: boolean): number {
  let depth = 1;
  let end = at + open.length;
  let nextOpen = nests ? text.indexOf(open, end) : -1;
  for (;;) {
    const closed = text.indexOf(close, end);
    if (closed < 0) return text.length;
    if (nextOpen >= 0 && nextOpen < closed) {
      depth++;
      end = nextOpen + open.length;
      nextOpen = text.indexOf(open, end);
      continue;
    }
    end = closed + close.length;
    if (--depth === 0) return end;
    if (nextOpen >= 0 && nextOpen < end) nextOpen = text.indexOf(open, end);
  }
}

function formAt(text: string, at: number, lexis: Lexis): StringForm | undefined {
  for (const form of lexis.strings) {
    if (!text.startsWith(form.open, at)) continue;
    if (form.before !== undefined && !text.endsWith(form.before, at)) continue;
    if (form.tagged === true) return taggedForm(text, at, form);
    if (form.single !== true || isCharacter(text, at)) return form;
  }
  return undefined;
}

function taggedForm(text: string, at: number, form: StringForm): StringForm {
  const [, tag = ''] = /^"([^\s()\\"]{1,16})\(/.exec(text.slice(at, at + 20)) ?? [];
  return tag === '' ? form : { ...form, open: `"${tag}(`, close: `)${tag}"` };
}

function isCharacter(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) !== backslash)
    return text.charCodeAt(at + 2) === 0x27 && text.charCodeAt(at + 1) !== newline;
  return text.slice(at + 3, at + 12).includes("'");
}

/** Whether what stands before a slash leaves room for an operand, so that it divides nothing. */
function isOperandDue(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && at - i < 100 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i--;
  if (i < 0) return true;
  return (
    '\n(,=:[!&|?{};~+'.includes(text[i]!) ||
    /\b(?:return|typeof|case|of|in)$/.test(text.slice(Math.max(0, i - 8), i + 1))
  );
}

/** The last character of an expression, or `at` where the line ends before. */
function expressionEnd(text: string, at: number): number {
  let isInClass = false;
  for (let i = at + 1; i < text.length && i - at < longestExpression; i++) {
    const unit = text.charCodeAt(i);
    if (unit === newline) return at;
    if (unit === backslash) i++;
    else if (unit === 0x5b) isInClass = true;
    else if (unit === 0x5d) isInClass = false;
    else if (unit === slash && !isInClass) return i;
  }
  return at;
}

const longestExpression = 2_000;

/** Spaces for a piece of text, with its line ends. */
function spaces(text: string, from: number, to: number): string {
  const first = text.indexOf('\n', from);
  if (first < 0 || first >= to) return ' '.repeat(to - from);
  return text
    .slice(from, to)
    .split('\n')
    .map(line => ' '.repeat(line.length))
    .join('\n');
}
