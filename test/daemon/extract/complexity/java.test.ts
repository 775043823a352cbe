import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, measured, parametersOf } from './measured.ts';

/**
 * Bodies of `void f(boolean a, boolean b, boolean c)`. Cognitive as sonar-java says, which has nothing for a `switch` with a
 * value; cyclomatic as Checkstyle counts, by single cases.
 */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['', '1/0'],
  ['if (a) {}', '2/1'],
  ['if (a) x(); else y();', '2/2'],
  ['if (a) {} else if (b) {} else { while (c) {} }', '4/5'],
  ['while (a) { if (b) { for (;;) { if (c) {} else if (a) {} else { if (b) {} } if (c) {} } } }', '8/21'],
  ['for (int i = 0; i < 3; i++) if (a) x(); for (var y : z) ; if (b) for (;;) ;', '6/7'],
  ['do { } while (a || b);', '3/2'],
  ['while (a && b) { if (c) {} }', '4/4'],
  ['int x = a ? 1 : 2; return b ? 3 : 4;', '3/2'],
  ['int x = a ? b ? 1 : 2 : 3;', '3/3'],
  ['switch (x) { case 1: case 2: break; default: }', '3/1'],
  ['switch (x) { case 1: if (a) { if (a && b && c || a) {} if (b) {} else {} } }', '8/12'],
  ['int y = switch (x) { case A, B -> 1; case C c when a && b -> 2; case null, default -> 3; };', '5/2'],
  ['try { if (a) {} } catch (A | B e) { if (b) {} } finally { if (c) {} }', '5/5'],
  ['try { while (a) { try { if (b) {} } catch (E e) {} } } finally { if (c) {} }', '5/6'],
  ['try (var r = a ? x() : y()) {} catch (E e) {} catch (F f) {}', '4/3'],
  ['out: for (;;) { break out; }', '2/2'],
  ['out: for (;;) { if (a) continue; for (;;) { if (b) continue out; } }', '5/9'],
  ['return a && b && c;', '3/1'],
  ['return a && b || x(b && c);', '4/3'],
  ['return a && (b || c) || a;', '4/2'],
  ['return a || (b || c);', '3/1'],
  ['if (a && b || c && a || b) {}', '6/5'],
  ['return a && !(b && c);', '3/2'],
  ['assert a || b; synchronized (x) { if (c) {} }', '3/2'],
];

test('what each construct adds to a method', async () => {
  for (const [body, said] of bodies) {
    const source = `class A { @X int f(boolean a, boolean b, boolean c) { ${body} } }`;
    assert.deepEqual(await measured(source, 'java'), [`A.f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, ...said: string[]])[] = [
  ['class A { int f = a ? 1 : 2; static { x = a && b; } { if (a) {} } }', 'A.<static> 2/1', 'A.<init> 2/1'],
  ['class A { A() { this(1); } A(int a) { if (a) {} } }', 'A.A 1/0', 'A.A 2/1'],
  ['abstract class A { abstract void f(); native void g(); } interface I { void f(); default void g() {} }', 'I.g 1/0'],
  [
    'class A { class B { void f() {} } enum E { X { void g() {} }; void h() {} } }',
    'A.B.f 1/0',
    'A.E.X.g 1/0',
    'A.E.h 1/0',
  ],
  ['record R(int a) { R { if (a) {} } void f() {} }', 'R.R 2/1', 'R.f 1/0'],
  // Lambdas and classes in a method count for themselves, and deeper for it.
  ['class A { void f() { Runnable r = () -> { if (a) {} }; } }', 'A.f 1/2', 'r 2/1'],
  ['class A { void f() { if (a) x(y -> b ? 1 : 2); } }', 'A.f 2/4', '<anonymous> 2/1'],
  ['class A { void f() { new B(a ? 1 : 2) { void g() { if (a) {} } }; } }', 'A.f 2/3', 'g 2/1'],
  [
    'class A { void f() { class L { boolean g() { return a && b || c; } void h() { if (a) {} } } } }',
    'A.f 1/4',
    'L.g 3/2',
    'L.h 2/1',
  ],
  ['class A { B b = new B() { void g() { x(() -> { if (a) {} }); } }; }', 'g 1/2', '<anonymous> 2/1'],
  // Of one name, the one with as many parameters is called.
  ['class A { int f(int a) { return a < 1 ? 0 : this.f(a - 1) + f(a, 2) + b.f(a); } }', 'A.f 2/1 recursion 1'],
];

test('what is a function, and how it is called', async () => {
  for (const [source, ...said] of sources) assert.deepEqual(await measured(source, 'java'), said, source);
});

test('parameters; where a method begins, below its annotations, and ends', async () => {
  const source =
    'record R(int x, int y) {\n  R {}\n  @Override\n  public void f(R this, final int a, String... b) {\n    x((c, d) -> 1);\n  }\n  void g(/* … */) { x(c -> 1); }\n}\n';
  assert.deepEqual(await measured(source, 'java', parametersOf), [
    'R.R 2',
    'R.f 2',
    '<anonymous> 2',
    'R.g 0',
    '<anonymous> 1',
  ]);
  assert.deepEqual(await measured(source, 'java', linesOf), [
    'R.R 2-2',
    'R.f 4-6',
    '<anonymous> 5-5',
    'R.g 7-7',
    '<anonymous> 7-7',
  ]);
});
