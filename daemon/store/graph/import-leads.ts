import type { FileImport, ImportTarget } from '../../model/file-graph.ts';
import type { ImportedSymbol } from '../../model/imported-symbol.ts';
import { externalRow } from '../external-rows.ts';
import { type Prepare, pathOf } from '../rows.ts';
import type { DocumentImports } from './document-imports.ts';
import { ImportedPlaces } from './imported-places.ts';

/** Where an import of a document leads: to documents, by their numbers, or to a file that is none. */
export type Lead =
  | { readonly kind: 'documents'; readonly documents: readonly number[] }
  | { readonly kind: 'path'; readonly path: string }
  | Exclude<ImportTarget, { kind: 'files' }>;

export type LedImport = Omit<FileImport, 'from' | 'target'> & { readonly to: Lead };

/** A document's imports, and behind them what it uses without one: a file of its package, or one that is loaded by name. */
export function ledImports(one: DocumentImports, meanings: ImportMeanings): readonly LedImport[] {
  const used = usedDocuments(one, meanings);
  const led = one.imports.flatMap(({ targets, specifier, line, typeOnly, isTest }): LedImport[] => {
    const rest = { line, typeOnly, isTest, implicit: false };
    const found = mergedLeads(targets.map(target => leadOf(target, one, used, meanings)));
    if (found.length > 0) return found.map(to => ({ ...rest, to }));
    // What it leads to is known, and nothing of it is used or there.
    if (targets.length > 0) return [];
    return [{ ...rest, to: { kind: 'unknown', specifier, isLocal: isLocal(specifier) } }];
  });
  const namedIn = (some: readonly LedImport[]): ReadonlySet<number> =>
    new Set(some.flatMap(({ to }) => (to.kind === 'documents' ? to.documents : [])));
  const [named, namedByCode] = [namedIn(led), namedIn(led.filter(({ isTest }) => !isTest))];
  const implied = [...used]
    .filter(([document, { isNamed, isTest }]) => isNamed && !(isTest ? named : namedByCode).has(document))
    .sort(([, a], [, b]) => (a.path < b.path ? -1 : 1));
  return [
    ...led,
    ...implied.map(([document, { line, isTest }]): LedImport => {
      const to: Lead = { kind: 'documents', documents: [document] };
      return { line, typeOnly: false, isTest, implicit: true, to };
    }),
  ];
}

/** What a document uses of another. */
interface Use {
  /** Of that document. */
  readonly path: string;
  /** 1-based, of the first. */
  readonly line: number;
  /** Some of it by its own name, not as a member alone. */
  readonly isNamed: boolean;
  /** Test code alone does. */
  readonly isTest: boolean;
}

/**
 * Documents that define what one uses. Of what several define in parts those that define something else of it as well, else
 * the first.
 */
function usedDocuments(one: DocumentImports, meanings: ImportMeanings): ReadonlyMap<number, Use> {
  const used = new Map<number, Use>();
  const put = ({ document, path }: DocumentImports, { line, isNamed, isTest }: Omit<Use, 'path'>): void => {
    const known = used.get(document) ?? { line, isNamed, isTest };
    used.set(document, {
      path,
      line: Math.min(known.line, line),
      isNamed: known.isNamed || isNamed,
      isTest: known.isTest && isTest,
    });
  };
  const inParts: { readonly definers: readonly DocumentImports[]; readonly use: Omit<Use, 'path'> }[] = [];
  for (const { symbol, line, isTest } of one.uses) {
    const use = { line, isTest, isNamed: meanings.isNamed(symbol) };
    const definers = meanings.definersOf(symbol);
    if (definers.length > 1) inParts.push({ definers, use });
    else for (const definer of definers) put(definer, use);
  }
  for (const { definers, use } of inParts) {
    if (definers.some(({ document }) => used.has(document) || document === one.document)) continue;
    put(firstOf(definers, one), use);
  }
  used.delete(one.document);
  return used;
}

function leadOf(
  { kind, symbol }: ImportedSymbol,
  one: DocumentImports,
  used: ReadonlyMap<number, Use>,
  meanings: ImportMeanings,
): Lead | undefined {
  switch (kind) {
    case 'file':
      return meanings.fileOf(symbol);
    case 'external':
      return meanings.external(symbol);
    case 'scope':
      return documentsOf(meanings.inScope(symbol), one, used, 'one of them');
    case 'definition':
      return documentsOf([...meanings.definersOf(symbol), ...meanings.openersOf(symbol)], one, used, 'none');
  }
}

/**
 * Of several files that an import may mean those that are used. Where none is, a package is imported for what it does by
 * itself, and its first file stands for it; of a namespace, which may be spread over the whole repository, nothing does.
 */
function documentsOf(
  all: readonly DocumentImports[],
  one: DocumentImports,
  used: ReadonlyMap<number, Use>,
  otherwise: 'one of them' | 'none',
): Lead | undefined {
  const others = all.filter(({ document }) => document !== one.document);
  const meant = others.filter(({ document }) => used.has(document));
  if (meant.length > 0) return { kind: 'documents', documents: meant.map(({ document }) => document) };
  if (others.length === 0 || (others.length > 1 && otherwise === 'none')) return undefined;
  return { kind: 'documents', documents: [firstOf(others, one).document] };
}

