import { test } from 'node:test';
import { flooded } from '../fault/overflow.ts';

test(
  'forty thousand files while the daemon stands still: no reply calls less than all of them fresh, in any root',
  {
    skip: process.platform !== 'linux' && 'the queue is Linux’s',
  },
  t => flooded(t, 40_000),
);
