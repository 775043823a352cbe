import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '../../../client/client.ts';
import { startDaemon, svc, until } from '../../support/daemon.ts';
import { pageRows, refuse, type StandIn, servedFile, standIn } from '../../support/served-index.ts';
import { daemonOf, faultOf, serving } from './mirroring.ts';

const repo = { repo: 'billing' } as const;

async function mirrorsCheck(client: Client) {
  return (await client.system.doctor({})).checks.find(({ name }) => name === 'mirrors');
}

async function callersOfAdd(client: Client): Promise<readonly string[]> {
  const { results: symbols } = await client.symbols.search({ ...repo, q: 'add' });
  const add = symbols.find(({ name }) => name === 'add')!;
  const { nodes } = await client.analysis.callgraph({ ...repo, id: add.id, direction: 'callers' });
  return nodes.map(({ name }) => name).sort();
}

test('a mirror is searched and asked offline, also by the next daemon, and follows its server', async context => {
  const { server, edit } = await serving(context);
  const { client, key, home, stop } = await daemonOf(context);
  const tokenFile = key('  svc_sk_secret\n');
  const added = await client.remote.add({ id: 'billing', url: `${server.url}/`, remoteRepo: 'acme/app', tokenFile });
  assert.deepEqual([added.sync?.status, added.sync?.mode, added.sync?.syncSeq], ['success', 'full', 1]);
  assert.deepEqual([added.remote.status, added.remote.fileCount, added.remote.url], ['synced', 2, server.url]);
  assert.ok(server.asked.every(({ headers }) => headers.authorization === 'Bearer svc_sk_secret'));
  assert.ok(server.asked.every(({ headers }) => headers['accept-encoding'] === 'gzip'));
  assert.deepEqual(await callersOfAdd(client), ['add', 'total', 'twice']);
  const { tier, backends } = await client.system.status(repo);
  assert.deepEqual([tier.current, backends.scip], ['standard', true]);
  const { languages } = await client.environment.languages(repo);
  assert.deepEqual([languages['typescript']?.tierName, languages['typescript']?.recommendations], ['precise', []]);
  const told = await client.analysis.architecture({ ...repo, granularity: 'file' });
  assert.ok(typeof told === 'object' && told.granularity === 'file');
  assert.deepEqual(
    told.fileDependencies.map(({ from, to, implicit }) => [from, to, implicit]),
    [['src/b.ts', 'src/a.ts', true]],
  );

  const [same] = (await client.remote.sync({ id: 'billing' })).results;
  assert.deepEqual([same!.status, same!.mode], ['unchanged', null]);
  await edit(
    'src/b.ts',
    "import { add } from './a.ts';\nexport function thrice(n: number) { return add(n, add(n, n)); }\n",
  );
  server.asked.length = 0;
  const [next] = (await client.remote.sync({})).results;
  assert.deepEqual([next!.status, next!.mode, next!.syncSeq, next!.filesChanged], ['success', 'changes', 2, 1]);
  assert.ok(server.asked.every(({ path }) => !path.includes('/files') && !path.includes('/refs')));
  assert.deepEqual(await callersOfAdd(client), ['add', 'thrice', 'total']);

  server.meddle = (_, response) => response.destroy() !== undefined;
  await stop();
  const asked = server.asked.length;
  const later = await startDaemon(context, home);
  assert.deepEqual(await callersOfAdd(later.client), ['add', 'thrice', 'total']);
  assert.equal(server.asked.length, asked);
  const { remotes } = await later.client.remote.list({});
  assert.deepEqual(
    remotes.map(({ id, status, syncSeq }) => [id, status, syncSeq]),
    [['billing', 'synced', 2]],
  );
  assert.ok(!readFileSync(home.places.logFile, 'utf8').includes('svc_sk_secret'));
});

