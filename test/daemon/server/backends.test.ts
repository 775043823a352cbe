import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { addRepo, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { languageServer } from '../../support/language-server.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';

/** For what needs none of its own. */
const plain = await startDaemon(afterAll);

/** Greets and takes its leave. */
const server = `#!${process.execPath}${languageServer(`
  if (method === 'exit') process.exit(0);
  if (id !== undefined) send({ id, result: { serverInfo: { name: 'mine', version: '3' } } });
`)}`;

test('doctor names each indexer of the repository: missing with its command, untrusted as such, and trusted', async t => {
  const bin = temporaryFolder(t);
  bin.write('scip-go', '#!/bin/sh\necho scip-go 1.0.0\n');
  chmodSync(bin.path('scip-go'), 0o755);
  const home = temporaryHome(t, {
    SVC_INDEX_USE_INDEXERS: 'scip-go,scip-python,scip-java',
    SVC_INDEX_BACKGROUND_INDEXERS: 'false',
    PATH: `${bin.root}:/usr/bin:/bin`,
  });
  const { client } = await startDaemon(t, home);
  const tree = gitRepository(
    t,
    '-- a.go --\npackage a\n-- b.py --\nb = 1\n-- go.mod --\nmodule a\n-- c.ts --\nlet c = 1\n-- D.java --\nclass D {}\n',
  );
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await client.indexing.index({ repo: 'app' });
  const about = async (tier: 'fast' | 'standard') => {
    const { checks, issues } = await client.system.doctor({ repo: 'app', tier });
    const fixes = new Map(
      issues.map(({ check, suggestedFixes }) => [check, suggestedFixes.map(({ command }) => command)]),
    );
    return checks
      .filter(({ name }) => name.startsWith('indexer.'))
      .map(({ name, status, message }) => [name, status, message, fixes.get(name)?.[0]]);
  };
  const untrusted = 'scip-go runs code of the repository, which is not trusted (svc repo trust)';
  const missing = 'scip-python is not installed: references of python come from syntax alone';
  const install = 'npm install --global @sourcegraph/scip-python@0.6.6';
  const noProject =
    'scip-java needs one of settings.gradle, settings.gradle.kts, build.gradle, build.gradle.kts, gradlew, pom.xml, build.sbt, and there is none';
  const leftOut = [
    'indexer.scip-typescript',
    'info',
    'scip-typescript is left out by index.use_indexers: references of typescript and javascript come from syntax alone',
    undefined,
  ];
  assert.deepEqual(await about('fast'), [
    leftOut,
    ['indexer.scip-python', 'info', `${missing} (${install})`, undefined],
    ['indexer.scip-go', 'info', untrusted, undefined],
    ['indexer.scip-java', 'info', noProject, undefined],
  ]);
  assert.deepEqual(await about('standard'), [
    leftOut,
    ['indexer.scip-python', 'warn', `${missing} (${install})`, install],
    ['indexer.scip-go', 'warn', untrusted, 'svc repo trust app'],
    ['indexer.scip-java', 'warn', noProject, undefined],
  ]);
  const standard = async () => {
    const { checks } = await client.system.doctor({ repo: 'app' });
    return checks.find(({ name }) => name === 'tier.standard')!.message;
  };
  assert.equal(await standard(), `needs a SCIP index (${install})`);
  assert.equal((await client.system.status({ repo: 'app' })).backends.scip, false);
  assert.equal((await svc(home, ['repo', 'trust', 'app'])).code, 0);
  assert.equal(await standard(), 'needs a SCIP index (svc index --repo app)');
  const runs = ['indexer.scip-go', 'pass', 'scip-go: it runs with svc index', undefined];
  assert.deepEqual((await about('standard'))[2], runs, 'index.background_indexers is off');
  const status = await client.system.status({ repo: 'app' });
  assert.deepEqual([status.backends.scip, status.tier.current], [true, 'fast']);
});

test('a language server that is configured is greeted, and its health is told wherever backends are', async t => {
  const bin = temporaryFolder(t);
  bin.write('mine', server);
  chmodSync(bin.path('mine'), 0o755);
  const home = temporaryHome(t);
  home.configure(
    `[lsp.servers.mine]\ncommand = [${JSON.stringify(bin.path('mine'))}]\nlanguages = ["go"]\n[lsp.servers.gone]\ncommand = ["/nonexistent"]\nlanguages = ["go"]\n`,
  );
  const { client } = await startDaemon(t, home);
  const said = async () => {
    const { checks } = await client.system.doctor({});
    const { status, message } = checks.find(({ name }) => name === 'language-servers')!;
    return `${status}: ${message}`;
  };
  await until('it has answered', async () => (await said()).startsWith('warn: mine (3) answers in '));
  const missing = (name: string) =>
    `${name} is configured and missing: there is no program /nonexistent; install it, or correct lsp.servers.${name}`;
  assert.ok((await said()).endsWith(` ms; ${missing('gone')}`));
  assert.equal((await client.system.ready({})).backends.lsp, true);
  const { lsp } = (await client.system.healthDetailed({})).backends;
  assert.equal(lsp.available, true);
  assert.deepEqual(
    lsp.servers.map(({ name, available, problem }) => [name, available, problem]),
    [
      ['mine', true, undefined],
      ['gone', false, missing('gone')],
    ],
  );
  home.configure('[lsp.servers.other]\ncommand = ["/nonexistent"]\nlanguages = ["go"]\n');
  await until('the configuration is read anew', async () => (await said()) === `warn: ${missing('other')}`);
  assert.equal((await client.system.ready({})).backends.lsp, false);
  home.configure('');
  await until('nothing is missed any more', async () => (await said()).startsWith('info: '));
  const without = (await plain.client.system.doctor({})).checks.find(({ name }) => name === 'language-servers');
  assert.match(without!.message, /^none is configured or found/);
  assert.equal((await plain.client.system.ready({})).backends.lsp, false);
});

test('the language of an index is one that callers can name: C counts under cpp', async t => {
  const { client } = plain;
  const tree = '-- a.c --\nint a;\n-- b.c --\nint b;\n-- c.cpp --\nint c;\n-- d.py --\nd = 1\n-- e.py --\ne = 1\n';
  await addRepo(t, plain, { root: gitRepository(t, tree).root, id: 'app' });
  const answer = await client.indexing.index({ repo: 'app', language: 'cpp', force: true });
  assert.ok(answer.status === 'completed');
  assert.deepEqual([answer.language, answer.languages], ['cpp', ['c', 'cpp', 'python']]);
  assert.equal((await client.indexing.status({ repo: 'app' })).language, 'cpp');
});

test('wherever backends are told, precise facts are there from the moment at which they are', async t => {
  const { client } = plain;
  const tree = gitRepository(t, '-- a.go --\npackage a\n');
  await addRepo(t, plain, { root: tree.root, id: 'app' });
  await client.indexing.index({ repo: 'app' });
  const told = async () => [
    (await client.system.ready({})).backends.scip,
    (await client.system.healthDetailed({})).backends.scip.available,
    (await client.system.status({ repo: 'app' })).backends.scip,
  ];
  assert.deepEqual(await told(), [false, false, false]);
  const file = temporaryFolder(t).path('index.scip');
  const metadata = { toolInfo: { name: 'stand-in' } };
  writeFileSync(file, scipBytes({ metadata, documents: [{ relativePath: 'a.go' }] }));
  await client.indexing.index({ repo: 'app', scip: file });
  assert.deepEqual(await told(), [true, true, true]);
});
