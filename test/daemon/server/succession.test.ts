import assert from 'node:assert/strict';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord, startTicksOf } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { socketCaller } from '../../../client/socket.ts';
import { takeLeaderLock } from '../../../daemon/server/lock.ts';
import { assertLeftInOrder, lingerers } from '../../fault/leaving.ts';
import { ready } from '../../oracle/stored.ts';
import { bearer, beginUpload } from '../../support/begun-upload.ts';
import { callerIn, type Home, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { halfSent } from '../../support/half-sent.ts';
import { heldGit } from '../../support/held-git.ts';
import { gitRepository } from '../../support/repository.ts';
import { request, wire } from '../../support/rpc-wire.ts';
import { scipBytes } from '../../support/scip.ts';
import { documents, metadata } from '../jobs/uploads.ts';

/** A daemon with a request under way that ends when git is let go. */
async function busyDaemon(t: TestContext, env: NodeJS.ProcessEnv = {}, drainSeconds = 600) {
  const git = heldGit(t);
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', PATH: git.path, ...env });
  home.configure(`[limits]\ndrain_seconds = ${drainSeconds}\n[index_server]\nenabled = true\n`);
  const daemon = await startDaemon(t, home);
  const tree = gitRepository(t, '-- a.ts --\nexport const alpha = 1;');
  // What an index holds that was just written is remembered by nobody: each run asks git, and waits for it while it is held.
  const ahead = Date.now() / 1000 + 3600;
  utimesSync(tree.path('.git/index'), ahead, ahead);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const { answer } = await git.holding(() =>
    daemon.client.symbols.search({ q: 'alpha', repo: 'app', repoStateMode: 'head' }),
  );
  return { ...daemon, git, answer };
}

test('an old daemon with a request open cuts nobody off from the new one, nor from itself (P3)', async t => {
  const old = await busyDaemon(t);
  old.process.kill('SIGTERM');
  await until('the old one leads no more', () => readDaemonRecord(old.home.places) === undefined);
  const fresh = await startDaemon(t, old.home);
  const caller = callerIn(old.home);
  t.after(() => caller.close());
  const ask = async () => {
    for (let call = 0; call < 100; call++) {
      assert.equal((await caller.call('daemon.status', {})).pid, fresh.record.pid);
    }
  };
  await ask();
  assert.equal(old.process.exitCode, null, 'it is still at work');
  old.git.release();
  assert.equal((await old.answer).results[0]?.name, 'alpha');
  assert.equal(await old.ended, 0);
  assert.deepEqual([existsSync(old.record.socket), existsSync(fresh.record.socket)], [false, true]);
  assert.equal(readDaemonRecord(old.home.places)?.pid, fresh.record.pid);
  await ask();
});

/** Requests that only a leader can finish: a run that waits for git, and three whose bodies have yet to come. */
async function begunWriting(t: TestContext, { home, client }: Awaited<ReturnType<typeof busyDaemon>>) {
  const { places } = home;
  await until('HTTP listens', () => readDaemonRecord(places)?.url);
  const json = (path: string, body: object) =>
    halfSent(t, places, path, Buffer.from(JSON.stringify(body)), 'application/json');
  const begun = {
    index: fetch(new URL('/index', readDaemonRecord(places)!.url!), {
      method: 'POST',
      headers: { ...bearer(places), 'content-type': 'application/json' },
      body: '{"force":true}',
    }),
    calls: await json('/api/v1/ingest/json', { calls: [] }),
    upload: await halfSent(
      t,
      places,
      '/index/repos/acme/x/upload',
      Buffer.from(scipBytes({ metadata, documents })),
      'application/octet-stream',
    ),
    validate: await json('/delta/validate?repo=app', {}),
  };
  await until('it is being indexed', async () => (await client.jobs.list({ status: 'running' })).jobs.length === 1);
  return begun;
}

test('two that ask it to stop at the same moment are one wish: what is under way is finished (P7)', async t => {
  const old = await busyDaemon(t, { SVC_HTTP_ENABLED: 'true' });
  const { index, calls, upload, validate } = await begunWriting(t, old);
  const stopping = wire(await old.connect());
  stopping.send(request(1, 'daemon.stop', {}), request(2, 'daemon.stop', {}));
  await until('it leads no more', () => readDaemonRecord(old.home.places) === undefined);
  await assert.rejects(old.connect(), /ENOENT|ECONNREFUSED/, 'it takes no new connection');
  assert.equal(old.process.exitCode, null);
  old.git.release();
  assert.equal((await index).status, 200);
  for (const { finish } of [calls, upload]) assert.equal(await finish(), 200);
  // Nobody knows yet what the last will come to: the lock is kept for it, however long another waits.
  assert.equal(takeLeaderLock(old.home.places.lockFile, 500), undefined);
  assert.equal(await validate.finish(), 200);
  assert.equal((await old.answer).results[0]?.name, 'alpha');
  assert.equal(await old.ended, 0);
  assert.equal((await stopping.rest()).filter(({ result }) => result !== undefined).length, 2);
});

test('of what the end of the drain cuts off, the successor is asked what only reads, and nothing else (P7)', async t => {
  const old = await busyDaemon(t, {}, 1);
  const { startLockFile } = old.home.places;
  const writing = socketCaller({
    places: old.home.places,
    env: old.home.env,
    client: 'test',
    version: '0.1.0',
    start: { kind: 'never' },
    isRepeatable: () => false,
  });
  t.after(() => writing.close());
  const answer = writing.call('symbols.search', { q: 'alpha', repo: 'app', repoStateMode: 'head' });
  const cut = assert.rejects(answer, (error: unknown) => error instanceof Fault && error.reason === 'unreachable');
  // Requests of one connection are begun in their order.
  await Promise.all([writing.call('system.health', {}), old.client.system.health({})]);
  // As a client that starts the successor: who starts none waits for as long as that is held.
  writeFileSync(startLockFile, `${process.pid} ${startTicksOf(process.pid)}`);
  old.process.kill('SIGTERM');
  await until('it leads no more', () => readDaemonRecord(old.home.places) === undefined);
  await startDaemon(t, old.home);
  rmSync(startLockFile);
  assert.equal(await old.ended, 0);
  await cut;
  old.git.release();
  assert.equal((await old.answer).results[0]?.name, 'alpha');
  const searches = old.home.log().filter(({ operation }) => operation === 'symbols.search');
  assert.deepEqual(searches.map(({ outcome }) => outcome).sort(), ['cancelled', 'cancelled', 'ok']);
});

/** An answer of some megabytes, which no buffer of a connection takes. */
const large = Array.from({ length: 100 }, (_, file) => {
  const names = Array.from({ length: 100 }, (_, n) => `export function name${'x'.repeat(150)}${file}_${n}() {}`);
  return `-- f${file}.ts --\n${names.join('\n')}`;
}).join('\n');

test('at the end of the drain who asked is told, who only lingers is cut, a job is interrupted; exit 0, and all is in its files (P7)', async t => {
  const git = heldGit(t);
  const home = temporaryHome(t, { PATH: git.path });
  home.configure('[limits]\ndrain_seconds = 1\n');
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: gitRepository(t, large).root, id: 'app' });
  await ready(daemon);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const url = new URL(readDaemonRecord(home.places)!.url!);
  const target = '/search?q=name&limit=10000&repo=app';
  const { cut } = await lingerers(t, home, url, target);
  const line = wire(await daemon.connect());
  const { answer } = await git.holding(() =>
    fetch(new URL(`${target}&repoStateMode=head`, url), { headers: bearer(home.places) }),
  );
  line.send(request(1, 'symbols.search', { q: 'name', repo: 'app', repoStateMode: 'head' }));
  await line.ask(request(2, 'system.health', {}));
  await daemon.client.daemon.addRepo({ root: gitRepository(t, '-- a.ts --\nexport const a = 1;').root, id: 'late' });
  let job: string | undefined;
  await until('it is being indexed', async () => {
    job = (await daemon.client.jobs.list({ status: 'running' })).jobs[0]?.id;
    return job;
  });
  assert.equal(await daemon.stop(), 0);
  const { status } = await answer;
  const told = (await line.rest()).find(({ id }) => id === 1)?.error;
  assert.deepEqual([status, told?.code, told?.data?.['details']], [503, -32007, { begun: true }]);
  await cut();
  git.release();
  await assertLeftInOrder(t, home, job!);
});

