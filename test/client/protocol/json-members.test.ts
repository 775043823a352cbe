import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatedMember } from '../../../client/protocol/json-members.ts';

test('a field that stands twice in one object is found, and none where it only seems so', () => {
  const repeated = (text: string) => repeatedMember(Buffer.from(text), JSON.parse(text));
  const twice = [
    ['{"a":1,"a":1}', 'a'],
    ['{"x":[{"b":2},{"c":{"d":1,"e":[":"],"\\u0064" : 2}}]}', 'x.c.d'],
    ['{"":1,"":2}', '""'],
    [`{"long":"${'\\\\n'.repeat(2 ** 22)}","a":1,"a":2}`, 'a'],
    ['[[{"__proto__":1,"__proto__":2}]]', '__proto__'],
    [`{"${'n'.repeat(200)}":1,"${'n'.repeat(200)}":2}`, `${'n'.repeat(100)}…`],
  ] as const;
  for (const [text, path] of twice) assert.equal(repeated(text), path, text);
  const once = ['1', '"a:b"', '{}', '{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a\\":\\"a":":","b":"{\\"b\\":"}'];
  for (const text of once) assert.equal(repeated(text), undefined, text);
});
