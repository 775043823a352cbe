import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOperation } from '../../../client/protocol/registry.ts';
import { Compile } from '../../../client/protocol/schemas.ts';
import { isServedId } from '../../../daemon/model/repo-pattern.ts';
import { refuse } from '../../support/served-index.ts';
import { daemonOf, faultOf, serving } from './mirroring.ts';

test('another commit of the same index is taken over, and nothing else is read', async context => {
  const { server } = await serving(context);
  const { client } = await daemonOf(context);
  const given = { url: server.url, remoteRepo: 'acme/app' };
  const committed = (commit: string): void => {
    server.change = ((path: string, answer: { data: object }) =>
      path === 'meta' ? { ...answer, data: { ...answer.data, commit } } : answer) as typeof server.change;
  };
  committed('a'.repeat(40));
  const { remote } = await client.remote.add({ id: 'billing', ...given });
  assert.equal(remote.commit, 'a'.repeat(40));
  for (const commit of ['b'.repeat(40), '']) {
    committed(commit);
    server.asked.length = 0;
    const [synced] = (await client.remote.sync({ id: 'billing' })).results;
    assert.deepEqual([synced!.status, synced!.mode, synced!.syncSeq], ['unchanged', null, 1]);
    assert.equal(server.asked.length, 1);
    const [told] = (await client.remote.list({})).remotes;
    assert.deepEqual([told!.commit, told!.symbolCount], [commit, remote.symbolCount]);
  }
});

test('a mirror may be called as any served repository is', async context => {
  const input = Compile(findOperation('remote.add')!.input);
  const ids = ['a', 'A_1/b.c-d', 'x/y/z', 'a'.repeat(512), `${'a/'.repeat(255)}ab`];
  const others = ['', '/a', 'a/', 'a//b', '.a', 'a/.b', '-a', 'a b', 'a\n', 'ä', 'a/..', 'a'.repeat(513)];
  for (const id of [...ids, ...others]) {
    assert.equal(input.Check({ id, url: 'http://x', sync: true }), isServedId(id), id);
  }
  assert.ok(ids.every(isServedId));
  assert.ok(!others.some(isServedId));

  const { server } = await serving(context);
  const { client } = await daemonOf(context);
  const id = `${'a'.repeat(300)}/${'b'.repeat(211)}`;
  const added = await client.remote.add({ id, url: server.url, remoteRepo: 'acme/app' });
  assert.equal(added.sync?.status, 'success');
  assert.ok((await client.symbols.search({ repo: id, q: 'add' })).total > 0);
  assert.equal((await client.remote.remove({ id })).status, 'removed');
});

test('one that can’t be read when it is added is registered, which is told with both ways on', async context => {
  const { server } = await serving(context);
  const { client } = await daemonOf(context);
  server.meddle = (_, response) => {
    refuse(response, 401, 'revoked_token');
    return true;
  };
  const { message, reason, extras } = await faultOf(
    client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' }),
  );
  assert.equal(reason, 'preconditionFailed');
  assert.match(message, /^billing is registered as a mirror, and nothing could be read yet\. .*revoked_token/);
  assert.deepEqual(
    extras.suggestedFixes?.map(({ command }) => command),
    ['svc remote sync billing', 'svc remote remove billing'],
  );
  const [told] = (await client.remote.list({})).remotes;
  assert.equal(told!.status, 'failed');
  assert.doesNotMatch(told!.error!, /is registered/);
});
