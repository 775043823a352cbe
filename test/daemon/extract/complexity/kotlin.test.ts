import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, measured, parametersOf } from './measured.ts';

/**
 * Bodies of `fun f(a: Boolean, b: Boolean, c: Boolean)`. Cognitive as sonar-kotlin says, but for `do … while`, which it passes
 * over; cyclomatic as detekt counts by default, without `else` of a `when`, jumps and scope functions.
 */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['', '1/0'],
  ['if (a) x()', '2/1'],
  ['if (a) { if (b) { x() }\n if (c) { x() } }', '4/5'],
  ['if (a) 0 else 1', '2/1'],
  ['if (a) { 0 } else { 1 }', '2/2'],
  ['if (a) 1 else { 2 }\n if (b) { 2 } else 3', '3/3'],
  ['if (a) 0 else if (b) 1 else if (c) 2 else if (!a && !b) 3 else if (b || c) 4', '8/7'],
  ['if (a) { 0 } else if (b) { if (c) { 1 } }', '4/4'],
  ['if (a) { 0 } else { if (c) { 1 } }', '3/4'],
  ['if (a && b && c || a || b && c) x()', '7/4'],
  ['return a && (b || c) && a', '4/2'],
  ['return a ?: b ?: c', '3/0'],
  ['return a?.b?.c!!', '1/0'],
  ['for (i in 0..1) if (a && b) break', '4/4'],
  ['outer@ while (a || b) { while (b && c) continue@outer }', '5/6'],
  ['for (i in 0..1)\n  if (a && b)\n  break', '4/4'],
  ['while (a)\n  // …\n  if (b) c()\n  if (c) x()', '4/4'],
  ['for (x in y)\n for (z in x)\n while (a)\n if (b) c()\n if (c) x()', '6/11'],
  ['for (x in y);\n if (c) x()\n for (x in y) x()\n if (c) x()', '5/4'],
  ['do { if (a) break } while (b)', '3/3'],
  ['when (x) { true -> if (a || b) { if (c) 0 } else 1\n false, null -> null\n else -> 2 }', '6/7'],
  ['when { a -> 1\n b && c -> 2 }', '4/2'],
  ['try { if (a) x() } catch (e: E) { if (a) if (b) if (c) return } finally { if (b) x() }', '7/12'],
  ['if (if (a) b else c) x()', '3/3'],
  ['val x = y.z ?: return', '2/0'],
];

test('what each construct adds to a function', async () => {
  for (const [body, said] of bodies) {
    const source = `class A {\n  @X\n  fun f(a: Boolean, b: Boolean, c: Boolean) {\n${body}\n}\n}\n`;
    assert.deepEqual(await measured(source, 'kotlin'), [`A.f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, ...said: string[]])[] = [
  ['fun f(a: Int) = if (a < 2) a else f(a - 1) + f(a, 1)', 'f 2/1 recursion 1'],
  ['fun f(a: Int): Boolean = !f(a - 1)', 'f 1/0 recursion 1'],
  ['interface I {\n  fun f()\n  fun g() = 1\n}', 'I.g 1/0'],
  ['class A(val x: Int = if (a) 1 else 2) {\n  init {\n    if (a) b()\n  }\n}', 'A.<init> 2/1'],
  ['class A {\n  constructor(a: Int) : this() { if (a) b() }\n}', 'A.constructor 2/1'],
  [
    'class A {\n  var p: Int\n    get() = if (q) 1 else 2\n    set(value) { field = value }\n}',
    'A.p.get 2/1',
    'A.p.set 1/0',
  ],
  ['class A {\n  companion object {\n    fun f() = a && b\n  }\n  object O { fun g() {} }\n}', 'A.f 2/1', 'A.O.g 1/0'],
  ['enum class E {\n  X { override fun f() {} };\n  abstract fun f()\n}', 'E.X.f 1/0'],
  ['fun String.f() = 1', 'f 1/0'],
  ['val f = { a: Int -> a ?: 1 }', 'f 2/0'],
  // Functions inside count for themselves, and deeper for what stands around.
  ['fun f() {\n  fun() { a && b || c }\n}', 'f 1/2', '<anonymous> 3/2'],
  [
    'fun f() {\n  a.let {\n    it.run {\n      if (x) return\n    }\n  }\n}',
    'f 1/3',
    '<anonymous> 1/2',
    '<anonymous> 2/1',
  ],
  ['fun f() {\n  fun g() {\n    if (a) b()\n  }\n  if (a) g()\n}', 'f 2/3', 'g 2/1'],
  ['fun f() {\n  x(object : I {\n    override fun g() {\n      if (a) b()\n    }\n  })\n}', 'f 1/2', 'g 2/1'],
  // A class begins anew.
  [
    'fun f() {\n  a.let {\n    class C {\n      fun g() {\n        if (a) b()\n      }\n    }\n  }\n}',
    'f 1/1',
    '<anonymous> 1/1',
    'C.g 2/1',
  ],
];

test('what is a function, and how it is called', async () => {
  for (const [source, ...said] of sources) assert.deepEqual(await measured(`${source}\n`, 'kotlin'), said, source);
});

test('parameters; where a function begins, below its annotations, and ends', async () => {
  const source =
    'class A {\n  @X\n  override fun f(a: Int, vararg b: String = c) {\n    x { d, (e, _) -> 1 }\n  }\n  fun g(h: (Int, Int) -> Unit) {}\n}\n';
  assert.deepEqual(await measured(source, 'kotlin', parametersOf), ['A.f 2', '<anonymous> 2', 'A.g 1']);
  assert.deepEqual(await measured(source, 'kotlin', linesOf), ['A.f 3-5', '<anonymous> 4-4', 'A.g 6-6']);
});
