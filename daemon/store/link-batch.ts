import type { ScopeKey } from '../model/document.ts';
import { symbolHash } from '../model/identity.ts';
import type { Target } from '../model/links.ts';
import type { RepoPath } from '../model/paths.ts';
import { encodeLinks } from './link-body.ts';
import { linkContent } from './link-table.ts';
import type { FactKey, LinkedDocument } from './publication.ts';
import { packedQuestions } from './questions.ts';

export type ExternalTarget = Extract<Target, { readonly kind: 'external' }>;

/**
 * Links on their way into a publication, in little room: a tree's worth waits for the transaction that makes it visible,
 * and the facts that they were made from need not. Each symbol and name is kept once and numbered in the order of arrival.
 */
export interface LinkBatch {
  /** Symbol hash, 32 hex digits → number. */
  readonly symbols: ReadonlyMap<string, number>;
  /** By symbol hash. */
  readonly externals: ReadonlyMap<string, ExternalTarget>;
  readonly names: ReadonlyMap<string, number>;
  readonly documents: Iterable<PackedDocument>;
}

/** Links whose bodies speak of rows that are there. */
export interface NumberedLinks {
  readonly documents: Iterable<PackedDocument>;
}

export interface PackedDocument {
  readonly path: RepoPath;
  readonly isTest: boolean;
  readonly language: string;
  readonly key: FactKey;
  /** A link body; in a batch it speaks of the batch's numbers in place of rows. */
  readonly body: Uint8Array;
  readonly questions: Buffer;
}

/** A batch that grows. */
export interface GrowingBatch extends LinkBatch {
  readonly documents: readonly PackedDocument[];
  add(one: LinkedDocument): void;
  /** Tells the hash of a symbol of the repository by its number; undefined for one of a dependency. */
  hashes(): (number: number) => string | undefined;
}

/** Symbols whose hashes are remembered: most are mentioned again soon, or never. */
const hashesRemembered = 50_000;

export function linkBatch(linked: Iterable<LinkedDocument> = []): GrowingBatch {
  const symbols = new Map<string, number>();
  const externals = new Map<string, ExternalTarget>();
  const names = new Map<string, number>();
  const documents: PackedDocument[] = [];
  const numbers = rememberedSymbols(hash => numberOf(symbols, hash));
  const numbering = {
    nameOf: (text: string) => numberOf(names, text),
    symbolOf: (scope: string, tail: string) => numbers(scope, tail).number,
    symbolOfTarget: (target: Exclude<Target, { readonly kind: 'candidate' | 'own' }>) => {
      if (target.kind === 'symbol') return numbers(target.scope, target.tail).number;
      const { hash, number } = numbers(`external:${target.manager}:${target.package}`, target.name);
      if (!externals.has(hash)) externals.set(hash, target);
      return number;
    },
  };
  const add = (one: LinkedDocument): void => {
    const { path, isTest, facts } = one.document;
    const body = encodeLinks(linkContent(one, numbering));
    const questions = packedQuestions(one.links.questions);
    documents.push({ path, isTest, language: facts.language, key: one.key, body, questions });
  };
  for (const one of linked) add(one);
  const hashes = () => hashesByNumber({ symbols, externals });
  return { symbols, externals, names, documents, add, hashes };
}

/** Numbers are given in the order in which symbols arrive, which is the order of the map. */
function hashesByNumber({
  symbols,
  externals,
}: Pick<LinkBatch, 'symbols' | 'externals'>): (number: number) => string | undefined {
  const arriving = symbols.keys();
  const arrived: (string | undefined)[] = [];
  return number => {
    while (arrived.length <= number) {
      const hash = arriving.next().value!;
      arrived.push(externals.has(hash) ? undefined : hash);
    }
    return arrived[number];
  };
}

function numberOf(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size;
  if (number === known.size) known.set(text, number);
  return number;
}

interface NumberedSymbol {
  readonly hash: string;
  readonly number: number;
}

function rememberedSymbols(numberOf: (hash: string) => number): (scope: string, tail: string) => NumberedSymbol {
  const scopes = new Map<string, Map<string, NumberedSymbol>>();
  let count = 0;
  return (scope, tail) => {
    const known = scopes.get(scope)?.get(tail);
    if (known !== undefined) return known;
    if (++count > hashesRemembered) {
      scopes.clear();
      count = 1;
    }
    const hash = symbolHash(scope as ScopeKey, tail);
    const symbol = { hash, number: numberOf(hash) };
    const tails = scopes.get(scope);
    if (tails === undefined) scopes.set(scope, new Map([[tail, symbol]]));
    else tails.set(tail, symbol);
    return symbol;
  };
}
