import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { statsOf } from '../../../daemon/operations/index-server/index-stats.ts';
import type { ListAsked } from '../../../daemon/operations/index-server/list-call.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { randomFrom } from '../../support/synthetic.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';
import { says, writeScip } from '../jobs/says.ts';
import { documents, place, sym } from '../jobs/uploads.ts';
import { everyCall, everyRef, everySymbol, noFilter, type Row, type ServedLists, servedLists } from './served-lists.ts';

const tree = `
  -- src/store.ts --
  /** Keeps things. */
  export class Store {
    open(): void { this.close(); }
    close(): void {}
  }
  export function make(): Store { return new Store(); }
  -- src/use.ts --
  import { make } from './store';
  import { debounce } from 'lodash';
  export const later = debounce(() => make().open());
  make();
  -- src/merged.ts --
  export interface Both { a: string }
  -- py/shop.py --
  from dataclasses import dataclass
  @dataclass
  class Item:
      name: str
      def label(self):
          return clean(self.name)
  def clean(text):
      return text.strip()
  -- go/a.go --
  package shop
  func Total(items []int) int { return add(items) }
  -- go/b.go --
  package shop
  func add(items []int) int { return len(items) }
  -- c/a.h --
  int shared(int);
  -- c/a.c --
  #include "a.h"
  int shared(int a) { return a; }
`;

test('pages of any size give every row once, in one order, and as many as the snapshot counts', async t => {
  const folder = temporaryFolder(t, tree);
  const { repo, crawl } = indexedTree(t, folder.root);
  await crawl();
  const lists = servedLists(t, repo.indexFile, { key: repo.worktreeKey });
  const stats = statsOf(lists.reader.snapshot(repo.worktreeKey)!.counts);
  for (const [list, count] of [
    [{ kind: 'files' } as const, stats.files],
    [everySymbol, stats.symbols],
    [everyRef, stats.refs],
    [everyCall, stats.call_edges],
  ] as const) {
    const whole = lists.walk(list);
    assert.equal(whole.length, count, list.kind);
    assert.ok(count > 3, list.kind);
    for (const limit of [1, 2, 3, 7]) assert.deepEqual(lists.walk(list, limit), whole, `${list.kind} by ${limit}`);
  }
  const symbols = lists.walk(everySymbol);
  assert.equal(new Set(symbols.map(({ id }) => id)).size, symbols.length);
  for (const { path, symbol_count } of lists.walk({ kind: 'files' })) {
    assert.equal(symbols.filter(one => one['file_path'] === path).length, symbol_count, path as string);
  }
  const store = symbols.find(({ name }) => name === 'Store')!;
  assert.deepEqual(
    [store['file_path'], store['line'], store['column'], store['documentation'], store['container']],
    ['src/store.ts', 2, 14, 'Keeps things.', ''],
  );
  const calls = lists.walk(everyCall);
  const idOf = (name: string) => symbols.find(one => one['name'] === name)!['id'];
  const madeAt = calls.filter(one => one['callee_id'] === idOf('make'));
  assert.deepEqual(
    madeAt.map(one => [one['caller_file'], one['call_line'], one['caller_id']]),
    [
      ['src/use.ts', 3, idOf('later')],
      ['src/use.ts', 4, ''],
    ],
  );
});

test('symbols of one place that are one, as those of two versions of a package are, are one reference there', async t => {
  const at = place(t);
  const pushOf = (version: string) => `scip-typescript npm typescript ${version} lib/\`lib.d.ts\`/Array#push().`;
  const use = (column: number, version: string) => ({ range: [0, column, column + 4], symbol: pushOf(version) });
  const occurrences = [use(4, '5.8.0'), use(4, '5.9.3'), use(9, '5.9.3'), use(14, '5.8.0'), use(14, '5.9.3')];
  await at.upload({ documents: [{ relativePath: 'src/one.ts', occurrences }] });
  const lists = servedLists(t, at.indexFile);
  assert.deepEqual(
    lists.walk(everyRef).map(({ col }) => col),
    [5, 10, 15],
  );
  assert.equal(statsOf(lists.reader.snapshot('main')!.counts).refs, 3);
});

