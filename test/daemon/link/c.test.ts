import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { scopeOfTail } from '../../../daemon/model/mount.ts';
import { expectLinks } from '../../support/carets.ts';
import { mountFile } from '../../support/linked-tree.ts';

test('a static function is its file’s own, an external one is one with its prototypes', async () => {
  await expectLinks(`
    -- list.h --
    int list_size(int list);

    -- one.c --
    #include "list.h"
    static int init(void) { return 1; }
    int one(void) { return init() + list_size(2); }
                           ^ one.c static/init().
                                    ^ list_size().

    -- two.c --
    #include "list.h"
    static int init(void) { return 2; }
    int two(void) { return init() + list_size(3) + one(); }
                           ^ two.c static/init().
                                    ^ list_size().
                                                   ^ one().

    -- list.c --
    #include "list.h"
    int list_size(int list) { return list; }
  `);
});

test('what an anonymous namespace holds is its file’s own', async () => {
  await expectLinks(`
    -- a.cpp --
    namespace { int helper() { return 1; } struct Box { int size; }; }
    int useA() { Box b; return helper(); }
                 ^ a.cpp static/Box#
                               ^ a.cpp static/helper().
    -- b.cpp --
    namespace { int helper() { return 2; } struct Box { int size; }; }
    int useB() { Box b; return helper(); }
                 ^ b.cpp static/Box#
                               ^ b.cpp static/helper().
  `);
});

test('ids of what is private to a file differ between files, those of what is not are the same', async () => {
  const text = 'static int init(void) { return 1; }\nint shared(void);\n';
  const [one, two] = [(await mountFile('one.c', text))!, (await mountFile('two.c', text))!];
  const ids = [one, two].map(document =>
    document.facts.definitions.map(({ tail }) => symbolHash(scopeOfTail(document, tail), tail)),
  );
  assert.deepEqual(
    one.facts.definitions.map(definition => definition.tail),
    ['static/init().', 'shared().'],
  );
  assert.notEqual(ids[0]![0], ids[1]![0]);
  assert.equal(ids[0]![1], ids[1]![1]);
});

test('a macro that the grammar has no place for is referred to all the same, from the definition around it', async () => {
  await expectLinks(`
    -- api.h --
    #define LIB_API __attribute__((visibility("default")))
    #define TEST_BEGIN(x) do {
    #define gen(a, b) int b;
    #define ON_END
    class LIB_API Shape {
          ^ LIB_API!
    };
    LIB_API void draw(int);
    ^ LIB_API!
    LIB_API area_t (*hook)(void) TEST_BEGIN(1);
    ^ LIB_API!
                                 ^ TEST_BEGIN!

    -- use.cpp --
    #include "api.h"
    #define OWN_API
    gen(int, tree)
    ^ gen!
    OWN_API void mine(int x) { /* LIB_API */
    ^ use.cpp static/OWN_API!
      TEST_BEGIN("ON_END") // LIB_API
      ^ TEST_BEGIN!
      x = 1;
    }
  `);
  const { definitions, references } = (await mountFile('a.c', '#define A_B\nint f(void) {\n  A_B\n  return 1;\n}\n'))!
    .facts;
  assert.deepEqual(
    references.map(one => [one.name, one.kind, definitions[one.enclosing]?.name]),
    [['A_B', 'read', 'f']],
  );
  const [hook] = (await mountFile('b.c', 'LIB_API area_t (*hook)(void) LIB_ATTR;\n'))!.facts.definitions;
  assert.equal(hook?.signature, 'LIB_API area_t (*hook)(void) LIB_ATTR');
});

test('a file sees what it includes: beside it, below a folder of headers, by way of others', async () => {
  await expectLinks(`
    -- src/main.c --
    #include "local.h"
    #include <lib/list.h>
    #include <string.h>
    int main(void) {
        struct list *l = list_new();
                         ^ list_new().
        l->head->value = LIMIT;
           ^ list#head.
                 ^ node#value.
                         ^ LIMIT!
        l->free(RED);
           ^ list#free.
                ^ color#RED.
        strlen("x"); unseen_type t; local(1);
        ^ std c:strlen
                     ^ ?
                                    ^ src/local.h static/local().
        struct node n = { .value = 1, .next = &n };
                           ^ node#value.
        list_t *same = l; same->head++;
        ^ list_t#
                                ^ list#head.
        return 0;
    }
    -- src/local.h --
    static inline int local(int x) { return x; }
    -- include/lib/list.h --
    #include "node.h"
    #define LIMIT 3
    enum color { RED };
    typedef struct list { struct node *head; void (*free)(int); } list_t;
    struct list *list_new(void);
    -- include/lib/node.h --
    struct node { int value; struct node *next; };
    -- other/unseen.h --
    typedef int unseen_type;
  `);
});

