import type { ScopeKey } from '../model/document.ts';
import { symbolHash } from '../model/identity.ts';
import type { DocumentLinks, Target } from '../model/links.ts';
import type { RepoPath } from '../model/paths.ts';
import { allGroups, type ReferenceGroups } from '../model/reference-groups.ts';
import { packAsked } from './asked.ts';
import { encodeLinks } from './link-encoding.ts';
import { linkContent, type SettledTarget } from './link-table.ts';
import type { FactKey, LinkedDocument } from './publication.ts';
import { hashesOf } from './symbol-hashes.ts';

export type ExternalTarget = Extract<Target, { readonly kind: 'external' }>;

/** Symbols by numbers that are given to them in the order of their arrival. */
export interface NumberedSymbols {
  /** The hash of each, one behind the other. */
  readonly hashes: Uint8Array;
  /** Those of dependencies, by number. */
  readonly externals: ReadonlyMap<number, ExternalTarget>;
}

/**
 * Links on their way into a publication, in little room: a tree's worth waits for the transaction that makes it visible,
 * and the facts that they were made from need not. Crosses threads as it is.
 */
export interface LinkBatch extends NumberedSymbols {
  /** By number, each once. */
  readonly names: readonly string[];
  readonly documents: Iterable<PlacedDocument>;
  /** Of each document its body, which speaks of the batch's numbers, and what it asked. */
  readonly bytes: Uint8Array;
}

export interface FinishedBatch extends LinkBatch {
  readonly documents: readonly PlacedDocument[];
}

interface DocumentHead {
  readonly path: RepoPath;
  readonly isTest: boolean;
  readonly language: string;
  readonly key: FactKey;
  /** Where some references were linked again, and the others are as they were: which. The body speaks of these alone. */
  readonly again: LinkedAgain | undefined;
}

export interface LinkedAgain {
  readonly groups: ReferenceGroups;
  /** Indexes of the references, ascending. */
  readonly references: readonly number[];
}

/** Where a document's body begins, where what it asked does, and where that ends. */
export interface PlacedDocument extends DocumentHead {
  readonly body: number;
  readonly questions: number;
  readonly end: number;
}

/** Links whose bodies speak of rows that are there. */
export interface NumberedLinks {
  /** A batch has them, and speaks of numbers of its own. */
  readonly names?: never;
  readonly documents: Iterable<PackedDocument>;
}

export interface PackedDocument extends DocumentHead {
  readonly body: Uint8Array;
  readonly questions: Uint8Array;
}

/** A batch that grows. */
export interface GrowingBatch {
  /** How many symbols it speaks of. */
  readonly size: number;
  /** Returns the body that was made of the document's links, and of which references where not of all. */
  add(one: LinkedDocument): { readonly body: Uint8Array; readonly again: readonly number[] | undefined };
  /** The hash, 32 hex digits, of a symbol of the repository by its number; undefined for one of a dependency. */
  hashOf(number: number): string | undefined;
  done(): FinishedBatch;
}

/** The documents of a batch; views of its bytes. */
export function* documentsOf({ documents, bytes }: LinkBatch): Iterable<PackedDocument> {
  for (const one of documents) {
    const { body, questions, end } = one;
    yield { ...one, body: bytes.subarray(body, questions), questions: bytes.subarray(questions, end) };
  }
}

/** The links of some documents as one batch. */
export function linkBatch(linked: Iterable<LinkedDocument>): FinishedBatch {
  const batch = growingBatch();
  for (const one of linked) batch.add(one);
  return batch.done();
}

/** Symbols whose hashes are remembered: most are mentioned again soon, or never. */
const hashesRemembered = 50_000;

export function growingBatch(): GrowingBatch {
  const symbols = new Map<string, number>();
  const hashes: string[] = [];
  const externals = new Map<number, ExternalTarget>();
  const names = new Map<string, number>();
  const documents: PlacedDocument[] = [];
  const parts: Uint8Array[] = [];
  let end = 0;
  const numbers = rememberedSymbols(hash => {
    const number = numberOf(symbols, hash);
    if (number === hashes.length) hashes.push(hash);
    return number;
  });
  const numbering = {
    nameOf: (text: string) => numberOf(names, text),
    symbolOf: numbers,
    symbolOfTarget: (target: SettledTarget) => {
      if (target.kind === 'symbol') return numbers(target.scope, target.tail);
      const number = numbers(`external:${target.manager}:${target.package}`, target.name);
      if (!externals.has(number)) externals.set(number, target);
      return number;
    },
  };
  return {
    get size() {
      return hashes.length;
    },
    add: one => {
      const { path, isTest, facts } = one.document;
      const body = encodeLinks(linkContent(one, numbering));
      const questions = packAsked(one.links.questions);
      const places = { body: end, questions: end + body.length, end: end + body.length + questions.length };
      const again = linkedAgain(one.links);
      documents.push({ path, isTest, language: facts.language, key: one.key, again, ...places });
      parts.push(body, questions);
      end = places.end;
      return { body, again: again?.references };
    },
    hashOf: number => (externals.has(number) ? undefined : hashes[number]),
    done: () => ({
      hashes: hashesOf(hashes),
      externals,
      names: [...names.keys()],
      documents,
      bytes: joined(parts, end),
    }),
  };
}

function linkedAgain({ targets, linked }: DocumentLinks): LinkedAgain | undefined {
  if (linked === allGroups) return undefined;
  const references: number[] = [];
  for (let at = 0; at < targets.length; at++) if (targets[at]!.kind !== 'kept') references.push(at);
  return { groups: linked, references };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function numberOf(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size;
  if (number === known.size) known.set(text, number);
  return number;
}

function rememberedSymbols(numberOf: (hash: string) => number): (scope: string, tail: string) => number {
  const scopes = new Map<string, Map<string, number>>();
  let count = 0;
  return (scope, tail) => {
    const known = scopes.get(scope)?.get(tail);
    if (known !== undefined) return known;
    if (++count > hashesRemembered) {
      scopes.clear();
      count = 1;
    }
    const number = numberOf(symbolHash(scope as ScopeKey, tail));
    const tails = scopes.get(scope);
    if (tails === undefined) scopes.set(scope, new Map([[tail, number]]));
    else tails.set(tail, number);
    return number;
  };
}