test('what a hostile or failing server sends changes nothing, and is told', async context => {
  const { server, edit } = await serving(context);
  const { client } = await daemonOf(context);
  await client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' });
  const before = await callersOfAdd(client);
  await edit('src/b.ts', "import { add } from './a.ts';\nadd(1, 1);\n");
  type Row = Record<string, unknown>;
  const files = (change: (row: Row) => Row) => (path: string, answer: { data: { files: Row[] } }) => {
    if (path === 'files') answer.data.files = answer.data.files.map(change);
    return answer;
  };
  const rows =
    (list: string, field: string, change: Row) => (path: string, answer: { data: Record<string, Row[]> }) => {
      if (path === list) answer.data[field]![0] = { ...answer.data[field]![0], ...change };
      return answer;
    };
  const hostile: Readonly<Record<string, [(path: string, answer: never) => unknown, RegExp]>> = {
    'a path that climbs out': [files(row => ({ ...row, path: '../x' })), /no path within/],
    'an absolute path': [files(row => ({ ...row, path: '/etc/passwd' })), /no path within/],
    'a path with a NUL': [files(row => ({ ...row, path: 'a\0b' })), /no path within/],
    'a language that counts elsewhere': [files(row => ({ ...row, language: '__proto__' })), /no language/],
    'a language of every object': [files(row => ({ ...row, language: 'constructor' })), /no language/],
    'another repository’s symbol': [
      rows('symbols', 'symbols', { id: `svc:other:sym:${'0'.repeat(32)}` }),
      /no symbol’s id of acme\/app/,
    ],
    'an id that is none': [rows('refs', 'refs', { to_symbol_id: 'svc:acme/app:sym:x' }), /no symbol’s id/],
    'a line without end': [rows('refs', 'refs', { line: 2 ** 40 }), /no place in a file/],
    'a column before the first': [rows('symbols', 'symbols', { column: 0 }), /no place in a file/],
    'half a place': [rows('callgraph', 'edges', { call_line: 1.5 }), /none of an index server: callgraph/],
    'a kind of symbol that there is not': [rows('symbols', 'symbols', { kind: 'planet' }), /symbols/],
    'a file that nobody listed': [rows('refs', 'refs', { from_file: 'nowhere.ts' }), /do not belong together/],
    'a symbol twice': [
      (path, answer: { data: { symbols: Row[] } }) =>
        path === 'symbols'
          ? { ...answer, data: { symbols: [...answer.data.symbols, answer.data.symbols[0]] } }
          : answer,
      /do not belong together/,
    ],
    'pages of two snapshots': [
      (path, answer: { meta: Row }) =>
        path === 'refs' ? { ...answer, meta: { ...answer.meta, sync_seq: 99 } } : answer,
      /publishes faster/,
    ],
    'a page without a next': [
      (path, answer: { meta: Row }) =>
        path === 'refs' ? { ...answer, meta: { ...answer.meta, has_more: true } } : answer,
      /without a way to the next/,
    ],
    'a newer version of its lists': [
      (path, answer: { data: Row }) =>
        path === 'meta' ? { ...answer, data: { ...answer.data, schema_version: 2 } } : answer,
      /in version 2/,
    ],
    'brackets without end': [(path, answer) => (path === 'files' ? '['.repeat(100_000) : answer), /nested too deep/],
    text: [(path, answer) => (path === 'files' ? 'hello' : answer), /no JSON/],
  };
  for (const [what, [change, expected]] of Object.entries(hostile)) {
    server.change = change as StandIn['change'];
    const fault = await faultOf(client.remote.sync({ id: 'billing', full: true }));
    assert.match(fault.message, expected, what);
    assert.deepEqual(await callersOfAdd(client), before, what);
    const [told] = (await client.remote.list({})).remotes;
    assert.deepEqual([told!.status, told!.error, told!.syncSeq], ['failed', fault.message, 1], what);
    assert.match((await mirrorsCheck(client))!.message, /^1 mirror could not be synchronised: billing: /, what);
  }
  server.change = (_, answer) => answer;
  const [well] = (await client.remote.sync({ id: 'billing' })).results;
  assert.equal((await mirrorsCheck(client))!.status, 'pass');
  assert.deepEqual([well!.status, well!.mode], ['success', 'changes'], 'and the next one is well');
  assert.equal((await client.remote.list({})).remotes[0]!.error, null);
});

test('a server may ask for patience, cut connections and lose cursors, and is asked again', async context => {
  const { server } = await serving(context);
  pageRows.most = 2;
  context.after(() => {
    pageRows.most = 1000;
  });
  const { client } = await daemonOf(context);
  const once = new Set<string>();
  const isFirst = (what: string): boolean => !once.has(what) && once.add(what) !== undefined;
  server.meddle = (path, response) => {
    if (path.includes('/refs?') && isFirst('429')) {
      refuse(response, 429, 'rate_limited', { 'retry-after': '0' });
      return true;
    }
    if (path.includes('/symbols?') && path.includes('cursor') && isFirst('410')) {
      refuse(response, 410, 'cursor_expired');
      return true;
    }
    if (path.includes('/files?') && isFirst('cut')) return response.destroy() !== undefined;
    if (path.includes('/callgraph?') && isFirst('503')) {
      refuse(response, 503, 'internal');
      return true;
    }
    return false;
  };
  const { sync } = await client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' });
  assert.equal(sync?.mode, 'full');
  assert.deepEqual([...once].sort(), ['410', '429', '503', 'cut']);
  assert.deepEqual(await callersOfAdd(client), ['add', 'total', 'twice']);
  server.meddle = (_, response) => {
    refuse(response, 429, 'rate_limited', { 'retry-after': '100000' });
    return true;
  };
  const fault = await faultOf(client.remote.sync({ id: 'billing' }));
  assert.equal(fault.reason, 'rateLimited');
});