test('a structure that a header only names is seen into where it is written down', async () => {
  await expectLinks(`
    -- store.h --
    typedef struct _store store;
    -- store.c --
    #include "store.h"
    struct _store { int count; };
    int size(store *s) { return s->count; }
                                   ^ store.c static/_store#count.
  `);
});

test('names of C++ are looked for through classes, bases, namespaces, and what is opened', async () => {
  await expectLinks(`
    -- shape.h --
    #pragma once
    #define API
    namespace geo {
    namespace detail { int helper(int); struct Hidden { int h; }; }
    enum class Kind { round, flat };
    class API Base { public: int base_; virtual int area(); };
    template <typename T> class Shape : public Base {
    public:
      Shape(int size) : size_(size) {}
      T *data() { return this->ptr_; }
                               ^ geo/Shape#ptr_.
      Shape<T> &grow();
      static int count;
      int area(int scale);
    private:
      int size_; T *ptr_; Kind kind_;
                          ^ geo/Kind#
    };
    Shape<Base> make(int a);
    Shape<Base> make(int a, int b);
    }
    -- shape.cpp --
    #include "shape.h"
    namespace geo {
    int Base::area() { return base_ + detail::helper(1); }
                              ^ geo/Base#base_.
                                              ^ geo/detail/helper(int).
    Shape<Base> make(int a) { return Shape<Base>(a); }
                                     ^ geo/Shape#
    }
    -- use.cpp --
    #include "shape.h"
    using namespace geo;
    namespace short_ = geo::detail;
    int use(geo::Shape<Base> &shape, Kind kind) {
                 ^ geo/Shape#
                       ^ geo/Base#
      auto *made = new Shape<Base>(1);
      made->base_ = shape.grow().size_;
            ^ geo/Base#base_.
                                 ^ geo/Shape#size_.
      auto two = geo::make(1, 2);
                      ^ geo/make(int,int).
      two.area(3);
          ^ geo/Shape#area(int).
      two.data()->area();
                  ^ geo/Base#area().
      if (kind == Kind::flat) return short_::helper(2);
                        ^ geo/Kind#flat.
                                             ^ geo/detail/helper(int).
      std::vector<Base> all;
           ^ std cpp:vector
      int made2 = 1;
      return made2 + Shape<int>::count;
             ^ -
                                 ^ geo/Shape#count.
    }
  `);
});

test('of several functions of a name the one is called that takes as much, and what is written like it', async () => {
  await expectLinks(`
    -- over.h --
    class style {};
    void put(style s, int a);
    void put(const char *text, int a);
    void put(int a);
    template <typename... T> void all(style s, const char *text, T... rest);
    template <typename... T> void all(const char *text, T... rest);
    -- use.cpp --
    #include "over.h"
    TEST(over, put) {
         ^ -
               ^ -
      style plain;
      put(1);
      ^ put(int).
      put("x", 1);
      ^ put(const char*,int).
      put(plain, 1);
      ^ put(style,int).
      all("x", 1, 2);
      ^ all(const char*,T...).
    }
  `);
});

