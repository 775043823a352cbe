/** Full text search over documents that are few enough to be looked through: no index, and no language of its own. */

/** A text as it is searched: small letters without accents, runs of blanks as one. */
export type SearchedText = string & { readonly __brand: 'SearchedText' };

export interface SearchedDocument {
  readonly title: SearchedText;
  readonly text: SearchedText;
}

/** What is searched for: each of these must be there. */
type SearchTerms = readonly SearchedText[];

/** A text made ready. Parts of names written in one word (`PostgreSQL`) are added behind it, to be found by themselves. */
export function searchedText(text: string): SearchedText {
  const parts = innerParts(text);
  return folded(parts.size === 0 ? text : `${text}\n${[...parts].join('\n')}`);
}

/**
 * The terms of a question: words, and between a pair of quotes whatever stands there, as one. All signs stand for themselves:
 * a quote without another is a sign like others, and AND is a word.
 */
export function searchTerms(question: string): SearchTerms {
  const terms: string[] = [];
  for (const [, quoted, word] of question.matchAll(/"([^"]*\S[^"]*)"(?=\s|$)|(\S+)/g)) terms.push((quoted ?? word)!);
  return [...new Set(terms.map(term => folded(term).trim() as SearchedText))].filter(term => term !== '');
}

/**
 * How well a document fits, 0 to 1: the mean over the terms, of which one in the title counts most, as a whole word more than
 * as the beginning of one, and in the text by how often it stands there. Undefined where a term is missing, or none is asked. A term begins where
 * a word does, but for scripts that write no blanks.
 */
export function scoreOf(terms: SearchTerms, { title, text }: SearchedDocument): number | undefined {
  let sum = 0;
  for (const term of terms) {
    const inTitle = placesIn(title, term, 1);
    const inText = inTitle.whole > 0 ? none : placesIn(text, term, mostPlaces);
    if (inTitle.all + inText.all === 0) return undefined;
    const ofText = (inText.whole > 0 ? 0.5 : 0.3) + 0.1 * Math.min(1, inText.all / mostPlaces);
    sum += inTitle.whole > 0 ? 1 : inTitle.all > 0 ? 0.8 : ofText;
  }
  return terms.length === 0 ? undefined : Math.round((sum / terms.length) * 1000) / 1000;
}

/** More places than so many say no more. */
const mostPlaces = 8;
const none: Places = { all: 0, whole: 0 };

interface Places {
  readonly all: number;
  /** Those where the term is a whole word. */
  readonly whole: number;
}

function placesIn(text: string, term: string, most: number): Places {
  const mayBeInside = !isWordPart(term, 0) || withoutBlanks.test(term[0]!);
  let all = 0;
  let whole = 0;
  for (let at = text.indexOf(term); at >= 0 && whole < most && all < most * 4; at = text.indexOf(term, at + 1)) {
    if (!mayBeInside && at > 0 && isWordPart(text, at - 1)) continue;
    all++;
    if (!isWordPart(text, at + term.length)) whole++;
  }
  return { all, whole };
}

const withoutBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function isWordPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code > 0x2f && code < 0x3a) || (code > 0x60 && code < 0x7b);
  return /[\p{L}\p{N}]/u.test(text[at] ?? '');
}

/** `sql` of `PostgreSQL`; `postgresDb` and `db` of `usePostgresDb`. */
function innerParts(text: string): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const { index } of text.matchAll(/\p{Ll}\p{Lu}/gu)) {
    const part = /^[\p{L}\p{N}]+/u.exec(text.slice(index + 1, index + 1 + longestPart))?.[0];
    if (part !== undefined && parts.size < mostParts) parts.add(part);
  }
  return parts;
}

const longestPart = 64;
const mostParts = 10_000;

/** Only what is not ASCII is taken apart: most texts have little of it. */
function folded(text: string): SearchedText {
  return text
    .replace(/[^\x00-\x7f]+/g, run => run.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss'))
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/\s{2,}|[^\S ]/g, ' ') as SearchedText;
}
