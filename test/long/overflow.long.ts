import { test } from 'node:test';
import { flooded } from '../fault/overflow.ts';

test(
  'forty thousand files while the daemon stands still: no reply calls less than all of them fresh, in any root (P12)',
  {
    skip: process.platform !== 'linux' && 'the queue is Linux’s',
  },
  t => flooded(t, 40_000),
);
