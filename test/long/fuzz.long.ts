import { test } from 'node:test';
import { fuzzRoutes } from '../http/fuzz-routes.ts';

/** Others each time; the one that fails says which it was. */
const seeds = Array.from({ length: 10 }, () => Math.floor(Math.random() * 2 ** 31));

for (const seed of seeds) test(`every route is fuzzed with seed ${seed}`, t => fuzzRoutes(t, seed));
