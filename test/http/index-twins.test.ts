import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { keyScopeOf } from '../../client/protocol/operation.ts';
import type { Privacy } from '../../daemon/model/privacy.ts';
import { routes } from '../../http/routes.ts';
import { metadata } from '../daemon/jobs/uploads.ts';
import { guesses, type Kept, scipOf, settings, sourcesOf } from '../daemon/operations/twins.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll, gitRepository, type Workspace } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';

/**
 * All that a key can ask of an index server about twins, repositories that differ in nothing but what is kept back, over HTTP:
 * statuses, headers and bodies are the same, byte for byte, but for ids, hashes and times, which say nothing.
 */
const readerKey = 'a-key-that-may-read-twins';
const writerKey = 'a-key-that-may-write-all';
const trees: Workspace[] = [];
const home = temporaryHome(afterAll);
home.configure(`
[index_server]
enabled = true
[default_privacy]
expose_paths = false
expose_docs = false
expose_signatures = false
[[index_server.auth.static_keys]]
id = "reader"
token = "${readerKey}"
scopes = ["read"]
repo_patterns = ["twin/*"]
[[index_server.auth.static_keys]]
id = "writer"
token = "${writerKey}"
scopes = ["write"]
${settings.flatMap(([, privacy, ...twins], number) => twins.map((kept, at) => servedTree(privacy, kept, `twin/${number}${'ab'[at]}`))).join('')}`);
const daemon = await startDaemon(afterAll, home);
await until('HTTP listens', async () => (await daemon.client.daemon.status({})).http !== null);
const url = `http://127.0.0.1:${(await daemon.client.daemon.status({})).http!.port}`;
await until('all are indexed', async () => {
  const { repos } = await daemon.client.daemon.listRepos({});
  return (
    repos.length === trees.length && repos.every(({ status, watching }) => status === 'ready' && watching !== 'off')
  );
});

function servedTree(privacy: Partial<Privacy>, kept: Kept, id: string): string {
  const tree = gitRepository(afterAll);
  for (const [path, text] of sourcesOf(kept)) tree.write(path, text);
  tree.commit();
  trees.push(tree);
  const { exposePaths = true, exposeDocs = true, exposeSignatures = true } = privacy;
  const strip = privacy.pathPrefixStrip === undefined ? '' : (kept.prefix ?? privacy.pathPrefixStrip);
  return `
[[repos]]
id = "${id}"
name = "Twins"
path = "${tree.root}"
[repos.privacy]
expose_paths = ${exposePaths}
expose_docs = ${exposeDocs}
expose_signatures = ${exposeSignatures}
path_prefix_strip = "${strip}"
`;
}

interface Asked {
  readonly path: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  readonly body?: string;
}

interface Told {
  readonly asked: string;
  readonly status: number;
  readonly headers: object;
  readonly text: string;
}

