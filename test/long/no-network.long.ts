import { test } from 'node:test';
import { callsNobodyFar } from '../fault/no-network.ts';

test('an indexer that runs by itself calls nobody either, whatever the repository names (P51)', t =>
  callsNobodyFar(t, 'scip-typescript'));
