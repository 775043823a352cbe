import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openListener, sendRequest, tableDaemon } from './listener.ts';

const json = 'application/json';
const svg = 'image/svg+xml; charset=utf-8';
const dot = 'text/vnd.graphviz; charset=utf-8';
const mermaid = 'text/vnd.mermaid; charset=utf-8';

/** What a client takes and what its query says, and what it is given. */
const asked: readonly (readonly [accept: string | undefined, query: string, given: string | number])[] = [
  [undefined, '', json],
  ['', '', json],
  ['*/*', '', json],
  ['application/*', '', json],
  ['application/json', '', json],
  ['image/svg+xml', '', svg],
  ['IMAGE/SVG+XML;q=0.5', '', svg],
  ['image/*', '', svg],
  ['text/vnd.graphviz', '', dot],
  ['text/vnd.mermaid', '', mermaid],
  ['text/*', '', dot],
  ['text/vnd.mermaid, text/vnd.graphviz;q=0.9', '', mermaid],
  ['application/json;q=0.1, image/svg+xml;q=0.2', '', svg],
  ['*/*;q=0.5, application/json;q=0', '', svg],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', '', json],
  ['image/png', '', 406],
  ['text/html', '', 406],
  ['image/svg+xml;q=0', '', 406],
  ['image/svg+xml;q=2', '', 406],
  ['image/svg+xml;q=0, */*;q=0', '', 406],
  ['nonsense', '', 406],
  [undefined, '?format=svg', svg],
  ['*/*', '?format=mermaid', mermaid],
  ['image/*', '?format=svg', svg],
  ['image/svg+xml', '?format=json', 406],
  ['application/json', '?format=dot', 406],
  ['*/*', '?format=json', json],
  ['image/png', '?format=png', 400],
  [undefined, '?format=', 400],
  [undefined, '?format=svg&format=dot', 400],
];

test('an answer that may be had in several forms comes in the one that the client takes', async t => {
  const daemon = tableDaemon({ 'analysis.architecture': () => ({ kind: 'document', body: '{}', etag: 'W/"a"' }) });
  const listener = await openListener(t, daemon);
  for (const [accept, query, given] of asked) {
    const label = `${accept} ${query}`;
    const answer = await sendRequest(listener, 'GET', `/architecture${query}`, { Accept: accept });
    if (typeof given === 'number') {
      assert.equal(answer.status, given, label);
      assert.equal(answer.headers['content-type'], json, label);
      if (given === 406) assert.ok(JSON.parse(answer.body).details.offered.length > 0, label);
      continue;
    }
    assert.equal(answer.status, 200, `${label}: ${answer.body}`);
    assert.equal(answer.headers['content-type'], given, label);
    assert.match(answer.headers['vary'] ?? '', /^Accept, /, label);
    const format = { [json]: 'json', [svg]: 'svg', [dot]: 'dot', [mermaid]: 'mermaid' }[given];
    assert.equal(daemon.requests.at(-1)?.input['format'], format, label);
    // A picture is opened by browsers as a page of its own.
    const policy = answer.headers['content-security-policy'];
    assert.equal(policy !== undefined && /default-src 'none'/.test(policy), given === svg, label);
  }
});

test('a form that is not the client’s is refused before anything is asked, and 304 is of one form', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  assert.equal((await sendRequest(listener, 'GET', '/architecture', { Accept: 'image/png' })).status, 406);
  assert.deepEqual(daemon.requests, []);
  const again = { Accept: 'image/svg+xml', 'If-None-Match': 'W/"snapshot-1"' };
  const unchanged = await sendRequest(listener, 'GET', '/architecture', again);
  assert.equal(unchanged.status, 304);
  assert.match(unchanged.headers['vary'] ?? '', /^Accept, /);
});
