import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { leastFiles } from '../../client/open-files.ts';
import type { DaemonEvent } from '../../client/protocol/caller.ts';
import type { Fault } from '../../client/protocol/faults.ts';
import { differenceOf, freshIndexes, ready, storedIndex } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';
import { request, wire } from '../support/rpc-wire.ts';
import { canUnshare, limiters } from './limits.ts';
import { standIn } from './orders.ts';

interface Given {
  readonly env?: NodeJS.ProcessEnv;
  readonly tree?: Workspace;
  /** Another root, watched before the first. */
  readonly before?: Workspace;
  readonly prefix?: readonly string[];
}

async function followed(
  t: Cleanup,
  { env = {}, tree = gitRepository(t, '-- a.ts --'), before, prefix = [] }: Given = {},
) {
  const daemon = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false', ...env }), prefix);
  if (before !== undefined) {
    await daemon.client.daemon.addRepo({ root: before.root, id: 'before' });
    await ready(daemon);
    await until('the other root is watched', async () => (await statusOf(daemon, 'watch', 'before')) !== 'info');
  }
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await until('it is watched', async () => (await statusOf(daemon, 'watch')) !== 'info');
  return { tree, daemon };
}

async function statusOf({ client }: TestDaemon, check: string, repo = 'app'): Promise<string | undefined> {
  return (await client.system.doctor({ repo })).checks.find(({ name }) => name === check)?.status;
}

/** A fault must show while it is there, and must be gone with it. */
async function shows(daemon: TestDaemon, check: string, status: string, fault: Staged): Promise<void> {
  await until(`${check}: pass`, async () => (await statusOf(daemon, check)) === 'pass');
  fault.begins();
  await until(`${check}: ${status}`, async () => (await statusOf(daemon, check)) === status);
  await fault.meanwhile?.();
  fault.ends();
  await until(`${check}: pass again`, async () => (await statusOf(daemon, check)) === 'pass');
}

interface Staged {
  begins(): void;
  meanwhile?(): Promise<void>;
  ends(): void;
}

/** How many symbols bear a name, in a synced answer. */
async function countOf({ client }: TestDaemon, name: string, repo = 'app'): Promise<number> {
  return (await client.symbols.search({ q: name, repo, limit: 1, sync: true })).total ?? 0;
}

function staleFor(reason: string) {
  return (fault: Fault) => {
    assert.deepEqual([fault.row.status, fault.reason, fault.extras.details], [412, 'indexStale', { reason }]);
    return true;
  };
}

test('doctor names a root that is gone or has become a bare repository, and an ignore file that is not followed', async t => {
  const { tree, daemon } = await followed(t);
  await shows(daemon, 'repository.ignore-files', 'warn', {
    begins: () => symlinkSync('/etc/passwd', tree.path('.gitignore')),
    ends: () => tree.remove('.gitignore'),
  });
  const gone: Staged = {
    begins: () => renameSync(tree.root, `${tree.root}.away`),
    ends: () => renameSync(`${tree.root}.away`, tree.root),
  };
  await shows(daemon, 'repository.root', 'fail', gone);
  await shows(daemon, 'repository.root', 'fail', {
    begins: () => {
      renameSync(tree.path('.git'), `${tree.root}.git`);
      execFileSync('git', ['init', '-q', '--bare', tree.root]);
    },
    ends: () => {
      for (const name of ['HEAD', 'objects', 'refs']) rmSync(tree.path(name), { recursive: true });
      renameSync(`${tree.root}.git`, tree.path('.git'));
    },
  });
  await shows(daemon, 'watch', 'fail', gone);
});

test('of a watcher that keeps its watches to itself doctor tells no number', async t => {
  const { tree, daemon } = await followed(t, { env: { SVC_WATCH_BACKEND: 'chokidar' } });
  const { checks } = await daemon.client.system.doctor({ repo: 'app' });
  const { status, message } = checks.find(({ name }) => name === 'watch')!;
  assert.deepEqual([status, message], ['pass', 'chokidar']);
  tree.write('b.ts', 'export const watched = 1;');
  await until('it watches', async () => (await countOf(daemon, 'watched')) === 1);
});

