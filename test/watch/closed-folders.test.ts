import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { SyncFailed } from '../../watch/watch.ts';
import { patienceMs } from '../support/daemon.ts';
import { whileWithoutRights } from '../support/without-rights.ts';
import { isNamed, watched } from './watched.ts';

for (const backend of ['native', 'polling'] as const) {
  test(`a folder that is closed is no want of kernel watches, and is looked at once it is open (${backend})`, t =>
    whileWithoutRights(async () => {
      const { tree, watch, changes } = await watched(t, '-- shut/a.ts --\n-- open/b.ts --', { backend });
      chmodSync(tree.path('shut'), 0o000);
      assert.ok(isNamed(await changes(), 'shut/a.ts'));
      watch.setIgnore({});
      assert.ok((await changes()).includes('*'));
      const { watching, polledReason } = watch.status();
      assert.deepEqual([watching, polledReason], [backend, backend === 'native' ? undefined : 'configured']);
      tree.write('open/b.ts', 'changed');
      assert.ok(isNamed(await changes(), 'open/b.ts'));
      chmodSync(tree.path('shut'), 0o755);
      assert.ok((await changes()).includes('shut'), 'the folder itself: nobody knows what is in it');
      tree.write('shut/a.ts', 'changed');
      assert.ok(isNamed(await changes(), 'shut/a.ts'));
    }));
}

test('a root that is closed is not watched, and is compared once it is open', t =>
  whileWithoutRights(async () => {
    const { tree, watch, take } = await watched(t, '-- a.ts --');
    for (const mode of [0o000, 0o644]) {
      chmodSync(tree.root, mode);
      await assert.rejects(watch.sync(patienceMs), new SyncFailed('root_missing'));
      assert.equal(watch.status().watching, 'off');
      assert.deepEqual(take(), []);
      chmodSync(tree.root, 0o755);
      await watch.sync(patienceMs);
      assert.deepEqual(take(), [{ kind: 'recrawl', reason: 'root_replaced' }]);
    }
  }));
