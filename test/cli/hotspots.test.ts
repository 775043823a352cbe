import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsViews } from '../../cli/views/hotspots.ts';
import { hotspots } from '../../client/protocol/hotspots.ts';

const { output } = hotspots['hotspots.list'].example!;
const cut = 'older commits are not known: the clone is shallow, or longer than history.most_commits';

const rows: readonly (readonly [of: Partial<typeof output>, notes: readonly string[]])[] = [
  [{ changed: 3 }, []],
  [{ lastCommit: null }, []],
  [{ lastCommit: '2026-04-09T10:00:00.000Z' }, ['the last commit is of 2026-04-09: --days looks further back']],
  [
    { lastCommit: '2026-04-09T10:00:00.000Z', days: 900 },
    ['the last commit is of 2026-04-09, and none of that time changed any of these files'],
  ],
  [
    { lastCommit: '2026-04-09T10:00:00.000Z', days: 900, historyIsCut: true },
    ['the last commit is of 2026-04-09, and none of that time is known to have changed any of these files', cut],
  ],
];

test('where nothing changed, it is told whether a longer time may tell more', () => {
  for (const [of, notes] of rows) {
    const answer = { ...output, changed: 0, timestamp: '2026-07-01T12:00:00.000Z', ...of };
    const view = hotspotsViews['hotspots.list']!(answer);
    assert.ok(view.kind === 'rows');
    assert.deepEqual(view.notes.slice(1), notes);
  }
});
