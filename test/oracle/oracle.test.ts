import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, report } from './verdict.ts';

/** The oracle in small; `npm run test:long` and `npm run oracle` run it in full. */
test('whatever happens to a tree, a synced answer rests on what a fresh index says (P16)', async () => {
  const verdict = await judge(1, 40, 0);
  assert.ok(verdict.ok, report(verdict));
  assert.ok(verdict.compared > 0, 'nothing was compared');
});
