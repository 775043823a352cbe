import { parentPort, threadId } from 'node:worker_threads';
import type { Wear } from '../../../daemon/workers/pool.ts';
import { openPort } from '../../../daemon/workers/port.ts';
import { type ToPool, tellThread } from '../../../daemon/workers/thread.ts';

/** What a pool must cope with, on demand. */
export type Misbehaviour = {
  readonly work: (input: { readonly retire?: Wear['retire']; readonly ms?: number }) => Wear & {
    readonly thread: number;
  };
  readonly exit: (input: null) => Wear;
  readonly throwLate: (input: null) => Wear;
  readonly devour: (input: null) => Wear;
  readonly spin: (input: null) => Wear;
  readonly refuse: (input: null) => Wear;
};

let isUnfit = false;
const pool = openPort<Misbehaviour, ToPool>(parentPort!, {
  work: ({ retire = false, ms = 0 }) => {
    if (isUnfit) return new Promise<never>(() => {});
    isUnfit = retire === 'at once';
    const until = performance.now() + ms;
    while (performance.now() < until);
    return { retire, thread: threadId };
  },
  exit: () => process.exit(3),
  throwLate: () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error('out of the blue');
      });
    }),
  devour: () => {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(1_000_000).fill(1.5));
  },
  spin: () => {
    for (;;);
  },
  refuse: () => {
    throw new Error('not this one');
  },
});
tellThread(pool);
