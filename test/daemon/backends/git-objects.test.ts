import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DialogueRun } from '../../../daemon/backends/git-dialogue.ts';
import { createObjectReader, type ObjectReader } from '../../../daemon/backends/git-objects.ts';
import { until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

const limits = { eachBytes: 1_000_000, allBytes: 10_000_000 };

/** git in a repository, by way of a script that notes the id of each process that it starts. */
function notedGit(t: TestContext, tree: Workspace, does = 'exec git "$@"') {
  const folder = temporaryFolder(t);
  const program = folder.path('git');
  const pids = folder.path('pids');
  writeFileSync(program, `#!/bin/sh\necho $$ >> ${pids}\n${does}\n`, { mode: 0o755 });
  const env = { PATH: process.env['PATH'] };
  const run: DialogueRun = { program, arguments: ['cat-file', '--batch'], cwd: tree.root, env, stores: '' };
  // Not one whose line is not yet written.
  const started = (): readonly number[] =>
    existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').slice(0, -1).map(Number) : [];
  return { run, started, pids };
}

function readerFor(t: TestContext, options: Parameters<typeof createObjectReader>[0] = {}): ObjectReader {
  const reader = createObjectReader({ idleMs: 600_000, ...options });
  t.after(() => reader.close());
  return reader;
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

async function textOf(reader: ObjectReader, run: DialogueRun, name: string): Promise<string | undefined> {
  const [object] = await reader.read(run, [name], limits);
  return object?.bytes?.toString();
}

for (const format of ['sha1', 'sha256']) {
  test(`reads what lies under names, in their order, from one process (${format})`, async t => {
    const tree = gitRepository(t, '-- a.ts --\nconst a = 1;\n-- empty.ts --', [`--object-format=${format}`]);
    const { run, started } = notedGit(t, tree);
    const reader = readerFor(t);
    const commit = tree.git('rev-parse', 'HEAD');
    const [a, empty] = [tree.git('rev-parse', 'HEAD:a.ts'), tree.git('rev-parse', 'HEAD:empty.ts')];
    const nowhere = '0'.repeat(commit.length);
    const names = [`${commit}^{tree}`, a, nowhere, `${commit}~1^{commit}`, a, empty, commit.slice(0, 12)];
    const found = await reader.read(run, names, limits);
    assert.deepEqual(
      found.map(object => object && [object.type, object.hash]),
      [
        ['tree', tree.git('rev-parse', 'HEAD^{tree}')],
        ['blob', a],
        undefined,
        undefined,
        ['blob', a],
        ['blob', empty],
        ['commit', commit],
      ],
    );
    assert.equal(found[1]?.bytes?.toString(), 'const a = 1;\n');
    assert.equal(found[5]?.bytes?.length, 0);
    tree.write('b.ts', 'later');
    tree.commit();
    tree.git('gc', '--quiet', '--prune=now');
    assert.equal(await textOf(reader, run, tree.git('rev-parse', 'HEAD:b.ts')), 'later', 'what was packed meanwhile');
    assert.equal(started().length, 1);
  });
}

test('many calls at once are answered one after the other, each with its own', async t => {
  const tree = gitRepository(t, '-- 0.ts --\nx');
  const texts = Array.from({ length: 50 }, (_, n) => `${n} `.repeat(1 + n * 1000));
  texts.forEach((text, n) => {
    tree.write(`${n}.ts`, text);
  });
  tree.commit();
  const hashes = tree.git('rev-parse', ...texts.map((_, n) => `HEAD:${n}.ts`)).split('\n');
  const { run, started } = notedGit(t, tree);
  const reader = readerFor(t);
  const asked = hashes.map((hash, n) => reader.read(run, [hash, hashes[(n * 7) % 50]!], limits));
  (await Promise.all(asked)).forEach(([one, other], n) => {
    assert.equal(one?.bytes?.toString(), texts[n]);
    assert.equal(other?.bytes?.toString(), texts[(n * 7) % 50]);
  });
  assert.equal(started().length, 1);
});

test('of a large object its size is told, whether it is let pass or ends the process', async t => {
  const tree = gitRepository(t, '-- a.ts --\na');
  tree.write('large', 'x'.repeat(100_000));
  tree.write('huge', 'x'.repeat(5_000_000));
  tree.commit();
  const names = tree.git('rev-parse', 'HEAD:huge', 'HEAD:a.ts', 'HEAD:large', 'HEAD:a.ts').split('\n');
  const { run, started } = notedGit(t, tree);
  const found = await readerFor(t).read(run, names, { eachBytes: 1000, allBytes: 1000 });
  assert.deepEqual(
    found.map(object => [object?.size, object?.bytes?.toString()]),
    [
      [5_000_000, undefined],
      [2, 'a\n'],
      [100_000, undefined],
      [2, 'a\n'],
    ],
  );
  assert.equal(started().length, 2);
});

test('more than a call may have is refused, and the next call is answered', async t => {
  const tree = gitRepository(t, `-- a.ts --\n${'x'.repeat(600)}`);
  const { run, started } = notedGit(t, tree);
  const reader = readerFor(t);
  const name = tree.git('rev-parse', 'HEAD:a.ts');
  const refused = reader.read(run, [name, name], { eachBytes: 1000, allBytes: 1000 });
  await assert.rejects(refused, { name: 'GitFailed', reason: 'output_too_large' });
  await until('the process is gone', () => isGone(started()[0]!));
  assert.equal((await textOf(reader, run, name))?.length, 601);
});

test('a process that speaks without end or out of turn is ended', async t => {
  const tree = gitRepository(t, '-- a.ts --\na');
  for (const words of ['exec cat /dev/zero', 'echo unasked; exec cat /dev/zero']) {
    const { run, started } = notedGit(t, tree, words);
    await assert.rejects(readerFor(t).read(run, ['0'.repeat(40), '1'.repeat(40)], limits), { name: 'GitFailed' });
    await until('the process is gone', () => isGone(started()[0]!));
  }
});

test('a process that died while nobody asked is replaced; one that dies of a question fails it', async t => {
  const tree = gitRepository(t, '-- a.ts --\na');
  const { run, started } = notedGit(t, tree);
  const reader = readerFor(t);
  const name = tree.git('rev-parse', 'HEAD:a.ts');
  assert.equal(await textOf(reader, run, name), 'a\n');
  process.kill(started()[0]!, 'SIGKILL');
  assert.equal(await textOf(reader, run, name), 'a\n');
  assert.equal(started().length, 2);

  const dying = notedGit(t, tree, 'read name; exit 3');
  await assert.rejects(readerFor(t).read(dying.run, [name], limits), {
    reason: 'failed',
    message: 'git cat-file failed with exit code 3',
  });
  const absent = { ...run, program: '/nonexistent/git' };
  await assert.rejects(readerFor(t).read(absent, [name], limits), { reason: 'missing' });
});

test('a call that is given up or takes too long ends its process, and nobody else’s call', async t => {
  const tree = gitRepository(t, '-- a.ts --\na');
  const name = tree.git('rev-parse', 'HEAD:a.ts');
  const mark = temporaryFolder(t).path('answer');
  const { run, started } = notedGit(t, tree, `[ -e ${mark} ] && exec git "$@"; exec sleep 60`);
  const reader = readerFor(t);
  const abort = new AbortController();
  const given = assert.rejects(reader.read({ ...run, signal: abort.signal }, [name], limits), { reason: 'cancelled' });
  const waiting = new AbortController();
  const never = assert.rejects(reader.read({ ...run, signal: waiting.signal }, [name], limits), {
    reason: 'cancelled',
  });
  const behind = textOf(reader, run, name);
  await until('the process runs', () => started().length === 1);
  waiting.abort();
  await never;
  assert.ok(!isGone(started()[0]!), 'who waits his turn has no process to end');
  writeFileSync(mark, '');
  abort.abort();
  await given;
  assert.equal(await behind, 'a\n');
  await until('its process is gone', () => isGone(started()[0]!));

  const slow = notedGit(t, tree, 'exec sleep 60');
  await assert.rejects(readerFor(t).read({ ...slow.run, timeoutMs: 300 }, [name], limits), {
    reason: 'timeout',
    message: 'git cat-file took longer than 300 ms',
  });
  await until('the slow process is gone', () => isGone(slow.started()[0]!));
  await assert.rejects(reader.read({ ...run, signal: AbortSignal.abort() }, [name], limits), { reason: 'cancelled' });
});

test('processes end when nothing is asked, when others take their place, and on close', async t => {
  const trees = [1, 2, 3].map(n => gitRepository(t, `-- a.ts --\n${n}`));
  const runs = trees.map(tree => ({ ...notedGit(t, tree), name: tree.git('rev-parse', 'HEAD:a.ts') }));
  const two = readerFor(t, { processes: 2 });
  for (const { run, name } of runs) await two.read(run, [name], limits);
  await until('the oldest is gone', () => isGone(runs[0]!.started()[0]!));
  await two.close();
  assert.ok(runs.every(({ started }) => isGone(started()[0]!)));

  const [{ run, name, started }] = runs as [(typeof runs)[0]];
  await readerFor(t, { idleMs: 1 }).read(run, [name], limits);
  await until('the idle process is gone', () => isGone(started().at(-1)!));
});

test('a process ends with the one that asked, however that ends, and keeps none from ending', async t => {
  const tree = gitRepository(t, '-- a.ts --\na');
  const name = tree.git('rev-parse', 'HEAD:a.ts');
  const { run, started } = notedGit(t, tree);
  const module = fileURLToPath(new URL('../../../daemon/backends/git-objects.js', import.meta.url));
  const asks = `import { createObjectReader } from ${JSON.stringify(module)};
    await createObjectReader({ idleMs: 600_000 }).read(${JSON.stringify(run)}, ['${name}'], ${JSON.stringify(limits)});`;
  for (const then of ['', 'process.kill(process.pid, "SIGKILL");']) {
    const asker = spawn(process.execPath, ['--input-type=module', '--eval', asks + then], { stdio: 'ignore' });
    await new Promise(resolve => asker.once('close', resolve));
    await until('its process is gone', () => isGone(started().at(-1)!));
  }
  assert.equal(started().length, 2);
});
