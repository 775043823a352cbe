import { test } from 'node:test';
import { expectTargets } from '../../support/tree-in-text.ts';

const fixtures: Readonly<Record<string, string>> = {
  'what a class gives to the type parameters of its bases': `
=== base.py
from typing import Generic, Protocol, TypeVar
T = TypeVar("T")
K = TypeVar("K", bound=str)
class Base(Generic[K, T]):
    item: T
    quoted: "list[T]"
    def __init__(self, given: T, other):
        self.given = given
    def get(self) -> T:
        return self.item
    def key(self) -> K: ...
class Passed(Base[str, T]):
    pass
class New[A](Base[str, A]):
    newest: A
=== leaf.py
from base import Base, New, Passed
class Leaf:
    def go(self): pass
class Impl(Base[str, Leaf]):
    def m(self):
        self.item.go(); self.get().go(); self.quoted[0].go(); self.given.go(); self.key().go()
#                 ^ leaf.py Leaf#go(). @0.9
#                                  ^ leaf.py Leaf#go(). @0.9
#                                                       ^ leaf.py Leaf#go(). @0.9
#                                                                        ^ leaf.py Leaf#go(). @0.9
#                                                                                         ^ external python str.go
class Far(Passed[Leaf]):
    def m(self):
        self.item.go()
#                 ^ leaf.py Leaf#go().
def use(one: Impl, two: Base[str, Leaf], three: New[Leaf], bare: Base):
    one.get().go(); two.item.go(); three.newest.go(); three.item.go()
#             ^ leaf.py Leaf#go().
#                            ^ leaf.py Leaf#go().
#                                               ^ leaf.py Leaf#go().
#                                                                ^ leaf.py Leaf#go().
`,
  'the class of a value': `
=== a.py
class Base:
    @classmethod
    def make(cls): return cls()
    def run(self):
        self.__class__.make(); type(self).make().run(); self.__class__().run()
#            ^ elsewhere
#                      ^ a.py Base#make(). @0.9
#                                         ^ a.py Base#make(). @0.9
#                                                ^ a.py Base#run(). @0.9
#                                                                        ^ a.py Base#run(). @0.9
class Other:
    def make(self): pass
def use(one: Base, unknown):
    type(one).make(); one.__class__.make(); type(one)().run(); type(unknown).make()
#             ^ a.py Base#make(). @0.9
#                                   ^ a.py Base#make(). @0.9
#                                                       ^ a.py Base#run(). @0.9
#                                                                            ^ candidate
    type(one).__name__
#             ^ elsewhere
`,
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));
