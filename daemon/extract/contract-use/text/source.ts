import type { ContractUse } from '../../../model/contract.ts';
import { type Blanked, blanked } from './blanked.ts';
import type { Lexis } from './lexis.ts';
import { perSource } from './per-source.ts';

/** A file that is looked through. Offsets are the same in all its texts. */
export interface Source extends Blanked {
  readonly path: string;
  readonly text: string;
  readonly lexis: Lexis;
}

/** A use, and the offset of what shows it. */
export type Found = Omit<ContractUse, 'language' | 'line' | 'seen'> & { readonly at: number };

export function sourceOf(path: string, text: string, lexis: Lexis): Source {
  return { path, text, lexis, ...blanked(text, lexis) };
}

/**
 * What a pattern finds that begins in code, with its first character that is no space. The pattern may go on into strings;
 * comments are spaces to it.
 */
export function* inCode(source: Source, pattern: RegExp): Iterable<RegExpExecArray & { readonly index: number }> {
  let count = 0;
  for (const match of source.readable.matchAll(pattern)) {
    const at = match.index + Math.max(0, match[0].search(/\S/));
    if (source.code.charCodeAt(at) !== source.readable.charCodeAt(at)) continue;
    if (++count > mostMatches) return;
    yield match;
  }
}

/** What a pattern finds that begins at a string, or in one. */
export function* inStrings(source: Source, pattern: RegExp): Iterable<RegExpExecArray & { readonly index: number }> {
  let count = 0;
  for (const match of source.readable.matchAll(pattern)) {
    if (source.code.charCodeAt(match.index + 1) === source.readable.charCodeAt(match.index + 1)) continue;
    if (++count > mostMatches) return;
    yield match;
  }
}

/** Of one pattern in one file. */
const mostMatches = 2_000;

/**
 * The names that stand before an offset with `.`, `::`, `\` or `->` between them, as written: `a.b` before the `.` of `a.b.c`.
 * '' where there are none.
 */
export function chainBefore(code: string, end: number): string {
  let from = end;
  const least = Math.max(0, end - longestChain);
  while (from > least && isOfChain(code.charCodeAt(from - 1))) from--;
  return code.slice(from, end);
}

const longestChain = 300;

function isOfChain(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2e ||
    unit === 0x3a ||
    unit === 0x5c ||
    unit === 0x24
  );
}

/** The offset behind what closes the bracket at `open`, or -1 where nothing does within `longest` characters. */
export function closingOf(source: Source, open: number, longest = 20_000): number {
  const close = closingsOf(source)[open] ?? 0;
  return close === 0 || close - open > longest ? -1 : close;
}

/** Per offset of a bracket that opens: the one behind the bracket that closes it, else 0. All kinds of brackets are taken for one. */
const closingsOf = perSource(({ code }) => {
  const closings = new Int32Array(code.length);
  const open: number[] = [];
  for (let i = 0; i < code.length; i++) {
    const unit = code.charCodeAt(i);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) open.push(i);
    else if (unit === 0x29 || unit === 0x5d || unit === 0x7d) {
      const from = open.pop();
      if (from !== undefined) closings[from] = i + 1;
    }
  }
  return closings;
});

/** Where a mark stands next, within `longest` characters; -1 where it doesn't. */
export function nextOf(code: string, mark: string, from: number, longest: number): number {
  const at = code.slice(from, from + longest).indexOf(mark);
  return at < 0 ? -1 : from + at;
}

/** The arguments of a call whose parenthesis opens at `open`, as offsets; what goes on too long, or never ends, is cut. */
export function argumentsAt(source: Source, open: number): readonly { readonly from: number; readonly to: number }[] {
  const { code } = source;
  const closings = closingsOf(source);
  const found: { from: number; to: number }[] = [];
  let from = open + 1;
  const end = Math.min(code.length, open + longestCall);
  let i = open + 1;
  for (; i < end && found.length < mostArguments; i++) {
    const unit = code.charCodeAt(i);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) {
      const close = closings[i]!;
      if (close === 0) break;
      i = close - 1;
    } else if (unit === 0x29 || unit === 0x5d || unit === 0x7d) break;
    else if (unit === 0x2c) {
      found.push({ from, to: i });
      from = i + 1;
    }
  }
  const to = Math.min(i, code.length);
  if (code.slice(from, Math.min(to, from + longestCall)).trim() !== '') found.push({ from, to });
  return found;
}

const longestCall = 4_000;
const mostArguments = 30;

/** Line ends of a text, for one offset after another. */
export function linesOf(text: string): (at: number) => { readonly line: number; readonly seen: string } {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return at => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    const start = starts[low]!;
    const end = Math.min(starts[low + 1] ?? text.length, text.length);
    // Of a long line, what is around the place.
    const from = at - start > longestSeen / 2 && end - start > longestSeen ? at - 20 : start;
    return {
      line: low + 1,
      seen: text
        .slice(from, Math.min(end, from + 4 * longestSeen))
        .trim()
        .slice(0, longestSeen),
    };
  };
}

const longestSeen = 200;
