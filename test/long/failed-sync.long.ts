import { test } from 'node:test';
import { failSync, syncFailers } from '../fault/failed-sync.ts';

for (const failer of syncFailers) {
  test(`whichever sync fails: it is told, nothing is lost, and the next attempt succeeds (${failer.name})`, async t => {
    for (let nth = 1; nth <= 30; nth++) await failSync(t, nth, failer);
  });
}
