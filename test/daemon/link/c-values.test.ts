import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('what a condition declares has the value that is beside it, as far as its statement goes', async () => {
  await expectLinks(`
    -- dog.h --
    struct Animal { virtual ~Animal(); };
    struct Dog : Animal { Dog(int a); Dog(int a, int b); void speak(); };
    struct Cat { void speak(); };
    Dog *find1();
    Dog *next();
    -- use.cpp --
    #include "dog.h"
    void use(Animal *a, Cat *d) {
      if (auto *d = find1()) d->speak(); else d->speak();
                                ^ Dog#speak().
                                                 ^ Dog#speak().
      d->speak();
         ^ Cat#speak().
      if (const auto *e = dynamic_cast<Dog *>(a)) e->speak();
                                                     ^ Dog#speak().
      while (auto *g = next()) g->speak();
                                  ^ Dog#speak().
      if (Dog *h = find1()) h->speak();
                               ^ Dog#speak().
      if (auto i = find1(); i) i->speak();
                                  ^ Dog#speak().
      if (auto j = std::make_unique<Dog>(1)) j->speak();
                                                ^ Dog#speak().
      if (Dog k{1, 2}) k.speak();
          ^ Dog#Dog(int,int).
                         ^ Dog#speak().
      switch (auto *d = find1(); 1) { default: d->speak(); }
                                                  ^ Dog#speak().
      d->speak();
         ^ Cat#speak().
    }
  `);
});

test('a function gives what stands behind its arrow, which is looked for in its class', async () => {
  await expectLinks(`
    -- list.h --
    struct Node { int other; };
    struct List {
      struct Node { int val; };
      auto find() -> Node *;
      auto operator[](int at) -> Node &;
      template <typename T> auto as() -> T *;
    };
    auto outside() -> Node *;
    -- list.cpp --
    #include "list.h"
    auto List::find() -> Node * { return nullptr; }
    void use(List &list) {
      list.find()->val = outside()->other;
                   ^ List#Node#val.
                                    ^ Node#other.
      list[1].val = 1;
              ^ List#Node#val.
      auto made = [](int at) -> List::Node { return {}; };
      made(1).val = 1;
              ^ List#Node#val.
      auto unsaid = [](int at) { return outside(); };
      unsaid(1)->other = 1;
                 ^ ?
    }
  `);
});
