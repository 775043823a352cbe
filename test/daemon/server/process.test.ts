import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { killLeaders } from '../../fault/killed-leaders.ts';
import { patienceMs, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { request, wire } from '../../support/rpc-wire.ts';

test('a killed leader is replaced, and each call of looping clients succeeds (P1)', context =>
  killLeaders(context, 3, 4));

test('a second daemon in the same home leaves at once and changes nothing (P1)', async context => {
  const { home, record } = await startDaemon(context);
  const second = await svc(home, ['daemon', 'run']);
  assert.equal(second.code, 75);
  assert.match(second.stderr, new RegExp(`a daemon runs already \\(pid ${record.pid}\\)`));
  assert.equal(readDaemonRecord(home.places)?.socket, record.socket);
});

test('modes are closed whatever the umask (P4)', async context => {
  const before = process.umask(0);
  context.after(() => process.umask(before));
  const { home, record, client } = await startDaemon(context);
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  await client.daemon.addRepo({ root });
  await until('it is indexed', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready');
  const { runtime, state, data } = home.places;
  for (const folder of [runtime, state, data]) assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  assert.equal(statSync(record.socket).mode & 0o777, 0o600);
  const seen = new Set<string>();
  for (const folder of [runtime, state, data]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stats !== undefined) assert.equal(stats.mode & 0o077, 0, join(folder, name));
      seen.add(basename(name));
    }
  }
  for (const name of ['daemon.json', 'token', 'svc.log', 'lock.db', 'daemon.db', 'index.db'])
    assert.ok(seen.has(name), name);
});

const unsafe: readonly { readonly name: string; readonly spoil: (runtime: string) => void; readonly fix: RegExp }[] = [
  {
    name: 'open to others',
    spoil: runtime => {
      mkdirSync(runtime, { recursive: true });
      chmodSync(runtime, 0o777);
    },
    fix: /runtime is open to other users \(mode 777\); close it: chmod 700 .*runtime$/m,
  },
  {
    name: 'a symbolic link',
    spoil: runtime => symlinkSync('/tmp', runtime),
    fix: /runtime is not a folder; remove it: rm .*runtime$/m,
  },
  {
    name: 'a file',
    spoil: runtime => writeFileSync(runtime, ''),
    fix: /runtime is not a folder; remove it: rm .*runtime$/m,
  },
];
for (const { name, spoil, fix } of unsafe) {
  test(`a runtime folder that is ${name} is refused with 77 (P4)`, { timeout: patienceMs }, async context => {
    const home = temporaryHome(context);
    spoil(home.places.runtime);
    const { code, stderr } = await svc(home, ['daemon', 'run']);
    assert.equal(code, 77, stderr);
    assert.match(stderr, fix);
  });
}

test('a configuration that can’t stand ends the start with 78 and says where', async context => {
  const home = temporaryHome(context);
  home.configure('[auth]\ntoken = ""\n');
  const { code, stderr } = await svc(home, ['daemon', 'run']);
  assert.equal(code, 78);
  assert.match(stderr, /config\.toml:2: auth\.token must not be empty/);
  assert.equal(existsSync(home.places.lockFile), false, 'nothing was begun');
});

test('an address that others can reach ends the start with 78, unless somebody must say who they are', async context => {
  const home = temporaryHome(context);
  for (const lines of ['', 'allowed_hosts = ["code.example"]\n[auth]\nenabled = false\n']) {
    home.configure(`[http]\nhost = "0.0.0.0"\n${lines}`);
    const { code, stderr } = await svc(home, ['daemon', 'run']);
    assert.equal(code, 78);
    assert.match(stderr, /http\.host is 0\.0\.0\.0.*auth\.enabled and http\.allowed_hosts in .*config\.toml/);
    assert.equal(existsSync(home.places.lockFile), false, 'nothing was begun');
  }
  home.configure('[http]\nhost = "0.0.0.0"\nallowed_hosts = ["code.example"]\n');
  const { stop } = await startDaemon(context, home);
  assert.equal(await stop(), 0);
});

test('a folder for databases on NFS ends the start with 78, and nothing is placed there (P19)', async context => {
  for (const place of ['state', 'data'] as const) {
    const home = temporaryHome(context);
    Object.assign(home.env, { SVC_FSTYPE: `${home.places[place]}=6969` });
    await assert.rejects(startDaemon(context, home), /NFS.*SVC_HOME/);
    assert.equal((await svc(home, ['daemon', 'run'])).code, 78);
    const { lockFile, daemonDb, repos } = home.places;
    assert.deepEqual([lockFile, daemonDb, repos].map(existsSync), [false, false, false], place);
  }
});