async function ask(repo: string, { path, method = 'GET', body }: Asked, key = readerKey): Promise<Told> {
  const reply = await request(`${url}/index/repos/${encodeURIComponent(repo)}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  const { date: _, 'x-request-id': __, ...headers } = reply.headers;
  return { asked: `${method} ${path} ${body ?? ''}`, status: reply.statusCode, headers, text: await reply.body.text() };
}

const query = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields)}`;

/** Each list to its end in pages, what any filter brings for any guess, each symbol, and what is refused. */
async function askEverything(repo: string): Promise<readonly Told[]> {
  const told: Told[] = [];
  const tell = async (asked: Asked): Promise<Told> => {
    const one = await ask(repo, asked);
    told.push(one);
    return one;
  };
  const ids: string[] = [];
  for (const list of ['/files', '/symbols', '/refs', '/callgraph', '/changes?since=1']) {
    for (const limit of ['2', '100000']) {
      for (let cursor: string | undefined, isMore = true; isMore; ) {
        const paging = query({ limit, ...(cursor === undefined ? {} : { cursor }) }).slice(1);
        const { text } = await tell({ path: `${list}${list.includes('?') ? '&' : '?'}${paging}` });
        const { data, meta } = JSON.parse(text) as { data: { symbols?: { id: string }[] }; meta: Page };
        if (list === '/symbols' && limit === '100000') ids.push(...data.symbols!.map(({ id }) => id));
        cursor = meta.cursor;
        isMore = meta.has_more === true && cursor !== undefined;
      }
    }
  }
  for (const path of ['/meta', '/files', '/nowhere', '', '/upload']) await tell({ path });
  await tell({ path: '/files', method: 'HEAD' });
  await tell({ path: '', method: 'DELETE' });
  await tell({ path: '/upload', method: 'POST', body: '{}' });
  for (const id of [...ids, ids[0]!.replace(/.$/, '!'), 'src/a/index.ts', `svc:${repo}:sym:${'0'.repeat(32)}`]) {
    await tell({ path: `/symbols/${encodeURIComponent(id)}` });
    for (const path of ['/refs', '/callgraph', '/callgraph']) {
      const field = path === '/refs' ? 'to_symbol_id' : told.length % 2 === 0 ? 'caller_id' : 'callee_id';
      await tell({ path: `${path}${query({ [field]: id })}` });
    }
  }
  await tell({ path: '/symbols:batchGet', method: 'POST', body: JSON.stringify({ ids: [...ids, 'x', ids[0]] }) });
  await tell({ path: '/symbols:batchGet', method: 'POST', body: JSON.stringify({ ids: [] }) });
  for (const guess of guesses) {
    for (const [path, field] of filters) await tell({ path: `${path}${query({ [field]: guess })}` });
  }
  for (const q of ['e', 'he', 'Store', 'open', 'a', 'index', 'x', '"', '*'])
    await tell({ path: `/search/symbols${query({ q })}` });
  for (const [path, field] of [...filters, ['/changes', 'since'], ['/files', 'cursor']] as const) {
    for (const value of ['', 'no\0', '../x']) await tell({ path: `${path}${query({ [field]: value })}` });
  }
  return told;
}

interface Page {
  readonly cursor?: string;
  readonly has_more?: boolean;
}

const filters = [
  ['/symbols', 'file'],
  ['/symbols', 'kind'],
  ['/symbols', 'language'],
  ['/refs', 'from_file'],
  ['/callgraph', 'caller_file'],
  ['/search/files', 'q'],
  ['/search/symbols', 'q'],
] as const;

/** Ids, hashes and cursors say nothing but whether they are the same, and times when they were told. */
function canonical(told: readonly Told[], repo: string): readonly string[] {
  const known = new Map<string, string>();
  const numbered = (kind: string) => (value: string) => {
    if (!known.has(value)) known.set(value, `${kind} ${known.size}`);
    return known.get(value)!;
  };
  const encodedRepo = encodeURIComponent(repo);
  return told.map(one =>
    JSON.stringify(one)
      .replaceAll(new RegExp(`svc:${repo}:sym:[0-9a-f]{31}[0-9a-f!]`, 'g'), numbered('id'))
      .replaceAll(
        new RegExp(`svc(?:%3A|:)${encodedRepo}(?:%3A|:)sym(?:%3A|:)[0-9a-f]{31}(?:[0-9a-f]|!|%21)`, 'g'),
        id => numbered('id')(decodeURIComponent(id)),
      )
      .replaceAll(/\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b|v1:[0-9a-f]{32}/g, numbered('hash'))
      .replaceAll(/cursor(\\"|=)(:\\")?[\w.-]+/g, (_, sign: string) => `cursor${sign}…`)
      .replaceAll(/(\\"(?:timestamp|indexed_at)\\"):\d+/g, '$1:0')
      .replaceAll(repo, 'twin')
      .replaceAll(encodedRepo, 'twin'),
  );
}

async function areAlike(one: string, other: string): Promise<void> {
  const [mine, its] = await Promise.all([one, other].map(async id => canonical(await askEverything(id), id)));
  for (const [at, line] of mine!.entries()) assert.equal(its![at], line);
  assert.equal(mine!.length, its!.length);
  assert.ok(mine!.length > 150, `${mine!.length} answers`);
}

for (const [number, [what]] of settings.entries()) {
  test(`of a served tree, ${what} that are kept back make no difference to any byte of any answer (P50)`, () =>
    areAlike(`twin/${number}a`, `twin/${number}b`));
}

test('nor do they in an upload, in what is told of it, or in what is told of changes (P50)', async () => {
  const [, , ...twins] = settings[2]!;
  const send = async (version: number) => {
    const answers = twins.map(async (kept, at) => {
      const documents = scipOf(kept).slice(0, 3 + version);
      const reply = await request(`${url}/index/repos/twin%2F9${'ab'[at]}/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${writerKey}`, 'content-type': 'application/octet-stream' },
        body: scipBytes({ metadata, documents }),
      });
      const told = await reply.body.text();
      assert.equal(reply.statusCode, 200, told);
      return told.replaceAll(/twin\/9./g, 'twin').replaceAll(/"(?:duration_ms|timestamp)":\d+/g, '');
    });
    const [mine, its] = await Promise.all(answers);
    assert.equal(mine, its);
  };
  for (const version of [0, 1]) await send(version);
  await areAlike('twin/9a', 'twin/9b');
});

test('a repository that a key is not for is as one that is not there (P50)', async () => {
  const reply = await request(`${url}/index/repos/other%2Fa/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writerKey}`, 'content-type': 'application/octet-stream' },
    body: scipBytes({ metadata, documents: scipOf(settings[0]![2]) }),
  });
  assert.equal(reply.statusCode, 200, await reply.body.text());
  const readers = routes.filter(({ operation, fields }) => keyScopeOf(operation.scope) === 'read' && fields.length > 0);
  for (const { binding } of readers) {
    const path = binding.path.replace('/index/repos/:repo*', '').replace(/:id\*$/, 'x');
    const asked = {
      path: `${path}?since=1&q=a`,
      method: binding.method,
      ...(binding.method === 'POST' ? { body: '{}' } : {}),
    };
    const [there, absent] = await Promise.all(['other/a', 'other/b'].map(id => ask(id, asked)));
    assert.deepEqual({ ...there, text: there!.text.replaceAll('other/a', 'other/b') }, absent);
    assert.equal(there!.status, 403);
  }
});
