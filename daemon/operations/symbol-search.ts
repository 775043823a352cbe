import { invalid } from '../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { Hit } from '../analysis/best-hits.ts';
import { fittingOf, type LongName, longName, type PackageNames } from '../analysis/long-name.ts';
import type { MatchKind } from '../analysis/name-match.ts';
import { symbolId } from '../model/identity.ts';
import { directoryOf } from '../model/paths.ts';
import type { SymbolKind } from '../model/symbol.ts';
import type { Catalogue } from '../store/catalogue-columns.ts';
import type { IndexReader } from '../store/index-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import type { HeadTree } from './head-trees.ts';
import {
  type CatalogueQuery,
  type Found,
  isEmptyScope,
  type SearchedCatalogue,
  searchedCatalogues,
} from './search-catalogue.ts';
import { type Asked, completeness, startOf, startOfTree } from './symbol-answers.ts';
import { symbolTexts } from './symbol-texts.ts';

export type SearchInput = InputOf<Operations['symbols.search']>;
export type SearchOutput = OutputOf<Operations['symbols.search']>;

/** Answers searches over the catalogues of one reader; keeps what a list of names takes to be scanned. */
export interface SymbolSearch {
  /** JSON of a `SearchOutput`, in memory of its own. `head` is the tree to search where the input asks for HEAD's. */
  answer(asked: Asked, input: SearchInput, head?: HeadTree): Uint8Array<ArrayBuffer>;
  /** Makes beforehand what the searches of the newest snapshot scan. */
  warm(asked: Asked): WarmedSearch | undefined;
}

/** What searches hold in memory. */
export interface WarmedSearch {
  readonly definitions: number;
  readonly names: number;
}

/** `cacheBytes`: bound of the rows that are kept, as texts. */
export function symbolSearch(reader: IndexReader, cacheBytes: number): SymbolSearch {
  const searchedOf = searchedCatalogues();
  const texts = symbolTexts(reader, cacheBytes);
  const writer = new ByteWriter();
  return {
    warm: ({ repo, current }) => {
      const catalogue = current === undefined ? undefined : reader.catalogue(repo.key, current.seq);
      if (catalogue === undefined) return undefined;
      searchedOf(catalogue);
      return { definitions: catalogue.order.length, names: catalogue.names.length };
    },
    answer: (asked, input, head) => {
      const query = input.q.trim();
      const kinds = input.kinds === undefined ? undefined : new Set<SymbolKind>(input.kinds);
      const scope = scopeOf(input.scope);
      const binding = ['symbols.search', query, [...(kinds ?? [])].sort(), scope, input.repoStateMode];
      const start =
        head === undefined
          ? startOf(reader, asked, input.cursor, binding)
          : startOfTree(head.snapshot, asked, input.cursor, binding);
      const catalogue = head?.catalogue ?? reader.catalogue(asked.repo.key, start.snapshot.seq);
      if (query.includes('\0')) throw invalid('invalidParameter', [{ path: 'q', message: 'holds a NUL character' }]);
      const wanted = start.offset + input.limit;
      const matches =
        catalogue === undefined
          ? { hits: [], total: 0 }
          : search(reader, catalogue, searchedOf(catalogue), { text: query, kinds, scope }, wanted);
      const page = matches.hits.slice(start.offset, wanted);
      const end = start.offset + page.length;
      const hasMore = end < matches.total;
      const around: Omit<SearchOutput, 'results'> = {
        query: input.q,
        total: matches.total,
        hasMore,
        ...(hasMore ? { cursor: start.next(end) } : {}),
        snapshotId: start.snapshot.snapshotId,
        ...(head === undefined ? {} : { headCommit: head.commit }),
        completeness: completeness(start.snapshot, asked, 0),
        ...(scope === undefined || catalogue === undefined ? {} : warningsOf(catalogue, scope)),
        timestamp: new Date(asked.now).toISOString(),
      };
      const found = catalogue === undefined ? [] : texts.of(catalogue, page);
      writeAnswer(writer, asked.repo.id, around, found, page);
      return writer.taken();
    },
  };
}

