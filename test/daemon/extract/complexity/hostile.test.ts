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

/** Of each language: nested deeply, beside each other in great number, in a chain. */
const elsewhere: readonly (readonly [dialect: string, source: string, first: string, count: number])[] = [
  ['go', `package p\nfunc f() { ${'if a { '.repeat(1000)}${'} '.repeat(1000)}}\n`, 'f 1001/500500', 1],
  ['go', `package p\nvar ${'a, '.repeat(3000)}b = ${'func() {}, '.repeat(3000)}func() {}\n`, 'a 1/0', 3001],
  ['python', `def f():\n${' def g(): return a\n'.repeat(300)}${' # …\n'.repeat(300)}`, 'f 1/0', 301],
  ['python', `def f():\n if a: pass\n${' elif b: pass\n'.repeat(2000)}`, 'f 2002/2001', 1],
  ['java', `class A { void f() { ${'if (a) {} else '.repeat(3000)}; } }`, 'A.f 3001/3001', 1],
  ['java', `class A { Object f() { return ${'() -> '.repeat(1000)}(a ? 1 : 2); } }`, 'A.f 1/1001', 1001],
  ['rust', `fn f() { ${'loop { '.repeat(1000)}${'} '.repeat(1000)}}`, 'f 1001/500500', 1],
  ['rust', `fn f() { if a ${'&& let A = b '.repeat(2000)}{} }`, 'f 2002/2', 1],
  ['kotlin', `fun f() = ${'{ '.repeat(500)}a && b${' }'.repeat(500)}\n`, 'f 1/1', 501],
  ['kotlin', `fun f() {\n${'if (a) b else '.repeat(1000)}c\n}\n`, 'f 1001/1000', 1],
];

test('and so they do in other languages', async () => {
  for (const [dialect, source, first, count] of elsewhere) {
    const functions = await measured(source, dialect);
    assert.deepEqual([functions[0], functions.length], [first, count], source.slice(0, 60));
  }
});
