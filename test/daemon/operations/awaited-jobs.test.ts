import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import type { Progress } from '../../../client/protocol/caller.ts';
import { startDaemon, until } from '../../support/daemon.ts';
import { afterAll, temporaryFolder } from '../../support/repository.ts';
import { rejects } from './expected-faults.ts';
import { largeTree } from './indexed-repository.ts';

const { client, home } = await startDaemon(afterAll);

test('a job is waited for to its end, and how far it is told meanwhile', async context => {
  const { root } = temporaryFolder(context, largeTree);
  const { jobId } = await client.daemon.addRepo({ root, id: 'app' });
  context.after(() => client.daemon.removeRepo({ id: 'app' }));
  const id = jobId!;
  const told: Progress[] = [];
  const gone = new AbortController();
  const left = rejects(client.jobs.get({ id, wait: true }, { signal: gone.signal }), 'cancelled');
  const waits = client.jobs.get({ id, wait: true }, { onProgress: progress => void told.push(progress) });
  assert.equal((await client.jobs.get({ id })).completedAt, undefined, 'it is only looked at');
  gone.abort();
  await left;
  const job = await waits;
  assert.deepEqual([job.id, job.status, job.progress], [id, 'completed', 100]);
  const fractions = told.map(({ fraction }) => fraction!);
  assert.ok(fractions.length > 0 && fractions.every(fraction => fraction >= 0 && fraction < 1));
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
    'it never falls',
  );
  assert.deepEqual(await client.jobs.get({ id, wait: true }), job, 'an ended one is told at once');
});

test('waiting ends with a job that is cancelled; over HTTP the query says it; what is no job is not found', async context => {
  const { root } = temporaryFolder(context, largeTree);
  const { jobId } = await client.daemon.addRepo({ root, id: 'app' });
  context.after(() => client.daemon.removeRepo({ id: 'app' }));
  const id = jobId!;
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const ask = async (path: string) => {
    const reply = await fetch(`${url}${path}`, { headers });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const waits = ask(`/jobs/${id}?wait=true`);
  await client.jobs.cancel({ id });
  const { status, body } = await waits;
  assert.deepEqual([status, body['id'], body['status']], [200, id, 'cancelled']);
  assert.equal((await ask('/jobs/none?wait=true')).status, 404);
  assert.equal((await ask(`/jobs/${id}?wait=maybe`)).status, 400);
  await rejects(client.jobs.get({ id: 'none', wait: true }), 'resourceNotFound');
});
