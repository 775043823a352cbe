import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, outline, unindented } from '../../support/outline.ts';

const outlines: readonly (readonly [name: string, source: string, expected: string])[] = [
  [
    'functions, classes, nested ones, variables, constants',
    `
    LIMIT = 3
    _cache, (first, *rest) = {}, (1, 2)
    def outer():
        local = 1
        def inner(): ...
        class Box:
            size = 1
    class A:
        x: int = 1
        MAX = 2
        def __init__(self): self.y = self.x
        def m(self):
            self.y, self.z = 2, 3
            self.other.q = 4
            def deep(): self.w = 1
        async def __secret(self): ...
        class Inner:
            def n(me): me.v = 1
    `,
    `
    1 constant LIMIT. +
    2 variable _cache. ~
    2 variable first. +
    2 variable rest. +
    3 function outer(). +
    5 function outer().inner().
    6 class outer().Box#
    7 field outer().Box#size.
    8 class A# +
    9 field A#x. +
    10 constant A#MAX. +
    11 constructor A#__init__(). +
    11 field A#y. +
    12 method A#m(). +
    13 field A#z. +
    15 function A#m().deep().
    15 field A#w. +
    16 method A#__secret(). !
    17 class A#Inner# +
    18 method A#Inner#n(). +
    18 field A#Inner#v. +
    `,
  ],
  [
    'properties, static methods, enum members, type aliases',
    `
    from enum import IntFlag
    type Pair[T] = tuple[T, T]
    Name: TypeAlias = str
    class A:
        @property
        def size(self): ...
        @size.setter  # a remark
        def size(self, value): self._size = value
        @staticmethod
        def make(self): self.none = 1
        @functools.cached_property
        def lazy(self): ...
    class Mode(IntFlag):
        READ = 1
        write = 2
        _ignore_ = []
    `,
    `
    2 type Pair# +
    3 type Name. +
    4 class A# +
    6 property A#size(). +
    8 property A#size(). +
    8 field A#_size. ~
    10 method A#make(). +
    12 property A#lazy(). +
    13 class Mode# +
    14 enum-member Mode#READ. +
    15 enum-member Mode#write. +
    16 field Mode#_ignore_. ~
    `,
  ],
  [
    'bindings that exclude each other are sites of one symbol, later ones are writes',
    `
    import sys
    if sys.platform == "win32":
        mode = 1
        def f(): ...
    elif sys.platform:
        mode = 2
    else:
        mode = 3
        def f(): ...
    mode = 4
    try:
        import json
        fast = True
    except ImportError:
        fast = False
    finally:
        fast = fast
    class C:
        if sys: a = 1
        else: a = 2
        a = 3
    `,
    `
    3 variable mode. +
    4 function f(). +
    6 variable mode. +
    8 variable mode. +
    9 function f(). +
    13 variable fast. +
    15 variable fast. +
    18 class C# +
    19 field C#a. +
    20 field C#a. +
    `,
  ],
  [
    'names bound by loops, with, walrus and match; not by except, comprehensions and imports',
    `
    import os
    for i, (j, k) in []: ...
    with open("f") as f, g() as (h, *rest): ...
    if (n := 10): ...
    [m := x for x in []]
    try: ...
    except OSError as e: ...
    match f:
        case [a, {"k": b, **c}, _]: ...
        case str() as s | os.sep: ...
    def set_late():
        global late
        late = 1
    `,
    `
    2 variable i. +
    2 variable j. +
    2 variable k. +
    3 variable f. +
    3 variable h. +
    3 variable rest. +
    4 variable n. +
    5 variable m. +
    9 variable a. +
    9 variable b. +
    9 variable c. +
    10 variable s. +
    11 function set_late(). +
    13 variable late. +
    `,
  ],
  [
    '__all__ decides what is exported, however it is put together',
    `
    __all__ = ["_shown"]
    __all__ += ("Also",)
    def _shown(): ...
    def hidden(): ...
    class Also: ...
    `,
    `
    1 variable __all__.
    3 function _shown(). +~
    4 function hidden().
    5 class Also# +
    `,
  ],
  [
    'an overload is one symbol',
    'from typing import overload\n@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n',
    '3 function f(). +\n5 function f(). +\n6 function f(). +',
  ],
];

