import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../client/client.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { findOperation } from '../../client/protocol/registry.ts';
import { socketCaller } from '../../client/socket.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { svc, svcOnPath } from '../cli/command.ts';
import { ask } from './examples/content-length.ts';
import { openDaemon, search } from './examples/vscode-jsonrpc.ts';
import { placesIn, temporaryHome } from './peer.ts';

const env = { SVC_HTTP_ENABLED: 'false' };

/** A real daemon with one small repository, started through the command line; it ends with its home. */
async function withDaemon(test: TestContext) {
  const home = temporaryHome(test);
  const root = join(home, 'app');
  execFileSync('git', ['init', '-q', root]);
  writeFileSync(join(root, 'parse.ts'), 'export function parseConfig(text: string): string {\n  return text;\n}\n');
  const added = await svc(['index', root, '--json'], { home, env });
  assert.equal(added.code, 0, added.stderr);
  const places = placesIn(home);
  const { socket } = readDaemonRecord(places)!;
  return { home, root, places, socket };
}

test('editors and libraries find a symbol of a real daemon, each in its own way', async t => {
  const { home, root, places, socket } = await withDaemon(t);

  await t.test('vscode-jsonrpc', async () => {
    const connection = openDaemon(socket);
    assert.deepEqual(await search(connection, root, 'parseConfig'), ['parseConfig  parse.ts:1']);
    await assert.rejects(connection.sendRequest('symbols.search', { q: '' }), { code: -32602 });
    connection.end();
    connection.dispose();
  });

  await t.test('a Content-Length header by hand', async () => {
    const answer = (await ask(socket, 'symbols.search', { q: 'parseConfig', repo: 'app' })) as {
      result: { results: { name: string }[] };
    };
    assert.deepEqual(
      answer.result.results.map(({ name }) => name),
      ['parseConfig'],
    );
  });

  await t.test('the typed client', async () => {
    const start = { kind: 'never' } as const;
    const caller = socketCaller({ places, env: {}, client: 'test', version: '0.1.0', start, isRepeatable: () => true });
    const client = createClient(caller);
    const { results, total } = await client.symbols.search({ q: 'parseConfig', repo: 'app' });
    assert.equal(total, 1);
    assert.equal((await client.symbols.get({ id: results[0]!.id })).location.line, 1);
    await assert.rejects(client.jobs.get({ id: 'none' }), (error: unknown) => {
      assert.ok(error instanceof Fault);
      assert.equal(error.reason, 'resourceNotFound');
      return true;
    });
    await caller.close();
  });

  await t.test('the command line', async () => {
    const { stdout } = await svc(['search', 'parseConfig', '--plain'], { home, env, cwd: root });
    assert.equal(stdout, 'parse.ts:1:17\tfunction\tparseConfig\texport function parseConfig(text: string): string\n');
  });
});

const neovimExample = join(packageRoot, 'test/client/examples/neovim.lua');
const newEnough = ['--clean', '--headless', '-c', 'if has("nvim-0.10") | qall! | else | cquit | endif'];
const hasNeovim = spawnSync('nvim', newEnough).status === 0;

test('the Neovim example fills the quickfix list', { skip: !hasNeovim }, async t => {
  const { home, root } = await withDaemon(t);
  const commands = [
    `luafile ${neovimExample}`,
    'SvcSearch parseConfig',
    'lua vim.wait(15000, function() return #vim.fn.getqflist() > 0 end)',
    'lua for _, at in ipairs(vim.fn.getqflist()) do io.write(vim.fn.bufname(at.bufnr), ":", at.lnum, ":", at.col, "\\n") end',
    'qall!',
  ];
  const words = ['--clean', '--headless', ...commands.flatMap(command => ['-c', command])];
  const { stdout, stderr } = spawnSync('nvim', words, { cwd: root, env: svcOnPath(home), encoding: 'utf8' });
  assert.equal(stdout, 'parse.ts:1:17\n', stderr);
});

test('the Neovim example asks what exists, and keeps to twenty lines of code', () => {
  // For where no Neovim of its age is to be had.
  const text = readFileSync(neovimExample, 'utf8');
  const methods = [...text.matchAll(/svc\.request\('([^']+)'/g)].map(([, method]) => method!);
  assert.deepEqual(methods, ['symbols.search']);
  for (const method of methods) {
    const operation = findOperation(method);
    const fields = [...(/\{ (q = [^}]+) \}/.exec(text)?.[1] ?? '').matchAll(/(\w+) =/g)].map(([, field]) => field!);
    const known = [...Object.keys(operation!.input.properties), 'repo', 'sync'];
    assert.deepEqual(fields, ['q', 'repo', 'sync']);
    for (const field of fields) assert.ok(known.includes(field), field);
  }
  const code = text.split('\n').filter(line => line.trim() !== '' && !line.startsWith('--'));
  assert.ok(code.length <= 20, `${code.length} lines`);
});
