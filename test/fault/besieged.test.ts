import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besieged } from './besieged.ts';

test('health is answered whatever eight clients send beside the indexing of a tree, and never waits for them (P38)', async context => {
  const { answers, longestHeldMs } = await besieged(context, { files: 300, symbols: 3000, clients: 8 });
  context.diagnostic(`held for ${longestHeldMs} ms`);
  assert.ok(answers > 20, String(answers));
  // What the main thread computed while it was asked: a machine with much else to do makes answers late, and this no larger.
  assert.ok(longestHeldMs < 250, `the event loop was held for ${longestHeldMs} ms`);
});
