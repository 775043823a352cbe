import { createHash, type Hash } from 'node:crypto';
import type { ScipFacts } from '../../extract/scip/scip-facts.ts';
import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import type { SymbolMeanings } from '../../extract/scip/symbol-meaning.ts';
import type { ContentHash } from '../../model/document.ts';
import { FactsView } from '../../model/facts-codec.ts';
import { isTestPath } from '../../model/mount.ts';
import type { RepoPath } from '../../model/paths.ts';
import { preciseMark } from '../../store/effective-links.ts';
import type { FirstRows } from '../../store/first-rows.ts';
import type { PackedDocument } from '../../store/link-batch.ts';
import { packLinks } from '../../store/link-columns.ts';
import { bitsOf, callBits } from '../../store/link-encoding.ts';
import { packTraits } from '../../store/link-format.ts';
import type { FactKey } from '../../store/publication.ts';
import { type Draft, Drafts, keyOfScip } from './drafts.ts';
import { UploadNames } from './names.ts';
import { type NumberRange, SymbolHashes } from './symbols.ts';

/** A draft's run of numbers. */
interface Numbers {
  /** By slot: the index's symbol, and which of the document's own symbols it is a site of. */
  readonly defined: Int32Array;
  readonly owns: Int32Array;
  /** By reference: the index's symbol. */
  readonly used: Int32Array;
  /** Which references are calls, a bit for each. */
  readonly calls: Int32Array;
  /** Which references begin where the one before does, a bit for each. */
  readonly beside: Int32Array;
  /** Of each own symbol: number of its name, packed traits, slot of its primary site. */
  readonly traits: Int32Array;
}

type Externals = Pick<SymbolMeanings, 'external'>;

/** What one document of the index says, as numbers. */
export type Part = { readonly key: FactKey } & Pick<Numbers, 'defined' | 'used'>;

const traitWords = 3;
const definitionWords = 4;
const noTargets = new Uint32Array();

/**
 * Symbols and names of an upload, and which document points at which: what is left to do once all of it is read. However
 * many they are, they take no more memory than the scratch memory has; of documents their paths.
 */
export class UploadLinks {
  readonly #memory: ScratchMemory;
  readonly #hashes: SymbolHashes;
  readonly #names: UploadNames;
  readonly #drafts: Drafts;
  readonly #runs: PagedNumbers;

  constructor(memory: ScratchMemory) {
    this.#memory = memory;
    this.#hashes = new SymbolHashes(memory);
    this.#names = new UploadNames(memory);
    this.#drafts = new Drafts(memory);
    this.#runs = memory.numbers();
  }

  /** Number of the document, for `part` and `drop`. */
  add(path: RepoPath, hash: ContentHash, { language, encoded, defined, used, own, owns }: ScipFacts): number {
    const firstSymbol = this.#hashes.count;
    const facts = new FactsView(encoded);
    const traits = new Uint32Array(own.length * traitWords);
    own.forEach((slot, at) => {
      this.#hashes.add(path, facts.definitionTail(slot));
      traits[at * traitWords] = this.#names.add(facts.definitionName(slot));
      traits[at * traitWords + 1] = packTraits(facts.definitionTraits(slot));
      traits[at * traitWords + 2] = slot;
    });
    const calls = callBits(used.length, reference => facts.referenceKind(reference));
    const beside = bitsOf(used.length, reference => facts.isReferenceBeside(reference));
    const run = this.#runs.append(defined, owns, used, calls, beside, traits);
    const counts = { ownCount: own.length, slotCount: defined.length, useCount: used.length };
    return this.#drafts.add(path, hash, language, { firstSymbol, run, ...counts });
  }