test('doctor names a tree on a network file system, and a git that is missing (P19)', async t => {
  const tree = gitRepository(t, '-- a.ts --');
  const env = { SVC_FSTYPE: `${tree.root}=6969`, PATH: [temporaryFolder(t).root, '/nonexistent'].join(delimiter) };
  const { daemon } = await followed(t, { env, tree });
  assert.equal(await statusOf(daemon, 'watch'), 'warn');
  assert.equal(await statusOf(daemon, 'repository.file-system'), 'warn');
  assert.ok(['warn', 'fail'].includes((await statusOf(daemon, 'git')) ?? ''));
  assert.equal(await daemon.stop(), 0);
  const { SVC_FSTYPE: _, ...local } = daemon.home.env;
  const next = await startDaemon(t, { ...daemon.home, env: { ...local, PATH: process.env['PATH'] } });
  for (const check of ['repository.file-system', 'watch', 'git']) {
    await until(`${check}: pass`, async () => (await statusOf(next, check)) === 'pass');
  }
});

test('a cookie folder that is removed is made anew; where none can be, a synced question is refused at once (P11)', async t => {
  const { tree, daemon } = await followed(t);
  const { cookies } = daemon.home.places;
  rmSync(cookies, { recursive: true });
  tree.write('a.ts', 'export function written() {}\n');
  assert.equal(await countOf(daemon, 'written'), 1);
  await shows(daemon, 'watch.sync', 'fail', {
    begins() {
      rmSync(cookies, { recursive: true });
      writeFileSync(cookies, '');
    },
    meanwhile: () => assert.rejects(countOf(daemon, 'written'), staleFor('cookie_unwritable')),
    ends: () => rmSync(cookies),
  });
  assert.equal(await countOf(daemon, 'written'), 1);
});

/** Each way to make a cookie folder full or read-only, and to make it well again. */
const spoilers: readonly { readonly name: string; readonly spoiled: (t: TestContext) => Promise<Spoiled> }[] = [
  ...(canUnshare ? [{ name: 'by the kernel', spoiled: mounted }] : []),
  { name: 'by its stand-in', spoiled: preloaded },
];

interface Spoiled {
  readonly daemon: TestDaemon;
  become(state: 'full' | 'read-only' | 'well'): void;
}

async function mounted(t: TestContext): Promise<Spoiled> {
  const place = '"$SVC_HOME/runtime/cookies"';
  const mount = `umask 077 && mkdir -p ${place} && mount -t tmpfs -o mode=700 none ${place} && exec "$0" "$@"`;
  const { daemon } = await followed(t, { prefix: ['unshare', '-Urm', 'sh', '-c', mount] });
  const options = { full: 'nr_inodes=1', 'read-only': 'ro', well: 'rw,nr_inodes=0' };
  const inside = ['-t', String(daemon.process.pid), '-U', '-m', '--preserve-credentials'];
  return {
    daemon,
    become: state => {
      // With its device named, or options come along that say whose it is, by a number that the namespace may not know.
      const remount = ['mount', '-o', `remount,${options[state]}`, 'none', daemon.home.places.cookies];
      execFileSync('nsenter', [...inside, ...remount]);
    },
  };
}

async function preloaded(t: TestContext): Promise<Spoiled> {
  const { env, give } = standIn(t, {});
  const { daemon } = await followed(t, { env });
  const folder = daemon.home.places.cookies;
  const orders = {
    full: { unwritable: { folder, code: 'ENOSPC' } },
    'read-only': { unwritable: { folder, code: 'EROFS' } },
    well: {},
  } as const;
  return { daemon, become: state => give(orders[state]) };
}

for (const { name, spoiled } of spoilers) {
  test(`a cookie folder that is full or read-only is told too (${name}) (P11)`, async t => {
    const { daemon, become } = await spoiled(t);
    for (const fault of ['full', 'read-only'] as const) {
      assert.equal(await countOf(daemon, 'nothing'), 0);
      become(fault);
      await assert.rejects(countOf(daemon, 'nothing'), staleFor('cookie_unwritable'));
      await until(`${fault}: told`, async () => (await statusOf(daemon, 'watch.sync')) === 'fail');
      become('well');
      await until(`${fault}: over`, async () => (await statusOf(daemon, 'watch.sync')) === 'pass');
    }
  });
}

