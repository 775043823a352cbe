import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursors, signedValues } from '../../../daemon/operations/symbols/cursor.ts';
import { randomFrom } from '../../support/synthetic.ts';

const secret = 'ab'.repeat(32);
const binding = ['acme/x', 'symbols', { language: undefined, kind: 'class' }, 'svc_key_1'] as const;
const position = { epoch: 'e1', seq: 7, offset: 500 } as const;

test('no bit of a cursor can be another, nor can it be longer or shorter (P34)', () => {
  const cursor = cursors(secret, binding).make(position);
  const isRefused = (text: string, what: string) =>
    assert.throws(() => cursors(secret, binding).read(text), { reason: 'invalidParameter' }, what);
  for (let at = 0; at < cursor.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const other = String.fromCharCode(cursor.charCodeAt(at) ^ (1 << bit));
      isRefused(cursor.slice(0, at) + other + cursor.slice(at + 1), `bit ${bit} of character ${at}`);
    }
    isRefused(cursor.slice(0, at), `the first ${at}`);
    isRefused(cursor.slice(at + 1), `all but the first ${at + 1}`);
    isRefused(`${cursor.slice(0, at)}.${cursor.slice(at)}`, `a dot before ${at}`);
  }
  for (const more of ['=', '.', ' ', '\0', 'A', cursor]) isRefused(cursor + more, more);
  assert.deepEqual(cursors(secret, binding).read(cursor), position);
});

test('a cursor is good for what it was made with alone: repository, list, filters and key (P34)', () => {
  const made = signedValues<[string, number]>(secret, binding).make(['e1', 7]);
  const [repo, list, filters, key] = binding;
  const others: readonly (readonly unknown[])[] = [
    ['acme/y', list, filters, key],
    ['acme', 'x', list, filters, key],
    [repo, 'refs', filters, key],
    [repo, list, {}, key],
    [repo, list, { kind: 'function' }, key],
    [repo, list, { ...filters, file: 'a.ts' }, key],
    [repo, list, filters, 'svc_key_2'],
    [repo, list, filters],
    [repo, list, filters, key, undefined],
    [],
  ];
  for (const other of others) {
    assert.equal(signedValues(secret, other).read(made), undefined, JSON.stringify(other));
  }
  assert.equal(signedValues('cd'.repeat(32), binding).read(made), undefined, 'another secret');
  assert.deepEqual(signedValues(secret, [...binding]).read(made), ['e1', 7], 'and after a restart with the same');
});

test('what is made up is no cursor, whatever it says (P34)', () => {
  const { read } = signedValues(secret, binding);
  const random = randomFrom(7);
  const payload = Buffer.from(JSON.stringify(["e1' OR 1=1--", 0, 0])).toString('base64url');
  for (const text of ['', '.', '..', '{}', 'e30', 'e30.e30', `${payload}.`, `.${payload}`, `${payload}.${payload}`]) {
    assert.equal(read(text), undefined, text);
  }
  for (let one = 0; one < 5000; one++) {
    const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
    assert.equal(read(`${payload}.${bytes.toString('base64url')}`), undefined);
  }
});
