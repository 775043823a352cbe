import { stripVTControlCharacters } from 'node:util';

const longestLine = 200;

/** Lines of a program's output as they may be shown: without control characters, and without what logs in somewhere. */
function shownLines(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .map(line => line.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').replace(/(?<=:\/\/)[^\s/@]+(?=@)/g, '…'))
    .filter(line => line.trim() !== '');
}

/** The last line that a program printed, cut off; '' where it printed none. */
export function lastLine(text: string): string {
  return cutOff(shownLines(text).at(-1) ?? '');
}

const namesTrouble = /\b(?:\w*error|\w*exception|panic(?:ked)?|fatal|fail(?:ed|ure)?|cannot|can't|could not)\b/i;
/** Frames of a stack, which most runtimes indent, and what they say beneath one. */
const isBelowTrouble = /^\s|^Node\.js v\d|^note: run with|^goroutine \d+ |^exit status \d+$/;

/**
 * What a program that failed printed last that tells why, cut off: the last line that names a trouble, or else the last, with
 * what it leads over to by a colon at its end. Paths under `folder` are told from there. '' where nothing was printed.
 */
export function telling(text: string, folder: string): string {
  const all = shownLines(text.replaceAll(`${folder}/`, ''));
  const plain = all.filter(line => !isBelowTrouble.test(line));
  const lines = plain.length > 0 ? plain : all;
  const found = lines.findLastIndex(line => namesTrouble.test(line));
  const from = found < 0 ? lines.length - 1 : found;
  let to = from;
  while (lines[to]?.trimEnd().endsWith(':') && to + 1 < lines.length) to++;
  return cutOff(lines.slice(Math.max(0, from), to + 1).join(' '));
}

/** Between characters: half of a surrogate pair is no text. */
function cutOff(line: string): string {
  const text = line.replace(/\s+/g, ' ').trim();
  return text.length <= longestLine ? text : `${text.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
