import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractsOf, isCode, scanContracts } from '../../../../daemon/jobs/federation/scan-contracts.ts';
import type { ManifestLine } from '../../../../daemon/model/manifest.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('what was read of the same bytes is taken over, but not of another version', async t => {
  const { root } = temporaryFolder(t, '-- a.proto --\nsyntax = "proto3";\nservice One {}\n');
  const entries = [{ entry: { path: 'a.proto', hash: 'h' } }] as unknown as readonly ManifestLine[];
  const { signal } = new AbortController();
  const scan = (before: Parameters<typeof scanContracts>[0]['before']) =>
    scanContracts({ root, entries, closed: [], before, signal });
  const first = await scan(undefined);
  assert.equal(first.files['a.proto']?.facts.outline?.type, 'proto');
  const other = { ...first, files: { 'a.proto': { hash: 'h', facts: { uses: [] }, modifiedAt: 1 } } };
  assert.deepEqual((await scan(other)).files['a.proto']?.facts, { uses: [] });
  assert.deepEqual(await scan({ ...other, version: first.version - 1 }), first);
});

test('code is what people write in any language, not what configures or what was generated of contracts', () => {
  const code =
    'a.go a.c A.fs A.vb a.groovy core.clj Main.hs server.erl a.ml a.lua a.pl a.R a.jl a.nim a.zig a.cr a.d A.elm A.m';
  for (const path of code.split(' ')) assert.equal(isCode(path), true, path);
  const other = 'a.sh a.yaml a.proto a.md a.json pom.xml a.sql a.ps1 cart.pb-c.c cart.pb.c cart_pb.lua Makefile';
  for (const path of other.split(' ')) assert.equal(isCode(path), false, path);
});

test('files of languages that nothing reads are counted', async t => {
  const { root } = temporaryFolder(t, '-- a.fs --\nmodule A\n-- a.md --\n# A\n');
  const entries = ['a.fs', 'a.md'].map(path => ({ entry: { path, hash: 'h' } })) as unknown as readonly ManifestLine[];
  const { signal } = new AbortController();
  const { codeFiles, files } = await scanContracts({ root, entries, closed: [], before: undefined, signal });
  assert.deepEqual([codeFiles, files], [1, Object.assign(Object.create(null), {})]);
});

test('what may be a contract and can’t be read is told, and so are folders that nobody may look into', async () => {
  const unread = ['a.proto', 'a.ts'].map(path => ({ entry: { path, hash: '', skip: 'unreadable' } }));
  const large = { entry: { path: 'b.proto', hash: '', skip: 'too_large' } };
  const entries = [...unread, large] as unknown as readonly ManifestLine[];
  const { signal } = new AbortController();
  const scan = await scanContracts({ root: '/', entries, closed: ['api'], before: undefined, signal });
  assert.deepEqual(contractsOf(scan).unread, ['api', 'a.proto']);
  const { unread: _, ...older } = scan;
  assert.deepEqual(contractsOf(older).unread, []);
});
