import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadersWork } from '../../../daemon/server/leaders-work.ts';
import { createLifecycle, type Departure, type Lifecycle } from '../../../daemon/server/lifecycle.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';

interface Bench {
  readonly clock: FakeClock;
  readonly lifecycle: Lifecycle;
  /** What was done, in order, with the second in which it was. */
  readonly steps: string[];
  inFlight: number;
  isLocked: boolean;
  exit: number | undefined;
}

function bench(departure: Partial<Departure> = {}): Bench {
  const clock = fakeClock();
  const steps: string[] = [];
  const did = (step: string) => steps.push(`${step} ${Math.round(clock.monotonicMs() / 100) / 10}`);
  const lifecycle = createLifecycle({
    clock,
    observe: () => {},
    drainMs: () => 10_000,
    holdsLock: () => state.isLocked,
    lockCheckMs: 1000,
    departure: {
      refuse: () => void did('refuse'),
      resign: async () => void did('resign'),
      requestsInFlight: () => state.inFlight,
      closeListeners: async () => void did('close'),
      finish: async () => void did('finish'),
      ...departure,
    },
  });
  const state: Bench = { clock, lifecycle, steps, inFlight: 0, isLocked: true, exit: undefined };
  void lifecycle.ended.then(code => {
    state.exit = code;
  });
  return state;
}

test('nothing in flight: it leaves at once, in order', async () => {
  const at = bench();
  at.lifecycle.leave('SIGTERM');
  assert.equal(at.lifecycle.isLeaving(), true);
  await at.clock.advance(20);
  assert.deepEqual(at.steps, ['refuse 0', 'resign 0', 'close 0', 'finish 0']);
  assert.equal(at.exit, 0);
});

test('it gives up leadership at once and waits for the last request (P1, P7)', async () => {
  const at = bench();
  at.inFlight = 2;
  at.lifecycle.leave('SIGTERM');
  await at.clock.advance(9000);
  assert.deepEqual(at.steps, ['refuse 0', 'resign 0', 'close 0']);
  at.inFlight = 0;
  await at.clock.advance(20);
  assert.equal(at.steps.at(-1), 'finish 9');
  assert.equal(at.exit, 0);
});

test('at ten seconds what remains is told, and it leaves (P7)', async () => {
  const at = bench({ closeListeners: () => new Promise(() => {}) });
  at.inFlight = 1;
  at.lifecycle.leave('SIGTERM');
  await at.clock.advance(10_000);
  assert.equal(at.exit, undefined);
  await at.clock.advance(500);
  assert.equal(at.steps.at(-1), 'finish 10.5');
  assert.equal(at.exit, 0);
});

test('listeners tell at ten seconds whom they cut off, before what would have answered ends', async () => {
  const at = bench({
    closeListeners: deadlineMs =>
      new Promise(resolve => at.clock.after(deadlineMs, () => void at.clock.after(250, resolve))),
  });
  at.inFlight = 1;
  at.lifecycle.leave('SIGTERM');
  await at.clock.advance(10_240);
  assert.deepEqual(at.steps, ['refuse 0', 'resign 0']);
  await at.clock.advance(20);
  assert.equal(at.steps.at(-1), 'finish 10.3');
});

test('a second signal leaves now (P7)', async () => {
  const at = bench();
  at.inFlight = 1;
  at.lifecycle.urge('SIGTERM');
  at.lifecycle.urge('SIGTERM');
  await at.clock.advance(0);
  assert.equal(at.exit, 1);
});

test('many that ask it to stop, and one signal, cut nothing off; it ends with the worst they say', async () => {
  const at = bench();
  at.inFlight = 1;
  at.lifecycle.leave('asked to');
  at.lifecycle.leave('asked to');
  at.lifecycle.urge('an uncaught exception', 70);
  await at.clock.advance(9000);
  assert.deepEqual([at.exit, at.steps], [undefined, ['refuse 0', 'resign 0', 'close 0']]);
  at.inFlight = 0;
  await at.clock.advance(20);
  assert.equal(at.exit, 70);
});

test('a step that throws does not keep it', async () => {
  const at = bench({ resign: () => Promise.reject(new Error('broken')) });
  at.lifecycle.leave('SIGTERM');
  await at.clock.advance(20);
  assert.equal(at.exit, 0);
});

test('a leader that lost the lock leaves with 75, within a second (P1)', async () => {
  const at = bench();
  await at.clock.advance(5000);
  assert.equal(at.exit, undefined);
  at.isLocked = false;
  await at.clock.advance(1020);
  assert.equal(at.exit, 75);
});

test('it leaves after idle minutes without a break, and never while something is under way (P9)', async () => {
  const at = bench();
  let idle = true;
  at.lifecycle.leaveWhenIdle(
    () => idle,
    () => 30 * 60_000,
  );
  await at.clock.advance(29 * 60_000);
  idle = false;
  await at.clock.advance(60 * 60_000);
  idle = true;
  await at.clock.advance(29 * 60_000);
  assert.equal(at.exit, undefined);
  await at.clock.advance(2 * 60_000);
  assert.equal(at.exit, 0);
});

test('what only a leader can finish is waited for until all of it has ended, or time is up (P7)', async () => {
  const clock = fakeClock();
  const work = leadersWork(clock);
  let overs = 0;
  const waitFor = (ms: number) => work.over(ms).then(() => overs++);
  await waitFor(5000);
  const [first, second] = [work.begin(), work.begin()];
  void waitFor(5000);
  first();
  first();
  await clock.advance(4999);
  assert.equal(overs, 1);
  await clock.advance(1);
  assert.equal(overs, 2, 'time is up');
  void waitFor(5000);
  second();
  await clock.advance(0);
  assert.equal(overs, 3);
});

test('idle minutes of 0 mean never', async () => {
  const at = bench();
  at.lifecycle.leaveWhenIdle(
    () => true,
    () => 0,
  );
  await at.clock.advance(100 * 60_000);
  assert.equal(at.exit, undefined);
});

test('a thousand calls around the moment of an idle exit: each is answered whole, or told to ask the next daemon (P9)', async () => {
  const idleMs = 10_000;
  const ends = { answered: 0, refused: 0, cut: 0 };
  for (let call = 0; call < 1000; call++) {
    const at = bench();
    at.lifecycle.leaveWhenIdle(
      () => at.inFlight === 0,
      () => idleMs,
    );
    at.clock.after(idleMs - 5 + call / 100, () => {
      if (at.lifecycle.isLeaving()) {
        ends.refused++;
        return;
      }
      at.inFlight++;
      at.clock.after(7, () => {
        at.inFlight--;
        ends[at.steps.some(step => step.startsWith('finish')) ? 'cut' : 'answered']++;
      });
    });
    await at.clock.advance(idleMs + 100);
  }
  assert.equal(ends.answered + ends.refused, 1000);
  assert.equal(ends.cut, 0);
  assert.ok(ends.answered > 100 && ends.refused > 100, JSON.stringify(ends));
});
