import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stalenessOf } from '../../../../daemon/operations/federation/staleness.ts';
import { fakeClock } from '../../../support/fake-clock.ts';

const dayMs = 86_400_000;

test('what was synchronised long ago is the older for it, to the millisecond', async () => {
  const clock = fakeClock();
  const syncedAt = clock.now().getTime();
  const levels: string[] = [];
  let last = '';
  const look = (days: number): void => {
    const { overallStaleness, refreshRecommended, repos } = stalenessOf(
      [{ repoId: 'a', syncedAt }],
      clock.now().getTime(),
    );
    assert.equal(refreshRecommended, ['stale', 'obsolete'].includes(overallStaleness));
    assert.deepEqual(
      repos,
      overallStaleness === 'fresh'
        ? []
        : [{ repoId: 'a', staleness: overallStaleness, lastSynced: new Date(syncedAt).toISOString() }],
    );
    if (overallStaleness !== last) levels.push(`${overallStaleness} after ${days}`);
    last = overallStaleness;
  };
  look(0);
  for (const days of [7, 30, 90]) {
    await clock.advance(syncedAt + days * dayMs - clock.now().getTime());
    look(days);
    await clock.advance(1);
    look(days);
  }
  await clock.advance(3650 * dayMs);
  look(3650);
  assert.deepEqual(levels, ['fresh after 0', 'aging after 7', 'stale after 30', 'obsolete after 90']);
});

test('the repository that was synchronised longest ago counts, and one that never was counts most', () => {
  const now = Date.UTC(2030, 0, 1);
  const ago = (days: number): number => now - days * dayMs;
  const overall = (...syncedAt: readonly (number | undefined)[]): string =>
    stalenessOf(
      syncedAt.map((at, number) => ({ repoId: `r${number}`, syncedAt: at })),
      now,
    ).overallStaleness;
  assert.equal(overall(ago(0), ago(8), ago(1)), 'aging');
  assert.equal(overall(ago(31), ago(8)), 'stale');
  assert.equal(overall(ago(91), ago(0)), 'obsolete');
  assert.equal(overall(ago(91), undefined, ago(0)), 'never-synced');
  assert.equal(overall(), 'fresh', 'of nothing nothing is old');
  assert.equal(overall(now + 10 * 365 * dayMs), 'fresh', 'the clock was put back');
  const { repos, refreshRecommended } = stalenessOf([{ repoId: 'a', syncedAt: undefined }], now);
  assert.deepEqual([repos, refreshRecommended], [[{ repoId: 'a', staleness: 'never-synced', lastSynced: null }], true]);
});
