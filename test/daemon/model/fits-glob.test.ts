import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsGlob } from '../../../daemon/model/fits-glob.ts';

const cases: readonly (readonly [pattern: string, fitting: readonly string[], others: readonly string[]])[] = [
  ['*.cs', ['a.cs', '.cs'], ['a.csx', 'a/b.cs', 'cs']],
  ['**/*.cs', ['a.cs', 'a/b/c.cs'], ['a.vb', 'a/b.vb']],
  ['a/**', ['a/b', 'a/b/c'], ['b/a', 'ab/c']],
  ['a/**/b/*x*.c?', ['a/b/x.cs', 'a/c/b/b/axb.c2'], ['a/b/a.cs', 'a/b/c/x.cs', 'a/b/x.c']],
  ['a.(b)', ['a.(b)'], ['ab', 'axb']],
];

for (const [pattern, fitting, others] of cases) {
  test(`paths that fit ${pattern}`, () => {
    for (const path of fitting) assert.equal(fitsGlob(pattern, path), true, path);
    for (const path of others) assert.equal(fitsGlob(pattern, path), false, path);
  });
}
