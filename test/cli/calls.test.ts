import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, svc, temporaryHome } from '../support/daemon.ts';
import { afterAll } from '../support/repository.ts';

const port = 20_000 + (process.pid % 20_000);
const home = temporaryHome(afterAll, { SVC_HTTP_PORT: String(port) });
const shared = await startDaemon(afterAll, home);
const folder = home.places.runtime;
const token = readFileSync(home.places.tokenFile, 'utf8').trim();
const overHttp = { SVC_URL: `http://127.0.0.1:${port}`, SVC_TOKEN: token };

/** JSON of so many calls of one function, of more bytes than a frame may have. */
function largeBatch(id: string): string {
  const call = { service_name: 'shop', function_name: 'add', file_path: `src/${'x'.repeat(4000)}.ts`, call_count: 1 };
  const text = JSON.stringify({ batch_id: id, calls: Array.from({ length: 4500 }, () => call) });
  assert.ok(text.length > 16 * 1024 * 1024);
  return text;
}

test('a file of calls may be as large as a batch, whichever way it goes', async () => {
  for (const env of [{}, overHttp]) {
    const file = join(folder, 'calls.json');
    writeFileSync(file, largeBatch(JSON.stringify(env).length.toString()));
    const given = ['telemetry', 'ingest', file, '--json'];
    const { code, stdout, stderr } = await svc({ ...home, env: { ...home.env, ...env } }, given, folder);
    assert.equal(code, 0, stderr);
    const { eventsReceived, duplicate } = JSON.parse(stdout) as { eventsReceived: number; duplicate?: boolean };
    assert.deepEqual([eventsReceived, duplicate], [4500, undefined]);
  }
});

test('what is no file of calls is refused', async () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"calls":[{}]}');
  const cases = [
    [wrong, /calls\[0\]\.service_name/],
    [join(folder, 'none.json'), /can’t be opened/],
    [folder, /is no regular file/],
  ] as const;
  for (const [file, expected] of cases) {
    const { code, stderr } = await svc(home, ['telemetry', 'ingest', file], folder);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  }
});

test('nobody has the daemon read a file over HTTP', async () => {
  const { client } = shared;
  await assert.rejects(client.telemetry.ingestCalls({ file: 'calls.json' }), /absolute path/);
  await assert.rejects(client.telemetry.ingestCalls({ file: '/dev/null', body: '{}' }), /to be given/);
  const answer = await fetch(`${overHttp.SVC_URL}/api/v1/ingest/json?file=${encodeURIComponent('/etc/hostname')}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    },
    body: '{"calls":[]}',
  });
  assert.equal(answer.status, 400, await answer.text());
});
