import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProgressTime, progressLine } from '../../cli/progress.ts';
import type { Progress } from '../../client/protocol/caller.ts';
import { every } from '../../daemon/clock.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** A line over a terminal so wide, what was written of it, and its time. */
function lineIn(columns: number, isLive = true) {
  const written: string[] = [];
  const clock = fakeClock();
  const time: ProgressTime = { nowMs: clock.monotonicMs, everySecond: callback => every(clock, 1000, callback) };
  const terminal = { isLive, liveColumns: () => columns, err: (text: string) => void written.push(text) };
  /** What stands in the line by now. */
  const shown = () => written.at(-1)?.replace('\r\x1b[K', '');
  return { line: progressLine(terminal, time), written, shown, clock };
}

const parsing: Progress = { message: 'extract', fraction: 0.427 };

const lines: readonly (readonly [columns: number, progress: Progress, shown: string])[] = [
  [120, parsing, '██████████░░░░░░░░░░░░░░  42 %  Parsing  0s'],
  [30, parsing, '████░░░░░░  42 %  Parsing  0s'],
  [28, parsing, '███░░░░░  42 %  Parsing  0s'],
  [27, parsing, ' 42 %  Parsing  0s'],
  [19, parsing, ' 42 %  Parsing  0s'],
  [18, parsing, '42 %  Parsing'],
  [14, parsing, '42 %  Parsing'],
  [10, parsing, '42 %  Pa…'],
  [5, parsing, '42 …'],
  [2, parsing, '…'],
  [1, parsing, ''],
  [Number.POSITIVE_INFINITY, { message: 'queued', fraction: 0 }, `${'░'.repeat(24)}   0 %  Waiting for its turn  0s`],
  [80, { message: 'publish', fraction: 1 }, `${'█'.repeat(24)} 100 %  Publishing  0s`],
  [80, { message: 'read', fraction: 0 }, `${'░'.repeat(24)}   0 %  Reading from the server  0s`],
  [80, { message: 'Waiting for scip-go in app' }, 'Waiting for scip-go in app  0s'],
  [80, { message: 'a\u001b[2J\nb\u202e' }, 'a\\u{1b}[2J\\nb\\u{202e}  0s'],
];

test('a line has a bar, the share, the phase and the time, as far as there is room', () => {
  for (const [columns, progress, expected] of lines) {
    const { line, shown, written } = lineIn(columns);
    line.show(progress);
    assert.equal(shown(), expected, `${columns} columns`);
    assert.ok(expected.length < columns || columns === 1, 'the last column is free');
    line.clear();
    assert.equal(written.at(-1), '\r\x1b[K');
  }
});

test('time goes by while nothing new is told, and no more once the line is cleared', async () => {
  const { line, shown, written, clock } = lineIn(80);
  line.show(parsing);
  await clock.advance(61_000);
  assert.match(shown()!, /42 % {2}Parsing {2}1m 1s$/);
  line.show({ message: 'link', fraction: 0.6 });
  assert.match(shown()!, /60 % {2}Linking references {2}1m 1s$/);
  line.clear();
  const { length } = written;
  await clock.advance(10_000);
  line.clear();
  assert.equal(written.length, length);
});

test('where no line can change, each phase has its own, without numbers that change', async () => {
  const { line, written, clock } = lineIn(1, false);
  for (const message of ['queued', 'extract', 'extract', 'has read 1 of 20 files'])
    line.show({ message, fraction: 0.5 });
  await clock.advance(1999);
  assert.deepEqual(written, [], 'it may be over any moment');
  await clock.advance(1);
  assert.deepEqual(written, ['Waiting for its turn\n', 'Parsing\n', 'has read 1 of 20 files\n']);
  for (const message of ['has read 2 of 20 files', 'link']) line.show({ message, fraction: 0.5 });
  assert.deepEqual(written.slice(3), ['Linking references\n']);
  line.clear();
  await clock.advance(10_000);
  assert.equal(written.length, 4);
});

test('where no line can change, nothing is told of what is over soon', async () => {
  const { line, written, clock } = lineIn(1, false);
  for (let question = 0; question < 3; question++) {
    line.show({ message: 'Asking git who wrote what: 1 of 1', fraction: 1 });
    await clock.advance(1500);
    line.clear();
  }
  await clock.advance(10_000);
  assert.deepEqual(written, []);
});
