import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../daemon/package-root.ts';
import type { TestAt } from './promised.ts';
import { promises } from './promises.ts';
import { outcomesIn, tableOf } from './table.ts';

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');

test('every promise stands in the table, in order, with its tests and with breaks that they were seen to notice', () => {
  assert.deepEqual(
    promises.map(({ number }) => number),
    Array.from({ length: 55 }, (_, index) => index + 1),
  );
  const without = promises.filter(({ tests, breaks }) => tests.length === 0 || breaks.length === 0);
  assert.deepEqual(
    without.map(({ number }) => number),
    [],
  );
  const table = read('test/PROMISES.md');
  assert.equal(table, tableOf(promises, outcomesIn(table)), 'npm run promises writes test/PROMISES.md');
});

for (const { number, tests, breaks } of promises) {
  test(`P${number}: its tests are there, and what its breaks change`, () => {
    for (const one of [...tests, ...breaks.flatMap(({ red }) => red ?? [])])
      assert.ok(isThere(one), JSON.stringify(one));
    for (const { how, file, from, to } of breaks) {
      assert.equal(read(file).split(from).length, 2, `${how}: ${file} must have once: ${from}`);
      assert.notEqual(from, to, how);
    }
  });
}

function isThere({ file, title }: TestAt): boolean {
  if (!existsSync(join(packageRoot, 'test', file))) return false;
  if (title === undefined) return true;
  // Titles may be broken by a quotation mark's backslash, and by what is put in.
  return read(join('test', file)).replaceAll("\\'", "'").includes(title);
}
