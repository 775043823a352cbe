import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanContracts } from '../../../../daemon/jobs/federation/scan-contracts.ts';
import type { ManifestLine } from '../../../../daemon/model/manifest.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('what was read of the same bytes is taken over, but not of another version', async t => {
  const { root } = temporaryFolder(t, '-- a.proto --\nsyntax = "proto3";\nservice One {}\n');
  const entries = [{ entry: { path: 'a.proto', hash: 'h' } }] as unknown as readonly ManifestLine[];
  const { signal } = new AbortController();
  const scan = (before: Parameters<typeof scanContracts>[0]['before']) =>
    scanContracts({ root, entries, before, signal });
  const first = await scan(undefined);
  assert.equal(first.files['a.proto']?.facts.outline?.type, 'proto');
  const other = { ...first, files: { 'a.proto': { hash: 'h', facts: { uses: [] }, modifiedAt: 1 } } };
  assert.deepEqual((await scan(other)).files['a.proto']?.facts, { uses: [] });
  assert.deepEqual(await scan({ ...other, version: first.version - 1 }), first);
});
