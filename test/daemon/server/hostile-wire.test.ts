import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { heard, wireCases } from './hostile-wire.ts';

test('whatever comes over the socket has the reply that is due, or none, and the daemon goes on or hangs up (P40)', async context => {
  const daemon = await startDaemon(context);
  const { root } = gitRepository(context, '-- a.ts --\nexport const alpha = 1;\n');
  await daemon.client.daemon.addRepo({ root, id: 'app' });
  for (const one of wireCases) {
    const { told, ends, replies } = await heard(await daemon.connect(), one);
    assert.deepEqual([told, ends], [one.told, one.ends], `${one.what}: ${JSON.stringify(replies).slice(0, 500)}`);
    for (const { error } of replies) if (error !== undefined) assert.equal(typeof error.data?.['reason'], 'string');
  }
  assert.equal(daemon.process.exitCode, null);
});
