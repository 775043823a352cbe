import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { eitherSignal } from '../../../daemon/workers/either-signal.ts';

test('the first of two aborts, with its reason; what was aborted before is so from the beginning', () => {
  for (const first of [0, 1] as const) {
    const both = [new AbortController(), new AbortController()] as const;
    const { signal } = eitherSignal(both[0].signal, both[1].signal);
    assert.equal(signal.aborted, false);
    both[first].abort('first');
    both[1 - first]!.abort('second');
    assert.equal(signal.reason, 'first');
    assert.equal(eitherSignal(both[first].signal).signal.reason, 'first');
  }
});

test('released it is in nobody’s memory, and no longer aborted by anybody (P52)', () => {
  const [lasting, passing] = [new AbortController(), new AbortController()];
  const { signal, release } = eitherSignal(lasting.signal, passing.signal);
  release();
  for (const one of [lasting, passing]) assert.deepEqual(getEventListeners(one.signal, 'abort'), []);
  const hidden = Object.getOwnPropertySymbols(lasting.signal).map(name => Reflect.get(lasting.signal, name) as unknown);
  assert.deepEqual(
    hidden.filter(value => value instanceof Set && value.size > 0),
    [],
  );
  lasting.abort();
  assert.equal(signal.aborted, false);
});
