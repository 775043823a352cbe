import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '../../../client/client.ts';
import { httpCaller } from '../../../client/http.ts';
import { readDaemonRecord } from '../../../client/paths.ts';
import { startDaemon, svc, until } from '../../support/daemon.ts';
import { indexedBy } from './indexed-repository.ts';

test('an answer in several forms is the same over the socket, over HTTP and on the command line', async t => {
  const { client, home } = await startDaemon(t);
  const root = await indexedBy(t, client, 'app');
  await until('HTTP is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const token = readFileSync(tokenFile, 'utf8').trim();
  const http = httpCaller({ url: url!, token });
  t.after(() => http.close());
  const media = { svg: 'image/svg+xml', dot: 'text/vnd.graphviz', mermaid: 'text/vnd.mermaid' };
  for (const [format, accept] of Object.entries(media) as [keyof typeof media, string][]) {
    const said = await client.analysis.architecture({ format, granularity: 'file' });
    assert.ok(typeof said === 'string' && said.length > 0, format);
    assert.equal(await createClient(http).analysis.architecture({ format, granularity: 'file' }), said, format);
    const atShell = await svc(home, ['arch', '--granularity', 'file', '--format', format], root);
    assert.equal(atShell.stdout, said, format);
    const headers = { Authorization: `Bearer ${token}`, Accept: accept };
    const fetched = await fetch(`${url}/architecture?granularity=file`, { headers });
    assert.equal(await fetched.text(), said, format);
    const tag = fetched.headers.get('etag')!;
    const again = await fetch(`${url}/architecture?granularity=file`, {
      headers: { ...headers, 'If-None-Match': tag },
    });
    assert.equal(again.status, 304, format);
    const asJson = { ...headers, Accept: 'application/json', 'If-None-Match': tag };
    const other = await fetch(`${url}/architecture?granularity=file`, { headers: asJson });
    assert.equal(other.status, 200, 'another form has another tag');
  }
  const { timestamp: _, ...document } = (await client.analysis.architecture({ refresh: true })) as {
    timestamp: string;
  };
  const { timestamp: __, ...overHttp } = (await createClient(http).analysis.architecture({})) as { timestamp: string };
  assert.deepEqual(overHttp, document);
  const { timestamp: ___, ...atShell } = JSON.parse((await svc(home, ['arch', '--json'], root)).stdout);
  assert.deepEqual(atShell, document);
});
