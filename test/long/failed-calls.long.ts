import { test } from 'node:test';
import { callFailers, type FailingCall, failCall } from '../fault/failed-calls.ts';

/** Up to which of its calls a thread is followed, and which of them are tried. */
const followed: Readonly<Record<FailingCall, { readonly most: number; readonly by: number }>> = {
  fsync: { most: 60, by: 1 },
  rename: { most: 12, by: 1 },
  open: { most: 24, by: 1 },
  write: { most: 300, by: 7 },
};

for (const [call, { most, by }] of Object.entries(followed)) {
  for (const failer of callFailers(call as FailingCall)) {
    test(`whichever call fails: it is told, nothing is lost, and the next attempt succeeds (${failer.name}; P22)`, async t => {
      for (let nth = 1; nth <= most; nth += by) await failCall(t, nth, failer);
    });
  }
}
