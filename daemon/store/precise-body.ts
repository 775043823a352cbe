import { referenceKinds } from '../model/facts-format.ts';
import type { ExtraReference, PreciseContent } from '../model/precise.ts';
import { groupOf, lowerBound, wordsOf, writeGroups } from './encoded-words.ts';

/**
 * Where an indexer says that the references of one document point, as 32-bit words that are read in place:
 *
 *   header       magic, the five counts
 *   targets      symbols that occur, ascending; then where each one's occurrences start
 *   occurrences  reference index, or the facts' number of references + index of an extra, * 2, + 1 where it is tied to
 *                syntax: it counts as long as that leads there
 *   covered      reference index, index of a target * 2, + 1 as above: one for each of what the indexer says at the place
 *                of a reference; ascending
 *   extras       places that syntax does not list: line * 16 + kind, column, end line, end column, enclosing slot + 1
 *   named        slots of definitions, ascending
 */
/** Its last letter is the format’s number, part of an index file’s version. */
export const magic = 0x53565034;
const headerWords = 7;
const extraWords = 5;

/** `rows`: the row of each target. */
export function encodePrecise(content: PreciseContent, rows: (target: number) => number): Uint8Array {
  const groups = new Map<number, number[]>();
  const { occurrences, covered, extras, named } = content;
  for (let at = 0; at < occurrences.length; at += 2) {
    const row = rows(occurrences[at]!);
    const group = groups.get(row);
    if (group === undefined) groups.set(row, [occurrences[at + 1]!]);
    else group.push(occurrences[at + 1]!);
  }
  const targets = [...groups.keys()].sort((a, b) => a - b);
  const indexOf = new Map(targets.map((row, index) => [row, index]));
  const pairs: (readonly [reference: number, target: number])[] = [];
  for (let at = 0; at < covered.length; at += 2) {
    const packed = covered[at + 1]!;
    pairs.push([covered[at]!, indexOf.get(rows(packed >>> 1))! * 2 + (packed & 1)]);
  }
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const occurrenceCount = occurrences.length / 2;
  const words = new Uint32Array(
    headerWords +
      targets.length * 2 +
      1 +
      occurrenceCount +
      pairs.length * 2 +
      extras.length * extraWords +
      named.length,
  );
  words.set([
    magic,
    content.referenceCount,
    targets.length,
    occurrenceCount,
    pairs.length,
    extras.length,
    named.length,
  ]);
  let at = writeGroups(words, headerWords, targets, row => groups.get(row)!.sort((a, b) => a - b));
  for (const [reference, target] of pairs) {
    words[at++] = reference;
    words[at++] = target;
  }
  for (const one of extras) {
    words.set(
      [one.line * 16 + referenceKinds.indexOf(one.kind), one.column, one.endLine, one.endColumn, one.enclosing + 1],
      at,
    );
    at += extraWords;
  }
  words.set(named, at);
  return new Uint8Array(words.buffer);
}

export class BrokenPrecise extends Error {}

/** Reads an encoded body in place. Throws `BrokenPrecise` where the buffer is none. */
export class PreciseBody {
  readonly #words: Uint32Array;
  readonly #occurrences: number;
  readonly #covered: number;
  readonly #extras: number;
  readonly #named: number;

  constructor(body: Uint8Array) {
    const words = wordsOf(body, headerWords);
    if (words === undefined) throw new BrokenPrecise('truncated');
    this.#words = words;
    if (words[0] !== magic) throw new BrokenPrecise('no precise document');
    this.#occurrences = headerWords + this.#word(2) * 2 + 1;
    this.#covered = this.#occurrences + this.#word(3);
    this.#extras = this.#covered + this.#word(4) * 2;
    this.#named = this.#extras + this.#word(5) * extraWords;
    if (this.#named + this.#word(6) !== this.#words.length) {
      throw new BrokenPrecise('sections do not fit');
    }
  }

  /** References of the facts that it was made with; an index from there on is an extra's. */
  get referenceCount(): number {
    return this.#word(1);
  }
  get extraCount(): number {
    return this.#word(5);
  }

  targets(): Uint32Array {
    return this.#words.subarray(headerWords, headerWords + this.#word(2));
  }

  /**
   * The references and extras at which a symbol occurs, ascending, packed: index * 2, + 1 where the occurrence is tied
   * to syntax.
   */
  occurrencesOf(symbol: number): Uint32Array {
    return groupOf(this.#words, headerWords, this.#word(2), symbol);
  }

  /**
   * Whether the indexer says of a reference something that `counts`, so that syntax has no say. `isTied`: to what syntax
   * says of the reference.
   */
  covers(reference: number, counts: (symbol: number, isTied: boolean) => boolean): boolean {
    const pairs = this.#words.subarray(this.#covered, this.#extras);
    for (let at = lowerBound(pairs, 2, reference) * 2; pairs[at] === reference; at += 2) {
      const target = pairs[at + 1]!;
      if (counts(this.#word(headerWords + (target >>> 1)), (target & 1) === 1)) return true;
    }
    return false;
  }

  /** Whether the indexer has a name for what a slot defines: it then lists every use of it. */
  names(slot: number): boolean {
    const named = this.#words.subarray(this.#named);
    return named[lowerBound(named, 1, slot)] === slot;
  }

  extra(index: number): ExtraReference {
    const at = this.#extras + (index - this.referenceCount) * extraWords;
    const lineAndKind = this.#word(at);
    const kind = referenceKinds[lineAndKind & 15];
    if (kind === undefined) throw new BrokenPrecise('no such kind');
    return {
      kind,
      line: lineAndKind >>> 4,
      column: this.#word(at + 1),
      endLine: this.#word(at + 2),
      endColumn: this.#word(at + 3),
      enclosing: this.#word(at + 4) - 1,
    };
  }

  #word(index: number): number {
    const value = this.#words[index];
    if (value === undefined) throw new BrokenPrecise('offset past the end');
    return value;
  }
}
