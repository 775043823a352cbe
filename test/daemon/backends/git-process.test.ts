import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { askGit, type GitRun, streamGit } from '../../../daemon/backends/git-process.ts';
import { patienceMs, until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';

const shapes: Readonly<Record<string, (run: GitRun) => Promise<string>>> = {
  askGit,
  async streamGit(run) {
    let text = '';
    await streamGit(run, chunk => {
      text += chunk.toString('utf8');
    });
    return text;
  },
};

/** A program in git's place that leaves its process id, then does something else. */
function programThat(t: TestContext, does: string) {
  const folder = temporaryFolder(t);
  const program = folder.path('git');
  const pid = folder.path('pid');
  writeFileSync(program, `#!/bin/sh\necho $$ > ${pid}.made\nmv ${pid}.made ${pid}\n${does}\n`, { mode: 0o755 });
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
  const run: GitRun = { program, arguments: ['ls-files', '-z'], cwd: folder.root, env };
  const hasStarted = () => existsSync(pid);
  const isGone = () => {
    try {
      return !process.kill(Number(readFileSync(pid, 'utf8')), 0);
    } catch {
      return true;
    }
  };
  return { run, hasStarted, isGone };
}

for (const [name, call] of Object.entries(shapes)) {
  test(`${name} answers what was written, and nothing else`, async t => {
    assert.equal(await call(programThat(t, 'echo secret >&2; printf " a\\0b\\n\\n"').run), ' a\0b\n\n');
    assert.equal(await call(programThat(t, 'exit 0').run), '');
    assert.equal(await call(programThat(t, 'echo "$1 $2 $#"').run), 'ls-files -z 2\n');
    const names = await call(programThat(t, 'env').run);
    assert.deepEqual(
      names.split('\n').filter(line => /^(HOME|USER|SHELL|LANG|GIT_.*)=/.test(line)),
      ['GIT_CONFIG_GLOBAL=/dev/null'],
    );
  });

  test(`${name}: an end with a code or by a signal is a failure, said without the program’s words`, async t => {
    for (const [end, code] of [
      ['exit 3', '3'],
      ['echo half; exit 1', '1'],
      ['echo secret >&2; exit 128', '128'],
      ['echo half; kill -9 $$', 'null'],
    ] as const) {
      const failure = await call(programThat(t, end).run).catch((error: unknown) => error);
      assert.ok(failure instanceof Error);
      assert.equal(failure.message, `git ls-files failed with exit code ${code}`);
      assert.ok(!JSON.stringify({ ...failure, cause: String(failure.cause) }).includes('secret'));
    }
  });

  test(`${name}: no program, no answer`, async t => {
    const { run } = programThat(t, '');
    await assert.rejects(call({ ...run, program: '/nonexistent/git' }), { name: 'GitFailed', reason: 'missing' });
    writeFileSync(run.program, 'no program', { mode: 0o644 });
    await assert.rejects(call(run), { name: 'GitFailed', reason: 'failed' });
  });

  test(`${name}: a call that was given up ends the program`, async t => {
    const { run, hasStarted, isGone } = programThat(t, 'exec sleep 60');
    const abort = new AbortController();
    const refused = assert.rejects(call({ ...run, signal: abort.signal }), { name: 'GitFailed', reason: 'cancelled' });
    await until('the program runs', hasStarted);
    abort.abort();
    await refused;
    await until('the program is gone', isGone);
    const another = programThat(t, '');
    await assert.rejects(call({ ...another.run, signal: AbortSignal.abort() }), { reason: 'cancelled' });
    assert.equal(another.hasStarted(), false);
  });

  test(`${name}: time is up though the program goes on writing`, async t => {
    const { run, isGone } = programThat(t, 'while :; do echo x; sleep 0.01; done');
    await assert.rejects(call({ ...run, timeoutMs: 400 }), {
      reason: 'timeout',
      message: 'git ls-files took longer than 400 ms',
    });
    await until('the program is gone', isGone);
  });

  test(`${name}: a program that never stops writing is stopped`, async t => {
    for (const words of ['exec cat /dev/zero', ...(name === 'askGit' ? ['exec cat /dev/zero >&2'] : [])]) {
      const { run, isGone } = programThat(t, words);
      await assert.rejects(call({ ...run, maxBytes: 1_000_000 }), { reason: 'output_too_large' });
      await until('the program is gone', isGone);
    }
  });
}

test('what serves the background waits while others want the processor', async t => {
  // It ends once it has been put back, which is as soon as it was started.
  const { run } = programThat(t, 'until [ "$(nice)" = 15 ]; do sleep 0.01; done; echo last');
  const text = await shapes['streamGit']!({ ...run, priority: 'background', timeoutMs: patienceMs });
  assert.equal(text, 'last\n');
  assert.notEqual(await shapes['streamGit']!(programThat(t, 'nice').run), '15\n');
});

test('a program that takes too much memory is ended', { skip: process.platform !== 'linux' }, async t => {
  const { run, isGone } = programThat(t, 'x=$(head -c 100000000 /dev/zero | tr "\\0" x); sleep 60');
  const refused = { reason: 'out_of_memory', message: 'git ls-files took too much memory' };
  await assert.rejects(shapes['streamGit']!({ ...run, memoryBytes: 50_000_000 }), refused);
  await until('the program is gone', isGone);
});

test('what whoever reads throws ends the program, and is thrown', async t => {
  const { run, isGone } = programThat(t, 'echo x; exec sleep 60');
  const thrown = new RangeError('no more');
  await assert.rejects(
    streamGit(run, () => {
      throw thrown;
    }),
    thrown,
  );
  await until('the program is gone', isGone);
});
