import { tooLarge } from '../../extract/scip/problem.ts';
import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import type { ContentHash, Dialect } from '../../model/document.ts';
import { factsFormat } from '../../model/facts-format.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { FactKey } from '../../store/publication.ts';

/** Under which facts from indexes are stored; the version is raised whenever the same index would give others. */
export function keyOfScip(hash: ContentHash): FactKey {
  return { hash, dialect: 'scip' as Dialect, version: 2000 + factsFormat };
}

/** What of a document are numbers. */
export interface Draft {
  /** Its own symbols are so many from this number on. */
  readonly firstSymbol: number;
  readonly ownCount: number;
  readonly slotCount: number;
  readonly useCount: number;
  /** Where its run of numbers begins. */
  readonly run: number;
}

/** No draft lies in two pages. */
const draftWords = 16;
const languageWord = 5;
const droppedWord = 6;
const hashWord = 8;
const hashWords = 8;
/** Each is counted, and listed, by itself. */
const mostLanguages = 1000;

/** What is kept of each document until all are read: of its path a string, of all else numbers in scratch memory. */
export class Drafts {
  readonly #paths: RepoPath[] = [];
  readonly #languages = new Map<string, number>();
  readonly #languageNames: string[] = [];
  readonly #words: PagedNumbers;
  readonly #bytes = Buffer.alloc(hashWords * 4);
  readonly #hash = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, hashWords);
  #inOrder: Uint32Array | undefined;

  constructor(memory: ScratchMemory) {
    this.#words = memory.numbers();
  }

  /** The number of the document. */
  add(path: RepoPath, hash: ContentHash, language: string, draft: Draft): number {
    this.#inOrder = undefined;
    this.#bytes.write(hash, 'hex');
    const { firstSymbol, ownCount, slotCount, useCount, run } = draft;
    const numbers = [firstSymbol, ownCount, slotCount, useCount, run, this.#language(language), 0, 0];
    this.#words.append(numbers, this.#hash);
    return this.#paths.push(path) - 1;
  }

  at(number: number): Draft {
    const first = number * draftWords;
    const word = (at: number): number => this.#words.get(first + at) >>> 0;
    return { firstSymbol: word(0), ownCount: word(1), slotCount: word(2), useCount: word(3), run: word(4) };
  }

  path(number: number): RepoPath {
    return this.#paths[number]!;
  }

  language(number: number): string {
    return this.#languageNames[this.#words.get(number * draftWords + languageWord)]!;
  }

  hash(number: number): ContentHash {
    for (let word = 0; word < hashWords; word++)
      this.#hash[word] = this.#words.get(number * draftWords + hashWord + word);
    return this.#bytes.toString('hex') as ContentHash;
  }

  /** Lets go of a document in favour of one of the same path. */
  drop(number: number): void {
    this.#inOrder = undefined;
    this.#words.set(number * draftWords + droppedWord, 1);
  }

  /** Those that stand, by path, and of one path as they came. */
  inOrder(): Uint32Array {
    if (this.#inOrder !== undefined) return this.#inOrder;
    const paths = this.#paths;
    const numbers = Uint32Array.from(paths.keys());
    const standing = numbers.filter(number => this.#words.get(number * draftWords + droppedWord) === 0);
    this.#inOrder = standing.sort((a, b) => (paths[a]! < paths[b]! ? -1 : paths[a]! > paths[b]! ? 1 : a - b));
    return this.#inOrder;
  }

  #language(name: string): number {
    const known = this.#languages.get(name);
    if (known !== undefined) return known;
    if (this.#languages.size === mostLanguages) throw tooLarge(`More than ${mostLanguages} languages`, 0);
    this.#languages.set(name, this.#languages.size);
    return this.#languageNames.push(name) - 1;
  }
}
