import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'an attribute that a class only assigns is what a base declares',
    `
    -- base.py --
    class Root:
        level: int
        kind = 1
        @property
        def debug(self): ...
        @debug.setter
        def debug(self, value): ...
        def __init__(self):
            self.plain = 1
    -- sub.py --
    from base import Root
    class Mixin:
        def hook(self): ...
    class Sub(Root, Mixin):
        kind = 2
        def __init__(self):
            self.debug = True
                 ^ base.py Root#debug().
            self.own = self.debug
                 ^ -
                            ^ base.py Root#debug().
            self.plain = 2
                 ^ -
            self.level = 3
                 ^ base.py Root#level.
            self.hook = None
                 ^ Mixin#hook().
    class Leaf(Sub):
        def f(self):
            self.level = self.plain
                 ^ base.py Root#level.
                              ^ Sub#plain.
            self.own, self.kind
                 ^ Sub#own.
                           ^ Sub#kind.
    Sub().debug
          ^ base.py Root#debug().
    `,
  ],
  [
    'receivers: self, cls, super, inherited members, fields by assignment and annotation',
    `
    -- base.py --
    class Base:
        limit: int = 3
        def start(self): ...
        @classmethod
        def make(cls): return cls()
    -- m.py --
    from base import Base
    class Part:
        name = "x"
    class Child(Base):
                ^ base.py Base#
        part: "Part"
        def __init__(self, p: Part | None = None):
            super().start()
                    ^ base.py Base#start().
            self.p = p
            self.other: list[Part] = []
        def go(  # first of all
            self,
        ):
            self.start()
                 ^ base.py Base#start().
            self.p.name
                 ^ Child#p.
                   ^ Part#name.
            self.part.name
                      ^ Part#name.
            for o in self.other:
                o.name
                  ^ Part#name.
            self.other[0].name
                          ^ Part#name.
        @classmethod
        def build(cls):
            cls.make().go()
                ^ base.py Base#make().
    Child().limit
            ^ base.py Base#limit.
    `,
  ],
  [
    'inherited members: through packages, by the order of the bases, in a circle',
    `
    -- scaffold.py --
    class Scaffold:
        def route(self, rule): ...
    -- app.py --
    from scaffold import Scaffold
    class App(Scaffold): ...
    class Flask(App): ...
    -- m.py --
    from app import Flask
    class A:
        def m(self): ...
        def n(self): ...
    class B(A): ...
    class C(A):
        def m(self): ...
    class D(B, C): ...
    class Other:
        def n(self): ...
    class E(B, Other): ...
    class Left(Right): ...
    class Right(Left): ...
    def use(app: Flask, d: D, e: E, left: Left):
        app.route("/")
            ^ scaffold.py Scaffold#route().
        d.m()
          ^ C#m().
        d.n()
          ^ A#n().
        e.n()
          ^ A#n().
        left.lost()
             ^ ?
    `,
  ],
  [
    'members of an enum, properties, dataclass fields',
    `
    -- m.py --
    from dataclasses import dataclass
    from enum import Enum
    class Colour(Enum):
        RED = 1
        def mix(self): ...
    @dataclass
    class Point:
        x: int
        colour: Colour
        @property
        def near(self) -> "Point": ...
    def f(p: Point):
        p.near.colour.mix()
          ^ Point#near().
               ^ Point#colour.
                      ^ Colour#mix().
        Colour.RED.mix()
               ^ Colour#RED.
                   ^ Colour#mix().
    `,
  ],
  [
    'nothing by its name where the receiver is known and lacks it, or is a dependency’s',
    `
    -- own.py --
    import requests
    from missing import Session
    from .sub import gone
    class Known: ...
    class Theirs(Session): ...
    class Ours(Unknown): ...
    def f(known: Known, theirs: Theirs, ours: Ours, anything):
        known.nope
              ^ elsewhere
        theirs.nope
               ^ elsewhere
        ours.nope
             ^ ?
        anything.nope
                 ^ ?
        requests.get("x").nope
                          ^ elsewhere
        open("x").nope
                  ^ ?
        anything.append(anything.__name__)
                 ^ elsewhere
                                 ^ elsewhere
    `,
  ],
  [
    'what methods give of their receiver, by what they are called on',
    `
    -- m.py --
    from typing import Self
    class Query:
        def where(self) -> Self: ...
        def quoted(self) -> "Self": ...
        def evident(self):
            return self
        def further(self):
            return self.where().evident()
        def copied(self):
            made = self.__class__()
            return made
        @classmethod
        def new(cls):
            return cls()
        @classmethod
        def local(cls, one):
            made = cls.new()
            made.size = one
            return made
        @property
        def own(self):
            return self
        def __enter__(self):
            return self
        def several(self) -> list[Self]: ...
        def one(self): ...
    class Rows(Query):
        def one(self): ...
        def above(self):
            super().where().one()
                            ^ Rows#one().
    def f(rows: Rows, query: Query):
        rows.where().one()
             ^ Query#where().
                     ^ Rows#one().
        rows.quoted().one()
                      ^ Rows#one().
        rows.evident().one()
                       ^ Rows#one().
        rows.further().one()
                       ^ Rows#one().
        rows.copied().one()
                      ^ Rows#one().
        Rows.new().one()
                   ^ Rows#one().
        Rows.local(1).one()
                      ^ Rows#one().
        rows.several()[0].one()
                          ^ Rows#one().
        query.where().one()
                      ^ Query#one().
        Query.new().one()
                    ^ Query#one().
        rows.own.one()
                 ^ Query#one().
        with Rows() as entered:
            entered.one()
                    ^ Rows#one().
    `,
  ],
];

for (const [name, tree] of cases) test(`Python ${name}`, () => expectLinks(tree));
