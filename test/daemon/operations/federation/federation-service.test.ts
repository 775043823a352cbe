import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFederationService } from '../../../../daemon/operations/federation/federation-service.ts';
import { temporaryFolder } from '../../../support/repository.ts';

type Service = ReturnType<typeof createFederationService>;

const context = { signal: new AbortController().signal } as Parameters<Service['scan']>[1];
const rows = { modules: [], ownership: [], hotspots: [], decisions: [], files: {} };

test('what another worker has read, which is gone, is not kept, and says so', async t => {
  const file = temporaryFolder(t).path('federations.db');
  const [one, other] = [file, file].map(one => createFederationService(one, what => assert.fail(what))) as [
    Service,
    Service,
  ];
  t.after(() => {
    for (const service of [one, other]) service.close();
  });
  const call = { repoUid: 'u', indexFile: '', key: '', root: '', closed: [], force: false };
  assert.equal((await one.scan(call, context)).kind, 'told');
  const kept = { repoUid: 'u', stamp: 's', syncedAt: 1, rows };
  assert.deepEqual(await other.keep(kept), { kind: 'told', value: false });
  assert.deepEqual(await one.states(), { kind: 'told', value: [] });
  assert.deepEqual(await one.keep(kept), { kind: 'told', value: true });
  const known = (await other.stateOf('u')) as { readonly value: { readonly stamp: string } | null };
  assert.equal(known.value?.stamp, 's');
});
