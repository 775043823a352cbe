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
    'namespace packages that several projects add to',
    `
    -- core/pyproject.toml --
    -- core/src/acme/core/__init__.py --
    def start(): ...
    -- core/src/acme/core/util.py --
    def help(): ...
    -- core/src/acme/plain.py --
    def bare(): ...
    -- web/pyproject.toml --
    -- web/src/acme/web/__init__.py --
    from acme.core import start, util as u
                          ^ core/src/acme/core/__init__.py start().
    import acme.core.util
    import acme.core.util as w
    from acme import core, plain
    start()
    ^ core/src/acme/core/__init__.py start().
    u.help()
      ^ core/src/acme/core/util.py help().
    w.help()
      ^ core/src/acme/core/util.py help().
    acme.core.util.help()
                   ^ core/src/acme/core/util.py help().
    core.start()
         ^ core/src/acme/core/__init__.py start().
    plain.bare()
          ^ core/src/acme/plain.py bare().
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
];

for (const [name, tree] of cases) test(`Python ${name}`, () => expectLinks(tree));
