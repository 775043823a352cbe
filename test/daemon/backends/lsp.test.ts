import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createLsp, type LspQuestion } from '../../../daemon/backends/lsp.ts';
import type { LanguageServer } from '../../../daemon/backends/lsp-table.ts';
import { until } from '../../support/daemon.ts';
import { languageServer } from '../../support/language-server.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** A language server of few words: it notes what it is told, and how it was begun decides how it answers. */
const script = languageServer(`
  const [mode, log] = process.argv.slice(2);
  const note = words => fs.appendFileSync(log, words + '\\n');
  const range = line => ({ start: { line, character: 0 }, end: { line, character: 3 } });
  if (method === 'initialize') note('pid ' + process.pid);
  note(method === undefined ? 'answer ' + JSON.stringify(result) : method);
  if (mode === 'silent') return;
  if (method === 'initialize') {
    if (mode === 'garbage') return process.stdout.write('Content-Length: x\\r\\n\\r\\n');
    if (mode === 'leaves') {
      fs.writeSync(2, 'error: no such component\\n\\u001b[1mto install, run \\u0007this\\u001b[0m' + '!'.repeat(300) + '\\n\\n');
      process.exit(3);
    }
    if (mode === 'homesick' && root.endsWith('/tree') && !fs.existsSync(log + '.well')) process.exit(3);
    if (mode === 'refuses') return send({ id, error: { code: 1, message: 'secret' } });
    send({ id: 'theirs', method: 'workspace/configuration', params: { items: [{}, {}] } });
    send({ id, result: { capabilities: {}, serverInfo: { name: 'x', version: '7.1' } } });
  }
  if (method === 'textDocument/didOpen') {
    const say = kind => send({ method: '$/progress', params: { token: 't', value: { kind } } });
    send({ id: 'token', method: 'window/workDoneProgress/create', params: { token: 't' } });
    say('begin');
    const end = () => (fs.existsSync(log + '.slow') ? setTimeout(end, 20) : (note('loaded'), say('end')));
    setTimeout(end, 200);
    note(params.textDocument.languageId + ' ' + params.textDocument.text.length);
  }
  if (method === 'textDocument/references' && (mode !== 'mute' || fs.existsSync(log + '.well'))) {
    const at = line => ({ uri: root + '/b.ts', range: range(line) });
    send({ id, result: [at(params.position.line + 1), at(9), { uri: 'file:///etc/passwd', range: range(0) }, { uri: 5 }, at(-1), null] });
  }
  if (method === 'shutdown') send({ id, result: null });
  if (method === 'exit') process.exit(0);
`);

function lspWith(t: TestContext, modes: readonly string[]) {
  const folder = temporaryFolder(t, '-- tree/a.ts --\nexport const one = 1\n\n\n\none\n-- log --\n');
  folder.write('server.cjs', script);
  let nowMs = 0;
  const lsp = createLsp({
    servers: () =>
      modes.map(mode => ({
        name: mode,
        command: [process.execPath, folder.path('server.cjs'), mode, folder.path('log')],
        languages: ['typescript'],
        ...(mode === 'leaves' ? { install: 'install leaves' } : {}),
      })),
    environment: { PATH: process.env['PATH'] },
    scratchFolder: folder.path('scratch'),
    nowMs: () => nowMs,
  });
  t.after(() => lsp.close());
  const { signal } = new AbortController();
  const question: LspQuestion = {
    root: folder.path('tree'),
    path: 'a.ts',
    language: 'typescript',
    position: { line: 0, character: 13 },
    name: 'one',
    longestMs: 60_000,
    signal,
  };
  const log = () => readFileSync(folder.path('log'), 'utf8').trim().split('\n');
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { lsp, question, log, folder, later };
}

test('a server is greeted in an empty folder, seen off, and asked again when that was long ago', async t => {
  const { lsp, log, folder, later } = lspWith(t, ['good']);
  const [good] = await lsp.health(60_000);
  assert.deepEqual(
    { ...good, latencyMs: 0 },
    {
      ...{ name: 'good', languages: ['typescript'], isConfigured: false, isPending: false },
      ...{ available: true, latencyMs: 0, version: '7.1', problem: undefined },
    },
  );
  const greeting = log().slice(1);
  assert.deepEqual(
    [...greeting].sort(),
    ['answer [null,null]', 'exit', 'initialize', 'initialized', 'shutdown'].sort(),
  );
  assert.deepEqual(readdirSync(folder.path('scratch')), []);
  await lsp.health(60_000);
  assert.equal(log().length, 6);
  later(600_001);
  await lsp.health(60_000);
  assert.equal(log().length, 12);
});

