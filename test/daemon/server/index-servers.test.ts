import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { IndexDoor } from '../../../client/protocol/caller.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { loadConfig } from '../../../daemon/config.ts';
import type { Observation } from '../../../daemon/events.ts';
import type { KeySettings } from '../../../daemon/index-server-settings.ts';
import { everythingExposed } from '../../../daemon/model/privacy.ts';
import { openIndexServers } from '../../../daemon/server/index-servers.ts';
import { createRepositories } from '../../../daemon/server/repositories.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { startDaemon, svcProgram, temporaryHome, until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { randomFrom } from '../../support/synthetic.ts';

/** Index servers over registered repositories that nobody indexes. */
function servers(test: Cleanup, toml: () => string, environment: Readonly<Record<string, string>> = {}) {
  const { path } = temporaryFolder(test);
  const database = openDaemonDatabase(path('daemon.db'));
  test.after(() => database.close());
  const shared = { uid: 'u', commonFolder: '', root: '', trusted: false, isDefault: false, addedAt: 1 } as const;
  database.saveRepository({ ...shared, uid: 'u1', id: 'acme/sent', source: 'upload' });
  database.saveRepository({ ...shared, uid: 'u2', id: 'acme/far', source: 'mirror' });
  const clock = fakeClock();
  const repositories = createRepositories({
    database,
    ...{ reposFolder: path('repos'), ownFolders: [], uid: process.getuid!(), limit: () => 10, now: clock.now },
    ...{ configuredDefault: () => '', commonFolderOf: () => '' },
  });
  const taken: string[] = [];
  const told: Observation[] = [];
  const doors: (() => KeySettings)[] = [];
  const door: IndexDoor = {
    admit: () => ({ verdict: { kind: 'owner' }, remaining: undefined }),
    isSecret: () => false,
  };
  const open = openIndexServers({
    settings() {
      writeFileSync(path('config.toml'), toml());
      return loadConfig({ file: path('config.toml'), environment }).indexServer.settings;
    },
    ...{ environment, repositories, database, random: randomBytes, clock },
    keeper: { take: id => ({ id: String(taken.push(id)) }) },
    uploadedCommit: uid => `commit of ${uid}`,
    openDoor(settings) {
      doors.push(settings);
      return door;
    },
    observe: seen => told.push(seen),
  });
  test.after(() => open.close());
  return { open, repositories, database, clock, taken, told, doors, path };
}

test('it serves the folders of the configuration, registered where need be, and what was uploaded', async t => {
  const git = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  const other = temporaryFolder(t);
  const privacy = '[repos.privacy]\nexpose_paths = false\n';
  const repo = (id: string, path: string) => `[[repos]]\nid = "${id}"\npath = "${path}"\n`;
  const toml = `[index_server]\nenabled = true\n[default_privacy]\nexpose_docs = false\n${repo('acme/git', git.root)}${privacy}${repo('other', other.root)}description = "The other"\n`;
  const { open, repositories, taken, told } = servers(t, () => toml);
  assert.equal(open.get(undefined)?.find('other')?.repository, undefined, 'before anybody looks');
  open.follow();
  const slug = repositories.at(git.root)!.record.id;
  assert.deepEqual(taken, [slug, 'other'], 'an id that no local repository may have stays outside');
  assert.notEqual(slug, 'acme/git');
  open.follow();
  assert.equal(taken.length, 2);
  assert.deepEqual(
    told.map(seen => seen.kind),
    ['repository.changed', 'repository.changed'],
  );

  assert.deepEqual(
    [slug, 'other', 'acme/sent'].map(id => open.servedFromConfig(repositories.get(id)!)),
    ['acme/git', 'other', undefined],
  );
  const server = open.get(undefined)!;
  assert.equal(open.get('configured'), server);
  assert.deepEqual(
    server.list().map(one => [one.id, one.source, one.repository?.record.id, one.name, one.description]),
    [
      ['acme/git', 'config', slug, 'acme/git', ''],
      ['acme/sent', 'upload', 'acme/sent', 'acme/sent', ''],
      ['other', 'config', 'other', 'other', 'The other'],
    ],
  );
  const privacyOf = (id: string) => server.find(id)?.privacy;
  const docless = { ...everythingExposed, exposeDocs: false };
  assert.deepEqual(
    [privacyOf('acme/git'), privacyOf('acme/sent'), privacyOf('other')],
    [{ ...docless, exposePaths: false }, docless, docless],
  );
  assert.deepEqual([server.find('acme/far'), server.find(slug)], [undefined, undefined], 'mirrors and local names');
  assert.deepEqual([server.isConfigured('acme/git'), server.isConfigured('acme/sent')], [true, false]);

  const commitOf = (id: string) => server.find(id)!.commit();
  assert.equal(await commitOf('acme/git'), git.git('rev-parse', 'HEAD').trim());
  assert.deepEqual([await commitOf('other'), await commitOf('acme/sent')], ['', 'commit of u1']);
  assert.match(server.cursorSecret, /^[0-9a-f]{64}$/);
  assert.equal(server.cursorSecret, server.cursorSecret);
  repositories.remove('other');
  assert.equal(server.find('other')?.repository, undefined, 'somebody took it away');
  open.follow();
  assert.equal(server.find('other')?.repository?.record.id, 'other');
});

