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
];

for (const [name, tree] of cases) test(name, () => expectLinks(tree));
