import type { ExternalShelf } from '../../extract/scip/external-shelf.ts';
import type { KeptOccurrences } from '../../extract/scip/occurrence-shelf.ts';
import type { ScipOccurrences } from '../../extract/scip/occurrences.ts';
import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { scipDescriptors } from '../../extract/scip/symbol-grammar.ts';
import { kindOfScip } from '../../extract/scip/symbol-kind.ts';
import type { ScipSymbols } from '../../extract/scip/symbol-table.ts';
import { type JoinedTargets, joinDefinitions, joinReferences } from '../../link/precise-join.ts';
import type { ScopeKey } from '../../model/document.ts';
import { FactsView } from '../../model/facts-codec.ts';
import { symbolHash } from '../../model/identity.ts';
import { scopeOfTail } from '../../model/mount.ts';
import { NumberSet } from '../../model/number-set.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { PreciseContent } from '../../model/precise.ts';
import type { ExternalTold } from '../../store/external-rows.ts';
import { contextIn, type InputDigests } from '../../store/inputs.ts';
import type { ExternalTarget } from '../../store/link-batch.ts';
import type { PreciseBatch, PreciseDocument } from '../../store/precise-table.ts';
import type { FactKey } from '../../store/publication.ts';
import { digestOf } from '../../store/rows.ts';
import type { StoredSyntax } from '../../store/stored-targets.ts';
import { hashesOf } from '../../store/symbol-hashes.ts';
import { OwnPackages, symbolWithoutVersion } from './own-packages.ts';
import { SaidShelf } from './said-shelf.ts';

/** A document as the indexer saw it. */
export interface KeptDocument {
  readonly path: RepoPath;
  readonly key: FactKey;
  readonly scope: ScopeKey;
  readonly occurrences: KeptOccurrences;
}

/** One that is looked at. */
interface OpenDocument extends Omit<KeptDocument, 'occurrences'> {
  readonly occurrences: ScipOccurrences;
  readonly facts: FactsView;
}

export interface JoinedIndex extends PreciseBatch {
  readonly documents: readonly JoinedDocument[];
  /** Documents of which not all references can be told, and that were left out for it. */
  readonly incomplete: number;
}

export interface JoinedDocument extends PreciseDocument {
  readonly occurrenceCount: number;
}

/** The documents that were kept of an index, their references pointing at symbols of ours or of others. */
export function preciseBatch(index: {
  readonly kept: readonly KeptDocument[];
  /** Those of them that tell where symbols are defined, and of whose references too much is lost. */
  readonly damaged: ReadonlySet<RepoPath>;
  /** Symbols that some document of the index defines: one of those that is none of ours says nothing. */
  readonly defined: NumberSet;
  /** Those that documents define of which nobody knows what the indexer saw, nor then what of ours they are. */
  readonly lost: NumberSet;
  /** What it tells of symbols of dependencies. */
  readonly externals: ExternalShelf;
  readonly symbols: ScipSymbols;
  readonly indexer: string;
  readonly isImported: boolean;
  /** All that the indexer had to read; undefined where nobody knows. */
  readonly inputs: InputDigests | undefined;
  /** Of the tree that the indexer saw. */
  readonly syntax: StoredSyntax;
  /** Encoded facts of what was kept. */
  readonly facts: (key: FactKey) => Uint8Array | undefined;
  /** For what is as large as the index. What is said of documents lies in it until it is published. */
  readonly memory: ScratchMemory;
}): JoinedIndex {
  const { kept, damaged, indexer, isImported, inputs } = index;
  const opened = (document: KeptDocument): OpenDocument => ({
    ...document,
    occurrences: document.occurrences.read(),
    facts: new FactsView(index.facts(document.key)!),
  });
  const targets = new Targets(index, opened);
  const shelf = new SaidShelf(index.memory);
  let incomplete = 0;
  const documents = kept.flatMap((closed, number) => {
    if (damaged.has(closed.path)) return [];
    const document = opened(closed);
    // What is not listed there would be taken for what is not used.
    if (targets.misses(document)) {
      incomplete++;
      return [];
    }
    const named = targets.named(number);
    const said = { ...joinReferences(document.occurrences, document.facts, targets.in(document)), named };
    const { path, key } = document;
    const content = digestOfContent(document, said, targets.hashes);
    const context = inputs === undefined ? '' : contextIn(inputs, key.dialect);
    const occurrenceCount = said.occurrences.length / 2;
    return [{ path, key, indexer, isImported, content, context, said: shelf.put(said), occurrenceCount }];
  });
  const { externals } = targets;
  return { hashes: hashesOf(targets.hashes), externals, told: () => targets.told(), documents, incomplete };
}

