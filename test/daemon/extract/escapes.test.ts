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
  ["import n from 'm'; register(n);", false],
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

for (const [source, escapes] of cases) {
  test(`${source} ${escapes ? 'lets' : 'keeps'} the module ${escapes ? 'go' : 'in sight'}`, async () => {
    const { imports } = await factsOf('a.tsx', source);
    assert.deepEqual(
      imports.map(({ specifier, escapes }) => ({ specifier, escapes })),
      [{ specifier: 'm', escapes }],
    );
  });
}