  part(number: number): Part {
    return { key: keyOfScip(this.#drafts.hash(number)), ...this.#numbersOf(this.#drafts.at(number)) };
  }

  /** Lets go of a document in favour of one of the same path. */
  drop(number: number): void {
    this.#drafts.drop(number);
  }

  /** By path. */
  *keys(): Generator<readonly [RepoPath, FactKey]> {
    for (const number of this.#drafts.inOrder())
      yield [this.#drafts.path(number), keyOfScip(this.#drafts.hash(number))];
  }

  /** The numbers of documents of one path, where there are several, in the order in which the first of them came. */
  ofOnePath(): readonly (readonly number[])[] {
    const groups: number[][] = [];
    let [before, path]: [number, RepoPath | undefined] = [-1, undefined];
    for (const number of this.#drafts.inOrder()) {
      const here = this.#drafts.path(number);
      const last = groups.at(-1);
      if (here === path && last?.at(-1) === before) last.push(number);
      else if (here === path) groups.push([before, number]);
      [before, path] = [number, here];
    }
    return groups.sort(([a], [b]) => a! - b!);
  }

  path(number: number): RepoPath {
    return this.#drafts.path(number);
  }

  /** In order. */
  *paths(): Generator<RepoPath> {
    for (const number of this.#drafts.inOrder()) yield this.#drafts.path(number);
  }

  /** Everything that the documents speak of, of the index's `symbolCount` symbols, and these by path, about rows. */
  numbered(meanings: Externals, symbolCount: number): NumberedUpload {
    const numbers = this.#definedNumbers(symbolCount);
    const firstExternal = this.#hashes.count;
    this.#addExternals(numbers, meanings);
    const [rows, nameRows] = [this.#memory.numbers(), this.#memory.numbers()];
    const digest = createHash('sha256');
    const targetsOf = (draft: Draft): Uint32Array => this.#targetsOf(draft, numbers, rows);
    return {
      first: {
        symbols: told(this.#hashes.inOrder(this.#wanted(firstExternal), rows), digest),
        externals: externalsOf(numbers, firstExternal, rows, meanings),
        names: this.#names.inRows(nameRows),
        identity: 'descriptor',
      },
      digest: () => {
        for (const number of this.#drafts.inOrder()) {
          digest.update(`${this.#drafts.path(number)}\0${this.#drafts.hash(number)}\n`);
          digest.update(targetsOf(this.#drafts.at(number)));
        }
        return digest.digest('hex');
      },
      documents: this.#packed(rows, nameRows, targetsOf),
    };
  }

  /** Symbols of documents that stand, and of others. */
  #wanted(firstExternal: number): readonly NumberRange[] {
    const wanted: NumberRange[] = [];
    for (const number of this.#drafts.inOrder()) {
      const { firstSymbol, ownCount } = this.#drafts.at(number);
      if (ownCount > 0) wanted.push({ first: firstSymbol, end: firstSymbol + ownCount });
    }
    wanted.push({ first: firstExternal, end: this.#hashes.count });
    return wanted;
  }

  #numbersOf({ run, slotCount, useCount, ownCount }: Draft): Numbers {
    const calls = slotCount * 2 + useCount;
    const beside = calls + Math.ceil(useCount / 32);
    const traits = beside + Math.ceil(useCount / 32);
    const all = this.#runs.slice(run, traits + ownCount * traitWords);
    return {
      defined: all.subarray(0, slotCount),
      owns: all.subarray(slotCount, slotCount * 2),
      used: all.subarray(slotCount * 2, calls),
      calls: all.subarray(calls, beside),
      beside: all.subarray(beside, traits),
      traits: all.subarray(traits),
    };
  }

  /** Of each reference the row that it points at. */
  #targetsOf(draft: Draft, numbers: PagedNumbers, rows: PagedNumbers): Uint32Array {
    if (draft.useCount === 0) return noTargets;
    const ofDraft = this.#numbersOf(draft);
    const own = ownBeside(draft, ofDraft, numbers);
    const targets = Uint32Array.from(ofDraft.used, symbol => rows.get(own?.get(symbol) ?? numbers.get(symbol) - 1));
    return eachOnce(targets, ofDraft.beside);
  }

  *#packed(
    rows: PagedNumbers,
    nameRows: PagedNumbers,
    targetsOf: (draft: Draft) => Uint32Array,
  ): Iterable<PackedDocument> {
    const drafts = this.#drafts;
    for (const number of drafts.inOrder()) {
      const [path, draft] = [drafts.path(number), drafts.at(number)];
      const numbers = this.#numbersOf(draft);
      const defined = definitionsOf(draft.firstSymbol, numbers, rows, nameRows);
      const calls = Uint32Array.from(numbers.calls);
      const body = packLinks({ ...defined, targets: targetsOf(draft), confidence: preciseMark, calls });
      const key = keyOfScip(drafts.hash(number));
      const language = drafts.language(number);
      yield { path, language, key, isTest: isTestPath(path), body, questions: nothingAsked, again: undefined };
    }
  }

  /**
   * By the index's symbol: our number of it, plus 1; 0 where no document defines it. Where several do, the one that a
   * reader more likely means, so that no order of documents matters: the first by path that is no test.
   */
  #definedNumbers(symbolCount: number): PagedNumbers {
    const numbers = this.#memory.numbers(symbolCount);
    const order = this.#drafts.inOrder();
    const tests = Uint8Array.from(order, number => Number(isTestPath(this.#drafts.path(number))));
    for (const isTest of [0, 1]) {
      order.forEach((number, at) => {
        const draft = this.#drafts.at(number);
        if (tests[at] !== isTest || draft.slotCount === 0) return;
        const { defined, owns } = this.#numbersOf(draft);
        for (let slot = 0; slot < defined.length; slot++) {
          if (numbers.get(defined[slot]!) === 0) numbers.set(defined[slot]!, draft.firstSymbol + owns[slot]! + 1);
        }
      });
    }
    return numbers;
  }

  /** Adds symbols that are used and nowhere defined. */
  #addExternals(numbers: PagedNumbers, meanings: Externals): void {
    for (const number of this.#drafts.inOrder()) {
      const draft = this.#drafts.at(number);
      if (draft.useCount === 0) continue;
      for (const symbol of this.#numbersOf(draft).used) {
        if (numbers.get(symbol) > 0) continue;
        const { manager, package: named, name } = meanings.external(symbol);
        numbers.set(symbol, this.#hashes.add(`external:${manager}:${named}`, name) + 1);
      }
    }
  }
}

export interface NumberedUpload {
  readonly first: FirstRows;
  /** Of all symbols and what points at them, by document; once `first` was taken. */
  readonly digest: () => string;
  readonly documents: Iterable<PackedDocument>;
}

function* told(pieces: Iterable<Buffer>, digest: Hash): Generator<Buffer> {
  for (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
}

/** Each version of a package alike: by row once. */
function* externalsOf(
  numbers: PagedNumbers,
  firstExternal: number,
  rows: PagedNumbers,
  meanings: Externals,
): FirstRows['externals'] & Generator {
  for (let symbol = 0; symbol < numbers.length; symbol++) {
    const number = numbers.get(symbol) - 1;
    if (number >= firstExternal) yield [rows.get(number), { kind: 'external', ...meanings.external(symbol) }];
  }
}

/** Symbols of one place may turn out to be one: it is used there once. */
function eachOnce(targets: Uint32Array, beside: Int32Array): Uint32Array {
  let here = new Set<number>();
  for (let at = 0; at < targets.length; at++) {
    const isBeside = ((beside[at >>> 5]! >>> (at & 31)) & 1) === 1;
    if (!isBeside && here.size > 0) here = new Set();
    if (isBeside && here.size === 0) here.add(targets[at - 1]!);
    if (!isBeside) continue;
    if (here.has(targets[at]!)) targets[at] = 0;
    else here.add(targets[at]!);
  }
  return targets;
}

/** What a document defines and another one stands for: within itself, its own is meant. Undefined where there is none. */
function ownBeside(
  { firstSymbol }: Draft,
  { defined, owns }: Numbers,
  numbers: PagedNumbers,
): ReadonlyMap<number, number> | undefined {
  let own: Map<number, number> | undefined;
  for (let slot = 0; slot < defined.length; slot++) {
    const number = firstSymbol + owns[slot]!;
    if (numbers.get(defined[slot]!) === number + 1) continue;
    own ??= new Map();
    own.set(defined[slot]!, number);
  }
  return own;
}

const nothingAsked = Buffer.alloc(0);

/** A document's own symbols by row, and of each slot the place of its symbol among them. */
function definitionsOf(
  firstSymbol: number,
  { owns, traits }: Numbers,
  rows: PagedNumbers,
  nameRows: PagedNumbers,
): { readonly definitions: Uint32Array; readonly slots: Uint32Array } {
  const count = traits.length / traitWords;
  const ownRows = Uint32Array.from({ length: count }, (_, own) => rows.get(firstSymbol + own));
  const order = new Uint32Array(count).map((_, own) => own).sort((a, b) => ownRows[a]! - ownRows[b]!);
  const places = new Uint32Array(count);
  const definitions = new Uint32Array(count * definitionWords);
  order.forEach((own, place) => {
    const at = own * traitWords;
    places[own] = place;
    definitions.set([ownRows[own]!, nameRows.get(traits[at]!), traits[at + 1]!, traits[at + 2]!], place * 4);
  });
  const slots = new Uint32Array(owns.length);
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = places[owns[slot]!]!;
  return { definitions, slots };
}
