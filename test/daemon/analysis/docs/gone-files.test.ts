import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goneByFile, newPathOf } from '../../../../daemon/analysis/docs/gone-files.ts';

/** Where definitions of a file are now, `-` of those that are nowhere, and where the file is. */
const files: readonly (readonly [definitions: string, file: string | undefined])[] = [
  ['b b', 'b'],
  ['b -', 'b'],
  ['- b', 'b'],
  ['b b -', 'b'],
  ['b b c', 'b'],
  ['c b b', 'b'],
  ['b c', undefined],
  ['c b', undefined],
  ['b c d', undefined],
  ['b - -', undefined],
  ['b c - -', undefined],
  ['-', undefined],
];

for (const [definitions, file] of files) {
  test(`a file whose definitions are at ${definitions} is ${file ?? 'gone'}`, () => {
    assert.equal(newPathOf(definitions.split(' ').map(path => (path === '-' ? undefined : path))), file);
  });
}

test('of what went from a file at several times the last tells of it', () => {
  const row = (path: string, goneAt: number, replacedBy: string) => ({ path, goneAt, replacedBy });
  const rows = [row('a', 1, 'x'), row('b', 1, 'y'), row('a', 2, 'z'), row('a', 2, 'w')];
  const found = goneByFile(rows);
  assert.deepEqual(found.get('a'), rows.slice(2));
  assert.deepEqual(found.get('b'), [rows[1]]);
});
