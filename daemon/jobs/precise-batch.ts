import type { ScipOccurrences } from '../extract/scip/occurrences.ts';
import type { ScipSymbols } from '../extract/scip/symbol-table.ts';
import { type JoinedTargets, joinDefinitions, joinReferences } from '../link/precise-join.ts';
import type { ScopeKey } from '../model/document.ts';
import type { FactsView } from '../model/facts-codec.ts';
import { symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { RepoPath } from '../model/paths.ts';
import type { PreciseContent } from '../model/precise.ts';
import { contextIn, type InputDigests } from '../store/inputs.ts';
import type { ExternalTarget } from '../store/link-batch.ts';
import type { PreciseBatch, PreciseDocument } from '../store/precise-table.ts';
import type { FactKey } from '../store/publication.ts';
import { digestOf } from '../store/rows.ts';
import type { StoredSyntax } from '../store/stored-targets.ts';
import { hashesOf } from '../store/symbol-hashes.ts';
import { OwnPackages, symbolWithoutVersion } from './own-packages.ts';

/** A document as the indexer saw it. */
export interface KeptDocument {
  readonly path: RepoPath;
  readonly key: FactKey;
  readonly scope: ScopeKey;
  readonly facts: FactsView;
  readonly occurrences: ScipOccurrences;
}

export interface JoinedIndex extends PreciseBatch {
  readonly documents: readonly PreciseDocument[];
  /** Documents of which not all references can be told, and that were left out for it. */
  readonly incomplete: number;
}

/** The documents that were kept of an index, their references pointing at symbols of ours or of others. */
export function preciseBatch(index: {
  readonly kept: readonly KeptDocument[];
  /** Those of them that tell where symbols are defined, and of whose references too much is lost. */
  readonly damaged: ReadonlySet<RepoPath>;
  /** Symbols that some document of the index defines: one of those that is none of ours says nothing. */
  readonly defined: ReadonlySet<number>;
  /** Those that documents define of which nobody knows what the indexer saw, nor then what of ours they are. */
  readonly lost: ReadonlySet<number>;
  readonly symbols: ScipSymbols;
  readonly indexer: string;
  readonly isImported: boolean;
  /** All that the indexer had to read; undefined where nobody knows. */
  readonly inputs: InputDigests | undefined;
  /** Of the tree that the indexer saw. */
  readonly syntax: StoredSyntax;
}): JoinedIndex {
  const { kept, damaged, indexer, isImported, inputs } = index;
  const targets = new Targets(index);
  let incomplete = 0;
  const documents = kept.flatMap(document => {
    if (damaged.has(document.path)) return [];
    // What is not listed there would be taken for what is not used.
    if (targets.misses(document)) {
      incomplete++;
      return [];
    }
    const named = targets.named(document);
    const said = { ...joinReferences(document.occurrences, document.facts, targets.in(document)), named };
    const { path, key } = document;
    const content = digestOfContent(document, said, targets.hashes);
    const context = inputs === undefined ? '' : contextIn(inputs, key.dialect);
    return [{ path, key, indexer, isImported, content, context, said }];
  });
  return { hashes: hashesOf(targets.hashes), externals: targets.externals, documents, incomplete };
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
  readonly #index: Parameters<typeof preciseBatch>[0];
  readonly #joined: JoinedDefinitions;
  readonly #packages: OwnPackages;
  readonly #known = new Map<number, number>();
  /** By target, its row in the index file. */
  readonly #rows = new Map<number, number | undefined>();

  constructor(index: Parameters<typeof preciseBatch>[0]) {
    this.#index = index;
    this.#joined = joinedDefinitions(index.kept);
    this.#packages = new OwnPackages(index.symbols, index.defined, this.#joined.symbols);
  }

  /** -1 where nothing can be said of the symbol. */
  of(symbol: number): number {
    const known = this.#known.get(symbol);
    if (known !== undefined) return known;
    const hash = this.#ours(symbol);
    const number = hash === undefined ? this.#external(symbol) : this.#numberOf(hash);
    this.#known.set(symbol, number);
    return number;
  }

  in({ path, key }: KeptDocument): JoinedTargets {
    const links = this.#index.syntax.linksOf(path, key);
    return {
      of: symbol => this.of(symbol),
      isBySyntax: (reference, target) => {
        const row = links === undefined ? undefined : this.#rowOf(target);
        return row !== undefined && links!.sureness(reference, row) >= leastSureness;
      },
    };
  }

  /** Whether a document uses what is lost. */
  misses({ occurrences: { count, symbol } }: KeptDocument): boolean {
    if (this.#index.lost.size === 0) return false;
    for (let at = 0; at < count; at++) if (this.#isLost(symbol[at]!)) return true;
    return false;
  }

  #isLost(symbol: number): boolean {
    if (!this.#index.lost.has(symbol) || this.#joined.symbols.has(symbol)) return false;
    return definesOurs.test(this.#index.symbols.text(symbol));
  }

  /** Slots of a document's definitions that the index has a name for, ascending. */
  named(document: KeptDocument): readonly number[] {
    return [...(this.#joined.slots.get(document) ?? [])].sort((a, b) => a - b);
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

  #ours(symbol: number): string | undefined {
    const found = this.#joined.symbols.get(symbol);
    if (found === undefined) return undefined;
    const tail = found.document.facts.definitionTail(found.slot);
    return symbolHash(scopeOfTail(found.document, tail), tail);
  }

  /** Without version. -1 of what a document defines that the tree has not, and of packages that are ours and have it not. */
  #external(symbol: number): number {
    if (this.#index.defined.has(symbol)) return -1;
    const named = symbolWithoutVersion(this.#index.symbols.text(symbol));
    if (named === undefined) return -1;
    if (this.#packages.has(named)) {
      const same = this.#packages.symbolOf(named);
      const hash = same === undefined ? undefined : this.#ours(same);
      return hash === undefined ? -1 : this.#numberOf(hash);
    }
    const { manager, package: packageName, name } = named;
    const hash = symbolHash(`external:${manager}:${packageName}` as ScopeKey, name);
    const number = this.#numberOf(hash);
    this.externals.set(number, { kind: 'external', manager, package: packageName, name });
    return number;
  }
}

/** Which of our definitions an index's symbols are, by where both stand. */
interface JoinedDefinitions {
  readonly symbols: ReadonlyMap<number, { readonly document: KeptDocument; readonly slot: number }>;
  readonly slots: ReadonlyMap<KeptDocument, ReadonlySet<number>>;
}

function joinedDefinitions(kept: readonly KeptDocument[]): JoinedDefinitions {
  const symbols = new Map<number, { readonly document: KeptDocument; readonly slot: number }>();
  const slots = new Map<KeptDocument, Set<number>>();
  for (const document of kept) {
    const named = new Set<number>();
    for (const [symbol, meant] of slotsMeant(document)) {
      for (const slot of meant) named.add(slot);
      if (!symbols.has(symbol)) symbols.set(symbol, { document, slot: meant[0] });
    }
    slots.set(document, named);
  }
  return { symbols, slots };
}

/**
 * The slots of ours that each of an index's symbols stands for in a document, the first ahead. One that stands for several
 * of our symbols (scip-python calls the functions inside the overloads of a method by one name) tells nothing of them.
 */
function slotsMeant({ occurrences, facts }: KeptDocument): ReadonlyMap<number, readonly [number, ...number[]]> {
  const meant = new Map<number, [number, ...number[]]>();
  joinDefinitions(occurrences, facts, (symbol, slot) => {
    if (slot < 0) return;
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

/** Over where each occurrence stands, what it means and what it hangs on, in one order: the same wherever it was joined. */
function digestOfContent({ path, key, facts }: KeptDocument, said: PreciseContent, hashes: readonly string[]): Buffer {
  const rows: string[] = [];
  for (let at = 0; at < said.occurrences.length; at += 2) {
    const index = said.occurrences[at + 1]! >>> 1;
    const tied = (said.occurrences[at + 1]! & 1) === 1 ? ' tied' : '';
    const extra = said.extras[index - said.referenceCount];
    const line = extra?.line ?? facts.referenceRange(index).startLine;
    const column = extra?.column ?? facts.referenceRange(index).startColumn;
    rows.push(`${line} ${column} ${extra?.kind ?? ''} ${hashes[said.occurrences[at]!]}${tied}`);
  }
  return digestOf(path, key.hash, key.dialect, key.version, rows.sort().join('\n'), said.named.join(' '));
}
