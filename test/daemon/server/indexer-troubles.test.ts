import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { addRepo, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';

/** One program stands for all indexers: what it does stands in a file beside it, with `$out` for what it is to write. */
const bin = temporaryFolder(afterAll);
const program = `#!/bin/sh
while [ "$1" != --output ]; do shift; done
out="$2"
. ${bin.path('does')}
`;
for (const name of ['scip-go', 'scip-python']) {
  bin.write(name, program);
  chmodSync(bin.path(name), 0o755);
}
const said = (...paths: readonly string[]) => {
  const file = bin.path(`${paths.join('-').replaceAll('/', '.')}.scip`);
  const metadata = { toolInfo: { name: 'stand-in' } };
  writeFileSync(file, scipBytes({ metadata, documents: paths.map(relativePath => ({ relativePath })) }));
  return `/bin/cp ${file} "$out"`;
};

const home = temporaryHome(afterAll, {
  SVC_INDEX_USE_INDEXERS: 'scip-go,scip-python',
  SVC_INDEX_BACKGROUND_INDEXERS: 'false',
  PATH: `${bin.root}:/usr/bin:/bin`,
});
const daemon = await startDaemon(afterAll, home);
const { client } = daemon;

/** A trusted repository of Go: what `svc index` comes to where the indexer does that, and what doctor says of it then. */
async function place(t: Parameters<typeof addRepo>[0], tree = '-- go.mod --\nmodule a\n-- a.go --\npackage a\n') {
  const work = gitRepository(t, tree);
  await addRepo(t, daemon, { root: work.root, id: 'app' });
  await client.daemon.trustRepo({ id: 'app' });
  const checked = async (name = 'indexer.scip-go') => {
    const { checks, issues } = await client.system.doctor({ repo: 'app' });
    const { status, message } = checks.find(check => check.name === name)!;
    const fixes = issues.find(({ check }) => check === name)?.suggestedFixes.map(({ command }) => command) ?? [];
    return { said: `${status}: ${message}`, fixes };
  };
  const index = async (does: string, force = false) => {
    bin.write('does', does);
    const answer = await client.indexing.index({ repo: 'app', force });
    if (answer.status !== 'completed') return answer.status;
    return { indexer: answer.indexer, warnings: answer.warnings.map(({ message }) => message) };
  };
  const settled = () =>
    until('no change is pending', async () => (await client.indexing.status({ repo: 'app' })).fresh);
  return { work, checked, index, settled };
}

const waits = 'scip-go: it runs with svc index';
const well = { said: 'pass: scip-go: its facts are those of the files', fixes: [] };

test('doctor warns of an indexer that came to nothing, with the reason, until a run is good again', async t => {
  const { checked, index } = await place(t);
  for (const [does, words] of [
    ['echo told; printf "boom \\033[31mred\\n" >&2; exit 3', /^scip-go ended with exit code 3: boom red$/],
    ['echo no Go files >&2', /^scip-go wrote no index: no Go files$/],
    ['exit 0', /^scip-go wrote no index$/],
    [': > "$out"', /^scip-go wrote no index$/],
    ['mkfifo "$out"', /^scip-go wrote no index$/],
    ['echo nonsense > "$out"', /^scip-go: A field that is not written as SCIP says/],
    [said(), /^scip-go: its index tells of no file$/],
    [said('go/a.go', 'go/b.go'), /^scip-go: the repository has no file that its index tells of: go\/a\.go, go\/b\.go$/],
  ] as const) {
    const answer = await index(does);
    assert.ok(typeof answer === 'object', `${does}: it is asked again without force`);
    assert.equal(answer.indexer, 'tree-sitter', does);
    assert.equal(answer.warnings.length, 1, does);
    assert.match(answer.warnings[0]!, words);
    assert.deepEqual(await checked(), {
      said: `warn: ${waits}; its last run: ${answer.warnings[0]}`,
      fixes: ['svc daemon logs', 'svc index --repo app'],
    });
  }
  assert.deepEqual(await index(said('a.go')), { indexer: 'tree-sitter+scip-go', warnings: [] });
  assert.deepEqual(await checked(), well);
});

test('a run that fails where one was good before is told as well, and asked again about the same tree', async t => {
  const { checked, index, settled } = await place(t);
  await index(said('a.go'));
  await settled();
  assert.equal(await index('exit 3'), 'skipped');
  assert.deepEqual(await index('exit 3', true), {
    indexer: 'tree-sitter',
    warnings: ['scip-go ended with exit code 3'],
  });
  assert.match((await checked()).said, /^warn: .*; its last run: scip-go ended with exit code 3$/);
  assert.deepEqual(await index(said('a.go')), { indexer: 'tree-sitter+scip-go', warnings: [] });
  assert.deepEqual(await checked(), well);
});

test('what one project of several did not give is a warning as long as nothing changes', async t => {
  const tree = '-- a/go.mod --\nmodule a\n-- a/a.go --\npackage a\n-- b/go.mod --\nmodule b\n-- b/b.go --\npackage b\n';
  const { checked, index, settled } = await place(t, tree);
  const answer = await index(`case "$out" in *1.scip) exit 5;; esac\n${said('a.go')}`);
  assert.deepEqual(answer, { indexer: 'tree-sitter+scip-go', warnings: ['scip-go ended with exit code 5'] });
  const told = 'warn: scip-go: its facts are those of the files; its last run: scip-go ended with exit code 5';
  assert.deepEqual(await checked(), { said: told, fixes: ['svc daemon logs'] });
  await settled();
  assert.equal(await index('exit 0'), 'skipped');
});

test('svc index ends well where syntax was indexed: what indexers lack is on stderr, and in the warnings of its JSON', async t => {
  const { work } = await place(t);
  bin.write('does', 'exit 3');
  const plain = await svc(home, ['index'], work.root);
  assert.equal(plain.code, 0);
  assert.match(plain.stderr, /scip-go ended with exit code 3/);
  const { code, stdout } = await svc(home, ['index', '--json'], work.root);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).warnings, [
    { code: 'PARTIAL_RESULT', backend: 'scip', message: 'scip-go ended with exit code 3' },
  ]);
  assert.match((await svc(home, ['doctor'], work.root)).stdout, /^warn +indexer\.scip-go +/m);
});

test('a program that is configured and can’t be started is named, by doctor and by whoever wants it', async t => {
  const { checked, index } = await place(t);
  await index(said('a.go'));
  bin.write('no-program', 'text');
  const path = bin.path('no-program');
  home.configure(`[index.indexers.scip-go]\npath = ${JSON.stringify(path)}\n`);
  t.after(() => home.configure(''));
  const told = `scip-go is configured and missing: ${path} is no program that can be started; correct index.indexers.scip-go; what an index said of 1 of 1 file counts`;
  await until('the configuration is read anew', async () => (await checked()).said === `warn: ${told}`);
  assert.deepEqual(await index('', true), { indexer: 'tree-sitter', warnings: [told] });
});

test('one that is left out is told of where its language is asked for, and nowhere else', async t => {
  await place(t, '-- a.ts --\nlet a\n');
  const warnings = async (language: 'auto' | 'typescript') => {
    const answer = await client.indexing.index({ repo: 'app', force: true, language });
    return answer.status === 'completed' ? answer.warnings.map(({ message }) => message) : undefined;
  };
  assert.deepEqual(await warnings('auto'), []);
  assert.deepEqual(await warnings('typescript'), [
    'scip-typescript is left out by index.use_indexers: references of typescript and javascript come from syntax alone',
  ]);
});
