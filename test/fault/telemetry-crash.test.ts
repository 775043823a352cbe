import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
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
/** Before the first of its slices, behind the second, behind the last; sent again at once, or once what was stored has been counted by itself. */
const deaths = [
  ['before-count::1', 'at once'],
  ['after-count::2', 'later'],
  ['after-count::2', 'at once'],
  ['after-count::8', 'at once'],
] as const;

/** How often the first function was called and the last, which nobody has counted before all others. */
async function ends({ client }: TestDaemon): Promise<readonly [number, number]> {
  const count = async (name: string) => (await client.telemetry.usage({ symbolId: name, repo: 'shop' })).callCount;
  return [await count('f0'), await count(`f${functions - 1}`)];
}

test('a batch counts once, wherever the daemon dies in its midst', async t => {
  const source = [0, functions - 1].map(at => `export function f${at}() {}`).join('\n');
  const repository = gitRepository(t, `-- src/f.js --\n${source}\n`);
  const before = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const first = await startDaemon(t, before);
  await first.client.daemon.addRepo({ root: repository.root, id: 'shop' });
  await first.client.indexing.index({ repo: 'shop' });
  assert.equal(await first.stop(), 0);
  for (const [fault, again] of deaths) {
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
    cpSync(before.path, home.path, { recursive: true });
    const dying = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: fault } });
    await assert.rejects(dying.client.telemetry.ingestCalls({ body, repo: 'shop' }));
    assert.equal(await dying.ended, 'SIGKILL', fault);
    const daemon = await startDaemon(t, home);
    if (again === 'at once') await daemon.client.telemetry.ingestCalls({ body, repo: 'shop' });
    await daemon.client.indexing.index({ repo: 'shop' });
    if (again === 'later') {
      await until(`${fault}: it is counted to its end`, async () => (await ends(daemon))[1] === functions);
      await daemon.client.telemetry.ingestCalls({ body, repo: 'shop' });
    }
    assert.deepEqual(await ends(daemon), [1, functions], `${fault}, sent again ${again}`);
    const { services } = await daemon.client.telemetry.status({ repo: 'shop' });
    assert.equal(services[0]?.functions, functions, fault);
    assert.equal(await daemon.stop(), 0);
  }
});