test('SIGTERM: idle connections close, the socket and the record are gone, exit 0 (P3, P7)', async context => {
  const { home, record, connect, stop } = await startDaemon(context);
  const idle = wire(await connect());
  assert.equal(await stop(), 0);
  assert.deepEqual(
    (await idle.rest()).map(({ method }) => method),
    ['$/leaving'],
  );
  assert.equal(existsSync(record.socket), false);
  assert.equal(readDaemonRecord(home.places), undefined);
  const log = home.log();
  assert.deepEqual(
    log.slice(-1).map(({ msg, exitCode }) => [msg, exitCode]),
    [['daemon.stopped', 0]],
  );
});

test('SIGHUP reads the configuration anew; a wrong one stays out of force and doctor says so', async context => {
  const { home, process: child, client } = await startDaemon(context);
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  await client.daemon.addRepo({ root });
  const value = async () =>
    (await client.daemon.config({})).values.find(({ key }) => key === 'freshness_minutes')?.value;
  const finding = async () => (await client.system.doctor({})).checks.find(({ name }) => name === 'config')?.status;
  home.configure('freshness_minutes = 7\n');
  child.kill('SIGHUP');
  await until('it is in force', async () => (await value()) === 7);
  assert.equal(await finding(), 'pass');
  home.configure('freshness_minutes = "x"\n');
  child.kill('SIGHUP');
  await until('doctor says so', async () => (await finding()) === 'fail');
  assert.equal(await value(), 7);
});

test('a port that is taken is a finding, not a failed start', async context => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  context.after(() => squatter.close());
  const { port } = squatter.address() as { port: number };
  const home = temporaryHome(context, { SVC_HTTP_PORT: String(port), SVC_HTTP_HOST: '127.0.0.1' });
  const { client } = await startDaemon(context, home);
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  await client.daemon.addRepo({ root });
  await until('doctor names it', async () => {
    const { checks } = await client.system.doctor({});
    return checks.find(({ name }) => name === 'http.listener')?.status === 'warn';
  });
  assert.equal((await client.daemon.status({})).http, null);
});

test('a listener ends with the connection that asked for it', async context => {
  const { client, connect, home } = await startDaemon(context);
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  const { repo } = await client.daemon.addRepo({ root });
  const line = wire(await connect());
  const { result } = await line.ask(request(1, 'daemon.openListener', { host: 'localhost', port: 0, repo: repo.id }));
  const { url } = result as { url: string };
  const authorization = `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}`;
  assert.equal((await fetch(`${url}/health`, { headers: { authorization } })).status, 200);
  assert.equal((await client.daemon.status({})).listeners.length, 1);
  line.socket.destroy();
  await until('it is closed', async () => (await client.daemon.status({})).listeners.length === 0);
  await assert.rejects(fetch(`${url}/health`));
});

test('versions: another protocol is told −32006, with advice (P6)', async context => {
  const { connect } = await startDaemon(context);
  const line = wire(await connect());
  for (const protocol of [0, 99, '1']) {
    const { error } = await line.ask(request(1, 'initialize', { client: 't', version: '1', protocol }));
    assert.equal(error?.code, -32006, String(protocol));
    assert.match(error!.message, /svc daemon restart/);
  }
  const { result } = await line.ask(request(2, 'initialize', { client: 't', version: '1', protocol: 1 }));
  assert.equal((result as { protocol: number }).protocol, 1);
});

test('the token is made once, kept closed, and never shown', async context => {
  const { home, stop } = await startDaemon(context);
  const token = readFileSync(home.places.tokenFile, 'utf8').trim();
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(await stop(), 0);
  await startDaemon(context, home);
  assert.equal(readFileSync(home.places.tokenFile, 'utf8').trim(), token);
  assert.equal(readFileSync(home.places.logFile, 'utf8').includes(token), false);
});

test('of twenty that ask for the token at once, before there is one, all are told the same', async context => {
  const home = temporaryHome(context, { SVC_HTTP_ENABLED: 'false' });
  const told = await Promise.all(Array.from({ length: 20 }, () => svc(home, ['daemon', 'token'])));
  for (const { code, stderr } of told) assert.equal(code, 0, stderr);
  assert.deepEqual([...new Set(told.map(({ stdout }) => stdout))], [readFileSync(home.places.tokenFile, 'utf8')]);
});
