import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';

/** A daemon that dies while it counts a batch counts it once, if it is sent again and if it is not. */

const functions = 2500;
const body = JSON.stringify({
  batch_id: 'one',
  calls: Array.from({ length: functions }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: at + 1 },
  })),
});
/** A batch of three slices. */
const deaths = ['before-count::1', 'after-count::2', 'after-count::3'];

/** What the last function was called, which nobody has counted before all others. */
async function lastCount({ client }: TestDaemon): Promise<number> {
  const { callCount } = await client.telemetry.usage({ symbolId: `f${functions - 1}`, repo: 'shop' });
  const first = await client.telemetry.usage({ symbolId: 'f0', repo: 'shop' });
  return callCount === functions && first.callCount === 1 ? functions : callCount;
}

test('a batch counts once, wherever the daemon dies in its midst', async t => {
  const source = [0, functions - 1].map(at => `export function f${at}() {}`).join('\n');
  const repository = gitRepository(t, `-- src/f.js --\n${source}\n`);
  for (const fault of deaths) {
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
    const first = await startDaemon(t, home);
    await first.client.daemon.addRepo({ root: repository.root, id: 'shop' });
    await first.client.indexing.index({ repo: 'shop' });
    assert.equal(await first.stop(), 0);
    const dying = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: fault } });
    await assert.rejects(dying.client.telemetry.ingestCalls({ body, repo: 'shop' }));
    assert.equal(await dying.ended, 'SIGKILL', fault);
    const daemon = await startDaemon(t, home);
    await daemon.client.indexing.index({ repo: 'shop' });
    // What was stored is counted by itself.
    if (fault !== 'before-count::1' && fault !== 'after-count::3') {
      await until(`${fault}: it is counted to its end`, async () => (await lastCount(daemon)) === functions);
    }
    await daemon.client.telemetry.ingestCalls({ body, repo: 'shop' });
    assert.equal(await lastCount(daemon), functions, fault);
    const { services } = await daemon.client.telemetry.status({ repo: 'shop' });
    assert.equal(services[0]?.functions, functions, fault);
    assert.equal(await daemon.stop(), 0);
  }
});