test('while git holds its lock a synced question is refused in time with the reason, any other is answered (P11)', async t => {
  const { tree, daemon } = await followed(t);
  await countOf(daemon, 'held');
  tree.write('.git/index.lock', '');
  tree.write('a.ts', 'export function held() {}\n');
  const hasty = { q: 'held', repo: 'app', sync: true, deadlineMs: 10_000 };
  const { error } = await wire(await daemon.connect()).ask(request(1, 'symbols.search', hasty));
  assert.deepEqual([error?.data?.['reason'], error?.data?.['details']], ['indexStale', { reason: 'git_operation' }]);
  assert.equal((await daemon.client.symbols.search({ q: 'held', repo: 'app' })).total, 0);
  tree.remove('.git/index.lock');
  assert.equal(await countOf(daemon, 'held'), 1);
});

test('events that the kernel dropped are found missing, and nothing is called fresh until they are made up for (P12)', async t => {
  const { tree, daemon } = await followed(t, { tree: gitRepository(t, '-- d/a.ts --\nexport function before() {}') });
  const fresh = freshIndexes(t, tree.root);
  const events: DaemonEvent[] = [];
  await daemon.caller.subscribe(event => events.push(event));
  const lost = () => events.find(({ type, body }) => type === 'watch.recrawl' && body['reason'] !== 'start');
  await shows(daemon, 'index.freshness', 'warn', {
    begins() {
      tree.write('.git/index.lock', ''); // holds what follows back until the doctor has been asked
      daemon.process.kill('SIGSTOP');
      for (let n = 0; n < 8500; n++) {
        tree.write('d/x', '');
        tree.remove('d/x');
      }
      tree.write('d/a.ts', 'export function after() {}\n');
      daemon.process.kill('SIGCONT');
    },
    async meanwhile() {
      await until('it is told', lost);
      assert.equal(lost()?.body['freshInstance'], true);
      const status = await daemon.client.indexing.status({ repo: 'app' });
      assert.equal(status.fresh, false);
    },
    ends: () => tree.remove('.git/index.lock'),
  });
  assert.deepEqual([await countOf(daemon, 'after'), await countOf(daemon, 'before')], [1, 0]);
  assert.equal(differenceOf(storedIndex(daemon.home.places), await fresh()), undefined);
});

for (const limit of ['max_inotify_watches=10', 'max_inotify_instances=0'] as const) {
  for (const { name, limited } of limiters) {
    test(`a daemon with ${limit} says so with the remedy, and follows the tree all the same (${name}) (P13)`, async t => {
      const before = gitRepository(t, '-- a.ts --');
      const tree = gitRepository(t, Array.from({ length: 20 }, (_, n) => `-- d${n}/a.ts --`).join('\n'));
      const { through, env } = limited(t, limit);
      const { daemon } = await followed(t, { tree, before, prefix: through, env });
      await until('doctor warns', async () => (await statusOf(daemon, 'watch')) === 'warn');
      const told = JSON.stringify(await daemon.client.system.doctor({ repo: 'app' }));
      assert.match(told, new RegExp(`sysctl [^"]*${limit.replace('max_inotify', 'max_user').replace(/=.*/, '=')}`));
      for (let n = 0; n < 20; n++) tree.write(`d${n}/a.ts`, 'export function synced() {}\n');
      assert.equal(await countOf(daemon, 'synced'), 20);
      for (let n = 0; n < 20; n++) tree.write(`d${n}/a.ts`, 'export function polled() {}\n');
      const search = () => daemon.client.symbols.search({ q: 'polled', repo: 'app', limit: 1, sync: false });
      await until('it is seen unasked', async () => (await search()).total === 20);
      const other = limit === 'max_inotify_instances=0' ? 'warn' : 'pass';
      assert.equal(await statusOf(daemon, 'watch', 'before'), other, 'a root that has its watches keeps them');
      before.write('a.ts', 'export function unharmed() {}\n');
      assert.equal(await countOf(daemon, 'unharmed', 'before'), 1);
    });
  }
}