test('one that refuses, leaves, or talks nonsense is not available, whatever the others do', async t => {
  const { lsp, folder } = lspWith(t, ['refuses', 'garbage', 'leaves', 'good']);
  const told = await lsp.health(60_000);
  assert.deepEqual(
    told.map(({ name, available, problem }) => [name, available, problem]),
    [
      ['refuses', false, 'refuses refused initialize: error 1'],
      ['garbage', false, 'garbage does not keep to the protocol'],
      [
        'leaves',
        false,
        `leaves ended: ${'to install, run this'.padEnd(199, '!')}…; is it installed whole? install leaves`,
      ],
      ['good', true, undefined],
    ],
  );
  assert.deepEqual(readdirSync(folder.path('scratch')), []);
});

test('a silent one is given up by whoever asks, and its processes end with us', async t => {
  const { lsp, question, log } = lspWith(t, ['silent']);
  const asked = new AbortController();
  const answer = lsp.references({ ...question, signal: asked.signal });
  await until('it has been greeted', () => log().includes('initialize'));
  asked.abort();
  await assert.rejects(answer, { name: 'LspFailed', reason: 'cancelled', message: 'silent is still starting' });
  const pid = Number(log()[0]!.slice(4));
  await lsp.close();
  await until('it is gone', () => isGone(pid));
});

test('one in a tree that is trusted no more ends at once, whoever waits for it', async t => {
  const { lsp, question, log } = lspWith(t, ['silent']);
  const asked = lsp.references(question);
  await until('it is asked', () => log().includes('initialize'));
  lsp.endIn('/another');
  lsp.endIn(question.root);
  const message = 'silent was ended: the repository is not trusted any more';
  await assert.rejects(asked, { name: 'LspFailed', reason: 'ended', message });
  const pid = Number(log()[0]!.slice(4));
  await until('it has gone', () => isGone(pid));
});

test('one that is reading the project when nobody waits any more reads on, with the file open, for the next who asks', async t => {
  const { lsp, question, log, folder } = lspWith(t, ['good']);
  folder.write('log.slow', '');
  const asked = new AbortController();
  const answer = lsp.references({ ...question, signal: asked.signal });
  await until('it reads', () => log().includes('typescript 28'));
  asked.abort();
  await assert.rejects(answer, { reason: 'cancelled', message: 'good is still reading the project' });
  const again = lsp.references(question);
  folder.remove('log.slow');
  assert.equal((await again).length, 2);
  const files = () => log().filter(line => /didOpen|didClose|^initialize$|loaded/.test(line));
  await until('the file is closed', () => files().length === 4);
  assert.deepEqual(files(), ['initialize', 'textDocument/didOpen', 'loaded', 'textDocument/didClose']);
});

test('references come from one server for all questions about a tree; what lies outside is left out', async t => {
  const { lsp, question, log } = lspWith(t, ['good']);
  const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 3 } });
  assert.deepEqual(await lsp.references(question), [
    { path: 'b.ts', ...range(1) },
    { path: 'b.ts', ...range(9) },
  ]);
  const kinds = log().filter(line => ['loaded', 'textDocument/references'].includes(line));
  assert.deepEqual(kinds, ['loaded', 'textDocument/references'], 'asked once it has read the project');
  const again = await lsp.references({ ...question, position: { line: 4, character: 0 } });
  assert.deepEqual(again[0], { path: 'b.ts', ...range(5) });
  assert.equal(log().filter(line => line === 'initialize').length, 1);
  assert.equal(log().filter(line => line === 'typescript 28').length, 2);
  await assert.rejects(lsp.references({ ...question, language: 'cobol' }), { reason: 'missing' });
  const pid = Number(log()[0]!.slice(4));
  process.kill(pid, 'SIGKILL');
  await until('its end is noticed', async () => (await lsp.references(question).catch(() => [])).length === 2);
  assert.equal(log().filter(line => line === 'initialize').length, 2);
  await lsp.close();
  assert.equal(log().at(-1), 'exit');
});

