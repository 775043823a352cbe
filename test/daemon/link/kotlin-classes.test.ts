import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('the names of what `copy` takes are properties where the compiler makes it, parameters where it is declared', () =>
  expectLinks(`
  -- a/Declared.kt --
  package a
  open class Base { fun copy(size: Int): Base = this }
  class Plain { val size = 1; fun copy(size: Int): Plain = this }
  class Heir(val size: Int) : Base()
  class Extended(val size: Int)
  fun Extended.copy(size: Int): Extended = this
  @Mark("x") data class Data(val size: Int) { companion object { fun make(): Data = Data(1) } }
  data class Box<T>(val held: T, val size: Int)
  -- a/Use.kt --
  package a
  fun use(plain: Plain, heir: Heir, extended: Extended, data: Data, box: Box<Plain>) {
    plain.copy(size = 3).size
          ^ Plain#copy(Int).
               ^ ?
                         ^ Plain#size.
    heir.copy(size = 3)
         ^ Base#copy(Int).
              ^ ?
    extended.copy(size = 3).size
             ^ copy(Extended,Int).
                  ^ ?
                            ^ Extended#size.
    data.copy(size = 3).copy(size = 4).size
              ^ Data#size.
                             ^ Data#size.
                                       ^ Data#size.
    Data.make().copy(size = 3)
         ^ Data#Companion#make().
                     ^ Data#size.
    box.copy(size = 3).held
             ^ Box#size.
                       ^ Box#held.
  }
  `));

test('what a constructor takes is of the types that the class itself declares', () =>
  expectLinks(`
  -- a/Spec.kt --
  package a
  class Spec(builder: Builder, val made: Int = builder.size) {
                                                       ^ Spec#Builder#size.
    val size = builder.size
                       ^ Spec#Builder#size.
    class Builder { val size = 1 }
  }
  class Builder
  `));