test('a key that ends in digits keeps those that are written, and loses the count alone', async t => {
  const at = place(t);
  const key = (name: string) => sym('keys.ts', name);
  const written = [
    ['sql0:', 3],
    ['sql21:', 4],
    ['sql21:in0:', 2],
    ['sql317:', 4],
    ['sql18:', 3],
    ['sql18:in1:', 2],
    ["`'a-1'2`:", 5],
  ] as const;
  const occurrences = written.map(([name, length], line) => ({
    range: [line, 2, 2 + length],
    symbol: key(name),
    symbolRoles: 1,
  }));
  const uses = ['sql21:', 'sql317:', 'sql18:'].map((name, line) => ({ range: [line, 0, 4], symbol: key(name) }));
  await at.upload({
    documents: [
      { relativePath: 'src/keys.ts', occurrences },
      { relativePath: 'src/uses.ts', occurrences: uses },
    ],
  });
  const lists = servedLists(t, at.indexFile);
  const symbols = lists.walk(everySymbol);
  assert.deepEqual(
    symbols.map(({ name, container, line }) => [name, container, line]),
    [
      ['sql', '', 1],
      ['sql2', '', 2],
      ['in', 'sql2', 3],
      ['sql3', '', 4],
      ['in', 'sql', 6],
      ['a-1', '', 7],
    ],
  );
  const idOf = (name: string) => symbols.find(one => one['name'] === name)!['id'];
  assert.deepEqual(
    lists.walk(everyRef).map(row => row['to_symbol_id']),
    [idOf('sql2'), idOf('sql3'), idOf('sql')],
  );
});

test('filters combine, and a total counts what they leave', async t => {
  const folder = temporaryFolder(t, tree);
  const { repo, crawl } = indexedTree(t, folder.root);
  await crawl();
  const lists = servedLists(t, repo.indexFile, { key: repo.worktreeKey });
  const symbols = lists.walk(everySymbol);
  for (const language of [undefined, 'typescript', 'python', 'cobol']) {
    for (const symbolKind of [undefined, 'function', 'method'] as const) {
      for (const file of [undefined, 'src/store.ts', 'src']) {
        const list = { kind: 'symbols', language, symbolKind, file } as const;
        const expected = symbols.filter(
          one =>
            (language ?? one['language']) === one['language'] &&
            (symbolKind ?? one['kind']) === one['kind'] &&
            (file ?? one['file_path']) === one['file_path'],
        );
        assert.deepEqual(lists.walk(list, 2), expected);
        assert.equal(lists.ask(list, 1).meta['total'], expected.length);
      }
    }
  }
  const ids = [undefined, ...symbols.map(one => one['id'] as string), 'svc:acme/x:sym:nothing', 'svc:other:sym:1'];
  const refs = lists.walk(everyRef);
  const edges = lists.walk(everyCall);
  for (const id of ids) {
    for (const path of [undefined, 'src/use.ts', 'use.ts']) {
      assert.deepEqual(
        lists.walk({ ...everyRef, to: id, fromFile: path }, 2),
        refs.filter(
          one => (id ?? one['to_symbol_id']) === one['to_symbol_id'] && (path ?? one['from_file']) === one['from_file'],
        ),
      );
      assert.deepEqual(
        lists.walk({ ...everyCall, caller: id, callerFile: path }, 2),
        edges.filter(
          one => (id ?? one['caller_id']) === one['caller_id'] && (path ?? one['caller_file']) === one['caller_file'],
        ),
      );
      assert.deepEqual(
        lists.walk({ ...everyCall, callee: id, callerFile: path, language: 'typescript' }, 2),
        edges.filter(
          one =>
            (id ?? one['callee_id']) === one['callee_id'] &&
            (path ?? one['caller_file']) === one['caller_file'] &&
            one['language'] === 'typescript',
        ),
      );
    }
  }
});

