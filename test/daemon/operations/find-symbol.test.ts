import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { symbolNamed } from '../../../daemon/operations/find-symbol.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { indexUnderTest } from '../store/index-under-test.ts';

const index = indexUnderTest();

test('a class is meant by its name, its constructor by both names; of two classes neither is', () => {
  const shape = (path: string) => ({
    path,
    definitions: [
      { name: 'Shape', tail: 'Shape#', kind: 'class' as const },
      { name: 'Shape', tail: 'Shape#Shape().', kind: 'constructor' as const, container: 0, line: 1 },
      { name: 'Shape', tail: 'Shape#Shape(+1).', kind: 'constructor' as const, container: 0, line: 2 },
    ],
  });
  const { seq } = index.publish([shape('a/Shape.java')]);
  const reader = openIndexReader(index.file);
  const named = (text: string, at: number) =>
    symbolNamed(reader, { id: 'app', key: 'r' }, reader.snapshotAt('r', at)!, text);
  assert.equal(named('Shape', seq).kind, 'class');
  assert.throws(() => named('Shape.Shape', seq), { reason: 'ambiguous' });
  index.publish([shape('b/Shape.java')]);
  assert.throws(
    () => named('Shape', seq + 1),
    (error: unknown) =>
      error instanceof Fault && error.reason === 'ambiguous' && error.extras.details?.['candidates'] === 2,
  );
  reader.close();
});
