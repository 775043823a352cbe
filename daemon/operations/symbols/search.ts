import { invalid } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Member, SearchResult } from '../../../client/protocol/shapes.ts';
import type { Hit } from '../../analysis/best-hits.ts';
import { longName } from '../../analysis/long-name.ts';
import type { MatchKind } from '../../analysis/name-match.ts';
import { symbolId } from '../../model/identity.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { HeadTree } from '../readers/head-trees.ts';
import { emptyScope, scopePath } from '../scope.ts';
import { aliasesOfCatalogues } from './aliases.ts';
import { type Asked, completeness, snapshotFor, startOf, startOfTree } from './answers.ts';
import { ByteWriter } from './byte-writer.ts';
import { externalSearch } from './external-search.ts';
import { type NamedSymbols, noneNamed, symbolsNamed } from './find-symbol.ts';
import { membersOfHits, mostMembers } from './members.ts';
import type { NameLayer } from './name-layers.ts';
import { aliased, type MeantByName, meantBy, type NamedTree } from './names.ts';
import { type CatalogueQuery, type Found, isEmptyScope, searchedCatalogues } from './search-catalogue.ts';
import { symbolTexts } from './texts.ts';

export type SearchInput = InputOf<Operations['symbols.search']>;
export type SearchOutput = OutputOf<Operations['symbols.search']>;

/** Answers searches over the catalogues of one reader; keeps what a list of names takes to be scanned. */
export interface SymbolSearch {
  /** JSON of a `SearchOutput`, in memory of its own. `head` is the tree to search where the input asks for HEAD's. */
  answer(asked: Asked, input: SearchInput, head?: HeadTree): Uint8Array<ArrayBuffer>;
  /** What a name means where an id is asked for; `head` is the tree to look in where HEAD's is meant. */
  named(asked: Asked, text: string, head?: HeadTree): NamedSymbols;
  /** Makes beforehand what the searches of the newest snapshot scan. */
  warm(asked: Asked): WarmedSearch | undefined;
  /** Makes what searches of a catalogue scan a step at a time. */
  readying(catalogue: Catalogue): Generator<void, void>;
  /** The names of a catalogue. */
  layersOf(catalogue: Catalogue): readonly NameLayer[];
}

/** What searches hold in memory. */
export interface WarmedSearch {
  readonly definitions: number;
  readonly names: number;
}

/** `cacheBytes`: bound of the rows that are kept, as texts. */
export function symbolSearch(reader: IndexReader, cacheBytes: number): SymbolSearch {
  const searched = searchedCatalogues();
  const treeOf = (catalogue: Catalogue, basesOf: NamedTree['basesOf']): NamedTree => {
    return { reader, catalogue, searched: searched.of(catalogue), basesOf, aliasesOf: aliasesOf(catalogue) };
  };
  const basesAt = (key: string, seq: number): NamedTree['basesOf'] => {
    return hash => reader.bases(key, seq, hash);
  };
  const aliasesOf = aliasesOfCatalogues(reader);
  const texts = symbolTexts(reader, cacheBytes);
  const externals = externalSearch(reader);
  const writer = new ByteWriter();
  return {
    readying: searched.readying,
    layersOf: catalogue => searched.of(catalogue).layers,
    warm: ({ repo, current }) => {
      const catalogue = current === undefined ? undefined : reader.catalogue(repo.key, current.seq);
      if (catalogue === undefined) return undefined;
      searched.of(catalogue);
      return { definitions: catalogue.size, names: catalogue.names.length };
    },
    named: (asked, text, head) => {
      if (head !== undefined) return symbolsNamed(treeOf(head.catalogue(), basesOfHead), text);
      const { key } = asked.repo;
      const { seq } = snapshotFor(reader, asked);
      const catalogue = reader.catalogue(key, seq);
      return catalogue === undefined ? noneNamed : symbolsNamed(treeOf(catalogue, basesAt(key, seq)), text);
    },
    answer: (asked, input, head) => {
      const query = input.q.trim();
      const kinds = input.kinds === undefined ? undefined : new Set<SymbolKind>(input.kinds);
      const scope = scopePath(input.scope);
      const { includeExternal, repoStateMode } = input;
      const binding = ['symbols.search', query, [...(kinds ?? [])].sort(), scope, repoStateMode, includeExternal];
      const start =
        head === undefined
          ? startOf(reader, asked, input.cursor, binding)
          : startOfTree(head.snapshot, asked, input.cursor, binding);
      const catalogue = head?.catalogue() ?? reader.catalogue(asked.repo.key, start.snapshot.seq);
      if (query.includes('\0')) throw invalid('invalidParameter', [{ path: 'q', message: 'holds a NUL character' }]);
      if (catalogue !== undefined && scope !== undefined && isEmptyScope(catalogue, scope)) {
        throw emptyScope(
          catalogue.documents.map(({ path }) => path),
          scope,
        );
      }
      const wanted = start.offset + input.limit;
      const basesOf = head === undefined ? basesAt(asked.repo.key, start.snapshot.seq) : basesOfHead;
      const matches =
        catalogue === undefined
          ? { hits: [], total: 0, unseenOf: undefined }
          : search(treeOf(catalogue, basesOf), { text: query, kinds, scope }, wanted);
      const of = { repo: asked.repo.id, snapshotId: start.snapshot.snapshotId, depth: input.depth };
      // Nothing of a dependency lies in a scope.
      const place = { key: asked.repo.key, seq: start.snapshot.seq };
      const external = includeExternal && scope === undefined ? externals.find(place, { text: query, kinds }) : [];
      const page = matches.hits.slice(start.offset, wanted);
      const beyond = external.slice(Math.max(0, start.offset - matches.total), Math.max(0, wanted - matches.total));
      const end = start.offset + page.length + beyond.length;
      const total = matches.total + external.length;
      const hasMore = end < total;
      const members = catalogue === undefined ? [] : membersOfHits(reader, catalogue, page, of);
      const around: Omit<SearchOutput, 'results'> = {
        query: input.q,
        total,
        hasMore,
        ...(hasMore ? { cursor: start.next(end) } : {}),
        snapshotId: start.snapshot.snapshotId,
        ...(head === undefined ? {} : { headCommit: head.commit }),
        completeness: completeness(start.snapshot, asked, 0),
        ...warnings([unseen(matches.unseenOf), leftOut(members)]),
        timestamp: new Date(asked.now).toISOString(),
      };
      const found = catalogue === undefined ? [] : texts.of(catalogue, page);
      const after = externals.results(beyond, of);
      writeAnswer(writer, asked.repo.id, around, { hits: page, texts: found, members, after });
      return writer.taken();
    },
  };
}

