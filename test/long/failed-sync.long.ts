import { test } from 'node:test';
import { failSync } from '../fault/failed-sync.ts';
import { canTrace } from '../fault/system-calls.ts';

test('whichever sync fails: it is told, nothing is lost, and the next attempt succeeds', {
  skip: !canTrace,
}, async t => {
  for (let nth = 1; nth <= 30; nth++) await failSync(t, nth);
});
