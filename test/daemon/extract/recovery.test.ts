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
    'annotations above classes, and between a class and its constructor',
    'b.kt',
    `
    package a.b

    import x.Y

    @Target(AnnotationTarget.CLASS)
    @Retention(AnnotationRetention.RUNTIME)
    annotation class Mark

    annotation class Plain

    /** Docs. */
    @Flaky // why
    @Timeout(30)
    @Tag("Slow")
    open class Tests {
      fun inT() = 1
    }

    class C
      @Suppress("x")
      internal constructor() : D() {
      fun inC() = 1
    }
    `,
    'Mark# Plain# Tests# Tests#inT(). C# C#inC().',
  ],
  [
    'macros glued to strings in a switch',
    'b.c',
    `
    #define Q(x) "'" x "'"
    static void bad(int k) {
      switch (k) {
        case 1: err("a"); break;
        default: err(Q("=") " or " Q("in") " expected");
      }
    }
    static void after1(void) { bad(1); }
    int after2(void) { after1(); return 0; }
    `,
    'static/Q! static/bad(). static/after1(). after2().',
  ],
  [
    'macros that stand where the grammar expects none',
    'c.c',
    `
    GEN_GETTER(config_a, const char *)
    GEN_GETTER(config_b,
        config_c, uint64_t)
    rb_gen(static UNUSED, tree_, tree_t,
        node_t, link, compare)
    static const node_t nodes[] = {
    #define OP(mtx) {NAME(#mtx), CHILD(mtx)},
    ALL_MUTEXES
    #undef OP
      {NAME("last")}
    };
    API_EXPORT API_RETURNS
    void API_NOTHROW *
    API_ATTR(nonnull(1)) API_SIZE(1)
    taken(size_t size) { return 0; }
    API_FUNC int (lua_like) (state *s);
    hook_t *TEST_MUTABLE hook = hook_impl;
    static atomic size_t count = 0;
    #define LONG(x) do { /* first */ \\
      x; /* second */ \\
    } while (0)
    int last(void) { return 1; }
    `,
    'static/nodes. taken(). lua_like(). hook. static/count. static/LONG! last().',
  ],
  [
    'words in capitals around what declares a variable',
    'c.h',
    `
    MODULE_API int (*Module_Create)(ctx *c, const char *name, int (*f)(int)) MODULE_ATTR;
    MODULE_API mstime_t (*Module_Now)(void) MODULE_ATTR;
    MODULE_API void (*Module_Log)(ctx *c,
        const char *fmt, ...) MODULE_ATTR MODULE_PRINTF(2, 3);
    DATA_I const value_t nil_object;
    extern int plain A_ATTR;
    const char *text A_ATTR(4) = "x";
    struct pair both[2] A_ATTR_ALIGN(64);
    struct s { int f A_ATTR; int (*m)(int) A_ATTR; };
    typedef int kind_t;
    static struct pair THE_PAIR;
    unsigned long MAX_SIZE = 3;
    const kind_t MAX_KIND = 1;
    int f(void) { return (int) MAX_SIZE; }
    `,
    'Module_Create. Module_Now. Module_Log. nil_object. plain. text. both. s# s#f. s#m. kind_t# static/THE_PAIR. ' +
      'MAX_SIZE. MAX_KIND. f().',
  ],
  [
    'words in capitals that decorate templates and members',
    'a.cpp',
    `
    #include "store.h"
    TEST(first, of_file) { run(); }
    namespace d {
    EXPORT template <typename C> class store {
     private:
      int x_;
     public:
      D_CONSTEXPR D_INLINE store(int x D_BUILTIN) : x_(x) {}
      template <typename T, D_ENABLE_IF(sizeof(T) < 4 && !is<T>())>
      D_CONSTEXPR auto push(T v) -> bool {
        D_TRY { x_ = v; }
        D_CATCH(...) {}
      }
    };
    D_DEFAULT_FOR_(unsigned short, 0U);
    D_NORETURN D_API void fail(int code);
    template <> class D_API_ matcher<int> : public base<int> { void m(); };
    void last() {}
    }
    `,
    'TEST(first,of_file). d/ d/static/store# d/static/store#x_. d/static/store#store(int). d/static/store#push(T). ' +
      'd/fail(int). d/static/`matcher<int>`# d/static/`matcher<int>`#m(). d/last().',
  ],
  [
    'branches that directives choose',
    'b.cs',
    `
    namespace N {
    public class Reader {
        public void M(int a) {
            switch (a) {
                default:
                    if (a != 0) {
                        int x;
                        if (a == 1) { x = 1; }
    #if FEATURE
                        else if (a == 2) { x = 2; }
    #endif
                        else { x = 3; }
                        if (x == 1) {
                            if (int.TryParse("", out int dt)) { return; }
                        }
    #if FEATURE
                        else {
                            if (int.TryParse("", out int dt)) { return; }
                        }
    #endif
                    }
                    break;
            }
        }
        public void After() {}
        public int P { get; }
    }
    }
    `,
    'N/ N/Reader# N/Reader#M(int). N/Reader#After(). N/Reader#P.',
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
