import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../../daemon/package-root.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../support/repository.ts';
import { shownElsewhere, told } from './faults-elsewhere.ts';
import { atAnyPort, gitProgram, rows, type Status } from './staged-faults.ts';

async function statuses({ client }: TestDaemon): Promise<ReadonlyMap<string, Status>> {
  const { checks } = await client.system.doctor({ repo: 'app' });
  return new Map(checks.map(({ name, status }) => [name, status]));
}

/** Those that differ, with what they say now. How far the comparison of rows has come is no fault, and the machine's load none of ours. */
function changed(
  before: ReadonlyMap<string, Status>,
  now: ReadonlyMap<string, Status>,
): Record<string, Status | undefined> {
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const differing = names.filter(name => (before.get(name) ?? 'pass') !== (now.get(name) ?? 'pass'));
  const ours = differing.filter(name => !['index.verification', 'event-loop', 'disk-space'].includes(name));
  return Object.fromEntries(ours.map(name => [name, now.get(name)]));
}

async function settles(
  what: string,
  before: ReadonlyMap<string, Status>,
  daemon: TestDaemon,
  expected: Readonly<Record<string, Status>>,
): Promise<void> {
  let now: Record<string, Status | undefined> = {};
  const isReached = async (): Promise<boolean> => {
    now = changed(before, await statuses(daemon));
    return isDeepStrictEqual(now, expected);
  };
  await until(what, isReached).catch(() => assert.deepEqual(now, expected, what));
}

async function isReady({ client }: TestDaemon): Promise<boolean> {
  return client.system.ready({}).then(
    () => true,
    () => false,
  );
}

test('each fault turns one check red and no other, its end turns it green, and readiness agrees (P54)', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const programs = temporaryFolder(t);
  symlinkSync(gitProgram(), programs.path('git'));
  const home = temporaryHome(t, { PATH: programs.root, SVC_HTTP_PORT: undefined });
  home.configure(atAnyPort);
  const place = { daemon: await startDaemon(t, home), tree, programs, context: t };
  const { daemon } = place;
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await daemon.client.telemetry.ingestCalls({
    body: JSON.stringify({ calls: [{ service_name: 'app', function_name: 'a', call_count: 1 }] }),
    repo: 'app',
  });
  await ready(daemon);
  await until('it is watched, every change is in, and HTTP listens', async () => {
    const now = await statuses(daemon);
    const { http } = await daemon.client.daemon.status({});
    return now.get('watch') === 'pass' && now.get('index.freshness') === 'pass' && http !== null;
  });
  const well = await statuses(daemon);
  for (const { check, status, along = {}, isUnready = false, isHere, remedy, begins, ends } of rows) {
    if (isHere === false) continue;
    assert.equal(well.get(check) ?? 'pass', 'pass', check);
    await begins(place);
    await settles(`${check} alone`, well, daemon, { [check]: status, ...along });
    assert.equal(await isReady(daemon), !isUnready, `ready, ${check}`);
    if (status !== 'info') await tellsWhatToDo(daemon, check, remedy);
    await ends(place);
    await settles(`nothing is left of ${check}`, well, daemon, {});
    assert.equal(await isReady(daemon), true, `ready after ${check}`);
  }
});

/** A command that mends it, or words that say what has to be done by hand. */
async function tellsWhatToDo({ client }: TestDaemon, check: string, remedy: RegExp | undefined): Promise<void> {
  const issue = (await client.system.doctor({ repo: 'app' })).issues.find(one => one.check === check);
  assert.ok(issue !== undefined, check);
  if (remedy === undefined) assert.ok(issue.suggestedFixes.length > 0, `${check} has a remedy: ${issue.message}`);
  else assert.match(issue.message, remedy);
}

/** The ids that the doctor's own code can report, as they stand there. */
function checksOfTheProduct(): ReadonlySet<string> {
  const folder = join(packageRoot, 'daemon/operations/doctor');
  const text = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
  const ids = text.flatMap(one => [...one.matchAll(/\bcheck(?::| =) (?:'([^']+)'|`([^`]+)`)/g)]);
  return new Set(ids.map(([, plain, made]) => plain ?? made!.replaceAll(/\$\{[^}]*\}/g, '*')));
}

test('whatever doctor can report has a fault that is shown, or is told of every daemon; and nothing else is shown (P54)', () => {
  const shown = [...rows.map(({ check }) => check), ...shownElsewhere.map(({ check }) => check), ...told];
  assert.deepEqual([...new Set(shown)].sort(), [...checksOfTheProduct()].sort());
});

test('what the table leaves to other tests is there, and looks at the check that it is there for (P54)', () => {
  for (const { check, file, title } of shownElsewhere) {
    const text = readFileSync(join(packageRoot, 'test', file), 'utf8').replaceAll("\\'", "'");
    assert.ok(text.includes(title), `${file}: ${title}`);
    const ofOneLanguage = check.replace('indexer.*', 'indexer.scip-go');
    assert.ok(text.includes(`'${ofOneLanguage}'`), `${check} in ${file}`);
  }
});

test('an index that a newer program wrote is told, left alone, and answers again for whom it was written', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const first = await startDaemon(t);
  await first.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(first);
  const { indexPath } = (await first.client.indexing.index({ force: true })) as { indexPath: string };
  assert.equal(await first.stop(), 0);
  const found = versionOf(indexPath, 9999);
  const second = await startDaemon(t, first.home);
  const looked = ['index.integrity', 'repositories.indexed', 'quarantine'];
  const seen = async (daemon: TestDaemon) => {
    const now = await statuses(daemon);
    return [...looked.map(check => now.get(check)), await isReady(daemon)];
  };
  await until('it is told', async () => isDeepStrictEqual(await seen(second), ['fail', 'fail', 'pass', false]));
  assert.equal(await second.stop(), 0);
  assert.equal(versionOf(indexPath, found), 9999, 'nobody has written');
  const third = await startDaemon(t, first.home);
  await until('all is well', async () => isDeepStrictEqual(await seen(third), ['pass', 'pass', 'pass', true]));
});

