import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { pointOf, requestOf, sumOf } from '../support/otlp.ts';
import { gitRepository } from '../support/repository.ts';

/** A daemon that dies while it counts a batch counts it once, if it is sent again and if it is not. */

const functions = 2500;
const now = { startTimeUnixNano: '0', timeUnixNano: `${Date.now()}000000` };
const body = JSON.stringify({
  batch_id: 'one',
  calls: Array.from({ length: functions }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: at + 1 },
  })),
});
/** The same calls as a collector tells of them, beside one that nobody can have made. */
const metrics = JSON.stringify(
  requestOf(
    sumOf('calls', [
      ...Array.from({ length: functions }, (_, at) => pointOf({ 'code.function.name': `f${at}` }, at + 1, now)),
      pointOf({ 'code.function.name': 'f0' }, -1, now),
    ]),
  ),
);

/** Before the first of its slices, behind the second, behind the last; sent again at once, or once what was stored has been counted by itself. */
const deaths = [
  ['before-count::1', 'at once', sendCalls],
  ['after-count::2', 'later', sendCalls],
  ['after-count::2', 'at once', sendCalls],
  ['after-count::8', 'at once', sendCalls],
  ['after-count::8', 'at once', sendMetrics],
] as const;

async function sendCalls({ client }: TestDaemon): Promise<void> {
  await client.telemetry.ingestCalls({ body, repo: 'shop' });
}

async function sendMetrics({ client, record }: TestDaemon): Promise<void> {
  const { http } = await client.daemon.status({});
  const authorization = `Bearer ${readFileSync(record.tokenFile, 'utf8').trim()}`;
  const answer = await fetch(`http://localhost:${http!.port}/v1/metrics?repo=shop`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: metrics,
  });
  const { partialSuccess } = (await answer.json()) as { partialSuccess?: { rejectedDataPoints: string } };
  assert.deepEqual([answer.status, partialSuccess?.rejectedDataPoints], [200, '1'], 'told again as it was');
}

/** How often the first function was called and the last, which nobody has counted before all others. */
async function ends({ client }: TestDaemon): Promise<readonly [number, number]> {
  const count = async (name: string) => (await client.telemetry.usage({ symbolId: name, repo: 'shop' })).callCount;
  return [await count('f0'), await count(`f${functions - 1}`)];
}

test('a batch counts once, wherever the daemon dies in its midst (P48)', async t => {
  const source = [0, functions - 1].map(at => `export function f${at}() {}`).join('\n');
  const repository = gitRepository(t, `-- src/f.js --\n${source}\n`);
  const before = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const first = await startDaemon(t, before);
  await first.client.daemon.addRepo({ root: repository.root, id: 'shop' });
  await first.client.indexing.index({ repo: 'shop' });
  assert.equal(await first.stop(), 0);
  for (const [fault, again, send] of deaths) {
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: String(send === sendMetrics) });
    cpSync(before.path, home.path, { recursive: true });
    const dying = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: fault } });
    await assert.rejects(send(dying));
    assert.equal(await dying.ended, 'SIGKILL', fault);
    const daemon = await startDaemon(t, home);
    if (again === 'at once') await send(daemon);
    await daemon.client.indexing.index({ repo: 'shop' });
    if (again === 'later') {
      await until(`${fault}: it is counted to its end`, async () => (await ends(daemon))[1] === functions);
      await send(daemon);
    }
    assert.deepEqual(await ends(daemon), [1, functions], `${fault}, sent again ${again}`);
    const { services } = await daemon.client.telemetry.status({ repo: 'shop' });
    assert.equal(services[0]?.functions, functions, fault);
    assert.equal(await daemon.stop(), 0);
  }
});
