import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, leadsOn } from './tree-history.ts';

const total = `def total(values, rate, floor):
    result = 0
    for value in values:
        result += value * rate
    return max(result, floor)
`;
const box = `class Box:
    def __init__(self, size):
        self.size = size

    def twice(self, other):
        if other is None:
            return self.size * 2
        return (self.size + other.size) * 2

    def half(self):
        return self.size / 2
`;
const rest = 'def rest(): pass\n';

test('a function that moved to another file is known again in whatever order the files were written', async () => {
  const [before, both, after] = [
    { 'm.py': `${rest}${total}`, 'n.py': 'x = 1\n' },
    { 'm.py': `${rest}${total}`, 'n.py': `x = 1\n\n${total}` },
    { 'm.py': rest, 'n.py': `x = 1\n\n${total}` },
  ];
  const neither = { 'm.py': rest, 'n.py': 'x = 1\n' };
  const moved = ['m.py total(). → n.py total().'];
  assert.deepEqual(await leadsOn(before, after), moved, 'at once');
  assert.deepEqual(await leadsOn(before, both, after), moved, 'the copy first');
  assert.deepEqual(await leadsOn(before, neither, after), moved, 'the deletion first');
});

test('a class takes its members along, also those that say little or something else now', async () => {
  const before = { 'm.py': `${rest}${box}`, 'n.py': 'x = 1\n' };
  const members = ['', '__init__().', 'half().', 'size.', 'twice().'].map(
    member => `m.py Box#${member} → n.py Box#${member}`,
  );
  assert.deepEqual(await leadsOn(before, { 'm.py': rest, 'n.py': box }), members);
  const edited = box.replace('size / 2', 'size / 2 or 1');
  assert.deepEqual(await leadsOn(before, { 'm.py': rest, 'n.py': edited }), members);
});

test('a move that is not clear is none: a copy of what stays, two targets, another body, a place that was there', async () => {
  const before: Files = { 'm.py': `${rest}${total}`, 'n.py': 'x = 1\n' };
  const none = async (...states: readonly Files[]) => assert.deepEqual(await leadsOn(...states), []);
  await none(before, { ...before, 'n.py': total });
  await none(before, { 'm.py': rest, 'n.py': total, 'o.py': total });
  await none(before, { 'm.py': rest, 'n.py': total.replace('max', 'min') });
  // The one that is there now is a copy of another that stays, as far as anyone can tell.
  await none({ ...before, 'k.py': total }, { 'm.py': rest, 'n.py': total, 'k.py': total });
  await none({ ...before, 'n.py': total }, { 'm.py': rest, 'n.py': total });
  // A method is part of its class.
  const inTwo = (first: string, second: string) => ({ 'm.py': `class A:\n${first}`, 'n.py': `class A:\n${second}` });
  const method = '    def go(self, x): return x + x * x - x\n';
  await none(inTwo(`    y = 1\n${method}`, '    z = 1\n'), inTwo('    y = 1\n', `    z = 1\n${method}`));
  // Either it moved or it was renamed where it was.
  await none(before, { 'm.py': rest + total.replace('def total', 'def whole'), 'n.py': total });
});

test('a file that was renamed with edits takes all along that has its name still', async () => {
  const source = `${total}\n\n${box}\n\n${rest}`;
  const edits: readonly ((text: string) => string)[] = [
    text => `${text}# appended\n`,
    text => text.replace('max(', 'min(').replace('size / 2', 'size / 3'),
  ];
  const tails = ['Box#', 'Box#__init__().', 'Box#half().', 'Box#size.', 'Box#twice().', 'rest().', 'total().'];
  for (const edit of edits) {
    const found = await leadsOn({ 'm.py': source }, { 'p.py': edit(source) });
    assert.deepEqual(
      found,
      tails.map(tail => `m.py ${tail} → p.py ${tail}`),
    );
  }
  const other = await leadsOn({ 'm.py': source }, { 'p.py': edits[1]!(source).replace('def rest', 'def others') });
  assert.equal(other.length, tails.length - 1, 'what was renamed at once is not known again');
  assert.deepEqual(await leadsOn({ 'm.py': source }, { 'p.py': 'def rest(): pass\n' }), [], 'another file');
  const [one, two] = [`${source}# one\n`, `${source}# two\n`];
  assert.deepEqual(await leadsOn({ 'm.py': source }, { 'p.py': one, 'q.py': two }), [], 'two that may be it');
});

