import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, svcProgram, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { askEverything } from './ask-everything.ts';
import { evilRepository } from './evil-repository.ts';
import { callsOf, durabilityFaults, farPeers, programsRun, type SystemCall, tracers } from './system-calls.ts';

const watched = [
  ...['execve', 'connect', 'fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'link', 'linkat'],
  ...['write', 'pwrite64', 'writev', 'pwritev'],
];

for (const { name: by, tracing } of tracers) {
  test(`whatever is asked about an evil repository, only git runs, nobody far is called, and what must last is written in order (${by}) (P51)`, async t => {
    const trace = temporaryFolder(t).path('daemon');
    const { tree, pwned } = evilRepository(t);
    const { through, env } = tracing(t, trace, watched);
    const home = temporaryHome(t, env);
    const daemon = await startDaemon(t, home, through);
    await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
    await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
    await ready(daemon);
    await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching !== 'off');
    const told = await askEverything(daemon);
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

const call = (name: string, words: string): SystemCall => ({ pid: 1, name, words, result: '0' });
const write = call('write', '3</s/x.tmp>, "text", 4');
const sync = call('fsync', '3</s/x.tmp>');
const rename = call('rename', '"/s/x.tmp", "/s/x"');
const syncFolder = call('fsync', '4</s>');

test('an order that a power cut breaks is told', () => {
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
});
