import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request as ask } from 'undici';
import { readDaemonRecord } from '../../client/paths.ts';
import type { Fault } from '../../client/protocol/faults.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, type Workspace } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';
import { standIn } from './orders.ts';

const tenYearsMs = 10 * 365 * 86_400_000;

test('a clock that is set ten years on and back under a running daemon breaks nothing (P18)', async t => {
  const { env, give } = standIn(t, { clockMs: 0 });
  const home = temporaryHome(t, env);
  home.configure('[index_server]\nenabled = true\n[index_server.auth.rate_limiting]\nenabled = true\nburst_size = 1\n');
  const tree = gitRepository(t, ['a', 'b', 'c'].map(name => `-- ${name}.ts --\nexport function kept() {}`).join('\n'));
  const daemon = await startDaemon(t, home);
  const { client } = daemon;
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const search = (q: string, cursor?: string) =>
    client.symbols.search({ q, repo: 'app', limit: 1, sync: cursor === undefined, ...(cursor && { cursor }) });
  await until('it is watched', () => search('kept').then(Boolean, () => false));
  await until('the listener is open', () => typeof readDaemonRecord(home.places)?.url === 'string');

  const told = async (token: string) => {
    const url = `${readDaemonRecord(home.places)!.url}/index/repos`;
    const { statusCode, headers, body } = await ask(url, { headers: { authorization: `Bearer ${token}` } });
    const { error } = (await body.json()) as { error?: { code: string } };
    return { status: statusCode, code: error?.code, waitS: Number(headers['retry-after']) };
  };
  const short = await client.token.create({ name: 'short', scopes: ['read'], expires: '1d' });
  const slow = await client.token.create({ name: 'slow', scopes: ['read'], rateLimit: 1 });
  assert.deepEqual([(await told(short.token)).status, (await told(slow.token)).status], [200, 200]);

  const { job } = await firstJob(daemon);
  const gone = (await search('kept')).results[0]!;
  tree.remove(gone.location.file);
  assert.equal((await search('kept')).total, 2);
  const wholeSinceMs = performance.now();
  const { waitS } = await told(slow.token);
  assert.ok(waitS > 30, `one a minute: ${waitS}`);

  for (const [at, aheadMs] of [tenYearsMs, -tenYearsMs, 0].entries()) {
    const page = await search('kept');
    give({ clockMs: aheadMs });
    // What is due comes as if nothing had been: a change is seen, seven of them replace what the cursor goes on over.
    for (let edit = 0; edit < 7; edit++) {
      tree.write('edited.ts', `export function edit${at}x${edit}() {}\n`);
      assert.equal((await search(`edit${at}x${edit}`)).total, 1);
    }
    const status = await client.indexing.status({ repo: 'app' });
    assert.deepEqual([status.fresh, status.ageMinutes], [true, 0], `ahead by ${aheadMs} ms`);
    await deadlineHolds(daemon, tree, () => give({ clockMs: -aheadMs }));
    give({ clockMs: aheadMs });
    const { results, snapshotId } = await search('kept', page.cursor!);
    assert.deepEqual([snapshotId, results.length], [page.snapshotId, 1], 'the cursor goes on over what it began with');

    const now = await told(slow.token);
    const passedS = (performance.now() - wholeSinceMs) / 1000;
    if (passedS < waitS) {
      assert.equal(now.status, 429);
      assert.ok(now.waitS <= waitS && now.waitS >= Math.floor(waitS - passedS) - 1, `${now.waitS} of ${waitS}`);
    }
    assert.equal((await told(short.token)).code, 'expired_token', 'what was once past its time stays so');
    assert.equal((await client.jobs.get({ id: job })).status, 'completed');
    const { uptime } = await client.daemon.status({});
    assert.doesNotMatch(uptime, /-|d/, uptime);
  }
  await assert.rejects(client.symbols.get({ id: gone.id }), (fault: Fault) => fault.row.status === 410);
  give({ clockMs: -tenYearsMs });
  assert.equal(await daemon.stop(), 0);

  const again = await startDaemon(t, home);
  await until('it is watched', () =>
    again.client.symbols.search({ q: 'kept', repo: 'app', sync: true }).then(
      ({ total }) => total === 2,
      () => false,
    ),
  );
  const { fresh, ageMinutes } = await again.client.indexing.status({ repo: 'app' });
  assert.deepEqual([fresh, ageMinutes], [true, 0], 'after a restart before all that is stored');
});

async function firstJob({ client }: TestDaemon): Promise<{ readonly job: string }> {
  const { jobs } = await client.jobs.list({});
  return { job: jobs[0]!.id };
}

/** A question that can't be answered is refused when its time is up and no earlier, wherever the clock goes meanwhile. */
async function deadlineHolds(daemon: TestDaemon, tree: Workspace, set: () => void): Promise<void> {
  tree.write('.git/index.lock', '');
  tree.write('held.ts', `// ${performance.now()}\n`);
  const deadlineMs = 2500;
  const asking = wire(await daemon.connect());
  const askedMs = performance.now();
  const answer = asking.ask(request(1, 'symbols.search', { q: 'kept', repo: 'app', sync: true, deadlineMs }));
  await until('it is waited for', async () => !(await daemon.client.indexing.status({ repo: 'app' })).fresh);
  set();
  const { error } = await answer;
  const waitedMs = performance.now() - askedMs;
  assert.equal(error?.data?.['reason'], 'indexStale');
  assert.ok(waitedMs > deadlineMs / 2, `refused after ${waitedMs} ms`);
  tree.remove('.git/index.lock');
}
