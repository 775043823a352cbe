import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { differenceOf, freshIndexes, ready, storedIndex } from '../oracle/stored.ts';
import { startDaemon, svc, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../support/repository.ts';
import { standIn } from './orders.ts';

/**
 * What a full disk does to a daemon (`full-disk.test.ts` starts it). Its arguments: a folder, and `mounted`, in a namespace
 * of its own, for a disk of eight megabytes that lies over that folder, or `stand-in` for one that is only said to be full.
 */
const disk = process.argv[2]!;
const isMounted = process.argv[3] === 'mounted';
if (isMounted) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'none', disk]);

/** With its device named, or options come along that say whose it is, by a number that the namespace may not know. */
function resize(size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, 'none', disk]);
}

const files = (from: number, to: number, filling = ''): string =>
  Array.from(
    { length: to - from },
    (_, n) => `-- f${from + n}.ts --\nexport const f${from + n} = '${filling}${n}';`,
  ).join('\n');

/** A home of which the small disk has all, or the indexes alone, and how to fill the disk and to make room again. */
function homeOnDisk(t: TestContext, has: 'all' | 'indexes' = 'all') {
  const { env, give } = isMounted ? { env: {}, give: () => {} } : standIn(t, {});
  return {
    // Another home, which goes away when the daemons of it have: a folder alone would go before them.
    home: has === 'all' ? temporaryHome(t, env, disk) : temporaryHome(t, { ...env, ...apart(temporaryHome(t).path) }),
    fill: isMounted ? fillUp : () => give({ unwritable: { folder: disk, code: 'ENOSPC' } }),
    free: isMounted ? () => rmSync(join(disk, 'fill')) : () => give({}),
  };
}

/** Indexes on the small disk, all else in a folder elsewhere. */
function apart(elsewhere: string): NodeJS.ProcessEnv {
  return {
    SVC_HOME: '',
    ...{ XDG_CONFIG_HOME: elsewhere, XDG_STATE_HOME: elsewhere, XDG_RUNTIME_DIR: elsewhere },
    XDG_DATA_HOME: disk,
  };
}

function fillUp(): void {
  const descriptor = openSync(join(disk, 'fill'), 'a');
  const block = Buffer.alloc(4096, 1);
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(descriptor);
  }
}

async function statusOf({ client }: TestDaemon, checks: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { checks: found } = await client.system.doctor({ repo: 'app' });
  return checks.map(check => found.find(({ name }) => name === check)?.status);
}

const checks = ['index.storage', 'database.storage', 'log'];
/** A small disk that is free again has little room all the same. */
const afterwards = isMounted ? [] : ['disk-space'];

