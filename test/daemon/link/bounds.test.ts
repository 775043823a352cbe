import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

/** A bound tells of a type parameter's values what its argument does not: the argument where it is known, else the bound. */
const trees: Readonly<Record<string, string>> = {
  Java: `
    -- a/A.java --
    package a;
    import java.util.List;
    interface Sh { int area(); }
    interface Named { String name(); }
    class Sq implements Sh, Named { public int area() { return 1; } public String name() { return ""; } Sq twin() { return this; } }
    class Box<T extends Sh> {
      T v;
      T mk() { return v; }
      int inside() { return v.area(); }
                              ^ Sh#area().
      String text() { return v.toString(); }
                               ^ std java:java.lang.Object.toString
    }
    class Two<T extends Sh & Named> { T v; void inside() { v.name(); } }
                                                             ^ Named#name().
    class Sqs extends Box<Sq> { void inside() { mk().area(); } }
                                                     ^ Sq#area().
    class Mid<U extends Sh> extends Box<U> { }
    class Pair<A extends Sh, B extends Sh> { Box<B> boxed() { return null; } }
    class Nest<T extends Sh> implements Sh { T in; public int area() { return in.area(); } }
                                                                                 ^ Sh#area().
    class M {
      static <T extends Sh> T first(List<T> of) { return of.get(0); }
      <T extends Sh & Named> T both(T of) { return of; }
      void m(Box<Sq> b, Box raw, Box<?> any, Two<Sq> two, Mid<Sq> mid, Pair<Nest<Sq>, Sq> pair, List<Sq> list, Box<Nest<Sq>> nest) {
        b.v.area();
            ^ Sq#area().
        b.mk().area();
               ^ Sq#area().
        new Box<Sq>().v.area();
                        ^ Sq#area().
        raw.v.area();
              ^ Sh#area().
        any.v.area();
              ^ Sh#area().
        two.v.name();
              ^ Sq#name().
        mid.mk().twin().area();
                        ^ Sq#area().
        pair.boxed().v.area();
                       ^ Sq#area().
        nest.v.area();
               ^ Nest#area().
        nest.v.in.area();
                  ^ Sq#area().
        first(list).area();
                    ^ Sq#area().
        both(new Sq()).name();
                       ^ Sq#name().
      }
    }
  `,
  Kotlin: `
    -- a/A.kt --
    package a
    interface Sh { fun area(): Int }
    interface Named { fun name(): String }
    class Sq : Sh, Named { override fun area() = 1; override fun name() = ""; fun twin(): Sq = this }
    open class Box<T : Sh>(val v: T) {
      fun mk(): T = v
      fun inside() = v.area()
                       ^ Sh#area().
    }
    class Two<T>(val v: T) where T : Sh, T : Named { fun inside() = v.name() }
                                                                      ^ Named#name().
    open class Sqs : Box<Sq>(Sq()) { fun more() = mk().area() }
                                                       ^ Sq#area().
    open class Mid<U : Sh>(u: U) : Box<U>(u)
    class Nest<T : Sh>(val of: T) : Sh { override fun area() = of.area() }
                                                                  ^ Sh#area().
    fun <T : Sh> first(of: List<T>): T = of[0]
    fun <T> both(of: T): T where T : Sh, T : Named = of
    fun m(b: Box<Sq>, any: Box<*>, two: Two<Sq>, sqs: Sqs, mid: Mid<Sq>, list: List<Sq>, nest: Box<Nest<Sq>>) {
      b.v.area()
          ^ Sq#area().
      b.mk().area()
             ^ Sq#area().
      any.v.area()
            ^ Sh#area().
      two.v.name()
            ^ Sq#name().
      sqs.v.area()
            ^ Sq#area().
      mid.mk().twin().area()
                      ^ Sq#area().
      nest.v.of.area()
                ^ Sq#area().
      first(list).area()
                  ^ Sq#area().
      both(Sq()).name()
                 ^ Sq#name().
    }
  `,
  Rust: `
    -- Cargo.toml --
    [package]
    name = "x"
    -- src/lib.rs --
    pub trait Sh { fn area(&self) -> u8; }
    pub trait Named { fn name(&self) -> u8; }
    pub struct Sq;
    impl Sh for Sq { fn area(&self) -> u8 { 1 } }
    impl Named for Sq { fn name(&self) -> u8 { 1 } }
    pub struct Bx<T: Sh> { v: T }
    impl<T: Sh> Bx<T> {
      fn mk(&self) -> &T { &self.v }
      fn inside(&self) { self.v.area(); }
                                ^ Sh#area().
    }
    pub struct Two<T> where T: Sh + Named { v: T }
    impl<T: Sh> Sh for Bx<T> { fn area(&self) -> u8 { self.v.area() } }
                                                             ^ Sh#area().
    fn m(b: Bx<Sq>, two: &Two<Sq>, nest: Bx<Bx<Sq>>) {
      b.v.area();
          ^ Sq#\`impl Sh\`#area().
      b.mk().area();
             ^ Sq#\`impl Sh\`#area().
      two.v.name();
            ^ Sq#\`impl Named\`#name().
      nest.v.area();
             ^ Bx#\`impl Sh\`#area().
      nest.v.mk().area();
                  ^ Sq#\`impl Sh\`#area().
    }
  `,
  Dart: `
    -- pubspec.yaml --
    name: x
    -- lib/a.dart --
    abstract class Sh { double area(); }
    class Sq extends Sh { double area() => 1; String name() => ''; Sq twin() => this; }
    class Box<T extends Sh> {
      late T v;
      late List<T> all;
      T mk() => v;
      double inside() => v.area();
                           ^ Sh#area().
    }
    class Sqs extends Box<Sq> { double more() => mk().area(); }
                                                      ^ Sq#area().
    class Mid<U extends Sh> extends Box<U> {}
    mixin Mixin<T extends Sh> { late T held; double inside() => held.area(); }
                                                                     ^ Sh#area().
    class Mixed with Mixin<Sq> {}
    class Nest<T extends Sh> extends Sh { late T of; double area() => of.area(); }
                                                                         ^ Sh#area().
    T first<T extends Sh>(List<T> of) => of[0];
    void main(Box raw, Mid<Sq> mid, Mixed mixed, List<Sq> list, Box<Nest<Sq>> nest) {
      final b = Box<Sq>();
      b.v.area();
          ^ Sq#area().
      b.mk().area();
             ^ Sq#area().
      b.v.name();
          ^ Sq#name().
      b.all[0].area();
               ^ Sq#area().
      raw.v.area();
            ^ Sh#area().
      mid.mk().twin().area();
                      ^ Sq#area().
      mixed.held.area();
                 ^ Sq#area().
      nest.v.of.area();
                ^ Sq#area().
      first(list).area();
                  ^ Sq#area().
      first<Sq>(list).area();
                      ^ Sq#area().
    }
  `,
  'C#': `
    -- A.cs --
    using System.Collections.Generic;
    interface ISh { int area(); }
    interface INamed { string name(); }
    class Sq : ISh, INamed { public int area() { return 1; } public string name() { return ""; } }
    class Box<T> where T : ISh {
      public T V;
      public List<T> All;
      void Inside() { foreach (var one in All) one.area(); }
                                                   ^ ISh#area().
    }
    class Two<T> where T : ISh, INamed { public T V; void Inside() { V.name(); } }
                                                                       ^ INamed#name().
    class M {
      static T First<T>(List<T> of) where T : ISh { return of[0]; }
      static T Same<T>(T of) where T : ISh, INamed { of.name(); return of; }
                                                        ^ INamed#name().
      void m(Box<Sq> b, Two<Sq> two, List<Sq> list) {
        b.V.area();
            ^ Sq#area().
        two.V.name();
              ^ Sq#name().
        First(list).area();
                    ^ Sq#area().
        Same(new Sq()).name();
                       ^ Sq#name().
        Same<Sq>(new Sq()).area();
                           ^ Sq#area().
      }
    }
  `,
};

for (const [language, tree] of Object.entries(trees)) {
  test(`a type parameter's argument before its bounds: ${language}`, () => expectLinks(tree));
}
