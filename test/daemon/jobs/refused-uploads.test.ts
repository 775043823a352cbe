import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { createIndexEngine, type IndexProgress } from '../../../daemon/jobs/engine.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { scipBytes } from '../../support/scip.ts';
import { assertSound, type Documents, documents, everything, hashOf, metadata, place, sym } from './uploads.ts';

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
