import { createHash } from 'node:crypto';
import type { ScipFacts } from '../extract/scip/scip-facts.ts';
import type { SymbolMeanings } from '../extract/scip/symbol-meaning.ts';
import { isTestPath } from '../model/mount.ts';
import type { RepoPath } from '../model/paths.ts';
import { preciseMark } from '../store/effective-links.ts';
import type { FirstRows } from '../store/first-rows.ts';
import type { ExternalTarget, PackedDocument } from '../store/link-batch.ts';
import { packLinks, packTraits } from '../store/link-body.ts';
import type { FactKey } from '../store/publication.ts';
import { type NumberRun, NumberRuns } from './number-runs.ts';
import { SymbolHashes } from './upload-symbols.ts';

/** What is kept of a document until all are read. */
interface Draft {
  readonly path: RepoPath;
  readonly language: string;
  readonly key: FactKey;
  /** Its own symbols are so many from this number on. */
  readonly firstSymbol: number;
  readonly ownCount: number;
  readonly slotCount: number;
  readonly useCount: number;
  readonly run: NumberRun;
  /** Another document of the same path says all that this one does. */
  isMerged: boolean;
}

/** A draft's run of numbers. */
interface Numbers {
  /** By slot: the index's symbol, and which of the document's own symbols it is a site of. */
  readonly defined: Int32Array;
  readonly owns: Int32Array;
  /** By reference: the index's symbol. */
  readonly used: Int32Array;
  /** Of each own symbol: number of its name, packed traits, slot of its primary site. */
  readonly traits: Int32Array;
}

/** What one document of the index says, as numbers. */
export type Part = Pick<Draft, 'key'> & Pick<Numbers, 'defined' | 'used'>;

const traitWords = 3;
const definitionWords = 4;

/** Symbols and names of an upload, and which document points at which: what is left to do once all of it is read. */
export class UploadLinks {
  readonly #hashes = new SymbolHashes();
  readonly #names = new Map<string, number>();
  readonly #drafts: Draft[] = [];
  readonly #runs = new NumberRuns();
  /** By the index's symbol: number of the document that stands for it, plus 1. */
  #definers = new Uint32Array(1024);
  #mostSymbol = 0;

