import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('what a class says of -> and * leads to what it gives, a pointer to the class to the class itself', async () => {
  await expectLinks(`
    -- handle.h --
    template <class T> struct Handle {
      T *operator ->() const;
      T &operator*() const;
      T *get();
      void reset();
    };
    struct Dog { void speak(); void reset(); };
    struct DogHandle { Dog *operator->(); Dog &operator*(); };
    typedef Handle<Dog> DogPtr;
    struct Unknowing { unseen_type operator->(); void reset(); };
    struct Vector { Vector *next; int operator*(const Vector &other); };
    -- use.cpp --
    #include "handle.h"
    struct Kennel { Handle<Dog> dog_; Vector *vector_; void go(); };
    void Kennel::go() {
      dog_->speak(); (*dog_).speak(); dog_.get()->speak();
            ^ Dog#speak().
                             ^ Dog#speak().
                                                  ^ Dog#speak().
      (*vector_).next = vector_->next;
                 ^ Vector#next.
                                 ^ Vector#next.
    }
    void use(Handle<Dog> one, DogHandle two, Handle<Dog> *three, DogPtr four, Unknowing five, Unknowing *six) {
      one->speak(); (*one).speak(); two->speak(); four->speak();
           ^ Dog#speak().
                           ^ Dog#speak().
                                         ^ Dog#speak().
                                                        ^ Dog#speak().
      one->reset(); one.reset();
           ^ Dog#reset().
                        ^ Handle#reset().
      three->reset(); (*three)->speak(); (**three).speak(); (&one)->reset();
             ^ Handle#reset().
                                ^ Dog#speak().
                                                   ^ Dog#speak().
                                                                    ^ Handle#reset().
      auto &dog = *one; dog.speak();
                            ^ Dog#speak().
      auto same = three; same->reset();
                               ^ Handle#reset().
      five->reset(); six->reset();
            ^ ?
                          ^ Unknowing#reset().
    }
  `);
});