test('of files that are much alike each is known by what sets it apart', async () => {
  const page = (name: string) => `def main(arguments):
    options = read_options(arguments, strict=True)
    show("${name}", size=${name.length})
    order("${name}", by="price of ${name}", count=10)
    link("${name}", "${name}.html", "${name}.css")
    write_footer(options, arguments)
    return 0
`;
  const before = { 'a.py': page('apples'), 'b.py': page('bananas') };
  const after = { 'c.py': `${page('apples')}x = 1\n`, 'd.py': page('bananas').replace('size', 'length') };
  assert.deepEqual(await leadsOn(before, after), ['a.py main(). → c.py main().', 'b.py main(). → d.py main().']);
});

const moves: Readonly<Record<string, readonly [before: Files, after: Files, moved: readonly string[]]>> = {
  typescript: [
    { 'm.ts': 'function f(a: number, b: number) { return a * b + a - b; }\nexport const x = 1;', 'n.ts': 'export {};' },
    { 'm.ts': 'export const x = 1;', 'n.ts': 'export function f(a: number, b: number) { return a * b + a - b; }' },
    ['m.ts f(). → n.ts f().'],
  ],
  javascript: [
    { 'm.js': 'class C { f(a, b) { return a * b + a - b } g() {} }', 'n.js': '' },
    { 'm.js': '', 'n.js': 'export class C { f(a, b) { return a * b + a - b } g() {} }' },
    ['m.js C# → n.js C#', 'm.js C#f(). → n.js C#f().', 'm.js C#g(). → n.js C#g().'],
  ],
  go: [
    {
      'a/m.go': 'package a\ntype T struct{}\nfunc (t T) M(a, b int) int { return a*b + a - b }\nfunc (t T) N() {}\n',
      'b/n.go': 'package b\n',
    },
    {
      'a/m.go': 'package a\n',
      'b/n.go': 'package b\ntype T struct{}\nfunc (t T) M(a, b int) int { return a*b + a - b }\nfunc (t T) N() {}\n',
    },
    ['a/m.go T# → b/n.go T#', 'a/m.go T#M(). → b/n.go T#M().', 'a/m.go T#N(). → b/n.go T#N().'],
  ],
  java: [
    { 'p/C.java': 'package p;\nclass C { int f(int a, int b) { return a * b + a - b; } int g() { return 1; } }\n' },
    { 'q/C.java': 'package q;\nclass C { int f(int a, int b) { return a * b + a - b; } int g() { return 2; } }\n' },
    [
      'p/C.java C# → q/C.java C#',
      'p/C.java C#f(int,int). → q/C.java C#f(int,int).',
      'p/C.java C#g(). → q/C.java C#g().',
    ],
  ],
  kotlin: [
    { 'p/m.kt': 'package p\nprivate fun f(a: Int, b: Int) = listOf(a, b).sum() * a\n', 'q/n.kt': 'package q\n' },
    { 'p/m.kt': 'package p\n', 'q/n.kt': 'package q\ninternal fun f(a: Int, b: Int) = listOf(a, b).sum() * a\n' },
    ['p/m.kt f(Int,Int). → q/n.kt f(Int,Int).'],
  ],
  rust: [
    {
      'm.rs': 'struct S { a: i32 }\nimpl S { fn f(&self, b: i32) -> i32 { self.a * b + self.a - b } }\n',
      'n.rs': '',
    },
    {
      'm.rs': '',
      'n.rs': 'pub struct S { a: i32 }\nimpl S { pub fn f(&self, b: i32) -> i32 { self.a * b + self.a - b } }\n',
    },
    ['m.rs S# → n.rs S#', 'm.rs S#a. → n.rs S#a.', 'm.rs S#f(). → n.rs S#f().'],
  ],
  'rust, a module in the file to one of its own': [
    { 'm.rs': 'mod deep { fn f(a: i32, b: i32) -> i32 { a * b + a - b } }\n' },
    { 'm.rs': 'mod deep;\n', 'deep.rs': 'pub fn f(a: i32, b: i32) -> i32 { a * b + a - b }\n' },
    ['m.rs deep/f(). → deep.rs f().'],
  ],
  csharp: [
    {
      'C.cs':
        'namespace A.B;\npublic class C { public int F(int a, int b) { return a * b + a - b; } int G() { return 1; } }\n',
    },
    {
      'C.cs':
        'namespace A.Z;\npublic class C { public int F(int a, int b) { return a * b + a - b; } int G() { return 1; } }\n',
    },
    [
      'C.cs A/B/C# → C.cs A/Z/C#',
      'C.cs A/B/C#F(int,int). → C.cs A/Z/C#F(int,int).',
      'C.cs A/B/C#G(). → C.cs A/Z/C#G().',
    ],
  ],
  php: [
    {
      'src/Foo/C.php':
        '<?php\nnamespace App\\Foo;\nclass C { function f($a, $b) { return $a * $b + $a - $b; } function g() {} }\n',
    },
    {
      'src/Bar/C.php':
        '<?php\nnamespace App\\Bar;\nclass C { function f($a, $b) { return $a * $b + $a - $b; } function g() { return 1; } }\n',
    },
    [
      'src/Foo/C.php App/Foo/C# → src/Bar/C.php App/Bar/C#',
      'src/Foo/C.php App/Foo/C#f(). → src/Bar/C.php App/Bar/C#f().',
      'src/Foo/C.php App/Foo/C#g(). → src/Bar/C.php App/Bar/C#g().',
    ],
  ],
  ruby: [
    {
      'm.rb':
        'module A\n  class C\n    def f(a, b)\n      a * b + a - b * (a + b)\n    end\n  end\n  class D; end\nend\n',
    },
    {
      'm.rb':
        'module A\n  class D; end\nend\nmodule B\n  class C\n    def f(a, b)\n      a * b + a - b * (a + b)\n    end\n  end\nend\n',
    },
    ['m.rb A#C# → m.rb B#C#', 'm.rb A#C#f(). → m.rb B#C#f().'],
  ],
  c: [
    { 'm.c': 'static int f(int a, int b) { return a * b + a - b; }\nint x;\n', 'n.c': 'int y;\n' },
    { 'm.c': 'int x;\n', 'n.c': 'int y;\nstatic int f(int a, int b) { return a * b + a - b; }\n' },
    ['m.c static/f(). → n.c static/f().'],
  ],
  'c++': [
    { 'm.h': 'namespace a { class C { public: int f(int a, int b) { return a * b + a - b; } int g(); }; }\n' },
    { 'm.h': 'namespace b { class C { public: int f(int a, int b) { return a * b + a - b; } int g(); }; }\n' },
    [
      'm.h a/ → m.h b/',
      'm.h a/C# → m.h b/C#',
      'm.h a/C#f(int,int). → m.h b/C#f(int,int).',
      'm.h a/C#g(). → m.h b/C#g().',
    ],
  ],
  dart: [
    { 'm.dart': 'int f(int a, int b) { return a * b + a - b; }\n', 'n.dart': 'int y = 1;\n' },
    { 'm.dart': '', 'n.dart': 'int y = 1;\nint f(int a, int b) { return a * b + a - b; }\n' },
    ['m.dart f(). → n.dart f().'],
  ],
};

for (const [language, [before, after, moved]] of Object.entries(moves)) {
  test(`a move is known in ${language}`, async () => assert.deepEqual(await leadsOn(before, after), moved));
}
