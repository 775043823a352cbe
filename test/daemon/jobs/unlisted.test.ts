import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterLook, mostUnlisted, type UnlistedPath } from '../../../daemon/jobs/unlisted.ts';

const unread = (...paths: string[]): readonly UnlistedPath[] => paths.map(path => ({ path, reason: 'unreadable' }));

test('a look says all of the paths that it was at, and nothing of others', () => {
  const before = unread('a', 'b/c', 'bc');
  assert.deepEqual(afterLook(before, { looked: ['b'], unlisted: [] }), unread('a', 'bc'));
  assert.deepEqual(afterLook(before, { looked: ['b', 'd'], unlisted: unread('d') }), unread('a', 'bc', 'd'));
  assert.deepEqual(afterLook(before, { looked: [''], unlisted: unread('e') }), unread('e'));
  assert.deepEqual(afterLook(before, { looked: [], unlisted: [] }), before);
});

test('a folder on the way to what was looked at is told of once', () => {
  assert.deepEqual(afterLook(unread('a'), { looked: ['a/b.ts'], unlisted: unread('a') }), unread('a'));
  const many = unread(...Array.from({ length: mostUnlisted }, (_, at) => `x${at}`));
  assert.equal(afterLook(many, { looked: ['a'], unlisted: unread('a') }).length, mostUnlisted);
});
