import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, report } from './verdict.ts';

/** The oracle in small; `npm run test:long` and `npm run oracle` run it in full. */
for (const seed of [1, 2]) {
  test(`whatever happens to a tree, a synced answer rests on what a fresh index says (seed ${seed})`, async () => {
    const verdict = await judge(seed, 40, 0);
    assert.ok(verdict.ok, report(verdict));
    assert.ok(verdict.compared > 0, 'nothing was compared');
  });
}
