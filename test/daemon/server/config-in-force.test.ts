import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { changesOf, openConfig } from '../../../daemon/server/config-in-force.ts';
import { startDaemon, svc, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

test('a reload takes over all but what workers were made with; that waits for the next start, and says so', t => {
  const { path } = temporaryFolder(t);
  const file = path('config.toml');
  const write = (text: string): void => writeFileSync(file, text);
  write('[http]\nport = 9790\n');
  const config = openConfig({ file, environment: {} });
  assert.equal(config.fileState().remedy, undefined);

  write('[http]\nport = 9790\n[log]\nlevel = "error"\n');
  assert.equal(config.fileState().remedy, undefined, 'it is taken over as soon as somebody looks');
  assert.equal(config.values().log.level, 'info');
  config.reload();
  assert.equal(config.values().log.level, 'error');
  assert.equal(config.loaded().origins.get('log.level'), `${file}:4`);
  assert.equal(config.fileState().remedy, undefined);

  write('[http]\nport = 9791\n[watch]\nbackend = "polling"\n[limits]\nquery_seconds = 7\n');
  const remedy = 'svc daemon restart (needed for watch.backend)';
  assert.equal(config.fileState().remedy, remedy);
  config.reload();
  const { http, watch, limits, log } = config.values();
  assert.deepEqual([http.port, watch.backend, limits.query_seconds, log.level], [9791, 'auto', 7, 'info']);
  assert.equal(config.loaded().origins.get('watch.backend'), 'default');
  assert.equal(config.fileState().remedy, remedy, 'as long as it waits');

  write('[http]\nprot = 1\n');
  config.reload();
  assert.match(config.problem()!, /prot/);
  assert.equal(config.values().limits.query_seconds, 7);
  assert.match(config.fileState().problem!, /prot/);

  rmSync(file);
  execFileSync('mkfifo', [file]);
  config.reload();
  assert.match(config.problem()!, /is no regular file/, 'nobody writes it, and nobody waits');
  assert.equal(config.values().limits.query_seconds, 7);
});

test('a file is taken over once it has rested, and only when it is another', t => {
  const { path } = temporaryFolder(t);
  const file = path('config.toml');
  let changes = 0;
  const look = changesOf(file, () => changes++);
  const seen = (calls: number) => {
    for (let call = 0; call < calls; call++) look();
    return changes;
  };
  assert.equal(seen(3), 0, 'there is none');
  writeFileSync(file, 'a = 1\n');
  assert.equal(seen(1), 0, 'it may still be written');
  writeFileSync(file, 'a = 1\nb = 2\n');
  assert.equal(seen(1), 0, 'it was');
  assert.equal(seen(3), 1);
  writeFileSync(path('other.toml'), 'a = 3\n');
  rmSync(file);
  symlinkSync('other.toml', file);
  assert.equal(seen(3), 2, 'what the link leads to');
  writeFileSync(path('other.toml'), 'a = 30\n');
  assert.equal(seen(3), 3);
  rmSync(file);
  assert.equal(seen(3), 4, 'the defaults are a configuration too');
});

test('a daemon that runs takes a changed file over by itself, and leaves a broken one', async t => {
  const { home, client } = await startDaemon(t);
  const value = async () =>
    (await client.daemon.config({})).values.find(({ key }) => key === 'freshness_minutes')?.value;
  home.configure('freshness_minutes = 7\n');
  await until('it is in force', async () => (await value()) === 7);
  home.configure('freshness_minutes = "x"\n');
  await until('it is told', () => home.log().some(({ what }) => what === 'the configuration was not reloaded'));
  assert.equal(await value(), 7);
});

/** What a request of a client is told: a status, or that nobody is there. */
async function statusAt(url: string, token: string, path = '/jobs'): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${url}${path}`, { headers }).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function reloaded({ home, process: child, client }: TestDaemon, toml: string): Promise<void> {
  home.configure(toml);
  child.kill('SIGHUP');
  await until('the file is in force', async () => (await client.daemon.config({})).warnings.length === 0);
}

test('SIGHUP moves the HTTP listener, and gives every one the token, the names and the limits of now', async t => {
  const home = temporaryHome(t, { SVC_HTTP_PORT: undefined });
  const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
  const toml = (port: number, token: string, more = '') =>
    `[http]\nhost = "127.0.0.1"\nport = ${port}\n[auth]\ntoken = "${token}"\n${more}`;
  home.configure(toml(0, first));
  const daemon = await startDaemon(t, home);
  const { root } = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  const served = await daemon.client.daemon.openListener({ host: '127.0.0.1', port: 0, repo: 'app' });
  const ownUrl = () => readDaemonRecord(home.places)?.url ?? undefined;
  await until('HTTP listens', ownUrl);
  const url = ownUrl()!;
  assert.equal(await statusAt(url, first), 200);

  await reloaded(daemon, toml(0, second, '[limits]\nurl_bytes = 1024\n'));
  await until('the new token is asked for', async () => (await statusAt(url, second)) === 200);
  assert.equal(await statusAt(url, first), 401);
  assert.equal(await statusAt(url, second, `/search?q=${'x'.repeat(1020)}`), 414);
  await until('where svc serve stands, too', async () => (await statusAt(served.url, second, '/status')) === 200);
  assert.equal(ownUrl(), url, 'a port that was any free one stays what it became');

  const other = await freePort();
  await reloaded(daemon, toml(other, second));
  await until('it is announced where it went', () => ownUrl() === `http://127.0.0.1:${other}`);
  assert.equal(await statusAt(ownUrl()!, second), 200);
  await until('nobody is left where it was', async () => (await statusAt(url, second)) === undefined);

  await reloaded(daemon, `${toml(other, second).replace('[http]', '[http]\nenabled = false')}`);
  await until('it is closed', async () => (await daemon.client.daemon.status({})).http === null);
  await until('and not announced', () => ownUrl() === undefined);
  // An idle connection may be closed as it is used again.
  await until(
    'svc serve, which did not ask for that, answers',
    async () => (await statusAt(served.url, second, '/status')) === 200,
  );
  const { stdout } = await svc(home, ['config', 'show', '--origin']);
  assert.match(stdout, /^watch\.backend +"auto" +restart +default$/m);
  assert.match(stdout, /^http\.enabled +false +reload +\S+config\.toml:2$/m);
});

test('a listener that the file gives a port of another program says so, and comes when it is free', async t => {
  const home = temporaryHome(t, { SVC_HTTP_PORT: undefined });
  home.configure('[http]\nport = 0\n');
  const daemon = await startDaemon(t, home);
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { port } = await daemon.client.daemon.openListener({ host: 'localhost', port: 0 });
  await reloaded(daemon, `[http]\nport = ${port}\n`);
  const listener = async () =>
    (await daemon.client.system.doctor({})).checks.find(({ name }) => name === 'http.listener')?.status;
  await until('doctor names it', async () => (await listener()) === 'warn');
  await reloaded(daemon, '[http]\nport = 0\n');
  await until('it listens again', async () => (await listener()) === 'pass');
  assert.notEqual((await daemon.client.daemon.status({})).http?.port, undefined);
});

/** One that no system gives to whoever asks for any: such a port another program might be given before it is used here. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(10_000 + Math.floor(20_000 * Math.random()), '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // somebody has it
    }
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}
