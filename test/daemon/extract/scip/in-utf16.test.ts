import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PositionEncoding } from '../../../../daemon/extract/scip/document.ts';
import { occurrencesInUtf16 } from '../../../../daemon/extract/scip/in-utf16.ts';
import { mergeOccurrences, OccurrenceRows, type ScipOccurrences } from '../../../../daemon/extract/scip/occurrences.ts';

const text = 'plain x\r\nä 🚀 x\nlast';

/** Encoding, a range as written, the range in UTF-16. */
const rows: readonly (readonly [PositionEncoding, readonly number[], string])[] = [
  ['utf-8', [0, 6, 0, 7], '0:6-0:7'],
  ['utf-8', [1, 8, 1, 9], '1:5-1:6'],
  ['utf-16', [1, 5, 1, 6], '1:5-1:6'],
  ['utf-32', [1, 4, 1, 5], '1:5-1:6'],
  ['utf-8', [0, 6, 1, 3], '0:6-1:2'],
  ['utf-8', [2, 0, 2, 4], '2:0-2:4'],
  ['utf-8', [1, 1, 1, 2], ''],
  ['utf-8', [1, 8, 1, 10], ''],
  ['utf-16', [1, 5, 1, 7], ''],
  ['utf-32', [1, 4, 1, 6], ''],
  ['utf-8', [0, 6, 0, 9], ''],
  ['utf-8', [2, 0, 3, 0], ''],
  ['utf-16', [2 ** 30 - 1, 0, 2 ** 30 - 1, 0], ''],
];

test('turns columns into UTF-16 and leaves out what lies beyond the text', () => {
  for (const [encoding, range, expected] of rows) {
    const { occurrences, beyond } = occurrencesInUtf16(occurrencesOf([range]), text, encoding);
    assert.equal(shown(occurrences).join(), expected, `${encoding} ${range}`);
    assert.equal(beyond, expected === '' ? 1 : 0);
  }
});

test('an enclosing range beyond the text goes alone', () => {
  const rows = new OccurrenceRows();
  rows.add([0, 0, 0, 1], 1, 1);
  rows.addEnclosing([0, 0, 9, 0]);
  rows.add([2, 0, 2, 4], 2, 1);
  rows.addEnclosing([1, 0, 2, 4]);
  const { occurrences } = occurrencesInUtf16(rows.columns(), text, 'utf-8');
  assert.equal(occurrences.count, 2);
  assert.deepEqual([...occurrences.enclosing], [1, 1, 0, 2, 4]);
});

test('two documents of one path are one, with what both say once', () => {
  const one = occurrencesOf([
    [0, 0, 0, 1],
    [3, 0, 3, 1],
  ]);
  const other = occurrencesOf([
    [0, 0, 0, 1],
    [1, 0, 2, 1],
  ]);
  const merged = mergeOccurrences(one, other);
  assert.deepEqual(shown(merged), ['0:0-0:1', '1:0-2:1', '3:0-3:1']);
  assert.deepEqual([...merged.enclosing], [0, 0, 0, 0, 1, 1, 1, 0, 2, 1, 2, 3, 0, 3, 1]);
  assert.deepEqual(mergeOccurrences(one, one), one);
});

function occurrencesOf(ranges: readonly (readonly number[])[]): ScipOccurrences {
  const rows = new OccurrenceRows();
  for (const range of ranges) {
    rows.add(range, 7, 1);
    rows.addEnclosing(range);
  }
  return rows.columns();
}

function shown(occurrences: ScipOccurrences): string[] {
  const { startLine, startColumn, endLine, endColumn } = occurrences;
  return Array.from(startLine, (line, at) => `${line}:${startColumn[at]}-${endLine[at]}:${endColumn[at]}`);
}
