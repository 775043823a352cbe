import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { type RpcReply, request, wire } from '../../support/rpc-wire.ts';

const absent = `svc:none:sym:${'0'.repeat(32)}`;

/** Well-formed requests that ask for what can't be: what they are told, and which field is named. */
const refused: readonly (readonly [method: string, params: object, code: number, field?: string])[] = [
  ['symbols.search', {}, -32602, 'q'],
  ['symbols.search', { q: '' }, -32602, 'q'],
  ['symbols.search', { q: '  ' }, -32602, 'q'],
  ['symbols.search', { q: 7 }, -32602, 'q'],
  ['symbols.search', { q: 'x'.repeat(1025) }, -32602, 'q'],
  ['symbols.search', { q: 'a\0b' }, -32602, 'q'],
  ['symbols.search', { q: 'x', limt: 1 }, -32602, 'limt'],
  ['symbols.search', { q: 'x', __proto__x: 1 }, -32602, '__proto__x'],
  ['symbols.search', JSON.parse('{"q":"x","__proto__":{"limit":1}}'), -32602, '__proto__'],
  ['symbols.search', { q: 'x', limit: 0 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: -1 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: 1.5 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: '3' }, -32602, 'limit'],
  ['symbols.search', { q: 'x', limit: 10_001 }, -32602, 'limit'],
  ['symbols.search', { q: 'x', kinds: ['klass'] }, -32602, 'kinds[0]'],
  ['symbols.search', { q: 'x', kinds: [] }, -32602, 'kinds'],
  ['symbols.search', { q: 'x', repoStateMode: 'dirty' }, -32602, 'repoStateMode'],
  ['symbols.search', { q: 'x', sync: 'true' }, -32602, 'sync'],
  ['symbols.search', { q: 'x', cursor: 'AAAA' }, -32602, 'cursor'],
  ['symbols.search', { q: 'x', repo: 'none' }, -32004],
  ['symbols.search', { q: 'x', repo: '' }, -32602, 'repo'],
  ['symbols.get', { id: absent }, -32004],
  ['symbols.get', { id: 'svc:app:sym:0' }, -32602],
  ['symbols.get', { id: `svc:app:sym:${'0'.repeat(32)}`, repo: 'none' }, -32004],
  ['symbols.refs', { id: 'beta', includeTests: 'yes' }, -32602, 'includeTests'],
  ['symbols.search', { q: 'x', deadlineMs: -1 }, -32602],
  ['symbols.search', { q: 'x', deadlineMs: '5' }, -32602],
  ['jobs.get', { id: 'none' }, -32004],
  ['jobs.cancel', { id: 'none' }, -32004],
  ['jobs.list', { status: 'done' }, -32602, 'status'],
  ['indexing.index', { language: 'cobol' }, -32602, 'language'],
  ['indexing.index', { language: 'go', force: true }, -32602, 'language'],
  ['indexing.index', { force: true, deadlineMs: 1 }, -32008],
  ['daemon.addRepo', { root: 'src' }, -32602, 'root'],
  ['daemon.addRepo', { root: '/', id: 'UPPER' }, -32602, 'id'],
  ['daemon.removeRepo', { id: 'none' }, -32004],
  ['daemon.openListener', { host: '', port: 65_536 }, -32602, 'host'],
  ['daemon.events', {}, -32001],
  ['events.unsubscribe', { subscription: 1 }, -32004],
];

test('each wrong question has its code and its field, and the daemon goes on', async context => {
  const daemon = await startDaemon(context);
  const line = wire(await daemon.connect());
  const { root } = gitRepository(context, '-- a.ts --\nexport const alpha = 1;\n');
  // The second one is read before the first index can be there.
  line.send(
    request('add', 'daemon.addRepo', { root, id: 'app' }),
    request('early', 'symbols.search', { q: 'a', sync: true }),
  );
  const early = [(await line.next()) as RpcReply, (await line.next()) as RpcReply].find(({ id }) => id === 'early');
  assert.deepEqual([early?.error?.code, early?.error?.data?.['reason']], [-32002, 'notReady']);
  await line.ask(request('index', 'indexing.index', { force: true }));
  for (const [method, params, code, field] of refused) {
    const told = `${method} ${JSON.stringify(params).slice(0, 100)}`;
    const { error, id } = await line.ask(request('q', method, params));
    assert.deepEqual([id, error?.code], ['q', code], told);
    const problems = (error?.data?.['details'] as { problems?: { path: string }[] } | null)?.problems;
    if (field !== undefined) assert.ok(problems?.some(({ path }) => path === field) ?? false, JSON.stringify(error));
  }
  const { result } = await line.ask(request('last', 'symbols.search', { q: 'alpha' }));
  assert.equal((result as { total: number }).total, 1);
});