test('what a key’s file must be, and where a key never goes', async context => {
  const { server } = await serving(context);
  const { client, key, home } = await daemonOf(context);
  const file = key('svc_sk_secret');
  const add = (tokenFile: string) =>
    client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app', tokenFile });
  chmodSync(file, 0o644);
  assert.match((await faultOf(add(file))).message, /can be read by others/);
  assert.deepEqual(server.asked, []);
  const [told] = (await client.remote.list({})).remotes;
  assert.deepEqual([told!.status, told!.syncedAt], ['failed', null], 'it stays registered');
  assert.equal((await faultOf(add(file))).extras.details?.['reason'], 'id_taken');
  await client.remote.remove({ id: 'billing' });
  for (const [text, expected] of [
    ['', /holds no key/],
    ['two\nlines', /holds no key/],
    ['x'.repeat(5000), /too long/],
  ] as const) {
    chmodSync(key(text), 0o600);
    assert.match((await faultOf(add(file))).message, expected);
    await client.remote.remove({ id: 'billing' });
  }
  assert.match((await faultOf(add(join(home.path, 'absent')))).message, /can’t be opened/);
  await client.remote.remove({ id: 'billing' });
  assert.match((await faultOf(add(home.path))).message, /is no file/);
  await client.remote.remove({ id: 'billing' });
  assert.equal((await faultOf(add('relative'))).reason, 'invalidBody');
  assert.deepEqual(server.asked, []);

  key('svc_sk_secret');
  const other = await standIn(context, servedFile('none'));
  server.meddle = (path, response) => {
    response.writeHead(302, { location: `${other.url}${path}` }).end();
    return true;
  };
  assert.match((await faultOf(add(file))).message, /sends elsewhere/);
  assert.deepEqual(other.asked, []);
  server.meddle = (_, response) => {
    refuse(response, 401, 'revoked_token');
    return true;
  };
  const refusedSync = await faultOf(client.remote.sync({ id: 'billing' }));
  assert.match(refusedSync.message, /refuses the key \(revoked_token\): "said revoked_token"/);
  assert.equal(refusedSync.reason, 'preconditionFailed');
  assert.ok(!readFileSync(home.places.logFile, 'utf8').includes('svc_sk_secret'));
});

test('one that is cancelled changes nothing, and can be removed in the midst', async context => {
  const { server, edit } = await serving(context);
  const { client, home } = await daemonOf(context);
  await client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' });
  const before = await callersOfAdd(client);
  await edit('src/b.ts', "import { add } from './a.ts';\nadd(1, 1);\n");
  const hung: (() => void)[] = [];
  server.meddle = (path, response) => path.includes('/changes') && hung.push(() => response.destroy()) > 0;
  const syncing = client.remote.sync({ id: 'billing' });
  syncing.catch(() => {});
  await until('it asks for changes', () => hung.length > 0);
  const { jobs } = await client.jobs.list({ status: 'running' });
  const job = jobs.find(({ type }) => type === 'sync-remote')!;
  await client.jobs.cancel({ id: job.id });
  assert.match((await faultOf(syncing)).message, /was cancelled/);
  assert.equal((await client.remote.list({})).remotes[0]!.status, 'synced');
  assert.deepEqual(await callersOfAdd(client), before);

  const another = client.remote.sync({ id: 'billing' });
  another.catch(() => {});
  await until('it asks again', () => hung.length > 1);
  await client.remote.remove({ id: 'billing' });
  await faultOf(another);
  assert.deepEqual((await client.remote.list({})).remotes, []);
  assert.deepEqual(readdirSync(home.places.repos), []);
  assert.equal((await faultOf(client.remote.remove({ id: 'billing' }))).reason, 'resourceNotFound');
});

