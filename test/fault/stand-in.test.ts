import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { temporaryFolder } from '../support/repository.ts';
import { standIn } from './orders.ts';

/** Answers each line with the time of day in three ways, from the process and from a thread of it, and with the time that passed. */
const clocks = `
-- main.mjs --
import { Worker } from 'node:worker_threads';
import { days } from './days.mjs';
const thread = new Worker(new URL('./thread.mjs', import.meta.url));
process.stdin.on('data', () => {
  thread.once('message', there => {
    console.log(JSON.stringify({ days: [...days(), ...there], passed: performance.now(), fixed: new Date(7).getTime() }));
  });
  thread.postMessage('');
});
-- thread.mjs --
import { parentPort } from 'node:worker_threads';
import { days } from './days.mjs';
parentPort.on('message', () => parentPort.postMessage(days()));
-- days.mjs --
export const days = () => [Date.now(), new Date().getTime(), new (class extends Date {})().getTime()];
`;
const yearMs = 365 * 86_400_000;

test('the clock of a process is moved while it runs, by years and back, in each of its threads; what counts time goes on', async t => {
  const { env, give } = standIn(t, {});
  const child = spawn(process.execPath, [temporaryFolder(t, clocks).path('main.mjs')], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  const ask = async () => {
    child.stdin.write('\n');
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line) as { days: number[]; passed: number; fixed: number };
  };
  let passed = 0;
  for (const years of [0, 10, -10, 0]) {
    give({ clockMs: years * yearMs });
    const told = await ask();
    const expected = Date.now() + years * yearMs;
    assert.equal(told.days.length, 6);
    for (const day of told.days) assert.ok(Math.abs(day - expected) < yearMs, `${years}: ${new Date(day)}`);
    assert.equal(told.fixed, 7);
    assert.ok(told.passed > passed && told.passed < passed + yearMs);
    passed = told.passed;
  }
});
