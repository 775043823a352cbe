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
  const taken = new Set(names.map(name => composed(name).toLowerCase()));
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
  return digits === undefined ? [] : names.filter(name => composed(name) !== file && isNumbered(name, digits));
}

/** HFS+ takes accents from the letters of a name. */
function composed(name: string): string {
  return name.normalize('NFC');
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

/** A name has 255 bytes at most nearly everywhere, 143 where an encrypted one stands for it. */
const longestSlug = { characters: 60, bytes: 96 } as const;

/**
 * The words of a title as a name of a file has them: small letters of any script and digits, composed (NFC), those of Latin without
 * accents; and what stands between words.
 */
function slug(title: string, gap: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/['’]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .normalize('NFC');
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const [first = ''] = words;
  return beginning(words, gap) || beginning(charactersOf(first), '') || 'decision';
}

/** So many of these as a name has room for. */
function beginning(parts: readonly string[], gap: string): string {
  let joined = '';
  for (const part of parts) {
    const longer = joined === '' ? part : `${joined}${gap}${part}`;
    if (longer.length > longestSlug.characters || Buffer.byteLength(longer) > longestSlug.bytes) break;
    joined = longer;
  }
  return joined;
}

/** As people see them: marks go with their letters. */
function charactersOf(word: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment);
}