test('a second signal ends a daemon that waits for a request (P7)', async t => {
  const { process: child, ended, home } = await busyDaemon(t);
  child.kill('SIGTERM');
  await until('it leads no more', () => readDaemonRecord(home.places) === undefined);
  child.kill('SIGINT');
  assert.equal(await ended, 1);
});

const version = (home: Home, given: string): Home => ({ ...home, env: { ...home.env, SVC_FAKE_VERSION: given } });
const startsIn = (home: Home) => home.log().filter(({ msg }) => msg === 'daemon.started');

test('twenty newer commands at once: each is answered by the one successor, and what ran for others ends well (P6)', async t => {
  const old = await busyDaemon(t, { SVC_FAKE_VERSION: '0.1.0' });
  const newer = version(old.home, '0.2.0');
  const all = Promise.all(Array.from({ length: 20 }, () => svc(newer, ['health'])));
  await until('the old one leads no more', () => readDaemonRecord(old.home.places)?.pid !== old.record.pid);
  old.git.release();
  for (const { code, stderr } of await all) {
    assert.equal(code, 0, stderr);
    assert.ok(stderr === '' || stderr === 'svc: replacing the daemon 0.1.0 by 0.2.0\n', stderr);
  }
  assert.equal((await old.answer).results[0]?.name, 'alpha');
  assert.equal(await old.ended, 0);
  assert.equal(startsIn(old.home).length, 2);
});