test('a test that is named by a text is a method of the class of its fixture', async () => {
  await expectLinks(`
    -- fixture.h --
    #pragma once
    namespace db {
    class Base { public: int depth_; void Close(); };
    class Shared : public Base { public: int Put(int key); };
    }
    -- db_test.cpp --
    #include "fixture.h"
    int Put(int key);
    namespace db {
    TEST_CASE_METHOD(Shared, "writes", "[db]") {
                     ^ db/Shared#
      Put(1);
      ^ db/Shared#Put(int).
      SECTION("deeper") {
        CHECK(depth_ == this->Put(2));
              ^ db/Base#depth_.
                              ^ db/Shared#Put(int).
        int depth_ = 1;
        depth_++;
        ^ -
      }
    }
    TEST_CASE("alone") { Put(3); }
                         ^ Put(int).
    }
    SCENARIO_METHOD(db::Shared, "writes below") { Close(); }
                        ^ db/Shared#
                                                  ^ db/Base#Close().
    TEST_CASE_FIXTURE(db::Shared, "writes as doctest has it") { Put(4); }
                                                                ^ db/Shared#Put(int).
    TEST_CASE_METHOD(Unknown, "of nothing") { Put(5); }
                                              ^ Put(int).
    void plain() {
      CALL_METHOD(db::Shared, "with its end");
      { Put(6); }
        ^ Put(int).
    }
  `);
});

test('a test is a method of the class of its fixture', async () => {
  await expectLinks(`
    -- fixture.h --
    #pragma once
    namespace db {
    class Base { public: int depth_; void Close(); };
    class Shared : public Base { public: int Put(int key); int Put(int key, int value); static int made; struct Row { int id; }; };
    }
    -- db_test.cc --
    #include "fixture.h"
    int Put(int key);
    namespace db {
    namespace { class Own { protected: int Get(int key) { return key; } int kept_; }; }
    TEST_F(Shared, Writes) {
           ^ db/Shared#
                   ^ -
      Put(1);
      ^ db/Shared#Put(int).
      this->Put(1, 2);
            ^ db/Shared#Put(int,int).
      ASSERT_EQ(depth_, Shared::made);
                ^ db/Base#depth_.
                                ^ db/Shared#made.
      Row row;
      ^ db/Shared#Row#
      [&] { Close(); }();
            ^ db/Base#Close().
      Other();
      ^ db_test.cc db/static/Other().
      int depth_ = 1;
      depth_++;
      ^ -
    }
    static int Other() { return 1; }
    TEST_P(Own, Reads) { kept_ = Get(1); }
                         ^ db_test.cc db/static/Own#kept_.
                                 ^ db_test.cc db/static/Own#Get(int).
    TYPED_TEST(Own, Types) { Get(2); }
                             ^ db_test.cc db/static/Own#Get(int).
    TEST(Shared, Plain) { Put(3); }
                          ^ Put(int).
    }
    TEST_F(db::Shared, Below) { Close(); }
               ^ db/Shared#
                                ^ db/Base#Close().
    TEST_F(Unknown, Below) { Put(1); }
                             ^ Put(int).
  `);
});

test('C++: what the library’s pointers and containers hold', async () => {
  await expectLinks(`
    -- x.h --
    #include <memory>
    #include <vector>
    struct X { void m(); X *next; void reset(); };
    struct Holder { std::vector<X> rows[2], cells[2][2]; std::shared_ptr<X> one; std::vector<X> all; std::vector<std::unique_ptr<X>> owned; };
    using Pointer = std::shared_ptr<X>;
    struct Decoy { void m(); int next; };
    -- use.cpp --
    #include "x.h"
    void go(Holder &h, const std::unique_ptr<X> &p, std::array<X, 3> a, Pointer q, std::map<int, X> by, std::weak_ptr<X> w) {
      p->next->m();
         ^ X#next.
               ^ X#m().
      p.reset();
        ^ std cpp:unique_ptr.reset
      p.get()->m();
               ^ X#m().
      (*p).m();
           ^ X#m().
      q->m();
         ^ X#m().
      w.lock()->m();
                ^ X#m().
      h.one->m();
             ^ X#m().
      h.owned[0]->m();
                  ^ X#m().
      a[0].m();
           ^ X#m().
      for (auto &e : h.all) e.m();
                              ^ X#m().
      for (const auto &e : h.owned) e->m();
                                       ^ X#m().
      for (auto it = h.all.begin(); it != h.all.end(); ++it) it->m();
                                                                 ^ X#m().
      h.all.back().m();
                   ^ X#m().
      by.find(1)->second.m();
                         ^ X#m().
      by.at(1).m();
               ^ X#m().
      h.all.m();
            ^ std cpp:vector.m
      h.rows[0].m(); h.rows[0][1].m();
                ^ std cpp:vector.m
                                  ^ X#m().
      h.cells[0][1].m(); h.cells[0][1][2].m();
                    ^ std cpp:vector.m
                                          ^ X#m().
      std::vector<X> own[2];
      own[1].m(); own[1].front().m();
             ^ std cpp:vector.m
                                 ^ X#m().
    }
  `);
});

