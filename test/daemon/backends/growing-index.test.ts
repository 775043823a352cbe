import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { documentCounter, wholeDocuments } from '../../../daemon/backends/growing-index.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { deserializeSCIP, scipBytes } from '../../support/scip.ts';

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

test('of one that was cut off the whole documents are known, and where they end', t => {
  const file = temporaryFolder(t).path('index.scip');
  const documents = ['a.ts', 'b/c.ts', 'd.ts'].map((relativePath, at) => ({
    ...{ relativePath, language: 'TypeScript', text: 'x'.repeat(at * 70_000) },
  }));
  const bytes = scipBytes({ metadata: { projectRoot: 'file:///x' }, documents });
  const lengths = new Set<number>();
  for (let end = 0; end < bytes.length; end += 1009) {
    writeFileSync(file, bytes.subarray(0, end));
    const whole = wholeDocuments(file);
    assert.deepEqual(whole.paths, ['a.ts', 'b/c.ts', 'd.ts'].slice(0, whole.paths.length));
    assert.ok(whole.bytes <= end);
    lengths.add(whole.paths.length);
    assert.equal(deserializeSCIP(bytes.subarray(0, whole.bytes)).documents.length, whole.paths.length);
  }
  assert.deepEqual([...lengths], [0, 1, 2]);
  writeFileSync(file, bytes);
  assert.deepEqual(wholeDocuments(file), { paths: ['a.ts', 'b/c.ts', 'd.ts'], bytes: bytes.length });
});

test('whoever made a pipe of it holds up nobody', t => {
  const file = temporaryFolder(t).path('index.scip');
  assert.equal(spawnSync('mkfifo', [file]).status, 0);
  assert.equal(documentCounter(file)(), 0);
});