for (const [name, source, expected] of outlines) {
  test(`Python outline: ${name}`, async () => {
    assert.equal(outline(await factsOf('m.py', unindented(source))), unindented(expected));
  });
}

test('Python signatures, docstrings and comments for Sphinx', async () => {
  const facts = await factsOf(
    'm.py',
    unindented(`
    @decorated("x")
    async def f(
        a: int, *, b=3
    ) -> "list[str]":  # why
        """Say it.

            Indented more.
        """
    class A(Base, metaclass=M):
        'One line.'
        #: How big
        #: it is.
        size: int = 3
        """Not this one."""
        name = "n"
        """The name."""
    `),
  );
  assert.deepEqual(
    facts.definitions.map(one => [one.name, one.signature, one.documentation]),
    [
      ['f', 'async def f( a: int, *, b=3 ) -> "list[str]"', 'Say it.\n\nIndented more.'],
      ['A', 'class A(Base, metaclass=M)', 'One line.'],
      ['size', 'size: int = 3', 'Not this one.'],
      ['name', 'name = "n"', 'The name.'],
    ],
  );
});

test('Python references say how a name is used and from where', async () => {
  const facts = await factsOf(
    'm.py',
    'import a\nclass B(a.C):\n    def m(self, p: a.D):\n        a.e = a.f(a.g)\n@a.h\ndef k(): ...\n',
  );
  const uses = facts.references.filter(one => one.name.length === 1 && one.name !== 'a');
  assert.deepEqual(
    uses.map(one => [one.name, one.kind, facts.definitions[one.enclosing]?.tail ?? '']),
    [
      ['C', 'implementation', 'B#'],
      ['D', 'type', 'B#m().'],
      ['e', 'write', 'B#m().'],
      ['f', 'call', 'B#m().'],
      ['g', 'read', 'B#m().'],
      ['h', 'call', ''],
    ],
  );
});

test('Python references to types in annotations are of types, however deep they stand; values among them are not', async () => {
  const source = unindented(`
    def f(p: P | None, q: t.Optional[P], r: List["P"], s: Callable[[P], "P | None"], *a: P) -> list[t.Optional[P]]:
        x: Literal[V] | Annotated[P, V, V(V | V)] = V | V[V]
        y: "Annotated[P]" = [V]
  `);
  const facts = await factsOf('m.py', source);
  const kindsOf = (name: string): string[] => facts.references.filter(one => one.name === name).map(one => one.kind);
  assert.deepEqual(kindsOf('P'), Array(9).fill('type'));
  assert.deepEqual(kindsOf('Optional'), ['type', 'type']);
  assert.deepEqual(kindsOf('t'), ['read', 'read']);
  assert.deepEqual(kindsOf('V').sort(), ['call', ...Array(8).fill('read')]);
});

const hostile: readonly (readonly [name: string, source: string])[] = [
  ['empty', ''],
  ['unclosed', 'def f(a, b\nclass X:\n  y = [1,\n'],
  ['deep parentheses', `x = ${'('.repeat(20_000)}`],
  ['deep attribute chain', `x = a${'.b()'.repeat(20_000)}`],
  ['deep targets', `${'['.repeat(3000)}x${']'.repeat(3000)} = 1`],
  ['deep blocks', Array.from({ length: 90 }, (_, i) => `${' '.repeat(i)}def f${i}():`).join('\n')],
  [
    'long chain of locals',
    `def f(a0):\n def g(): return a3000.x\n${Array.from({ length: 3000 }, (_, i) => ` a${i + 1} = a${i}.n`).join('\n')}`,
  ],
  ['a name for itself', 'def f():\n x = x\n y = z\n z = y\n return y.a'],
  ['a name bound often', `def f():\n${' x = g(x)\n'.repeat(3000)} return x.a`],
];

for (const [name, source] of hostile) {
  test(`Python survives ${name}`, async () => {
    const facts = await factsOf('m.py', source);
    assert.equal(facts.language, 'python');
    for (const one of facts.references)
      assert.ok(facts.expressions[one.expression], 'every reference has an expression');
  });
}