test('questions that come at once are one server’s, the first as well as those behind its end', async t => {
  const { lsp, question, log } = lspWith(t, ['good']);
  const pids = () => log().flatMap(line => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
  const atOnce = () => Promise.all([question, question, question].map(one => lsp.references(one)));
  for (const answer of await atOnce()) assert.equal(answer.length, 2);
  assert.equal(pids().length, 1);
  process.kill(pids()[0]!, 'SIGKILL');
  await until('its end is noticed', async () => (await atOnce().catch(() => [])).length === 3);
  assert.equal(pids().length, 2);
  await lsp.close();
  await until('all are gone', () => pids().every(isGone));
});

test('of five trees that are asked about at once four keep their servers, and none is left behind', async t => {
  const { lsp, question, log, folder } = lspWith(t, ['good']);
  const roots = ['1', '2', '3', '4', '5'].map(name => {
    folder.write(`${name}/a.ts`, 'export const one = 1\n');
    return folder.path(name);
  });
  await Promise.allSettled(roots.map(root => lsp.references({ ...question, root })));
  const pids = () => log().flatMap(line => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
  await until('one has made room', () => pids().filter(pid => !isGone(pid)).length <= 4);
  await lsp.close();
  await until('all are gone', () => pids().every(isGone));
  assert.deepEqual(readdirSync(folder.path('scratch')), []);
});

test('one that fails when it is asked about a tree is not available until it answers, whatever it said to its greeting', async t => {
  const { lsp, question, folder, later } = lspWith(t, ['homesick']);
  const told = async () => {
    const [health] = await lsp.health(60_000);
    return [health!.available, health!.problem];
  };
  const failing = [false, 'homesick ended, when it was last asked about a repository'];
  assert.deepEqual(await told(), [true, undefined]);
  await assert.rejects(lsp.references(question), { reason: 'ended' });
  assert.deepEqual(await told(), failing);
  later(600_001);
  assert.deepEqual(await told(), [true, undefined], 'what was long ago is not held against it');
  await assert.rejects(lsp.references(question), { reason: 'ended' });
  assert.deepEqual(await told(), failing);
  folder.write('log.well', '');
  await lsp.references(question);
  assert.deepEqual(await told(), [true, undefined]);
  await lsp.close();
});

test('one that leaves a question without an answer is not available until it answers one; whoever left says nothing of it', async t => {
  const { lsp, question, log, folder } = lspWith(t, ['mute']);
  const told = async () => {
    const [health] = await lsp.health(60_000);
    return [health!.available, health!.isPending, health!.problem];
  };
  const left = new AbortController();
  const answer = lsp.references({ ...question, signal: left.signal });
  await until('it is asked', () => log().includes('loaded'));
  left.abort();
  await assert.rejects(answer, { reason: 'cancelled' });
  assert.deepEqual(await told(), [true, false, undefined]);
  await assert.rejects(lsp.references({ ...question, longestMs: 50 }), { reason: 'late' });
  assert.deepEqual(await told(), [false, false, 'mute has not answered, when it was last asked about a repository']);
  folder.write('log.well', '');
  await lsp.references(question);
  assert.deepEqual(await told(), [true, false, undefined]);
  await lsp.close();
});

test('one that is still starting when time is up is told as such, and a silent one holds up nobody’s greeting', async t => {
  const { lsp, question, folder } = lspWith(t, ['silent', 'leaves']);
  await until('the other has been greeted', async () => {
    const [silent, leaves] = await lsp.health(1);
    assert.match(silent!.problem!, /^silent has not answered its greeting yet/);
    return leaves!.problem?.startsWith('leaves ended') === true;
  });
  await assert.rejects(lsp.references({ ...question, longestMs: 1 }), {
    ...{ reason: 'late', message: 'silent is still starting' },
  });
  const [silent] = await lsp.health(1);
  assert.deepEqual([silent!.isPending, silent!.problem], [true, 'silent is still starting: ask again in a moment']);
  await lsp.close();
  await allLeft(folder);
});

test('what is not installed is told of where it was configured; whoever is slow is told as such; others may be named later', async t => {
  const { folder } = lspWith(t, []);
  const command = [process.execPath, folder.path('server.cjs')];
  const server = { command: ['no-such-server'], languages: ['go'] };
  let servers: readonly LanguageServer[] = [
    { ...server, name: 'found' },
    { ...server, name: 'mine', isConfigured: true },
    { ...server, name: 'slow', command: [...command, 'silent', folder.path('log')] },
  ];
  const lsp = createLsp({
    servers: () => servers,
    environment: { PATH: folder.root },
    scratchFolder: folder.path('scratch'),
    nowMs: () => 0,
  });
  t.after(() => lsp.close());
  const told = async (longestMs: number) =>
    (await lsp.health(longestMs)).map(({ name, isPending, problem }) => [name, isPending, problem]);
  assert.deepEqual(await told(1), [
    [
      'mine',
      false,
      'mine is configured and missing: there is no program no-such-server; install it, or correct lsp.servers.mine',
    ],
    ['slow', true, 'slow has not answered its greeting yet: ask again in a moment'],
  ]);
  servers = [{ ...server, name: 'good', command: [...command, 'good', folder.path('log')] }];
  assert.deepEqual(await told(60_000), [['good', false, undefined]]);
  await allLeft(folder);
});

/** A greeting that was given up is seen off by itself. */
function allLeft(folder: ReturnType<typeof temporaryFolder>): Promise<unknown> {
  return until('no server is left', () => readdirSync(folder.path('scratch')).length === 0);
}

function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
