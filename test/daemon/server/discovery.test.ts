import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DaemonRecord, type Places, prepareFolders, readDaemonRecord } from '../../../client/paths.ts';
import { removeDaemonRecord, writeDaemonRecord } from '../../../daemon/server/discovery.ts';
import { addRepo, type Home, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

/** What a request with this token is told by the daemon's own listener. */
async function statusWith({ places }: Home, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${readDaemonRecord(places)!.url}/jobs`, { headers })).status;
}

/** The token that the command prints, and that stands, closed to others, in the file that the daemon names. */
async function tokenToldIn(home: Home): Promise<string> {
  const { tokenFile } = readDaemonRecord(home.places)!;
  const { code, stdout, stderr } = await svc(home, ['daemon', 'token']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout, readFileSync(tokenFile, 'utf8'));
  assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
  const named = (await svc(home, ['daemon', 'env'])).stdout;
  assert.match(named, new RegExp(`^export SVC_TOKEN_FILE=${tokenFile}$`, 'm'));
  return stdout.trim();
}

function fileOfToken({ places }: Home): string {
  return readFileSync(readDaemonRecord(places)!.tokenFile, 'utf8');
}

const listens = (places: Places) => until('HTTP listens', () => readDaemonRecord(places)?.url);

test('the token in force is where the daemon says, made or configured, and one that was configured goes with its line', async t => {
  const home = temporaryHome(t);
  const { places } = home;
  const daemon = await startDaemon(t, home);
  await listens(places);
  const made = await tokenToldIn(home);
  assert.equal(await statusWith(home, made), 200);
  let before = made;
  for (const given of ['a'.repeat(40), `${'b'.repeat(40)} `]) {
    home.configure(`[auth]\ntoken = "${given}"\n`);
    daemon.process.kill('SIGHUP');
    await until('it is told', () => fileOfToken(home) === `${given.trim()}\n`);
    assert.equal(await tokenToldIn(home), given.trim());
    assert.deepEqual([await statusWith(home, given.trim()), await statusWith(home, before)], [200, 401]);
    before = given.trim();
  }
  home.configure('');
  daemon.process.kill('SIGHUP');
  await until('the one that was made is told again', () => !existsSync(places.configuredTokenFile));
  assert.equal(await tokenToldIn(home), made);
  assert.deepEqual([await statusWith(home, made), await statusWith(home, before)], [200, 401]);
});

test('a daemon that starts with a token of its environment tells that one, and takes it along', async t => {
  const home = temporaryHome(t);
  const { places } = home;
  await (await startDaemon(t, home)).stop();
  const given = 'c'.repeat(40);
  const configured = { ...home, env: { ...home.env, SVC_AUTH_TOKEN: given } };
  const second = await startDaemon(t, configured);
  await listens(places);
  assert.equal(await tokenToldIn(configured), given);
  await second.stop();
  assert.equal(existsSync(places.configuredTokenFile), false);
  const third = await startDaemon(t, configured);
  third.process.kill('SIGKILL');
  await third.ended;
  await startDaemon(t, home);
  assert.equal(readDaemonRecord(places)!.tokenFile, places.tokenFile);
  await until('what a killed daemon left goes, too', () => !existsSync(places.configuredTokenFile));
});

const discoveryModule = new URL('../../../daemon/server/discovery.js', import.meta.url).href;

function recordOf({ runtime }: Places, pid: number, build = 'test'): Omit<DaemonRecord, 'tokenFile'> {
  const at = { pid, startTicks: 0, host: 'test', socket: join(runtime, 'svc.sock'), url: null };
  return { ...at, version: '0.1.0', build, protocol: 1 };
}

test('a daemon that leaves takes the record of none but itself away (P3)', t => {
  const { places } = temporaryHome(t);
  prepareFolders(places);
  writeDaemonRecord(places, recordOf(places, 41), 'configured');
  removeDaemonRecord(places, 40);
  assert.equal(readDaemonRecord(places)?.pid, 41);
  assert.equal(readFileSync(places.configuredTokenFile, 'utf8'), 'configured\n');
  removeDaemonRecord(places, 41);
  assert.deepEqual([readDaemonRecord(places), existsSync(places.configuredTokenFile)], [undefined, false]);
});

test('who copies the home of a daemon that runs speaks with a daemon of the copy, and never with that one (P5)', async t => {
  const daemon = await startDaemon(t);
  const { root } = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  await addRepo(t, daemon, { root, id: 'app' });
  const copy = temporaryHome(t);
  execFileSync('cp', ['-a', `${daemon.home.path}/.`, copy.path]);
  const stopped = await svc({ ...copy, env: { ...copy.env, SVC_PATIENCE_SECONDS: '20' } }, ['daemon', 'stop']);
  assert.deepEqual([stopped.code, stopped.stdout], [0, 'no daemon is running\n'], stopped.stderr);
  assert.equal((await svc(copy, ['daemon', 'env'])).code, 3);
  const removed = await svc(copy, ['repo', 'remove', 'app']);
  assert.equal(removed.code, 0, removed.stderr);
  assert.notEqual(readDaemonRecord(copy.places)?.pid, daemon.record.pid);
  assert.deepEqual(
    (await daemon.client.daemon.listRepos({})).repos.map(({ id }) => id),
    ['app'],
  );
  assert.equal((await svc(copy, ['daemon', 'stop'])).code, 0);
  assert.equal((await daemon.client.system.health({})).status, 'healthy');
});

test('whoever reads daemon.json while it is replaced reads one record or the other, whole (P3)', async t => {
  const { places } = temporaryHome(t);
  prepareFolders(places);
  const both = [1, 2].map(length => recordOf(places, 41, 'x'.repeat(100_000 * length)));
  writeDaemonRecord(places, both[0]!, undefined);
  const script = `import { writeDaemonRecord } from '${discoveryModule}'; import { readFileSync } from 'node:fs';
    const { places, both } = JSON.parse(readFileSync(0, 'utf8'));
    for (let time = 1; time <= 200; time++) writeDaemonRecord(places, both[time % 2], undefined);`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  writer.stdin.end(JSON.stringify({ places, both }));
  const seen = new Set<unknown>();
  while (writer.exitCode === null) {
    for (let read = 0; read < 20; read++) seen.add(readDaemonRecord(places)?.build.length);
    await new Promise(resolve => setImmediate(resolve));
  }
  assert.equal(writer.exitCode, 0);
  assert.deepEqual([...seen].sort(), [100_000, 200_000]);
});

const losses: readonly { readonly what: string; readonly lose: (file: string) => void }[] = [
  { what: 'lost', lose: file => rmSync(file) },
  { what: 'overwritten', lose: file => writeFileSync(file, 'another') },
  { what: 'opened to others', lose: file => chmodSync(file, 0o644) },
];
for (const { what, lose } of losses) {
  test(`the file of a configured token that was ${what} is written anew`, async t => {
    const given = 'd'.repeat(40);
    const home = temporaryHome(t, { SVC_AUTH_TOKEN: given });
    const { places } = home;
    await startDaemon(t, home);
    await listens(places);
    lose(places.configuredTokenFile);
    await until('it is back', () => {
      const mode = statSync(places.configuredTokenFile, { throwIfNoEntry: false })?.mode ?? 0;
      return (mode & 0o777) === 0o600 && readFileSync(places.configuredTokenFile, 'utf8') === `${given}\n`;
    });
  });
}
