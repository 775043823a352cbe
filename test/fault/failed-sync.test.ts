import { test } from 'node:test';
import { failSync } from './failed-sync.ts';
import { canTrace } from './system-calls.ts';

/** One while the daemon starts, one while it works; the long run fails each of them. */
test('a sync that fails is told, nothing is lost, and the next attempt succeeds', { skip: !canTrace }, async t => {
  for (const nth of [2, 17]) await failSync(t, nth);
});