test('a walk goes on over the snapshot that it began with, whatever is published meanwhile', async t => {
  const folder = temporaryFolder(t, tree);
  const { repo, crawl, changed } = indexedTree(t, folder.root);
  await crawl();
  const key = repo.worktreeKey;
  const lists = servedLists(t, repo.indexFile, { key });
  const before = [everySymbol, everyRef, everyCall].map(list => lists.walk(list));
  const begun = [everySymbol, everyRef, everyCall].map(list => lists.ask(list, 2));
  folder.write('src/store.ts', 'export class Other {}\n');
  await changed('src/store.ts');
  folder.remove('go/a.go');
  await changed('go/a.go');
  folder.write('a/first.ts', 'export const first = 1;\n');
  await changed('a/first.ts');
  [everySymbol, everyRef, everyCall].forEach((list, at) => {
    const rows: Row[] = [...Object.values(begun[at]!.data)[0]!];
    for (let { meta } = begun[at]!; meta['has_more'] === true; ) {
      const page = lists.ask(list, 2, meta['cursor'] as string);
      rows.push(...Object.values(page.data)[0]!);
      meta = page.meta;
    }
    assert.deepEqual(rows, before[at]);
  });
  const now = servedLists(t, repo.indexFile, { key });
  assert.ok(now.walk(everySymbol).some(({ name }) => name === 'Other'));
});

test('a walk over ten thousand rows gives each once while twenty versions are published (P34)', async t => {
  const files = Array.from({ length: 50 }, (_, file) => {
    const lines = Array.from({ length: 200 }, (_, at) => `export const c${file}_${at} = 1;\n`);
    return `-- src/m${file}.ts --\n${lines.join('')}`;
  });
  const folder = temporaryFolder(t, files.join(''));
  const { repo, crawl, changed } = indexedTree(t, folder.root);
  await crawl();
  const key = repo.worktreeKey;
  const lists = servedLists(t, repo.indexFile, { key });
  const expected = lists.walk(everySymbol);
  const rows: Row[] = [];
  let published = 0;
  for (let cursor: string | undefined, isMore = true; isMore; ) {
    const { data, meta } = lists.ask(everySymbol, 500, cursor);
    rows.push(...Object.values(data)[0]!);
    cursor = meta['cursor'] as string | undefined;
    isMore = meta['has_more'] === true;
    const path = `src/m${(published * 7) % 50}.ts`;
    if (published % 5 === 4) folder.remove(path);
    else folder.write(path, `export const fresh${published} = 1;\n`);
    await changed(path);
    published++;
  }
  assert.deepEqual([rows.length, new Set(rows.map(({ id }) => id)).size, published], [10_000, 10_000, 20]);
  assert.deepEqual(rows, expected);
  assert.ok(servedLists(t, repo.indexFile, { key }).walk(everySymbol).length < 7000, 'all of them were published');
});

test('searches rank, and take every character as it stands', async t => {
  const folder = temporaryFolder(
    t,
    `
      -- src/reader.ts --
      export class Reader { read_all(): void {} }
      export function readerOf(): void {}
      export const thread = 1;
      export function read(): void {}
      export function Read(): void {}
      -- src/read/100%_index.ts --
      export const $percent = 1;
      -- lib/my-reader.py --
      def reader(): pass
    `,
  );
  const { repo, crawl } = indexedTree(t, folder.root);
  await crawl();
  const lists = servedLists(t, repo.indexFile, { key: repo.worktreeKey });
  const names = (query: string, limit = 100, more = {}) => {
    const { data } = lists.ask(
      { kind: 'search symbols', query, language: undefined, symbolKind: undefined, ...more },
      limit,
    );
    return [data['symbols']!.map(({ name }) => name), data['truncated']] as const;
  };
  assert.deepEqual(names('read'), [['read', 'Read', 'reader', 'Reader', 'read_all', 'readerOf', 'thread'], false]);
  assert.deepEqual(names('read', 2), [['read', 'Read'], true]);
  assert.deepEqual(names('read', 7), [['read', 'Read', 'reader', 'Reader', 'read_all', 'readerOf', 'thread'], false]);
  assert.deepEqual(names('read', 9, { language: 'python' })[0], ['reader']);
  assert.deepEqual(names('read', 9, { symbolKind: 'class' })[0], ['Reader']);
  assert.deepEqual(names('_')[0], ['read_all']);
  for (const query of ['%', 'read%', '*', '.*', '"', "'; DROP TABLE symbol--", 'a AND b', 'col:x', '((((', '🙂']) {
    assert.deepEqual(names(query)[0], [], query);
  }
  assert.deepEqual(names('$')[0], ['$percent']);
  const paths = (query: string, limit = 100) =>
    lists.ask({ kind: 'search files', query }, limit).data['files']!.map(({ path }) => path);
  assert.deepEqual(paths('reader'), ['src/reader.ts', 'lib/my-reader.py']);
  assert.deepEqual(paths('READ'), ['src/reader.ts', 'lib/my-reader.py', 'src/read/100%_index.ts']);
  assert.deepEqual(
    [paths('%'), paths('_'), paths('%_'), paths('?')],
    [['src/read/100%_index.ts'], ['src/read/100%_index.ts'], ['src/read/100%_index.ts'], []],
  );
});

