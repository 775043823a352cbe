import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured } from './measured.ts';

/** Bodies of `function f(a, b, c) { … }`, with what ESLint 8.57 and eslint-plugin-sonarjs 0.25 say: cyclomatic/cognitive. */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['', '1/0'],
  ['if (a) b();', '2/1'],
  ['if (a) b(); else c();', '2/2'],
  ['if (a) b(); else if (b) c(); else a();', '3/3'],
  ['if (a) { if (b) { if (c) a(); } }', '4/6'],
  ['if (a) b(); else { if (b) c(); }', '3/4'],
  ['if (a) b(); else /* … */ if (b) { if (c) a(); }', '4/4'],
  ['for (;;) if (a) b();', '3/3'],
  ['for (const x in a) b(x); for (const x of a) b(x); for await (const x of a) b(x);', '4/3'],
  ['while (a) { do b(); while (c); }', '3/3'],
  ['while (a && b || c) a();', '4/3'],
  ['switch (a) { case 1: case 2: b(); break; default: c(); }', '3/1'],
  ['switch (a) { case b ? 1 : 2: if (c) b(); }', '4/5'],
  ['switch (a ? b : c) {}', '2/2'],
  ['try { a(); } catch (e) { if (e) b(); } finally { c(); }', '3/3'],
  ['try { if (a) a(); } catch { b(); }', '3/2'],
  ['return a ? b : c;', '2/1'],
  ['return a ? b : c ? a : b;', '3/3'],
  ['return (a ? b : c) ? a : b;', '3/2'],
  ['return a && b && c;', '3/1'],
  ['return a && b || c && a;', '4/3'],
  ['return a && (b && (c));', '3/1'],
  ['return a && !(b && c);', '3/2'],
  ['return a ?? b ?? c;', '3/1'],
  ['return (a || b) ?? c;', '3/2'],
  ['a ||= b; a &&= b; a ??= b; a += b;', '4/0'],
  ['return a?.b?.[c]?.();', '1/0'],
  ["const x = a || 'b'; let y = a ?? []; const z = (b || ({}));", '4/0'],
  ['const x = a || b;', '2/1'],
  ['const x = a || `b`;', '2/1'],
  ['const x = a && 1;', '2/1'],
  ['const x = a || b || null;', '3/1'],
  ['a = a || {}; a.b = a.b ?? 1;', '3/0'],
  ['a = b || {};', '2/1'],
  ['outer: for (;;) { for (;;) { if (a) continue outer; break outer; } break; }', '4/8'],
  ['const { x = a || b, y = 1 } = c;', '2/1'],
  [`return \`\${a ? b : c}\`;`, '2/1'],
  ['throw a || b;', '2/1'],
  ['yield: for (;;) { break yield; }', '2/2'],
];

