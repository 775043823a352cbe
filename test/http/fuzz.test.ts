import { test } from 'node:test';
import { fuzzRoutes } from './fuzz-routes.ts';

test('every route takes what its description allows, refuses the rest by name, and answers as described', t =>
  fuzzRoutes(t, 7, 4));
