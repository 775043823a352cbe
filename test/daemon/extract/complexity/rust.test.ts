import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, measured, parametersOf } from './measured.ts';

/**
 * Bodies of `fn f(a: bool, b: bool, c: bool) { … }`. Cognitive as sonar-rust says, but for chains with `let`; cyclomatic by the
 * rule that all arms but `_` decide.
 */
const bodies: readonly (readonly [body: string, said: string])[] = [
  ['', '1/0'],
  ['if a { 1 } else { 2 }', '2/2'],
  ['if a { 1 } else if b { 2 }', '3/2'],
  ['if a { 1 } else if b { 2 } else { 3 }', '3/3'],
  ['if a { 1 } else { if b { 2 } }', '3/4'],
  ['if a { 1 } else if b { if c { 2 } else { 3 } }', '4/5'],
  ['if a { while b { if c { } } if b { } }', '5/8'],
  ['while a { if b { } else { } }', '3/4'],
  ['loop { if a { break; } }', '3/3'],
  ['for x in y { if a { } }', '3/3'],
  ['while let Some(x) = y.pop() { }', '2/1'],
  ['match x { "a" => 1, "b" | "c" => 2, _ => 3 }', '3/1'],
  ['match x { 1 => if a { } else { }, y if b && c => { }, _ if a => 1, _ => {} }', '6/5'],
  ["'o: for i in x { for j in y { if a { break; } if b { break 'o; } } }", '5/10'],
  ["'o: loop { loop { if a { continue; } if b { continue 'o; } } }", '5/10'],
  ["let v = 'x: { if a { break 'x 1; } 2 };", '2/2'],
  ['a && b && c', '3/1'],
  ['a || b && c || a', '4/3'],
  ['a && (b && c)', '3/2'],
  ['for x in 0..5 { if a && b || c { } }', '5/5'],
  ['if let Some(x) = y && a && let Some(z) = x { }', '4/2'],
  ['if a && b && let Some(x) = y && c { }', '5/2'],
  ['if a && let Some(x) = y && (b || c) { }', '5/3'],
  ['let Some(x) = y else { return };', '1/0'],
  ['g()?.h()?; x.unwrap_or(1)', '1/0'],
  ['assert!(a && b); matches!(x, A | B if c)', '1/0'],
  ['unsafe { if a { } } async { if b { } };', '3/2'],
];

test('what each construct adds to a function', async () => {
  for (const [body, said] of bodies) {
    assert.deepEqual(await measured(`fn f(a: bool, b: bool, c: bool) { ${body} }`, 'rust'), [`f ${said}`], body);
  }
});

const sources: readonly (readonly [source: string, ...said: string[]])[] = [
  ['fn f(n: u8) -> u8 { if n < 2 { n } else { f(n - 1) } }', 'f 2/2 recursion 1'],
  ['fn f() { if a { } fn g() { if b { } } if c { } }', 'f 3/4', 'g 2/1'],
  ['fn f() { if a { fn g() { if b { } else { } } if c { } } else { return } }', 'f 3/8', 'g 2/2'],
  ['fn f() { if a { } x.map(|y, z| { if y { } }); if b { } }', 'f 3/4', '<anonymous> 2/1'],
  ['fn f() { let g = |x| x && y; let h = move || async move { if a { } }; }', 'f 1/3', 'g 2/1', 'h 2/1'],
  ['impl<T> A<T> { fn m(&self) { self.m() } fn new() {} }', 'A.m 1/0 recursion 1', 'A.new 1/0'],
  [
    "impl fmt::Debug for &'a x::B { fn fmt(&self) {} } impl A for [u8; 2] { fn n() {} }",
    "&'a x::B.fmt 1/0",
    '[u8; 2].n 1/0',
  ],
  ['trait T { fn a(&self); fn b(&self) { if x { } } }', 'T.b 2/1'],
  ['mod m { pub fn f() {} } extern "C" { fn g(); }', 'f 1/0'],
  ['static X: L<u8> = L::new(|| if a { 1 } else { 2 });', '<anonymous> 2/2'],
  ['fn f() { struct S; impl S { fn m(&self) { if a { } } } }', 'f 1/2', 'S.m 2/1'],
];

test('what is a function, and how it is called', async () => {
  for (const [source, ...said] of sources) assert.deepEqual(await measured(source, 'rust'), said, source);
});

test('parameters, self among them; where a function begins and ends', async () => {
  const source =
    '/// …\n#[inline]\npub fn f(&mut self, (a, b): (u8, u8), #[x] c: u8) {\n  |x: u8, _| 1;\n}\nfn g() {}\n';
  assert.deepEqual(await measured(source, 'rust', parametersOf), ['f 3', '<anonymous> 2', 'g 0']);
  assert.deepEqual(await measured(source, 'rust', linesOf), ['f 3-5', '<anonymous> 4-4', 'g 6-6']);
});
