import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../daemon/extract/otlp/json-values.ts';
import { parseJson } from '../../../../daemon/extract/otlp/parse-json.ts';
import { OtlpProblem } from '../../../../daemon/extract/otlp/problem.ts';

const parse = (text: string) => parseJson(new Uint8Array(Buffer.from(text)), 'items');

/** A value with its long lists as they are once somebody went through them. */
function whole(text: string): unknown {
  const { value, lists } = parse(text);
  const filled = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(filled);
    return Object.fromEntries(
      Object.entries(one).map(([name, held]) => {
        const isList = name === 'items' && lists.isList(held);
        return [name, isList ? [...lists.elementsOf(one as Json, name)].map(({ value: item }) => item) : filled(held)];
      }),
    );
  };
  return filled(value);
}

const problem = (kind: OtlpProblem['kind'], message: RegExp) => (error: unknown) =>
  error instanceof OtlpProblem && error.kind === kind && message.test(error.message);

test('whatever is written is read as it is', () => {
  const values: readonly unknown[] = [
    ...[{ items: [] }, { items: [1] }, { items: [1, 'two', null, true, -1.5e3] }, { items: [[]] }, { items: [{}, {}] }],
    ...[
      { items: [{ items: [1, 2] }, [{ items: [3] }]] },
      { a: { items: ['x'] }, b: [{ items: ['y', 'z'] }] },
      [],
      5,
      'x',
    ],
    ...[
      { items: ['],"items":[', '\\', '"', '\\"', ',', '}{'] },
      { 'items"': [1] },
      { item: ['items', ':', '['] },
      null,
    ],
    ...[
      { items: 'a text' },
      { items: { items: [1] } },
      { items: ['\u{1f600}é\u2028'] },
      { ['items\\']: [1], items: [2] },
    ],
  ];
  for (const value of values) {
    for (const space of [undefined, 1, '\t']) {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(whole(text), value, text);
      assert.deepEqual(whole(`\ufeff ${text} \r\n`), value, text);
    }
  }
  // Written in another way it is a list as any other.
  assert.deepEqual(whole('{"\\u0069tems":[1, 2]}'), { items: [1, 2] });
  assert.equal(parse('').value, undefined);
});

test('what is no JSON is told, wherever it is, and whether somebody looks there or not', () => {
  const wrong = [
    '[1,]',
    '[,1]',
    '[,]',
    '[1 2]',
    '[{]}',
    '[}',
    '[1}',
    '[[1]',
    '["a]',
    '[{"a":}]',
    '[1]]',
    '[nul]',
    '[.5]',
  ];
  for (const list of wrong) {
    for (const text of [`{"items":${list}}`, `{"a":[{"items":[0]},{"items":${list}}]}`]) {
      assert.throws(
        () => {
          const { lists } = parse(text);
          lists.end();
        },
        problem('undecodable', /^It is not JSON$/),
        text,
      );
      assert.throws(() => whole(text), problem('undecodable', /^It is not JSON$/), text);
    }
  }
});

test('a text that names a list can’t be made by who writes the JSON', () => {
  const { text } = parse('{"items":[1]}');
  const { value, lists } = parse(`{"a":${text},"items":[2]}`);
  const { a, items } = value as { readonly a: { readonly items: string }; readonly items: string };
  assert.deepEqual([lists.isList(a.items), lists.isList(items)], [false, true]);
});

test('of many items one at a time is made, and too many values at once are refused', () => {
  const many = `{"items":[${'{},'.repeat(1_100_000)}{}]}`;
  let count = 0;
  const { value, lists } = parse(many);
  for (const _ of lists.elementsOf(value as Json, 'items')) count++;
  assert.equal(count, 1_100_001);
  const values = '0,'.repeat(1_000_001);
  for (const [text, message] of [
    [`{"others":[${values}0]}`, /^Outside of items it holds more than 1000000 values: send it in parts$/],
    [`{"items":[1,[${values}0]]}`, /^One of its items holds more than 1000000 values/],
    [`{"items":[${'0,'.repeat(4_000_000)}0]}`, /^It holds more than 4000000 values/],
  ] as const) {
    assert.throws(() => parse(text), problem('too large', message));
  }
});
