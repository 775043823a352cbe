import type { Range } from '../model/facts.ts';
import type { FileGraph } from '../model/file-graph.ts';
import type { ForeignName } from '../model/foreign-name.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { catalogues } from './catalogue/catalogue.ts';
import type { Catalogue, CatalogueDocument } from './catalogue/columns.ts';
import { readCatalogue } from './catalogue/file.ts';
import { keepCatalogues } from './catalogue/keeping.ts';
import { type Overlay, overlaid } from './catalogue/overlay.ts';
import { catalogueRows, type FoundDefinition } from './catalogue/rows.ts';
import { openForReading, translated } from './connection.ts';
import { documentViews, viewFacts } from './document-view.ts';
import { entryAt, isListed } from './entry-table.ts';
import { aliasesTold, type ExportAlias, exportAliasesOf } from './export-aliases.ts';
import {
  type ExternalName,
  type ExternalRow,
  externalAt,
  externalRowsOf,
  externalsOf,
  foreignNamesOf,
  isUsedAt,
} from './external-rows.ts';
import { factsOf, noneChecked } from './fact-table.ts';
import { codeGraphs } from './graph/code-graph.ts';
import { fileGraphs } from './graph/file-graphs.ts';
import type { ContentOfFile, SkippedFile, UnreadCode } from './graph/snapshot-files.ts';
import { contentsOf, filesBelow, skippedFiles, unreadCode } from './graph/snapshot-files.ts';
import { type SnapshotGraph, snapshotGraph } from './graph/snapshot-graph.ts';
import { indexFile } from './index-file.ts';
import { checkedFactsOf, manifestOf, type PassedOver, partlyRead, passedOver } from './manifest-table.ts';
import { type MeasuredDocument, measuredSnapshots } from './measured-documents.ts';
import { type Place, pageWithPlaces } from './placed-rows.ts';
import type { FactKey, StoredSnapshot } from './publication.ts';
import { type ReferencePage, type ReferenceQuery, referencePage, shortPage } from './reference-rows.ts';
import { type RetainedSnapshots, retainedAt } from './retention.ts';
import { documentAt, preparer } from './rows.ts';
import type { SymbolInRepo } from './settle-candidates.ts';
import { type SnapshotLists, snapshotLists } from './snapshot-lists.ts';
import { epochOf, identityOf, keyOf, latestSnapshot, repoRow, snapshotOf } from './snapshot-table.ts';
import { type StoredFile, storedFileAt } from './stored-file.ts';
import {
  basesOf,
  checkSite,
  definitionSites,
  type EnclosedRow,
  type SymbolRow,
  symbolNumber,
  symbolRow,
} from './symbol-rows.ts';
import { type TakenDelta, takenDeltas } from './taken-deltas.ts';
import { type ToldDocuments, toldSnapshots } from './told-documents.ts';

/**
 * A read-only connection to an index file. Every answer is of one snapshot: no reader sees half a publication. Every
 * method throws `StoreError`; `corrupt` where a digest doesn't hold, so that damage is never an answer.
 */
