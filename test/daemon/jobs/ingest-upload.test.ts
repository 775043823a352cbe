import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { defaultScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { pageBytes, ScratchMemory } from '../../../daemon/extract/scip/scratch-memory.ts';
import { canonicalDump } from '../../../daemon/jobs/dump.ts';
import { ingestUpload } from '../../../daemon/jobs/upload/ingest-upload.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { replaceIndex } from '../../../daemon/store/new-index.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { assertSound, type Documents, documents, everything, hashOf, metadata, place, sym } from './uploads.ts';

test('an upload answers symbols, searches and references', async context => {
  const at = place(context);
  const uploaded = await at.upload({ documents });
  assertSound(at);
  assert.equal(uploaded.indexer.tool, 'scip-typescript');
  assert.deepEqual(
    { ...uploaded.counts, languages: Object.keys(uploaded.counts.languages) },
    {
      symbols: 5,
      references: 6,
      files: 2,
      documents: 2,
      skipped: 0,
      failed: 0,
      partial: 0,
      precise: 2,
      languages: ['typescript'],
      unread: {},
      inputs: {},
    },
  );
  at.reading(reader => {
    const { seq, snapshotId } = reader.snapshot('main')!;
    assert.equal(snapshotId, uploaded.snapshotId);
    assert.equal(reader.identity, 'descriptor');
    const { names } = reader.catalogue('main', seq)!;
    assert.deepEqual([...names].sort(), ['Store', 'Sub', 'helper', 'lib.ts', 'open']);
    const open = reader.symbol('main', seq, hashOf('src/lib.ts', 'Store#open().'))!;
    assert.deepEqual(
      { name: open.name, kind: open.kind, signature: open.signature, containers: open.containers, path: open.path },
      { name: 'open', kind: 'method', signature: '(method) open(): void', containers: ['Store'], path: 'src/lib.ts' },
    );
    assert.deepEqual(open.nameRange, { startLine: 2, startColumn: 2, endLine: 2, endColumn: 6 });
    const store = reader.symbol('main', seq, hashOf('src/lib.ts', 'Store#'))!;
    assert.deepEqual([store.kind, store.documentation, store.language], ['class', 'Keeps things.', 'typescript']);
    const rowsOf = (path: string, tail: string, query = everything): string[] =>
      reader
        .references('main', seq, hashOf(path, tail), query)!
        .rows.map(
          ({ path: in_, range, kind, enclosing, line }) =>
            `${in_}:${range.startLine}:${range.startColumn} ${kind} ${enclosing?.name ?? '-'} '${line}'`,
        );
    assert.deepEqual(rowsOf('src/lib.ts', 'Store#'), [
      "src/use.ts:0:9 import - ''",
      "src/use.ts:2:18 implementation Sub ''",
    ]);
    assert.deepEqual(rowsOf('src/lib.ts', 'Store#open().'), ["src/use.ts:3:4 call Sub ''"]);
    const helper = ["src/lib.ts:3:10 call open ''", "src/use.ts:8:0 call - ''"];
    assert.deepEqual(rowsOf('src/lib.ts', 'helper().'), helper);
    const both = { ...everything, includeDefinition: true, limit: 1 };
    assert.deepEqual(rowsOf('src/lib.ts', 'helper().', both), helper.slice(0, 1));
    assert.deepEqual(rowsOf('src/lib.ts', 'helper().', { ...both, offset: 2 }), helper.slice(1));
    assert.deepEqual(
      reader.bases('main', seq, hashOf('src/use.ts', 'Sub#')).map(({ name }) => name),
      ['Store'],
    );
  });
});

test('of a document with text, what stands past its end is left out and counted', async context => {
  const at = place(context);
  const [lib] = documents;
  const uses = [
    [0, 4, 9],
    [0, 2000, 2005],
    [500, 0, 5],
    [0, 10, 15],
  ].map(range => ({ range, symbol: sym('lib.ts', 'Store#') }));
  const use = { relativePath: 'src/use.ts', positionEncoding: 2, text: 'new Store(Store)\n', occurrences: uses };
  const { rejected } = await at.upload({ documents: [lib!, use] });
  assert.deepEqual(rejected.counts, { 'occurrence: range': 2 });
  at.reading(reader => {
    const { seq } = reader.snapshot('main')!;
    const { rows } = reader.references('main', seq, hashOf('src/lib.ts', 'Store#'), everything)!;
    assert.deepEqual(
      rows.map(({ range }) => [range.startLine, range.startColumn]),
      [
        [0, 4],
        [0, 10],
      ],
    );
  });
});

test('the order of documents and how the file is packed make no difference', async context => {
  const at = place(context);
  const first = await at.upload({ documents });
  const dump = canonicalDump(at.indexFile, 'main');
  const second = await at.upload(gzipSync(scipBytes({ metadata, documents: [...documents].reverse() })));
  assert.equal(second.snapshotId, first.snapshotId);
  assert.deepEqual(canonicalDump(at.indexFile, 'main').lines, dump.lines);
  const moved = { ...documents[1]!, occurrences: documents[1]!.occurrences!.slice(1) };
  assert.notEqual((await at.upload({ documents: [documents[0]!, moved] })).snapshotId, first.snapshotId);
});

test('what points elsewhere is another snapshot, though it stands where it stood', async context => {
  const at = place(context);
  const use = (target: string): Documents => [
    {
      relativePath: 'a.ts',
      occurrences: [
        { range: [0, 0, 1], symbol: 's npm p 1 `a.ts`/A#x.', symbolRoles: 1 },
        { range: [1, 0, 1], symbol: 's npm p 1 `a.ts`/B#x.', symbolRoles: 1 },
        { range: [2, 0, 1], symbol: target },
      ],
    },
  ];
  const first = await at.upload({ documents: use('s npm p 1 `a.ts`/A#x.') });
  const second = await at.upload({ documents: use('s npm p 1 `a.ts`/B#x.') });
  assert.notEqual(first.snapshotId, second.snapshotId);
});

test('documents of one path are one, each occurrence in it once', async context => {
  const at = place(context);
  const [lib, use] = documents;
  const more = {
    ...lib!,
    occurrences: [...lib!.occurrences!, { range: [9, 0, 6], symbol: sym('lib.ts', 'helper().') }],
  };
  const uploaded = await at.upload({ documents: [lib!, use!, lib!, more, use!] });
  assertSound(at);
  assert.deepEqual([uploaded.counts.documents, uploaded.counts.references], [2, 7]);
  at.reading(reader => {
    const page = reader.references('main', 1, hashOf('src/lib.ts', 'helper().'), everything)!;
    assert.deepEqual(
      page.rows.map(({ path, range, enclosing }) => [path, range.startLine, enclosing?.name]),
      [
        ['src/lib.ts', 3, 'open'],
        ['src/lib.ts', 9, undefined],
        ['src/use.ts', 8, undefined],
      ],
    );
  });
});

test('a document that comes twice is meant by others all the same', async context => {
  const at = place(context);
  const [lib, use] = documents;
  const once = await at.upload({ documents: [lib!, use!] });
  assert.equal((await at.upload({ documents: [lib!, use!, lib!] })).snapshotId, once.snapshotId);
  assertSound(at);
});

test('what does not fit in memory makes no difference', async context => {
  const at = place(context);
  const many = Array.from({ length: 20 }, (_, file): Documents[number] => ({
    relativePath: `src/${file}.ts`,
    occurrences: Array.from({ length: 60 }, (_each, line) => [
      { range: [line, 0, 4], symbol: sym(`${file}.ts`, `name${file * 7 + line}().`), symbolRoles: 1 },
      { range: [line, 9, 12], symbol: sym(`${(file * line) % 20}.ts`, `name${line * 3}().`) },
      { range: [line, 19, 22], symbol: `s npm p 1 lib/thing${line}#` },
    ]).flat(),
  }));
  const { snapshotId } = await at.upload({ documents: many });
  const { lines } = canonicalDump(at.indexFile, 'main');
  const folder = temporaryFolder(context);
  const memory = new ScratchMemory(folder.path('scratch'), 16 * pageBytes);
  const file = folder.path('index.db');
  const limits = defaultScipLimits;
  const { signal } = new AbortController();
  const run = { file: at.scip, key: 'main', limits, signal, isCancelled: () => false, onRead() {}, onRest() {} };
  const small = await replaceIndex(file, writer => ingestUpload(run, { writer, memory, now: () => 0 }));
  assert.ok(memory.spilledBytes > 0);
  memory.close();
  assert.equal(small.snapshot.snapshotId, snapshotId);
  assert.deepEqual(readdirSync(folder.root).sort(), ['index.db', 'index.db.seal']);
  assert.deepEqual(canonicalDump(file, 'main').lines, lines);
});

test('counters are stripped, so that one key of many literals is one symbol with many sites', async context => {
  const at = place(context);
  const keys = [0, 1, 2].map(count => ({
    range: [count, 2, 6],
    symbol: sym('a.ts', `code${count}:`),
    symbolRoles: 1,
  }));
  const inner = { range: [4, 2, 3], symbol: sym('a.ts', 'I#typeLiteral12:x.'), symbolRoles: 1 };
  await at.upload({ documents: [{ relativePath: 'src/a.ts', occurrences: [...keys, inner] }] });
  assertSound(at);
  at.reading(reader => {
    const page = reader.references('main', 1, hashOf('src/a.ts', 'code.'), { ...everything, includeDefinition: true })!;
    assert.deepEqual(
      page.rows.map(({ kind, range }) => [kind, range.startLine]),
      [0, 1, 2].map(line => ['definition', line]),
    );
    assert.deepEqual(reader.symbol('main', 1, hashOf('src/a.ts', 'I#x.'))!.containers, ['I']);
  });
});

test('symbols of which the same is told are the same but for their names, and implement what each of them says', async context => {
  const at = place(context);
  const classes = ['A', 'B', 'C'];
  const told = { documentation: ['```ts\nclass\n```', 'Says what others say.'] };
  const files = classes.map((name, number) => {
    const base =
      number === 0
        ? []
        : [{ symbol: sym(`${classes[number - 1]}.ts`, `${classes[number - 1]}#`), isImplementation: true }];
    return {
      relativePath: `src/${name}.ts`,
      occurrences: [
        { range: [0, 6, 7], symbol: sym(`${name}.ts`, `${name}#`), symbolRoles: 1, enclosingRange: [0, 0, 3, 1] },
        ...classes.map(used => ({ range: [1, 2, 3], symbol: sym(`${used}.ts`, `${used}#`) })),
      ],
      symbols: [{ symbol: sym(`${name}.ts`, `${name}#`), ...told, relationships: base }],
    };
  });
  await at.upload({ documents: files });
  assertSound(at);
  at.reading(reader => {
    const hashes = classes.map(name => hashOf(`src/${name}.ts`, `${name}#`));
    assert.deepEqual(
      hashes.map(hash => {
        const { name, kind, documentation } = reader.symbol('main', 1, hash)!;
        return [name, kind, documentation, reader.bases('main', 1, hash).map(base => base.name)];
      }),
      [
        ['A', 'class', 'Says what others say.', []],
        ['B', 'class', 'Says what others say.', ['A']],
        ['C', 'class', 'Says what others say.', ['B']],
      ],
    );
  });
});

test('a symbol that several documents define is meant as their own there, elsewhere as the first that is no test', async context => {
  const at = place(context);
  const shared = 's maven p 1 com/acme/Part#';
  const defining = (relativePath: string): Documents[number] => ({
    relativePath,
    occurrences: [
      { range: [0, 0, 4], symbol: shared, symbolRoles: 1 },
      { range: [1, 0, 4], symbol: shared },
    ],
  });
  const using = { relativePath: 'z.cs', occurrences: [{ range: [5, 0, 4], symbol: shared }] };
  await at.upload({ documents: [using, defining('b.cs'), defining('a/tests/a.cs'), defining('c.cs')] });
  assertSound(at);
  at.reading(reader => {
    const placesOf = (path: string): string[] =>
      reader
        .references('main', 1, hashOf(path, 'com/acme/Part#'), everything)!
        .rows.map(row => `${row.path}:${row.range.startLine}`);
    assert.deepEqual(placesOf('b.cs'), ['b.cs:1', 'z.cs:5']);
    assert.deepEqual(placesOf('c.cs'), ['c.cs:1']);
    assert.deepEqual(placesOf('a/tests/a.cs'), ['a/tests/a.cs:1']);
  });
});

test('text that comes with a document is its context, and its columns count as ours do', async context => {
  const at = place(context);
  const text = "const é = 'x';\nuse(é);\n";
  const occurrences = [
    { range: [0, 6, 8], symbol: sym('a.ts', 'é.'), symbolRoles: 1 },
    { range: [1, 4, 6], symbol: sym('a.ts', 'é.') },
    { range: [7, 0, 1], symbol: sym('a.ts', 'é.') },
  ];
  await at.upload({ documents: [{ relativePath: 'src/a.ts', text, positionEncoding: 1, occurrences }] });
  at.reading(reader => {
    const { rows } = reader.references('main', 1, hashOf('src/a.ts', '`é`.'), everything)!;
    assert.deepEqual(
      rows.map(({ line, range }) => [line, range.startColumn, range.endColumn]),
      [['use(é);', 4, 5]],
    );
  });
});

test('an uploaded index can be opened for writing, as for idle work', async context => {
  const at = place(context);
  await at.upload({ documents });
  const writer = openIndexWriter(at.indexFile);
  while (writer.collect(Date.now())) {}
  assert.deepEqual(
    [...writer.manifest('main')].map(({ entry, scope }) => [entry.path, entry.dialect, scope]),
    [
      ['src/lib.ts', 'scip', 'src/lib.ts'],
      ['src/use.ts', 'scip', 'src/use.ts'],
    ],
  );
  writer.close();
  assertSound(at);
});
