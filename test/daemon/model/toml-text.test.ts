import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { tomlText } from '../../../daemon/model/toml-text.ts';

test('what a text says comes back out of TOML, whatever is in it', () => {
  for (const text of ['shop', 'a "b" \\ c', 'a\nb\tc\0\u007f', '\u202eü\u2028', 'a.b*', '']) {
    const toml = `[at.${tomlText(text)}]\nis = ${tomlText(text)}`;
    assert.deepEqual(structuredClone(parse(toml)), { at: { [text]: { is: text } } });
    assert.doesNotMatch(tomlText(text), /[\u0000-\u001f\u007f\u2028\u202e]/);
  }
  assert.equal(tomlText('\ud800'), '"\ufffd"');
});