test('the first of what a search finds are the same, however many are wanted', async t => {
  const words = ['read', 'Reader', 'own', 'Thread', 'All'];
  const name = (at: number): string =>
    `${words[at % 5]}${words[(at * 3) % 4]}${at % 7 === 0 ? '' : words[at % 3]}${at % 2}`;
  const files = Array.from({ length: 6 }, (_, file) => {
    const functions = Array.from({ length: 15 }, (_, at) => `export function ${name(at * (file + 1))}${file % 2}() {}`);
    return `-- ${file % 2 === 0 ? 'read' : 'own'}/Read${file}.ts --\n${[...new Set(functions)].join('\n')}`;
  });
  const { repo, crawl } = indexedTree(t, temporaryFolder(t, files.join('\n')).root);
  await crawl();
  const lists = servedLists(t, repo.indexFile, { key: repo.worktreeKey });
  const found = (asked: ListAsked, limit: number) => {
    const { data } = lists.ask(asked, limit);
    return { rows: data['symbols'] ?? data['files']!, truncated: data['truncated'] as unknown };
  };
  const nothing = { language: undefined, symbolKind: undefined };
  for (const query of ['r', 'read', 'ReadOwn', 'RA', 'ad', 'l0', 'own', 'zz']) {
    for (const asked of [
      { kind: 'search symbols', query, ...nothing } as const,
      { kind: 'search symbols', query, ...nothing, symbolKind: 'class' } as const,
      { kind: 'search files', query } as const,
    ]) {
      const all = found(asked, 100);
      assert.equal(all.truncated, false);
      for (let limit = 1; limit <= all.rows.length; limit += 3) {
        const first = { rows: all.rows.slice(0, limit), truncated: limit < all.rows.length };
        assert.deepEqual(found(asked, limit), first, `${asked.kind} ${query} ${limit}`);
      }
    }
  }
});

test('what is not shown can’t be asked for', async t => {
  const at = place(t);
  await at.upload({ documents });
  const hidden = servedLists(t, at.indexFile, {
    privacy: { exposePaths: false, exposeDocs: false, exposeSignatures: false },
  });
  const symbols = hidden.walk(everySymbol);
  assert.deepEqual(new Set(symbols.map(one => one['file_path'])), new Set(['lib.ts', 'use.ts']));
  assert.ok(symbols.every(one => !('documentation' in one) && !('signature' in one)));
  assert.deepEqual(hidden.walk({ kind: 'symbols', ...noFilter, file: 'src/lib.ts' }), []);
  assert.equal(hidden.walk({ kind: 'symbols', ...noFilter, file: 'lib.ts' }).length, 4);
  assert.deepEqual(hidden.walk({ ...everyRef, fromFile: 'src/use.ts' }), []);
  assert.deepEqual(hidden.walk({ ...everyCall, callerFile: 'src/lib.ts' }), []);
  assert.deepEqual(hidden.ask({ kind: 'search files', query: 'src' }).data['files'], []);
  assert.deepEqual(hidden.ask({ kind: 'search files', query: 'lib' }).data['files']!.length, 1);
  // Nobody can tell whether a symbol is there by making its id of a guessed path.
  const plain = servedLists(t, at.indexFile).walk(everySymbol);
  const { data } = hidden.ask({ kind: 'batch', ids: plain.map(one => one['id'] as string) });
  assert.deepEqual([data['symbols'], data['not_found']!.length], [[], plain.length]);
  const back = hidden.ask({ kind: 'batch', ids: symbols.map(one => one['id'] as string) });
  assert.deepEqual(back.data['symbols'], symbols);
  const stripped = servedLists(t, at.indexFile, { privacy: { pathPrefixStrip: 'src/' } });
  assert.deepEqual(new Set(stripped.walk(everyRef).map(one => one['from_file'])), new Set(['lib.ts', 'use.ts']));
  assert.deepEqual(stripped.walk({ ...everyRef, fromFile: 'src/lib.ts' }), []);
});

