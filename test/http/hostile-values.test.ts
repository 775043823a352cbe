import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import type { HttpListener } from '../../http/server.ts';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder, workspace } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';
import { sendRequest } from './listener.ts';
import { literalQueries } from './literal-queries.ts';
import { assertDeclared, assertOrderly } from './orderly.ts';

/**
 * Values that only a daemon can judge, which holds them against what there is. One daemon answers all of them; what is wrong
 * whatever there is, `parameters.test.ts` asks a listener without one.
 */
const tree = `
  -- .gitignore --
  ignored.ts
  -- src/a.ts --
  export class Alpha { run(): number { return beta(); } }
  export function beta(): number { return 1; }
  export const per_cent = '%';
  -- src/b.ts --
  import { beta } from './a';
  export const b = beta();
  -- docs/guide.md --
  \`Alpha\` runs.
  -- docs/out.md -> /etc/passwd --`;

const home = temporaryHome(afterAll);
home.configure('[index_server]\nenabled = true\n');
const daemon = await startDaemon(afterAll, home);
const { client } = daemon;
const app = gitRepository(afterAll, tree);
writeFileSync(app.path('ignored.ts'), 'export const hidden = 1;\n');
writeFileSync(app.path('nul.ts'), 'export const a = "\0";\n');
writeFileSync(app.path('large.ts'), `// ${'x'.repeat(3 * 1024 * 1024)}\n`);
symlinkSync('/etc/passwd', app.path('out.ts'));
execFileSync('mkfifo', [app.path('pipe.ts')]);
const evil = temporaryFolder(afterAll, '-- x.ts --\nexport const evil = 1;\n');
const plain = temporaryFolder(afterAll, '-- a.ts --\nexport const a = 1;\n');
const unborn = gitRepository(afterAll);
unborn.write('a.ts', 'export const a = 1;\n');
const cut = temporaryFolder(afterAll);
app.write('src/b.ts', 'export const b = 2;\n');
app.commit();
app.git('branch', 'feature');
execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${app.root}`, cut.path('clone')], { stdio: 'ignore' });
const shallow = workspace(cut.path('clone'));
shallow.git('switch', '--quiet', '--create', 'feature');
shallow.write('src/b.ts', 'export const b = 3;\n');
shallow.commit();
const rebasing = gitRepository(afterAll, '-- a.ts --\nexport const a = 1;\n');
rebasing.git('switch', '--quiet', '--create', 'feature');
rebasing.write('a.ts', 'export const a = 2;\n');
rebasing.commit();
rebasing.git('switch', '--quiet', 'main');
rebasing.write('a.ts', 'export const a = 3;\n');
rebasing.commit();

for (const [id, { root }] of Object.entries({ app, plain, unborn, shallow, rebasing, gone: evil })) {
  await client.daemon.addRepo({ root, id });
}
await client.daemon.removeRepo({ id: 'gone' });
for (const repo of ['app', 'plain', 'unborn', 'shallow', 'rebasing']) await client.indexing.index({ repo });
assert.throws(() => rebasing.git('rebase', 'feature'), 'a conflict');
await client.federation.create({ name: 'fed' });
for (const repoId of ['app', 'plain']) await client.federation.add({ name: 'fed', repoId });
await client.federation.sync({ name: 'fed' });
await until('HTTP listens', () => typeof readDaemonRecord(home.places)?.url === 'string');
const { url, tokenFile } = readDaemonRecord(home.places)!;
const listener = { port: Number(new URL(url!).port) } as HttpListener;
const token = readFileSync(tokenFile, 'utf8').trim();
for (const repo of ['acme%2Fx', 'acme%2Fy']) {
  const body = Buffer.from(scipBytes({ metadata, documents }));
  const { status } = await fetch(`${url}/index/repos/${repo}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body,
  });
  assert.equal(status, 200);
}
const ended = (await client.jobs.list({})).jobs.find(({ status }) => status === 'completed')!;
const alpha = (await client.symbols.search({ q: 'Alpha', repo: 'app', sync: true })).results[0]!.id;

type Row = readonly [method: string, target: string, status: number, code: string, body?: string];

