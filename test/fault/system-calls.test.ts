import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { type OperationName, operationNames, operations } from '../../client/protocol/registry.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, svcProgram, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { evilRepository } from './evil-repository.ts';
import {
  callsOf,
  canTrace,
  durabilityFaults,
  farPeers,
  programsRun,
  type SystemCall,
  tracing,
} from './system-calls.ts';

const watched = [
  ...['execve', 'connect', 'fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'link', 'linkat'],
  ...['write', 'pwrite64', 'writev', 'pwritev'],
];

/** What ends the daemon or the repository, or never ends. */
const notDriven: readonly OperationName[] = ['daemon.stop', 'daemon.removeRepo', 'daemon.events', 'daemon.addRepo'];

/** Asks everything that there is, on the socket and over HTTP; gives every word of the answers. */
async function askEverything({ caller, home }: TestDaemon): Promise<string> {
  const told: string[] = [];
  const { url } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}` };
  for (const name of operationNames) {
    if (notDriven.includes(name)) continue;
    const { example, scope, http } = operations[name];
    const input = { ...example?.input, ...(scope === 'repository' ? { repo: 'app' } : {}) };
    told.push(JSON.stringify(await caller.call(name, input as never).catch((error: unknown) => String(error))));
    if (http === undefined || http.method !== 'GET' || http.path.includes(':')) continue;
    const reply = await fetch(`${url}${http.path}${scope === 'repository' ? '?repo=app' : ''}`, { headers });
    told.push(await reply.text());
  }
  for (const q of ['a', 'root', 'x:0:0']) {
    for (const repoStateMode of ['full', 'head'] as const) {
      told.push(
        JSON.stringify(
          await caller.call('symbols.search', { q, repo: 'app', repoStateMode, sync: repoStateMode === 'full' }),
        ),
      );
    }
  }
  return told.join('\n');
}

test('whatever is asked about an evil repository, only git runs, nobody far is called, and what must last is written in order', {
  skip: !canTrace,
  timeout: 120_000,
}, async t => {
  const traces = temporaryFolder(t);
  const { tree, pwned } = evilRepository(t);
  const home = temporaryHome(t);
  const daemon = await startDaemon(t, home, tracing(traces.path('daemon'), watched));
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await until('it is watched', async () => (await daemon.client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const told = await askEverything(daemon);
  tree.write('a.ts', 'export const changed = 4;\n');
  await daemon.client.symbols.search({ q: 'changed', repo: 'app', sync: true });
  await daemon.client.indexing.index({ repo: 'app', force: true });
  assert.equal(await daemon.stop(), 0);

  await until('the trace is whole', () => readFileSync(traces.path('daemon'), 'utf8').includes('daemon.stopped'));
  const calls = callsOf(readFileSync(traces.path('daemon'), 'utf8'));
  assert.deepEqual([...programsRun(calls)].sort(), ['git', 'node'], 'node is the daemon itself');
  assert.equal(calls.filter(({ name, words }) => name === 'execve' && words.includes('"node"')).length <= 1, true);
  assert.deepEqual(farPeers(calls), []);
  assert.deepEqual(pwned(), []);
  assert.ok(!told.includes('root:x:'), 'no word of /etc/passwd');
  for (const folder of [home.places.state, home.places.runtime]) assert.deepEqual(durabilityFaults(calls, folder), []);
  const replaced = calls.filter(({ name }) => /^rename|^link/.test(name)).map(({ words }) => words);
  for (const file of ['token', 'daemon.json', 'daemon.db.backup']) {
    assert.ok(
      replaced.some(words => words.includes(`/${file}"`)),
      `${file} was written`,
    );
  }
});

test('a command calls nobody far', { skip: !canTrace }, t => {
  const traces = temporaryFolder(t);
  const file = traces.path('command');
  // Without `-f` and `-D`: the command's own thread alone, for the daemon that it starts outlives it.
  const words = ['-qq', '-s', '256', '-e', 'trace=execve,connect', '-o', file, process.execPath, svcProgram, 'health'];
  assert.equal(spawnSync('strace', words, { env: temporaryHome(t).env }).status, 0);
  const calls = callsOf(readFileSync(file, 'utf8').replaceAll(/^/gm, '1 '));
  assert.ok(calls.some(({ name, words: to }) => name === 'connect' && to.includes('.sock')));
  assert.deepEqual(farPeers(calls), []);
});

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