/** How symbols end that are definitions of ours: types, terms, methods and macros; no files, parameters and type parameters. */
const definesOurs = /[#.!]$/u;

/** In hundredths: links that are less sure are guesses, which end for reasons of their own. */
const leastSureness = 80;

/** The symbols that an index points at, numbered as they come. */
class Targets {
  readonly externals = new Map<number, ExternalTarget>();
  /** By number, 32 hex digits. */
  readonly hashes: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By number of one of a dependency, the symbol of the index that something is told of. */
  readonly #telling = new Map<number, number>();
  readonly #index: Parameters<typeof preciseBatch>[0];
  readonly #joined: JoinedDefinitions;
  readonly #packages: OwnPackages;
  /** By symbol, its target + 2; 0: not asked for yet. */
  readonly #known: PagedNumbers;
  /** By target, its row in the index file. */
  readonly #rows = new Map<number, number | undefined>();

  constructor(index: Parameters<typeof preciseBatch>[0], opened: (document: KeptDocument) => OpenDocument) {
    const { kept, symbols, defined, memory } = index;
    this.#index = index;
    this.#joined = new JoinedDefinitions(symbols.count, memory);
    for (const document of kept) this.#joined.add(opened(document));
    this.#packages = new OwnPackages(symbols, defined, this.#joined.symbols);
    this.#known = memory.numbers(symbols.count);
  }

  /** -1 where nothing can be said of the symbol. */
  of(symbol: number): number {
    const known = this.#known.get(symbol) - 2;
    if (known > -2) return known;
    const hash = this.#joined.hashOf(symbol);
    const number = hash === undefined ? this.#external(symbol) : this.#numberOf(hash);
    this.#known.set(symbol, number + 2);
    return number;
  }

  in(document: OpenDocument): JoinedTargets {
    const links = this.#index.syntax.linksOf(document.path, document.key);
    return {
      of: symbol => this.of(symbol),
      isBySyntax: (reference, target) => {
        const row = links === undefined ? undefined : this.#rowOf(target);
        return row !== undefined && links!.sureness(reference, row) >= leastSureness;
      },
      isSiteOf: (slot, target) => hashOfSlot(document, slot) === this.hashes[target],
    };
  }

  /** Whether a document uses what is lost. */
  misses({ occurrences: { count, symbol } }: OpenDocument): boolean {
    if (this.#index.lost.size === 0) return false;
    for (let at = 0; at < count; at++) if (this.#isLost(symbol[at]!)) return true;
    return false;
  }

  #isLost(symbol: number): boolean {
    if (!this.#index.lost.has(symbol) || this.#joined.symbols.has(symbol)) return false;
    return definesOurs.test(this.#index.symbols.text(symbol));
  }

  /** Slots of a document's definitions that the index has a name for, ascending. */
  named(document: number): ArrayLike<number> {
    return this.#joined.slots[document]!;
  }

  #rowOf(target: number): number | undefined {
    if (!this.#rows.has(target)) this.#rows.set(target, this.#index.syntax.rowOf(this.hashes[target]!));
    return this.#rows.get(target);
  }

  #numberOf(hash: string): number {
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    this.#numbers.set(hash, this.hashes.length);
    return this.hashes.push(hash) - 1;
  }

  /** Without version. -1 of what a document defines that the tree has not, and of packages that are ours and have it not. */
  #external(symbol: number): number {
    if (this.#index.defined.has(symbol)) return -1;
    const named = symbolWithoutVersion(this.#index.symbols.text(symbol));
    if (named === undefined) return -1;
    if (this.#packages.has(named)) {
      const same = this.#packages.symbolOf(named);
      const hash = same === undefined ? undefined : this.#joined.hashOf(same);
      return hash === undefined ? -1 : this.#numberOf(hash);
    }
    const { manager, package: packageName, name } = named;
    const hash = symbolHash(`external:${manager}:${packageName}` as ScopeKey, name);
    const number = this.#numberOf(hash);
    this.externals.set(number, { kind: 'external', manager, package: packageName, name });
    if (this.#index.externals.of(symbol) !== undefined) this.#telling.set(number, symbol);
    return number;
  }

  *told(): Generator<readonly [number: number, told: ExternalTold]> {
    for (const [number, symbol] of this.#telling) {
      const { kind, written, signature, documentation } = this.#index.externals.of(symbol)!;
      const descriptors = scipDescriptors(this.externals.get(number)!.name) ?? [];
      yield [number, { kind: kindOfScip(kind, written, descriptors), signature, documentation }];
    }
  }
}

/** Of a symbol's hash. */
const hashWords = 4;

/** Which of our definitions an index's symbols are, by where both stand. */
class JoinedDefinitions {
  /** By document, the slots that the index has a name for, ascending. */
  readonly slots: ArrayLike<number>[] = [];
  /** All symbols of the index that are definitions of ours. */
  readonly symbols = new NumberSet();
  /** By symbol, the hash of ours. */
  readonly #hashes: PagedNumbers;

  constructor(symbols: number, memory: ScratchMemory) {
    this.#hashes = memory.numbers(symbols * hashWords);
  }

  /** They come one after the other: of a symbol that several define the first counts. */
  add(document: OpenDocument): void {
    const named = new Set<number>();
    for (const [symbol, meant] of slotsMeant(document)) {
      for (const slot of meant) named.add(slot);
      if (this.symbols.has(symbol)) continue;
      this.symbols.add(symbol);
      const hash = Buffer.from(hashOfSlot(document, meant[0]), 'hex');
      for (let word = 0; word < hashWords; word++)
        this.#hashes.set(symbol * hashWords + word, hash.readInt32LE(word * 4));
    }
    this.slots.push(Int32Array.from(named).sort());
  }

  /** Of the definition that a symbol is, 32 hex digits. */
  hashOf(symbol: number): string | undefined {
    if (!this.symbols.has(symbol)) return undefined;
    return Buffer.from(this.#hashes.slice(symbol * hashWords, hashWords).buffer).toString('hex');
  }
}

function hashOfSlot(document: OpenDocument, slot: number): string {
  const tail = document.facts.definitionTail(slot);
  return symbolHash(scopeOfTail(document, tail), tail);
}

/**
 * The slots of ours that each of an index's symbols stands for in a document, the first ahead. One that stands for several
 * of our symbols (scip-python calls the functions inside the overloads of a method by one name) tells nothing of them.
 */
function slotsMeant({ occurrences, facts }: OpenDocument): ReadonlyMap<number, readonly [number, ...number[]]> {
  const meant = new Map<number, [number, ...number[]]>();
  joinDefinitions(occurrences, facts, (symbol, slot) => {
    if (slot < 0 || isWhateverElse(facts, slot)) return;
    const known = meant.get(symbol);
    if (known === undefined) meant.set(symbol, [slot]);
    else known.push(slot);
  });
  for (const [symbol, [first, ...others]] of meant) {
    const tail = facts.definitionTail(first);
    if (others.some(slot => facts.definitionTail(slot) !== tail)) meant.delete(symbol);
  }
  return meant;
}

/** `declare module '*'`: a module of which nothing is known, in whose name an indexer finds what it finds nowhere. */
function isWhateverElse(facts: FactsView, slot: number): boolean {
  return facts.definitionTraits(slot).kind === 'module' && facts.definitionName(slot).includes('*');
}

/** Over where each occurrence stands, what it means and what it hangs on, in one order: the same wherever it was joined. */
function digestOfContent({ path, key, facts }: OpenDocument, said: PreciseContent, hashes: readonly string[]): Buffer {
  const rows: string[] = [];
  for (let at = 0; at < said.occurrences.length; at += 2) {
    const index = said.occurrences[at + 1]! >>> 1;
    const tied = (said.occurrences[at + 1]! & 1) === 1 ? ' tied' : '';
    const extra = said.extras[index - said.referenceCount];
    const line = extra?.line ?? facts.referenceRange(index).startLine;
    const column = extra?.column ?? facts.referenceRange(index).startColumn;
    rows.push(`${line} ${column} ${extra?.kind ?? ''} ${hashes[said.occurrences[at]!]}${tied}`);
  }
  return digestOf(path, key.hash, key.dialect, key.version, rows.sort().join('\n'), Array.from(said.named).join(' '));
}
