import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { countWorkers } from '../../../daemon/workers/count.ts';
import { createWorkerPool, type PoolOptions, WorkerLost } from '../../../daemon/workers/pool.ts';
import { PortClosed, RemoteError } from '../../../daemon/workers/port.ts';
import { until } from '../../support/daemon.ts';
import type { Misbehaviour } from './misbehaving-worker.ts';

function pool(t: TestContext, options: Partial<PoolOptions> = {}) {
  const made = createWorkerPool<Misbehaviour>({
    entry: new URL('./misbehaving-worker.js', import.meta.url),
    size: 2,
    idleMs: 60_000,
    stuckAfterMs: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    ...options,
  });
  t.after(() => made.close());
  return made;
}

const lane = { lane: 'a' };

test('workers start when there is work and end when there is none', async t => {
  const workers = pool(t, { idleMs: 1 });
  const live = countWorkers();
  const threads = await Promise.all([1, 2, 3, 4].map(() => workers.run('work', { ms: 20 }, lane)));
  assert.equal(new Set(threads.map(answer => answer.thread)).size, 2);
  await until('no worker is left', () => live() === 0);
  await workers.run('work', {}, lane);
  assert.equal(live(), 1);
});

for (const crime of ['exit', 'throwLate', 'devour'] as const) {
  test(`a worker's death by ${crime} costs the task that it was at, no other`, async t => {
    const workers = pool(t, { size: 1 });
    await workers.run('work', {}, lane);
    const fatal = workers.run(crime, null, lane);
    const innocent = [1, 2, 3].map(() => workers.run('work', {}, lane));
    await assert.rejects(fatal, (thrown: unknown) => thrown instanceof WorkerLost && thrown.how === 'crashed');
    for (const answer of await Promise.all(innocent)) assert.equal(answer.retire, false);
  });
}

test('a runaway is ended, and what waited behind it runs', async t => {
  const workers = pool(t, { size: 1, stuckAfterMs: 600 });
  const fatal = workers.run('spin', null, lane);
  const innocent = workers.run('work', {}, lane);
  await assert.rejects(fatal, (thrown: unknown) => thrown instanceof WorkerLost && thrown.how === 'stuck');
  await innocent;
});

test('a worker that starves is left to its work', async t => {
  const workers = pool(t, { size: 1, stuckAfterMs: 600, threadCpuMs: () => 0 });
  const { thread } = await workers.run('work', {}, lane);
  assert.equal((await workers.run('work', { ms: 2500 }, lane)).thread, thread);
});

test('what a worker refuses is the caller’s to know, and the worker stays', async t => {
  const workers = pool(t, { size: 1 });
  const { thread } = await workers.run('work', {}, lane);
  await assert.rejects(workers.run('refuse', null, lane), RemoteError);
  assert.equal((await workers.run('work', {}, lane)).thread, thread);
});

test('a worker that asks to retire is replaced', async t => {
  const workers = pool(t, { size: 1 });
  const first = await workers.run('work', { retire: true }, lane);
  const second = await workers.run('work', {}, lane);
  assert.notEqual(second.thread, first.thread);
});

test('what waits at the door of a worker that can do no more is given to another', async t => {
  const workers = pool(t, { size: 1 });
  const first = workers.run('work', { retire: 'at once', ms: 50 }, lane);
  const behind = [1, 2, 3].map(() => workers.run('work', {}, lane));
  const { thread } = await first;
  for (const answer of await Promise.all(behind)) assert.notEqual(answer.thread, thread);
});

test('lanes take turns', async t => {
  const workers = pool(t, { size: 1 });
  const order: string[] = [];
  const run = (name: string) => workers.run('work', { ms: 2 }, { lane: name }).then(() => order.push(name));
  await Promise.all([...Array.from({ length: 10 }, () => run('big')), run('small')]);
  assert.ok(order.indexOf('small') < 5, `small waited behind big: ${order}`);
});

test('places of tasks under way are never shared', async t => {
  const workers = pool(t);
  const held = new Set<number>();
  const run = async () => {
    const onStart = (place: number) => {
      assert.ok(!held.has(place) && place < 4, `place ${place} is taken`);
      held.add(place);
    };
    const onLand = (place: number) => assert.ok(held.delete(place));
    await workers.run('work', { ms: 1 }, { lane: 'a', onStart, onLand });
  };
  await Promise.all(Array.from({ length: 40 }, run));
  assert.equal(held.size, 0);
});

test('workers that never come up fail the tasks instead of blaming them', async t => {
  const workers = pool(t, { entry: new URL('./no-such-worker.js', import.meta.url) });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => workers.run('work', {}, lane)));
  const reasons = outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason);
  assert.ok(reasons.every(reason => reason instanceof Error));
  assert.ok(reasons.some(reason => reason instanceof PortClosed));
});

test('abort drops what waits; close rejects all', async t => {
  const workers = pool(t, { size: 1 });
  const stop = new AbortController();
  const busy = [workers.run('work', { ms: 50 }, lane), workers.run('work', { ms: 50 }, lane)];
  const dropped = workers.run('work', {}, { lane: 'a', signal: stop.signal });
  stop.abort(new Error('enough'));
  await assert.rejects(dropped, /enough/);
  await Promise.all(busy);
  const last = assert.rejects(workers.run('work', { ms: 1000 }, lane), PortClosed);
  await workers.close();
  await last;
});
