import { test } from 'node:test';
import { killedInDelta } from '../fault/killed-deltas.ts';
import { tracingKillers } from '../fault/killers.ts';

// Where nobody may look at system calls, `npm test` has it die at each commit.
for (const killer of tracingKillers) {
  test(`a process killed ${killer.name} while it takes in an artifact leaves one snapshot or the other (P8)`, t =>
    killedInDelta(t, [killer]));
}
