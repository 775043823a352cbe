import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatchKind } from '../../../daemon/analysis/name-match.ts';
import { startsWord } from '../../../daemon/analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../../../daemon/analysis/rank.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { type SymbolKind, symbolKinds } from '../../../daemon/model/symbol.ts';
import { type SearchedCatalogue, searchedCatalogues } from '../../../daemon/operations/symbols/search-catalogue.ts';
import { type Catalogue, catalogueOf, inTest, type Part } from '../../../daemon/store/catalogue/columns.ts';
import { patchCatalogue } from '../../../daemon/store/catalogue/patch.ts';
import { packTraits } from '../../../daemon/store/link-format.ts';
import { randomFrom } from '../../support/synthetic.ts';

/**
 * Searching takes every short cut that there is. Here is what it must come to, in words that take none: every name is
 * matched, every definition scored, all hits are sorted.
 */
interface Definition {
  readonly path: string;
  readonly index: number;
  readonly symbol: number;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly exported: boolean;
  readonly hasBody: boolean;
  readonly isTest: boolean;
}

interface Query {
  readonly text: string;
  readonly kinds: ReadonlySet<SymbolKind> | undefined;
  readonly scope: string | undefined;
}

function plainSearch(all: readonly Definition[], { text, kinds, scope }: Query): readonly string[] {
  const isInside = ({ path }: Definition) => scope === undefined || path === scope || path.startsWith(`${scope}/`);
  const matches = matchedNames([...new Set(all.map(one => one.name))], text);
  const found = all
    .filter(one => matches.has(one.name) && isInside(one) && (kinds === undefined || kinds.has(one.kind)))
    .sort(
      (a, b) =>
        Number(b.hasBody) - Number(a.hasBody) ||
        Number(a.isTest) - Number(b.isTest) ||
        byText(a.path, b.path) ||
        a.index - b.index,
    );
  // A symbol is shown where it has a body, at best outside of tests.
  const sites = found.filter((one, at) => found.findIndex(other => other.symbol === one.symbol) === at);
  return sites
    .map(one => ({ ...one, ...matches.get(one.name)!, points: pointsOf(matches.get(one.name)!.score, weightOf(one)) }))
    .sort(
      (a, b) =>
        b.points - a.points ||
        a.name.length - b.name.length ||
        byText(a.name, b.name) ||
        byText(a.path, b.path) ||
        a.index - b.index,
    )
    .map(one => `${scoreOf(one.points)} ${one.match} ${one.name} ${one.path} ${one.index}`);
}

interface NameMatch {
  readonly match: MatchKind;
  readonly score: number;
}

function matchedNames(names: readonly string[], query: string): ReadonlyMap<string, NameMatch> {
  const literal = new Map(names.flatMap(name => pair(name, literalMatch(name, query))));
  if (literal.size >= 10 || [...literal.values()].some(({ match }) => match === 'exact')) return literal;
  return new Map(names.flatMap(name => pair(name, literal.get(name) ?? nearMatch(name, query))));
}

function pair(name: string, match: NameMatch | undefined): readonly (readonly [string, NameMatch])[] {
  return match === undefined ? [] : [[name, match]];
}

function literalMatch(name: string, query: string): NameMatch | undefined {
  const [lower, asked] = [name.toLowerCase(), query.toLowerCase()];
  const isSameCase = name.startsWith(query);
  if (lower === asked) return { match: 'exact', score: isSameCase ? 1 : 0.98 };
  const share = asked.length / lower.length;
  if (lower.startsWith(asked)) return { match: 'prefix', score: 0.8 + 0.11 * share + (isSameCase ? 0.01 : 0) };
  const words = wordsOf(name);
  // Initials of `_privateName` begin with the underscore, so that there are none.
  const met = query.length < 2 || !startsWord(name, 0) ? 0 : wordsMet(words, query);
  if (met >= 2) return { match: 'camel', score: 0.62 + (0.14 * met) / words.length };
  const at = lower.indexOf(asked);
  if (at < 0) return undefined;
  return { match: 'substring', score: 0.45 + 0.1 * share + (startsWord(name, at) ? 0.08 : 0) };
}

function wordsOf(name: string): readonly string[] {
  const starts = [...name].flatMap((_, at) => (startsWord(name, at) ? [at] : []));
  return starts.map((start, at) => name.slice(start, starts[at + 1]));
}

/** With how many words a query is spelled: the first, then as many of each as go. */
function wordsMet(words: readonly string[], query: string, isFirst = true): number {
  if (query === '') return 0;
  for (const [at, word] of (isFirst ? words.slice(0, 1) : words).entries()) {
    let length = 0;
    while (
      length < Math.min(query.length, word.length) &&
      query[length]!.toLowerCase() === word[length]!.toLowerCase() &&
      (length === 0 || query[length] === query[length]!.toLowerCase())
    ) {
      length++;
    }
    for (; length > 0; length--) {
      if (length === query.length) return 1;
      const more = wordsMet(words.slice(at + 1), query.slice(length), false);
      if (more > 0) return more + 1;
    }
  }
  return 0;
}

