import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, unindented } from '../../support/outline.ts';

/** Files that the grammar takes for something else, and the tails of what they define. */
const misread: readonly (readonly [what: string, text: string, tails: string])[] = [
  [
    'an annotated constant on the line below its annotation',
    `
    interface A

    /** doc */
    @Api
    const val ONE = 1

    @Api @Other("const val no")
    const val TWO: Int = 28
    @Api
    internal const val THREE = 3
    `,
    'A# ONE. TWO. THREE.',
  ],
  [
    'the constructor of a class within a class, on the line below it',
    `
    class B { fun two() = 2
      class Builder
      internal constructor(internal val name: String) { fun build(): B = B() }
      companion object { fun builder(n: String): Builder = Builder(n) } }
    class O { class N
      private constructor(val name: String) { fun p() {} }
      fun after() {} }
    `,
    'B# B#two(). B#Builder# B#Builder#name. B#Builder#build(). B#Companion# B#Companion#builder(String). ' +
      'O# O#N# O#N#name. O#N#p(). O#after().',
  ],
  [
    'comments, type parameters, annotations and modifiers between a class and its constructor',
    `
    class O {
      fun before() {}
      class A<
        T : Comparable<T>,
      > // why (not
      /* and how */
      @Inject
      @Named("// a", of = [Int::class])
      protected
      constructor(val a: T) : D(), E {
        fun inA() {}
      }
      class B
      (val b: Int) { fun inB() {} }
      class C
      @Inject(1) fun after() {}
      // Made by class Text
      constructor(x: Int)
    }
    `,
    'O# O#before(). O#A# O#A#a. O#A#inA(). O#B# O#B#b. O#B#inB(). O#C# O#after(). O#constructor(Int).',
  ],
  [
    'calls that might be accessors or modifiers',
    `
    class A(val p: P) {
      fun f() {
        val a by inject<A>()
        val b by inject()

        get("/all") { 1 }
        set("x", 1)
        p.get(a).set(b, 1)
      }
      fun g() = guard().apply { open(a) }
      fun h() = guard().apply { inner(
        a,
      ) { it } }
      var v: Int
        get() = 1
        set(value) {}
      fun i() = a[
        1,
      ]
    }
    fun <T> Pair<
      T,
      T,
    >.last(): T = first
    `,
    'A# A#p. A#f(). A#g(). A#h(). A#v. A#i(). last(Pair,+1).',
  ],
];

for (const [what, text, tails] of misread) {
  for (const ends of ['\n', '\r\n']) {
    test(`${what}, lines ending with ${JSON.stringify(ends)}`, async () => {
      const facts = await factsOf('a.kt', unindented(text).replaceAll('\n', ends));
      assert.equal(facts.definitions.map(one => one.tail).join(' '), tails);
      assert.equal(facts.parseErrors, 0);
    });
  }
}

test('annotated declarations of a file, whatever stands above them, between them and behind them', async () => {
  const marks = [
    '@A ',
    '@A(1) ',
    '@A @B ',
    '@A\n@B(f(")"))\n',
    '@A // why\n@B\n@p.C<Int>(\n  X::class, // (\n)\n',
    '@[A B]\n',
  ];
  const modifiers = ['', 'private ', 'expect ', 'actual abstract ', 'public actual '];
  const declared = ['class C', 'class C {\n  fun m() {}\n}', 'object C : D() {}', 'annotation class C(val x: Int)'];
  const above = ['\n', '\n/** Docs: http://x */\n', '\n// todo\n'];
  for (const mark of marks) {
    for (const modifier of modifiers) {
      for (const one of [
        ...declared,
        'fun C() {}',
        'val C = 1',
        'fun interface C {\n  fun m()\n}',
        'typealias C = D',
      ]) {
        for (const line of above) {
          for (const ends of ['\n', '\r\n']) {
            const source = `package p\n\nval before = 1\n${line}${mark}${modifier}${one}\n\nfun after() {}\n`;
            const facts = await factsOf('a.kt', source.replaceAll('\n', ends));
            const tops = facts.definitions.filter(definition => definition.container < 0).map(({ name }) => name);
            assert.deepEqual(tops, ['before', 'C', 'after'], source);
            const at = facts.references.filter(({ name }) => name === 'A').map(({ column }) => column);
            assert.deepEqual(at, [mark.startsWith('@[') ? 2 : 1], source);
          }
        }
      }
    }
  }
});

test('an annotated constant on the line below its annotation is a constant, as its text says', async () => {
  const { definitions } = await factsOf('a.kt', '@Api\nconst val ONE = 1\n\n@Api\nval two = 2\n');
  assert.deepEqual(
    definitions.map(({ name, kind, signature }) => [name, kind, signature]),
    [
      ['ONE', 'constant', '@Api const val ONE = 1'],
      ['two', 'variable', '@Api val two = 2'],
    ],
  );
});
