import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../client/protocol/faults.ts';
import type { RequestContext } from '../../../daemon/operations/handler.ts';
import { type IndexReadOptions, indexReadHandlers } from '../../../daemon/operations/index-server/reading.ts';

/** What is told of a repository that is served as acme/app and has no index. */
async function toldOf(source: 'config' | 'upload', more: Readonly<Record<string, unknown>>): Promise<Fault> {
  const record = {
    id: source === 'upload' ? 'acme/app' : 'local-name',
    root: source === 'upload' ? '' : '/home/me/app',
  };
  const repository = {
    record,
    snapshot: undefined,
    progress: undefined,
    failure: undefined,
    follow: undefined,
    ...more,
  };
  const server = { find: () => ({ id: 'acme/app', source, repository }) };
  const handlers = indexReadHandlers({ indexServers: { get: () => server } } as unknown as IndexReadOptions);
  try {
    await handlers['indexServer.meta']({ repo: 'acme/app' }, {} as RequestContext);
  } catch (error) {
    return error as Fault;
  }
  return assert.fail('it answered');
}

test('an index server tells of what has no index by the id that is served, and of no place here', async () => {
  const away = { status: () => ({ watching: 'off', watch: { crawling: false } }) };
  const rows: readonly (readonly [
    'config' | 'upload',
    Readonly<Record<string, unknown>>,
    RegExp,
    number | undefined,
  ])[] = [
    ['config', {}, /^acme\/app is being indexed for the first time$/, 1],
    ['config', { progress: { phase: 'parse', fraction: 0.5 }, failure: 'x' }, /^acme\/app is being indexed/, 1],
    ['config', { failure: 'root: /home/me/app is gone' }, /^acme\/app has no index: it could not be indexed; svc/, 30],
    ['config', { follow: away }, /^acme\/app has no index: it could not be indexed; svc doctor/, 30],
    ['upload', { failure: 'it was damaged' }, /^acme\/app has no index: it was damaged$/, undefined],
  ];
  for (const [source, more, says, retryAfter] of rows) {
    const fault = await toldOf(source, more);
    assert.equal(fault.reason, 'notReady');
    assert.match(fault.message, says);
    assert.equal(fault.extras.retryAfterSeconds, retryAfter, fault.message);
    assert.doesNotMatch(JSON.stringify([fault.message, fault.extras]), /local-name|home/);
  }
});
