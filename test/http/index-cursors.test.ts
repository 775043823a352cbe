import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { request } from 'undici';
import { readDaemonRecord } from '../../client/paths.ts';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';

const legacy = 'legacy-token-of-the-team';
const home = temporaryHome(afterAll);
const configuration = (cursorSecret: string): string => `
  [index_server]
  enabled = true
  cursor_secret = "${cursorSecret}"
  [index_server.auth]
  legacy_token = "${legacy}"
  [[index_server.auth.static_keys]]
  id = "ci"
  token = "a-key-of-the-configuration"
  scopes = ["admin"]
`;
home.configure(configuration('a-secret-that-outlives-the-daemon'));
let daemon = await startDaemon(afterAll, home);
let url = await addressOf(daemon);
const secrets = await Promise.all(
  ['one', 'two'].map(async name => (await daemon.client.token.create({ name, scopes: ['admin'] })).token),
);
const [mine, anothers] = secrets as [string, string];
for (const repo of ['acme/x', 'acme/y']) await upload(repo, many(0));

interface Page {
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly meta: { readonly cursor?: string; readonly has_more: boolean; readonly sync_seq: number };
}

test('a cursor is good for its own list, filters, repository and key, whole as it was given, and for no other (P34)', async () => {
  const lists = [
    '/files?limit=1',
    '/symbols?limit=1',
    '/refs?limit=1',
    '/callgraph?limit=1',
    '/changes?limit=1&since=1',
  ];
  const first = await page('acme/x', '/symbols?limit=1&kind=function');
  const cursor = first.meta.cursor!;
  const go = (path: string, more: { readonly repo?: string; readonly key?: string; readonly cursor?: string } = {}) =>
    ask(more.repo ?? 'acme/x', `${path}&cursor=${encodeURIComponent(more.cursor ?? cursor)}`, more.key);
  assert.equal((await go('/symbols?limit=1&kind=function')).status, 200);
  assert.equal((await go('/symbols?limit=7&kind=function')).status, 200);
  const strange = [
    go('/symbols?limit=1'),
    go('/symbols?limit=1&kind=class'),
    go('/symbols?limit=1&kind=function&language=typescript'),
    go('/symbols?limit=1&kind=function', { repo: 'acme/y' }),
    go('/symbols?limit=1&kind=function', { key: anothers }),
    ...lists.map(list => go(list)),
    ...['x', '%00', Buffer.from('{}').toString('base64'), `${cursor}x`, cursor.slice(1), 'ü'].map(other =>
      go('/symbols?limit=1&kind=function', { cursor: other }),
    ),
  ];
  for (const { status, body } of await Promise.all(strange)) {
    assert.deepEqual([status, (body as unknown as Failure).error.code], [400, 'invalid_cursor']);
  }
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    const { status } = await go('/symbols?limit=1&kind=function', {
      cursor: cursor.slice(0, at) + other + cursor.slice(at + 1),
    });
    assert.equal(status, 400, `character ${at}`);
  }
  for (const text of ['', 'x'.repeat(3_000)]) {
    const { status, body } = await go('/symbols?limit=1&kind=function', { cursor: text });
    assert.deepEqual([status, (body as unknown as Failure).error.code], [400, 'invalid_parameter']);
  }
});

test('a cursor of the legacy token is no other key’s, nor the other way round', async () => {
  const daemonToken = readFileSync(daemon.record.tokenFile, 'utf8').trim();
  const keys = [legacy, 'a-key-of-the-configuration', daemonToken, mine, anothers];
  for (const maker of keys) {
    const { body } = await ask('acme/x', '/symbols?limit=1', maker);
    for (const user of keys) {
      const next = await ask('acme/x', `/symbols?limit=1&cursor=${body.meta.cursor}`, user);
      const label = `made by ${keys.indexOf(maker)}, used by ${keys.indexOf(user)}`;
      if (maker === user) assert.equal(next.status, 200, label);
      else
        assert.deepEqual([next.status, (next.body as unknown as Failure).error.code], [400, 'invalid_cursor'], label);
    }
  }
});