  /** Number of the document, for `part` and `drop`. */
  add(path: RepoPath, key: FactKey, { language, defined, used, own, owns }: ScipFacts): number {
    const firstSymbol = this.#hashes.count;
    const traits = new Uint32Array(own.length * traitWords);
    own.forEach(({ site, slot }, at) => {
      this.#hashes.add(path, site.tail);
      traits[at * traitWords] = this.#nameOf(site.name);
      traits[at * traitWords + 1] = packTraits(site);
      traits[at * traitWords + 2] = slot;
    });
    const draft = {
      ...{ path, language, key, firstSymbol, ownCount: own.length, isMerged: false },
      ...{ slotCount: defined.length, useCount: used.length, run: this.#runs.add(defined, owns, used, traits) },
    };
    const number = this.#drafts.push(draft) - 1;
    for (const symbol of defined) this.#noteDefiner(symbol, number);
    for (const symbol of used) if (symbol > this.#mostSymbol) this.#mostSymbol = symbol;
    return number;
  }

  part(number: number): Part {
    const draft = this.#drafts[number]!;
    return { key: draft.key, ...this.#numbersOf(draft) };
  }

  /** Lets go of a document in favour of one of the same path that was added since. */
  drop(number: number): void {
    this.#drafts[number]!.isMerged = true;
  }

  get keys(): readonly (readonly [RepoPath, FactKey])[] {
    return this.#standing().map(({ path, key }) => [path, key]);
  }

  /** Everything that the documents speak of, and these by path, about rows. */
  numbered(meanings: SymbolMeanings): NumberedUpload {
    const numbers = this.#definedNumbers();
    const externals = this.#addExternals(numbers, meanings);
    const { hashes, rows } = this.#hashes.ordered(this.#isWanted());
    const names = [...this.#names.keys()].sort();
    const nameRows = new Uint32Array(names.length);
    names.forEach((name, index) => {
      nameRows[this.#names.get(name)!] = index + 1;
    });
    const drafts = this.#standing();
    const targetsOf = (draft: Draft): Uint32Array => {
      const ofDraft = this.#numbersOf(draft);
      const own = ownBeside(draft, ofDraft, numbers);
      const { used } = ofDraft;
      const targets = new Uint32Array(used.length);
      for (let at = 0; at < used.length; at++) {
        const number = own?.get(used[at]!) ?? numbers[used[at]!]! - 1;
        targets[at] = rows[number]!;
      }
      return targets;
    };
    return {
      first: {
        symbols: hashes,
        externals: externals.map(([number, target]) => [rows[number]!, target]),
        names,
        identity: 'descriptor',
      },
      digest: digestOf(hashes, drafts, targetsOf),
      documents: this.#packed(drafts, rows, nameRows, targetsOf),
    };
  }

  #numbersOf({ run, slotCount, useCount, ownCount }: Draft): Numbers {
    return {
      defined: this.#runs.read(run, 0, slotCount),
      owns: this.#runs.read(run, slotCount, slotCount),
      used: this.#runs.read(run, slotCount * 2, useCount),
      traits: this.#runs.read(run, slotCount * 2 + useCount, ownCount * traitWords),
    };
  }

  *#packed(
    drafts: readonly Draft[],
    rows: Uint32Array,
    nameRows: Uint32Array,
    targetsOf: (draft: Draft) => Uint32Array,
  ): Iterable<PackedDocument> {
    for (const draft of drafts) {
      const { path, language, key, firstSymbol } = draft;
      const defined = definitionsOf(firstSymbol, this.#numbersOf(draft), rows, nameRows);
      const body = packLinks({ ...defined, targets: targetsOf(draft), confidence: preciseMark });
      yield { path, language, key, isTest: isTestPath(path), body, questions: nothingAsked };
    }
  }

  #standing(): Draft[] {
    return this.#drafts.filter(draft => !draft.isMerged).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #nameOf(name: string): number {
    const number = this.#names.get(name) ?? this.#names.size;
    if (number === this.#names.size) this.#names.set(name, number);
    return number;
  }

  /** Where several define a symbol, the one that a reader more likely means, so that no order of documents matters. */
  #noteDefiner(symbol: number, draft: number): void {
    if (symbol >= this.#definers.length) {
      const more = new Uint32Array(Math.max(symbol + 1, this.#definers.length * 2));
      more.set(this.#definers);
      this.#definers = more;
    }
    const before = this.#definers[symbol]!;
    if (before === 0 || isRather(this.#drafts[draft]!.path, this.#drafts[before - 1]!.path)) {
      this.#definers[symbol] = draft + 1;
    }
  }

  /** By the index's symbol: our number of it, plus 1; 0 where no document defines it. */
  #definedNumbers(): Uint32Array {
    const numbers = new Uint32Array(Math.max(this.#definers.length, this.#mostSymbol + 1));
    this.#drafts.forEach((one, draft) => {
      const { firstSymbol } = one;
      const { defined, owns } = this.#numbersOf(one);
      for (let slot = 0; slot < defined.length; slot++) {
        const symbol = defined[slot]!;
        if (this.#definers[symbol] === draft + 1) numbers[symbol] = firstSymbol + owns[slot]! + 1;
      }
    });
    return numbers;
  }

  /** Adds symbols that are used and nowhere defined, each version of a package alike. */
  #addExternals(numbers: Uint32Array, meanings: SymbolMeanings): readonly (readonly [number, ExternalTarget])[] {
    const known = new Map<string, number>();
    const externals: [number, ExternalTarget][] = [];
    for (const draft of this.#drafts) {
      if (draft.isMerged) continue;
      for (const symbol of this.#numbersOf(draft).used) {
        if (numbers[symbol]! > 0) continue;
        const target = { kind: 'external' as const, ...meanings.external(symbol) };
        const text = `${target.manager}\0${target.package}\0${target.name}`;
        const number = known.get(text) ?? this.#hashes.add(`external:${target.manager}:${target.package}`, target.name);
        if (!known.has(text)) externals.push([number, target]);
        known.set(text, number);
        numbers[symbol] = number + 1;
      }
    }
    return externals;
  }

  #isWanted(): (number: number) => boolean {
    const merged = this.#drafts.filter(draft => draft.isMerged);
    const dropped = new Set<number>();
    for (const { firstSymbol, ownCount } of merged) {
      for (let own = 0; own < ownCount; own++) dropped.add(firstSymbol + own);
    }
    return number => !dropped.has(number);
  }
}

export interface NumberedUpload {
  readonly first: FirstRows;
  /** Of all symbols and what points at them, by document. */
  readonly digest: string;
  readonly documents: Iterable<PackedDocument>;
}

/** What a document defines and another one stands for: within itself, its own is meant. Undefined where there is none. */
function ownBeside(
  { firstSymbol }: Draft,
  { defined, owns }: Numbers,
  numbers: Uint32Array,
): ReadonlyMap<number, number> | undefined {
  let own: Map<number, number> | undefined;
  for (let slot = 0; slot < defined.length; slot++) {
    const number = firstSymbol + owns[slot]!;
    if (numbers[defined[slot]!] === number + 1) continue;
    own ??= new Map();
    own.set(defined[slot]!, number);
  }
  return own;
}

function isRather(path: string, other: string): boolean {
  return (
    Number(isTestPath(path)) - Number(isTestPath(other)) < 0 ||
    (isTestPath(path) === isTestPath(other) && path <= other)
  );
}

function digestOf(hashes: Buffer, drafts: readonly Draft[], targetsOf: (draft: Draft) => Uint32Array): string {
  const digest = createHash('sha256').update(hashes);
  for (const draft of drafts) digest.update(`${draft.path}\0${draft.key.hash}\n`).update(targetsOf(draft));
  return digest.digest('hex');
}

const nothingAsked = Buffer.alloc(0);

/** A document's own symbols by row, and of each slot the place of its symbol among them. */
function definitionsOf(
  firstSymbol: number,
  { owns, traits }: Numbers,
  rows: Uint32Array,
  nameRows: Uint32Array,
): { readonly definitions: Uint32Array; readonly slots: Uint32Array } {
  const count = traits.length / traitWords;
  const order = Uint32Array.from({ length: count }, (_, own) => own).sort(
    (a, b) => rows[firstSymbol + a]! - rows[firstSymbol + b]!,
  );
  const places = new Uint32Array(count);
  const definitions = new Uint32Array(count * definitionWords);
  order.forEach((own, place) => {
    const at = own * traitWords;
    places[own] = place;
    definitions.set([rows[firstSymbol + own]!, nameRows[traits[at]!]!, traits[at + 1]!, traits[at + 2]!], place * 4);
  });
  const slots = new Uint32Array(owns.length);
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = places[owns[slot]!]!;
  return { definitions, slots };
}
