import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
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
    'an attribute that is asked for by its name',
    `
    -- m.py --
    def made() -> "Engine": ...
    class Engine:
        def run(self): ...
    -- use.py --
    import m
    getattr(m, "made")().run()
                ^ m.py made().
                         ^ m.py Engine#run().
    hasattr(m, 'Engine')
                ^ m.py Engine#
    getattr(m, name)
    getattr(m, "no name")
    `,
  ],
];

for (const [name, tree] of cases) test(`Python ${name}`, () => expectLinks(tree));

test('Python object may be anything: what is asked of it is left to the name', async () => {
  await expectLinks(`
    -- a.py --
    class User:
        def greet(self): ...
    def one(given: object, quoted: "object", named: User, many: list[object], *others: object):
        given.greet()
              ^ ?
        quoted.greet()
               ^ ?
        named.greet()
              ^ User#greet().
        if isinstance(given, User):
            given.greet()
                  ^ User#greet().
  `);
});

test('patterns name classes and constants with dots, too', async () => {
  await expectLinks(`
    -- a.py --
    class Node:
        kind = 1
    class Colour:
        RED = 1
    -- b.py --
    import a
    def f(x):
        match x:
            case a.Node(kind=2) as node: node.kind
                   ^ a.py Node#
                                              ^ a.py Node#kind.
            case [a.Node(), *rest] | a.Node: pass
                    ^ a.py Node#
                                       ^ a.py Node#
            case a.Colour.RED | {"k": a.Colour()}: pass
                   ^ a.py Colour#
                          ^ a.py Colour#RED.
                                        ^ a.py Colour#
  `);
});