test('what each construct adds to a function', async () => {
  for (const [body, said] of bodies) {
    assert.deepEqual(await measured(`function f(a, b, c) { ${body} }`, 'javascript'), [`f ${said}`], body);
    assert.deepEqual(await measured(`async function f(a, b, c) { ${body} }`, 'tsx'), [`f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, dialect: string, ...said: string[]])[] = [
  ['if (a) b();', 'javascript'],
  ['function f(a = b || 1, { c = a ? 1 : 2 } = {}) {}', 'javascript', 'f 3/2'],
  ['function f(a) { if (a) return () => { if (a) b(); }; }', 'javascript', 'f 2/1', '<anonymous> 2/1'],
  ['function f(a) { function g() { for (;;); } if (a) g(); }', 'javascript', 'f 2/1', 'g 2/1'],
  ['async function* f(a) { yield* a ?? b; }', 'javascript', 'f 2/1'],
  ['const f = a => a && b, g = function () {}, h = function own() {};', 'javascript', 'f 2/1', 'g 1/0', 'own 1/0'],
  ['a.b = () => {}; c ??= () => {}; export default () => {};', 'javascript', 'b 1/0', 'c 1/0', 'default 1/0'],
  [
    '({ a() {}, b: () => {}, "c d": function () {}, get e() { return a || b }, [f]: (() => {}) })',
    'javascript',
    'a 1/0',
    'b 1/0',
    'c d 1/0',
    'e 2/1',
    '[f] 1/0',
  ],
  [
    'class A { constructor(a) { if (a) b(); } static async m() {} get x() { return 1 } set x(v) {} #p() {} }',
    'javascript',
    'A.constructor 2/1',
    'A.m 1/0',
    'A.x 1/0',
    'A.x 1/0',
    'A.#p 1/0',
  ],
  [
    'class A { a = 1; b = c ? 1 : 2; d = () => c || d; static e = x && (() => y || z); }',
    'javascript',
    'A.b 2/1',
    'A.d 2/1',
    'A.e 2/1',
    'A.<anonymous> 2/1',
  ],
  [
    'function f() { return class { a = b || c; static { if (a) b(); } } }',
    'javascript',
    'f 1/0',
    'a 2/1',
    '<static> 2/1',
  ],
  ['function f() { return { [a || b]() { return c && d } } }', 'javascript', 'f 2/1', '[a || b] 2/1'],
  ['function f() { return class { [a ? b : c] = 1; } }', 'typescript', 'f 2/1'],
  ['class A { accessor a = b || c; }', 'typescript'],
  ['function f(a: string): void; function f(a?: any, this: B) { return a! && (a as B) }', 'typescript', 'f 2/1'],
  ['function f() { return a && b! && c }', 'typescript', 'f 3/1'],
  ['function f() { return a && b!.c[0]! >= 1 && (d || e!()) || c }', 'typescript', 'f 5/2'],
  ['function f() { return (a && b)! && c }', 'typescript', 'f 3/2'],
  [
    'abstract class A { abstract m(): void; n?(): void; o(): string; o() { return a ? b : c } }',
    'typescript',
    'A.o 2/1',
  ],
  ['type T<A> = A extends string ? 1 : 2; declare function f(): void; interface I { m(): void }', 'typescript'],
  ['const f = ((a) => a || b) satisfies F;', 'typescript', 'f 2/1'],
  [
    'const A = class { m() {} n = { o() {} }; }, B = class C { m() { class D { m() {} } } }; export default class { m() {} }; (class { m() {} });',
    'javascript',
    'A.m 1/0',
    'o 1/0',
    'C.m 1/0',
    'D.m 1/0',
    'default.m 1/0',
    'm 1/0',
  ],
  ['class A { @d(a || b) m() {} @d(() => a) n = 1; }', 'typescript', 'A.m 1/0', 'A.<anonymous> 1/0'],
  ['namespace N { export function f() { if (a) b() } }', 'typescript', 'f 2/1'],
  ['const A = () => <p a={a && <b />}>{a && b && <i />}{(a || b)}{a && b || c}{a ? <i /> : null}</p>;', 'tsx', 'A 8/3'],
  [
    'const A = () => <ul>{a.map(x => x && <li onClick={() => x ?? y} />)}</ul>;',
    'tsx',
    'A 1/0',
    '<anonymous> 2/1',
    '<anonymous> 2/1',
  ],
  ['const A = () => <p>{a && (b ? 1 : 2)}</p>;', 'tsx', 'A 3/2'],
];

test('what is a function of its own, and how it is called', async () => {
  for (const [source, dialect, ...said] of sources) assert.deepEqual(await measured(source, dialect), said, source);
});

test('recursion is told beside', async () => {
  const source = `function walk(n) { n.forEach(one => walk(one)); if (n) walk(n); other(n); }
class A { m() { this.m(); this.n(); m(); } n = () => this.n(); }
exports.x = () => { x(); };`;
  assert.deepEqual(await measured(source, 'javascript'), [
    'walk 2/1 recursion 2',
    '<anonymous> 1/0',
    'A.m 1/0 recursion 1',
    'A.n 1/0 recursion 1',
    'x 1/0',
  ]);
});
