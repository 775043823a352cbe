import { test } from 'node:test';
import { failSync, syncFailers } from './failed-sync.ts';

/** One while the daemon starts, one while it works; the long run fails each of them. */
for (const failer of syncFailers) {
  test(`a sync that fails is told, nothing is lost, and the next attempt succeeds (${failer.name})`, async t => {
    for (const nth of [2, 17]) await failSync(t, nth, failer);
  });
}
