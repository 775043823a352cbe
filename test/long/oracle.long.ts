import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, report } from '../oracle/verdict.ts';

for (let seed = 1; seed <= 10; seed++) {
  test(`two hundred operations on a tree, each synced answer as a fresh index has it (seed ${seed}) (P16)`, async () => {
    const verdict = await judge(seed, 200, 60);
    assert.ok(verdict.ok, report(verdict));
    assert.ok(verdict.compared >= 5, `only ${verdict.compared} barriers were compared; stale: ${verdict.stale}`);
    assert.ok(verdict.precise >= 5, `only ${verdict.precise} documents rested on evidence`);
  });
}
