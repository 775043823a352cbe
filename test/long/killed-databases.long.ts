import { test } from 'node:test';
import { killedAtDatabase, rotation, upgrade } from '../fault/killed-databases.ts';
import { tracingKillers } from '../fault/killers.ts';

// Where nobody may look at system calls, `npm test` has it die at each commit.
for (const killer of tracingKillers) {
  test(`a process killed ${killer.name} while it brings daemon.db to this version leaves the old one or the new one (P8, P25)`, t =>
    killedAtDatabase(t, upgrade, [killer]));

  test(`a process killed ${killer.name} while it gives a key another secret leaves the old one or the new one (P8)`, t =>
    killedAtDatabase(t, rotation, [killer]));
}
