import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFinished } from '../../../daemon/events.ts';
import { betweenQuestions } from '../../../daemon/server/between-questions.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const asked: RequestFinished = {
  ...{ kind: 'request.finished', requestId: '1', operation: 'symbols.search', transport: 'socket' },
  ...{ outcome: 'ok', durationMs: 1, bytes: 1 },
};

function begun() {
  const clock = fakeClock();
  const between = betweenQuestions(clock);
  const stop = new AbortController();
  let state: 'waits' | 'goes on' | 'given up' = 'waits';
  const start = (): void =>
    void between.wait(stop.signal).then(
      () => {
        state = 'goes on';
      },
      () => {
        state = 'given up';
      },
    );
  const stateAfter = async (ms: number): Promise<string> => {
    await clock.advance(ms);
    await new Promise(setImmediate);
    return state;
  };
  return { ask: () => between.hear(asked), start, stop, stateAfter };
}

test('waits for nothing where nobody asks', async () => {
  const { start, stateAfter } = begun();
  start();
  assert.equal(await stateAfter(0), 'goes on');
});

test('waits until nobody has asked for a moment', async () => {
  const { ask, start, stateAfter } = begun();
  ask();
  start();
  assert.equal(await stateAfter(2000), 'waits');
  ask();
  assert.equal(await stateAfter(2000), 'waits');
  assert.equal(await stateAfter(1000), 'goes on');
});

test('whoever asks without a pause puts it off for fifteen seconds at most', async () => {
  const { ask, start, stateAfter } = begun();
  ask();
  start();
  for (let passedMs = 1000; passedMs < 15_000; passedMs += 1000) {
    assert.equal(await stateAfter(1000), 'waits', `after ${passedMs} ms`);
    ask();
  }
  assert.equal(await stateAfter(1000), 'goes on');
});

test('is given up with its signal', async () => {
  const { ask, start, stop, stateAfter } = begun();
  ask();
  start();
  assert.equal(await stateAfter(10), 'waits');
  stop.abort(new Error('closing'));
  assert.equal(await stateAfter(0), 'given up');
});