test('C++: the constructor that a call means, by number and texts of its arguments', async () => {
  await expectLinks(`
    -- x.h --
    class X { public: X(int a); X(int a, int b); X(const char *s); };
    class One { public: One(int a); };
    -- use.cpp --
    #include "x.h"
    void go(int n) {
      X(1, 2); X("x"); X(n + 1);
      ^ X#X(int,int).
               ^ X#X(const char*).
                       ^ X#X(int).
      One(1);
      ^ One#
    }
  `);
});

test('C++: what subscripts give, and what the parts of a pair are', async () => {
  await expectLinks(`
    -- x.h --
    #pragma once
    #include <map>
    #include <set>
    #include <vector>
    struct X { void m(); int n; };
    struct Row { X &operator[](int at); X only; };
    struct Table { const Row &operator[](const char *name) const; Row &operator [](int at); };
    template <typename T> struct Grid { T &operator[](int at); };
    using ByName = std::map<std::string, X>;
    struct Decoy { void m(); int n; };
    -- use.cpp --
    #include "x.h"
    void go(std::map<int, X> &by, ByName named, std::unordered_map<int, std::unique_ptr<X>> owned, Table t, Row *rows) {
      by[1].m();
            ^ X#m().
      named["a"].m();
                 ^ X#m().
      owned[1]->m();
                ^ X#m().
      std::map<int, std::vector<X>> lists;
      lists[1][0].m();
                  ^ X#m().
      lists[1].back().m();
                      ^ X#m().
      t["a"][0].m();
                ^ X#m().
      t[0].only.m();
                ^ X#m().
      Grid<X> grid;
      grid[3].m();
              ^ X#m().
      Grid<X> grids[2];
      grids[1][3].m();
                  ^ X#m().
      X plain[2], *pointer = plain;
      plain[0].m(); pointer[1].m();
               ^ X#m().
                               ^ X#m().
      rows[1].only.m();
                   ^ X#m().
      for (auto &entry : by) entry.second.m();
                                          ^ X#m().
      for (const auto &[key, value] : by) value.m();
                                                ^ X#m().
      for (auto &[key, value] : owned) { value->m(); key.m(); }
                                                ^ X#m().
                                                         ^ std cpp:int.m
      if (auto [at, isNew] = named.try_emplace("b"); isNew) at->second.m();
                                                                       ^ X#m().
      named.emplace("c").first->second.m();
                                       ^ X#m().
      std::set<X> all;
      all.insert(X{}).first->m();
                             ^ X#m().
      std::pair<int, X> pair;
      auto [first, second] = pair;
      second.m();
             ^ X#m().
      std::tuple<int, int, X> three;
      auto [a, b, c] = three;
      c.m();
        ^ X#m().
    }
  `);
});

