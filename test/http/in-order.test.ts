import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { mostUnanswered } from '../../http/in-order.ts';
import { until } from '../support/daemon.ts';
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

test('whoever leaves hundreds of questions unanswered is let go of, and nobody else is (P39)', async t => {
  let running = 0;
  const daemon = tableDaemon({
    'symbols.search': (_, { q }) => {
      if (q !== 'slow') return { kind: 'document', body: '"quick"' };
      running++;
      return new Promise(() => {});
    },
  });
  const { port } = await openListener(t, daemon);
  const asking = (q: string) =>
    `GET /search?q=${q} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const patient = connect(port, '127.0.0.1');
  t.after(() => patient.destroy());
  patient.write(asking('slow') + asking('later').repeat(mostUnanswered - 1));
  await until('it is asked', () => running === 1);
  const greedy = connect(port, '127.0.0.1');
  greedy.on('error', () => {});
  greedy.write(asking('slow') + asking('later').repeat(mostUnanswered));
  await once(greedy, 'close');
  const [answer] = await sendForAll(port, asking('quick'), 1);
  assert.equal(answer!.body, '"quick"');
  assert.equal(patient.readyState, 'open');
});
