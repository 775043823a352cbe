import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, measured, parametersOf } from './measured.ts';

/**
 * Bodies of `def f(a, b, c):`. Cyclomatic as radon 6.0 counts, but for `assert` and the `else` of loops and `try`; cognitive as
 * sonar-python says, where it has a rule.
 */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['pass', '1/0'],
  ['if a: pass\nelif b: pass\nelse: pass', '3/3'],
  ['if a: pass\nelse:\n  if b: pass', '3/4'],
  ['if a:\n  if b: pass\n  else: pass', '3/4'],
  ['if a:\n  if b:\n    if c: pass', '4/6'],
  ['if a: pass\nelif b:\n  if c: pass', '4/4'],
  ['while a:\n  if b: pass\n  else: pass', '3/4'],
  ['while a: pass\nelse:\n  if b: pass', '3/4'],
  ['for x in a:\n  if b: break\n  if c: continue', '4/5'],
  ['for x in a: pass\nelse:\n  if b: pass', '3/4'],
  ['async for x in a: pass', '2/1'],
  ['with a as x:\n  if b: pass', '2/1'],
  ['try:\n  if a: pass\nexcept A:\n  if b: pass\nexcept (B, C) as e:\n  if c: pass\nfinally:\n  if a: pass', '7/8'],
  ['try: pass\nexcept A: pass\nelse:\n  if a: pass', '3/4'],
  ['try: pass\nexcept* A:\n  if a: pass', '3/3'],
  ['match a:\n  case 1 | 2: pass\n  case [x, *_] if b and c: pass\n  case _: pass', '4/2'],
  ['match a:\n  case x:\n    if b: pass\n  case _ if c: pass', '4/3'],
  ['return a and b and c', '3/1'],
  ['return a and b or c', '3/2'],
  ['return a or b and c or a and b', '5/4'],
  ['return a and (b and c)', '3/2'],
  ['return not (a or b) and c', '3/2'],
  ['return g(a and b, c or a)', '3/2'],
  ['return a if b else c', '2/1'],
  ['return a if b else (b if c else a)', '3/3'],
  ['return a if (a and b) else c', '3/2'],
  ['if a if b else c: pass', '3/2'],
  ['return [x for x in a if b if c]', '4/0'],
  ['return {x: y for x in a for y in b if x and y}', '5/1'],
  ['return any(x async for x in a)', '2/0'],
  ['assert a and b, c', '2/1'],
  ['x = yield a or b', '2/1'],
];

test('what each construct adds to a function', async () => {
  for (const [body, said] of bodies) {
    const indented = body.replace(/^/gm, '  ');
    assert.deepEqual(await measured(`def f(a, b, c):\n${indented}\n`, 'python'), [`f ${said}`], body);
    assert.deepEqual(await measured(`class A:\n async def f(self):\n${indented}\n`, 'python'), [`A.f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, ...said: string[]])[] = [
  ['if a and b: pass'],
  ['def f(a):\n if a: return f(a)\n else: return 1', 'f 2/2 recursion 1'],
  ['class A:\n def m(self): self.m(); m()', 'A.m 1/0 recursion 1'],
  // A function inside counts for itself, and deeper for what stands around.
  ['def f():\n if a: pass\n def g():\n  if a: pass', 'f 2/3', 'g 2/1'],
  ['def f():\n def g():\n  def h():\n   if a and b: pass\n  h()\n g()', 'f 1/4', 'g 1/3', 'h 3/2'],
  ['def f():\n if a:\n  def g():\n   for x in y: pass\n', 'f 2/4', 'g 2/1'],
  // A decorator is no nesting.
  ['def f(g):\n @wraps(g)\n def h():\n  if a: pass\n  g()\n # …\n return h', 'f 1/1', 'h 2/1'],
  ['def f(a):\n def g(b):\n  def h():\n   if c: pass\n  return h\n return g', 'f 1/1', 'g 1/1', 'h 2/1'],
  ['def f(g):\n def h():\n  if a: pass\n return h if b else None', 'f 2/3', 'h 2/1'],
  // A class begins anew.
  [
    'def f(a):\n def g(b): return 1 if b else 2\n class A:\n  def m(self): return 1 if a else 2\n return 1 if a else 2',
    'f 2/4',
    'g 2/1',
    'A.m 2/1',
  ],
  ['def f():\n if a:\n  class A:\n   x = b if c else d', 'f 3/2'],
  ['class A:\n class B:\n  def m(self): pass\n def n(self): pass', 'A.B.m 1/0', 'A.n 1/0'],
  ['class A:\n x = a or b\n key = lambda self: self.a or self.b', 'A.key 2/1'],
  ['def f(): return map(lambda x: x if a else b, c)', 'f 1/2', '<lambda> 2/1'],
  ['f = lambda: (lambda: a or b)', 'f 1/1', '<lambda> 2/1'],
  // Defaults and decorators are evaluated where the function is made.
  ['def f():\n @d(a or b)\n def g(x=a if b else c): pass', 'f 3/2', 'g 1/0'],
];

test('what is a function, and how it is called', async () => {
  for (const [source, ...said] of sources) assert.deepEqual(await measured(`${source}\n`, 'python'), said, source);
});

test('parameters, self among them; where a function begins and ends', async () => {
  const source =
    'class A:\n  @d\n  def m(self, a: int, /, b=1, *c,\n    d, **e):\n    return lambda *, x: 1\n\ndef f(a, *, b): pass\n';
  assert.deepEqual(await measured(source, 'python', parametersOf), ['A.m 6', '<lambda> 1', 'f 2']);
  assert.deepEqual(await measured(source, 'python', linesOf), ['A.m 3-5', '<lambda> 5-5', 'f 7-7']);
});
