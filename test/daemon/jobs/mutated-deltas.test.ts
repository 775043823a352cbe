import { test } from 'node:test';
import { mutateDeltas } from './mutated-deltas.ts';

test('artifacts that were tampered with have one verdict, and those refused change nothing (P47)', t =>
  mutateDeltas(t, 100, 1));
