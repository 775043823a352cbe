import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { test } from 'node:test';
import type { Fault } from '../../../client/protocol/faults.ts';
import { configKeys } from '../../../daemon/config-schema.ts';
import { createRepositories } from '../../../daemon/server/repositories.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { startDaemon, type TestDaemon, temporaryHome } from '../../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { type RpcReply, request, wire } from '../../support/rpc-wire.ts';

const absent = `svc:none:sym:${'0'.repeat(32)}`;

/** Well-formed requests that ask for what can't be: what they are told, and which field is named. */
const refused: readonly (readonly [method: string, params: object, code: number, field?: string])[] = [
  ['symbols.search', {}, -32602, 'q'],
  ['symbols.search', { q: '' }, -32602, 'q'],
  ['symbols.search', { q: '  ' }, -32602, 'q'],
  ['symbols.search', { q: 7 }, -32602, 'q'],
  ['symbols.search', { q: 'x'.repeat(1025) }, -32602, 'q'],
  ['symbols.search', { q: 'a\0b' }, -32602, 'q'],
  ['symbols.search', { q: 'x', limt: 1 }, -32602, 'limt'],
  ['symbols.search', { q: 'x', __proto__x: 1 }, -32602, '__proto__x'],
  ['symbols.search', JSON.parse('{"q":"x","__proto__":{"limit":1}}'), -32602, '__proto__'],
  ['symbols.search', { q: 'x', limit: 0 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: -1 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: 1.5 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: '3' }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: 10_001 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', kinds: ['klass'] }, -32602, 'kinds[0]'],
  ['symbols.search', { q: 'x', kinds: [] }, -32602, 'kinds'],
  ['symbols.search', { q: 'x', repoStateMode: 'dirty' }, -32602, 'repoStateMode'],
  ['symbols.search', { q: 'x', sync: 'true' }, -32602, 'sync'],
  ['symbols.search', { q: 'x', cursor: 'AAAA' }, -32602, 'cursor'],
  ['symbols.search', { q: 'x', repo: 'none' }, -32004],
  ['symbols.search', { q: 'x', repo: '' }, -32602, 'repo'],
  ['symbols.get', { id: absent }, -32004],
  ['symbols.get', { id: 'svc:app:sym:0' }, -32602],
  ['symbols.get', { id: `svc:app:sym:${'0'.repeat(32)}`, repo: 'none' }, -32004],
  ['symbols.refs', { id: 'beta', includeTests: 'yes' }, -32602, 'includeTests'],
  ['symbols.search', { q: 'x', deadlineMs: -1 }, -32602],
  ['symbols.search', { q: 'x', deadlineMs: '5' }, -32602],
  ['jobs.get', { id: 'none' }, -32004],
  ['jobs.cancel', { id: 'none' }, -32004],
  ['jobs.list', { status: 'done' }, -32602, 'status'],
  ['indexing.index', { language: 'cobol' }, -32602, 'language'],
  ['indexing.index', { language: 'go', force: true }, -32602, 'language'],
  ['indexing.index', { force: true, deadlineMs: 1 }, -32008],
  ['daemon.addRepo', { root: 'src' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/', id: 'UPPER' }, -32602, 'id'],
  ['daemon.removeRepo', { id: 'none' }, -32004],
  ['daemon.openListener', { host: '', port: 65_536 }, -32602, 'host'],
  ['daemon.events', {}, -32001],
  ['events.unsubscribe', { subscription: 1 }, -32004],
  ['events.unsubscribe', { subscription: 'none' }, -32004],
  ['events.subscribe', { subscription: 'first' }, -32602],
  ['events.subscribe', { subscription: '' }, -32602],
  ['events.subscribe', { subscription: 'x'.repeat(129) }, -32602],
  ['events.subscribe', { subscription: 'a\u001bb' }, -32602],
  ['events.subscribe', { subscription: 7 }, -32602],
  ['events.subscribe', { types: 'all' }, -32602],
  ['events.subscribe', { types: [1] }, -32602],
  ['events.subscribe', { after: 1.5 }, -32602],
  ['events.subscribe', { since: 1 }, -32602],
  ...[0, 99, '1', 1.5, -1, null, [1]].map(protocol => {
    return ['initialize', { client: 'x', version: '1', protocol }, -32006] as const;
  }),
  ...[0, -1, 1.5, 2 ** 53, 86_400_001, '5', null, [1], {}].map(deadlineMs => {
    return ['jobs.list', { deadlineMs }, -32602] as const;
  }),
  ...[{}, [], true].map(workDoneToken => ['jobs.list', { workDoneToken }, -32602] as const),
  // No operation has a place in a text, as editors have: such fields are named like any other that is not there.
  ...[-1, 1, 1e9].map(line => ['symbols.get', { id: 'alpha', line }, -32602, 'line'] as const),
  ['symbols.get', { id: 'alpha', column: 1000 }, -32602, 'column'],
  ...['http://host/x', 'file://host/x', 'file:///%00', 'file:///a/%2e%2e/b'].map(uri => {
    return ['symbols.get', { id: 'alpha', uri }, -32602, 'uri'] as const;
  }),
  ['symbols.get', { id: 'a\0b' }, -32602, 'id'],
  ['symbols.get', {}, -32602, 'id'],
  ['symbols.get', { id: ['alpha'] }, -32602, 'id'],
  ['symbols.refs', { id: 'alpha', limit: '500' }, -32602, 'limit'],
  ['symbols.refs', { id: 'alpha', merge: 'both' }, -32602, 'merge'],
  ['jobs.list', { limit: 0 }, -32602, 'limit'],
  ['jobs.list', { limit: 2 ** 53 }, -32602, 'limit'],
  ['analysis.architecture', { granularity: 'galaxy' }, -32602, 'granularity'],
  ['analysis.architecture', { depth: -1 }, -32602, 'depth'],
  ['analysis.impact', { id: 'alpha', depth: 11 }, -32602, 'depth'],
  ['analysis.unwired', { minConfidence: 1.5 }, -32602, 'minConfidence'],
  ['analysis.complexity', { path: '../../etc/passwd' }, -32602, 'path'],
  ['analysis.complexity', { path: '/etc/passwd' }, -32602, 'path'],
  ['analysis.complexity', { path: 'a\0b' }, -32602, 'path'],
  ['analysis.complexity', { path: 'a.ts', sortBy: 'name' }, -32602, 'sortBy'],
  ['hotspots.list', { days: 36_501 }, -32602, 'days'],
  ['ownership.drift', { threshold: 2 }, -32602, 'threshold'],
  ['pr.summary', { baseBranch: '--output=/x', headBranch: 'main' }, -32602, 'baseBranch'],
  ['federation.sync', { name: 'app', repoIds: [null] }, -32602, 'repoIds[0]'],
  ['federation.status', { name: 'none' }, -32004],
  ['system.doctor', { tier: 'ultra' }, -32602, 'tier'],
  ['indexServer.files', { repo: 'none' }, -32004],
  ['daemon.trustRepo', { id: 'none' }, -32004],
  ['daemon.addRepo', {}, -32602, 'root'],
  ['daemon.addRepo', { root: 7 }, -32602, 'root'],
  ['daemon.addRepo', { root: '' }, -32602, 'root'],
  ['daemon.addRepo', { root: '~' }, -32602, 'root'],
  ['daemon.addRepo', { root: 'file:///tmp' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/tmp\0x' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/no/such/folder' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/dev/null' }, -32602, 'root'],
];

/** Places that no repository may be at, by what is there. */
function badRoots(
  context: Cleanup,
  { places }: TestDaemon['home'],
): readonly (readonly [what: string, root: string])[] {
  const folder = temporaryFolder(
    context,
    `
    -- file --
    text
    -- link -> / --`,
  );
  execFileSync('mkfifo', [folder.path('fifo')]);
  const bare = temporaryFolder(context);
  bare.git('init', '--quiet', '--bare', 'bare.git');
  const { root } = gitRepository(context, '-- a.ts --\n');
  return [
    ['a file', folder.path('file')],
    ['a FIFO', folder.path('fifo')],
    ['a link to all there is', folder.path('link')],
    ['the folder of the state', places.state],
    ['the folder of the indexes', `${places.data}/repos`],
    ['the folder of the socket', places.runtime],
    ['git’s own folder', `${root}/.git`],
    ['a bare repository', bare.path('bare.git')],
  ];
}

test('each wrong question has its code and its field, and the daemon goes on', async context => {
  const daemon = await startDaemon(context);
  const line = wire(await daemon.connect());
  const { root } = gitRepository(context, '-- a.ts --\nexport const alpha = 1;\n');
  // The second one is read before the first index can be there.
  line.send(
    request('add', 'daemon.addRepo', { root, id: 'app' }),
    request('early', 'symbols.search', { q: 'a', sync: true }),
  );
  const early = [(await line.next()) as RpcReply, (await line.next()) as RpcReply].find(({ id }) => id === 'early');
  assert.deepEqual([early?.error?.code, early?.error?.data?.['reason']], [-32002, 'notReady']);
  await line.ask(request('index', 'indexing.index', { force: true }));
  assert.ok('result' in (await line.ask(request('s', 'events.subscribe', { subscription: 'first', types: [] }))));
  for (const [method, params, code, field] of refused) {
    const told = `${method} ${JSON.stringify(params).slice(0, 100)}`;
    const { error, id } = await line.ask(request('q', method, params));
    assert.deepEqual([id, error?.code], ['q', code], told);
    const problems = (error?.data?.['details'] as { problems?: { path: string }[] } | null)?.problems;
    if (field !== undefined) assert.ok(problems?.some(({ path }) => path === field) ?? false, JSON.stringify(error));
  }
  for (const [what, folder] of badRoots(context, daemon.home)) {
    const { error } = await line.ask(request('q', 'daemon.addRepo', { root: folder }));
    assert.deepEqual([error?.code, error?.data?.['reason']], [-32602, 'invalidBody'], `${what}: ${error?.message}`);
  }
  const { result } = await line.ask(request('last', 'symbols.search', { q: 'alpha' }));
  assert.equal((result as { total: number }).total, 1);
});

test('a root that is somebody else’s is refused as such', context => {
  const { root } = temporaryFolder(context);
  const database = openDaemonDatabase(`${root}/daemon.db`);
  context.after(() => database.close());
  const repositories = createRepositories({
    ...{ database, reposFolder: `${root}/repos`, ownFolders: [], uid: lstatSync(root).uid + 1, limit: () => 10 },
    ...{ configuredDefault: () => '', now: () => new Date(), commonFolderOf: () => '' },
  });
  const refusal = thrown(() => repositories.add(temporaryFolder(context).root, undefined));
  assert.deepEqual([refusal.row.rpc, refusal.extras.details], [-32602, { reason: 'untrusted_owner' }]);
});

test('the 129th connection, the 257th subscription and a repository too many are told −32005 (P39)', async context => {
  const home = temporaryHome(context);
  home.configure('[limits]\nrepositories = 1\n');
  const daemon = await startDaemon(context, home);
  const [first, second] = [temporaryFolder(context).root, temporaryFolder(context).root];
  await daemon.client.daemon.addRepo({ root: first });
  // With the one of the client.
  const lines = await Promise.all(Array.from({ length: 127 }, async () => wire(await daemon.connect())));
  assert.deepEqual(
    (await wire(await daemon.connect()).rest()).map(({ error }) => error?.code),
    [-32005],
  );
  const line = lines[0]!;
  const { error } = await line.ask(request('r', 'daemon.addRepo', { root: second }));
  assert.deepEqual([error?.code, error?.data?.['reason']], [-32005, 'rateLimited']);
  line.send(...Array.from({ length: 257 }, (_, at) => request(at, 'events.subscribe', { types: ['none'] })));
  const told: RpcReply[] = [];
  while (told.length < 257) told.push((await line.next()) as RpcReply);
  assert.deepEqual(
    told.flatMap(({ id, error: refusal }) => (refusal === undefined ? [] : [[id, refusal.code]])),
    [[256, -32005]],
  );
  assert.ok('result' in (await lines.at(-1)!.ask(request('last', 'jobs.list'))), 'the others are served');
  const defaults = Object.fromEntries(configKeys.map(({ name, schema }) => [name, schema.default]));
  assert.deepEqual(
    [defaults['limits.repositories'], defaults['limits.requests_in_flight'], defaults['limits.backlog_bytes']],
    [1000, 64, 16 * 1024 * 1024],
  );
});

function thrown(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    return error as Fault;
  }
  assert.fail('nothing was refused');
}
