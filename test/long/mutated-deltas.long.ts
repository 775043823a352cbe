import { test } from 'node:test';
import { mutateDeltas } from '../daemon/jobs/mutated-deltas.ts';

test('a thousand artifacts that were tampered with have one verdict each (P47)', t => mutateDeltas(t, 1000, 47));