test('a folder that is registered keeps its id; one that can’t be is told once, and tried again', async t => {
  const folder = temporaryFolder(t);
  const later = join(folder.root, 'later');
  let toml = `[index_server]\nenabled = true\n[[repos]]\nid = "x"\npath = "${folder.root}"\n[[repos]]\nid = "y"\npath = "${later}"\n`;
  const { open, repositories, taken, told, clock } = servers(t, () => toml);
  repositories.add(folder.root, 'mine');
  open.follow();
  const server = open.get(undefined)!;
  assert.equal(server.find('x')?.repository?.record.id, 'mine');
  assert.equal(server.find('y')?.repository, undefined);
  assert.deepEqual(open.troubles(), [{ id: 'y', why: 'there is no such folder' }]);
  open.follow();
  assert.equal(told.filter(({ kind }) => kind === 'daemon.fault').length, 1);
  mkdirSync(later);
  await clock.advance(30_000);
  assert.deepEqual([taken, open.troubles()], [['y'], []]);
  toml = toml.replace('enabled = true', 'enabled = false');
  assert.deepEqual([open.get(undefined), open.configured()], [undefined, undefined]);
});

test('what is sent lies in a folder that the whole id names, so that no two ids share one (P33)', t => {
  const { repositories, path } = servers(t, () => '');
  const random = randomFrom(33);
  const letters = ['a', 'A', 'b', '.', '-', '_', '/', '%2F', ' ', '\0', 'é', 'e\u0301', '..', '\\'];
  const anyId = () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => letters[Math.floor(random() * 14)]).join('');
  const close = [
    'acme/x',
    'Acme/X',
    'acme/x.',
    'acme/x/',
    'acme//x',
    'acme%2Fx',
    'acme_x',
    'acme-x',
    '../acme/x',
    'x'.repeat(600),
  ];
  const ids = new Set([...close, ...Array.from({ length: 2000 }, anyId)]);
  const folders = new Set<string>();
  for (const id of ids) {
    const folder = dirname(repositories.hostedFile(id, ''));
    assert.equal(folder, path(`repos/${hash('sha256', `hosted:${id}`).slice(0, 32)}`), id);
    folders.add(folder);
  }
  assert.ok(ids.size > 1000);
  assert.equal(folders.size, ids.size);
});

