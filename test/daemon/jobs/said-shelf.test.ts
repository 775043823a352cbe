import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OccurrenceShelf } from '../../../daemon/extract/scip/occurrence-shelf.ts';
import { OccurrenceRows } from '../../../daemon/extract/scip/occurrences.ts';
import { ScratchMemory } from '../../../daemon/extract/scip/scratch-memory.ts';
import { SaidShelf } from '../../../daemon/jobs/scip/said-shelf.ts';
import { temporaryFolder } from '../../support/repository.ts';

/** So little that what is put down first lies in the file long before it is read. */
const residentBytes = 64 * 1024;

test('what an indexer says of documents is read back as it was put down, from memory and from the file', t => {
  const memory = new ScratchMemory(temporaryFolder(t).path('scratch'), residentBytes);
  t.after(() => memory.close());
  const [occurrences, said] = [new OccurrenceShelf(memory), new SaidShelf(memory)];
  const kept = Array.from({ length: 2000 }, (_, at) => {
    const rows = new OccurrenceRows();
    for (let line = 0; line <= at % 7; line++) {
      rows.add([line, at, line, at + 3], at - line, 1);
      if (line % 2 === 1) rows.addEnclosing([line, 0, line + 9, at]);
    }
    const place = { line: at, column: 2, endLine: at, endColumn: 5, enclosing: -1 };
    const content = {
      referenceCount: at,
      occurrences: [at, 2 * at + 1],
      covered: at % 2 === 0 ? [] : [at, 4],
      extras: at % 3 === 0 ? [{ kind: 'write' as const, ...place }] : [],
      named: [0, at + 1],
    };
    const columns = rows.columns();
    return { columns, content, read: occurrences.put(columns).read, again: said.put(content) };
  });
  assert.ok(memory.spilledBytes > residentBytes);
  for (const { columns, content, read, again } of kept) {
    const { occurrences: pairs, covered, named, ...rest } = again();
    const lists = { occurrences: Array.from(pairs), covered: Array.from(covered), named: Array.from(named) };
    assert.deepEqual({ ...rest, ...lists }, content);
    assert.deepEqual(read(), columns);
  }
});
