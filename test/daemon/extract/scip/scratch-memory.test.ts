import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ByteStrings } from '../../../../daemon/extract/scip/byte-strings.ts';
import { pageBytes, pageWords, ScratchMemory } from '../../../../daemon/extract/scip/scratch-memory.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('numbers are what they were set to, wherever they lie', context => {
  const folder = temporaryFolder(context);
  const memory = new ScratchMemory(folder.path('scratch'), 8 * pageBytes);
  const lists = Array.from({ length: 5 }, () => memory.numbers());
  const valueAt = (list: number, at: number): number => (Math.imul(at, 0x9e3779b1) ^ list) | 0;
  for (let at = 0; at < pageWords * 6; at++) lists.forEach((numbers, list) => void numbers.push(valueAt(list, at)));
  assert.ok(memory.spilledBytes >= (5 * 6 - 8) * pageBytes, `${memory.spilledBytes}`);
  assert.deepEqual(readdirSync(folder.root), [], 'its file has no name');
  for (let step = 0, at = 0; step < 20_000; step++, at = (at + 7919) % (pageWords * 6)) {
    const list = step % lists.length;
    assert.equal(lists[list]!.get(at), valueAt(list, at));
    if (step % 3 === 0) lists[list]!.set(at, valueAt(list, at));
  }
  const [first] = lists;
  assert.deepEqual(
    [...first!.slice(pageWords - 3, 10)],
    Array.from({ length: pageWords + 7 }, (_, at) => valueAt(0, at)).slice(pageWords - 3),
  );
  const before = memory.spilledBytes;
  lists[1]!.release();
  const fresh = memory.numbers(pageWords * 6);
  for (let at = 0; at < fresh.length; at += 100) assert.equal(fresh.get(at), 0);
  assert.equal(fresh.append([1, 2], [3]), pageWords * 6);
  assert.deepEqual([...fresh.slice(pageWords * 6 - 1, 4)], [0, 1, 2, 3]);
  for (let at = 0; at < fresh.length; at++) fresh.set(at, at);
  for (let at = 0; at < fresh.length; at++) assert.equal(fresh.get(at), at);
  assert.equal(memory.spilledBytes, before, 'places in the file are used again');
  memory.close();
});

test('strings are found again though most of them lie in a file', context => {
  const memory = new ScratchMemory(temporaryFolder(context).path('scratch'), 1);
  const strings = new ByteStrings(memory);
  const bytes = Buffer.alloc(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const textOf = (number: number): string => `${number * 7} of many`;
  for (let pass = 0; pass < 2; pass++) {
    for (let number = 0; number < 20_000; number++) {
      assert.equal(strings.add(number % 3, view, 0, bytes.write(textOf(number))), number);
    }
  }
  for (let number = 0; number < 20_000; number += 77) {
    assert.deepEqual([strings.text(number), strings.keyOf(number)], [textOf(number), number % 3]);
  }
  assert.ok(memory.spilledBytes > 300_000);
  memory.close();
});
