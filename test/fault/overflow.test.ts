import { test } from 'node:test';
import { flooded } from './overflow.ts';

/** As many as the queue just can't hold; the long run writes forty thousand. */
test(
  'more files than the kernel’s queue holds, while the daemon stands still: no reply calls less than all of them fresh (P12)',
  {
    skip: process.platform !== 'linux' && 'the queue is Linux’s',
    timeout: 200_000,
  },
  t => flooded(t, 17_000),
);