test('a full disk: reads go on, writes say so, nothing is half applied, and all comes back with the space', async t => {
  const tree = gitRepository(t, files(0, 50));
  const { home, fill, free } = homeOnDisk(t);
  const daemon = await startDaemon(t, home);
  const { client } = daemon;
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}` };
  const post = () =>
    fetch(`${url}/index?repo=app`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"force":true}',
    });
  const found = async (q: string, sync = false) => {
    const { results } = await client.symbols.search({ q, repo: 'app', kinds: ['constant'], sync });
    return results.map(({ name }) => name);
  };
  const old = storedIndex(home.places);
  const before = await found('f7');
  assert.equal(before[0], 'f7');
  assert.deepEqual(await statusOf(daemon, checks), ['pass', 'pass', 'pass']);

  fill();
  // All at once: the first few of many might still find room.
  const more = temporaryFolder(t, '');
  for (let n = 50; n < 400; n++)
    more.write(`f${n}.ts`, `export const f${n} = '${String(Math.random()).repeat(20)}';\n`);
  renameSync(more.root, tree.path('more'));
  const isTrusted = async () => (await client.daemon.listRepos({})).repos[0]!.trusted;
  const change = async () => client.daemon.trustRepo({ id: 'app', revoke: await isTrusted() });
  await until('the doctor names what can’t be written', async () => {
    // A log that was used before has room for the first few.
    await change().catch(() => {});
    return (await statusOf(daemon, checks)).join() === 'fail,fail,warn';
  });
  assert.deepEqual(await statusOf(daemon, ['disk-space']), ['fail']);
  assert.deepEqual(await found('f7'), before, 'what is there is answered');
  await assert.rejects(
    found('f300', true),
    (error: unknown) => error instanceof Fault && error.reason === 'indexStale',
  );
  const wasTrusted = await isTrusted();
  await assert.rejects(change, (error: unknown) => {
    return (
      error instanceof Fault && error.reason === 'storageFailed' && error.extras.details?.['reason'] === 'disk_full'
    );
  });
  const refused = await post();
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /the disk is full/);
  assert.equal((await fetch(`${url}/ready`, { headers })).status, 200, 'for reading');
  assert.equal(await isTrusted(), wasTrusted, 'no half of the refused change');
  assert.equal(differenceOf(storedIndex(home.places), old), undefined, 'the old snapshot, whole');

  free();
  await until('the changes are in', async () => {
    try {
      return (await found('f300', true))[0] === 'f300';
    } catch (error) {
      assert.ok(error instanceof Fault && error.reason === 'indexStale', String(error));
      return false;
    }
  });
  await until('the doctor finds all well', async () =>
    (await statusOf(daemon, [...checks, ...afterwards])).every(status => status === 'pass'),
  );
  if (isMounted) {
    assert.deepEqual(await statusOf(daemon, ['disk-space']), ['fail'], 'what is left is little all the same');
    resize('1g');
    assert.deepEqual(await statusOf(daemon, ['disk-space']), ['pass']);
    resize('8m');
  }
  assert.equal((await change()).trusted, !wasTrusted);
  assert.equal((await post()).status, 200);
  assert.equal(differenceOf(storedIndex(home.places), await freshIndexes(t, tree.root)()), undefined);
  assert.equal(readDaemonRecord(home.places)?.pid, daemon.record.pid, 'without a restart');
  const size = statSync(home.places.logFile).size;
  await client.system.health({});
  await until('the log goes on', () => statSync(home.places.logFile).size > size);
});

test('on a full disk a daemon that can’t start says why, and starts when there is space', async t => {
  const { home, fill, free } = homeOnDisk(t);
  assert.equal((await svc(home, ['daemon', 'start'])).code, 0);
  assert.equal((await svc(home, ['daemon', 'stop'])).code, 0);
  fill();
  const { code, stderr } = await svc(home, ['health']);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /disk of \S+ is full: make room there/);
  assert.doesNotMatch(stderr, /daemon logs/, 'which could not be written');
  free();
  assert.equal((await svc(home, ['health'])).code, 0);
});

test('where only the indexes lie on a full disk a job is taken, fails and says so, and git is not blamed for it', async t => {
  const tree = gitRepository(t, files(0, 50));
  const { home, fill, free } = homeOnDisk(t, 'indexes');
  const daemon = await startDaemon(t, home);
  const { client } = daemon;
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  // First, for the room that it leaves is filled as well.
  rmSync(join(home.places.data, 'shadow'), { recursive: true });
  fill();
  const { id, ...ended } = await failedJob(client.indexing.index({ repo: 'app', force: true }));
  assert.equal((await client.jobs.get({ id })).status, 'failed');
  assert.deepEqual(ended, { reason: 'disk_full' });
  const { checks: found } = await client.system.doctor({ repo: 'app' });
  assert.match(
    found.find(({ name }) => name === 'git')!.message,
    /^git can’t be asked, for the disk is full: .*make room/,
  );
  assert.equal(found.find(({ name }) => name === 'database.storage')?.status, 'pass');
  free();
  assert.deepEqual(await statusOf(daemon, ['git']), ['pass']);
  assert.equal((await client.indexing.index({ repo: 'app', force: true })).status, 'completed');
});

async function failedJob(index: Promise<unknown>): Promise<{ readonly id: string; readonly reason: unknown }> {
  const fault = await index.then(
    () => assert.fail('what can’t be written is no index'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Fault && fault.reason === 'storageFailed', String(fault));
  return { id: String(fault.extras.details?.['jobId']), reason: fault.extras.details?.['reason'] };
}
