import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { defaultScipLimits, type ScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { ScratchMemory } from '../../../daemon/extract/scip/scratch-memory.ts';
import { createIndexEngine, type IndexProgress } from '../../../daemon/jobs/engine.ts';
import { ingestUpload, type UploadTools } from '../../../daemon/jobs/upload/ingest-upload.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { scipBytes } from '../../support/scip.ts';
import {
  assertSound,
  type Documents,
  documents,
  everything,
  hashOf,
  metadata,
  type Place,
  place,
  sym,
} from './uploads.ts';

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
    [Buffer.concat([whole, whole]), 'invalidParameter'],
    [Buffer.concat([whole, scipBytes({ metadata: { ...metadata, projectRoot: 'file:///s' } })]), 'invalidParameter'],
    [
      scipBytes({ metadata, documents: ['const a = 1;', 'const a = 2;'].map(text => ({ ...documents[0]!, text })) }),
      'invalidBody',
    ],
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

test('of what is too much, or two indexes, nothing is taken in before that is told', async context => {
  const at = place(context);
  const small = Array.from({ length: 9000 }, (_, number) => ({ relativePath: `d${number}.ts` }));
  const used = { range: [0, 0, 1], symbol: sym('a.ts', 'a.') };
  const external = { symbol: 's . . . a#' };
  const much: readonly (readonly [Partial<ScipLimits>, RegExp, Parameters<typeof scipBytes>[0]])[] = [
    [{ documents: 8999 }, /^More than 8999 documents/, {}],
    [{ documents: 9001 }, /^Paths of more than 1440160 bytes/, { documents: [{ relativePath: 'a/'.repeat(720_000) }] }],
    [{ symbols: 1 }, /^More than 1 symbols/, { externalSymbols: [external, external] }],
    [
      { occurrences: 1 },
      /^A document of more than 1 occurrences/,
      { documents: [{ relativePath: 'a.ts', occurrences: [used, used] }] },
    ],
    [{ messageBytes: 99 }, /^A message of 1\d\d bytes/, { documents: [{ text: 'x'.repeat(100) }] }],
    [{}, /^Metadata twice/, { metadata }],
  ];
  for (const [limits, told, more] of much) {
    writeFileSync(at.scip, Buffer.concat([scipBytes({ metadata, documents: small }), scipBytes(more)]));
    const written: string[] = [];
    const writer = new Proxy({} as UploadTools['writer'], {
      get: (_, name) => () => {
        written.push(String(name));
      },
    });
    const { signal } = new AbortController();
    const rest = { signal, isCancelled: () => false, onRead: () => {}, onRest: () => {} };
    const run = { ...rest, file: at.scip, key: 'main', limits: { ...defaultScipLimits, ...limits } };
    const memory = new ScratchMemory(`${at.indexFile}.scratch`);
    await assert.rejects(ingestUpload(run, { writer, memory, now: () => 0 }), { name: 'ScipProblem', message: told });
    assert.deepEqual(written, []);
    memory.close();
  }
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

const lib = documents[0]!;
const twin = (relativePath: string): Documents[number] => ({
  relativePath,
  occurrences: [
    { range: [0, 0, 1], symbol: sym('a.ts', 'a.'), symbolRoles: 1 },
    { range: [1, 0, 1], symbol: 'local 1', symbolRoles: 1 },
    { range: [2, 0, 1], symbol: 'local 1' },
  ],
});
const related = (from: string, to: string) => ({
  symbol: sym('a.ts', from),
  relationships: [{ symbol: sym('a.ts', to), isImplementation: true, isReference: true, isTypeDefinition: true }],
});
/** What is odd, and still taken in: how many documents come of it, and what of it is left out. */
const tolerated: readonly (readonly [
  what: string,
  index: Parameters<Place['upload']>[0],
  documents: number,
  rejected: object,
])[] = [
  ['no document at all', { documents: [] }, 0, {}],
  [
    'a document that comes with text and without',
    { documents: [lib, { ...lib, text: 'const a = 1;' }] },
    1,
    { 'occurrence: range': 6 },
  ],
  ['names that differ by case', { documents: [twin('src/a.ts'), twin('src/A.ts')] }, 2, {}],
  ['names that differ by how é is written', { documents: [twin('src/\u00e9.ts'), twin('src/e\u0301.ts')] }, 2, {}],
  ['locals of one name in several files', { documents: ['a.ts', 'b.ts', 'c.ts'].map(twin) }, 3, {}],
  [
    'types that implement each other',
    { documents: [{ ...twin('a.ts'), symbols: [related('a.', 'b.'), related('b.', 'a.')] }] },
    1,
    {},
  ],
  ['a type that implements itself', { documents: [{ ...twin('a.ts'), symbols: [related('a.', 'a.')] }] }, 1, {}],
  [
    'a kind that nobody knows',
    { documents: [{ ...twin('a.ts'), symbols: [{ symbol: sym('a.ts', 'a.'), kind: 9999 }] }] },
    1,
    {},
  ],
  [
    'definitions that lie across one another',
    {
      documents: [
        {
          relativePath: 'a.ts',
          occurrences: [0, 4].map(at => ({
            range: [0, at, at + 8],
            symbol: sym('a.ts', `a${at}#`),
            symbolRoles: 1,
            enclosingRange: [0, at, 5 + at, 0],
          })),
        },
      ],
    },
    1,
    {},
  ],
  ['a language that nobody knows', { documents: [{ ...twin('a.xyz'), language: 'Klingon' }] }, 1, {}],
  [
    'paths outside',
    { documents: [lib, ...['../x', '/etc/passwd', 'C:\\x', '.git/config', ''].map(twin)] },
    1,
    { 'document: path': 5 },
  ],
  [
    'fields that nobody knows',
    Buffer.concat([scipBytes({ metadata, documents }), Buffer.from([0xfa, 0x07, 2, 0x61, 0x62])]),
    2,
    {},
  ],
];
for (const [what, index, count, rejected] of tolerated) {
  test(`an upload with ${what} is taken in, and what is left out of it is told`, async context => {
    const at = place(context);
    const uploaded = await at.upload(index);
    assert.deepEqual([uploaded.counts.documents, uploaded.rejected.counts], [count, rejected]);
    assertSound(at);
  });
}

test('what documentation holds is text, and what is not UTF-8 in it is replaced', async context => {
  const at = place(context);
  const bytes = Buffer.from(
    scipBytes({ metadata: { ...metadata, projectRoot: 'https://me:canary@host/r' }, documents }),
  );
  bytes.set([0xff, 0xfe], bytes.indexOf('Keeps things.'));
  await at.upload(bytes);
  assertSound(at);
  at.reading(reader => {
    const { documentation } = reader.symbol('main', 1, hashOf('src/lib.ts', 'Store#'))!;
    assert.equal(documentation, '\ufffd\ufffdeps things.');
  });
  assert.ok(!readFileSync(at.indexFile).includes('canary'), 'a secret of an address is not stored');
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
  assert.deepEqual([...new Set(told.map(({ phase }) => phase))], ['scip', 'link', 'publish']);
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
