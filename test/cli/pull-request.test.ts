import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullRequestViews } from '../../cli/views/pull-request.ts';
import { pullRequest } from '../../client/protocol/pull-request.ts';

const { output } = pullRequest['pr.summary'].example!;
type Summary = Exclude<typeof output, string>;

/** What is shown of some names, and what is said beside it. */
function shown(of: Partial<Summary>, names: readonly string[]) {
  const view = pullRequestViews['pr.summary']!({ ...(output as Summary), ...of });
  assert.ok(view.kind === 'pairs');
  const lines = view.pairs.flatMap(([name, told]) => (names.includes(name) ? told.map(one => `${name}: ${one}`) : []));
  return { lines, notes: view.notes };
}

test('what is left out is told with what tells it, and only by what does', () => {
  const [file] = (output as Summary).files;
  const files = (count: number) => Array.from({ length: count }, (_, at) => ({ ...file!, path: `src/${at}.ts` }));
  const last = (listed: number, filesChanged: number) =>
    shown({ files: files(listed), filesChanged }, ['file']).lines.at(-1);
  assert.equal(last(8, 8), 'file: src/7.ts modified +12 -4');
  assert.equal(last(9, 9), 'file: and 1 more: --json tells all');
  assert.equal(last(20, 20), 'file: and 12 more: --json tells all');
  assert.equal(last(20, 100), 'file: and 92 more: --json tells 12 of them, --limit more');
  assert.equal(last(8, 9), 'file: and 1 more: --limit tells more');
  assert.equal(last(2, 3), 'file: and 1 more: --limit tells more');
});

test('of symbols that nobody asked for nothing is shown', () => {
  const told = { symbolsTotal: 3, symbolsOmitted: 2, filesNotRead: 1 };
  assert.deepEqual(shown(told, ['symbol']), {
    lines: [
      'symbol: src/config.ts:12 function parseConfig modified, risk medium, 9 direct users',
      'symbol: and 2 more: --symbol-limit tells more',
    ],
    notes: ['of 1 file not all symbols can be told'],
  });
  assert.deepEqual(shown({ ...told, symbolsChanged: [] }, ['symbol']), { lines: [], notes: [] });
  const unreadable = { symbolsTotal: 0, symbolsOmitted: 1, symbolsChanged: [] };
  assert.deepEqual(shown(unreadable, ['symbol']).notes, ['of 1 file not all symbols can be told']);
});