function nearMatch(name: string, query: string): NameMatch | undefined {
  const allowed = query.length < 3 ? 0 : query.length < 6 ? 1 : 2;
  const distance = editsBetween(query.toLowerCase(), name.toLowerCase());
  if (distance > allowed) return undefined;
  return { match: 'fuzzy', score: 0.2 + 0.2 * (1 - distance / query.length) };
}

function editsBetween(a: string, b: string): number {
  const known = new Map<string, number>();
  const from = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const edits = [from(i - 1, j) + 1, from(i, j - 1) + 1, from(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)];
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits.push(from(i - 2, j - 2) + 1);
    const fewest = Math.min(...edits);
    known.set(key, fewest);
    return fewest;
  };
  return from(a.length, b.length);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Pick = <Item>(items: readonly Item[]) => Item;

function randomDefinitions(random: () => number, pick: Pick): readonly Definition[] {
  const words = [
    'get',
    'set',
    'http',
    'Server',
    'Name',
    'name',
    'of',
    'URL',
    'x',
    'Ab',
    'aB',
    '2',
    '_',
    '$',
    'größe',
    '名',
  ];
  const names = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(words)).join(pick(['', '', '_'])),
  );
  const paths = ['a.ts', 'a/b.ts', 'a/c/d.ts', 'a-b/e.ts', 'a0.ts', 'test/a.ts', 'b'];
  return paths
    .flatMap(path =>
      Array.from({ length: 60 }, (_, index) => {
        // Some symbols have several sites, and some names are borne by many.
        const name = random() < 0.2 ? 'get' : pick(names);
        const symbol = names.indexOf(name) * 40 + Math.floor(random() * 30) + 40;
        const kind = pick(symbolKinds);
        const isTest = path.startsWith('test/');
        return { path, index, symbol, name, kind, exported: random() < 0.5, hasBody: random() < 0.5, isTest };
      }).filter((one, at, all) => all.findIndex(other => other.symbol === one.symbol) === at),
    )
    .map((one, _, all) => ({ ...one, index: all.filter(other => other.path === one.path).indexOf(one) }));
}

function catalogueFrom(all: readonly Definition[]): Catalogue {
  const names = [...new Set(all.map(one => one.name))];
  const parts = [...new Set(all.map(one => one.path))].map((path, document) => partOf(path, document, all, names));
  return catalogueOf({ seq: 1, names }, parts);
}

/** As links have them, in the order of symbols. `names` takes in those that it lacks. */
function partOf(path: string, document: number, all: readonly Definition[], names: string[]): Part {
  const own = all.filter(one => one.path === path).sort((a, b) => a.symbol - b.symbol);
  const numberOf = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
  const isTest = path.startsWith('test/');
  return {
    place: { document, path: path as RepoPath, isTest, language: '', scope: '' as ScopeKey, fact: 0 },
    symbols: own.map(one => one.symbol),
    names: own.map(one => numberOf(one.name)),
    traits: own.map(one => packTraits({ ...one, visibility: 'public' }) | (isTest ? inTest : 0)),
    slots: own.map(one => one.index),
  };
}

/** The definitions after somebody edited a file: some gone, some new, some of other traits, now and then in another order. */
function edited(all: readonly Definition[], path: string, random: () => number, pick: Pick): readonly Definition[] {
  const others = all.filter(one => one.path !== path);
  const kept = all.filter(one => one.path === path && random() < 0.9);
  const changed = kept.map(one => (random() < 0.05 ? { ...one, exported: !one.exported, hasBody: !one.hasBody } : one));
  const come = Array.from({ length: Math.floor(random() * 4) }, (): Definition => {
    const name = pick(['get', 'getName', `new${Math.floor(random() * 1_000)}`, pick(all).name]);
    const symbol = 10_000 + Math.floor(random() * 2 ** 30);
    const kind = pick(symbolKinds);
    return {
      ...{ path, index: 0, symbol, name, kind },
      exported: true,
      hasBody: true,
      isTest: path.startsWith('test/'),
    };
  });
  const arranged = [...changed, ...come].sort(random() < 0.2 ? (a, b) => b.index - a.index : () => 0);
  return [...others, ...arranged.map((one, index) => ({ ...one, index }))];
}

function randomQuery(random: () => number, pick: Pick, all: readonly Definition[]): Query {
  const { name } = pick(all);
  const from = Math.floor(random() * name.length);
  const text = pick([
    name,
    name.slice(0, from + 1),
    name.slice(from, from + 1 + Math.floor(random() * 3)),
    name.slice(0, from) + name.slice(from + 1),
    name.toLowerCase(),
    wordsOf(name)
      .map(word => word.slice(0, 1 + Math.floor(random() * 2)))
      .join(''),
  ]);
  const kinds = random() < 0.2 ? new Set([pick(symbolKinds), pick(symbolKinds), pick(symbolKinds)]) : undefined;
  const scope = random() < 0.2 ? pick(['a', 'a/c', 'a.ts', 'b', 'nowhere']) : undefined;
  return { text, kinds, scope };
}

