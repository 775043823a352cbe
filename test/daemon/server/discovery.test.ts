import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Places, readDaemonRecord } from '../../../client/paths.ts';
import { type Home, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';

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