export interface IndexReader {
  readonly epoch: string;
  /** What tells symbols apart: an upload without source has nothing but the descriptors of its indexer. */
  readonly identity: 'syntax' | 'descriptor';
  /** The newest snapshot of a repository; undefined before its first. */
  snapshot(key: string): StoredSnapshot | undefined;
  /**
   * The snapshot that is active, or was a moment ago, as told by who hears of publications: read once and kept until
   * another is asked for. Undefined where the file has another one under that sequence.
   */
  active(key: string, current: { readonly seq: number; readonly snapshotId: string }): StoredSnapshot | undefined;
  /** The snapshot of a sequence, while it can still be read. */
  snapshotAt(key: string, seq: number): StoredSnapshot | undefined;
  retained(key: string, nowMs: number): RetainedSnapshots;
  /** The artifacts that were taken in, in the order in which they first came. */
  takenDeltas(key: string): readonly TakenDelta[];
  /** What the file's pages in use take, those aside that wait for use, and its log. */
  usedBytes(): number;
  /** The files of the newest snapshot that are listed and have no facts where a file of their kind has some, in portions. */
  passedOver(key: string): Iterable<readonly PassedOver[]>;
  /** Paths of the newest snapshot's files that were read only in part, in portions. */
  partlyRead(key: string): Iterable<readonly string[]>;
  /** What a snapshot has of the file at a path; undefined where it lists none. */
  file(key: string, seq: number, path: string): StoredFile | undefined;
  /** The text of the file at a path that a snapshot has facts of; undefined of any other. */
  text(key: string, seq: number, path: string): string | undefined;
  /** The hash of the content that a snapshot has of a document, by its number; undefined where it lists none. */
  contentHash(document: number, seq: number): string | undefined;
  /** A symbol by its hash (32 hex digits) at a sequence; undefined where that snapshot doesn't define it. */
  symbol(key: string, seq: number, hash: string): SymbolRow | undefined;
  /** What a type is said to extend or implement, as far as that is linked to symbols of the snapshot. */
  bases(key: string, seq: number, hash: string): readonly SymbolRow[];
  /**
   * Where a symbol occurs, and what a language server names `beside`; undefined where the snapshot doesn't define it and
   * `external` doesn't have it.
   */
  references(
    key: string,
    seq: number,
    hash: string,
    query: ReferenceQuery,
    beside?: readonly Place[],
  ): ReferencePage | undefined;
  /** As `references` where the symbol occurs in at most so many documents, each of which is read in well under a millisecond. */
  fewReferences(
    key: string,
    seq: number,
    hash: string,
    query: ReferenceQuery,
    mostDocuments: number,
  ): ReferencePage | 'many' | undefined;
  /** Every definition of a snapshot in columns. */
  catalogue(key: string, seq: number): Catalogue | undefined;
  /** Makes the first catalogue of a repository a step at a time, between which others are answered; returns whether there was none. */
  readying(key: string, seq: number): Generator<void, boolean>;
  /** The catalogue of a tree that differs from a snapshot; undefined where there is no such snapshot. */
  overlaid(key: string, seq: number, overlay: Overlay): Catalogue | undefined;
  /** The newest snapshot with its manifest, which may have 50,000 lines; undefined before the first. */
  manifest(key: string): { readonly snapshot: StoredSnapshot; readonly entries: readonly ManifestLine[] } | undefined;
  /** Encoded facts that are stored under a key, whichever snapshot they are of; undefined where there are none. */
  facts(key: FactKey): Uint8Array | undefined;
  /** The rows of definitions of a catalogue, in the same order. */
  rows(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly SymbolRow[];
  /** The symbol of a hash (32 hex digits) in a catalogue; undefined where that has none. */
  symbolIn(catalogue: Catalogue, hash: string): SymbolRow | undefined;
  /** The definitions of a catalogue that are members of one of them. */
  members(catalogue: Catalogue, definition: number): readonly FoundDefinition[];
  /** Symbols of dependencies that indexers name and documents of a repository use, in some snapshot that is kept. */
  externals(key: string): readonly ExternalName[];
  /** What documents use that is somebody else's, in some snapshot that is kept. */
  foreignNames(key: string): readonly ForeignName[];
  /** Those of them, by their numbers, that are used at a sequence. */
  usedAt(key: string, seq: number, symbols: readonly number[]): readonly number[];
  /** All that is known of some that a snapshot uses which can be read, in the same order. */
  externalRows(symbols: readonly number[]): readonly ExternalRow[];
  /** The one of a hash (32 hex digits), where it is used at a sequence. */
  external(key: string, seq: number, hash: string): ExternalRow | undefined;
  /** What documents of a catalogue export under another name than it is defined under; of a tree beside the snapshots: nothing. */
  exportAliases(catalogue: Catalogue, documents: readonly CatalogueDocument[]): readonly (readonly ExportAlias[])[];
  /** Where definitions of a catalogue stand, in the same order; of some alone, by the name of what is right around them. */
  enclosed(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly EnclosedRow[];
  enclosed(
    catalogue: Catalogue,
    found: readonly FoundDefinition[],
    isAskedFor: (innermost: string | undefined) => boolean,
  ): readonly (EnclosedRow | undefined)[];
  /** Where all of each definition of a catalogue lies, its body included, in the same order. */
  ranges(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly Range[];
  /** Who uses what in a snapshot; undefined where the file has no such repository. */
  graph(key: string, seq: number): SnapshotGraph | undefined;
  /** What the documents of a snapshot tell of the parts of their repository: the same value while none tells anything else. */
  told(key: string, seq: number): ToldDocuments | undefined;
  /** How large and complex every linked document of a snapshot is. */
  measured(key: string, seq: number): ReadonlyMap<number, MeasuredDocument> | undefined;
  /** Which of some paths are files of a snapshot, whether anything reads them or not. */
  standing(key: string, seq: number, paths: readonly string[]): ReadonlySet<string>;
  /** Paths of the files of a snapshot that lie below a folder, '' for the root, whether anything reads them or not: the first so many. */
  filesBelow(key: string, seq: number, folder: string, most: number): readonly string[];
  /** The files of a snapshot that have facts and whose names have one of some endings, in small letters; by path. Looks at all its files. */
  contents(key: string, seq: number, endings: readonly string[]): readonly ContentOfFile[];
  /** The files of a snapshot that were passed over and whose names have one of some endings, by path. Looks at all its files. */
  skipped(key: string, seq: number, endings: readonly string[]): readonly SkippedFile[];
  /** The files of code of a snapshot that have no facts. Looks at all its files. */
  unreadCode(key: string, seq: number): readonly UnreadCode[];
  /** What index servers list of a snapshot, document by document; undefined where the file has no such repository. */
  lists(key: string, seq: number): SnapshotLists | undefined;
  /** What imports what in a snapshot; the same object for as long as that is the newest that was asked for. */
  fileGraph(key: string, seq: number): FileGraph | undefined;
  /** One state of the file for everything that `work` reads: one transaction in place of one for each answer. */
  together<T>(work: () => T): T;
  /** Writes down the large catalogues that are here, beside the file, for whoever opens it next; a step at a time. */
  keepCatalogues(): Generator<void, void>;
  close(): void;
}

export interface IndexReaderOptions {
  /** Bound of the facts and texts that stay in memory for keyed reads. */
  readonly cacheBytes?: number;
  /** Catalogues of so many definitions are worth a file of their own. */
  readonly keptFrom?: number;
}

const defaultCacheBytes = 8 * 1024 * 1024;
const symbolsKept = 2_000;
/** They take 0.3 s to make. */
export const worthKeeping = 50_000;

/** Opens an index file for reading. Throws `StoreError`. */
export function openIndexReader(file: string, options: IndexReaderOptions = {}): IndexReader {
  const connection = openForReading(
    file,
    indexFile(() => ''),
  );
  const prepare = preparer(connection);
  const checkedFacts = noneChecked();
  const views = documentViews(prepare, options.cacheBytes ?? defaultCacheBytes, checkedFacts);
  const graphs = codeGraphs(views, prepare);
  const told = toldSnapshots(views, prepare);
  const measured = measuredSnapshots(views, prepare);
  const imports = fileGraphs(views, prepare);
  const rowsFound = catalogueRows(prepare, checkedFacts);
  const epoch = translated(() => epochOf(prepare));
  const allCatalogues = catalogues(prepare, {
    file: repo => readCatalogue(file, epoch, keyOf(repo, prepare) ?? ''),
    fromDefinitions: options.keptFrom ?? worthKeeping,
  });
  /** One read transaction: the answer is of one state of the file, whatever is published meanwhile. */
  const transaction = connection.transaction((work: () => unknown) => work());
  const read = <T>(work: () => T): T =>
    connection.inTransaction ? work() : translated(() => transaction.deferred(work) as T);
  const repos = new Map<string, number>();
  /** Rows of repositories stay what they are while the file is open for a repository. */
  const repoOf = (key: string): number | undefined => {
    const known = repos.get(key) ?? repoRow(key, prepare);
    if (known !== undefined) repos.set(key, known);
    return known;
  };
  const inRepo = <T>(key: string, work: (repo: number) => T): T | undefined =>
    read(() => {
      const repo = repoOf(key);
      return repo === undefined ? undefined : work(repo);
    });
  const active = new Map<string, StoredSnapshot>();
  /** Rows that were asked for one by one; those of a sequence stay what they are. */
  const symbols = new Map<string, SymbolRow>();
  let last: { readonly place: string; readonly sites: ReturnType<typeof findSites> } | undefined;
  const sitesOf = (repo: number, seq: number, hash: string) => {
    const place = `${repo} ${seq} ${hash}`;
    if (last?.place !== place) last = { place, sites: findSites(repo, seq, hash) };
    return last.sites;
  };
  const findSites = (repo: number, seq: number, hash: string) => {
    const symbol = symbolNumber(hash, prepare);
    if (symbol === undefined) return undefined;
    const sites = definitionSites(symbol, repo, seq, views, prepare);
    const [first] = sites;
    return first === undefined ? undefined : { symbol, sites, first };
  };
  const externalIn = (repo: number, seq: number, hash: string): ExternalRow | undefined => {
    const found = externalAt(hash, repo, prepare);
    return found !== undefined && isUsedAt(found.symbol, repo, seq, views, prepare) ? found : undefined;
  };
  const symbolIn = (repo: number, seq: number, hash: string): SymbolInRepo | undefined => {
    const found = sitesOf(repo, seq, hash);
    if (found !== undefined) checkSite(found.first, hash);
    const symbol = found?.symbol ?? externalIn(repo, seq, hash)?.symbol;
    return symbol === undefined ? undefined : { symbol, sites: found?.sites ?? [], repo, seq };
  };
  const aliasesAt = (one: CatalogueDocument, seq: number): readonly ExportAlias[] => {
    if (one.facts !== undefined) return [];
    const facts = () => viewFacts(factsOf(one.fact, checkedFacts, prepare), one.fact);
    const aliases = aliasesTold.get(one) ?? exportAliasesOf(facts(), () => views.at(one.document, seq));
    aliasesTold.set(one, aliases);
    return aliases;
  };
  return {
    epoch,
    identity: translated(() => identityOf(prepare)),
    snapshot: key => inRepo(key, repo => latestSnapshot(repo, prepare)),
    active: (key, { seq, snapshotId }) => {
      const known = active.get(key);
      if (known?.seq === seq && known.snapshotId === snapshotId) return known;
      const found = inRepo(key, repo => snapshotOf(repo, seq, prepare));
      if (found?.snapshotId !== snapshotId) return undefined;
      active.set(key, found);
      return found;
    },
    snapshotAt: (key, seq) => inRepo(key, repo => snapshotOf(repo, seq, prepare)),
    retained: (key, nowMs) =>
      inRepo(key, repo => retainedAt(repo, nowMs, prepare)) ?? { count: 0, oldestAt: undefined, expired: 0 },
    usedBytes: () =>
      read(() => {
        const number = (pragma: string) => Number(connection.pragma(pragma, { simple: true }));
        return (number('page_count') - number('freelist_count')) * number('page_size');
      }),
    takenDeltas: key => read(() => takenDeltas(key, prepare)),
    passedOver: key => passedOver(key, prepare),
    partlyRead: key => partlyRead(key, prepare),
    file: (key, seq, path) => inRepo(key, repo => storedFileAt(path, repo, seq, views, prepare)),
    text: (key, seq, path) =>
      inRepo(key, repo => {
        const document = documentAt(repo, path, prepare);
        return document === undefined ? undefined : views.at(document, seq)?.text();
      }),
    contentHash: (document, seq) => {
      const entry = read(() => entryAt(document, seq, prepare));
      return entry === undefined || entry.to_seq <= seq ? undefined : entry.hash.toString('hex');
    },
    symbol: (key, seq, hash) => {
      const place = `${seq} ${hash} ${key}`;
      const known = symbols.get(place);
      if (known !== undefined) return known;
      // Without a transaction: what a sequence says of a document never changes while it can be read, and most of what
      // a single symbol takes would be its beginning and end.
      const found = translated(() => {
        const repo = repoOf(key);
        const sites = repo === undefined ? undefined : sitesOf(repo, seq, hash);
        return sites === undefined ? undefined : symbolRow(sites.first, hash);
      });
      if (found !== undefined) {
        symbols.set(place, found);
        if (symbols.size > symbolsKept)
          for (const oldest of [...symbols.keys()].slice(0, symbolsKept / 2)) symbols.delete(oldest);
      }
      return found;
    },
    bases: (key, seq, hash) =>
      inRepo(key, repo => {
        const found = sitesOf(repo, seq, hash);
        return found === undefined
          ? []
          : basesOf(found.sites, views.holding(repo, seq)).flatMap(symbol => {
              const [first] = definitionSites(symbol, repo, seq, views, prepare);
              return first === undefined ? [] : [symbolRow(first)];
            });
      }) ?? [],
    references: (key, seq, hash, query, beside) =>
      inRepo(key, repo => {
        const of = symbolIn(repo, seq, hash);
        if (of === undefined) return undefined;
        return beside === undefined
          ? referencePage(of, query, views, prepare)
          : pageWithPlaces(of, beside, query, views, prepare);
      }),
    fewReferences: (key, seq, hash, query, mostDocuments) =>
      inRepo(key, repo => {
        const of = symbolIn(repo, seq, hash);
        return of === undefined ? undefined : (shortPage(of, mostDocuments, query, views, prepare) ?? 'many');
      }),
    catalogue: (key, seq) => {
      const repo = repos.get(key);
      // Without a transaction, which takes longer than most of a search.
      const known = repo === undefined ? undefined : allCatalogues.known(repo, seq);
      return known ?? inRepo(key, number => allCatalogues.at(number, seq));
    },
    *readying(key, seq) {
      const steps = inRepo(key, repo => allCatalogues.beginning(repo, seq));
      if (steps === undefined) return false;
      for (;;) {
        const { done, value } = read(() => steps.next());
        if (done === true) return value;
        yield;
      }
    },
    overlaid: (key, seq, overlay) => inRepo(key, repo => overlaid(allCatalogues.at(repo, seq), overlay, prepare)),
    manifest: key =>
      inRepo(key, repo => {
        const snapshot = latestSnapshot(repo, prepare);
        return snapshot === undefined ? undefined : { snapshot, entries: [...manifestOf(key, prepare)] };
      }),
    facts: key => read(() => checkedFactsOf(key, checkedFacts, prepare)),
    rows: (catalogue, found) => read(() => rowsFound.of(catalogue, found)),
    symbolIn: (catalogue, hash) => read(() => rowsFound.symbol(catalogue, hash)),
    members: (catalogue, definition) => read(() => rowsFound.members(catalogue, definition)),
    externals: key => inRepo(key, repo => externalsOf(repo, prepare)) ?? [],
    foreignNames: key => inRepo(key, repo => foreignNamesOf(repo, prepare)) ?? [],
    usedAt: (key, seq, symbols) =>
      inRepo(key, repo => symbols.filter(symbol => isUsedAt(symbol, repo, seq, views, prepare))) ?? [],
    externalRows: symbols => read(() => externalRowsOf(symbols, prepare)),
    external: (key, seq, hash) => inRepo(key, repo => externalIn(repo, seq, hash)),
    exportAliases: ({ seq }, documents) => read(() => documents.map(one => aliasesAt(one, seq))),
    enclosed: (
      catalogue: Catalogue,
      found: readonly FoundDefinition[],
      isAskedFor: (innermost: string | undefined) => boolean = () => true,
    ) => read(() => rowsFound.enclosed(catalogue, found, isAskedFor)) as readonly EnclosedRow[],
    ranges: (catalogue, found) => read(() => rowsFound.ranges(catalogue, found)),
    fileGraph: (key, seq) => inRepo(key, repo => imports.at(repo, seq)),
    graph: (key, seq) => inRepo(key, repo => snapshotGraph(graphs.at(repo, seq), repo, views, prepare)),
    told: (key, seq) => inRepo(key, repo => told.at(repo, seq)),
    measured: (key, seq) => inRepo(key, repo => measured.at(repo, seq)),
    standing: (key, seq, paths) =>
      inRepo(key, repo => new Set(paths.filter(path => isListed(repo, path, seq, prepare)))) ?? new Set(),
    filesBelow: (key, seq, folder, most) => inRepo(key, repo => filesBelow(folder, most, repo, seq, prepare)) ?? [],
    skipped: (key, seq, endings) => inRepo(key, repo => skippedFiles(endings, repo, seq, prepare)) ?? [],
    contents: (key, seq, endings) => inRepo(key, repo => contentsOf(endings, repo, seq, prepare)) ?? [],
    unreadCode: (key, seq) => inRepo(key, repo => unreadCode(repo, seq, prepare)) ?? [],
    lists: (key, seq) => inRepo(key, repo => snapshotLists({ repo, seq, views, prepare })),
    together: read,
    keepCatalogues: () =>
      keepCatalogues({
        ...{ indexFile: file, epoch, catalogues: allCatalogues, rows: rowsFound, prepare, read },
        tellAliases: aliasesAt,
      }),
    close: () => connection.close(),
  };
}