async function ask(method: string, target: string, body = '', Authorization = `Bearer ${token}`) {
  const answer = await sendRequest(listener, method, target, { Authorization }, body);
  const label = `${method} ${target.slice(0, 200)} ${body.slice(0, 100)}`;
  const told = assertOrderly(answer, label, target);
  assertDeclared(`${method} ${target}`, answer.status, label);
  return { status: answer.status, told, text: answer.body, label };
}

async function check(rows: readonly Row[]): Promise<void> {
  const wrong: string[] = [];
  for (const [method, target, status, code, body] of rows) {
    const { told, text, label, ...answer } = await ask(method, target, body);
    const said = told['code'] ?? (told['error'] as { code?: string } | undefined)?.code ?? '';
    if (answer.status !== status || said !== code) wrong.push(`${label}: ${answer.status} ${text.slice(0, 200)}`);
  }
  assert.deepEqual(wrong, []);
}

test('what a page of another site asks starts nothing, though what it asks for would (P28)', async () => {
  const jobs = async () => (await client.jobs.list({ limit: 10_000 })).jobs.map(({ id }) => id);
  const before = await jobs();
  const asked = [
    ['GET', '/search?repo=app&q=a&refresh=true'],
    ['GET', '/architecture?repo=app&refresh=true'],
    ['GET', '/status?repo=app&sync=true'],
    ...['/refresh', '/index', '/docs/index', '/cache/warm', '/federations/fed/sync'].map(
      path => ['POST', path] as const,
    ),
    ['DELETE', '/daemon/repos/app'],
    ['POST', '/daemon/stop'],
  ] as const;
  for (const [method, target] of asked) {
    for (const mark of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      const answer = await sendRequest(listener, method, target, { Authorization: undefined, ...mark });
      assert.equal(answer.status, 403, target);
      assertOrderly(answer, target, target);
    }
  }
  assert.deepEqual(await jobs(), before);
});

const escaping = [
  '../../etc/passwd',
  '/etc/passwd',
  'a/../../x',
  '..\\x',
  'C:\\x',
  'a\0b',
  '../app-evil/x',
  'file:///x',
  'x'.repeat(4097),
];
const notThere = ['…/x', '%2e%2e/x', '%252e', 'absent.ts', 'pipe.ts', 'ignored.ts', 'src/a.ts/b', '__proto__'];
const ofTree = ['/complexity?', '/ownership?', '/coupling?'].map(path => `${path}repo=app&path=`);
const asked = [...ofTree, '/architecture?repo=app&targetPath=', '/docs/stale?repo=app&path='];

test('a path that leads out is refused, one where nothing may be read is not found, and both alike whatever lies there', async () => {
  const rows = asked.flatMap((target): Row[] => [
    ...escaping.map(path => ['GET', target + encodeURIComponent(path), 400, 'INVALID_PARAMETER'] as const),
    ['GET', `${target}%2e%2e%2fx`, 400, 'INVALID_PARAMETER'],
    ...notThere.map(path => ['GET', target + encodeURIComponent(path), 404, 'FILE_NOT_FOUND'] as const),
  ]);
  rows.push(
    ['GET', '/complexity?repo=app&path=out.ts', 404, 'FILE_NOT_FOUND'],
    ['GET', '/docs/stale?repo=app&path=docs/out.md', 404, 'FILE_NOT_FOUND'],
    ['GET', '/docs/file/docs/out.md?repo=app', 404, 'FILE_NOT_FOUND'],
    // git keeps a link as it keeps a file: whose it is, and with what it changes, says nothing of what it leads to.
    ['GET', '/ownership?repo=app&path=out.ts', 200, ''],
    ['GET', '/coupling?repo=app&path=out.ts', 200, ''],
    ...escaping.map(
      path => ['GET', `/docs/file/${encodeURIComponent(path)}?repo=app`, 400, 'INVALID_PARAMETER'] as const,
    ),
    ...notThere.map(path => ['GET', `/docs/file/${encodeURIComponent(path)}?repo=app`, 404, 'FILE_NOT_FOUND'] as const),
    ['GET', '/complexity?repo=app&path=src', 404, 'FILE_NOT_FOUND'],
    ['GET', '/complexity?repo=app&path=nul.ts', 422, 'INVALID_PARAMETER'],
    ['GET', '/complexity?repo=app&path=large.ts', 422, 'INVALID_PARAMETER'],
  );
  await check(rows);
});

