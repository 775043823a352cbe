import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OccurrenceRows } from '../../../daemon/extract/scip/occurrences.ts';
import { placesAgainst } from '../../../daemon/jobs/scip/evident-content.ts';

const text = `import { open as start } from './box'
export const limit = 4
export function run() {
  start(limit)
  start(limit)
  return limit
}
`;
const names = ['open', 'limit', 'run', ''];
/** Line, column, end column, symbol, roles. */
const seen = [
  [0, 9, 13, 0, 0],
  [0, 17, 22, 0, 0],
  [0, 30, 37, 3, 0],
  [1, 13, 18, 1, 1],
  [2, 16, 19, 2, 1],
  [3, 2, 7, 0, 0],
  [3, 8, 13, 1, 0],
  [4, 2, 7, 0, 0],
  [4, 8, 13, 1, 0],
  [5, 9, 14, 1, 0],
];

function evident(text: string, rows = seen, beyond = 0): boolean {
  return against(text, rows, beyond) !== undefined;
}

function against(text: string, rows = seen, beyond = 0): number | undefined {
  const occurrences = new OccurrenceRows();
  for (const [line, column, end, symbol, roles] of rows) {
    occurrences.add([line!, column!, line!, end!], symbol!, roles!);
  }
  return placesAgainst({ occurrences: occurrences.columns(), beyond }, text, symbol => names[symbol]!);
}

test('a text is the one that an indexer saw where its occurrences are words and its definitions are called so', () => {
  assert.equal(evident(text), true, 'aliases and modules need not bear the name');
  assert.equal(evident(text, [[0, 0, 0, 3, 1], ...seen]), true, 'the place of a module is empty');
  assert.equal(evident(text.replace('limit = 4', 'bound = 4')), false, 'a definition is called otherwise');
  assert.equal(evident(text.replace('\n', '\n\n')), false, 'all that follows stands a line lower');
  assert.equal(evident(text.replace('return limit', 'return  limit')), false, 'few occurrences, one of them amiss');
});

test('of many occurrences a few may stand anywhere, but not next to each other', () => {
  const lines = 200;
  const many = `${'go(now)\n'.repeat(lines)}`;
  const rows = Array.from({ length: lines }, (_, line) => [line, 0, 2, 3, 0]);
  const astray = (at: readonly number[]) => rows.map((row, line) => (at.includes(line) ? [line, 1, 2, 3, 0] : row));
  assert.equal(against(many, astray([])), 0);
  assert.equal(against(many, astray([3, 50, 90, 140])), 4);
  assert.equal(evident(many, astray([3, 50, 90, 140, 160])), false);
  assert.equal(evident(many, astray([50, 51, 52])), false);
  assert.equal(evident(many, astray([]), 2), true, 'past its end');
  assert.equal(against(many, astray([3, 50]), 2), 4);
  assert.equal(evident(many, astray([3, 50, 90]), 2), false);
  assert.equal(evident(many, astray([]), 3), false);
});
