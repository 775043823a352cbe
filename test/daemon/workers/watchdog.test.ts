import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelThread } from '../../../daemon/workers/thread.ts';
import { createWatchdog, threadCpuMs } from '../../../daemon/workers/watchdog.ts';

const stuckAfterMs = 2000;
const tickMs = 500;

/** What a look sees, tick by tick, and at which look the worker counts as stuck. */
const cases: readonly {
  readonly name: string;
  /** Processor time by look; undefined: nobody tells. */
  readonly cpuMs: (look: number) => number | undefined;
  /** Where it is not 7 all the time. */
  readonly thread?: (look: number) => number | undefined;
  readonly stuckAt: number;
}[] = [
  { name: 'has the processor to itself', cpuMs: look => look * 500, stuckAt: 5 },
  { name: 'had much before this task', cpuMs: look => 1e6 + look * 500, stuckAt: 5 },
  { name: 'gets a tenth', cpuMs: look => look * 50, stuckAt: 41 },
  { name: 'starves', cpuMs: () => 3, stuckAt: 81 },
  { name: 'can’t be measured', cpuMs: () => undefined, stuckAt: 81 },
  { name: 'has not told its thread', cpuMs: look => look * 500, thread: () => undefined, stuckAt: 81 },
  { name: 'tells its thread late', cpuMs: look => look * 500, thread: look => (look < 3 ? undefined : 7), stuckAt: 8 },
  { name: 'is another worker by then', cpuMs: look => look * 500, thread: look => (look < 4 ? 7 : 8), stuckAt: 9 },
];

for (const { name, cpuMs, thread = () => 7, stuckAt } of cases) {
  test(`a worker that ${name} counts as stuck at look ${stuckAt}`, () => {
    let look = 0;
    const dog = createWatchdog({ stuckAfterMs, tickMs, threadCpuMs: () => cpuMs(look) });
    const task = {};
    while (!dog.isStuck({ thread: thread(look), task })) assert.ok(++look < 100);
    assert.equal(look, stuckAt);
  });
}

test('each task has all the time', () => {
  let cpuMs = 0;
  const dog = createWatchdog({ stuckAfterMs, tickMs, threadCpuMs: () => (cpuMs += 1500) });
  for (let count = 0; count < 50; count++) {
    const task = {};
    assert.equal(dog.isStuck({ thread: 7, task }), false);
    assert.equal(dog.isStuck({ thread: 7, task }), false);
  }
});

test('the kernel tells of this thread, and of none that there is not', { skip: process.platform !== 'linux' }, () => {
  const thread = kernelThread()!;
  const before = threadCpuMs(thread)!;
  const until = performance.now() + 8000;
  while (threadCpuMs(thread)! < before + 50) assert.ok(performance.now() < until, 'it never moved');
  assert.equal(threadCpuMs(999_999_999), undefined);
});
