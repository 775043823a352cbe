import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { type TestContext, test } from 'node:test';
import { type ProgramRun, runProgram } from '../../../daemon/backends/bounded-program.ts';
import { endMarkedBelow, runMark } from '../../../daemon/backends/run-processes.ts';
import { until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** A shell script that has a child of its own, then does something. */
function program(t: TestContext, does: string) {
  const folder = temporaryFolder(t);
  const script = folder.path('program');
  const child = folder.path('child');
  writeFileSync(script, `#!/bin/sh\nsleep 600 &\necho $! > ${child}.made\nmv ${child}.made ${child}\n${does}\n`, {
    mode: 0o755,
  });
  const run: ProgramRun = {
    name: 'it',
    program: script,
    arguments: ['a b', '$c'],
    cwd: folder.root,
    env: { PATH: process.env['PATH'] },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    memoryBytes: 2 ** 30,
  };
  return {
    run,
    folder,
    hasStarted: () => existsSync(child),
    isGone: () => isGone(Number(readFileSync(child, 'utf8'))),
  };
}

/** One that has been killed and that nobody has asked about is there still, as a zombie. */
function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

test('a program is told its arguments, runs behind others, and takes its children along', async t => {
  const { run, folder, isGone } = program(t, 'printf "%s|" "$@"; nice; env; echo noise >&2; pwd');
  const { stdout } = await runProgram({ ...run, env: { PATH: run.env['PATH'], ONLY: 'this' } });
  assert.ok(stdout.startsWith(`a b|$c|${Math.min(19, getPriority() + 15)}\n`));
  assert.ok(stdout.endsWith(`${folder.root}\n`) && !stdout.includes('noise'));
  assert.deepEqual(stdout.match(/^(?:ONLY|HOME|USER)=.*$/gm), ['ONLY=this']);
  await until('its child is gone', isGone);
});

test('a failure says how it ended, and the last that it said of that; what it wrote is kept apart', async t => {
  const failed = (does: string) => runProgram(program(t, does).run).catch((error: unknown) => error);
  const failure = await failed('echo told; echo boom >&2; exit 3');
  assert.ok(failure instanceof Error);
  assert.equal(failure.message, 'it ended with exit code 3: boom');
  assert.deepEqual(
    { ...failure },
    { name: 'ProgramFailed', reason: 'failed', words: { stdout: 'told\n', last: 'told\nboom\n', telling: 'boom' } },
  );
  assert.equal(((await failed('kill -15 $$')) as Error).message, 'it ended with SIGTERM');
  const { run, folder } = program(t, '');
  await assert.rejects(runProgram({ ...run, cwd: folder.path('none') }), { reason: 'missing' });
});

test('time, memory, size and whoever asked end all of its processes', async t => {
  const endless = 'while :; do sleep 0.05; done';
  const cases = [
    { does: endless, with: { timeoutMs: 300 }, reason: 'timeout' },
    {
      does: `${process.execPath} -e 'const a = []; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)'`,
      with: { memoryBytes: 200 * 2 ** 20 },
      reason: 'out_of_memory',
    },
    { does: `head -c 2000 /dev/zero > out; ${endless}`, with: { writes: 1000 }, reason: 'output_too_large' },
    { does: 'head -c 2000 /dev/zero > out', with: { writes: 1000 }, reason: 'output_too_large' },
  ] as const;
  for (const { does, with: bounds, reason } of cases) {
    const { run, folder, isGone } = program(t, does);
    const { writes, ...others } = { writes: 0, ...bounds };
    const bounded = writes === 0 ? others : { writes: { files: [folder.path('out')], bytes: writes } };
    await assert.rejects(runProgram({ ...run, ...bounded }), { reason });
    await until('its child is gone', isGone);
  }
  const fills = `${process.execPath} --max-old-space-size=20 -e 'const a = []; for (;;) a.push([a.length])'`;
  for (const does of [fills, 'kill -9 $$']) {
    await assert.rejects(runProgram(program(t, does).run), { reason: 'out_of_memory' });
  }
  const { run, hasStarted, isGone } = program(t, endless);
  const asked = new AbortController();
  const running = runProgram({ ...run, signal: asked.signal });
  await until('it runs', hasStarted);
  asked.abort();
  await assert.rejects(running, { reason: 'cancelled' });
  await until('its child is gone', isGone);
  await assert.rejects(runProgram({ ...run, signal: asked.signal }), { reason: 'cancelled' });
});

const isLinux = process.platform === 'linux';
/** Begins a process in a session of its own, told in this file, that is nobody's child once the beginner has gone. */
const leaves = (file: string) =>
  `${process.execPath} -e '
    const { pid } = require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    require("node:fs").writeFileSync("${file}.made", String(pid));
    require("node:fs").renameSync("${file}.made", "${file}");
    process.exit();'`;

test('what left its session ends with it, and counts as its memory', { skip: !isLinux }, async t => {
  const { run, folder } = program(t, leaves('left'));
  await runProgram({ ...run, env: { ...run.env, [runMark]: folder.root } });
  await until('it is gone', () => isGone(Number(readFileSync(folder.path('left'), 'utf8'))));
  const takes = `setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)`;
  const large = program(t, `setsid ${process.execPath} -e 'const a = []; ${takes}' & wait`);
  await assert.rejects(runProgram({ ...large.run, memoryBytes: 200 * 2 ** 20 }), { reason: 'out_of_memory' });
});

test('it ends with whoever started it, and what left its session when that is looked for', async t => {
  const {
    run,
    folder,
    hasStarted,
    isGone: isChildGone,
  } = program(t, `${leaves('left')}; while :; do sleep 0.05; done`);
  const module = new URL('../../../daemon/backends/bounded-program.js', import.meta.url).href;
  const told = JSON.stringify({ ...run, env: { ...run.env, [runMark]: folder.path('run') } });
  const starts = `import(${JSON.stringify(module)}).then(({ runProgram }) =>
    runProgram({ ...${told}, signal: new AbortController().signal }))`;
  const starter = spawn(process.execPath, ['-e', starts], { stdio: 'ignore' });
  await until('it runs', () => hasStarted() && existsSync(folder.path('left')));
  const left = Number(readFileSync(folder.path('left'), 'utf8'));
  t.after(() => {
    if (!isGone(left)) process.kill(left, 'SIGKILL');
  });
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  await until('its child is gone', isChildGone);
  if (!isLinux) return;
  endMarkedBelow(folder.path('another'));
  assert.ok(!isGone(left));
  endMarkedBelow(folder.root);
  await until('all of it is gone', () => isGone(left));
});

test('however much it says, little is kept', async t => {
  const { run, folder } = program(t, 'yes | head -c 5000000; echo end >&2; exit 1');
  const failure = (await runProgram(run).catch((error: unknown) => error)) as {
    words: { stdout: string; last: string };
  };
  assert.equal(failure.words.stdout.length, 2 ** 20);
  assert.equal(failure.words.last.length, 4096);
  assert.ok(failure.words.last.includes('end'));
  assert.ok(statSync(folder.root).isDirectory());
});