/** Hits of a search and their number must be those of the plain one. */
function assertFound(
  catalogue: Catalogue,
  searched: SearchedCatalogue,
  all: readonly Definition[],
  query: Query,
  wanted: number,
): void {
  const expected = plainSearch(all, query);
  const { hits, total } = searched.find(query, wanted);
  const pathOf = (definition: number): string => catalogue.documents[catalogue.documentOf[definition]!]!.path;
  const lines = hits.map(
    ({ score, match, name, definition }) =>
      `${score} ${match} ${name} ${pathOf(definition)} ${catalogue.slots[definition]!}`,
  );
  const what = `${JSON.stringify(query.text)} ${[...(query.kinds ?? [])]} ${query.scope} ${wanted}`;
  assert.deepEqual(lines.slice(0, wanted), expected.slice(0, wanted), what);
  assert.equal(total, expected.length, what);
}

for (const seed of [1, 2, 3, 4]) {
  test(`search gives the first of all hits, sorted, and their number (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const pick: Pick = items => items[Math.floor(random() * items.length)]!;
    const all = randomDefinitions(random, pick);
    const catalogue = catalogueFrom(all);
    const searched = searchedCatalogues().of(catalogue);
    for (let round = 0; round < 150; round++) {
      const query = randomQuery(random, pick, all);
      if (query.text === '') continue;
      assertFound(catalogue, searched, all, query, pick([1, 3, 10, 50, 1_000]));
      assertAmong(catalogue, searched, query, pick([1, 3, 10, 50, 1_000]), random);
    }
  });

  test(`a catalogue that goes from snapshot to snapshot is searched like one made anew (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const pick: Pick = items => items[Math.floor(random() * items.length)]!;
    let all = randomDefinitions(random, pick);
    const catalogue = catalogueFrom(all);
    const searched = searchedCatalogues();
    for (let seq = 2; seq < 60; seq++) {
      const path = pick(catalogue.documents).path;
      all = edited(all, path, random, pick);
      const document = catalogue.documents.findIndex(one => one.path === path);
      const part = partOf(path, document, all, catalogue.names as string[]);
      assert.ok(patchCatalogue(catalogue, seq, [{ document, part }]));
      assert.equal(catalogue.size, all.length);
      for (let round = 0; round < 10; round++) {
        const query = randomQuery(random, pick, all);
        if (query.text === '') continue;
        assertFound(catalogue, searched.of(catalogue), all, query, pick([1, 3, 10, 50, 1_000]));
        assertAmong(catalogue, searched.of(catalogue), query, pick([1, 3, 10, 50, 1_000]), random);
      }
      const copied = catalogueOf({ seq, names: [...catalogue.names] }, [], catalogue);
      const query = { text: pick(all).name, kinds: undefined, scope: undefined };
      assertFound(copied, searched.of(copied), all, query, 50);
    }
  });
}

/** What is looked for in some documents, and exact matches, are what a search among their definitions finds of it. */
function assertAmong(
  catalogue: Catalogue,
  searched: SearchedCatalogue,
  query: Query,
  wanted: number,
  random: () => number,
): void {
  const documents = Uint8Array.from(catalogue.documents, () => (random() < 0.5 ? 1 : 0));
  const isAmong = (definition: number): boolean => documents[catalogue.documentOf[definition]!] === 1;
  const { hits } = searched.findAmong(query, wanted, isAmong);
  assert.deepEqual(searched.bestIn(query, wanted, documents), hits);
  const exact = hits.filter(({ match }) => match === 'exact');
  assert.deepEqual(searched.exact(query, wanted, isAmong), exact);
}

test('of names that score the same the shorter ones are shown, wherever they stand in the order of names', () => {
  const names = ['xaaaaYaaaa', 'xbYbbb', 'xcY', 'xdYddddd', 'xeY', 'XcY', 'xééY', 'xéY'];
  const all = names.map(
    (name, index): Definition => ({
      ...{ path: 'a.ts', index, symbol: index + 1, name, kind: 'function' },
      ...{ exported: true, hasBody: true, isTest: false },
    }),
  );
  const searched = searchedCatalogues().of(catalogueFrom(all));
  for (let wanted = 1; wanted <= names.length; wanted++) {
    const { hits, total } = searched.find({ text: 'xY', kinds: undefined, scope: undefined }, wanted);
    const expected = plainSearch(all, { text: 'xY', kinds: undefined, scope: undefined });
    const lines = hits.map(hit => `${hit.score} ${hit.match} ${hit.name} a.ts ${hit.definition}`);
    assert.deepEqual(lines.slice(0, wanted), expected.slice(0, wanted));
    assert.equal(total, expected.length);
  }
});