test('a base is implemented, and a class is called by whatever makes one of it', async () => {
  await expectLinks(`
    -- box.h --
    namespace shop {
    template <class T> struct Shelf { Shelf(int n); T *first; };
    struct Box { Box(int size); Box(const Box &other); int size_; };
    struct Cube : public Box, private Shelf<Box>, shop::Shelf<int> {
                         ^ implementation shop/Box#
                                      ^ implementation shop/Shelf#
                                            ^ type shop/Box#
                                                        ^ implementation shop/Shelf#
      Cube(int side) : Box(side), Shelf<Box>(2), shop::Shelf<int>(3), side_(side) {}
                       ^ call shop/Box#Box(int).
                                  ^ call shop/Shelf#
                                        ^ type shop/Box#
                                                       ^ call shop/Shelf#
                                                                      ^ write shop/Cube#side_.
      Cube() : Cube(1) {}
               ^ call shop/Cube#Cube(int).
      explicit Cube(char *text);
      int side_;
      Box spare_{7};
      ^ call shop/Box#Box(int).
    };
    }
    -- box.cpp --
    #include "box.h"
    shop::Box::Box(int size) : size_(size) {}
                               ^ write shop/Box#size_.
                               ^ call -
    shop::Cube::Cube(char *text) : Box(2), side_(3) {}
                                   ^ write -
                                   ^ call shop/Box#Box(int).
                                           ^ write shop/Cube#side_.
    using namespace shop;
    void fill(Box given) {
              ^ type shop/Box#
      Box one(4), two{5};
      ^ call shop/Box#Box(int).
      Box three = {6};
      ^ call shop/Box#Box(int).
      Cube plain;
      ^ call shop/Cube#Cube().
      extern Cube elsewhere;
             ^ type shop/Cube#
      Cube &known = plain, *none;
      ^ type shop/Cube#
      Box *four = new Box(7), *five(four);
      ^ type shop/Box#
                      ^ call shop/Box#Box(int).
      Shelf<Box> shelf(8);
      ^ call shop/Shelf#
            ^ type shop/Box#
      shop::Shelf<Box> other(9);
            ^ call shop/Shelf#
      auto six = Box{10};
                 ^ call shop/Box#Box(int).
      Cube empty{};
      ^ call shop/Cube#Cube().
      Box seven = given;
      ^ type shop/Box#
      Box eight();
      ^ type shop/Box#
      new Shelf<Box>(11);
          ^ call shop/Shelf#
    }
  `);
});

test('what reads like the parameters of a function, in one, is what a variable is made of where it is no type', async () => {
  await expectLinks(`
    -- guard.cpp --
    struct Mutex {};
    struct Guard { Guard(Mutex &on, int times); Guard(Mutex *on); Guard(Mutex *on, long times); void lock(); };
    Mutex *make(); int number(); long number(Mutex on); namespace ns { Mutex *make(); }
    template <class F, class T> struct Thread { Thread(F, T); };
    int twice(int of) { return 2 * of; }
    struct Env {
      static void run();
      Mutex mutex_;
      void start(int count) {
        Thread<int, int> thread(Env::run, this);
        ^ call guard.cpp static/Thread#
                                     ^ read guard.cpp static/Env#run().
                                          ^ -
        Guard held(mutex_, count);
        ^ call guard.cpp static/Guard#Guard(Mutex&,int).
                   ^ read guard.cpp static/Env#mutex_.
                           ^ -
        Guard more(mutex_, twice(count));
                           ^ call twice(int).
        Guard declared(Mutex, int);
        ^ type guard.cpp static/Guard#
                       ^ type guard.cpp static/Mutex#
        Guard made(make()), other(ns::make(), number(mutex_)); const int plain(number());
        ^ call guard.cpp static/Guard#Guard(Mutex*).
                   ^ call make().
                                      ^ call ns/make().
                                              ^ call number(Mutex).
                                                     ^ read guard.cpp static/Env#mutex_.
                                                                               ^ call number().
        Guard list(ns::make(), number(mutex_)); made.lock();
        ^ call guard.cpp static/Guard#Guard(Mutex*,long).
                       ^ call ns/make().
                                                     ^ call guard.cpp static/Guard#lock().
        Guard of(const Mutex &()), by(Mutex(*)());
        ^ type guard.cpp static/Guard#
                       ^ type guard.cpp static/Mutex#
      }
    };
  `);
});

