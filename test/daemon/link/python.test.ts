import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'modules: absolute, aliased, relative, submodules, re-exports through __init__, star imports',
    `
    -- pkg/__init__.py --
    from .core import Engine as Engine, start
    from .names import *
    VERSION = "1"
    -- pkg/core.py --
    class Engine:
        def run(self): ...
    def start() -> Engine: ...
    -- pkg/names.py --
    LIMIT = 3
    -- pkg/deep/__init__.py --
    -- pkg/deep/leaf.py --
    from ..core import Engine
                       ^ pkg/core.py Engine#
    from .. import VERSION, core
                   ^ pkg/__init__.py VERSION.
    from . import other
    core.start()
         ^ pkg/core.py start().
    other.thing
          ^ pkg/deep/other.py thing.
    -- pkg/deep/other.py --
    thing = 1
    -- main.py --
    import pkg.deep.other
    import pkg.core as c
    import pkg
    from pkg import Engine, LIMIT
                    ^ pkg/core.py Engine#
                            ^ pkg/names.py LIMIT.
    pkg.deep.other.thing
                   ^ pkg/deep/other.py thing.
    c.start().run()
      ^ pkg/core.py start().
              ^ pkg/core.py Engine#run().
    pkg.start
        ^ pkg/core.py start().
    pkg.LIMIT
        ^ pkg/names.py LIMIT.
    `,
  ],
  [
    'a package that binds its own submodules',
    `
    -- pkg/__init__.py --
    from . import sub
                  ^ elsewhere
    from .other import start as sub2
    -- pkg/sub/__init__.py --
    def go(): ...
    class Engine:
        def run(self): ...
    -- pkg/other.py --
    def start(): ...
    -- one.py --
    import pkg
    from pkg import sub as s
    pkg.sub.go()
            ^ pkg/sub/__init__.py go().
    s.go()
      ^ pkg/sub/__init__.py go().
    pkg.sub2()
        ^ pkg/other.py start().
    -- two.py --
    import pkg.sub
    pkg.sub.Engine().run()
                     ^ pkg/sub/__init__.py Engine#run().
    `,
  ],
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
    'quoted annotations, whatever stands in them',
    `
    -- pkg/__init__.py --
    from .core import Engine as Engine
    -- pkg/core.py --
    class Engine:
        def run(self): ...
    -- use.py --
    import pkg
    from typing import Callable, Literal, Optional
    from pkg.core import Engine
    def f(one: "list[Engine]", two: 'pkg.Engine', three: "dict[str, Optional[pkg.core.Engine]] | None"):
                     ^ pkg/core.py Engine#
                                         ^ pkg/core.py Engine#
                                                                                      ^ pkg/core.py Engine#
        one[0].run()
               ^ pkg/core.py Engine#run().
        two.run()
            ^ pkg/core.py Engine#run().
        three["x"].run()
                   ^ pkg/core.py Engine#run().
    def g(make: "Callable[[Engine], Engine]", word: Literal["Engine"], text: "Literal['Engine']"):
                           ^ pkg/core.py Engine#
                                                             ^ -
                                                                                       ^ -
        make().run()
               ^ pkg/core.py Engine#run().
    `,
  ],
  [
    'what only a run as a script binds is none of the module',
    `
    -- live.py --
    class Live: ...
    if __name__ == "__main__":
        from .live import Live as Live
        from .other import helper
    -- other.py --
    def helper(): ...
    -- use.py --
    from live import Live
                     ^ live.py Live#
    `,
  ],
  [
    'a pair by Tuple has its parts by position',
    `
    -- a.py --
    from typing import Iterable, Tuple
    class Tag:
        name: str
    def parse() -> Iterable[Tuple[int, Tag]]: ...
    for position, tag in parse():
        tag.name
            ^ Tag#name.
    `,
  ],
  [
    'a free name may come from a star import; what nobody binds is a builtin or a candidate',
    `
    -- a.py --
    def helper(): ...
    -- b.py --
    from a import *
    helper()
    ^ a.py helper().
    len([])
    ^ std python:len
    nobody()
    ^ ?
    `,
  ],
  [
    'imports that may fail, imports for types only, imports inside functions',
    `
    -- fast.py --
    def parse(): ...
    -- t.py --
    class Node:
        value = 1
    -- m.py --
    from typing import TYPE_CHECKING
    try:
        from _fast import parse
    except ImportError:
        from fast import parse
    if TYPE_CHECKING:
        from t import Node
    def f(n: "Node"):
              ^ t.py Node#
        from t import Node as N
        n.value
          ^ t.py Node#value.
        N.value
        ^ t.py Node#
    parse()
    ^ fast.py parse().
    `,
  ],
  [
    'src layouts, projects by pyproject, namespace packages, stubs',
    `
    -- services/api/pyproject.toml --
    [project]
    name = "api-client"
    -- services/api/src/api_client/__init__.py --
    def call(): ...
    -- services/api/tests/test_call.py --
    from api_client import call
                           ^ services/api/src/api_client/__init__.py call().
    -- services/web/app.py --
    import api_client
    api_client.call()
               ^ services/api/src/api_client/__init__.py call().
    -- src/space/one/tool.py --
    def work(): ...
    -- src/space/two/user.py --
    from space.one import tool
    from space.one.tool import work
                               ^ src/space/one/tool.py work().
    import space.one
    tool.work()
         ^ src/space/one/tool.py work().
    -- src/native.pyi --
    def quick() -> int: ...
    -- src/uses_native.py --
    import native
    native.quick()
           ^ src/native.pyi quick().
    `,
  ],
  [
    'the standard library and dependencies are external; a missing module of ours is not',
    `
    -- pkg/__init__.py --
    -- pkg/a.py --
    import os.path
    import requests.adapters as ra
    from pkg._version import version
                             ^ ?
    from collections import OrderedDict
                            ^ std python:collections.OrderedDict
    os.path.join("a")
            ^ std python:os.path.join
    ra.HTTPAdapter()
       ^ pypi requests:adapters.HTTPAdapter
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
    'values: annotations, constructors, results, with, walrus, comprehensions, unpacking, narrowing',
    `
    -- m.py --
    from contextlib import contextmanager
    from typing import Optional, Union, Callable, Iterator
    class A:
        x = 1
        def twin(self) -> "A": ...
        def __enter__(self): return self
    class B:
        y = 2
    @contextmanager
    def opened() -> Iterator[A]: ...
    def pair(): return A(), B()
    Step = Callable[["B"], None]
    def each(n: int, step: Step): ...
    def use(o: Optional[A], u: Union[A, B], made: Callable[[], B], d: dict[str, A], *rest: B, k: type[A], **kw: A):
        o.x
          ^ A#x.
        u.y
          ^ B#y.
        made().y
               ^ B#y.
        d["k"].x
               ^ A#x.
        for key, value in d.items():
            value.x
                  ^ A#x.
        rest[0].y
                ^ B#y.
        k().x
            ^ A#x.
        kw["a"].x
                ^ A#x.
        a, b = pair()
        b.y
          ^ B#y.
        with A() as w, opened() as q:
            w.twin().x
                     ^ A#x.
            q.x
              ^ A#x.
        if (n := A()): n.x
                         ^ A#x.
        [e.x for e in [A()] if e.twin()]
           ^ A#x.
                                 ^ A#twin().
        (lambda: B())().y
                        ^ B#y.
        each(0, lambda one: one.y)
                                ^ B#y.
    def narrow(v, w):
        if isinstance(v, B):
            v.y
              ^ B#y.
        v.y
          ^ ?
        assert isinstance(w, A)
        w.x
          ^ A#x.
        try: ...
        except Trouble as t:
            t.code
              ^ Trouble#code.
        match v:
            case A() as m: m.x
                             ^ A#x.
    class Trouble(Exception):
        code = 1
    `,
  ],
  [
    'scopes: a class is not seen from its methods; globals, nonlocals and locals; the last assignment counts',
    `
    -- m.py --
    size = 1
    class A:
        size = 2
        double = size
                 ^ A#size.
        def f(self, other):
            size
            ^ size.
            other = 3
            other
            ^ -
    def g():
        size = 5
        def h():
            nonlocal size
            return size
                   ^ -
        return size
               ^ -
    def k():
        global size, late
        size = 6
        ^ size.
        late = 1
    late
    ^ late.
    class B:
        b = 1
    class C:
        c = 1
    def flow(flag):
        v = B()
        v.b
          ^ B#b.
        v = C()
        v.c
          ^ C#c.
        if flag:
            z = B()
        else:
            z = C()
        z.b
          ^ B#b.
    def early(): return defined_below()
                        ^ defined_below().
    def defined_below(): ...
    [size for size in [1]]
     ^ -
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
