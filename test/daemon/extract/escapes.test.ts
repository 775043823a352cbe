import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

/** What code does with a module `m`, and whether what it uses of it can be seen. */
const cases: readonly (readonly [source: string, escapes: boolean])[] = [
  ["import * as n from 'm'; n.a(); let b: n.B; n['c'];", false],
  ["import * as n from 'm'; const { a, b: c, d = 1 } = n;", false],
  ["import * as n from 'm'; const { a, ...others } = n;", true],
  ["import * as n from 'm'; register(n);", true],
  ["import * as n from 'm'; n[key];", true],
  ["import * as n from 'm'; const o = { n };", true],
  ["import * as n from 'm'; type N = typeof n;", false],
  ["import type * as n from 'm'; function f(v: typeof n) { return register(v); }", false],
  ["import * as n from 'm'; const o = n; register(o);", true],
  ["import * as n from 'm'; export { n };", false],
  ["import 'm';", false],
  ["import n from 'm'; register(n);", true],
  ["import { n } from 'm'; n.a(); let b: n.B;", false],
  ["import { n } from 'm'; n();", false],
  ["import { n } from 'm'; register(n);", true],
  ["import { n } from 'm'; export const o = n;", true],
  ["import { n } from 'm'; export default n;", true],
  ["import { n } from 'm'; export { n };", false],
  ["import n = require('m'); n.a;", false],
  ["import n = require('m'); register(n);", true],
  ["const n = require('m'); n.a();", false],
  ["const n = require('m'); register(n);", true],
  ["require('m').a();", false],
  ["register(require('m'));", true],
  ["import('m');", false],
  ["const L = lazy(() => import('m'));", true],
  ["const n = await import('m'); n.a();", false],
  ["const n = await import('m'); register(n);", true],
  ["const { a } = await import('m');", false],
  ["(await import('m')).a();", false],
  ["import('m').then(({ a }) => a());", false],
  ["import('m').then(n => n.a());", false],
  ["import('m').then(n => register(n));", true],
  ["import('m').then(register);", true],
  ["import * as n from 'm'; export const f = () => <n.A/>;", false],
];

/** The same of Python, with what is imported by its name, which may be a module. */
const ofPython: typeof cases = [
  ['import m\nm.a()', false],
  ['import m\nregister(m)', true],
  ['import m as n\nn.a', false],
  ['import m as n\no = n', true],
  ['import m\nm.__dict__', true],
  ['import m\nvars(m)', true],
  ['import m\ngetattr(m, "a")()', false],
  ['import m\nhasattr(m, "a")', false],
  ['import m\ngetattr(m, name)', true],
  ['import m\ngetattr(m, f"a_{name}")', true],
  ['import m\ndel m', false],
  ['import m\n@m.a\ndef f(x: m.B) -> "m.C": pass', false],
  ['import m\nm = other', false],
  ['import m\ndef f(m): register(m)', false],
  ['def f():\n    import m\n    return m', true],
  ['from m import a\na()', false],
  ['from m import a\nclass B(a): pass', false],
  ['from m import a\nreturn_all([a])', true],
];

for (const [source, escapes, path] of [
  ...cases.map(one => [...one, 'a.tsx'] as const),
  ...ofPython.map(one => [...one, 'a.py'] as const),
]) {
  test(`${source} ${escapes ? 'lets' : 'keeps'} the module ${escapes ? 'go' : 'in sight'}`, async () => {
    const { imports } = await factsOf(path, source);
    assert.deepEqual(
      imports.map(({ specifier, escapes }) => ({ specifier, escapes })),
      [{ specifier: 'm', escapes }],
    );
  });
}

test('a dotted path is the module that is imported by it', async () => {
  const { imports } = await factsOf('a.py', 'import a.b\nimport a.c\nregister(a.b)\na.c.d()');
  assert.deepEqual(
    imports.flatMap(({ specifier, escapes }) => (escapes ? [specifier] : [])),
    ['a.b'],
  );
});
