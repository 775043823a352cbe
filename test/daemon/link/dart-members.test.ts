import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('a constructor that is called `_` is named behind its class; a wildcard names nothing', async () => {
  await expectLinks(`
    -- a.dart --
    class Task {
      Task._(this.size);
      Task.queued(int size) : this._(size);
                                   ^ call Task#_().
      factory Task.made() => Task._(1);
                                  ^ call Task#_().
      final int size;
    }
    class Sub extends Task { Sub() : super._(2); }
                                           ^ call Task#_().
    enum Level { low._(1); const Level._(int at); }
                     ^ Level#_().
    void f(List<Task> all) {
      all.map((_) => Task._(3)).first.size;
               ^ -
                          ^ call Task#_().
      final make = Task._;
                        ^ read Task#_().
      new Task._(4);
               ^ call Task#_().
      final (_, one) = (1, 2);
             ^ -
      switch (one) { case _: break; }
                          ^ -
      for (final _ in all) {}
                 ^ -
    }
  `);
});

test('what a library’s class has of its type arguments is of them, where it is known to be', async () => {
  await expectLinks(`
    -- base.dart --
    import 'package:flutter/widgets.dart';
    abstract class BaseState<T extends StatefulWidget> extends State<T> { void start() {} }
    extension Shown on BuildContext { void show() {} }
    -- a.dart --
    import 'package:other/other.dart';
    import 'package:flutter/widgets.dart';
    import 'base.dart';
    class Page extends StatefulWidget { final int speed = 1; void go() {} }
    class PageState extends State<Page> with Ticking {
      build() => widget.speed;
                 ^ pub flutter:State.widget
                        ^ Page#speed.
      run() { this.widget.go(); widget.key; context.show(); }
                          ^ Page#go().
                                       ^ pub flutter:StatefulWidget.key
                                                    ^ base.dart Shown#show().
    }
    class OtherState extends BaseState<Page> {
      run() { widget.go(); start(); }
                     ^ Page#go().
                           ^ base.dart BaseState#start().
    }
    void f(PageState state) => state.widget.speed;
                                            ^ Page#speed.
    class Own extends Holder<Page> {
      run() { held.go(); }
              ^ pub other:Holder.held
                   ^ ?
    }
    class Kept { void go() {} }
  `);
});

test('a class has the elements of the library’s that it extends or is mixed with', async () => {
  await expectLinks(`
    -- a.dart --
    import 'dart:collection';
    class Item { void use() {} }
    class Bag extends ListMixin<Item> {}
    class Few with SetMixin<Item> {}
    void f(Bag bag, Few few) {
      for (final one in bag) { one.use(); }
                                   ^ Item#use().
      bag.first.use();
                ^ Item#use().
      few.forEach((one) => one.use());
                               ^ Item#use().
    }
  `);
});

test('an extension without name is seen in its library, and nowhere else', async () => {
  await expectLinks(`
    -- a.dart --
    import 'package:flutter_test/flutter_test.dart';
    part 'part.dart';
    extension on String { String shout() => twice(); String twice() => this; }
                                            ^ \`extension on String\`#twice().
    extension on String { int count() => 1; }
    extension on Iterable<int> { int sum() => 0; }
    extension on WidgetTester { void open() {} }
    extension on Item { int plus() => size; }
                                      ^ Item#size.
    class Item { final int size = 1; }
    void f(String s, List<int> all, WidgetTester tester) {
      s.shout();
        ^ \`extension on String\`#shout().
      s.count();
        ^ \`extension on String +1\`#count().
      all.sum();
          ^ \`extension on Iterable<int>\`#sum().
      tester.open();
             ^ \`extension on WidgetTester\`#open().
      shout();
      ^ pub flutter_test:shout
    }
    -- part.dart --
    part of 'a.dart';
    void g() => Item().plus();
                       ^ a.dart \`extension on Item\`#plus().
    -- b.dart --
    import 'a.dart';
    void g() => Item().plus();
                       ^ elsewhere
  `);
});