test('what changed between two uploads is told, and what is not known any more is to be read anew', async () => {
  const seqOf = async () => (await page('acme/y', '/files?limit=1')).meta.sync_seq;
  const since = await seqOf();
  await upload('acme/y', many(9));
  const changes = await ask('acme/y', `/changes?since=${since}`);
  const { full_read: isFull, deltas } = changes.body.data as unknown as {
    full_read: boolean;
    deltas: { files: { added: Row[] }; symbols: { added: Row[]; deleted: string[] } };
  };
  assert.equal(isFull, false);
  assert.deepEqual(
    deltas.files.added.map(({ path }) => path),
    ['src/new-9.ts'],
  );
  assert.deepEqual(
    deltas.symbols.added.map(({ name }) => name),
    ['fresh9'],
  );
  for (const unknown of [0, since + 100]) {
    const { body } = await ask('acme/y', `/changes?since=${unknown}`);
    assert.equal((body.data as unknown as { full_read: boolean }).full_read, true);
  }
});

test('with another cursor_secret no cursor is good that was made with the one before (P34)', async () => {
  const { meta } = await page('acme/y', '/symbols?limit=1');
  home.configure(configuration('a-secret-that-came-after-it'));
  daemon.process.kill('SIGHUP');
  const next = () => ask('acme/y', `/symbols?limit=1&cursor=${meta.cursor}`);
  await until('the new secret is in force', async () => (await next()).status !== 200);
  const { status, body } = await next();
  assert.deepEqual([status, (body as unknown as Failure).error.code], [400, 'invalid_cursor']);
});

test('a walk over an uploaded index goes on while others are published, and over a restart (P34)', async () => {
  const expected = await walk('acme/x', '/symbols?limit=5');
  assert.equal(new Set(expected.map(({ id }) => id)).size, expected.length);
  assert.ok(expected.length > 40);
  let { data, meta } = await page('acme/x', '/symbols?limit=5');
  const begunWith = meta.sync_seq;
  const rows = [...data['symbols']!];
  for (let round = 1; meta.has_more; round++) {
    if (round <= 3) await upload('acme/x', many(round));
    if (round === 4) {
      await daemon.stop();
      daemon = await startDaemon(afterAll, home);
      url = await addressOf(daemon);
    }
    ({ data, meta } = await page('acme/x', `/symbols?limit=5&cursor=${meta.cursor}`));
    assert.equal(meta.sync_seq, begunWith);
    rows.push(...data['symbols']!);
  }
  assert.deepEqual(rows, expected);
  assert.equal((await page('acme/x', '/symbols?limit=5')).meta.sync_seq, begunWith + 3);
});

type Row = Readonly<Record<string, unknown>>;

interface Failure {
  readonly error: { readonly code: string };
}

async function addressOf({ record }: TestDaemon): Promise<string> {
  await until('the listener is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const now = readDaemonRecord(home.places)!;
  assert.equal(now.pid, record.pid);
  return now.url!;
}

/** Fifty functions, and one of a file of its own that only this version has. */
function many(version: number): Uint8Array {
  const sym = (file: string, rest: string): string => `scip-typescript npm pkg 1.0.0 src/\`${file}\`/${rest}`;
  const of = (file: string, names: readonly string[]) => ({
    relativePath: `src/${file}`,
    language: 'TypeScript',
    occurrences: names.flatMap((name, line) => [
      { range: [line, 0, name.length], symbol: sym(file, `${name}().`), symbolRoles: 1 },
      { range: [line, 30, 36], symbol: sym('lib.ts', 'helper().') },
    ]),
    symbols: [],
  });
  const functions = of(
    'functions.ts',
    Array.from({ length: 50 }, (_, at) => `function${at}`),
  );
  const fresh = version === 0 ? [] : [of(`new-${version}.ts`, [`fresh${version}`])];
  return scipBytes({ metadata, documents: [...documents, functions, ...fresh] });
}

async function upload(repo: string, body: Uint8Array): Promise<void> {
  const reply = await request(`${url}/index/repos/${encodeURIComponent(repo)}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mine}`, 'content-type': 'application/octet-stream' },
    body,
  });
  assert.equal(reply.statusCode, 200, await reply.body.text());
}

async function ask(repo: string, path: string, key = mine): Promise<{ readonly status: number; readonly body: Page }> {
  const reply = await request(`${url}/index/repos/${encodeURIComponent(repo)}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: reply.statusCode, body: (await reply.body.json()) as Page };
}

async function page(repo: string, path: string): Promise<Page> {
  const { status, body } = await ask(repo, path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function walk(repo: string, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { data, meta } = await page(repo, path + cursor);
    rows.push(...Object.values(data)[0]!);
    if (!meta.has_more) return rows;
    cursor = `&cursor=${meta.cursor}`;
  }
}