test('without a free descriptor nothing is called fresh or thought gone, and work goes on when there is one (P13)', {
  skip: process.platform !== 'linux',
}, async t => {
  const tree = gitRepository(t, Array.from({ length: 20 }, (_, n) => `-- d${n}/a.ts --`).join('\n'));
  const { daemon } = await followed(t, { tree });
  const pid = daemon.process.pid!;
  const allow = (descriptors: number): void => {
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:4096`]);
  };
  allow(64); // Node.js itself asks at its start for as many as it may have
  tree.write('d0/a.ts', 'export function with64() {}\n');
  assert.equal(await countOf(daemon, 'with64'), 1);
  // Of those 64 one may be left or none, by what else it is at; of some more a few are left.
  assert.notEqual(await statusOf(daemon, 'descriptors'), 'pass');
  allow(96);
  assert.equal(await statusOf(daemon, 'descriptors'), 'warn');
  for (const free of [2, 6, 10]) {
    // Wherever in a run it comes to the end of them: by then the worker may have ended and need more to begin anew.
    allow(readdirSync(`/proc/${pid}/fd`).length + free);
    for (let n = 0; n < 20; n++) tree.write(`d${n}/a.ts`, `export function with${free}() {}\n`);
    tree.write(`new${free}/b.ts`, `export function with${free}() {}\n`);
    const found = await countOf(daemon, `with${free}`).catch((fault: Fault) => {
      assert.equal(fault.row.status, 412, String(fault));
      return 21;
    });
    assert.equal(found, 21);
    assert.equal(await statusOf(daemon, 'daemon.lock'), 'pass', 'it lives and answers');
    assert.notEqual(await statusOf(daemon, 'descriptors'), 'pass');
    allow(4096);
    await until('it is made up for', async () => (await countOf(daemon, `with${free}`).catch(() => 0)) === 21);
  }
  await until('doctor is content', async () => (await statusOf(daemon, 'index.freshness')) === 'pass');
  assert.equal(await statusOf(daemon, 'descriptors'), 'pass');
  // Questions about federations have a thread that nobody has needed so far: none can begin where nothing is free.
  await daemon.client.federation.create({ name: 'shop' });
  allow(readdirSync(`/proc/${pid}/fd`).length + 1);
  await assert.rejects(daemon.client.federation.modules({ name: 'shop' }), isRefusedForFiles);
  const { checks, issues } = await daemon.client.system.doctor({ repo: 'app' });
  const told = checks.find(({ name }) => name === 'federations');
  assert.equal(told?.status, 'info');
  assert.match(told.message, /^can’t be looked at: no more files may be open/);
  assert.deepEqual(
    issues.map(({ check }) => check),
    ['descriptors'],
    'what could not be looked at has no fault and no remedy of its own',
  );
  await daemon.client.system.ready({});
});

test('a daemon that may open as few files as it needs answers of a small repository, and doctor warns of that alone (P13)', {
  skip: process.platform !== 'linux',
}, async t => {
  const prefix = ['sh', '-c', `ulimit -n ${leastFiles}; exec "$0" "$@"`];
  const tree = gitRepository(t, Array.from({ length: 5 }, (_, n) => `-- f${n}.ts --`).join('\n'));
  const { daemon } = await followed(t, { tree, prefix });
  for (let times = 0; times < 6; times++) {
    tree.write(`f${times % 5}.ts`, `export function of${times}() {}\n`);
    assert.equal(await countOf(daemon, `of${times}`), 1);
    await daemon.client.hotspots.list({ repo: 'app' });
  }
  await until('no other check is red', async () => {
    const { issues } = await daemon.client.system.doctor({ repo: 'app' });
    return issues.map(({ check }) => check).join() === 'descriptors';
  });
});

function isRefusedForFiles(fault: Fault): boolean {
  assert.deepEqual(
    [fault.row.code, fault.row.status, fault.row.retry, fault.extras.details],
    ['BACKEND_UNAVAILABLE', 503, 'later', { reason: 'too_many_open_files' }],
  );
  return true;
}

test('a daemon has one kernel watch a folder and a few more, none for what is ignored (P14)', {
  skip: process.platform !== 'linux',
}, async t => {
  const folders = Array.from({ length: 200 }, (_, n) => `d${n}`);
  const text = folders.map(name => `-- ${name}/a.ts --\n-- ${name}/b.ts --\n-- node_modules/${name}/c.ts --`);
  const tree = gitRepository(t, ['-- .gitignore --\nnode_modules/', ...text].join('\n'));
  const { daemon } = await followed(t, { tree });
  await countOf(daemon, 'nothing');
  const watches = kernelWatches(daemon.process.pid!);
  assert.ok(watches >= 201 && watches <= 201 + 5, `${watches} watches`);
});

function kernelWatches(pid: number): number {
  const folder = `/proc/${pid}/fdinfo`;
  const lines = readdirSync(folder).flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.filter(line => line.startsWith('inotify wd')).length;
}
