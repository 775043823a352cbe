import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { defaultScipLimits, type ScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { canonicalDump } from '../../../daemon/jobs/dump.ts';
import { createIndexEngine, type IndexProgress } from '../../../daemon/jobs/engine.ts';
import { type Uploaded, uploadIndex } from '../../../daemon/jobs/upload-service.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { scrub } from '../../../daemon/store/scrub.ts';
import { isSealed, isSound } from '../../../daemon/store/seal.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../support/scip.ts';

type Part = PartOf<ScipIndex>;
type Documents = NonNullable<Part['documents']>;

const metadata = { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///r' };
const sym = (file: string, rest: string): string => `scip-typescript npm pkg 1.0.0 src/\`${file}\`/${rest}`;
const everything = { includeTests: true, includeDefinition: false, offset: 0, limit: 100 };
const hashOf = (path: string, tail: string): string => symbolHash(path as ScopeKey, tail);

/** `src/lib.ts` has a class with a method and a function, `src/use.ts` calls them and something of a package. */
const documents: Documents = [
  {
    relativePath: 'src/lib.ts',
    occurrences: [
      { range: [0, 0, 0], symbol: sym('lib.ts', ''), symbolRoles: 1 },
      { range: [1, 6, 11], symbol: sym('lib.ts', 'Store#'), symbolRoles: 1, enclosingRange: [1, 0, 5, 1] },
      { range: [2, 2, 6], symbol: sym('lib.ts', 'Store#open().'), symbolRoles: 1, enclosingRange: [2, 2, 4, 3] },
      { range: [3, 10, 16], symbol: sym('lib.ts', 'helper().') },
      { range: [6, 9, 15], symbol: sym('lib.ts', 'helper().'), symbolRoles: 1 },
      { range: [6, 16, 17], symbol: 'local 0', symbolRoles: 1 },
      { range: [7, 4, 5], symbol: 'local 0' },
    ],
    symbols: [
      { symbol: sym('lib.ts', 'Store#'), documentation: ['```ts\nclass Store\n```', 'Keeps things.'] },
      { symbol: sym('lib.ts', 'Store#open().'), documentation: ['```ts\n(method) open(): void\n```'] },
      { symbol: sym('lib.ts', 'helper().'), documentation: ['```ts\nfunction helper(x: string): void\n```'] },
    ],
  },
  {
    relativePath: 'src/use.ts',
    language: 'TypeScript',
    occurrences: [
      { range: [0, 9, 14], symbol: sym('lib.ts', 'Store#'), symbolRoles: 2 },
      { range: [2, 6, 9], symbol: sym('use.ts', 'Sub#'), symbolRoles: 1, enclosingRange: [2, 0, 6, 1] },
      { range: [2, 18, 23], symbol: sym('lib.ts', 'Store#') },
      { range: [3, 4, 8], symbol: sym('lib.ts', 'Store#open().'), symbolRoles: 8 },
      { range: [4, 4, 8], symbol: 'scip-typescript npm typescript 5.9.3 lib/`lib.d.ts`/Array#push().' },
      { range: [8, 0, 6], symbol: sym('lib.ts', 'helper().') },
    ],
    symbols: [
      {
        symbol: sym('use.ts', 'Sub#'),
        relationships: [{ symbol: sym('lib.ts', 'Store#'), isImplementation: true }],
      },
    ],
  },
];

interface Place {
  readonly indexFile: string;
  readonly scip: string;
  upload(index: Part | Uint8Array, limits?: Partial<ScipLimits>): Promise<Uploaded>;
  reading<T>(work: (reader: IndexReader) => T): T;
}

function place(context: Pick<TestContext, 'after'>): Place {
  const folder = temporaryFolder(context);
  const indexFile = folder.path('index.db');
  const scip = folder.path('in.scip');
  return {
    indexFile,
    scip,
    upload: (index, limits = {}) => {
      writeFileSync(scip, index instanceof Uint8Array ? index : scipBytes({ metadata, ...index }));
      const repo = { id: 'acme/x', indexFile, worktreeKey: 'main' };
      const all = { ...defaultScipLimits, ...limits };
      const cancelFlag = new SharedArrayBuffer(4);
      return uploadIndex({ run: 1, repo, file: scip, limits: all, cancelFlag }, new AbortController().signal, () => {});
    },
    reading: work => {
      const reader = openIndexReader(indexFile);
      try {
        return work(reader);
      } finally {
        reader.close();
      }
    },
  };
}

/** Seal, digests, hints and indexes, as a daemon looks at them. */
function assertSound({ indexFile }: Place): void {
  assert.ok(isSealed(indexFile) && isSound(indexFile));
  assert.equal(
    scrub(indexFile, undefined, () => false),
    undefined,
  );
  assert.deepEqual(
    readdirSync(dirname(indexFile)).filter(name => name.includes('.new')),
    [],
  );
}

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
      precise: 0,
      languages: ['typescript'],
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
    assert.deepEqual(rowsOf('src/lib.ts', 'Store#open().'), ["src/use.ts:3:4 read Sub ''"]);
    const helper = ["src/lib.ts:3:10 reference open ''", "src/use.ts:8:0 reference - ''"];
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

test('a file that can’t be taken in leaves the former index as it was, wherever it is cut', async context => {
  const at = place(context);
  await at.upload({ documents });
  const sha = (): string => createHash('sha256').update(readFileSync(at.indexFile)).digest('hex');
  const before = sha();
  const whole = scipBytes({ metadata, documents });
  const cuts = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(share => whole.subarray(0, whole.length * share));
  const refused: readonly (readonly [Uint8Array, string])[] = [
    ...cuts.map(cut => [cut, 'invalidParameter'] as const),
    [new Uint8Array(0), 'invalidParameter'],
    [Buffer.from('{"documents": []}'), 'invalidParameter'],
    [gzipSync(whole).subarray(0, 60), 'invalidParameter'],
    [scipBytes({ documents }), 'invalidBody'],
    [scipBytes({ metadata, documents: [{ relativePath: '../x' }] }), 'invalidBody'],
  ];
  for (const [bytes, reason] of refused) {
    await assert.rejects(at.upload(bytes), (error: unknown) => error instanceof Fault && error.reason === reason);
    assert.equal(sha(), before);
    assertSound(at);
  }
  const many = { documents: [documents[0]!, documents[0]!, { ...documents[0]!, language: 'x' }] };
  await assert.rejects(at.upload(many, { documents: 2 }), { reason: 'tooLarge' });
  const part = (line: number): Documents[number] => ({
    relativePath: 'a.ts',
    occurrences: [{ range: [line, 0, 1], symbol: sym('a.ts', 'a.') }],
  });
  await assert.rejects(at.upload({ documents: [part(1), part(2)] }, { occurrences: 1 }), { reason: 'tooLarge' });
  assert.equal(sha(), before);
  assertSound(at);
});

test('a first upload that fails leaves nothing', async context => {
  const at = place(context);
  await assert.rejects(at.upload(Buffer.from('no index')), Fault);
  assert.deepEqual(readdirSync(dirname(at.indexFile)), ['in.scip']);
});

test('what a hostile index says is taken as names and numbers', async context => {
  const at = place(context);
  const names = ['__proto__', 'constructor', '<script>', '\u001b[31m', 'a\u0000b', '\ud800', 'ж'.repeat(3000), '..'];
  const occurrences = names.flatMap((name, line) => {
    const symbol = sym('a.ts', `\`${name}\`.`);
    return [
      { range: [line, 0, 1], symbol, symbolRoles: 1, enclosingRange: [line, 0, 1, 0] },
      { range: [line, 4, 5], symbol },
    ];
  });
  const odd = [
    { range: [2 ** 29, 0, 1], symbol: sym('a.ts', 'far.'), symbolRoles: 1 },
    { range: [0, 2 ** 29, 2 ** 29 + 1], symbol: sym('a.ts', 'wide.') },
    { range: [0, 0, 9000, 1], symbol: sym('a.ts', 'long.') },
    { range: [3, 1, 2], symbol: 'local __proto__', symbolRoles: 1 },
    { range: [9, 1, 2], symbol: 's . . . a#', symbolRoles: 1 + 2 + 4 + 64 },
    { range: [9, 1, 2], symbol: 's . . . a#', symbolRoles: 0 },
    { range: [9, 1, 2], symbol: 's other . . a#', symbolRoles: 1 },
  ];
  const self = { symbol: sym('a.ts', 'x.'), isImplementation: true };
  const symbols = [
    {
      symbol: sym('a.ts', 'x.'),
      kind: 9999,
      relationships: [self, { symbol: 's . . . none#', isImplementation: true }],
    },
    { symbol: sym('a.ts', 'x.'), documentation: ['```', '```\n```', '```ts\n\n```'] },
  ];
  const nothing = { relativePath: 'GO:static/x', language: 'No such language', occurrences: [] };
  const go = {
    relativePath: 'go:x',
    language: '\u001b',
    occurrences: [{ range: [0, 0, 1], symbol: 's . . . static/a#', symbolRoles: 1 }],
  };
  const uploaded = await at.upload({
    documents: [{ relativePath: 'src/a.ts', occurrences: [...occurrences, ...odd], symbols }, nothing, go],
    externalSymbols: [{ symbol: sym('a.ts', '`__proto__`.'), displayName: 'clash' }],
  });
  assertSound(at);
  assert.deepEqual(Object.keys(uploaded.counts.languages).sort(), ['other', 'typescript']);
  // One of each name, and of `a#`: what lies where no code is has no place.
  assert.equal(uploaded.counts.references, names.length + 1);
  at.reading(reader => {
    const { documents: found, names: known } = reader.catalogue('main', 1)!;
    assert.deepEqual(found.map(({ path }) => path).sort(), ['GO:static/x', 'go:x', 'src/a.ts']);
    assert.ok(known.includes('__proto__') && !known.includes('far'));
    const page = reader.references('main', 1, hashOf('src/a.ts', '__proto__.'), everything)!;
    assert.equal(page.total, 1);
    assert.ok(reader.symbol('main', 1, hashOf('go:x', 'static/a#')));
    assert.equal(reader.references('main', 1, hashOf('src/a.ts', 'a#'), everything)!.total, 1);
  });
});

test('the engine takes an upload in while readers of the former index go on, and lets it be cancelled', async context => {
  const at = place(context);
  const engine = createIndexEngine();
  context.after(() => engine.close());
  const repo = { id: 'acme/x', indexFile: at.indexFile, worktreeKey: 'main' };
  await at.upload({ documents: documents.slice(0, 1) });
  const before = openIndexReader(at.indexFile);
  context.after(() => before.close());
  const helper = hashOf('src/lib.ts', 'helper().');
  const total = (reader: IndexReader): number => reader.references('main', 1, helper, everything)!.total;
  assert.equal(total(before), 1);
  writeFileSync(at.scip, scipBytes({ metadata, documents }));
  const cancel = new AbortController();
  cancel.abort();
  await assert.rejects(engine.ingestUpload(repo, at.scip, { signal: cancel.signal }), { reason: 'cancelled' });
  const told: IndexProgress[] = [];
  const uploaded = await engine.ingestUpload(repo, at.scip, { onProgress: progress => told.push(progress) });
  assert.equal(uploaded.counts.references, 6);
  assert.deepEqual([...new Set(told.map(({ phase }) => phase))], ['extract', 'link', 'publish']);
  assert.equal(total(before), 1);
  at.reading(reader => {
    assert.equal(total(reader), 2);
    assert.notEqual(reader.epoch, before.epoch);
  });
  assertSound(at);
});

test('cancelling in the midst of an upload leaves the former index', async context => {
  const at = place(context);
  await at.upload({ documents });
  const before = at.reading(reader => reader.epoch);
  const engine = createIndexEngine();
  context.after(() => engine.close());
  const large = Array.from({ length: 3000 }, (_, number) => ({ ...documents[0]!, relativePath: `src/${number}.ts` }));
  writeFileSync(at.scip, scipBytes({ metadata, documents: large }));
  const repo = { id: 'acme/x', indexFile: at.indexFile, worktreeKey: 'main' };
  const cancel = new AbortController();
  const onProgress = (): void => cancel.abort();
  await assert.rejects(engine.ingestUpload(repo, at.scip, { signal: cancel.signal, onProgress }), {
    reason: 'cancelled',
  });
  assert.equal(
    at.reading(reader => reader.epoch),
    before,
  );
  assertSound(at);
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