/** The answer about symbols whose texts are there already, from the hash in their ids on. */
function writeAnswer(
  writer: ByteWriter,
  repo: string,
  around: Omit<SearchOutput, 'results'>,
  texts: readonly Uint8Array[],
  hits: readonly Hit[],
): void {
  const before = Buffer.from(`{"id":${JSON.stringify(symbolId(repo, '')).slice(0, -1)}`);
  const after = Buffer.from(`,"snapshotId":${JSON.stringify(around.snapshotId)},"score":`);
  writer.text('{"results":[');
  hits.forEach(({ score, match }, at) => {
    if (at > 0) writer.text(',');
    writer.bytes(before);
    writer.bytes(texts[at]!);
    writer.bytes(after);
    writer.text(String(score));
    writer.text(endsOf[match]);
  });
  writer.text(`],${JSON.stringify(around).slice(1)}`);
}

const endsOf: Readonly<Record<MatchKind, string>> = {
  exact: ',"match":"exact"}',
  prefix: ',"match":"prefix"}',
  camel: ',"match":"camel"}',
  substring: ',"match":"substring"}',
  fuzzy: ',"match":"fuzzy"}',
};

/**
 * Names may hold dots and hashes themselves; where none does, `Server.close` and `server.ts#close` are names with what
 * narrows them. All that bear the name are looked at, so that the total is one.
 */
function search(
  reader: IndexReader,
  catalogue: Catalogue,
  searched: SearchedCatalogue,
  query: CatalogueQuery,
  wanted: number,
): Found {
  const whole = searched.find(query, wanted);
  const long = longName(query.text);
  if (long.name === '' || long.qualifier.length === 0) return whole;
  if (whole.hits.some(({ match }) => match === 'exact' || match === 'prefix')) return whole;
  const named = searched.find({ ...query, text: long.name }, catalogue.order.length).hits;
  const hits = narrowed(
    reader,
    catalogue,
    named.filter(hit => hit.match !== 'fuzzy'),
    long,
  );
  return hits.length === 0 ? whole : { hits, total: hits.length };
}

/** Those that are where the words before the name say. */
function narrowed(reader: IndexReader, catalogue: Catalogue, named: readonly Hit[], long: LongName): readonly Hit[] {
  const { isInFile, isInside, isUnder } = fittingOf(long, (a, b) => a.toLowerCase() === b.toLowerCase());
  const packages = packagesOf(catalogue);
  const rows = reader.enclosed(catalogue, named);
  const inFile = named.filter((_, at) => isInFile(rows[at]!));
  if (inFile.length > 0) return inFile;
  return named.filter((_, at) => isInside(rows[at]!) || isUnder(rows[at]!, packages));
}

/** As manifests name their packages, and as code writes that: `grep-searcher` is `grep_searcher`. */
function packagesOf({ documents }: Catalogue): PackageNames {
  const packages = new Map<string, string>();
  for (const { path, language, scope } of documents) {
    const [, manager, name] = (language === 'configuration' && /^(npm|cargo|pypi):(.+)$/.exec(scope)) || [];
    if (name !== undefined) packages.set(directoryOf(path), manager === 'npm' ? name : name.replaceAll('-', '_'));
  }
  return packages;
}

/** Of an empty list it is to be told whether the scope was to blame. */
function warningsOf(catalogue: Catalogue, scope: string): Pick<SearchOutput, 'warnings'> {
  if (!isEmptyScope(catalogue, scope)) return {};
  const message = `no module and no indexed path is or lies under ${JSON.stringify(scope)}, so that nothing can be found there`;
  return { warnings: [{ code: 'EMPTY_SCOPE', backend: 'tree-sitter', message }] };
}

function scopeOf(scope: string | undefined): string | undefined {
  const path = scope?.replace(/^\.\//, '').replace(/\/+$/, '');
  return path === undefined || path === '' || path === '.' || path === '@root' ? undefined : path;
}