const removals: Readonly<Record<string, (indexFile: string) => void>> = {
  'an index file': file => {
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
  },
  'the folder of an index': file => rmSync(dirname(file), { recursive: true }),
};

for (const [what, remove] of Object.entries(removals)) {
  test(`${what} that goes while it is served keeps doctor from no answer, and is told until it is back`, async t => {
    const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
    const daemon = await startDaemon(t);
    await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
    await ready(daemon);
    const { indexPath } = (await daemon.client.indexing.index({ force: true })) as { indexPath: string };
    await until('all is well', async () => (await daemon.client.system.doctor({ repo: 'app' })).status === 'healthy');
    const owned = async () => (await daemon.client.ownership.get({ repo: 'app', path: 'a.ts' })).owners;
    const before = await owned();
    remove(indexPath);
    const { status, issues } = await daemon.client.system.doctor({ repo: 'app' });
    assert.equal(status, 'unhealthy');
    // Whoever asks about it has it built anew.
    const issue = issues.find(({ check }) => check === 'repositories.indexed');
    assert.match(issue?.message ?? '', /^no index yet, so that nothing can be asked: app$/);
    assert.deepEqual(
      issue?.suggestedFixes.map(({ command }) => command),
      ['svc jobs'],
    );
    await daemon.client.system.doctorFix({ repo: 'app' });
    await until('all is well again', async () => {
      const now = await daemon.client.system.doctor({ repo: 'app' });
      return now.status === 'healthy' && (await isReady(daemon));
    });
    const { results } = await daemon.client.symbols.search({ repo: 'app', q: 'a' });
    assert.equal(results[0]?.name, 'a');
    assert.deepEqual(await owned(), before);
  });
}

test('what can’t be read of daemon.db is told by each check that reads it, and keeps doctor from no answer', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const daemon = await startDaemon(t);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await until('all is well', async () => (await daemon.client.system.doctor({ repo: 'app' })).status === 'healthy');
  const database = new Database(daemon.home.places.daemonDb);
  t.after(() => database.close());
  const well = await statuses(daemon);
  database.exec('ALTER TABLE job RENAME TO job_away; ALTER TABLE call_dropped RENAME TO call_dropped_away');
  assert.deepEqual(changed(well, await statuses(daemon)), { jobs: 'fail', telemetry: 'fail' });
  database.exec('ALTER TABLE job_away RENAME TO job; ALTER TABLE call_dropped_away RENAME TO call_dropped');
  await settles('it can be read again', well, daemon, {});
  // What is still in its log is not lost with the file.
  database.pragma('wal_checkpoint(TRUNCATE)');
  const descriptor = openSync(daemon.home.places.daemonDb, 'r+');
  writeSync(descriptor, randomBytes(100_000), 0, 100_000, 0);
  closeSync(descriptor);
  const { issues } = await daemon.client.system.doctor({});
  const damage = issues.find(({ check }) => check === 'database');
  assert.equal(damage?.message, 'can’t be looked at: what is stored is damaged');
  assert.deepEqual(
    damage.suggestedFixes.map(({ command }) => command),
    ['svc daemon restart'],
  );
});

/** Sets the version of an index file's schema, as another program would; gives the one that was there. */
function versionOf(indexFile: string, version: number): number {
  // It would tell at once that the file was touched.
  rmSync(`${indexFile}.seal`, { force: true });
  const database = new Database(indexFile);
  const before = database.pragma('user_version', { simple: true }) as number;
  database.pragma(`user_version = ${version}`);
  database.close();
  return before;
}

test('a config.toml that the way to it keeps from being read is told by its path, why, and what to do', async t => {
  const { client, home } = await startDaemon(t);
  const { configFile } = home.places;
  home.configure('');
  for (const [target, code] of [
    [configFile, 'ELOOP'],
    ['x'.repeat(300), 'ENAMETOOLONG'],
  ] as const) {
    rmSync(configFile);
    symlinkSync(target, configFile);
    const { issues } = await client.system.doctor({});
    const { message = '' } = issues.find(({ check }) => check === 'config') ?? {};
    const start = `the next start would fail until this is put right: ${configFile}: can't be read (${code}). `;
    assert.ok(message.startsWith(start) && message.endsWith('. Mend or remove it.'), message);
  }
  rmSync(configFile);
  assert.equal((await client.system.doctor({})).checks.find(({ name }) => name === 'config')?.status, 'pass');
});

test('a port that another program had is taken when it is free', async t => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as { port: number };
  const home = temporaryHome(t, { SVC_HTTP_PORT: String(port), SVC_HTTP_HOST: '127.0.0.1' });
  const { client } = await startDaemon(t, home);
  const status = async () =>
    (await client.system.doctor({})).checks.find(({ name }) => name === 'http.listener')?.status;
  await until('doctor names it', async () => (await status()) === 'warn');
  squatter.close();
  await until('it listens', async () => (await status()) === 'pass');
  assert.equal((await client.daemon.status({})).http?.port, port);
});
