import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured } from './measured.ts';

const many = 20_000;

/** `f` with so many decisions, and what they add to its cognitive complexity. */
const deep: readonly (readonly [what: string, source: string, said: string])[] = [
  ['branches', `function f() { ${'if (a) '.repeat(many)}b(); }`, `${many + 1}/${(many * (many + 1)) / 2}`],
  ['else-ifs', `function f() { ${'if (a) b(); else '.repeat(many)}b(); }`, `${many + 1}/${many + 1}`],
  ['conditions', `const f = () => ${'a ? b : '.repeat(many)}c;`, `${many + 1}/${(many * (many + 1)) / 2}`],
  ['operators', `function f() { return ${'a! && '.repeat(many)}b; }`, `${many + 1}/1`],
  ['recursion', `function f() { ${'f(f('.repeat(1000)}${'))'.repeat(1000)}; }`, '1/0 recursion 2000'],
];

test('numbers hold however deep the code nests', async () => {
  for (const [what, source, said] of deep) assert.deepEqual(await measured(source, 'typescript'), [`f ${said}`], what);
});

test('each of thousands of functions inside each other is measured', async () => {
  const functions = await measured(`const f = ${'() => '.repeat(many)}a ? 1 : 2;`, 'typescript');
  assert.equal(functions.length, many);
  assert.deepEqual([functions[0], functions[1], functions.at(-1)], ['f 1/0', '<anonymous> 1/0', '<anonymous> 2/1']);
});

test('what is no word is a name like any other', async () => {
  const source = 'const o = { __proto__() {}, constructor() {}, "": () => {}, "a\\u0000b": () => {}, toString() {} };';
  assert.deepEqual(await measured(source, 'javascript'), [
    '__proto__ 1/0',
    'constructor 1/0',
    ' 1/0',
    'a\\u0000b 1/0',
    'toString 1/0',
  ]);
});
