import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { leaderOf } from '../../../client/leader.ts';
import { isAlive, prepareFolders, readDaemonRecord, startTicksOf } from '../../../client/paths.ts';
import { writeRecord } from '../../client/peer.ts';
import { freeze } from '../../fault/frozen.ts';
import { ready } from '../../oracle/stored.ts';
import {
  callerIn,
  daemonCommand,
  type Home,
  impatient,
  startDaemon,
  svc,
  temporaryHome,
  until,
} from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

const quiet = { SVC_HTTP_ENABLED: 'false' };

/** Those that led, in their order. */
const pidsIn = (home: Home) =>
  home
    .log()
    .filter(({ msg }) => msg === 'daemon.started')
    .map(({ pid }) => pid);

function sleeper(t: TestContext): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('fifty commands at once from nothing: fifty exits 0, one daemon (P1)', async t => {
  const home = temporaryHome(t, quiet);
  const ended = await Promise.all(Array.from({ length: 50 }, () => svc(home, ['health'])));
  for (const { code, stderr } of ended) assert.equal(code, 0, stderr);
  assert.equal(pidsIn(home).length, 1);
});

test('a dozen daemons started at once, by nobody who waits his turn: one leads, the others leave with 75 (P1)', async t => {
  const home = temporaryHome(t, quiet);
  const running = Array.from({ length: 12 }, () => {
    const [program, ...words] = daemonCommand;
    const child = spawn(program!, words, { env: home.env, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    return child;
  });
  const codes: unknown[] = [];
  for (const child of running) child.once('exit', code => codes.push(code));
  await until('all but one have gone', () => {
    if (existsSync(home.places.logFile)) assert.ok(pidsIn(home).length <= 1, 'two lead');
    return codes.length >= running.length - 1;
  });
  assert.deepEqual(
    codes,
    Array.from({ length: running.length - 1 }, () => 75),
  );
  const [leader] = running.filter(({ exitCode }) => exitCode === null);
  await until('it says so', () => readDaemonRecord(home.places)?.pid === leader?.pid);
  assert.deepEqual([pidsIn(home), leaderOf(home.places)], [[leader?.pid], leader?.pid]);
});

test('a daemon that indexes the tree in which its own folders lie reads none of their files, and leads on (P1)', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const alpha = 1;');
  const home = temporaryHome(t, quiet, tree.root);
  const daemon = await startDaemon(t, home);
  const { state, data, runtime } = home.places;
  // What keeps them out of the way of others, somebody took away; and added everything.
  for (const folder of [state, data, runtime]) rmSync(join(folder, '.gitignore'));
  tree.git('add', '--force', '.');
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  tree.write('a.ts', 'export const beta = 2;');
  assert.equal((await daemon.client.symbols.search({ q: 'beta', repo: 'app', sync: true })).results[0]?.name, 'beta');
  assert.equal((await daemon.client.indexing.status({ repo: 'app' })).fileCount, 1);
  assert.equal(leaderOf(home.places), daemon.record.pid);
  assert.equal((await svc(home, ['daemon', 'run'])).code, 75);
  assert.equal(await daemon.stop(), 0, 'before the tree goes, and its folders with it');
});

test('the lock is deleted under clients that ask without a pause: one leader remains, and each call succeeds (P1)', async t => {
  const home = temporaryHome(t, quiet);
  const clients = Array.from({ length: 4 }, () => callerIn(home, 'may-start'));
  t.after(() => Promise.all(clients.map(client => client.close())));
  await clients[0]!.call('system.health', {});
  const first = readDaemonRecord(home.places)!.pid;
  let isOver = false;
  const loops = clients.map(async client => {
    while (!isOver) await client.call('system.health', {});
  });
  rmSync(home.places.lockFile);
  const ousted = until('the leader without a lock is gone', () => !isAlive(first));
  await Promise.race([ousted, Promise.all(loops)]);
  isOver = true;
  await Promise.all(loops);
  const pids = await Promise.all(clients.map(async client => (await client.call('daemon.status', {})).pid));
  assert.equal(new Set(pids).size, 1);
  assert.notEqual(pids[0], first);
  const ends = home.log().filter(({ msg }) => msg === 'daemon.stopped');
  assert.deepEqual(
    ends.map(({ exitCode }) => exitCode),
    [75],
  );
});

test('a daemon.json that names a stranger’s process: nobody is signalled, and a daemon starts (P1, PID reuse)', async t => {
  const stranger = sleeper(t);
  for (const pid of [1, process.pid, stranger.pid!]) {
    const home = temporaryHome(t, quiet);
    prepareFolders(home.places);
    // What a daemon that was killed leaves behind.
    writeFileSync(home.places.lockFile, '', { mode: 0o600 });
    writeRecord(home.places, { pid, startTicks: startTicksOf(pid) });
    const stopped = await svc(impatient(home, 20), ['daemon', 'stop']);
    assert.deepEqual([stopped.code, stopped.stdout], [0, 'no daemon is running\n'], stopped.stderr);
    assert.equal((await svc(home, ['daemon', 'restart'])).code, 0);
    const { pid: ours } = readDaemonRecord(home.places)!;
    assert.notEqual(ours, pid);
    assert.equal((await svc(home, ['daemon', 'stop'])).stdout, `daemon stopped (pid ${ours})\n`);
  }
  assert.deepEqual([stranger.exitCode, stranger.signalCode], [null, null]);
});

type Text = string | undefined;

const strangers: readonly { readonly what: string; readonly text: (t: TestContext) => Text | Promise<Text> }[] = [
  { what: 'process 1', text: () => '1' },
  { what: 'process 1, which began at another time', text: () => '1 1' },
  { what: 'the test', text: () => String(process.pid) },
  { what: 'all of our group', text: () => '0 0' },
  { what: 'nobody', text: () => 'svc' },
  { what: 'no file at all', text: () => undefined },
  {
    what: 'a client that is frozen',
    async text(t) {
      const child = sleeper(t);
      await freeze(t, child.pid!);
      return `${child.pid} ${startTicksOf(child.pid!)}`;
    },
  },
];
for (const { what, text } of strangers) {
  test(`a start lock that is held by ${what} keeps no daemon from starting (P1)`, async t => {
    const home = temporaryHome(t, quiet);
    prepareFolders(home.places);
    const holder = await text(t);
    if (holder === undefined) prepareFolders({ ...home.places, data: home.places.startLockFile });
    else writeFileSync(home.places.startLockFile, holder);
    const { code, stderr } = await svc(home, ['daemon', 'start']);
    assert.equal(code, 0, stderr);
  });
}

test('a command that can’t find the daemon that leads starts no other; once that one is gone it does (P1)', async t => {
  const { home, record, process: child, ended, client } = await startDaemon(t, temporaryHome(t, quiet));
  await client.system.health({});
  await freeze(t, record.pid);
  rmSync(record.socket);
  rmSync(home.places.daemonFile);
  const hasty = impatient(home, 3);
  const waiting = svc(hasty, ['health']);
  const { code, stderr } = await svc(hasty, ['daemon', 'start']);
  assert.equal(code, 75, stderr);
  assert.match(stderr, new RegExp(`daemon \\(pid ${record.pid}\\) lives and can't be reached`));
  assert.equal((await waiting).code, 75, 'the other that waited as long');
  assert.deepEqual(pidsIn(home), [record.pid]);
  const patient = svc(home, ['health']);
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL');
  assert.equal((await patient).code, 0);
  assert.deepEqual(pidsIn(home), [record.pid, readDaemonRecord(home.places)?.pid]);
});
