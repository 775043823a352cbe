import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../../../daemon/analysis/ownership/days.ts';
import { quarterShares } from '../../../../daemon/analysis/ownership/quarters.ts';
import { author } from './blamed.ts';

/** `2026-03-31 @alice 5 2`: five lines added and two taken away; `2026-03-31 @alice` of a file that is binary. */
function touches(...lines: readonly string[]) {
  return lines.map(line => {
    const [date, who, added, deleted] = line.split(' ') as [string, string, string?, string?];
    return {
      author: who === '-' ? undefined : author(who),
      authoredAt: Date.parse(`${date}${date.includes('T') ? '' : 'T12:00:00Z'}`) / 1000,
      lines: added === undefined ? undefined : { added: Number(added), deleted: Number(deleted) },
    };
  });
}

const rows: readonly (readonly [what: string, touches: readonly string[], shares: readonly string[]])[] = [
  ['nothing', [], []],
  [
    'lines added and taken away',
    ['2026-02-01 @a 5 1', '2026-03-31 @b 1 1'],
    ['2026-01-01 @a 0.75', '2026-01-01 @b 0.25'],
  ],
  [
    'quarters begin in UTC',
    ['2026-03-31T23:59:59Z @a 1 0', '2026-04-01T00:00:00Z @b 1 0', '2025-12-31T23:00:00-02:00 @c 1 0'],
    ['2026-01-01 @a 0.5', '2026-01-01 @c 0.5', '2026-04-01 @b 1'],
  ],
  [
    'all four',
    ['2026-12-31 @a 1 0', '2026-09-30 @a 1 0', '2026-06-30 @a 1 0'],
    ['2026-04-01 @a 1', '2026-07-01 @a 1', '2026-10-01 @a 1'],
  ],
  [
    'commits where not all lines are counted',
    ['2026-01-01 @a 99 0', '2026-01-02 @b', '2026-01-03 @b 1 0', '2026-04-01 @a 99 0', '2026-04-02 @b 1 0'],
    ['2026-01-01 @b 0.6667', '2026-01-01 @a 0.3333', '2026-04-01 @a 0.99'],
  ],
  [
    'commits where no line was changed',
    ['2026-01-01 @a 0 0', '2026-01-02 @a 0 0', '2026-01-03 @b 0 0'],
    ['2026-01-01 @a 0.6667', '2026-01-01 @b 0.3333'],
  ],
  [
    'bots and who did little are left out',
    ['2026-01-01 @a 95 0', '2026-01-01 - 900 0', '2026-01-01 @b 4 0'],
    ['2026-01-01 @a 0.9596'],
  ],
  ['bots alone', ['2026-01-01 - 1 0'], []],
  ['a quarter of many with little', Array.from({ length: 30 }, (_, at) => `2026-01-01 @${at} 1 0`), []],
];

for (const [what, given, expected] of rows) {
  test(`shares per quarter: ${what}`, () => {
    const shares = quarterShares(touches(...given));
    assert.deepEqual(
      shares.map(({ date, identity, contribution }) => `${date} ${identity} ${contribution}`),
      expected,
    );
  });
}

test('times that commits may claim are days', () => {
  const days = [-1, 0, 253_402_300_799, 1e18].map(dayOf);
  assert.deepEqual(days, ['1970-01-01', '1970-01-01', '9999-12-31', '9999-12-31']);
  const [share] = quarterShares([{ author: author('@a'), authoredAt: 1e18, lines: undefined }]);
  assert.equal(share?.date, '9999-10-01');
});
