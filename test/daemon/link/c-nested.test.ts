import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('fields and results of a class are of the types that it nests, before those around it', async () => {
  await expectLinks(
    `
    -- list.cpp --
    struct Other { void run(); int val; };
    struct Node { int other; };
    class List {
      struct Node { Node *next; int val; void run() {} };
      typedef Node Named;
      using Pointer = Node *;
      struct Longer : Node {};
                      ^ List#Node#
      Node *head_; Node tail_; Named named_; Pointer pointer_; Longer longer_;
      Node *find();
      friend Node *first(List &);
             ^ List#Node#
      void push(int v) {
        head_->val = v;
               ^ List#Node#val.
        tail_.run();
              ^ List#Node#run().
        auto *x = head_; x->next->run();
                                  ^ List#Node#run().
        find()->val = named_.val + pointer_->val + longer_.val;
                ^ List#Node#val.
                             ^ List#Node#val.
                                             ^ List#Node#val.
                                                           ^ List#Node#val.
        Node *mine; mine->val = 1;
                          ^ List#Node#val.
        ::Node outer; outer.other = 1;
                            ^ Node#other.
      }
    };
    List::Node *List::find() { return head_; }
    struct Derived : List {
      Node *inherited_;
      ^ List#Node#
      void go() { inherited_->val = first(*this)->val; }
                              ^ List#Node#val.
                                                  ^ List#Node#val.
    };
    void use(List &list, Node *node) { list.find()->run(); node->other = 1; }
                                                    ^ List#Node#run().
                                                                 ^ Node#other.
  `.replaceAll(/\^ ((?:List|Node)#)/g, '^ list.cpp static/$1'),
  );
});

test('so are those of a template, of a namespace without a name, and of what another file defines', async () => {
  await expectLinks(`
    -- list.h --
    namespace n {
    class List {
     public:
      struct Node { Node *next; int val; };
      Node *find();
      Node *head_;
    };
    template <class T> class Chain {
      struct Node { Node *next; int val; };
      Node *head_;
      Node *find();
      void go() { head_->next->val = find()->val; }
                               ^ n/Chain#Node#val.
                                             ^ n/Chain#Node#val.
    };
    }
    -- list.cpp --
    #include "list.h"
    struct Node { int other; };
    namespace n {
    List::Node *List::find() { head_->val = 1; return head_; }
                                      ^ n/List#Node#val.
    }
    void use(n::List &list) { list.find()->next->val = list.head_->val; }
                                                 ^ n/List#Node#val.
                                                                   ^ n/List#Node#val.
    namespace {
    class Own { struct Node { int val; }; Node *head_; void go(); };
    void Own::go() { head_->val = 1; }
                            ^ list.cpp static/Own#Node#val.
    }
  `);
});

test('inside a class its bases bear their names, and what a macro is called is the macro', async () => {
  await expectLinks(`
    -- a.h --
    namespace lib { class Base { public: Base(int); virtual int area(); }; class Middle : public Base {}; }
    class Shape : public lib::Middle {
    #define MAKE(type, name) Shape(type *p);
      MAKE(int, one);
      ^ Shape#MAKE!
      MAKE(Base, two);
      int area() { return Base::area(); }
                                ^ lib/Base#area().
      Base *base_;
      ^ lib/Base#
      int twice() { return Unseen::area() + base_->area(); }
                                   ^ ?
                                                   ^ lib/Base#area().
    };
    template <typename... T> class Chain;
    template <typename T, typename... Rest> class Chain<T, Rest...> : Chain<Rest...> {
      struct Link { int val; };
      Link link_;
      void go() { link_.val = 1; }
                        ^ Chain#Link#val.
    };
  `);
});

test('a path of more names than anybody writes has no target, and what stands beside it has', async () => {
  await expectLinks(
    `
    -- a.cpp --
    namespace a { void near(); }
    void f() {
      ${'a::'.repeat(6000)}b();
      a::near();
         ^ a/near().
    }
    `,
  );
});
