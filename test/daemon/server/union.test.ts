import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { addRepo, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { languageServer } from '../../support/language-server.ts';
import { afterAll, type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** A language server that answers what a file beside it says: places in the tree, or in which way to fail. */
const script = languageServer(`
  if (method === 'exit') process.exit(0);
  const slow = fs.existsSync(__dirname + '/slow');
  if (method === 'initialize' && slow) return hold(() => send({ id, result: {} }));
  if (method !== 'textDocument/references') return id === undefined ? undefined : send({ id, result: {} });
  const said = JSON.parse(fs.readFileSync(__dirname + '/said.json', 'utf8'));
  if (said === 'refuses') return send({ id, error: { code: -32803, message: 'secret' } });
  if (said === 'leaves') process.exit(3);
  const at = ([path, line, from, to]) => ({
    uri: root + '/' + path,
    range: { start: { line: line - 1, character: from - 1 }, end: { line: line - 1, character: to - 1 } },
  });
  send({ id, result: said.map(at) });
  function hold(go) { fs.existsSync(__dirname + '/slow') ? setTimeout(hold, 20, go) : go(); }
`);

const tree = `
  -- src/a.ts --
  export function turn() { return 1 }
  -- src/b.ts --
  import { turn } from './a'
  function mill(wheel) {
    wheel.turn()
    return turn()
  }
  const late = registry['turn']
  -- test/b.test.ts --
  run(registry['turn'])
`;

type Said = 'refuses' | 'leaves' | readonly (readonly [path: string, line: number, from: number, to: number])[];

/** A daemon with one language server, and the folder of that. */
async function milled(test: Cleanup, more = '') {
  const server = temporaryFolder(test);
  server.write('server.cjs', script);
  const home = temporaryHome(test);
  const command = JSON.stringify([process.execPath, server.path('server.cjs')]);
  home.configure(`[lsp.servers.mill]\ncommand = ${command}\nlanguages = ["typescript"]\n${more}`);
  return { ...(await startDaemon(test, home)), server };
}

/** Most tests share a daemon: each leaves it without a repository. */
const shared = await milled(afterAll);

async function place(t: Cleanup, daemon = shared) {
  const { client, home, server } = daemon;
  const work = gitRepository(t, tree);
  await addRepo(t, daemon, { root: work.root, id: 'app' });
  await until('it is indexed and watched', async () => {
    const { status, watching, pendingChanges } = (await client.daemon.listRepos({})).repos[0]!;
    return status === 'ready' && watching !== 'off' && pendingChanges === 0;
  });
  const say = (said: Said) => server.write('said.json', JSON.stringify(said));
  const ask = (more: object = {}) =>
    client.symbols.refs({ repo: 'app', id: 'turn', sync: true, merge: 'union', ...more });
  return { client, home, work, say, ask, server };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof place>>['ask']>>;

const rowsOf = ({ references }: Answer) =>
  references.map(({ location: { file, line, column }, source, kind }) => `${file}:${line}:${column} ${source} ${kind}`);
const enclosingOf = ({ references }: Answer) => references.map(({ enclosingSymbol }) => enclosingSymbol?.name ?? '');

const bySyntax = ['src/b.ts:1:10 tree-sitter import', 'src/b.ts:4:10 tree-sitter call'];
const everywhere: Said = [
  ['src/a.ts', 1, 17, 21],
  ['src/b.ts', 4, 10, 14],
  ['src/b.ts', 3, 9, 13],
  ['src/b.ts', 6, 24, 28],
  ['src/b.ts', 6, 24, 28],
  ['src/b.ts', 6, 90, 94],
  ['src/none.ts', 1, 1, 5],
  ['test/b.test.ts', 1, 14, 18],
];

test('merge=union adds what a language server names, each place once and in order, each with who says so', async t => {
  const { client, ask, say } = await place(t);
  await client.daemon.trustRepo({ id: 'app' });
  say(everywhere);
  const answer = await ask();
  assert.deepEqual(rowsOf(answer), [
    bySyntax[0],
    'src/b.ts:3:9 lsp call',
    bySyntax[1],
    'src/b.ts:6:24 lsp reference',
    'test/b.test.ts:1:14 lsp read',
  ]);
  assert.deepEqual(enclosingOf(answer), ['', 'mill', 'mill', 'late', '']);
  assert.deepEqual([answer.total, answer.hasMore, answer.warnings], [5, false, undefined]);
  const tests = await ask({ includeTests: false, includeDefinition: true });
  assert.equal(rowsOf(tests)[0], 'src/a.ts:1:17 tree-sitter definition');
  assert.deepEqual([tests.total, rowsOf(tests).some(row => row.startsWith('test/'))], [5, false]);
  const first = await ask({ limit: 2 });
  const second = await ask({ limit: 3, cursor: first.cursor! });
  assert.deepEqual([...rowsOf(first), ...rowsOf(second)], rowsOf(answer));
  assert.deepEqual([first.hasMore, second.hasMore, second.total], [true, false, 5]);
  const alone = await ask({ merge: 'prefer-first' });
  assert.deepEqual(rowsOf(alone).slice(0, 2), bySyntax);
  assert.ok(rowsOf(alone).every(row => !row.includes(' lsp ')));
});

test('a place that says more or less of a name than the list is the same place, and the definition’s is no reference', async t => {
  const { client, ask, say } = await place(t);
  await client.daemon.trustRepo({ id: 'app' });
  say([
    ['src/a.ts', 1, 8, 24],
    ['src/a.ts', 1, 1, 35],
    ['src/b.ts', 4, 3, 16],
    ['src/b.ts', 4, 11, 13],
    ['src/b.ts', 3, 3, 13],
  ]);
  const answer = await ask();
  assert.deepEqual(rowsOf(answer), [bySyntax[0], 'src/b.ts:3:3 lsp reference', bySyntax[1]]);
  const whole = await ask({ includeDefinition: true });
  assert.deepEqual(rowsOf(whole), ['src/a.ts:1:17 tree-sitter definition', ...rowsOf(answer)]);
});

test('a place that begins inside of a word is of another version of the file, and left out', async t => {
  const { client, ask, say } = await place(t);
  await client.daemon.trustRepo({ id: 'app' });
  say([
    ['src/b.ts', 6, 25, 28],
    ['src/b.ts', 2, 12, 16],
    ['src/b.ts', 6, 24, 28],
  ]);
  assert.deepEqual(rowsOf(await ask()), [...bySyntax, 'src/b.ts:6:24 lsp reference']);
});

test('a server that may not be asked, fails or knows another file costs a warning, and no row', async t => {
  const { client, home, work, ask, say } = await place(t);
  say(everywhere);
  const told = async (): Promise<string> => {
    const answer = await ask();
    assert.deepEqual(rowsOf(answer).slice(0, 2), bySyntax);
    assert.ok(rowsOf(answer).every(row => !row.includes(' lsp ')));
    assert.deepEqual(
      answer.warnings?.map(({ code, backend }) => [code, backend]),
      [['PARTIAL_RESULT', 'lsp']],
    );
    return answer.warnings![0]!.message;
  };
  assert.match(await told(), /not trusted \(svc repo trust app\)/);
  await client.daemon.trustRepo({ id: 'app' });
  for (const [said, words] of [
    ['refuses', /^mill refused textDocument\/references: it could not do it$/],
    ['leaves', /^mill ended$/],
  ] as const) {
    say(said);
    assert.match(await told(), words);
  }
  const health = async () => {
    const [ready, status, detailed, { checks }] = await Promise.all([
      client.system.ready({}),
      client.system.status({ repo: 'app' }),
      client.system.healthDetailed({}),
      client.system.doctor({}),
    ]);
    const { message } = checks.find(({ name }) => name === 'language-servers')!;
    const found = [ready.backends.lsp, status.backends.lsp, detailed.backends.lsp.available];
    assert.equal(new Set(found).size, 1, 'no answer contradicts another');
    return [found[0], message];
  };
  assert.deepEqual(await health(), [false, 'mill ended, when it was last asked about a repository']);
  say([]);
  assert.equal((await ask()).warnings, undefined);
  const [isWell, words] = await health();
  assert.equal(isWell, true);
  assert.match(String(words), /^mill answers in /);
  const shown = await svc(home, ['refs', 'turn', '--merge', 'union', '--repo', 'app'], work.root);
  assert.match(shown.stdout, /^src\/b\.ts:4:10 +call +1 +tree-sitter +mill +return turn\(\)$/m);
  assert.equal((await svc(home, ['refs', 'turn', '--merge', 'both'], work.root)).code, 2);
});

test('a server that is late leaves the answer to the index, goes on by itself, and has its say when asked again', async t => {
  const { client, ask, say, server } = await place(t, await milled(t, '[limits]\nquery_seconds = 15\n'));
  await client.daemon.trustRepo({ id: 'app' });
  say(everywhere);
  server.write('slow', '');
  const late = await ask();
  assert.ok(rowsOf(late).every(row => !row.includes(' lsp ')));
  assert.deepEqual(
    late.warnings?.map(({ message }) => message),
    ['mill is still starting after 5 s, so that this answer is without what it knows: ask again in a moment'],
  );
  server.remove('slow');
  await until('it has its say', async () => rowsOf(await ask()).some(row => row.includes(' lsp ')));
});

test('what servers say hangs on more than the index: such answers carry no ETag', async t => {
  const { home, ask } = await place(t);
  const { symbolId } = await ask();
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const etagOf = async (merge: string) => {
    const answer = await fetch(`${url}/refs/${encodeURIComponent(symbolId)}?merge=${merge}`, { headers });
    await answer.text();
    return [answer.status, answer.headers.get('etag') !== null];
  };
  assert.deepEqual(await etagOf('union'), [200, false]);
  assert.deepEqual(await etagOf('prefer-first'), [200, true]);
  assert.deepEqual(await etagOf('all'), [400, false]);
});
