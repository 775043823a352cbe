import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patienceMs } from '../support/daemon.ts';
import { type Opened, openListener, sendRequest, tableDaemon, token } from './listener.ts';

/** Reads a stream until its text holds `last`; a test's own time limit ends it otherwise. */
async function readUntil(body: ReadableStream<Uint8Array>, last: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(last)) break;
  }
  return text;
}

function openEvents(listener: Opened, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const authorization = { Authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${listener.port}/daemon/events`, { headers: { ...authorization, ...headers } });
}

test('events arrive as server-sent events, each with its id', { timeout: patienceMs }, async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  const stream = await openEvents(listener);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
  assert.equal(stream.headers.get('access-control-allow-origin'), '*');
  assert.ok(stream.headers.get('x-request-id'));
  daemon.publish('snapshot.published', { repo: 'app', seq: 7 });
  daemon.publish('job.changed', { text: 'two\nlines' });
  const text = await readUntil(stream.body!, 'id: 2\n');
  assert.match(text, /id: 1\nevent: snapshot\.published\ndata: \{"repo":"app","seq":7\}\n\n/);
  assert.match(text, /id: 2\nevent: job\.changed\ndata: \{"text":"two\\nlines"\}\n\n/);
});

test('a client that comes back is told what it missed', { timeout: patienceMs }, async t => {
  const daemon = tableDaemon();
  for (const seq of [1, 2, 3]) daemon.publish('snapshot.published', { seq });
  const listener = await openListener(t, daemon);
  const stream = await openEvents(listener, { 'Last-Event-ID': '1' });
  const text = await readUntil(stream.body!, 'id: 3');
  assert.doesNotMatch(text, /id: 1\n/);
  assert.match(text, /id: 2\n/);
});

test('a quiet stream beats, a closed one ends', { timeout: patienceMs }, async t => {
  const listener = await openListener(t, tableDaemon(), { limits: { heartbeatMs: 20 } });
  const stream = await openEvents(listener);
  assert.match(await readUntil(stream.body!, ': \n\n: \n\n'), /^retry: 1000\n\n/);
  const second = await openEvents(listener);
  const ended = readUntil(second.body!, 'never');
  await listener.close(5_000);
  await ended;
});

test('streams are counted', { timeout: patienceMs }, async t => {
  const listener = await openListener(t, tableDaemon(), { limits: { eventStreams: 1 } });
  await openEvents(listener);
  const second = await sendRequest(listener, 'GET', '/daemon/events');
  assert.equal(second.status, 429);
  assert.equal(second.headers['retry-after'], '5');
});
