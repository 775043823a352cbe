import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import {
  descriptor,
  givenContainers,
  givenHash,
  givenTail,
  isStaticTail,
  lastDescriptorAt,
  namesOfTypes,
  staticDescriptor,
  symbolHash,
  symbolId,
} from '../../../daemon/model/identity.ts';

test('descriptors follow the grammar of SCIP, and a tail comes apart again', () => {
  const parts = [
    descriptor('pkg', 'namespace'),
    descriptor('Server', 'type'),
    descriptor('a `quoted` (name).', 'term'),
    descriptor('<constructor>', 'method', '+1'),
    descriptor('T', 'type-parameter'),
    descriptor('arg', 'parameter'),
    descriptor('meta', 'meta'),
    descriptor('max', 'macro'),
    descriptor('describe("a/b")', 'namespace'),
  ];
  assert.equal(
    parts.join(''),
    'pkg/Server#`a ``quoted`` (name).`.`<constructor>`(+1).[T](arg)meta:max!`describe("a/b")`/',
  );
  let tail = '';
  for (const part of parts) {
    assert.equal(lastDescriptorAt(tail + part), tail.length, tail + part);
    tail += part;
  }
});

test('broken tails count as one descriptor at most', () => {
  for (const tail of ['', 'x', '`open', 'f(', '[T', 'a/`b']) assert.ok(lastDescriptorAt(tail) <= tail.length);
});

test('of the descriptors between a definition and its container, types and namespaces have names to show', () => {
  assert.deepEqual(namesOfTypes('a/B#`impl Display`#'), ['a', 'B']);
  assert.deepEqual(namesOfTypes('static/S#'), ['S']);
  assert.deepEqual(namesOfTypes('`describe("a/b")`/options.f().'), []);
  assert.deepEqual(namesOfTypes('A#broken'), ['A']);
});

test('what a class has itself is told from what its instances have of that name', () => {
  assert.equal(staticDescriptor('make', 'method'), 'make(static).');
  assert.equal(staticDescriptor('odd one', 'term'), '`static odd one`.');
  for (const tail of ['C#make(static).', 'C#`static size`.', 'C#`static ``odd`` one`.'])
    assert.ok(isStaticTail(tail), tail);
  for (const tail of ['C#make().', 'C#static.', '`static x`.y.', 'C#`static x`.`a b`.', 'C#make(static).inner().']) {
    assert.ok(!isStaticTail(tail), tail);
  }
});

test('identity is scope and tail, nothing else', () => {
  const hash = symbolHash('src/a.ts' as ScopeKey, 'f().');
  assert.match(hash, /^[0-9a-f]{32}$/);
  assert.notEqual(hash, symbolHash('src/a.t' as ScopeKey, 'sf().'));
  assert.equal(symbolId('repo', hash), `svc:repo:sym:${hash}`);
});

test('a tail may bring its identity with it, and its containers come back as they were called', () => {
  const hash = '0123456789abcdef'.repeat(2);
  const called = ['Outer', '/a/b', 'operator()', '', '`x`', 'A::B', '['];
  const tail = givenTail(called, hash);
  assert.equal(symbolHash('any' as ScopeKey, tail), hash);
  assert.deepEqual(givenContainers(tail), called);
  assert.deepEqual(givenContainers(givenTail([], hash)), []);
  for (const other of [`A#=${hash}.`, `A#${hash}`, `=${hash.toUpperCase()}`, `=${hash.slice(1)}`, '']) {
    assert.equal(givenHash(other), undefined, other);
    assert.equal(givenContainers(other), undefined, other);
    assert.notEqual(symbolHash('any' as ScopeKey, other), hash, other);
  }
});
