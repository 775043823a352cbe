import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { logsCommand } from '../../cli/logs.ts';
import type { Session } from '../../cli/session.ts';
import { placesIn, temporaryHome } from '../client/peer.ts';
import { withoutRights } from '../support/without-rights.ts';
import { eachRow, svc } from './command.ts';

/** A home with a log and its rotated files, the newest first; each line is its own number, from 1 for the oldest. */
function homeWithLogs(t: TestContext, linesEach: readonly number[], pad = 0): string {
  const home = temporaryHome(t);
  const { logFile } = placesIn(home);
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  let number = 0;
  for (const [age, count] of [...linesEach.entries()].reverse()) {
    const lines = Array.from({ length: count }, () => `${JSON.stringify({ n: ++number, pad: 'ä'.repeat(pad) })}\n`);
    writeFileSync(age === 0 ? logFile : `${logFile}.${age}`, lines.join(''));
  }
  return home;
}

const numbers = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => (JSON.parse(line) as { readonly n: number }).n);
const upTo = (last: number, count: number) => Array.from({ length: count }, (_, at) => last - count + 1 + at);

test('the last lines of the log go on into the rotated files, in their order', async t => {
  const home = homeWithLogs(t, [3, 4, 5]);
  const rows: readonly (readonly [asked: number, told: number])[] = [
    [0, 0],
    [1, 1],
    [3, 3],
    [4, 4],
    [7, 7],
    [8, 8],
    [12, 12],
    [1000, 12],
  ];
  await eachRow(rows, async ([asked, told]) => {
    const { code, stdout } = await svc(['daemon', 'logs', '-n', String(asked)], { home });
    assert.deepEqual([code, numbers(stdout)], [0, upTo(12, told)], `-n ${asked}`);
  });
  const { lines } = JSON.parse((await svc(['daemon', 'logs', '-n', '5', '--json'], { home })).stdout);
  assert.deepEqual(
    lines.map(({ n }: { readonly n: number }) => n),
    upTo(12, 5),
  );
});

test('a log larger than what is read at once loses no line and tears none', async t => {
  const home = homeWithLogs(t, [700, 1200, 5], 500);
  await eachRow([1, 260, 699, 700, 701, 1900, 1905], async count => {
    const { stdout } = await svc(['daemon', 'logs', '-n', String(count)], { home });
    assert.deepEqual(numbers(stdout), upTo(1905, count), `-n ${count}`);
  });
});

test('a line that is still being written is no line yet', async t => {
  const home = homeWithLogs(t, [2, 2]);
  writeFileSync(placesIn(home).logFile, '{"n":5', { flag: 'a' });
  const { stdout } = await svc(['daemon', 'logs', '-n', '3'], { home });
  assert.deepEqual(numbers(stdout), upTo(4, 3));
});

test('whoever follows the log is told each line once, however often it is rotated between two looks', async t => {
  const home = homeWithLogs(t, [3]);
  const { logFile } = placesIn(home);
  const add = (n: number) => writeFileSync(logFile, `{"n":${n}}\n`, { flag: 'a' });
  let heard = '';
  const { code, stdout } = await svc(['daemon', 'logs', '-n', '2', '-f'], {
    home,
    during(child) {
      child.stdout!.once('data', () => {
        add(4);
        renameSync(logFile, `${logFile}.1`);
        add(5);
        renameSync(`${logFile}.1`, `${logFile}.2`);
        renameSync(logFile, `${logFile}.1`);
        add(6);
      });
      child.stdout!.on('data', chunk => {
        const isFirst = heard.split('\n').length < 6;
        heard += chunk;
        if (!isFirst || heard.split('\n').length < 6) return;
        renameSync(logFile, join(home, 'away'));
        writeFileSync(logFile, '{"n":7}\n');
      });
      child.stdout!.on('data', () => {
        if (heard.includes('7')) child.kill('SIGINT');
      });
    },
  });
  assert.deepEqual([code, numbers(stdout)], [130, [2, 3, 4, 5, 6, 7]]);
});

test('a log whose folder keeps its reader out is there, and what lets him in is told', async t => {
  const home = homeWithLogs(t, [1]);
  const places = placesIn(home);
  const folder = dirname(places.logFile);
  chmodSync(home, 0o755);
  chmodSync(folder, 0o600);
  const session = { places, format: 'human' } as unknown as Session;
  await assert.rejects(
    withoutRights(() => logsCommand(session, { lines: 1, follow: false })),
    {
      reason: 'misconfigured',
      message: `${places.logFile} can’t be looked at; let yourself into its folder: chmod u+rwx ${folder}`,
    },
  );
});
