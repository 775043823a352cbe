import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreOf, searchedText, searchTerms } from '../../../daemon/analysis/text-search.ts';

const documents: Readonly<Record<string, readonly [title: string, text: string]>> = {
  kafka: ['Use Kafka', 'Messages go through Kafka, in order. AND is a word, café is one.'],
  queue: ['Use a message queue', 'A queue keeps messages. Later Kafka.'],
  sql: ['Keep orders in PostgreSQL', 'The\n  order table, étage and Straße. 5 * 3 = "15"'],
  eastern: ['使用消息队列', '我们使用消息队列来处理订单'],
  standard: ['Standards', 'A standard command; %_ and a\\b.'],
};

/** The documents that fit, the best first. */
function found(question: string): readonly string[] {
  const terms = searchTerms(question);
  return Object.entries(documents)
    .flatMap(([name, [title, text]]) => {
      const score = scoreOf(terms, { title: searchedText(title), text: searchedText(text) });
      return score === undefined ? [] : [{ name, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

test('each term must be there, as the beginning of a word; one in the title counts most', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['kafka', ['kafka', 'queue']],
    ['KAFKA', ['kafka', 'queue']],
    ['kafka order', ['kafka']],
    ['mess', ['queue', 'kafka']],
    ['essage', []],
    ['cafe', ['kafka']],
    ['CAFÉ', ['kafka']],
    ['étage strasse', ['sql']],
    ['sql', ['sql']],
    ['postgresql', ['sql']],
    ['"message queue"', ['queue']],
    ['"queue message"', []],
    ['"the order table"', ['sql']],
    ['消息', ['eastern']],
    ['处理 队列', ['eastern']],
    ['and', ['kafka', 'sql', 'standard']],
  ];
  for (const [question, expected] of table) {
    assert.deepEqual([...found(question)].sort(), [...expected].sort(), question);
    if (question === 'kafka' || question === 'mess') assert.deepEqual(found(question), expected, question);
  }
});

test('all signs stand for themselves', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['"', ['sql']],
    ['*', ['sql']],
    ['%', ['standard']],
    ['_', ['standard']],
    ['a\\b', ['standard']],
    ['"15', ['sql']],
    ['kafka AND order', ['kafka']],
    ['kafka OR order', ['kafka']],
    ['sql OR NOT', []],
    ['NEAR(', []],
    ['title:kafka', []],
    ['a^', []],
    ['((((a', []],
    ["'; DROP TABLE--", []],
    ['-kafka', []],
    ['""', []],
    ['😀', []],
    ['\u202e', []],
    ['\u0301', []],
    ['__proto__', []],
  ];
  for (const [question, expected] of table) assert.deepEqual(found(question), expected, question);
});

test('scores lie between none and one, and grow with places', () => {
  const text = (times: number) => ({ title: searchedText('x'), text: searchedText('kafka '.repeat(times)) });
  const scores = [1, 2, 8, 1000].map(times => scoreOf(searchTerms('kafka'), text(times))!);
  assert.deepEqual(scores, [0.513, 0.525, 0.6, 0.6]);
  assert.equal(scoreOf(searchTerms('kafka'), { title: searchedText('Kafka'), text: searchedText('') }), 1);
});
