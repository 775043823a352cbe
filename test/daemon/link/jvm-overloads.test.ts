import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('Java sees a primitive where a type of Kotlin is never null', () =>
  expectLinks(`
  -- src/main/kotlin/p/Writer.kt --
  package p
  abstract class Writer {
    abstract fun value(value: String?): Writer
    abstract fun value(value: Boolean): Writer
    abstract fun value(value: Boolean?): Writer
    abstract fun value(value: Double): Writer
    abstract fun value(value: Long): Writer
    abstract fun value(value: Number?): Writer
  }
  -- src/main/java/p/Use.java --
  package p;
  class Use {
    void run(Writer writer, Boolean maybe, Integer boxed) {
      writer.value(true);
             ^ kotlin:src/main/kotlin/p#p Writer#value(Boolean).
      writer.value(maybe);
             ^ kotlin:src/main/kotlin/p#p Writer#value(Boolean?).
      writer.value("x");
             ^ kotlin:src/main/kotlin/p#p Writer#value(String?).
      writer.value(1.5);
             ^ kotlin:src/main/kotlin/p#p Writer#value(Double).
      writer.value(3);
             ^ kotlin:src/main/kotlin/p#p Writer#value(Long).
      writer.value(boxed);
             ^ kotlin:src/main/kotlin/p#p Writer#value(Number?).
    }
  }
  `));
