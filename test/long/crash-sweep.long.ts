import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killers, sweep } from '../fault/crash-sweep.ts';
import { tracingKillers } from '../fault/killers.ts';

for (const killer of killers) {
  // A daemon makes hundreds of system calls and few commits.
  const by = tracingKillers.includes(killer) ? 7 : 1;
  test(`a daemon killed ${killer.name} leaves the old snapshot or the new one (P8)`, async t => {
    assert.ok((await sweep(t, killer, { from: 1, to: 400, by })) > 0);
  });
}