test('deltas lead from what a mirror has to what there is, whatever was edited', async t => {
  const random = randomFrom(7);
  const pick = (most: number): number => Math.floor(random() * most);
  const file = (at: number): string => {
    const uses = Array.from({ length: pick(3) }, () => pick(6));
    return [
      ...uses.map((of, n) => `import { f${of} as g${n} } from './m${of}';`),
      ...Array.from({ length: pick(3) }, () => ''),
      `/** As src/m${pick(6)}.ts does. */`,
      `export function f${at}() { ${uses.map((_, n) => `g${n}();`).join(' ')} }`,
      ...(pick(2) === 0 ? [`export interface Shared${pick(2)} { a${at}: string }`] : []),
      `export class C${pick(3)} { m() { f${at}(); } }`,
    ].join('\n');
  };
  const folder = temporaryFolder(t);
  for (let at = 0; at < 6; at++) folder.write(`src/m${at}.ts`, file(at));
  folder.write('inc/a.h', 'int shared(int);\n');
  folder.write('m5.ts', file(5));
  const { repo, crawl, changed, engine } = indexedTree(t, folder.root);
  await crawl();
  const key = repo.worktreeKey;
  const scip = temporaryFolder(t).path('index.scip');
  const textOf = (path: string): string => readFileSync(folder.path(path), 'utf8');
  // Of each function where it is and that it uses itself there, and of its calls that they mean one function, or two.
  const whatAnIndexerSays = (): readonly string[] =>
    Array.from({ length: 6 }, (_, at) => `src/m${at}.ts`).flatMap((path, at) => {
      if (!existsSync(folder.path(path))) return [];
      const calls = [...textOf(path).matchAll(/ as g(\d)/g)].flatMap(([, n]) =>
        Array.from({ length: pick(3) }, () => `${path} g${n} 1 means f${pick(6)}().`),
      );
      return [`${path} f${at} defines f${at}().`, `${path} f${at} means f${at}().`, ...calls];
    });
  const ways = [{}, { exposePaths: false }, { pathPrefixStrip: 'src/' }];
  const shown = () => ways.map(privacy => servedLists(t, repo.indexFile, { key, privacy }));
  const kept = [shown()];
  const told = ways.map(() => ({ changes: 0, fullReads: 0 }));
  for (let round = 0; round < 12; round++) {
    const at = pick(6);
    const path = round % 4 === 3 ? 'src/shared.c' : `src/m${at}.ts`;
    if (pick(5) === 0) folder.remove(path);
    else folder.write(path, path.endsWith('.c') ? `int shared(int a) { return ${pick(9)}; }\n` : file(at));
    await changed(path);
    if (round % 2 === 1) {
      writeScip(scip, folder.root, says(textOf, whatAnIndexerSays()));
      await engine.ingestScip(repo, { parts: [{ file: scip }], seen: { kind: 'tree' } });
    }
    kept.push(shown());
    const [now] = kept.at(-1) as [ServedLists];
    const { refs, call_edges } = statsOf(now.reader.snapshot(key)!.counts);
    assert.deepEqual([now.walk(everyRef).length, now.walk(everyCall).length], [refs, call_edges], `round ${round}`);
    // Five publications are kept at least, and what was replaced a quarter of an hour.
    for (const before of kept.slice(-5)) {
      for (const [way, lists] of kept.at(-1)!.entries()) {
        for (const limit of [1, 1000]) {
          const pages = lists.changesSince(before[way]!.at, limit).map(({ data }) => data);
          const isFull = pages.some(data => data['full_read'] as unknown as boolean);
          told[way]![isFull ? 'fullReads' : 'changes']++;
          if (isFull) continue;
          const deltas = pages.map(data => data['deltas'] as unknown as Deltas);
          assert.deepEqual(applied(rowsOf(before[way]!), deltas), rowsOf(lists), `round ${round} by ${limit}, ${way}`);
        }
      }
    }
  }
  // Where files come and go, or are shown alike, what is kept back makes changes such as nobody can tell.
  assert.equal(told[0]!.fullReads, 0);
  for (const one of told.slice(1)) assert.ok(one.changes > 0 && one.fullReads > 0, JSON.stringify(told));
});

