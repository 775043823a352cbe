import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killers, sweep } from '../fault/crash-sweep.ts';

for (const killer of killers) {
  test(`a daemon killed ${killer.name} leaves the old snapshot or the new one (P8)`, async t => {
    assert.ok((await sweep(t, killer, { from: 1, to: 400, by: killer.stride })) > 0);
  });
}
