import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured, parametersOf } from './measured.ts';

/** Bodies of `func f(a, b, c bool, n int) { … }`, with what gocyclo 0.6 and gocognit 1.2 say: cyclomatic/cognitive. */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['', '1/0'],
  ['if a { }', '2/1'],
  ['if a { } else { }', '2/2'],
  ['if a { }; if b { }', '3/2'],
  ['if a { if b { } }', '3/3'],
  ['if a { } else { if b { } }', '3/3'],
  ['if a { } else if b { if c { } }', '4/4'],
  ['if a { if b { } else if c { if a { } } }', '5/7'],
  ['if a { } else if b { } else if c { } else { }', '4/4'],
  ['if x := a && b; x { }', '3/2'],
  ['if a && b && c && a { }', '5/2'],
  ['if a || b || c { }', '4/2'],
  ['if a && b && c || a || b && c { }', '7/4'],
  ['if a && !(b && c) { }', '4/3'],
  ['if a && (b && c) { }', '4/3'],
  ['return a && b && (c && a || b || c)', '6/3'],
  ['for i := 0; i < n && a; i++ { }', '3/2'],
  ['for range n { if a { } }', '3/3'],
  ['for _, v := range x { if v { } }', '3/3'],
  ['for { }', '2/1'],
  ['for a { for b { for c { } } }', '4/6'],
  ['switch n { case 1: case 2, 3: default: }', '3/1'],
  ['switch { case a && b: if c { } default: }', '4/4'],
  ['switch x := y.(type) { case int: case string: default: _ = x }', '3/1'],
  ['if a { switch n { case 1: } }', '3/3'],
  ['select { case <-x: case y <- 1: default: }', '3/1'],
  ['select { case <-x: select { case <-y: } }', '3/3'],
  ['out: for a { for b { if c { continue out } } ; break out }', '4/8'],
  ['for a { break; continue }; goto end; end:', '2/2'],
  ['g := func() { if a { } }; g()', '2/2'],
  ['if a { go func(x int) { for b { } }(1) }', '3/4'],
  ['defer func() { if r := recover(); r != nil { } }()', '2/2'],
];

test('what each construct adds to a function', async () => {
  for (const [body, said] of bodies) {
    const source = `package p\nfunc f(a, b, c bool, n int) {\n${body}\n}\n`;
    assert.deepEqual(await measured(source, 'go'), [`f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, ...said: string[]])[] = [
  ['func f(n int) int { if n < 2 { return n }; return f(n-1) + f(n-2) }', 'f 2/3 recursion 2'],
  ['func (s *S) f() { s.f(); f() }', 'S.f 1/0 recursion 1'],
  ['func (s S) f() {}; func (*P[K, V]) g() {}; func (Q) h() {}', 'S.f 1/0', 'P.g 1/0', 'Q.h 1/0'],
  ['func f[K comparable, V N](m map[K]V) (s V) { for range m { }; return }', 'f 2/1'],
  ['func outside(a int)'],
  ['type I interface { m(a int) bool }'],
  ['var f = func() { if a { } }', 'f 2/1'],
  ['var a, f = 1, once(func() { g(func() { for b { } }) })', 'f 2/2'],
  ['var t = map[string]func(){ "x": func() { if a && b { } }, y: nil }', 'x 3/2'],
  ['var c = &C{ Run: func() { func() { if a { } }() } }', 'Run 2/2'],
  ['var _ = a && b'],
  ['func f() { type t struct{}; var g = func() { if a { } }; g() }', 'f 2/2'],
];

test('what is a function, and how it is called', async () => {
  for (const [source, ...said] of sources)
    assert.deepEqual(await measured(`package p\n${source}\n`, 'go'), said, source);
});

test('parameters of one type count one by one', async () => {
  const source =
    'package p\nfunc (r R) f(a, b int, c ...string) {}\nfunc g(int, /* … */ func(int) string) {}\nfunc h() {}\n';
  assert.deepEqual(await measured(source, 'go', parametersOf), ['R.f 3', 'g 2', 'h 0']);
});
