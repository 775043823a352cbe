import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GitObject, ReadObjects } from '../../../daemon/backends/git-objects.ts';
import { createObjectMemory } from '../../../daemon/backends/object-memory.ts';

const limits = { eachBytes: 1_000_000, allBytes: 10_000_000 };

/** Has an object under every name that ends in a number, which is its size. */
function source() {
  const asked: string[][] = [];
  const read: ReadObjects = async (names, { eachBytes }) => {
    asked.push([...names]);
    return names.map(name => {
      const size = Number(/\d+$/.exec(name)?.[0] ?? Number.NaN);
      if (Number.isNaN(size)) return undefined;
      const isWanted = size <= (typeof eachBytes === 'number' ? eachBytes : eachBytes('blob'));
      return { hash: name, type: 'blob', size, bytes: isWanted ? Buffer.alloc(size) : undefined };
    });
  };
  return { read: createObjectMemory().through(read), asked };
}

const sizes = (found: readonly (GitObject | undefined)[]) => found.map(object => object?.bytes?.length);

test('what was read once is not read again, whatever else is asked beside it', async () => {
  const { read, asked } = source();
  assert.deepEqual(sizes(await read(['a3', 'none', 'b5', 'a3'], limits)), [3, undefined, 5, 3]);
  assert.deepEqual(sizes(await read(['b5', 'c7', 'none', 'a3'], limits)), [5, 7, undefined, 3]);
  assert.deepEqual(sizes(await read(['c7', 'b5'], limits)), [7, 5]);
  assert.deepEqual(asked, [
    ['a3', 'none', 'b5'],
    ['c7', 'none'],
  ]);
});

test('what was too long for one question is read for another', async () => {
  const { read, asked } = source();
  assert.deepEqual(sizes(await read(['a30'], { ...limits, eachBytes: 10 })), [undefined]);
  assert.deepEqual(sizes(await read(['a30'], { ...limits, eachBytes: 20 })), [undefined]);
  assert.deepEqual(sizes(await read(['a30'], { ...limits, eachBytes: type => (type === 'blob' ? 30 : 0) })), [30]);
  assert.deepEqual(sizes(await read(['a30'], { ...limits, eachBytes: 10 })), [undefined]);
  assert.deepEqual(sizes(await read(['a30'], limits)), [30]);
  assert.equal(asked.length, 2);
});

test('long objects are not kept, and of the others the newest', async () => {
  const { read, asked } = source();
  await read(['long300000'], limits);
  await read(['long300000'], limits);
  assert.equal(asked.length, 2);
  const many = Array.from({ length: 90 }, (_, at) => `n${at}x200000`);
  for (const name of many) await read([name], limits);
  asked.length = 0;
  for (const name of many.toReversed()) await read([name], limits);
  const [first = ''] = asked.flat();
  assert.equal(asked.length, many.indexOf(first) + 1);
  assert.equal(asked.length, 90 - Math.floor((16 * 2 ** 20) / 200_000));
});
