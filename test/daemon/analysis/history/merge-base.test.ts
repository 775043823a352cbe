import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeBaseOf } from '../../../../daemon/analysis/history/merge-base.ts';
import { columnsOf, commitsOf, hashOf } from './history-of.ts';

const commits = commitsOf(`
  other @1
  top < left right @60
  left < mid @50
  right < mid low @50
  cross < left right @55
  twist < right left @54
  mid < low @40
  low < root @30
  root @10`);

const cases: readonly (readonly [base: string, head: string, expected: string | undefined])[] = [
  ['left', 'right', 'mid'],
  ['mid', 'top', 'mid'],
  ['top', 'mid', 'mid'],
  ['low', 'right', 'low'],
  ['left', 'left', 'left'],
  ['root', 'cross', 'root'],
  ['left', 'other', undefined],
  // Both sides are as good.
  ['cross', 'twist', undefined],
];

for (const [base, head, expected] of cases) {
  test(`${base} and ${head} parted at ${expected ?? 'no single commit'}`, () => {
    const columns = columnsOf(commits);
    const number = (name: string): number => columns.numberOf(hashOf(name))!;
    const found = mergeBaseOf(columns, number(base), number(head));
    assert.equal(
      found === undefined ? undefined : columns.hashOf(found),
      expected === undefined ? undefined : hashOf(expected),
    );
  });
}
