import { familyOf } from '../../model/families.ts';
import type { DocumentViews } from '../document-view.ts';
import { partlyReadDocuments } from '../manifest-table.ts';
import type { Prepare } from '../rows.ts';

/** A file that was read only in part, as far as words go. */
interface PartialText {
  readonly family: string;
  /** Hashes of its words, ascending; undefined where it has more than are kept. */
  readonly words: Uint32Array | undefined;
}

/** No more words are kept of one file, and of no more files: of what is past that, nothing is ruled out. */
const mostWords = 20_000;
const mostFiles = 2_000;

/**
 * The words of the files of a snapshot that were read only in part: what of these the code names nobody knows. They are read
 * when somebody asks first, then brought along.
 */
export class PartialTexts {
  readonly #repo: number;
  readonly #views: DocumentViews;
  readonly #prepare: Prepare;
  #texts: Map<number, PartialText> | undefined;

  constructor(repo: number, views: DocumentViews, prepare: Prepare) {
    this.#repo = repo;
    this.#views = views;
    this.#prepare = prepare;
  }

  /** How many such files of a language's family have one of some names in their text, or may have. */
  naming(names: readonly string[], language: string, seq: number): number {
    this.#texts ??= this.#read(seq);
    const hashes = names.every(name => isWord.test(name)) ? names.map(hashOf) : undefined;
    const mayName = ({ words }: PartialText): boolean =>
      words === undefined || hashes === undefined || hashes.some(hash => holds(words, hash));
    return [...this.#texts.values()].filter(text => text.family === familyOf(language) && mayName(text)).length;
  }

  /** Some documents are otherwise at a later sequence. */
  advanceTo(seq: number, changed: readonly { readonly document: number }[]): void {
    const texts = this.#texts;
    if (texts === undefined) return;
    for (const { document } of changed) {
      const text = this.#textOf(document, seq, texts.size < mostFiles);
      if (text === undefined) texts.delete(document);
      else texts.set(document, text);
    }
  }

  #read(seq: number): Map<number, PartialText> {
    const texts = new Map<number, PartialText>();
    for (const document of partlyReadDocuments(this.#repo, seq, this.#prepare)) {
      const text = this.#textOf(document, seq, texts.size < mostFiles);
      if (text !== undefined) texts.set(document, text);
    }
    return texts;
  }

  /** Undefined of a document that was read whole, or that the snapshot has not. */
  #textOf(document: number, seq: number, isKept: boolean): PartialText | undefined {
    const view = this.#views.at(document, seq);
    if (view === undefined || !view.links.isPartial) return undefined;
    return { family: familyOf(view.language), words: isKept ? wordsIn(view.text()) : undefined };
  }
}

const isWord = /^[\p{L}\p{N}_$]+$/u;

function wordsIn(text: string): Uint32Array | undefined {
  const found = new Set<number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    found.add(hashOf(word));
    if (found.size > mostWords) return undefined;
  }
  return Uint32Array.from(found).sort();
}

/** FNV-1a over UTF-16 code units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function holds(words: Uint32Array, word: number): boolean {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word;
}
