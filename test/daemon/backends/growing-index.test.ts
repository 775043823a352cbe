import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { documentCounter } from '../../../daemon/backends/growing-index.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';

test('documents are counted as they come, wherever the file ends meanwhile', t => {
  const file = temporaryFolder(t).path('index.scip');
  const text = (length: number) => 'x'.repeat(length);
  const bytes = scipBytes({
    metadata: { projectRoot: 'file:///x' },
    documents: [1, 100, 20_000, 300_000, 3].map(length => ({ relativePath: 'a', text: text(length) })),
    externalSymbols: [{ symbol: 'a b c d e/' }],
  });
  const count = documentCounter(file);
  assert.equal(count(), 0, 'there is no file yet');
  writeFileSync(file, '');
  const counts: number[] = [];
  for (let at = 0; at < bytes.length; at += 997) {
    appendFileSync(file, bytes.subarray(at, at + 997));
    counts.push(count());
  }
  assert.deepEqual([...new Set(counts)], [3, 4, 5], 'of one that is being written the head is there');
  assert.equal(documentCounter(file)(), 5);
  writeFileSync(file, 'no index at all');
  assert.equal(documentCounter(file)(), 0);
});

test('whoever made a pipe of it holds up nobody', t => {
  const file = temporaryFolder(t).path('index.scip');
  assert.equal(spawnSync('mkfifo', [file]).status, 0);
  assert.equal(documentCounter(file)(), 0);
});