/** Of a daemon of 0.5.0 that is at work: those that it knows are answered, one of another major version is told to wait. */
async function noneEndsItsWork(home: Home, ask: (given: string) => ReturnType<typeof svc>, pid: number): Promise<void> {
  for (const given of ['0.4.0', '0.5.0', '0.9.0']) {
    const { code, stderr } = await ask(given);
    assert.deepEqual([code, stderr], [0, ''], given);
  }
  const early = await ask('1.0.0');
  assert.equal(early.code, 78);
  assert.match(early.stderr, /^svc: This is svc 1\.0\.0, the daemon is 0\.5\.0: the daemon is at work [^\n]*\n$/);
  assert.equal(readDaemonRecord(home.places)?.pid, pid);
}

test('versions against a daemon that indexes: none ends its work, each is answered or told in one line (P6)', async t => {
  const git = heldGit(t);
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', PATH: git.path, SVC_FAKE_VERSION: '0.5.0' });
  const tree = gitRepository(t, '-- a.ts --\nexport const alpha = 1;');
  const { record, client, ended } = await startDaemon(t, home);
  const ask = (given: string, line = 'health --json') => svc(version(home, given), line.split(' '));
  const { answer } = await git.holding(() => client.daemon.addRepo({ root: tree.root, id: 'app' }));
  await until('a job runs', async () => (await client.jobs.list({ status: 'running' })).jobs.length === 1);
  await noneEndsItsWork(home, ask, record.pid);
  git.release();
  await answer;
  await until('it is indexed', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready');
  await until('nothing runs', async () => (await client.jobs.list({ status: 'running' })).jobs.length === 0);
  const before = (await client.jobs.list({})).jobs;
  assert.deepEqual(
    before.map(({ status }) => status),
    ['completed'],
  );

  const replaced = await ask('1.0.0');
  assert.deepEqual([replaced.code, replaced.stderr], [0, 'svc: replacing the daemon 0.5.0 by 1.0.0\n']);
  assert.equal(await ended, 0);
  const late = await ask('0.9.0');
  assert.equal(late.code, 78);
  assert.match(late.stderr, /^svc: This is svc 0\.9\.0, the daemon is 1\.0\.0: update this svc\n$/);
  await until('the successor has looked at the tree', async () => {
    const { stdout } = await ask('1.0.0', 'repo list --json');
    return JSON.parse(stdout).repos[0].watching !== 'off';
  });
  const { jobs } = JSON.parse((await ask('1.0.0', 'jobs --json')).stdout);
  assert.deepEqual(
    jobs.map(({ id, status }: { id: string; status: string }) => [id, status]),
    before.map(({ id, status }) => [id, status]),
    'nothing lost, nothing done twice',
  );
});

test('versions against a daemon that is sent an index: none ends the upload, which is taken in once (P6)', async t => {
  const home = temporaryHome(t, { SVC_FAKE_VERSION: '0.5.0' });
  home.configure('[index_server]\nenabled = true\n');
  const { record, ended } = await startDaemon(t, home);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const upload = await beginUpload(t, home.places, 'acme/x');
  const ask = (given: string, line = 'health') => svc(version(home, given), line.split(' '));
  await noneEndsItsWork(home, ask, record.pid);
  assert.equal(await upload.finish(), 200);

  const replaced = await ask('0.9.0', 'jobs --json');
  assert.equal(replaced.stderr, 'svc: replacing the daemon 0.5.0 by 0.9.0\n');
  assert.equal(await ended, 0);
  const { jobs } = JSON.parse(replaced.stdout);
  assert.deepEqual(
    jobs.map(({ type, status }: { type: string; status: string }) => [type, status]),
    [['upload-index', 'completed']],
  );
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const meta = await fetch(`${readDaemonRecord(home.places)!.url}/index/repos/acme/x/meta`, {
    headers: bearer(home.places),
  });
  assert.equal(((await meta.json()) as { meta: { sync_seq: number } }).meta.sync_seq, 1, 'taken in once');

  const another = await beginUpload(t, home.places, 'acme/x');
  process.kill(readDaemonRecord(home.places)!.pid, 'SIGTERM');
  await until('it is about to leave', () => readDaemonRecord(home.places) === undefined);
  assert.equal(await another.finish(), 200, 'nor does a signal end what is under way (P7)');
});