test('one that is opened has settings of its own, and follows its file as long as that can be used', async t => {
  const { open, doors, clock, told, path } = servers(t, () => '', { TOKEN_OF_DAEMON: 'd'.repeat(16) });
  const file = path('index.toml');
  const write = (pages: number, more = '') => {
    const legacy = `[index_server.auth]\nlegacy_token = "\${TOKEN_OF_DAEMON}\${MINE}"\n`;
    writeFileSync(file, `[index_server]\nmax_page_size = ${pages}\n${more}${legacy}`);
  };
  write(5);
  const asked = { wanted: true, config: file, variables: { MINE: 'm' } };
  const isRefused = (reason: string, says: RegExp) => (error: unknown) =>
    error instanceof Fault && error.reason === reason && says.test(error.message);
  assert.throws(() => open.open({ ...asked, wanted: false }), isRefused('invalidBody', /enabled = true/));
  assert.throws(
    () => open.open({ ...asked, variables: {} }),
    isRefused('misconfigured', /names MINE, which is not set/),
  );
  assert.throws(() => open.open({ ...asked, config: `${file}x` }), isRefused('misconfigured', /ENOENT/));
  const one = open.open(asked);
  assert.deepEqual([open.configured(), open.get(undefined)], [undefined, undefined], 'the configuration has none');
  const server = open.get(one.name)!;
  assert.deepEqual([server.maxPageSize, doors.at(-1)!().legacyDigest?.length], [5, 32]);
  assert.deepEqual(
    server.list().map(({ id }) => id),
    ['acme/sent'],
  );
  write(6, 'enabled = true\n');
  await clock.advance(3000);
  assert.equal(server.maxPageSize, 6);
  assert.notEqual(open.open({ ...asked, wanted: false }).name, one.name, 'the file wants it now');
  write(0);
  await clock.advance(3000);
  assert.equal(server.maxPageSize, 6);
  assert.ok(told.some(seen => seen.kind === 'daemon.fault' && /index\.toml was not reloaded/.test(seen.what)));
  one.close();
  assert.equal(open.get(one.name), undefined);
  const plain = open.open({ wanted: true, config: undefined, variables: {} });
  assert.equal(open.get(plain.name)?.maxPageSize, 1000);
});

test('what is shown otherwise than before is told from then on, by each server, also by the next daemon', async t => {
  const { open, clock, database, path } = servers(t, () => '');
  const publication = { snapshotId: 's', evidenceId: '', publishedAt: 1, epoch: 'e', fileSeq: 7 };
  const [mine, other] = [path('mine.toml'), path('other.toml')];
  const show = (file: string, docs: boolean) =>
    writeFileSync(file, `[index_server.auth]\nenabled = false\n[default_privacy]\nexpose_docs = ${docs}\n`);
  show(mine, true);
  show(other, true);
  const opened = (config: string) => open.open({ wanted: true, config, variables: {} });
  const first = opened(mine);
  const since = ({ name }: { readonly name: string }) => open.get(name)!.find('acme/sent')!.shownSince();
  assert.equal(since(first), 0, 'nothing is published, so nothing was shown');
  assert.equal(database.appendSync('u1', publication), 1);
  assert.equal(since(first), 0);
  show(mine, false);
  await clock.advance(3000);
  assert.equal(since(first), 2);
  assert.equal(since(first), 2, 'once');
  assert.deepEqual(database.lastSync('u1'), { ...publication, seq: 2 });
  first.close();
  assert.equal(since(opened(mine)), 2, 'it is remembered by its file');
  const second = opened(other);
  assert.equal(since(second), 3, 'nobody knows what it showed, and another shows something else');
  show(mine, true);
  await clock.advance(3000);
  assert.deepEqual([since(second), since(opened(mine))], [3, 4]);
});