/** What a document sees first of several: no tests unless it is one, then the nearest, then by path. */
function firstOf(all: readonly DocumentImports[], from: DocumentImports): DocumentImports {
  const nearness = (one: DocumentImports): number => sharedFolders(one.path, from.path);
  const comesFirst = (one: DocumentImports, other: DocumentImports): boolean => {
    if (!from.isTest && one.isTest !== other.isTest) return other.isTest;
    const by = nearness(one) - nearness(other);
    return by === 0 ? one.path < other.path : by > 0;
  };
  return all.reduce((best, other) => (comesFirst(other, best) ? other : best));
}

/** How many folders two files have in common. */
function sharedFolders(one: string, other: string): number {
  const [folders, others] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  const differing = folders.findIndex((folder, at) => folder !== others[at]);
  return differing < 0 ? folders.length : differing;
}

/** Documents in one; everything else once. */
function mergedLeads(leads: readonly (Lead | undefined)[]): readonly Lead[] {
  const documents = new Set<number>();
  const others = new Map<string, Lead>();
  for (const lead of leads) {
    if (lead === undefined) continue;
    if (lead.kind === 'documents') for (const one of lead.documents) documents.add(one);
    else others.set(JSON.stringify(lead), lead);
  }
  const together: Lead[] = documents.size === 0 ? [] : [{ kind: 'documents', documents: [...documents] }];
  return [...together, ...others.values()];
}

/** As it is written, it is meant to be of the repository. */
function isLocal(specifier: string): boolean {
  return /^(?:\.|\/|mod |crate\b|self\b|super\b)/.test(specifier);
}

/** What comes with a language or the program that runs it. */
const standard: ReadonlySet<string> = new Set(['std', 'node', 'bun', 'deno', 'cloudflare']);

/** What imports lead to that documents of a snapshot write, brought along from publication to publication. */
export class ImportMeanings {
  readonly #prepare: Prepare;
  readonly #places: ImportedPlaces;
  #seq: number;
  readonly #documents = new Map<number, DocumentImports>();
  readonly #definers = new Map<number, DocumentImports[]>();
  readonly #named = new Map<number, DocumentImports[]>();
  readonly #openers = new Map<number, DocumentImports[]>();
  /** Of this sequence. */
  readonly #externals = new Map<number, Lead | undefined>();

  constructor(repo: number, seq: number, prepare: Prepare) {
    this.#seq = seq;
    this.#prepare = prepare;
    this.#places = new ImportedPlaces(repo, prepare);
  }

  advanceTo(seq: number, changed: readonly { readonly document: number }[]): void {
    this.#seq = seq;
    this.#externals.clear();
    this.#places.advanceTo(seq, changed);
  }

  add(one: DocumentImports): void {
    this.#documents.set(one.document, one);
    for (const symbol of one.defines) push(this.#definers, symbol, one);
    for (const symbol of one.names) push(this.#named, symbol, one);
    for (const symbol of one.opens) push(this.#openers, symbol, one);
    this.#forgetNumbers(one);
  }

  remove(one: DocumentImports): void {
    this.#documents.delete(one.document);
    for (const symbol of one.defines) pull(this.#definers, symbol, one);
    for (const symbol of one.names) pull(this.#named, symbol, one);
    for (const symbol of one.opens) pull(this.#openers, symbol, one);
    this.#forgetNumbers(one);
  }

  definersOf(symbol: number): readonly DocumentImports[] {
    return this.#definers.get(symbol) ?? [];
  }

  /** Whether code elsewhere names it by itself. */
  isNamed(symbol: number): boolean {
    return this.#named.has(symbol);
  }

  /** Those that put something into a namespace. */
  openersOf(symbol: number): readonly DocumentImports[] {
    return this.#openers.get(symbol) ?? [];
  }

  inScope(symbol: number): readonly DocumentImports[] {
    return this.#places.documentsIn(symbol, this.#seq).flatMap(document => this.#documents.get(document) ?? []);
  }

  fileOf(symbol: number): Lead | undefined {
    const [document] = this.#places.documentOf(symbol);
    if (document === undefined) return undefined;
    if (this.#documents.has(document)) return { kind: 'documents', documents: [document] };
    return { kind: 'path', path: pathOf(document, this.#prepare) };
  }

  external(symbol: number): Lead | undefined {
    if (!this.#externals.has(symbol)) {
      const row = externalRow(symbol, this.#prepare);
      const isStandard = row !== undefined && standard.has(row.manager);
      this.#externals.set(symbol, row && { kind: 'external', id: `${row.manager}:${row.package}`, isStandard });
    }
    return this.#externals.get(symbol);
  }

  /** What nothing leads to any more gives its number to something else. */
  #forgetNumbers({ imports }: DocumentImports): void {
    for (const { targets } of imports) for (const { symbol } of targets) this.#places.forget(symbol);
  }
}

function push<Key>(lists: Map<Key, DocumentImports[]>, key: Key, one: DocumentImports): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

function pull<Key>(lists: Map<Key, DocumentImports[]>, key: Key, { document }: DocumentImports): void {
  const left = lists.get(key)?.filter(one => one.document !== document) ?? [];
  if (left.length === 0) lists.delete(key);
  else lists.set(key, left);
}