interface Deltas {
  readonly files: { readonly added: Row[]; readonly modified: Row[]; readonly deleted: string[] };
  readonly symbols: { readonly added: Row[]; readonly modified: Row[]; readonly deleted: string[] };
  readonly refs: { readonly added: Row[]; readonly deleted: Row[] };
  readonly callgraph: { readonly added: Row[]; readonly deleted: Row[] };
}

/** All rows in an order that says nothing. */
function rowsOf(lists: ReturnType<typeof servedLists>): Readonly<Record<string, readonly string[]>> {
  const sorted = (rows: readonly Row[]): string[] => rows.map(row => JSON.stringify(row)).sort();
  return {
    files: sorted(lists.walk({ kind: 'files' })),
    symbols: sorted(lists.walk(everySymbol)),
    refs: sorted(lists.walk(everyRef)),
    edges: sorted(lists.walk(everyCall)),
  };
}

/** As a mirror does: what is added must not be there, what is modified or deleted must. */
function applied(rows: ReturnType<typeof rowsOf>, pages: readonly Deltas[]): ReturnType<typeof rowsOf> {
  const files = [...rows['files']!];
  // Whoever holds a file by its path finds one of a path that is told of, and no other.
  const fileAt = (path: string): string | undefined => {
    const found = files.filter(text => (JSON.parse(text) as { path: string }).path === path);
    assert.ok(found.length <= 1, path);
    return found[0];
  };
  const dropFile = (path: string): void => {
    const at = files.indexOf(fileAt(path) ?? assert.fail(path));
    files.splice(at, 1);
  };
  const symbols = new Map(rows['symbols']!.map(text => [(JSON.parse(text) as { id: string }).id, text]));
  const [refs, edges] = [[...rows['refs']!], [...rows['edges']!]];
  const put = (into: Map<string, string>, key: string, row: Row, isThere: boolean): void => {
    assert.equal(into.has(key), isThere, key);
    into.set(key, JSON.stringify(row));
  };
  const take = (from: string[], row: Row): void => {
    const at = from.indexOf(JSON.stringify(row));
    assert.ok(at >= 0, `${JSON.stringify(row)} is there`);
    from.splice(at, 1);
  };
  for (const delta of pages) {
    for (const path of delta.files.deleted) dropFile(path);
    for (const one of delta.files.modified) dropFile(one['path'] as string);
    for (const one of delta.files.added) assert.equal(fileAt(one['path'] as string), undefined);
    files.push(...[...delta.files.modified, ...delta.files.added].map(row => JSON.stringify(row)));
    for (const one of delta.symbols.added) put(symbols, one['id'] as string, one, false);
    for (const one of delta.symbols.modified) put(symbols, one['id'] as string, one, true);
    for (const id of delta.symbols.deleted) assert.ok(symbols.delete(id), id);
    for (const row of delta.refs.deleted) take(refs, row);
    for (const row of delta.callgraph.deleted) take(edges, row);
    refs.push(...delta.refs.added.map(row => JSON.stringify(row)));
    edges.push(...delta.callgraph.added.map(row => JSON.stringify(row)));
  }
  return {
    files: files.sort(),
    symbols: [...symbols.values()].sort(),
    refs: refs.sort(),
    edges: edges.sort(),
  };
}