async function ask(url: string, path: string, token?: string): Promise<readonly [number, string | undefined]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}${path}`, { headers });
  const { error } = (await answer.json()) as { error?: { code?: string } };
  return [answer.status, error?.code];
}

test('a daemon offers it where the configuration says so, from one second to the next, and doctor tells what is amiss', async t => {
  const home = temporaryHome(t);
  home.configure('[index_server]\nenabled = true\n[[repos]]\nid = "gone"\npath = "/no/such/folder"\n');
  const { client, record, caller } = await startDaemon(t, home);
  await until('HTTP listens', async () => (await client.daemon.status({})).http !== null);
  const url = `http://127.0.0.1:${(await client.daemon.status({})).http!.port}`;
  const token = readFileSync(record.tokenFile, 'utf8').trim();
  assert.deepEqual(await ask(url, '/index/repos'), [401, 'missing_token']);
  assert.deepEqual(await ask(url, '/index/repos/nothing', 'x'), [401, 'invalid_token']);
  assert.deepEqual(await ask(url, '/index/repos/', token), [404, 'not_found']);
  const gone = await fetch(`${url}/index/repos/gone/meta`, { headers: { Authorization: `Bearer ${token}` } });
  assert.deepEqual([gone.status, gone.headers.get('retry-after')], [503, '30']);
  assert.deepEqual(await gone.json(), {
    error: {
      code: 'not_ready',
      message: 'gone has no index: its folder can’t be served; svc doctor tells why where it is served',
    },
  });
  const { checks } = await client.system.doctor({});
  const found = checks.find(({ name }) => name === 'index_server.repos');
  assert.deepEqual([found?.status, found?.message.includes('gone: there is no such folder')], ['warn', true]);
  const { values } = await client.daemon.config({});
  assert.equal(values.find(({ key }) => key === 'index_server.enabled')?.value, true);

  const { root } = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  home.configure(`[index_server]\nenabled = true\n[[repos]]\nid = "acme/here"\npath = "${root}"\n`);
  await until('it is there', async () => (await client.daemon.listRepos({})).total === 1);
  await until('nothing is amiss any more', async () => {
    const now = (await client.system.doctor({})).checks;
    return now.every(({ name }) => name !== 'index_server.repos');
  });
  const [here] = (await client.daemon.listRepos({})).repos;
  await assert.rejects(client.daemon.removeRepo({ id: here!.id }), (fault: Fault) => {
    assert.deepEqual(
      [fault.reason, fault.extras.details],
      ['preconditionFailed', { reason: 'configured', servedId: 'acme/here' }],
    );
    return /take that out of its \[\[repos\]\] first/.test(fault.message);
  });

  home.configure('[index_server]\nenabled = "no"\n');
  await until('it is told', () => home.log().some(({ what }) => what === 'the configuration was not reloaded'));
  assert.deepEqual(await ask(url, '/index/repos'), [401, 'missing_token'], 'what was, is');
  home.configure('[index_server]\nenabled = false\n');
  await until('it is off', async () => (await ask(url, '/index/repos', token))[1] === 'index_server_disabled');
  assert.equal((await client.daemon.removeRepo({ id: here!.id })).status, 'removed');
  const off = await caller.call('daemon.openListener', { host: '127.0.0.1', port: 0 });
  const on = await caller.call('daemon.openListener', { host: '127.0.0.1', port: 0, indexServer: true });
  assert.deepEqual([off.indexServer, on.indexServer], [false, true]);
  assert.deepEqual(await ask(off.url, '/index/repos', token), [404, 'index_server_disabled']);
  assert.deepEqual(await ask(on.url, '/index/repos'), [401, 'missing_token']);
});

test('a page of rows too large to be sent is shorter, and leads on', async t => {
  const home = temporaryHome(t);
  const functions = Array.from({ length: 600 }, (_, at) => `export function f${at}() {}`).join('\n');
  const { root } = gitRepository(t, `-- a.ts --\n${functions}\n`);
  home.configure(
    `[limits]\nanswer_bytes = 65536\n[index_server]\nenabled = true\n[index_server.auth]\nrequire_auth = false\n[[repos]]\nid = "here"\npath = "${root}"\n`,
  );
  const { client } = await startDaemon(t, home);
  await until('HTTP listens', async () => (await client.daemon.status({})).http !== null);
  const url = `http://127.0.0.1:${(await client.daemon.status({})).http!.port}/index/repos/here/symbols?limit=1000`;
  const page = async (cursor = '') => {
    const answer = await fetch(`${url}${cursor}`);
    const text = await answer.text();
    if (answer.status !== 200) return undefined;
    const { data, meta } = JSON.parse(text) as {
      data: { symbols: { id: string }[] };
      meta: { total: number; cursor?: string };
    };
    return { size: text.length, ids: data.symbols.map(({ id }) => id), ...meta };
  };
  await until('it is indexed', async () => (await page()) !== undefined);
  const ids: string[] = [];
  for (let one = (await page())!; ; one = (await page(`&cursor=${one.cursor}`))!) {
    assert.ok(one.size <= 65536 && one.ids.length > 50, `${one.size} bytes, ${one.ids.length} rows`);
    ids.push(...one.ids);
    assert.equal(one.total, 600);
    if (one.cursor === undefined) break;
  }
  assert.deepEqual([ids.length, new Set(ids).size], [600, 600]);
});

