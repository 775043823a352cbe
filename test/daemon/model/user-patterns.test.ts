import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { patienceMs } from '../../support/daemon.ts';
import { matchers, patterns, type Took } from '../../support/pattern-table.ts';

test('no pattern of anybody’s takes time out of proportion to what it is held against (P44)', async t => {
  assert.ok(patterns.length >= 60 && Object.keys(matchers).length >= 8);
  // One that goes back over what it has read would not end in any time.
  const worker = new Worker(new URL('../../support/pattern-table.js', import.meta.url));
  const ended = once(worker, 'message', { signal: AbortSignal.timeout(patienceMs / 4) }) as Promise<[Took]>;
  const [{ what, ms }] = await ended.finally(() => worker.terminate());
  t.diagnostic(`the slowest took ${ms.toFixed(1)} ms: ${what}`);
});
