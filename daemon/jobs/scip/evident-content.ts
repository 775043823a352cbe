import { createHash } from 'node:crypto';
import type { OccurrencesInText } from '../../extract/scip/in-utf16.ts';
import { symbolRole } from '../../extract/scip/occurrences.ts';
import { lineStarts } from '../../model/line-starts.ts';

/** Macros and generated names may stand anywhere: so large a share, and so many in a row, don't speak against a text. */
const tolerated = { share: 0.02, inARow: 2 } as const;

const plainName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;
const inWord = /[\p{ID_Continue}$]/u;
const quote = /^['"`]/;

/**
 * How many places speak against a text being what an indexer saw, judged by the text alone: its occurrences cover whole
 * words, its definitions the words that they are called. Undefined where they are too many. (Of 1,474 documents of
 * scip-typescript and scip-python each occurrence does; one line more or less at the top, and half of them don't in 99 of
 * 100 documents.) `nameOf`: what a symbol is called in code; '' of one that nobody can tell. Occurrences beyond the text
 * stand amiss in a row.
 */
export function placesAgainst(
  { occurrences, beyond }: OccurrencesInText,
  text: string,
  nameOf: (symbol: number) => string,
): number | undefined {
  if (beyond > tolerated.inARow) return undefined;
  const isAmiss = amissIn(occurrences, text, nameOf);
  const { count } = occurrences;
  let wrong = beyond;
  let inARow = 0;
  for (let at = 0; at < count; at++) {
    if (!isAmiss(at)) {
      inARow = 0;
      continue;
    }
    wrong++;
    inARow++;
    if (inARow > tolerated.inARow) return undefined;
  }
  return wrong <= (count + beyond) * tolerated.share ? wrong : undefined;
}

/** How many of the occurrences that begin in the first line stand amiss there, and all that stand beyond the text. */
export function againstFirstLine(
  { occurrences, beyond }: OccurrencesInText,
  text: string,
  nameOf: (symbol: number) => string,
): number {
  const isAmiss = amissIn(occurrences, text, nameOf);
  let wrong = beyond;
  for (let at = 0; at < occurrences.count && occurrences.startLine[at] === 0; at++) if (isAmiss(at)) wrong++;
  return wrong;
}

/** Whether an occurrence covers no words, or defines what is called otherwise there. */
function amissIn(
  { startLine, startColumn, endLine, endColumn, roles, symbol }: OccurrencesInText['occurrences'],
  text: string,
  nameOf: (symbol: number) => string,
): (at: number) => boolean {
  const starts = lineStarts(text);
  return at => {
    const start = starts[startLine[at]!]! + startColumn[at]!;
    const end = starts[endLine[at]!]! + endColumn[at]!;
    // The place of a module is empty.
    if (start === end) return false;
    const isDefinition = (roles[at]! & symbolRole.definition) !== 0;
    return !coversWords(text, start, end) || (isDefinition && !bearsName(text.slice(start, end), nameOf(symbol[at]!)));
  };
}

/** The same for texts that differ in nothing but how lines end and a byte order mark: neither is said of one by all who write it. */
export function digestOfPlaces(text: string): string {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return createHash('sha256').update(plain).digest('base64');
}

function coversWords(text: string, start: number, end: number): boolean {
  const isSplit = (at: number): boolean => inWord.test(text.charAt(at - 1)) && inWord.test(text.charAt(at));
  const isBlank = (at: number): boolean => text.charAt(at).trim() === '';
  return !isBlank(start) && !isBlank(end - 1) && !isSplit(start) && !isSplit(end);
}

function bearsName(written: string, name: string): boolean {
  return !plainName.test(name) || written.replace(quote, '').startsWith(name);
}
