import { test } from 'node:test';
import { mutateDeltas } from './mutated-deltas.ts';

test('artifacts that were tampered with have one verdict, and those refused change nothing', t =>
  mutateDeltas(t, 30, 1));
