import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const main = 'kotlin:lib/src/main/kotlin/com/acme#com.acme';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'packages over source sets and languages, imports with aliases and wholesale, extensions, companions, objects',
    `
    -- lib/src/main/kotlin/com/acme/Base.kt --
    package com.acme
    import kotlin.time.Duration
                       ^ std kotlin:kotlin.time.Duration
    open class Base(val label: String, count: Int) {
      var size: Int = count
      fun next(): Base = this
      fun named(name: String) = apply { size = name.length }
      companion object {
        const val LIMIT = 1
        fun make(): Base = Base("", 1)
        fun String.toBase(): Base = Base(this, LIMIT)
                                               ^ Base#Companion#LIMIT.
      }
      object Nested { val inner = 1 }
    }
    fun Base.doubled(): Base = this.next()
                                    ^ Base#next().
    val Base.half: Int get() = size / 2
                               ^ Base#size.
    fun top(n: Int, text: String = ""): Base = Base.make()
    fun top(base: Base): Base = base
    -- lib/src/test/kotlin/com/acme/BaseTest.kt --
    package com.acme
    class BaseTest : Base("", 1) {
                     ^ ${main} Base#
      fun run() {
        label.trim()
        ^ ${main} Base#label.
        next().doubled().half
        ^ ${main} Base#next().
               ^ ${main} doubled(Base).
                         ^ ${main} \`Base.half\`.
        top(1).named("a").next()
        ^ ${main} top(Int,String).
               ^ ${main} Base#named(String).
                          ^ ${main} Base#next().
        top(make()).size = 2
        ^ ${main} top(Base).
            ^ ${main} Base#Companion#make().
                    ^ ${main} Base#size.
        Missing()
        ^ ?
      }
    }
    -- app/src/main/kotlin/com/app/Use.kt --
    package com.app
    import com.acme.Base as Root
                    ^ ${main} Base#
    import com.acme.Base.Companion.toBase
                                   ^ ${main} Base#Companion#toBase(String).
    import com.acme.*
    import org.junit.Test
                     ^ maven org.junit:Test
    class Use(private val root: Root) {
                                ^ ${main} Base#
      fun go(other: Base?) {
        "a".toBase().doubled()
            ^ ${main} Base#Companion#toBase(String).
                     ^ ${main} doubled(Base).
        Root.LIMIT + Base.Nested.inner
             ^ ${main} Base#Companion#LIMIT.
                                 ^ ${main} Base#Nested#inner.
        other?.next()!!.label
               ^ ${main} Base#next().
                        ^ ${main} Base#label.
        root.half
             ^ ${main} \`Base.half\`.
      }
    }
    -- app/src/main/java/com/app/Old.java --
    package com.app;
    import com.acme.Base;
    class Old {
      String title;
      public int getCount() { return 1; }
      void use(Base base) {
        base.getLabel();
             ^ ${main} Base#label.
        Base.Companion.make();
                       ^ ${main} Base#Companion#make().
      }
    }
    -- app/src/main/kotlin/com/app/Mixed.kt --
    package com.app
    fun mixed(old: Old) = old.count
                              ^ java:app/src/main/java/com/app#com.app Old#getCount().
    `,
  ],
  [
    'what Java sees of a file, by its own name or the one that it says, of a companion, of an object',
    `
    -- lib/src/main/kotlin/com/acme/Base.kt --
    @file:JvmName("Bases")
    package com.acme
    class Base(@JvmField val raw: Int) {
      companion object {
        const val LIMIT = 1
        @JvmStatic fun make() = 2
      }
    }
    object Single {
      @JvmStatic fun go() {}
    }
    private fun hidden() {}
    fun Base.twice(): Int = 1
    fun String.twice(): Int = 1
    val width = 1
    -- lib/src/main/kotlin/com/acme/more-text.kt --
    package com.acme
    fun Any.twice(): Int = 1
    fun wrap(base: Base) {}
    -- lib/src/main/java/com/acme/Near.java --
    package com.acme;
    class Near {
      void twice() {}
      void wrap() {}
      void go(Base base) {
        Bases.twice(base);
        ^ elsewhere
              ^ ${main} twice(Base).
        Bases.twice("a");
              ^ ${main} twice(String).
        Bases.getWidth();
              ^ ${main} width.
        More_textKt.twice(base);
                    ^ ${main} twice(Any).
        More_textKt.wrap(null);
                    ^ ${main} wrap(Base).
        MoreTextKt.wrap(null);
                   ^ ?
        BaseKt.Missing.wrap();
                       ^ ?
        Base.make(); Base.Companion.make(); Single.go();
             ^ ${main} Base#Companion#make().
                                    ^ ${main} Base#Companion#make().
                                                   ^ ${main} Single#go().
        int sum = base.raw + Base.LIMIT;
                       ^ ${main} Base#raw.
                                  ^ ${main} Base#Companion#LIMIT.
      }
    }
    -- app/src/main/java/com/app/Far.java --
    package com.app;
    import com.acme.Bases;
    import com.acme.Base;
    import static com.acme.More_textKt.wrap;
                                       ^ ${main} wrap(Base).
    class Far {
      void go(Base base) { Bases.twice(base); wrap(base); }
                                 ^ ${main} twice(Base).
                                              ^ ${main} wrap(Base).
    }
    -- app/src/main/java/com/app/Star.java --
    package com.app;
    import com.acme.*;
    class Star {
      void go(Base base) { Bases.twice(base); More_textKt.wrap(base); }
                                 ^ ${main} twice(Base).
                                                          ^ ${main} wrap(Base).
    }
    `,
  ],
  [
    'lambdas: it, receivers, scope functions, functional types, results; locals hide',
    `
    -- a.kt --
    package p
    class Item(val name: String) { fun touch(): Item = this; var seen = false }
    class Builder { val items = mutableListOf<Item>(); fun add(item: Item) = apply { items += item }
                                                                                     ^ Builder#items.
      fun build(): List<Item> = items }
    fun build(make: Builder.() -> Unit, after: (Item, Int) -> Unit): List<Item> = Builder().apply(make).build()
                                                                                                        ^ Builder#build().
    fun interface Listener { fun heard(item: Item) }
    fun use(item: Item, list: List<Item>, byName: Map<String, Item>) {
      build({ add(item).add(item) }) { one, n -> one.touch() }
              ^ Builder#add(Item).
                        ^ Builder#add(Item).
                                                     ^ Item#touch().
      list.filter { it.seen }.first().touch()
                       ^ Item#seen.
                                      ^ Item#touch().
      list.map { it.touch() }.forEach { x -> x.touch() }
                                               ^ Item#touch().
      item.let { it.touch() }.seen
                    ^ Item#touch().
                              ^ Item#seen.
      item.also { i -> i.touch() }.apply { seen = true; this.touch() }
                         ^ Item#touch().
                                           ^ Item#seen.
                                                             ^ Item#touch().
      with(item) { name }
                   ^ Item#name.
      val name = item.name
      println(name)
      ^ std kotlin:kotlin.io.println
              ^ -
      for ((key, value) in byName) value.touch()
                                         ^ Item#touch().
      Listener { heard -> heard.touch() }
      ^ Listener#
                                ^ Item#touch().
      val first by lazy { list[0] }
      first.touch()
            ^ Item#touch().
      list.map(Item::touch)
                     ^ Item#touch().
    }
    `,
  ],
  [
    'classes: inheritance, inner and nameless ones, enums, smart casts, data classes, delegation, overloads',
    `
    -- a.kt --
    package p
    interface Shape { fun area(): Int; fun twice() = area() * 2 }
                                                     ^ Shape#area().
    data class Circle(val radius: Int, val kind: Kind = Kind.ROUND) : Shape { override fun area() = radius }
                                                             ^ Kind#ROUND.
                                                                                                    ^ Circle#radius.
    class Square(private val side: Int, extra: Int) : Shape {
      val sum = side + extra
                       ^ -
      override fun area() = side
    }
    class Wrapped(inner: Shape) : Shape by inner { fun use() = twice() }
                                                               ^ Shape#twice().
    enum class Kind { ROUND, FLAT { override fun cost() = 2 }; open fun cost() = 1 }
    class Outer(val item: Circle) {
      inner class Part { fun go() = item.copy(radius = 2).area() }
                                    ^ Outer#item.
                                              ^ Circle#radius.
                                                          ^ Circle#area().
      private fun Circle.grown() = copy(radius = radius + 1)
      fun put(n: Int) {}
      fun put(n: Long) {}
      fun put(shape: Shape, vararg kinds: Kind) {}
      fun put(text: String, done: () -> Unit) {}
      fun use(shape: Shape?, any: Any) {
        put(1)
        ^ Outer#put(Int).
        put(item, Kind.ROUND, Kind.FLAT)
        ^ Outer#put(Shape,Kind).
        put("a") { put(2L) }
        ^ Outer#put(String,()->Unit).
                   ^ Outer#put(Long).
        item.grown().radius
             ^ Outer#grown(Circle).
                     ^ Circle#radius.
        if (any is Circle && any.radius > 1) any.radius
                                 ^ Circle#radius.
                                                 ^ Circle#radius.
        if (!item.kind.cost().equals(1)) return
                       ^ Kind#cost().
        if (any !is Square) return
        any.sum
            ^ Square#sum.
        when (shape) {
          is Circle -> shape.radius
                             ^ Circle#radius.
          else -> shape?.twice()
                         ^ Shape#twice().
        }
        val made = object : Shape {
          val depth = 3
          override fun area() = depth + item.radius
                                ^ Outer#use(Shape?,Any).\`made new Shape\`#depth.
                                        ^ Outer#item.
        }
        made.twice()
             ^ Shape#twice().
        Kind.valueOf("ROUND").cost()
                              ^ Kind#cost().
        this@Outer.item.toString()
                   ^ Outer#item.
      }
    }
    typealias Round = Circle
    fun alias(round: Round) = round.radius
                                    ^ Circle#radius.
    `,
  ],
  [
    'a constructor calls another of its class, or one of the class that it extends, wherever among interfaces that stands',
    `
    -- base.kt --
    interface Shape { fun name() = "" }
    open class Base { constructor(a: Int) { }
      open fun name() = "base" }
    -- box.kt --
    import java.io.Closeable
    class Box : Closeable, Shape, Base {
      constructor(a: Int, b: Int = a) : super(a.also { it.toLong() }) { super.name() }
                                        ^ Base#constructor(Int).
                                                                              ^ Base#name().
      constructor() : this(LIMIT)
                      ^ Box#
                           ^ LIMIT.
      constructor(LIMIT: String) : this(LIMIT.length)
                                        ^ -
    }
    const val LIMIT = 1
    class Flat : Shape { constructor() : super() { super.name() } }
                                         ^ ?
                                                         ^ Shape#name().
    `,
  ],
  [
    'a secondary constructor has the calls that pass just what it takes, the class all others; arithmetic takes the wider number',
    `
    -- p.kt --
    class P(a: Int) {
      constructor(s: String) : this(1)
                               ^ P#
      constructor(d: Double) : this("x")
                               ^ P#constructor(String).
    }
    class T {
      val n = 1
      fun f(a: Int) {}
      fun f(d: Double) {}
      fun m(q: String, any: Any) {
        P(1); P("s"); P(2.5); P(q.trim()); P(q.length); P(missing()); P(n * 2.0); P(n + 1)
        ^ P#
              ^ P#constructor(String).
                      ^ P#constructor(Double).
                              ^ P#constructor(String).
                                           ^ P#
                                                        ^ P#
                                                                      ^ P#constructor(Double).
                                                                                  ^ P#
        f(n * 2.0); f(n + n); f(n + missing())
        ^ T#f(Double).
                    ^ T#f(Int).
                              ^ ?
      }
    }
    `,
  ],
  [
    'a call by the name of a local that holds no function means the function, and else what the local holds',
    `
    -- A.kt --
    typealias Handler = (String) -> Unit
    class Invoked { operator fun invoke(n: Int): Int = n }
    class Builder<T> {
      fun tag(type: String, tag: Any?): Builder<T> = this
      fun tag(tag: Any?): Builder<T> = tag("", tag)
                                       ^ Builder#tag(String,Any?).
      fun tag(tag: T?, n: Int): Builder<T> = tag(tag)
                                             ^ Builder#tag(Any?).
      fun held(tag: (Int) -> Int) = tag(2)
                                    ^ -
      fun named(tag: Handler) = tag("x")
                                ^ -
      fun invoked(tag: Invoked) = tag(5)
                                  ^ Invoked#invoke(Int).
      fun local() { fun tag(n: Int) = n; tag(7) }
                                         ^ Builder#local().tag(Int).
      fun lambda() { val tag = { n: Int -> n }; tag(6) }
                                                ^ -
      fun unknown(handler: Handled) = handler(1)
                                      ^ -
    }
    `,
  ],
];

for (const [name, tree] of cases) test(name, () => expectLinks(tree));