test('what is shown otherwise than before is no change to go on from: all of it is to be read', async t => {
  const home = temporaryHome(t);
  const { root } = gitRepository(t, '-- src/a.ts --\n/** One. */\nexport const a = 1;\n');
  const configure = (privacy: string) =>
    home.configure(
      `[index_server]\nenabled = true\n[index_server.auth]\nrequire_auth = false\n[[repos]]\nid = "here"\npath = "${root}"\n${privacy}`,
    );
  configure('');
  const { client } = await startDaemon(t, home);
  await until('HTTP listens', async () => (await client.daemon.status({})).http !== null);
  const url = `http://127.0.0.1:${(await client.daemon.status({})).http!.port}/index/repos/here`;
  const get = async (path: string) => {
    const answer = await fetch(`${url}/${path}`);
    const { data, meta } = (await answer.json()) as Record<string, Readonly<Record<string, unknown>>>;
    return { status: answer.status, data: data!, meta: meta! };
  };
  const shownPath = async () => {
    const { status, data } = await get('files');
    return status === 200 ? (data['files'] as { path: string }[])[0]!.path : undefined;
  };
  await until('it is indexed', async () => (await shownPath()) === 'src/a.ts');
  const { data: before } = await get('meta');
  const seq = before['sync_seq'] as number;
  configure('[repos.privacy]\npath_prefix_strip = "src/"\n');
  await until('it is shown otherwise', async () => (await shownPath()) === 'a.ts');
  const { data: now, meta } = await get('meta');
  assert.deepEqual([now['sync_seq'], meta['sync_seq'], now['sync_log_retention_seq_min']], [seq + 1, seq + 1, seq + 1]);
  assert.equal((await get(`changes?since=${seq}`)).data['full_read'], true);
  assert.equal((await get(`changes?since=${seq + 1}`)).data['full_read'], false);
  assert.equal((await get('symbols')).meta['sync_seq'], seq + 1);
});

test('svc serve opens one with a file, and says where it is', async t => {
  const home = temporaryHome(t);
  await startDaemon(t, home);
  const { root, path } = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  const toml = `[index_server.auth]\nlegacy_token = "\${TOKEN_FROM_HERE}"\n[[repos]]\nid = "acme/a"\npath = "."\n`;
  writeFileSync(path('index.toml'), `${toml}[[repos]]\nid = "gone"\npath = "gone"\n`);
  const serve = (words: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [svcProgram, 'serve', '--port', '0', ...words], {
      ...{ cwd: root, env: { ...home.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    t.after(() => child.kill('SIGKILL'));
    const told = { text: '' };
    child.stderr.on('data', (chunk: Buffer) => {
      told.text += chunk.toString();
    });
    return { child, told, ended: once(child, 'close') };
  };
  const withFile = ['--index-config', 'index.toml'];
  for (const [words, code, says] of [
    [[...withFile, '--index-server'], 78, /index\.toml:2: index_server\.auth\.legacy_token names TOKEN_FROM_HERE/],
    [['--index-config', 'package.json'], 2, /package\.json can't be read \(ENOENT\)/],
  ] as const) {
    const { told, ended } = serve(words);
    assert.equal((await ended)[0], code, told.text);
    assert.match(told.text, says);
  }
  const mine = { TOKEN_FROM_HERE: 'a'.repeat(20) };
  const unwanted = serve(withFile, mine);
  assert.equal((await unwanted.ended)[0], 2, unwanted.told.text);
  assert.match(unwanted.told.text, /--index-server/);
  const { told, child, ended } = serve([...withFile, '--index-server'], mine);
  await until('it says where', () => /Index server: \S+/.test(told.text));
  await until('it says what is not served', () => /gone can’t be served: there is no such folder/.test(told.text));
  const url = /Index server: (http:\S+)\/index\/repos/.exec(told.text)![1]!;
  assert.deepEqual(await ask(url, '/index/repos'), [401, 'missing_token']);
  child.kill('SIGINT');
  await ended;
});
