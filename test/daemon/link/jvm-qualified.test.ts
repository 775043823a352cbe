import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../daemon/link/linker.ts';
import { expectLinks } from '../../support/carets.ts';
import { manifestOf, mountFile } from '../../support/linked-tree.ts';

const nodes = `
    -- src/org/acme/nodes/Attr.java --
    package org.acme.nodes;
    public class Attr {
      public static final int CONST = 1;
      public static Attr parse(String s) { return null; }
      public void go() {}
      public static class Inner { public void deep() {} }
    }
    -- src/org/acme/nodes/Fault.java --
    package org.acme.nodes;
    public class Fault extends Exception {}
    -- src/org/acme/nodes/Ann.java --
    package org.acme.nodes;
    public @interface Ann { int value(); }
    -- src/org/acme/nodes/Visitor.java --
    package org.acme.nodes;
    public interface Visitor { void go(); }
    -- src/org/acme/dom/Attr.java --
    package org.acme.dom;
    public class Attr { public void go() {} }`;

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'Java names types in full wherever a type or a class may stand',
    `${nodes}
    -- src/org/acme/Use.java --
    package org.acme;

    import java.util.List;
    import org.acme.dom.Attr;

    @org.acme.nodes.Ann(1)
                    ^ java:src/org/acme/nodes#org.acme.nodes Ann#
    class Use extends org.acme.nodes.Attr implements org.acme.nodes.Visitor {
                                     ^ implementation java:src/org/acme/nodes#org.acme.nodes Attr#
                                                                    ^ implementation java:src/org/acme/nodes#org.acme.nodes Visitor#
      org.acme.nodes.Attr field;
                     ^ type java:src/org/acme/nodes#org.acme.nodes Attr#
      List<org.acme.nodes.Attr> list;
                          ^ type java:src/org/acme/nodes#org.acme.nodes Attr#
      void use(Object x, Attr near) throws org.acme.nodes.Fault {
                                                          ^ java:src/org/acme/nodes#org.acme.nodes Fault#
        field.go();
              ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        near.go();
             ^ java:src/org/acme/dom#org.acme.dom Attr#go().
        for (org.acme.nodes.Attr a : list) a.go();
                                             ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        for (var a : list) a.go();
                             ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        org.acme.nodes.Attr.parse("x").go();
        ^ -
            ^ -
                 ^ -
                       ^ java:src/org/acme/nodes#org.acme.nodes Attr#
                            ^ java:src/org/acme/nodes#org.acme.nodes Attr#parse(String).
                                       ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        int c = org.acme.nodes.Attr.CONST;
                                    ^ java:src/org/acme/nodes#org.acme.nodes Attr#CONST.
        new org.acme.nodes.Attr().go();
                           ^ call java:src/org/acme/nodes#org.acme.nodes Attr#
                                  ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        new org.acme.nodes.Attr.Inner().deep();
                                ^ call java:src/org/acme/nodes#org.acme.nodes Attr#Inner#
                                        ^ java:src/org/acme/nodes#org.acme.nodes Attr#Inner#deep().
        ((org.acme.nodes.Attr) x).go();
                                  ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        if (x instanceof org.acme.nodes.Attr b) b.go();
                                                  ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        list.forEach(org.acme.nodes.Attr::go);
                                    ^ java:src/org/acme/nodes#org.acme.nodes Attr#
                                          ^ java:src/org/acme/nodes#org.acme.nodes Attr#go().
        Object k = org.acme.nodes.Attr.class;
                                  ^ java:src/org/acme/nodes#org.acme.nodes Attr#
        org.other.lib.Attr d = null;
                      ^ maven org.other.lib:Attr
        d.go();
          ^ maven org.other.lib:Attr.go
        org.acme.nodes.Missing e = org.acme.nodes.Missing.make();
                       ^ maven org.acme.nodes:Missing
        org.km.TopKt.top();
                     ^ kotlin:src/org/km#org.km top().
        unknown.go();
        ^ ?
                ^ ?
        unknown.thing.go();
                ^ ?
                      ^ ?
      }
    }
    -- src/org/km/Top.kt --
    package org.km
    fun top() {}
    -- src/org/acme/Presuming.java --
    package org.acme;
    import static org.junit.Assertions.*;
    class Presuming extends org.junit.Case {
      org.acme.nodes.Attr it = org.acme.nodes.Attr.parse("x");
                     ^ type java:src/org/acme/nodes#org.acme.nodes Attr#
                               ^ -
                                                   ^ java:src/org/acme/nodes#org.acme.nodes Attr#parse(String).
    }
    `,
  ],
  [
    'variables, fields and types hide packages of their names',
    `${nodes}
    -- src/org/acme/Hidden.java --
    package org.acme;
    class Holder {
      Holder acme;
      Holder nodes;
      Holder Attr;
      void go() {}
      Holder parse(String s) { return this; }
    }
    class Base { Holder org; }
    class ByField {
      Holder org;
      void use() { org.acme.nodes.Attr.go(); }
                   ^ ByField#org.
                            ^ Holder#nodes.
                                  ^ Holder#Attr.
                                       ^ Holder#go().
      org.acme.nodes.Attr typed() { return null; }
                     ^ java:src/org/acme/nodes#org.acme.nodes Attr#
    }
    class ByInherited extends Base {
      void use() { org.acme.nodes.Attr.go(); }
                   ^ Base#org.
                       ^ Holder#acme.
                            ^ Holder#nodes.
                                  ^ Holder#Attr.
                                       ^ Holder#go().
    }
    class ByVariable {
      void use(Holder org, Unknown of) {
        org.acme.nodes.Attr.go();
                 ^ Holder#nodes.
                       ^ Holder#Attr.
      }
      void other(Unknown org) {
        org.acme.nodes.Attr.go();
                       ^ ?
      }
    }
    class ByType {
      static class org { static class acme { static class nodes { static class Attr { static void go() {} } } } }
      void use() { org.acme.nodes.Attr.go(); }
                                       ^ ByType#org#acme#nodes#Attr#go().
      org.acme.nodes.Attr it;
                     ^ ByType#org#acme#nodes#Attr#
    }
    `,
  ],
  [
    'Kotlin names types, functions and properties in full',
    `
    -- src/org/km/Att.kt --
    package org.km
    annotation class Ann
    class Att(val n: Int) {
      fun go() {}
      class Inner { fun deep() {} }
      companion object { fun make(): Att = Att(1) }
    }
    object Only { val att = Att(1) }
    open class Base { fun go() {} }
    interface Face
    fun top(): Att = Att(2)
    val shared: Att = Att(3)
    -- src/org/other/Att.kt --
    package org.other
    class Att { fun go() {} }
    fun top(): Att = Att()
    fun Any.shared() {}
    -- src/org/use/Use.kt --
    package org.use

    import org.other.Att
    import org.other.top
    import org.other.shared

    @org.km.Ann
            ^ kotlin:src/org/km#org.km Ann#
    class Use : Unknown() {
      fun use(a: org.km.Att, l: List<org.km.Att>, near: Att) {
                        ^ kotlin:src/org/km#org.km Att#
                                            ^ kotlin:src/org/km#org.km Att#
        a.go()
          ^ kotlin:src/org/km#org.km Att#go().
        l.first().go()
                  ^ kotlin:src/org/km#org.km Att#go().
        near.go()
             ^ kotlin:src/org/other#org.other Att#go().
        org.km.top().go()
        ^ -
            ^ -
               ^ kotlin:src/org/km#org.km top().
                     ^ kotlin:src/org/km#org.km Att#go().
        org.km.shared.go()
               ^ kotlin:src/org/km#org.km shared.
                      ^ kotlin:src/org/km#org.km Att#go().
        org.km.Att.make().go()
        ^ -
               ^ kotlin:src/org/km#org.km Att#
                   ^ kotlin:src/org/km#org.km Att#Companion#make().
                          ^ kotlin:src/org/km#org.km Att#go().
        org.km.Att(1).go()
               ^ call kotlin:src/org/km#org.km Att#
                      ^ kotlin:src/org/km#org.km Att#go().
        org.km.Att.Inner().deep()
                   ^ call kotlin:src/org/km#org.km Att#Inner#
                           ^ kotlin:src/org/km#org.km Att#Inner#deep().
        val i: org.km.Att.Inner = TODO()
                          ^ kotlin:src/org/km#org.km Att#Inner#
        i.deep()
          ^ kotlin:src/org/km#org.km Att#Inner#deep().
        org.km.Only.att.go()
                        ^ kotlin:src/org/km#org.km Att#go().
        if (near is org.km.Att) near.go()
                                     ^ kotlin:src/org/km#org.km Att#go().
        (near as org.km.Att).go()
                             ^ kotlin:src/org/km#org.km Att#go().
        val make = org.km.Att::go
                          ^ kotlin:src/org/km#org.km Att#
                               ^ kotlin:src/org/km#org.km Att#go().
        val d: org.lib.Att = TODO()
                       ^ maven org.lib:Att
        unknown.thing.go()
        ^ ?
                ^ ?
                      ^ ?
      }
    }
    -- src/org/use/Sub.kt --
    package org.use
    class Sub : org.km.Base(), org.km.Face {
                       ^ implementation kotlin:src/org/km#org.km Base#
                                      ^ implementation kotlin:src/org/km#org.km Face#
      fun use() { org.km.Base().go() }
    }
    `,
  ],
  [
    'Kotlin’s packages are hidden by what else has their names',
    `
    -- src/org/km/Att.kt --
    package org.km
    class Att { fun go() {} }
    fun top(): Att = Att()
    -- src/org/use/Hidden.kt --
    package org.use
    class Km { val Att: Km = this; fun top(): Km = this; fun go() {} }
    class Org { val km = Km() }
    class ByProperty(val org: Org) {
      fun use() {
        org.km.top().go()
               ^ Km#top().
                     ^ Km#go().
        org.km.Att.go()
                   ^ Km#go().
      }
    }
    fun byParameter(org: Org) { org.km.top().go() }
                                             ^ Km#go().
    fun byUnknown(org: Nothing) { org.km.top() }
                                         ^ elsewhere
    -- src/org/top/Top.kt --
    package org.top
    import org.use.Org
    val org = Org()
    -- src/org/top/Use.kt --
    package org.top
    fun use() {
      org.km.top().go()
      ^ org.
          ^ kotlin:src/org/use#org.use Org#km.
             ^ kotlin:src/org/use#org.use Km#top().
    }
    `,
  ],
];

for (const [name, tree] of cases) test(name, () => expectLinks(tree));

test('a name in full is as sure as an import, a member of what may be none no surer than any member', async () => {
  const base = 'package org.acme\nopen class Base { val box = Box() }\nclass Box { val lid = 1 }\n';
  const use = 'package org.use\nclass Use : org.acme.Base() { fun f() { box.lid } }\n';
  const documents = [await mountFile('Base.kt', base), await mountFile('Use.kt', use)].filter(one => one !== undefined);
  const { targets } = createLinker(manifestOf(documents)).link('Use.kt');
  const found = targets.map(one => (one.kind === 'symbol' ? [one.tail, one.confidence] : one.kind));
  assert.deepEqual(found, [
    ['Base#', 0.95],
    ['Base#box.', 0.95],
    ['Box#lid.', 0.9],
  ]);
});
