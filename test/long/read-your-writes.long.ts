import { test } from 'node:test';
import { readYourWrites } from '../fault/read-your-writes.ts';

test('five hundred synced answers on a busy machine, each with the write before it (P11)', t => readYourWrites(t, 500));
