import { test } from 'node:test';
import { failSync, syncFailers } from './failed-sync.ts';

/** One while the daemon starts, one while it works, each way of failing in its turn; the long run fails all by each. */
for (const [index, nth] of [2, 17].entries()) {
  const failer = syncFailers[index % syncFailers.length]!;
  test(`a sync that fails is told, nothing is lost, and the next attempt succeeds (${nth}, ${failer.name})`, t =>
    failSync(t, nth, failer));
}
