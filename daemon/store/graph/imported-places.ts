import type { ScopeKey } from '../../model/document.ts';
import { symbolHash } from '../../model/identity.ts';
import { firstDocument, lastDocument, type Prepare } from '../rows.ts';

/** Of the symbol that stands for a file (its path) or for a scope where they are imported, 32 hex digits. */
export function placeHash(scope: string): string {
  return symbolHash(scope as ScopeKey, '');
}

/** The documents that files and scopes are, by their symbols: read when first asked for, then brought along. */
export class ImportedPlaces {
  readonly #repo: number;
  readonly #prepare: Prepare;
  /** By hash. */
  readonly #files = new Map<string, number>();
  /** All documents up to this one are among the files. */
  #last: number;
  readonly #hashes = new Map<number, string | undefined>();
  #scopes: Scopes | undefined;

  constructor(repo: number, prepare: Prepare) {
    this.#repo = repo;
    this.#prepare = prepare;
    this.#last = firstDocument(repo) - 1;
  }

  /** The document of a file, whether anybody reads it or not. */
  documentOf(symbol: number): readonly number[] {
    const hash = this.#hashOf(symbol);
    if (hash === undefined) return [];
    if (!this.#files.has(hash)) this.#addFiles();
    const document = this.#files.get(hash);
    return document === undefined ? [] : [document];
  }

  /** The documents of a scope in the snapshot. */
  documentsIn(symbol: number, seq: number): readonly number[] {
    const hash = this.#hashOf(symbol);
    return hash === undefined ? [] : this.#inScope(hash, seq);
  }

  /** The same of a scope that no import need lead to. */
  documentsOf(scope: ScopeKey, seq: number): readonly number[] {
    return this.#inScope(placeHash(scope), seq);
  }

  /** A number that nothing led to any more may have been given to another symbol. */
  forget(symbol: number): void {
    this.#hashes.delete(symbol);
  }

  /** Some documents are otherwise at a later sequence. */
  advanceTo(seq: number, changed: readonly { readonly document: number }[]): void {
    this.#addFiles();
    const scopes = this.#scopes;
    if (scopes === undefined) return;
    const find = this.#prepare<[number, number, number], { scope: string }>(
      'SELECT scope FROM entry WHERE document = ? AND from_seq <= ? AND to_seq > ?',
    );
    for (const { document } of changed) place(scopes, document, find.get(document, seq, seq)?.scope);
  }

  #inScope(hash: string, seq: number): readonly number[] {
    this.#scopes ??= this.#allScopes(seq);
    return [...(this.#scopes.documents.get(hash) ?? [])];
  }

  #hashOf(symbol: number): string | undefined {
    if (!this.#hashes.has(symbol)) {
      const find = this.#prepare<[number], { hash: Buffer }>('SELECT hash FROM symbol WHERE id = ?');
      this.#hashes.set(symbol, find.get(symbol)?.hash.toString('hex'));
    }
    return this.#hashes.get(symbol);
  }

  /** A path that comes back after it was forgotten has another document, which comes later. */
  #addFiles(): void {
    const come = this.#prepare<[number, number], { id: number; path: string }>(
      'SELECT id, path FROM document WHERE id > ? AND id <= ? ORDER BY id',
    ).all(this.#last, lastDocument(this.#repo));
    for (const { id, path } of come) this.#files.set(placeHash(path), id);
    this.#last = come.at(-1)?.id ?? this.#last;
  }

  #allScopes(seq: number): Scopes {
    const scopes: Scopes = { documents: new Map(), of: new Map() };
    const rows = this.#prepare<[number, number, number, number], { document: number; scope: string }>(
      'SELECT document, scope FROM entry WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
    ).all(firstDocument(this.#repo), lastDocument(this.#repo), seq, seq);
    for (const { document, scope } of rows) place(scopes, document, scope);
    return scopes;
  }
}

interface Scopes {
  /** By the hash of the scope. */
  readonly documents: Map<string, Set<number>>;
  /** By document, the hash of its scope. */
  readonly of: Map<number, string>;
}

/** Scopes of one file are named as the file is. */
const ofSeveral = /^(?:go|java|kotlin):/;

function place({ documents, of }: Scopes, document: number, scope: string | undefined): void {
  const before = of.get(document);
  const now = scope !== undefined && ofSeveral.test(scope) ? placeHash(scope) : undefined;
  if (before === now) return;
  if (before !== undefined) documents.get(before)?.delete(document);
  if (now === undefined) of.delete(document);
  else {
    of.set(document, now);
    documents.set(now, (documents.get(now) ?? new Set()).add(document));
  }
}
