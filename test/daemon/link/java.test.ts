import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'packages over source sets and modules, imports single, nested, static and wholesale, what is not ours',
    `
    -- core/src/main/java/com/acme/Base.java --
    package com.acme;
    public abstract class Base {
      public static final int LIMIT = 1;
      public static class Inner { public static int made; }
      public static Base of(int n) { return null; }
      protected String label;
      public Base next() { return this; }
    }
    -- core/src/test/java/com/acme/BaseTest.java --
    package com.acme;
    import java.util.List;
    class BaseTest extends Base {
                           ^ java:core/src/main/java/com/acme#com.acme Base#
      List<Base> all;
      ^ std java:java.util.List
      void run() {
        label.trim();
        ^ java:core/src/main/java/com/acme#com.acme Base#label.
              ^ std java:java.lang.String.trim
        for (Base one : all) one.next();
                                 ^ java:core/src/main/java/com/acme#com.acme Base#next().
        all.get(0).next().next();
                          ^ java:core/src/main/java/com/acme#com.acme Base#next().
        Missing m;
        ^ ?
      }
    }
    -- app/src/main/java/com/app/Use.java --
    package com.app;
    import com.acme.Base;
                    ^ java:core/src/main/java/com/acme#com.acme Base#
    import com.acme.Base.Inner;
                    ^ java:core/src/main/java/com/acme#com.acme Base#
                         ^ java:core/src/main/java/com/acme#com.acme Base#Inner#
    import static com.acme.Base.LIMIT;
                                ^ java:core/src/main/java/com/acme#com.acme Base#LIMIT.
    import static com.acme.Base.*;
    import org.junit.Test;
                     ^ maven org.junit:Test
    class Use {
      @Test
       ^ maven org.junit:Test
      int n = LIMIT + Inner.made + Base.Inner.made;
              ^ java:core/src/main/java/com/acme#com.acme Base#LIMIT.
                            ^ java:core/src/main/java/com/acme#com.acme Base#Inner#made.
                                        ^ java:core/src/main/java/com/acme#com.acme Base#Inner#
      Base made = of(2);
                  ^ java:core/src/main/java/com/acme#com.acme Base#of(int).
      String text = "a".trim();
                        ^ std java:java.lang.String.trim
    }
    `,
  ],
  [
    'members: inherited, hidden by locals, of outer and nameless classes, of generic bases and of interfaces',
    `
    -- p/Box.java --
    package p;
    import java.util.*;
    interface Named { String name(); default void greet() {} }
    class Animal implements Named {
      int age;
      public String name() { return null; }
      Animal self() { return this; }
    }
    class Holder<T> {
      T held;
      T get() { return held; }
             ^ -
      List<T> all;
      Map<String, T> byName;
    }
    class AnimalHolder extends Holder<Animal> {
      void use(int age) {
        get().age = age;
        ^ Holder#get().
              ^ Animal#age.
                    ^ -
        this.held.greet();
             ^ Holder#held.
                  ^ Named#greet().
        super.get().self().self();
              ^ Holder#get().
                    ^ Animal#self().
        byName.values().iterator().next().self();
                                          ^ Animal#self().
        for (Map.Entry<String, Animal> e : byName.entrySet()) e.getValue().self();
                                                                           ^ Animal#self().
        new Animal() {
            ^ Animal#
          int extra;
          void run() { extra++; age++; self(); held.self(); }
                       ^ AnimalHolder#use(int).\`new Animal\`#extra.
                                       ^ Animal#self().
                                               ^ Holder#held.
        };
      }
      class Part {
        void go() { use(1); AnimalHolder.this.use(2); }
                    ^ AnimalHolder#use(int).
                                              ^ AnimalHolder#use(int).
      }
      static <A extends Animal> void each(List<A> list, Runnable r) {
        list.forEach(one -> one.self());
                                ^ Animal#self().
        var first = list.get(0);
        first.self();
              ^ Animal#self().
        Object o = first;
        if (o instanceof Animal a && a.age > 0) a.self();
                                       ^ Animal#age.
        ((Animal) o).self();
                     ^ Animal#self().
        o.toString();
          ^ std java:java.lang.Object.toString
      }
    }
    `,
  ],
  [
    'overloads by count and type, also those of bases; the rest is said to be unsure',
    `
    -- p/Out.java --
    package p;
    class Base { void put(String s, int n) {} void all(Object... many) {} }
    class Out extends Base {
      void put(int n) {}
      void put(long n) {}
      void put(String s) {}
      void put(Base b) {}
      void put(Runnable r, Class<?> type) {}
      void put(char[] chars) {}
      static <T> T make(Class<T> type) { return null; }
      void use(Out other, Object o) {
        put(1);
        ^ Out#put(int).
        put(1L);
        ^ Out#put(long).
        put("a" + 1);
        ^ Out#put(String).
        put(other);
        ^ Out#put(Base).
        put("a", 1);
        ^ Base#put(String,int).
        put(() -> {}, Out.class);
        ^ Out#put(Runnable,Class).
        put(new char[2]);
        ^ Out#put(char[]).
        put("a".concat("b").length());
        ^ Out#put(int).
        put("a".chars().max());
        ^ ?
        all(1, 2, 3);
        ^ Base#all(Object[]).
        make(Out.class).put(other);
                        ^ Out#put(Base).
      }
    }
    `,
  ],
  [
    'of functions that overload each other none is taken where nothing tells which; arithmetic gives the wider number',
    `
    -- p/Un.java --
    package p;
    class Un {
      static void ov(Object o) {}
      static void ov(int n) {}
      static void ov(double d) {}
      void use(java.util.List<String> l, int n, float f) {
        l.forEach(x -> ov(x));
                       ^ ?
        ov(missing()); ov(n * 2.0); ov('c' + 1); ov(f + n);
        ^ ?
                       ^ Un#ov(double).
                                    ^ Un#ov(int).
                                                 ^ Un#ov(double).
      }
    }
    `,
  ],
  [
    'enums in switches, records, annotations, fields and methods of one name, functional interfaces, method references',
    `
    -- p/Kinds.java --
    package p;
    enum Kind { ONE, TWO { int cost() { return 2; } }; int cost() { return 1; } static Kind first() { return ONE; } }
                                                                                                             ^ Kind#ONE.
    record Point(int x, Kind kind) { int twice() { return x * 2; } }
                                                          ^ Point#x.
    @interface Tag { String value(); int level() default 0; }
    interface Visitor<R> { R visit(Point p, Kind k); }
    class Uses {
      int size;
      int size() { return size; }
                          ^ Uses#size.
      @Tag(value = "a", level = 1)
       ^ Tag#
           ^ Tag#value().
      int cost(Kind kind, Point point) {
        switch (kind) {
          case ONE: return size();
               ^ Kind#ONE.
                           ^ Uses#size().
          default: break;
        }
        point.kind().cost();
              ^ Point#kind.
                     ^ Kind#cost().
        accept((p, k) -> p.x() + k.cost());
                           ^ Point#x.
                                   ^ Kind#cost().
        Runnable r = this::size;
                           ^ Uses#size().
        for (Kind one : Kind.values()) one.cost();
                                           ^ Kind#cost().
        return Kind.first().cost();
                    ^ Kind#first().
                            ^ Kind#cost().
      }
      <R> void accept(Visitor<R> visitor) { visitor.visit(null, null); }
                                                    ^ Visitor#visit(Point,Kind).
    }
    `,
  ],
  [
    'a constructor calls another of its class, or one of what the class extends, but no interface',
    `
    -- Base.java --
    class Base<T> { Base(T a) {} Base(T a, int n) {} class Inner {} }
    interface Shape {}
    -- Box.java --
    import java.io.IOException;
    class Box extends Base<String> implements Shape {
      Box(String a) { super(a.trim()); }
                      ^ Base#Base(T).
                              ^ std java:java.lang.String.trim
      Box() { this(""); }
              ^ Box#Box(String).
      static class Nested extends IOException { Nested(String a) { super(a); } Nested() { this("x"); } }
                                                                   ^ std java:java.io.IOException
                                                                                          ^ Box#Nested#Nested(String).
    }
    class Flat implements Shape { Flat() { super(); } }
                                           ^ -
    class Other extends Base.Inner { Other(Base<Box> of) { of.super(); } }
                                                              ^ Base#Inner#
    record Pair(int a, int b) { Pair(int a) { this(a, a); } }
                                              ^ Pair#
    `,
  ],
];

for (const [name, tree] of cases) test(name, () => expectLinks(tree));
