import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('what a file keeps to itself in a namespace is found by the namespace, too', async () => {
  await expectLinks(`
    -- a.cpp --
    namespace we {
    class Own { public: int val; void go(); struct In { int x; }; };
    typedef Own Named;
    namespace { struct Hidden { int h; }; }
    static int kept(int);
    }
    void we::Own::go() { val = 1; }
                         ^ a.cpp we/static/Own#val.
    void use(we::Own one, we::Named two, we::Own::In in, we::Hidden hidden) {
      one.val = two.val + in.x + hidden.h + we::kept(1);
          ^ a.cpp we/static/Own#val.
                    ^ a.cpp we/static/Own#val.
                             ^ a.cpp we/static/Own#In#x.
                                        ^ a.cpp we/static/Hidden#h.
                                                ^ a.cpp we/static/kept(int).
    }
    namespace other = we;
    void useOther(other::Own one) { one.val = 1; }
                                        ^ a.cpp we/static/Own#val.
    -- b.cpp --
    namespace we { class Own { public: int other; }; }
    void use(we::Own one) { one.other = 1; }
                                ^ b.cpp we/static/Own#other.
    using namespace we;
    void useOpened(Own one) { one.other = 1; }
                                  ^ b.cpp we/static/Own#other.
  `);
});

test('so is what headers keep to their users, and of a template not what a file writes for some arguments', async () => {
  await expectLinks(`
    -- n.h --
    namespace n {
    static const int limit = 3;
    namespace { inline int hidden() { return 1; } }
    template <class T> struct Maker { static int make(); };
    void parse(int a);
    }
    -- use.cpp --
    #include "n.h"
    namespace n {
    struct Own {};
    template <> struct Maker<Own> { static int make(); };
    static void parse(const char *text);
    }
    int limits() { return n::limit + n::hidden() + n::Maker<int>::make(); }
                             ^ n.h n/static/limit.
                                        ^ n.h n/static/hidden().
                                                      ^ n/Maker#
    void parsed() { n::parse(1); n::parse("x"); }
                       ^ n/parse(int).
                                    ^ use.cpp n/static/parse(const char*).
    -- unseeing.cpp --
    int limits() { return n::limit; }
                             ^ ?
  `);
});

test('a namespace may be opened by a path alone, and be named by one', async () => {
  await expectLinks(`
    -- deep.h --
    namespace p::q::r { struct Deep { int d; }; }
    namespace short_ = ::p::q::r;
                               ^ p/q/r/
    namespace p::q { inline int within(r::Deep deep) { return deep.d; } }
                                       ^ p/q/r/
                                                                   ^ p/q/r/Deep#d.
    -- use.cpp --
    #include "deep.h"
    int use(p::q::r::Deep one, short_::Deep two, ::p::q::r::Deep three) { return one.d + two.d + three.d; }
                                                                                     ^ p/q/r/Deep#d.
                                                                                             ^ p/q/r/Deep#d.
                                                                                                       ^ p/q/r/Deep#d.
    using namespace p::q::r;
    int useOpened(Deep one) { return one.d; }
                                         ^ p/q/r/Deep#d.
  `);
});
