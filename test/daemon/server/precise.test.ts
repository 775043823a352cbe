import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { startDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

const tree = `
  -- tsconfig.json --
  {}
  -- src/a.ts --
  export class Box { open() { return 1 } }
  -- src/b.ts --
  import { Box } from './a'
  const boxes = [new Box()]
  boxes.map(b => b).filter(Boolean)[0].open()
  -- src/c.js --
  const { Box } = require('./a')
  new Box().open()
`;

test('svc index runs the indexers, changes run them again, and between the two syntax answers', async t => {
  const home = temporaryHome(t, { SVC_INDEX_USE_INDEXERS: 'scip-typescript', SVC_INDEX_QUIET_SECONDS: '1' });
  const { client } = await startDaemon(t, home);
  const work = gitRepository(t, tree);
  await client.daemon.addRepo({ root: work.root, id: 'app' });
  const first = await client.indexing.index({ repo: 'app', force: true });
  assert.ok(first.status === 'completed');
  assert.equal(first.indexer, 'tree-sitter+scip-typescript');
  const { tier, backends } = await client.system.status({ repo: 'app' });
  assert.deepEqual([tier.current, backends.scip], ['standard', true]);
  const { tierRequirements } = await client.system.doctor({ repo: 'app' });
  assert.deepEqual(tierRequirements.standard, { met: true, requires: ['a SCIP index'] });
  const { results } = await client.symbols.search({ repo: 'app', q: 'open' });
  const sources = async () => {
    const { references } = await client.symbols.refs({ repo: 'app', id: results[0]!.id, sync: true });
    return references.map(({ location, source }) => `${location.file}:${location.line} ${source}`).sort();
  };
  assert.deepEqual(await sources(), ['src/b.ts:3 scip', 'src/c.js:2 scip']);
  assert.equal((await client.indexing.index({ repo: 'app' })).status, 'skipped');
  work.write('src/c.js', "const { Box } = require('./a')\n\nnew Box().open()\n");
  assert.deepEqual(await sources(), ['src/b.ts:3 scip', 'src/c.js:3 tree-sitter']);
  await until('they ran again', async () => (await sources())[1] === 'src/c.js:3 scip');
  assert.equal(work.git('status', '--short'), ' M src/c.js');
});

/** A daemon in which a stand-in for scip-go does this, over a repository that is trusted. */
async function withScipGo(t: TestContext, does: string) {
  const programs = temporaryFolder(t, `-- scip-go --\n#!/bin/sh\n: > "$0.runs"\n${does}\n`);
  chmodSync(programs.path('scip-go'), 0o755);
  const PATH = `${programs.root}:${process.env['PATH']}`;
  const home = temporaryHome(t, { PATH, SVC_INDEX_USE_INDEXERS: 'scip-go', SVC_INDEX_BACKGROUND_INDEXERS: 'false' });
  const { client } = await startDaemon(t, home);
  const work = gitRepository(t, '-- go.mod --\nmodule x\n-- a.go --\npackage x\n');
  await client.daemon.addRepo({ root: work.root, id: 'app' });
  await client.daemon.trustRepo({ id: 'app' });
  return { programs, client, work, runs: () => existsSync(programs.path('scip-go.runs')) };
}

test('an indexer that runs code of the repository ends with the trust in it', async t => {
  const { client, runs } = await withScipGo(t, 'exec sleep 600');
  const indexed = client.indexing.index({ repo: 'app', language: 'go', force: true });
  await until('it runs', runs);
  await client.daemon.trustRepo({ id: 'app', revoke: true });
  const { indexer, warnings } = (await indexed) as { indexer: string; warnings: { message: string }[] };
  assert.equal(indexer, 'tree-sitter');
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['scip-go runs code of the repository, which is not trusted (svc repo trust)'],
  );
});

test('what is edited while an indexer runs is in what the run tells of the index', async t => {
  const { client, work, runs, programs } = await withScipGo(t, 'while [ ! -e "$0.ends" ]; do sleep 0.05; done');
  const indexed = client.indexing.index({ repo: 'app', language: 'go', force: true });
  await until('it runs', runs);
  const status = () => client.indexing.status({ repo: 'app' });
  const before = await status();
  work.write('b.go', 'package x\n\nfunc Added() {}\n');
  await until('the edit is in the index', async () => (await status()).fileCount > before.fileCount);
  const edited = await status();
  programs.write('scip-go.ends', '');
  const told = await indexed;
  assert.ok(told.status === 'completed');
  const { snapshotId, symbolCount, fileCount } = told;
  assert.deepEqual([snapshotId, symbolCount, fileCount], [edited.snapshotId, edited.symbolCount, edited.fileCount]);
});
