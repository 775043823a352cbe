import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { startDaemon, svc, temporaryHome } from '../support/daemon.ts';
import { scipBytes } from '../support/scip.ts';

test('what measures files says of an uploaded repository that it has none, and writes nothing', async context => {
  const home = temporaryHome(context);
  home.configure('[index_server]\nenabled = true\n');
  const { client, record } = await startDaemon(context, home);
  const { port } = (await client.daemon.status({})).http!;
  const token = readFileSync(record.tokenFile, 'utf8').trim();
  const uploaded = await request(`http://127.0.0.1:${port}/index/repos/acme/x/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: scipBytes({ metadata, documents }),
  });
  assert.equal(uploaded.statusCode, 200, await uploaded.body.text());
  for (const line of [
    'baseline -o found.json',
    'complexity src/lib.ts src/use.ts --fail-over cognitive=1',
    'unwired',
    'unwired --fail-on 1',
    'docs index',
    'docs stale',
    'docs check --fail-under 1',
    'docs fix --apply',
  ]) {
    const { code, stdout, stderr } = await svc(home, [...line.split(' '), '--repo', 'acme/x'], home.path);
    assert.deepEqual([code, stdout], [5, ''], `${line}: ${stderr}`);
    assert.match(stderr, /acme\/x has no work tree here: its index was uploaded/, line);
  }
  assert.equal(existsSync(join(home.path, 'found.json')), false);
});
