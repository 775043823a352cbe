import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FaultBody } from '../../../client/protocol/faults.ts';
import { startDaemon } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

test('a repository may be named by its id in one place and by its root in another; two repositories may not', async context => {
  const { client, home } = await startDaemon(context);
  const app = gitRepository(context, '-- a.ts --\nexport const a = 1;\n').root;
  const other = gitRepository(context, '-- b.ts --\nexport const b = 1;\n').root;
  await client.daemon.addRepo({ root: app, id: 'app' });
  await client.daemon.addRepo({ root: other, id: 'other' });
  const inside = join(app, 'src');
  mkdirSync(inside);
  const { http } = await client.daemon.status({});
  const token = readFileSync(home.places.tokenFile, 'utf8').trim();
  const asked = async (query: string, header: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const url = `http://localhost:${http!.port}/doctor${body === undefined ? '' : '/fix'}?repo=${query}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-svc-repo': header };
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return [answer.status, ((await answer.json()) as FaultBody).error] as const;
  };
  for (const [query, header, body] of [
    ['app', app],
    [app, 'app'],
    [app, inside],
    ['app', 'app', { repo: app }],
    ['app', inside, { repo: app }],
  ] as const) {
    assert.deepEqual(await asked(query, header, body), [200, undefined], `${query}, ${header}, ${body?.repo}`);
  }
  const says = (name: string, place: string) =>
    `repo: says ${JSON.stringify(name)}, and ${place} does not name the same repository`;
  for (const [query, header, body, error] of [
    ['app', other, undefined, says('app', 'X-SVC-Repo')],
    [app, 'none', undefined, says(app, 'X-SVC-Repo')],
    ['/nowhere', 'app', undefined, says('/nowhere', 'X-SVC-Repo')],
    ['/nowhere', '/nothing', undefined, says('/nowhere', 'X-SVC-Repo')],
    ['app', 'other', { repo: app }, says(app, 'X-SVC-Repo')],
    ['other', 'app', { repo: app }, says(app, 'the query')],
  ] as const) {
    assert.deepEqual(await asked(query, header, body), [400, error], `${query}, ${header}, ${body?.repo}`);
  }
});