test('a daemon that is killed while it reads leaves what was there, and nothing half-done', async context => {
  const { server, edit } = await serving(context);
  const { client, caller, home, process: child, ended } = await daemonOf(context);
  await client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' });
  const before = await callersOfAdd(client);
  await edit('src/b.ts', "import { add } from './a.ts';\nadd(1, 1);\n");
  pageRows.most = 2;
  context.after(() => {
    pageRows.most = 1000;
  });
  let isReading = false;
  server.meddle = path => {
    isReading = path.includes('/refs?') && path.includes('cursor');
    return isReading;
  };
  client.remote.sync({ id: 'billing', full: true }).catch(() => {});
  await until('it reads the second page of references', () => isReading);
  const folder = join(home.places.repos, readdirSync(home.places.repos)[0]!);
  const halfDone = () => readdirSync(folder).filter(name => name.includes('.new'));
  assert.notDeepEqual(halfDone(), []);
  // Who waits for it would ask the next daemon.
  await caller.close();
  child.kill('SIGKILL');
  await ended;
  server.meddle = () => false;
  const next = await startDaemon(context, home);
  assert.deepEqual(await callersOfAdd(next.client), before);
  assert.deepEqual(halfDone(), []);
  assert.equal((await next.client.remote.sync({ id: 'billing' })).results[0]!.mode, 'changes');
});

test('a damaged index is made anew of the rows that are here, and damaged rows are told and read again', async context => {
  const { server } = await serving(context);
  const { client, home, stop } = await daemonOf(context);
  await client.remote.add({ id: 'billing', url: server.url, remoteRepo: 'acme/app' });
  const before = await callersOfAdd(client);
  await stop();
  const folder = join(home.places.repos, readdirSync(home.places.repos)[0]!);
  const index = () => join(folder, readdirSync(folder).find(name => /^index-.*\.db$/.test(name))!);
  const isAsked = server.asked.length;
  truncateSync(index(), 5000);
  const second = await startDaemon(context, home);
  await until('the index is back', async () => (await second.client.daemon.listRepos({})).repos[0]!.status === 'ready');
  assert.deepEqual(await callersOfAdd(second.client), before);
  assert.equal(server.asked.length, isAsked);
  await second.stop();

  truncateSync(index(), 5000);
  truncateSync(join(folder, 'mirror.db'), 5000);
  const third = await startDaemon(context, home);
  const doctor = await third.client.system.doctor({ ...repo });
  assert.match(JSON.stringify(doctor.issues), /svc remote sync billing/);
  const [synced] = (await third.client.remote.sync({ id: 'billing' })).results;
  assert.deepEqual([synced!.status, synced!.mode], ['success', 'full']);
  assert.deepEqual(await callersOfAdd(third.client), before);
});

test('on the command line: paths of keys, --no-sync, exit codes', async context => {
  const { server } = await serving(context);
  const { home, key, client } = await daemonOf(context);
  key('svc_sk_secret');
  symlinkSync(join(home.path, 'key'), join(home.path, 'linked'));
  const given = ['--url', server.url, '--remote-repo', 'acme/app', '--token-file', 'linked'];
  const added = await svc(home, ['remote', 'add', 'billing', ...given, '--no-sync'], home.path);
  assert.equal(added.code, 0, added.stderr);
  assert.deepEqual(server.asked, []);
  const [told] = (await client.remote.list({})).remotes;
  assert.deepEqual([told!.status, told!.tokenFile], ['never-synced', join(home.path, 'key')]);
  assert.equal((await svc(home, ['remote', 'sync'])).code, 0);
  server.meddle = (_, response) => {
    refuse(response, 403, 'repo_not_allowed');
    return true;
  };
  const all = await svc(home, ['remote', 'sync']);
  assert.equal(all.code, 1);
  assert.match(all.stdout, /repo_not_allowed/);
  const one = await svc(home, ['remote', 'sync', 'billing']);
  assert.equal(one.code, 5);
  assert.match(one.stderr, /repo_not_allowed/);
  const other = await svc(home, ['remote', 'add', 'other', '--url', server.url]);
  assert.equal(other.code, 5);
  const list = await svc(home, ['remote', 'list']);
  assert.match(list.stdout, /other/);
  assert.equal((await svc(home, ['remote', 'remove', 'other'])).code, 0);
  assert.equal((await svc(home, ['remote', 'remove', 'billing'])).code, 0);
  assert.ok(!existsSync(dirname(home.places.repos)) || readdirSync(home.places.repos).length === 0);
});
