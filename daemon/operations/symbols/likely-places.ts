import { type LongName, type PackageNames, wordsOf } from '../../analysis/long-name.ts';
import { type Catalogue, type CatalogueDocument, documentsUnder } from '../../store/catalogue/columns.ts';
import type { SearchedCatalogue } from './search-catalogue.ts';

export interface SearchedTree {
  readonly catalogue: Catalogue;
  readonly searched: SearchedCatalogue;
}

/** Documents, as those that are 1, that define what the last word before the name says, or lie where such a word leads. */
export function likelyPlaces(
  { catalogue, searched }: SearchedTree,
  { qualifier, inFile }: LongName,
  packages: PackageNames,
): Uint8Array {
  const { documents, documentOf, names, starts, ends, order } = catalogue;
  const isLikely = new Uint8Array(documents.length);
  if (inFile !== undefined) {
    documents.forEach(({ path }, document) => {
      if (path.endsWith(inFile.path)) isLikely[document] = 1;
    });
    return isLikely;
  }
  const word = qualifier.at(-1)!.toLowerCase();
  for (const document of wordsOfPlaces(catalogue).get(word) ?? []) isLikely[document] = 1;
  for (const [folder, { name }] of packages) {
    if (!endsInWord(name.toLowerCase(), word)) continue;
    const { first, end } = folder === '' ? { first: 0, end: documents.length } : documentsUnder(documents, folder);
    isLikely.fill(1, first, end);
  }
  searched.exact({ text: word, kinds: undefined, scope: undefined }, 0, definition => {
    isLikely[documentOf[definition]!] = 1;
    return false;
  });
  for (const name of lastWordsOf(names).get(word) ?? []) {
    for (let at = starts[name]!; at < ends[name]!; at++) isLikely[documentOf[order[at]!]!] = 1;
  }
  return isLikely;
}

function endsInWord(lower: string, word: string): boolean {
  return lower.endsWith(word) && (lower === word || wordsOf(lower).at(-1) === word);
}

type ByWord = ReadonlyMap<string, readonly number[]>;

/** Of each catalogue, for as long as its documents lie where they lay. */
const placesKnown = new WeakMap<Catalogue, KnownPlaces>();

interface KnownPlaces {
  seq: number;
  readonly documents: readonly CatalogueDocument[];
  readonly byWord: ByWord;
}

/** Documents by the words of their paths and scopes, in lower case. */
function wordsOfPlaces(catalogue: Catalogue): ByWord {
  const { documents, seq } = catalogue;
  const known = placesKnown.get(catalogue);
  if (known !== undefined && (known.seq === seq || known.documents.every((one, at) => isThere(one, documents[at]!)))) {
    known.seq = seq;
    return known.byWord;
  }
  const byWord = new Map<string, number[]>();
  documents.forEach(({ path, scope }, document) => {
    const text = path === (scope as string) ? path : `${path}/${scope}`;
    for (const word of new Set(wordsOf(text.toLowerCase()))) add(byWord, word, document);
  });
  placesKnown.set(catalogue, { seq, documents: [...documents], byWord });
  return byWord;
}

function isThere(one: CatalogueDocument, now: CatalogueDocument): boolean {
  return one === now || (one.path === now.path && one.scope === now.scope);
}

/** Of each list of names, which grows: how many of them have been looked at. */
const namesKnown = new WeakMap<readonly string[], { count: number; readonly byWord: Map<string, number[]> }>();

/** Names of several words by the last of them, in lower case. */
function lastWordsOf(names: readonly string[]): ByWord {
  const known = namesKnown.get(names) ?? { count: 0, byWord: new Map<string, number[]>() };
  namesKnown.set(names, known);
  for (; known.count < names.length; known.count++) {
    const name = names[known.count]!;
    if (!mayHaveWords.test(name)) continue;
    const words = wordsOf(name.toLowerCase());
    if (words.length > 1) add(known.byWord, words.at(-1)!, known.count);
  }
  return known.byWord;
}

/** What stands between words is one of these, or holds one. */
const mayHaveWords = /[:>.#\\/]/;

function add(byWord: Map<string, number[]>, word: string, number: number): void {
  const some = byWord.get(word);
  if (some === undefined) byWord.set(word, [number]);
  else some.push(number);
}
