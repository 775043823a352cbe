import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

/** Members of what has no name: tails differ, and stay as they are when other code is edited. */
const cases: readonly (readonly [
  path: string,
  text: string,
  edited: string,
  name: string,
  tails: readonly string[],
])[] = [
  [
    'X.java',
    'class X { void m() {\n Runnable a = new Runnable() { public void run() {} };\n f(new Runnable() { public void run() {} });\n} }',
    'class X { int k; void m() {\n g(); Runnable a = new Runnable() { public void run() {} };\n int i; f(new Runnable() { public void run() {} });\n} }',
    'run',
    ['X#m().`a new Runnable`#run().', 'X#m().`f new Runnable`#run().'],
  ],
  [
    'x.kt',
    'object A {\n val a = Box(codec = object : Codec<Int> { override fun dec() {} })\n val b = object : Codec<Int> { override fun dec() {} }\n}',
    'object A {\n val z = 1\n val a = Box(codec = object : Codec<Int> { override fun dec() {} })\n fun f() = 2\n val b = object : Codec<Int> { override fun dec() {} }\n}',
    'dec',
    ['A#`a Box codec new Codec`#dec().', 'A#`b new Codec`#dec().'],
  ],
  [
    'a.php',
    '<?php\n$x = new class extends B { function q() {} };\nf(new class { function q() {} });\nf(new class { function q() {} });',
    '<?php\nclass B {}\n$x = new class extends B { function q() {} };\ng(); f(new class { function q() {} });\nf(new class { function q() {} });',
    'q',
    ['`$x new B`#q().', '`f new class`#q().', '`f new class +1`#q().'],
  ],
];

for (const [path, text, edited, name, expected] of cases) {
  test(`${path}: members of siblings without a name are told apart`, async () => {
    for (const source of [text, edited]) {
      const { definitions } = await factsOf(path, source);
      assert.deepEqual(
        definitions.filter(one => one.name === name).map(one => one.tail),
        expected,
      );
    }
  });
}
