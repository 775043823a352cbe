import { test } from 'node:test';
import { callFailers, type FailingCall, failCall } from './failed-calls.ts';

/** While the daemon starts, and while it works, each way of failing in its turn; the long run fails all by each. */
const failures: readonly (readonly [call: FailingCall, nth: number, way: number])[] = [
  ['fsync', 2, 0],
  ['fsync', 17, 1],
  ['write', 60, 0],
  ['rename', 3, 1],
];

for (const [call, nth, way] of failures) {
  const ways = callFailers(call);
  const failer = ways[way % ways.length]!;
  test(`a call that fails is told, nothing is lost, and the next attempt succeeds (${failer.name}, ${nth}; P22)`, t =>
    failCall(t, nth, failer));
}
