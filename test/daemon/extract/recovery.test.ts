import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';
import { factsOf, outline, unindented } from '../../support/outline.ts';

/** Files that can't be parsed as they are: path, text, and the tails of what must be found around the broken place. */
const broken: readonly (readonly [what: string, path: string, text: string, tails: string])[] = [
  [
    'a parameter list that is being typed',
    'a.ts',
    `
    export function before() {}
    export function typed( {
    export function after() {}
    export class Open { m() {}
    export function last() {}
    `,
    'before(). typed(). after(). Open# Open#m(). last().',
  ],
  [
    'a call that is being typed',
    'a.ts',
    `
    const x = foo(
    export function after() {}
    export class Whole { m() { this. } n() {} }
    `,
    'x. after(). Whole# Whole#m(). Whole#n().',
  ],
  [
    'the marks of a merge, with both sides',
    'a.ts',
    `
    class C {
      a() {}
    <<<<<<< HEAD
      b() { return 1; }
    =======
      c() { return 2; }
    >>>>>>> other
      d() {}
    }
    `,
    'C# C#a(). C#b(). C#c(). C#d().',
  ],
  [
    'a parameter list and a struct without an end',
    'a.go',
    `
    package main
    func before() {}
    func typed( {
    func after() {}
    type T struct { a int
    func last() {}
    `,
    'before(). after(). T# T#a. last().',
  ],
  [
    'an open bracket before other definitions',
    'a.py',
    `
    def before(): pass
    x = [1,
    def after(): pass
    class Q:
        def m(self): pass
    `,
    'before(). x. after(). Q# Q#m().',
  ],
  [
    'a brace too few halfway',
    'A.java',
    `
    class A {
      void typed() {
        if (x) {
          f();
      }
      void after() {}
      class In { void m() {} }
    }
    class B {}
    `,
    'A# A#typed(). A#after(). A#In# A#In#m(). B#',
  ],
  [
    'a brace too many',
    'A.java',
    `
    class A {
      void typed() {
      }
      }
      void after() {}
    }
    class B { void m() {} }
    `,
    'A# A#typed(). A#after(). B# B#m().',
  ],
  [
    'directives amid a declaration, whose pieces are all read',
    'a.cs',
    `
    namespace N {
    #if BINARY
      [Serializable]
    #endif
      public class A
    #if BINARY
        : B
    #endif
      {
        void m() {}
      }
    }
    `,
    'N/ N/A# N/A#m().',
  ],
  [
    'functions that a directive chooses between',
    'a.c',
    `
    #ifdef X
    int one(void) {
    #else
    int other(void) {
    #endif
      return 1; }
    int after(void) { return 0; }
    `,
    'one(). other(). after().',
  ],
  [
    'entries of an enumeration that have bodies',
    'a.kt',
    `
    enum class E { A { override fun f() = 1 }, B(2) { override fun f() = 2 }; abstract fun f(): Int }
    class After { fun m() { open = isOpen } }
    `,
    'E# E#A. E#A.f(). E#B. E#B.f(). E#f(). After# After#m().',
  ],
];

for (const [what, path, text, tails] of broken) {
  test(`${path}: ${what}`, async () => {
    const source = unindented(text);
    const facts = await factsOf(path, source);
    const found = outline(facts).split('\n');
    assert.equal(found.map(line => line.split(' ')[2]).join(' '), tails);
    assert.deepEqual(
      namesOf(facts, source),
      facts.definitions.map(one => one.name),
    );
  });
}

test('what cannot be read is said, and nothing of what can', async () => {
  assert.equal((await factsOf('a.ts', 'class C { m() {} }')).parseErrors, 0);
  assert.notEqual((await factsOf('a.ts', 'class C { m() {} ')).parseErrors, 0);
  assert.notEqual((await factsOf('a.py', '<<<<<<< a\nx = 1\n=======\nx = 2\n>>>>>>> b\n')).parseErrors, 0);
});

test('a block beyond the grammar costs that block alone', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => `  fun f${row}() { g { h${row}() } }`);
  const strange = '  fun strange() {\n    a ~~ ?? #### { b }\n    if (c) { d }\n  }';
  const source = [
    'class A {',
    ...rows.slice(0, 20),
    strange,
    ...rows.slice(20),
    '  class In { fun m() {} }',
    '}',
    '',
  ].join('\n');
  const facts = await factsOf('a.kt', source);
  const methods = facts.definitions.filter(one => /^A#f\d+\(\)\.$/.test(one.tail));
  assert.equal(methods.length, 40);
  assert.ok(facts.definitions.some(one => one.tail === 'A#In#m().'));
});

/** What stands in the source where definitions say that their names are. */
function namesOf(facts: DocumentFacts, source: string): readonly string[] {
  const lines = source.split('\n');
  return facts.definitions.map(({ nameRange: { startLine, startColumn, endColumn } }) =>
    lines[startLine]!.slice(startColumn, endColumn),
  );
}
