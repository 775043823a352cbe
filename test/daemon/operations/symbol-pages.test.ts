import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWorkers } from '../../../daemon/workers/count.ts';
import { until } from '../../support/daemon.ts';

import {
  context,
  documents,
  file,
  get,
  handlers,
  isFault,
  now,
  pool,
  publish,
  refs,
  search,
  writer,
} from './symbols-under-test.ts';

test('pages of a search go on over the snapshot that they began with', async () => {
  const first = await search('parse', { limit: 2 });
  assert.deepEqual([first.results.length, first.total, first.hasMore], [2, 3, true]);
  publish([], ['test/server.test.ts'], now.getTime() + 1);
  const second = await search('parse', { limit: 2, cursor: first.cursor! });
  assert.deepEqual([second.results.map(one => one.name), second.hasMore], [['parseFixture'], false]);
  assert.equal(second.snapshotId, first.snapshotId);
  assert.equal((await search('parse')).total, 2);
});

test('references are the same whether the main thread or the worker reads them, and in pages', async () => {
  const short = await refs('parsePort', { includeDefinition: true });
  const long = await refs('parsePort', { includeDefinition: true, limit: 10_000 });
  assert.deepEqual(long, short);
  assert.deepEqual(
    [short.total, short.references[0]?.context, short.references[0]?.enclosingSymbol?.name],
    [13, 'parsePort()', 'close'],
  );
  const first = await refs('parsePort', { limit: 8 });
  const second = await refs('parsePort', { limit: 8, cursor: first.cursor! });
  assert.deepEqual([...first.references, ...second.references], (await refs('parsePort')).references);
});

test('a cursor of another list, another filter or another hand is refused', async () => {
  const { cursor } = await refs('parsePort', { limit: 8 });
  const broken = isFault('invalidParameter');
  await assert.rejects(refs('parsePort', { includeTests: false, cursor: cursor! }), broken);
  await assert.rejects(search('parse', { cursor: cursor! }), broken);
  for (let at = 0; at < cursor!.length; at++) {
    const other = cursor![at] === 'A' ? 'B' : 'A';
    const forged = cursor!.slice(0, at) + other + cursor!.slice(at + 1);
    await assert.rejects(refs('parsePort', { cursor: forged }), broken, forged);
  }
  for (const text of ['x', '.', '..', 'e30.e30', 'e30'])
    await assert.rejects(refs('parsePort', { cursor: text }), broken, text);
});

test('a walk gives each reference once, of the snapshot that it began with, whatever is published meanwhile', async () => {
  const whole = await refs('parsePort', { includeDefinition: true });
  const walked: unknown[] = [];
  let page = await refs('parsePort', { includeDefinition: true, limit: 3 });
  for (let edit = 0; ; edit++) {
    walked.push(...page.references);
    assert.deepEqual([page.total, page.snapshotId], [whole.total, whole.snapshotId]);
    if (!page.hasMore) break;
    const { uses = [], ...client } = documents[1]!;
    const edited = { ...client, uses: uses.slice(edit + 1), text: `// ${edit}\n` };
    const added = { path: `src/a${edit}.ts`, uses: uses.map(use => ({ ...use, enclosing: -1 })) };
    publish([edited, added], [], now.getTime() + 10 + edit);
    assert.notEqual((await refs('parsePort', { includeDefinition: true })).total, whole.total);
    page = await refs('parsePort', { includeDefinition: true, limit: 3, cursor: page.cursor! });
  }
  assert.deepEqual(walked, whole.references);
  assert.ok(walked.length > 9);
  publish(documents.slice(0, 2), ['src/a0.ts', 'src/a1.ts', 'src/a2.ts', 'src/a3.ts'], now.getTime() + 20);
});

test('a cursor that outlived its snapshot says so', async () => {
  const { cursor } = await refs('parsePort', { limit: 8 });
  for (let at = 0; at < 6; at++) publish([], [], now.getTime() + 2 + at);
  while (writer.collect(now.getTime() + 60 * 60_000));
  await assert.rejects(refs('parsePort', { cursor: cursor! }), isFault('cursorExpired'));
});

test('who asks for a symbol finds the worker of searches started; a publication alone starts none', async () => {
  const { repository, snapshot } = context();
  await pool.close();
  const live = countWorkers();
  handlers.published(repository, snapshot!, 0);
  assert.equal(await pool.forget(file), false);
  assert.equal(live(), 0);
  await get('parsePort');
  await until('the worker has started', () => live() === 1);
  // One after the other, and the last of them holds.
  for (let at = 0; at < 3; at++) handlers.published(repository, { ...snapshot!, seq: snapshot!.seq - at }, 0);
  assert.equal((await search('parsePort')).total, 1);
});

test('the worker leaves when nobody has asked for a while, also where a publication came behind the last question', async () => {
  const { repository, snapshot } = context();
  await pool.close();
  const live = countWorkers();
  const answer = search('parsePort');
  handlers.published(repository, snapshot!, 0);
  await answer;
  assert.equal(live(), 1);
  await until('the worker has left', () => live() === 0);
});

test('a closed file is opened anew, and the worker starts again after it ended', async () => {
  handlers.forget(file);
  await pool.close();
  assert.equal((await search('parsePort')).total, 1);
  assert.equal((await get('parsePort')).name, 'parsePort');
});
