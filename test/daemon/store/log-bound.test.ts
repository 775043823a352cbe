import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import type { ContentHash, Dialect } from '../../../daemon/model/document.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import type { FactRow } from '../../../daemon/store/publication.ts';
import { syntheticRepository } from '../../support/synthetic.ts';
import { indexUnderTest } from './index-under-test.ts';

const index = indexUnderTest();
const mostBytes = 64 * 2 ** 20;

/** Facts of so many bytes that nothing makes smaller. */
function facts(count: number, bytes: number): readonly FactRow[] {
  return Array.from({ length: count }, () => ({
    hash: randomBytes(32).toString('hex') as ContentHash,
    dialect: 'typescript' as Dialect,
    version: 1,
    facts: randomBytes(bytes),
    text: Buffer.alloc(0),
  }));
}

test('the log stays within 64 MiB, whoever begins to read meanwhile and stops (P24)', t => {
  const documents = [...syntheticRepository(40, 4, 10)];
  index.publish(documents);
  const readers = Array.from({ length: 5 }, () => openIndexReader(index.file));
  t.after(() => {
    for (const reader of readers) reader.close();
  });
  let most = 0;
  let written = 0;
  for (let round = 0; round < 40; round++) {
    // Each leaves off in the midst of what it reads, and holds on to that.
    const reader = readers[round % readers.length]!;
    reader.manifest('r');
    for (const portions of [reader.passedOver('r'), reader.partlyRead('r')]) portions[Symbol.iterator]().next();
    reader.readying('r', 1).next();
    index.writer.putFacts(facts(4, 2 ** 20));
    written += 4 * 2 ** 20;
    most = Math.max(most, statSync(`${index.file}-wal`).size);
  }
  assert.ok(written > 2 * mostBytes);
  assert.ok(most <= mostBytes, `${Math.round(most / 2 ** 20)} MiB`);
  index.writer.checkpoint();
  assert.ok(statSync(`${index.file}-wal`).size < mostBytes / 2, 'at rest it is cut');
});
