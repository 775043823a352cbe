import type { ContractUse } from '../../../model/contract.ts';
import { type Blanked, blanked } from './blanked.ts';
import type { Lexis } from './lexis.ts';

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

/** What a pattern finds that begins in code. The pattern may go on into strings; comments are spaces to it. */
export function* inCode(source: Source, pattern: RegExp): Iterable<RegExpExecArray & { readonly index: number }> {
  let count = 0;
  for (const match of source.readable.matchAll(pattern)) {
    if (source.code.charCodeAt(match.index) !== source.readable.charCodeAt(match.index)) continue;
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

/** The offset behind what closes the bracket at `open`, or -1 where it isn't closed nearby. */
export function closingOf(code: string, open: number, longest = 20_000): number {
  let depth = 0;
  const end = Math.min(code.length, open + longest);
  for (let i = open; i < end; i++) {
    const unit = code.charCodeAt(i);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) depth++;
    else if ((unit === 0x29 || unit === 0x5d || unit === 0x7d) && --depth === 0) return i + 1;
  }
  return -1;
}

/** The arguments of a call whose parenthesis opens at `open`, as offsets; what goes on too long is cut. */
export function argumentsAt(code: string, open: number): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  let depth = 0;
  let from = open + 1;
  const end = Math.min(code.length, open + longestCall);
  let i = open;
  for (; i < end && found.length < mostArguments; i++) {
    const unit = code.charCodeAt(i);
    if (unit === 0x28 || unit === 0x5b || unit === 0x7b) depth++;
    else if (unit === 0x29 || unit === 0x5d || unit === 0x7d) {
      if (--depth === 0) break;
    } else if (unit === 0x2c && depth === 1) {
      found.push({ from, to: i });
      from = i + 1;
    }
  }
  if (code.slice(from, i).trim() !== '') found.push({ from, to: i });
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