/** What HEAD's types extend is linked nowhere. */
const basesOfHead: NamedTree['basesOf'] = () => [];

/** What of each hit is told beside its text, and what comes after all of them. */
interface Results {
  readonly hits: readonly Hit[];
  readonly texts: readonly Uint8Array[];
  /** By hit; empty where none are asked for. */
  readonly members: readonly (readonly Member[])[];
  readonly after: readonly SearchResult[];
}

/** The answer about symbols whose texts are there already, from the hash in their ids on. */
function writeAnswer(
  writer: ByteWriter,
  repo: string,
  around: Omit<SearchOutput, 'results'>,
  { hits, texts, members, after }: Results,
): void {
  const before = Buffer.from(`{"id":${JSON.stringify(symbolId(repo, '')).slice(0, -1)}`);
  const behind = Buffer.from(`,"snapshotId":${JSON.stringify(around.snapshotId)},"score":`);
  writer.text('{"results":[');
  hits.forEach(({ score, match }, at) => {
    if (at > 0) writer.text(',');
    writer.bytes(before);
    writer.bytes(texts[at]!);
    writer.bytes(behind);
    writer.text(String(score));
    writer.text(endsOf[match]);
    if (members[at] !== undefined) writer.text(`,"members":${JSON.stringify(members[at])}`);
    writer.text('}');
  });
  for (const [at, result] of after.entries())
    writer.text(`${hits.length + at > 0 ? ',' : ''}${JSON.stringify(result)}`);
  writer.text(`],${JSON.stringify(around).slice(1)}`);
}

const endsOf: Readonly<Record<MatchKind, string>> = {
  exact: ',"match":"exact"',
  prefix: ',"match":"prefix"',
  camel: ',"match":"camel"',
  substring: ',"match":"substring"',
  fuzzy: ',"match":"fuzzy"',
};

/**
 * Names may hold dots and hashes themselves; where none does, `Server.close` and `server.ts#close` are names with what
 * narrows them. All that bear the name are looked at, unless they are very many, so that the total is one.
 */
function search(tree: NamedTree, query: CatalogueQuery, wanted: number): Found & Pick<MeantByName, 'unseenOf'> {
  const whole = tree.searched.find(query, wanted);
  const best = whole.hits[0]?.match;
  const long = longName(query.text);
  if (best === 'exact' || long.name === '') return { ...whole, unseenOf: undefined };
  if (long.qualifier.length === 0) return { ...withAliased(tree, query, wanted, whole), unseenOf: undefined };
  if (best === 'prefix') return { ...whole, unseenOf: undefined };
  const { meant, unseenOf } = meantBy(tree, query, long, isSameInAnyCase);
  const inFile = meant.filter(({ by }) => by === 'file');
  const hits = (inFile.length > 0 ? inFile : meant).map(({ hit }) => hit);
  return { ...(hits.length === 0 ? whole : { hits, total: hits.length }), unseenOf };
}

function isSameInAnyCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** What is exported under that very name comes first. */
function withAliased(tree: NamedTree, query: CatalogueQuery, wanted: number, whole: Found): Found {
  const hits = aliased(tree, query, isSameInAnyCase);
  if (hits.length === 0) return whole;
  const { symbolOf } = tree.catalogue;
  const symbols = new Set(hits.map(({ definition }) => symbolOf[definition]!));
  const others = tree.searched.findAmong(query, wanted, definition => !symbols.has(symbolOf[definition]!));
  return { hits: [...hits, ...others.hits], total: hits.length + others.total };
}

type Warnings = NonNullable<SearchOutput['warnings']>;

function warnings(all: readonly Warnings[]): Pick<SearchOutput, 'warnings'> {
  const some = all.flat();
  return some.length === 0 ? {} : { warnings: some };
}

function leftOut(members: Results['members']): Warnings {
  if (members.reduce((sum, some) => sum + some.length, 0) < mostMembers) return [];
  const message = `only the first ${mostMembers} members are listed; a smaller limit or depth lists all of them`;
  return [{ code: 'PARTIAL_RESULT', backend: 'tree-sitter', message }];
}

function unseen(many: number | undefined): Warnings {
  if (many === undefined) return [];
  const message = `the last word fits ${many} symbols, of which the likeliest were looked at; a longer one may find more`;
  return [{ code: 'PARTIAL_RESULT', backend: 'tree-sitter', message }];
}
