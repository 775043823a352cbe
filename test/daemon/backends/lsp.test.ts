import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createLsp, type LspQuestion } from '../../../daemon/backends/lsp.ts';
import { until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** A language server of few words: it notes what it is told, and how it was begun decides how it answers. */
const script = `
const fs = require('node:fs');
const { pathToFileURL } = require('node:url');
const [mode, log] = process.argv.slice(2);
const note = words => fs.appendFileSync(log, words + '\\n');
const send = message => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const whole = Buffer.concat([Buffer.from('Content-Type: x\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n'), body]);
  for (let at = 0; at < whole.length; at += 7) process.stdout.write(whole.subarray(at, at + 7));
};
let root;
let held = Buffer.alloc(0);
note('pid ' + process.pid);
process.stdin.on('data', chunk => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf('\\r\\n\\r\\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\\d+)/.exec(held.toString('latin1', 0, end))[1]);
    if (held.length < end + 4 + length) return;
    const message = JSON.parse(held.toString('utf8', end + 4, end + 4 + length));
    held = held.subarray(end + 4 + length);
    answer(message);
  }
});
const range = line => ({ start: { line, character: 0 }, end: { line, character: 3 } });
function answer({ id, method, params, result }) {
  note(method === undefined ? 'answer ' + JSON.stringify(result) : method);
  if (mode === 'silent') return;
  if (method === 'initialize') {
    root = params.rootUri;
    if (mode === 'garbage') return process.stdout.write('Content-Length: x\\r\\n\\r\\n');
    if (mode === 'leaves') process.exit(3);
    if (mode === 'refuses') return send({ id, error: { code: 1, message: 'secret' } });
    send({ id: 'theirs', method: 'workspace/configuration', params: { items: [{}, {}] } });
    send({ id, result: { capabilities: {}, serverInfo: { name: 'x', version: '7.1' } } });
  }
  if (method === 'textDocument/didOpen') {
    const say = kind => send({ method: '$/progress', params: { token: 't', value: { kind } } });
    send({ id: 'token', method: 'window/workDoneProgress/create', params: { token: 't' } });
    say('begin');
    setTimeout(() => { note('loaded'); say('end'); }, 200);
  }
  if (method === 'textDocument/didOpen') note(params.textDocument.languageId + ' ' + params.textDocument.text.length);
  if (method === 'textDocument/references') {
    const at = line => ({ uri: root + '/b.ts', range: range(line) });
    send({ id, result: [at(params.position.line + 1), at(9), { uri: 'file:///etc/passwd', range: range(0) }, { uri: 5 }, at(-1), null] });
  }
  if (method === 'shutdown') send({ id, result: null });
  if (method === 'exit') process.exit(0);
}
`;

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
    signal,
  };
  const log = () => readFileSync(folder.path('log'), 'utf8').trim().split('\n');
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { lsp, question, signal, log, folder, later };
}

test('a server is greeted in an empty folder, seen off, and asked again when that was long ago', async t => {
  const { lsp, signal, log, folder, later } = lspWith(t, ['good']);
  const [good] = await lsp.health(signal);
  assert.deepEqual(
    { ...good, latencyMs: 0 },
    { name: 'good', languages: ['typescript'], available: true, latencyMs: 0, version: '7.1', problem: undefined },
  );
  const greeting = log().slice(1);
  assert.deepEqual(
    [...greeting].sort(),
    ['answer [null,null]', 'exit', 'initialize', 'initialized', 'shutdown'].sort(),
  );
  assert.deepEqual(readdirSync(folder.path('scratch')), []);
  await lsp.health(signal);
  assert.equal(log().length, 6);
  later(600_001);
  await lsp.health(signal);
  assert.equal(log().length, 12);
});

test('one that refuses, leaves, or talks nonsense is not available, whatever the others do', async t => {
  const { lsp, signal, folder } = lspWith(t, ['refuses', 'garbage', 'leaves', 'good']);
  const told = await lsp.health(signal);
  assert.deepEqual(
    told.map(({ name, available, problem }) => [name, available, problem]),
    [
      ['refuses', false, 'the language server refused the question'],
      ['garbage', false, 'garbage does not keep to the protocol'],
      ['leaves', false, 'leaves ended'],
      ['good', true, undefined],
    ],
  );
  assert.deepEqual(readdirSync(folder.path('scratch')), []);
});

test('a silent one is given up by whoever asks, and its processes end', async t => {
  const { lsp, question, log } = lspWith(t, ['silent']);
  const asked = new AbortController();
  const answer = lsp.references({ ...question, signal: asked.signal });
  await until('it has been greeted', () => log().includes('initialize'));
  asked.abort();
  await assert.rejects(answer, { name: 'LspFailed', reason: 'cancelled' });
  const pid = Number(log()[0]!.slice(4));
  await until('it is gone', () => isGone(pid));
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

test('what is not installed is not asked', async t => {
  const { folder, signal } = lspWith(t, []);
  writeFileSync(folder.path('no-program'), '');
  const lsp = createLsp({
    servers: () => [{ name: 'none', command: ['no-such-server'], languages: ['go'] }],
    environment: { PATH: folder.root },
    scratchFolder: folder.path('scratch'),
    nowMs: () => 0,
  });
  t.after(() => lsp.close());
  assert.deepEqual(await lsp.health(signal), []);
});

function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
