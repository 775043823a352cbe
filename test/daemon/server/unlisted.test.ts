import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { addRepo, startDaemon, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** The tests share a daemon: each leaves it without a repository. */
const shared = await startDaemon(afterAll);

test('a file whose name is no UTF-8 is counted as skipped and named by doctor', async context => {
  const { client } = shared;
  const { root } = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff]), Buffer.from('.ts')]), '');
  await addRepo(context, shared, { root, id: 'app' });
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const { completeness } = await client.symbols.search({ q: 'a' });
  assert.equal(completeness.skippedFiles, 1);
  const { checks } = await client.system.doctor({});
  const check = checks.find(({ name }) => name.endsWith('index.skipped'));
  assert.equal(
    check?.message,
    String.raw`1 path could not be listed: "b\\xff.ts" (its name is not UTF-8); rename them, or let them be read`,
  );
});

test('what comes while the tree is watched and can’t be listed is told at once, and no longer than it is there', async context => {
  const { client } = shared;
  const tree = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  await addRepo(context, shared, { root: tree.root, id: 'app' });
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const seen = async () => {
    const { completeness } = await client.symbols.search({ q: 'a', repo: 'app', sync: true });
    const { checks } = await client.system.doctor({ repo: 'app' });
    const { message = '' } = checks.find(({ name }) => name === 'index.skipped') ?? {};
    return [completeness.skippedFiles, /"[^"]*"|^none$/.exec(message)?.[0]];
  };
  const { path } = temporaryFolder(context, '-- odd/c.ts --\n');
  writeFileSync(Buffer.concat([Buffer.from(path('odd/b')), Buffer.from([0xff])]), '');
  assert.deepEqual(await seen(), [0, 'none']);
  renameSync(path('odd'), tree.path('odd'));
  assert.deepEqual(await seen(), [1, String.raw`"odd/b\\xff"`]);
  renameSync(tree.path('odd'), path('odd'));
  assert.deepEqual(await seen(), [0, 'none']);
});

test('doctor names the first files that were passed over, and why', async context => {
  const { client } = shared;
  const tree = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  for (const n of [1, 2, 3, 4]) writeFileSync(`${tree.root}/b${n}.ts`, 'a\0b');
  writeFileSync(`${tree.root}/c.ts`, `const c = 1; // ${'x'.repeat(30_000)}\n`);
  await addRepo(context, shared, { root: tree.root, id: 'app' });
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const { checks } = await client.system.doctor({});
  const message = checks.find(({ name }) => name === 'index.skipped')?.message ?? '';
  const names = '"b1.ts" (binary), "b2.ts" (binary), "b3.ts" (binary), …';
  assert.equal(message, `5 files were passed over: ${names}`);
});

test('a file that was read only in part is counted in answers, and named by doctor until it is mended', async context => {
  const { client } = shared;
  const tree = gitRepository(
    context,
    '-- a.ts --\nexport const a = 1;\n-- b.ts --\nexport function b( { const c = ;\n',
  );
  await addRepo(context, shared, { root: tree.root, id: 'app' });
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const seen = async () => {
    const { completeness } = await client.symbols.search({ q: 'a', repo: 'app', sync: true });
    const { partialFiles } = await client.indexing.status({ repo: 'app' });
    const { checks } = await client.system.doctor({ repo: 'app' });
    const { status, message = '' } = checks.find(({ name }) => name === 'index.partial') ?? {};
    return { inSearch: completeness.partialFiles, inStatus: partialFiles, status, names: /"[^"]*"/.exec(message)?.[0] };
  };
  assert.deepEqual(await seen(), { inSearch: 1, inStatus: 1, status: 'info', names: '"b.ts"' });
  const { warnings = [] } = { warnings: [], ...(await client.indexing.index({ repo: 'app', force: true })) };
  assert.ok(warnings.some(({ code, message }) => code === 'PARTIAL_RESULT' && message.startsWith('1 file was read')));
  tree.write('b.ts', 'export function b() { const c = 1; }\n');
  assert.deepEqual(await seen(), { inSearch: 0, inStatus: 0, status: 'pass', names: undefined });
});
