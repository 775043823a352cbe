import { digitsOf } from '../../extract/decisions/file-name.ts';
import { type DecisionNaming, greatestNumber, numberedId } from '../../model/decision.ts';

/** What a new decision is called. */
export interface NewName {
  readonly file: string;
  readonly id: string;
  /** Digits for its title. */
  readonly number: string;
}

interface NameAsked {
  readonly naming: DecisionNaming;
  readonly title: string;
  /** `2026-01-31`. */
  readonly date: string;
  /** The greatest number of all that are known beside the names. */
  readonly greatest: number;
}

/** The next name beside those that a folder has: the number after the greatest, or the day and a title that none has yet. */
export function newName({ naming, title, date, greatest }: NameAsked, names: readonly string[]): NewName {
  const number = String(Math.max(greatest, greatestOf(names)) + 1);
  const words = slug(title, naming.wordGap);
  if (naming.kind === 'number') {
    const { before, width, after } = naming.number;
    const file = `${before}${number.padStart(width, '0')}${after}${words}${naming.ending}`;
    return { file, id: numberedId(number), number };
  }
  const taken = new Set(names.map(name => name.toLowerCase()));
  const day = `${date.replaceAll('-', naming.dateGap)}${naming.after}`;
  for (let nth = 1; ; nth++) {
    const stem = `${day}${words}${nth === 1 ? '' : `${naming.wordGap}${nth}`}`;
    const file = `${stem}${naming.ending}`;
    if (!taken.has(file.toLowerCase())) return { file, id: `ADR-${stem}`, number };
  }
}

/** Of names those that bear the number of another one. */
export function sharingNumber(file: string, names: readonly string[]): readonly string[] {
  const digits = digitsOf(file);
  return digits === undefined ? [] : names.filter(name => name !== file && isNumbered(name, digits));
}

function isNumbered(name: string, digits: string): boolean {
  return isMarkdown(name) && digitsOf(name) === digits;
}

/** Whatever it is that bears a name with a number: the number is taken. */
function greatestOf(names: readonly string[]): number {
  const numbers = names.filter(isMarkdown).map(name => Number(digitsOf(name) ?? 0));
  return numbers.filter(number => number <= greatestNumber).reduce((most, one) => Math.max(most, one), 0);
}

function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name);
}

const longestSlug = 60;

/** The words of a title as a name of a file has them: small letters and digits of ASCII, and what stands between words. */
function slug(title: string, gap: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');
  let joined = '';
  for (const word of words) {
    const longer = joined === '' ? word : `${joined}${gap}${word}`;
    if (longer.length > longestSlug && joined !== '') break;
    joined = longer;
  }
  return joined.slice(0, longestSlug) || 'decision';
}
