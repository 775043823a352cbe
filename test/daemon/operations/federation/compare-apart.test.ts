import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CommittedSide } from '../../../../daemon/operations/federation/committed-sides.ts';
import { createComparing, isLarge } from '../../../../daemon/operations/federation/compare-apart.ts';
import { type CompareCall, comparedSides } from '../../../../daemon/operations/federation/compare-sides.ts';
import { temporaryFolder } from '../../../support/repository.ts';

const path = 'api/openapi.json';

function side(document: unknown): CommittedSide {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return { revision: 'v1', commit: '0'.repeat(40), files: new Map([[path, new TextEncoder().encode(text)]]) };
}

function documentOf(operations: number, without = -1) {
  const numbers = Array.from({ length: operations }, (_, at) => at).filter(at => at !== without);
  const responses = { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/One' } } } } };
  return {
    openapi: '3.0.3',
    info: { title: 'Many', version: '1' },
    paths: Object.fromEntries(numbers.map(at => [`/things/${at}`, { get: { operationId: `get${at}`, responses } }])),
    components: { schemas: { One: { type: 'object', properties: { id: { type: 'string' } } } } },
  };
}

function calling(before: CommittedSide, after: CommittedSide): CompareCall {
  return { path, root: '/nonexistent', protos: [], before, after };
}

const large = calling(side(documentOf(6_000)), side(documentOf(6_000, 7)));

/** Sizes in KiB of `.proto` files, the first of which is asked about. */
function protos(...sizes: readonly number[]): CompareCall {
  const files = new Map(sizes.map((size, at) => [`p${at}.proto`, new Uint8Array(size * 1024)]));
  const before = { revision: 'v1', commit: '0'.repeat(40), files };
  return { path: 'p0.proto', root: '/nonexistent', protos: [], before, after: before };
}

test('large is what takes long, on whichever side it is, and not a small file among many', t => {
  const folder = temporaryFolder(t, '');
  mkdirSync(folder.path('api'));
  writeFileSync(folder.path(path), JSON.stringify(documentOf(6_000)));
  const small = side(documentOf(10));
  const rows: readonly (readonly [isIt: boolean, call: CompareCall])[] = [
    [true, large],
    [true, calling(small, large.after!)],
    [false, calling(small, small)],
    [true, { ...calling(small, small), root: folder.root, after: undefined }],
    [false, { ...calling(small, small), after: undefined }],
    [false, protos(10, 3_000, 3_000)],
    [true, protos(600)],
    [true, protos(10, 5_000, 5_000)],
  ];
  assert.deepEqual(
    rows.map(([, call]) => isLarge(call)),
    rows.map(([isIt]) => isIt),
  );
});

test('what is large is compared apart, and comes to what it comes to here', async () => {
  const { old, ...apart } = await createComparing()(large, new AbortController().signal);
  const { old: here, ...told } = comparedSides(large);
  assert.deepEqual(apart, told);
  assert.deepEqual(
    apart.changes.map(({ id, subject }) => [id, subject]),
    [['operation-removed', 'GET /things/7']],
  );
  assert.deepEqual(old?.bytes, here?.bytes);
  assert.equal(old?.outline?.type === 'openapi' && old.outline.operations.length, 6_000);
});

test('who gives up gets his reason at once, and others get their turn', async () => {
  const comparing = createComparing();
  const giving = Array.from({ length: 4 }, () => new AbortController());
  const asked = giving.map(({ signal }) => comparing(large, signal));
  for (const one of giving) one.abort(new Error('gone'));
  const reasons = (await Promise.allSettled(asked)).map(one => one.status === 'rejected' && String(one.reason));
  assert.deepEqual(
    reasons,
    Array.from({ length: 4 }, () => 'Error: gone'),
  );
  assert.equal((await comparing(large, new AbortController().signal)).changes.length, 1);
});

test('what can’t be read is refused as it is here', async () => {
  const broken = calling(side(documentOf(1)), side('{ "openapi": "3.0.3", "paths": { "/a": '));
  const comparing = createComparing();
  await assert.rejects(comparing(broken, new AbortController().signal), {
    reason: 'unsupportedFile',
    message: /^api\/openapi\.json can’t be compared: line 1: /,
  });
});
