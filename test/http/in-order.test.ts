import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openListener, sendForAll, tableDaemon, token } from './listener.ts';

test('of what one connection asks at once one question is answered at a time, in its order (P39)', async t => {
  let running = 0;
  let most = 0;
  const asked: unknown[] = [];
  const daemon = tableDaemon({
    'symbols.search': async (_, { q }) => {
      asked.push(q);
      most = Math.max(most, ++running);
      // Whoever would be let in meanwhile is.
      for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
      running--;
      return { kind: 'document', body: JSON.stringify({ q }), etag: undefined, lastModified: undefined };
    },
  });
  const listener = await openListener(t, daemon);
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`);
  const questions = words.map(
    q => `GET /search?q=${q} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const answers = await sendForAll(listener.port, questions.join(''), words.length);
  assert.deepEqual(
    answers.map(({ body }) => JSON.parse(body).q),
    words,
  );
  assert.deepEqual([asked, most], [words, 1]);
});
