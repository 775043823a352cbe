import { test } from 'node:test';
import { readYourWrites } from './read-your-writes.ts';

test('a hundred synced answers on a busy machine, each with the write before it (P11)', t => readYourWrites(t, 100));
