import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readDaemonRecord } from '../../client/paths.ts';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, svcProgram, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';
import { askEverything } from './ask-everything.ts';
import { evilRepository } from './evil-repository.ts';
import { makeReleased, releasedSchemas } from './released-schemas.ts';
import {
  callsOf,
  durabilityFaults,
  farPeers,
  isNaming,
  isSyncOf,
  programsRun,
  type SystemCall,
  tracers,
} from './system-calls.ts';

const watched = [
  ...['execve', 'connect', 'fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'link', 'linkat'],
  ...['write', 'pwrite64', 'writev', 'pwritev'],
];

for (const { name: by, tracing } of tracers) {
  test(`whatever is asked about an evil repository, only git runs, nobody far is called, and what must last is written in order (P23, P41, P51, ${by})`, async t => {
    const trace = temporaryFolder(t).path('daemon');
    const { tree, pwned } = evilRepository(t);
    const { through, env } = tracing(t, trace, watched);
    const home = temporaryHome(t, env);
    const daemon = await startDaemon(t, home, through);
    await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
    await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
    await ready(daemon);
    await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching !== 'off');
    let told = await askEverything(daemon);
    for (const path of ['a.ts', 'src/b.ts']) {
      told += JSON.stringify(await daemon.client.ownership.get({ path, repo: 'app', sync: true }));
    }
    tree.write('a.ts', 'export const changed = 4;\n');
    await daemon.client.symbols.search({ q: 'changed', repo: 'app', sync: true });
    await daemon.client.indexing.index({ repo: 'app', force: true });
    assert.equal(await daemon.stop(), 0);

    await until('the trace is whole', () => readFileSync(trace, 'utf8').includes('daemon.stopped'));
    const calls = callsOf(readFileSync(trace, 'utf8'));
    // strace sees the daemon itself begin.
    const others = calls.filter(({ name, words }) => name !== 'execve' || !words.includes(svcProgram));
    assert.deepEqual([...programsRun(others)], ['git']);
    assert.deepEqual(farPeers(calls), []);
    assert.deepEqual(pwned(), []);
    assert.ok(!told.includes('root:x:'), 'no word of /etc/passwd');
    for (const folder of [home.places.state, home.places.runtime])
      assert.deepEqual(durabilityFaults(calls, folder), []);
    const replaced = calls.filter(({ name }) => /^rename|^link/.test(name)).map(({ words }) => words);
    for (const file of ['token', 'daemon.json', 'daemon.db.backup']) {
      assert.ok(
        replaced.some(words => words.includes(`/${file}"`)),
        `${file} was written`,
      );
    }
  });

  test(`a command calls nobody far (${by}) (P51)`, async t => {
    const trace = temporaryFolder(t).path('calls');
    const { through, env } = tracing(t, trace, ['execve', 'connect']);
    const home = temporaryHome(t, env);
    const [program = process.execPath, ...words] = [...through, process.execPath, svcProgram, 'health'];
    // The daemon that it starts outlives it, and strace stays with that: a pipe would too.
    assert.equal(spawnSync(program, words, { env: home.env, stdio: 'ignore' }).status, 0);
    await until('the trace tells of the socket', () => /connect\(.*\.sock/.test(readFileSync(trace, 'utf8')));
    assert.deepEqual(farPeers(callsOf(readFileSync(trace, 'utf8'))), []);
  });
}

/** Programs that put files in the place of others; what lies in a folder that is worth it, and how such a file is called. */
const replacing = [
  {
    what: 'daemon.db as it is restored',
    prepare: (t: TestContext) => {
      const { root, write } = temporaryFolder(t);
      makeReleased(`${root}/daemon.db.backup`, releasedSchemas.at(-1)!);
      write('daemon.db', 'garbage');
      return { words: ['open-database.js', `${root}/daemon.db`], folders: () => [root], named: 'daemon.db' };
    },
  },
  {
    what: 'an index that was uploaded',
    prepare: (t: TestContext) => {
      const home = temporaryHome(t);
      const { path, write } = temporaryFolder(t);
      write('x.scip', scipBytes({ metadata, documents }));
      const { repos } = home.places;
      const folders = () => readdirSync(repos).map(name => join(repos, name));
      return { words: ['take-upload.js', home.path, 'acme/x', path('x.scip')], folders, named: 'index-' };
    },
  },
] as const;

for (const { what, prepare } of replacing) {
  for (const { name: by, tracing } of tracers) {
    test(`${what} is safe on the disk before it bears its name, and its name before anybody relies on it (${by}; P23)`, async t => {
      const { words, folders, named } = prepare(t);
      const trace = temporaryFolder(t).path('calls');
      const { through, env } = tracing(t, trace, watched);
      const [program = '', ...args] = words;
      const path = fileURLToPath(new URL(program, import.meta.url));
      const [command = '', ...rest] = [...through, process.execPath, path, ...args];
      assert.equal(spawnSync(command, rest, { env: { ...process.env, ...env }, stdio: 'ignore' }).status, 0);
      const calls = () => callsOf(readFileSync(trace, 'utf8'));
      const isNamed = (name: string): boolean => name.startsWith(named) && name.endsWith('.db');
      // strace writes for a moment longer than what it follows lives.
      const isWhole = () =>
        folders().every(
          folder => calls().findLastIndex(isSyncOf(folder)) > calls().findLastIndex(isNaming(folder, isNamed)),
        );
      await until('the trace is whole', isWhole, 5000).catch(() => {});
      for (const folder of folders()) {
        assert.ok(calls().some(isNaming(folder, isNamed)), `${named} is there`);
        assert.deepEqual(durabilityFaults(calls(), folder, isNamed), []);
      }
    });
  }
}

const call = (name: string, words: string): SystemCall => ({ pid: 1, name, words, result: '0' });
const write = call('write', '3</s/x.tmp>, "text", 4');
const sync = call('fsync', '3</s/x.tmp>');
const rename = call('rename', '"/s/x.tmp", "/s/x"');
const syncFolder = call('fsync', '4</s>');

test('an order that a power cut breaks is told (P23)', () => {
  assert.deepEqual(durabilityFaults([write, sync, rename, syncFolder], '/s'), []);
  assert.deepEqual(durabilityFaults([write, rename, sync, syncFolder], '/s'), [
    'x: its content was not synced before it took the name',
  ]);
  assert.deepEqual(durabilityFaults([write, sync, rename], '/s'), [
    'x: its folder was not synced after it took the name',
  ]);
  assert.deepEqual(
    durabilityFaults([write, sync, write, rename, syncFolder], '/s').length,
    1,
    'written again after it was synced',
  );
  assert.deepEqual(durabilityFaults([rename, syncFolder], '/s').length, 1, 'never synced, whoever wrote it');
  const other = call('rename', '"/s/y.tmp", "/s/y"');
  const syncOther = call('fsync', '3</s/y.tmp>');
  assert.deepEqual(durabilityFaults([write, sync, rename, syncOther, other, syncFolder], '/s'), [
    'x: its folder was not synced after it took the name',
  ]);
  assert.deepEqual(
    durabilityFaults([rename], '/s', name => name !== 'x'),
    [],
  );
});