const revisions = ['--output=/x', 'a..b', 'HEAD@{1}', '-', 'a\nb', ''];

test('what can’t be done now is told apart from what is not there', async () => {
  const summary = (body: object, status: number, code: string): Row => [
    'POST',
    '/pr/summary',
    status,
    code,
    JSON.stringify(body),
  ];
  const hash = '0'.repeat(32);
  await check([
    ...revisions.map(baseBranch => summary({ repo: 'app', baseBranch }, 422, 'INVALID_PARAMETER')),
    summary({ repo: 'app', baseBranch: 'nowhere' }, 404, 'RESOURCE_NOT_FOUND'),
    summary({ repo: 'app', baseBranch: 'main', headBranch: 'nowhere' }, 404, 'RESOURCE_NOT_FOUND'),
    summary({ repo: 'unborn', baseBranch: 'main' }, 412, 'PRECONDITION_FAILED'),
    summary({ repo: 'shallow', baseBranch: 'HEAD~2' }, 412, 'PRECONDITION_FAILED'),
    summary({ repo: 'rebasing', baseBranch: 'feature' }, 412, 'PRECONDITION_FAILED'),
    summary({ repo: 'plain', baseBranch: 'main' }, 412, 'PRECONDITION_FAILED'),
    ['POST', `/jobs/${ended.id}/cancel`, 412, 'PRECONDITION_FAILED'],
    ['POST', '/jobs/no-such-job/cancel', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/jobs/no-such-job', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/ownership?repo=plain&path=a.ts', 412, 'PRECONDITION_FAILED'],
    ['GET', '/federations/none/status', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/responsibilities/none?repo=app', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/docs/module/none?repo=app', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/decisions/ADR-9999?repo=app', 404, 'RESOURCE_NOT_FOUND'],
    ...['none', 'gone', evil.path('none')].map(
      repo => ['GET', `/status?repo=${encodeURIComponent(repo)}`, 404, 'RESOURCE_NOT_FOUND'] as const,
    ),
    ['POST', '/federations/fed/contracts/edges/7/suppress', 404, 'RESOURCE_NOT_FOUND', '{"reason":"r"}'],
    ['POST', '/federations/fed/contracts/edges/7/verify', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', `/symbol/svc:app:sym:${hash}`, 404, 'SYMBOL_NOT_FOUND'],
    ['GET', `/symbol/svc:gone:sym:${hash}`, 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/index/repos/acme%2Fnone/files', 404, 'repo_not_found'],
    ['GET', `/index/repos/acme%2Fx/symbols/svc:acme%2Fx:sym:${hash}`, 404, 'symbol_not_found'],
  ]);
});

test('a body that only its reader can judge is refused by name, and nothing of it is kept', async () => {
  const calls = (...changes: readonly object[]) =>
    JSON.stringify({
      calls: changes.map(change => ({
        ...{ service_name: 's', function_name: 'f', file_path: 'a.ts', namespace: '', call_count: 1, error_count: 0 },
        ...change,
      })),
    });
  const before = (await ask('GET', '/telemetry/unmapped')).told;
  const post = (path: string, body: string, status = 422): Row => ['POST', path, status, 'INVALID_PARAMETER', body];
  await check([
    ...[-1, 1.5, '1', null].map(call_count => post('/api/v1/ingest/json', calls({}, { call_count }))),
    ...[-1, 1.5].map(error_count => post('/api/v1/ingest/json', calls({ error_count }))),
    ...['[]', 'null', '"x"', '{"calls":"x"}', '{"calls":[null]}'].map(body => post('/api/v1/ingest/json', body)),
    post('/api/v1/ingest/json', '{', 400),
    post('/index', '{"repo":"app","language":"go"}'),
    post('/decisions', '{"repo":"app","title":"a\\u0000b"}'),
    post('/decisions', '{"repo":"app","title":"a","affectedModules":["../x"]}'),
  ]);
  assert.deepEqual({ ...(await ask('GET', '/telemetry/unmapped')).told, timestamp: '' }, { ...before, timestamp: '' });
});

test('what is searched for means what it says, to the letter', async () => {
  const results = async (q: string) => {
    const { status, told, text } = await ask('GET', `/search?repo=app&q=${encodeURIComponent(q)}`);
    assert.equal(status, 200, `${q}: ${text}`);
    return (told as { results: { name: string }[] }).results.map(({ name }) => name);
  };
  const strange = [...literalQueries, 'Alpha OR beta', '.*', '[a-z]+', '\\', '{{x}}', '<b>'];
  for (const q of strange) assert.deepEqual(await results(q), [], q);
  assert.deepEqual(await results('_'), ['per_cent']);
  assert.deepEqual(await results('alpha'), ['Alpha'], 'and all is still there');
  for (const path of ['symbols', 'files']) {
    for (const q of strange) {
      const { status, told } = await ask('GET', `/index/repos/acme%2Fx/search/${path}?q=${encodeURIComponent(q)}`);
      assert.deepEqual([status, (told['data'] as Record<string, unknown>)[path]], [200, []], q);
    }
  }
});

test('a cursor is good for the very list that gave it, and nothing else is one', async () => {
  const key = (await client.token.create({ name: 'k', scopes: ['read'] })).token;
  const core = (await ask('GET', '/search?repo=app&q=a&limit=1')).told['cursor'] as string;
  const { told } = await ask('GET', '/index/repos/acme%2Fx/symbols?limit=1');
  const { cursor } = told['meta'] as { cursor: string };
  const flipped = (text: string) => `${text.slice(0, 9)}${text[9] === 'A' ? 'B' : 'A'}${text.slice(10)}`;
  const none = ['x', Buffer.from('{}').toString('base64'), Buffer.from('{}').toString('base64url'), '. .', `${core}=`];
  const page = (text: string, repo = 'acme%2Fx', list = 'symbols', more = '') =>
    `/index/repos/${repo}/${list}?cursor=${encodeURIComponent(text)}${more}`;
  await check([
    ['GET', `/search?repo=app&q=a&limit=1&cursor=${core}`, 200, ''],
    ...[...none, flipped(core), cursor].map(
      text =>
        ['GET', `/search?repo=app&q=a&limit=1&cursor=${encodeURIComponent(text)}`, 400, 'INVALID_PARAMETER'] as const,
    ),
    ['GET', `/search?repo=app&q=b&limit=1&cursor=${core}`, 400, 'INVALID_PARAMETER'],
    ['GET', `/search?repo=plain&q=a&limit=1&cursor=${core}`, 400, 'INVALID_PARAMETER'],
    ['GET', `/refs/${alpha}?repo=app&cursor=${core}`, 400, 'INVALID_PARAMETER'],
    ['GET', `/search?repo=app&q=a&cursor=`, 400, 'INVALID_PARAMETER'],
    ['GET', `/search?repo=app&q=a&cursor=${'x'.repeat(7_000)}`, 400, 'INVALID_PARAMETER'],
    ['GET', `/search?repo=app&q=a&cursor=${'x'.repeat(10_000)}`, 414, 'INVALID_PARAMETER'],
    ['GET', page(cursor), 200, ''],
    ...[...none, flipped(cursor), core].map(text => ['GET', page(text), 400, 'invalid_cursor'] as const),
    ['GET', page(cursor, 'acme%2Fy'), 400, 'invalid_cursor'],
    ['GET', page(cursor, 'acme%2Fx', 'refs'), 400, 'invalid_cursor'],
    ['GET', page(cursor, 'acme%2Fx', 'symbols', '&kind=class'), 400, 'invalid_cursor'],
    ['GET', page(''), 400, 'invalid_parameter'],
    ['GET', page('x'.repeat(7_000)), 400, 'invalid_parameter'],
  ]);
  const another = await ask('GET', page(cursor), '', `Bearer ${key}`);
  assert.deepEqual([another.status, (another.told['error'] as { code: string }).code], [400, 'invalid_cursor']);
});
