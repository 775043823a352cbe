import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [what: string, tree: string])[] = [
  [
    'an operator before a call is applied to what the call gives',
    `
    -- p.kt --
    package p
    fun ready(): Boolean = true
    fun count(): Int = 1
    fun <T> made(): T = TODO()
    fun later(block: () -> Boolean): Boolean = block()
    fun either(one: Boolean) {}
    fun either(one: Item) {}
    class Item {
      val self: Item get() = this
      val size = 1
      var times = 0
      fun fits(): Boolean = true
      operator fun get(at: Int): Item = this
    }
    -- a.kt --
    import p.Item
    import p.count
    import p.later
    import p.made
    import p.ready
    import p.either
    fun f(a: Item, b: Item?) {
      if (!ready()) return
           ^ call kotlin:#p ready().
      -count(); !!ready(); !p.ready(); !!p.ready(); -p.count()
       ^ call kotlin:#p count().
                  ^ call kotlin:#p ready().
                              ^ call kotlin:#p ready().
                                           ^ call kotlin:#p ready().
                                                       ^ call kotlin:#p count().
      !!a.fits(); !a.self.fits(); !a[1].fits(); !b!!.fits(); !b?.fits(); -a.self.size
          ^ call kotlin:#p Item#fits().
                          ^ call kotlin:#p Item#fits().
                                        ^ call kotlin:#p Item#fits().
                                                     ^ call kotlin:#p Item#fits().
                                                                 ^ call kotlin:#p Item#fits().
                                                                                 ^ read kotlin:#p Item#size.
      !later { !ready() }; !made<Boolean>(); ++a.self.times; !a.self[-count()].fits()
       ^ call kotlin:#p later(()->Boolean).
                ^ call kotlin:#p ready().
                            ^ call kotlin:#p made(+1).
                                                      ^ write kotlin:#p Item#times.
                                                                      ^ call kotlin:#p count().
                                                                               ^ call kotlin:#p Item#fits().
      either(!a.fits()); either(!missing(a)); either(a.self)
      ^ call kotlin:#p either(Boolean).
                         ^ call kotlin:#p either(Boolean).
                                              ^ call kotlin:#p either(Item).
    }
    `,
  ],
  [
    'a text has the names behind its dollar signs, whatever stands around them',
    `
    -- k.kt --
    package k
    const val ONE = 1
    val größe = 2
    -- a.kt --
    import k.*
    class User(val nick: String) {
      fun told(local: Int) = "é $nick, \\$ONE \\\\$ONE$ONE-$größe: 😀$ONE.length $local $this $ $1 \${ONE}$"
                                 ^ read User#nick.
                                         ^ -
                                                ^ read kotlin:#k ONE.
                                                    ^ read kotlin:#k ONE.
                                                         ^ read kotlin:#k \`größe\`.
                                                                   ^ read kotlin:#k ONE.
                                                                               ^ -
                                                                                      ^ -
                                                                                                  ^ read kotlin:#k ONE.
      fun quoted() = """$ONE \${"$ONE"}"""
                         ^ read kotlin:#k ONE.
                                 ^ read kotlin:#k ONE.
    }
    fun User.greet() = "hi $nick"
                            ^ read User#nick.
    `,
  ],
  [
    'operators call what the class of their values declares for them, where the file tells the class',
    `
    -- a.kt --
    package a
    class Vec(val x: Int) {
      operator fun plus(o: Vec): Vec = this
      operator fun plus(n: Int): Vec = this
      operator fun minusAssign(o: Vec) {}
      operator fun unaryMinus(): Vec = this
      operator fun not() = true
      operator fun inc(): Vec = this
      operator fun invoke(n: Int): Vec = this
      operator fun get(n: Int): Vec = this
      operator fun set(n: Int, o: Vec) {}
      operator fun component1(): Int = x
      operator fun component2(): Vec = this
      operator fun contains(n: Int) = true
      operator fun rangeTo(o: Vec): Span = Span(this, o)
      operator fun iterator(): Iterator<Vec> = TODO()
    }
    class Span(val from: Vec, val to: Vec) { fun wide() = from + to }
                                                               ^ call Vec#plus(Vec).
    operator fun Vec.times(n: Int): Vec = this
    typealias Handler = (Int) -> Unit
    -- b.kt --
    import a.Vec
    import a.Span
    import a.Handler
    import a.times
    class Held(val vec: Vec, vararg val all: Vec) {
      fun sum() = vec + this.vec + made()
                      ^ kotlin:#a Vec#plus(Vec).
                                 ^ kotlin:#a Vec#plus(Vec).
      fun made() = Vec(1)
      fun each() { for (one in all) one.x }
                            ^ -
                                        ^ kotlin:#a Vec#x.
    }
    fun f(v: Vec, n: Int, held: Held, handler: Handler, names: List<String>) {
      var w = Vec(1) + Vec(2)
                     ^ kotlin:#a Vec#plus(Vec).
      w = v + n
            ^ kotlin:#a Vec#plus(Int).
      w += v
      w -= v
        ^ kotlin:#a Vec#minusAssign(Vec).
      val u = -v * 2
              ^ kotlin:#a Vec#unaryMinus().
                 ^ kotlin:#a times(Vec,Int).
      if (!v) w++
          ^ kotlin:#a Vec#not().
               ^ kotlin:#a Vec#inc().
      w(3)
      ^ kotlin:#a Vec#invoke(Int).
      w[1] = v[0]
       ^ kotlin:#a Vec#set(Int,Vec).
              ^ kotlin:#a Vec#get(Int).
      v[2] += w
       ^ kotlin:#a Vec#get(Int).
      for (one in v) handler(1)
               ^ kotlin:#a Vec#iterator().
      val (a, _) = v
           ^ kotlin:#a Vec#component1().
              ^ -
      val b = held.vec + v
                       ^ kotlin:#a Vec#plus(Vec).
      val r = v..w
               ^ kotlin:#a Vec#rangeTo(Vec).
      when (n) { in v -> n + n; !in w -> names[0] }
                 ^ kotlin:#a Vec#contains(Int).
                           ^ -
                                ^ kotlin:#a Vec#contains(Int).
                                              ^ -
      n in v
        ^ kotlin:#a Vec#contains(Int).
      r.wide()
    }
    `,
  ],
];

for (const [name, tree] of cases) test(name, () => expectLinks(tree));