test('C++: what arguments are tells functions of one name apart: literals, declared types, arithmetic, what functions give', async () => {
  await expectLinks(`
    -- d.h --
    struct P { int x; };
    struct Q : P {};
    enum Colour { red };
    using Number = double;
    int ov(int a);
    int ov(double a);
    int ov(const P &p);
    int ov(const char *text);
    int ov(bool is);
    struct D {
      int n; const char *s; double d(); unsigned char bytes[4]; Number alias; std::string text;
      static int f(int a); static int f(const char *s); static int f(double d);
      void set(int a, const char *s); void set(double a, const char *s);
      int get(P &p); int get(P &&p);
      int &at(int i); const int &at(int i) const;
    };
    -- d.cpp --
    #include "d.h"
    void go(D &d, const char *given, P p, Q q, float *many, D *other) {
      D::f(d.n); D::f(d.s); D::f(d.d()); D::f(1.5); D::f(1.5f); D::f('c'); D::f(nullptr); D::f("x"); D::f(0x1F);
         ^ D#f(int).
                    ^ D#f(const char*).
                               ^ D#f(double).
                                            ^ D#f(double).
                                                       ^ D#f(double).
                                                                   ^ D#f(int).
                                                                              ^ D#f(const char*).
                                                                                             ^ D#f(const char*).
                                                                                                        ^ D#f(int).
      D::f(d.n * 2.0); D::f(-d.n + 'c'); D::f(sizeof p); D::f((double)d.n); D::f(static_cast<double>(d.n)); D::f(d.alias);
         ^ D#f(double).
                          ^ D#f(int).
                                            ^ ?
                                                            ^ D#f(double).
                                                                               ^ D#f(double).
                                                                                                               ^ D#f(double).
      auto copied = d.s; D::f(copied); D::f(*copied); D::f(*many); D::f(d.bytes[1]); D::f(d.text.size()); D::f(unknown());
                            ^ D#f(const char*).
                                          ^ D#f(int).
                                                         ^ D#f(double).
                                                                      ^ D#f(int).
                                                                                        ^ ?
                                                                                                             ^ ?
      ov(1); ov(2.5); ov(P{1}); ov(q); ov(d.n > 1); ov(given + 1); ov(Colour::red); ov(unknown()); ov(true ? 1 : 2);
      ^ ov(int).
             ^ ov(double).
                      ^ ov(const P&).
                                ^ ov(const P&).
                                       ^ ov(bool).
                                                    ^ ov(const char*).
                                                                   ^ ov(int).
                                                                                    ^ ?
                                                                                                   ^ ov(int).
      other->set(1, "a"); other->set(unknown(), "a"); other->get(p); other->at(1);
             ^ D#set(int,const char*).
                                 ^ ?
                                                             ^ ?
                                                                            ^ D#at(int).
    }
  `);
});

test('what is called in parentheses is called, but for what C casts to', async () => {
  await expectLinks(`
    -- h.h --
    int far(int x);
    int wide(int x, int y);
    typedef long my_time;
    #define Unit unsigned char
    struct hook { int (*run)(int); };
    -- a.c --
    #include "h.h"
    static int near(int x) { return x; }
    int go(struct hook *one) {
      (near)(1); ((far))(2); (wide)(3, 4); (one->run)(5); (*one->run)(6); (far);
       ^ call a.c static/near().
                   ^ call far().
                              ^ call wide().
                                                 ^ call hook#run.
                                                                 ^ read hook#run.
                                                                           ^ read far().
      return (far)(7) + (my_time)(8) + (missing)(9) + (Unit)(10);
              ^ call far().
                         ^ read my_time#
                                        ^ read ?
    }
    -- a.cpp --
    #include "h.h"
    int come() { return (far)(1) + (my_time)(2); }
                         ^ call far().
                                    ^ call my_time#
  `);
});

test('what a macro is made of calls what its text calls', async () => {
  await expectLinks(`
    -- log.h --
    void log_impl(int level, const char *text);
    int level(void);
    struct out { void (*put)(int); };
    #define LOG(text, ...) do { if (level()) log_impl((level_of(text)), (text)); } while (0)
                                    ^ call level().
                                             ^ call log_impl().
                                                       ^ call ?
    #define DEFAULT_LEVEL level()
                          ^ call level().
    #define PUT(to, of) (to)->put(level); of(1); level##of(2); "level(3)"; level /* level(4) */ (5)
                              ^ -
                                          ^ -
                                                 ^ -
                                                                ^ -
    #define DECLARE(name) static int level(int name) { return level(); }
                                     ^ -
                                                              ^ call level().
    #define level(x) (level)(x) + level(x)
                                  ^ -
    #define MARKED __attribute__((format(printf, 1, level()))) LOG("x") \\
                                  ^ -
                                                    ^ -
                                                               ^ call LOG!
      DEFAULT_LEVEL; log_impl(1, "log_impl(2)")
                     ^ call log_impl().
    -- log.cpp --
    namespace shop { int price(int of); struct Box { Box(int size); }; }
    #define PRICE(of) shop::price(of) + shop::Box(of).size()
                            ^ call shop/price(int).
                                              ^ call log.cpp shop/static/Box#
                                                      ^ -
  `);
});
