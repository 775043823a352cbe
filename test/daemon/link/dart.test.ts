import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('a library sees what it imports, by way of barrels, prefixes and its own package’s name', async () => {
  await expectLinks(`
    -- pkgs/core/pubspec.yaml --
    name: core
    -- pkgs/core/lib/core.dart --
    export 'src/shapes.dart';
    export 'src/hidden.dart' show Shown;
    -- pkgs/core/lib/src/shapes.dart --
    class Shape { void draw() {} }
    int _private = 1;
    final count = _private;
                  ^ _private.
    -- pkgs/core/lib/src/hidden.dart --
    class Shown {}
    class Hidden {}
    -- pkgs/app/pubspec.yaml --
    name: app
    -- pkgs/app/lib/main.dart --
    import 'dart:io';
    import 'package:core/core.dart';
    import 'package:core/core.dart' as c show Shape;
    import 'package:path/path.dart' as p;
    void main() {
      Shape().draw();
      ^ pkgs/core/lib/src/shapes.dart Shape#
              ^ pkgs/core/lib/src/shapes.dart Shape#draw().
      c.Shape();
        ^ pkgs/core/lib/src/shapes.dart Shape#
      Shown; Hidden; _private; count;
      ^ pkgs/core/lib/src/hidden.dart Shown#
             ^ ?
                     ^ ?
                               ^ pkgs/core/lib/src/shapes.dart count.
      File('a').path.length;
      ^ std dart:io.File
                ^ std dart:io.File.path
      p.join('a');
        ^ pub path:join
    }
  `);
});

test('a part sees its library, and the library its parts', async () => {
  await expectLinks(`
    -- lib/a.dart --
    import 'b.dart';
    import 'c.dart' as c;
    part 'part.dart';
    final _secret = _ofPart();
                    ^ lib/part.dart _ofPart().
    -- lib/part.dart --
    part of 'a.dart';
    int _ofPart() => _secret + other + c.third;
                     ^ lib/a.dart _secret.
                               ^ lib/b.dart other.
                                         ^ lib/c.dart third.
    -- lib/b.dart --
    const other = 1;
    -- lib/c.dart --
    const third = 1;
  `);
});

test('members come from the declared type, its mixins, its bases and extensions', async () => {
  await expectLinks(`
    -- a.dart --
    abstract class Base { int size = 1; Base self() => this; }
    mixin Named on Base { String get name => 'n'; }
    class Box<T> extends Base with Named {
      Box(this.item);
               ^ Box#item.
      Box.empty() : item = null;
                    ^ Box#item.
      final T? item;
      int twice() => size + this.size + name.length;
                     ^ Base#size.
                                 ^ Base#size.
                                        ^ Named#name.
      @override
       ^ std dart:core.override
      Base self() => super.self();
                           ^ Base#self().
    }
    class Item { void use() {} }
    extension Handy on Item { void twice() { use(); } }
                                             ^ Item#use().
    Future<Box<Item>> load() async => Box(Item());
    void main(List<Box<Item>> boxes) async {
      final box = await load();
      box.item!.use();
          ^ Box#item.
                ^ Item#use().
      boxes.first.self().size;
                  ^ Box#self().
                         ^ Base#size.
      boxes.map((one) => one.twice());
                             ^ Box#twice().
      for (final one in boxes) { one.item; }
                                     ^ Box#item.
      Item()..use()..twice();
              ^ Item#use().
                     ^ Handy#twice().
      Box.empty().twice().isEven;
          ^ Box#empty().
                  ^ Box#twice().
      box.hashCode;
          ^ std dart:core.Object.hashCode
    }
  `);
});

test('a function that is handed over takes what the called one says', async () => {
  await expectLinks(`
    -- a.dart --
    class Request { String get url => ''; }
    typedef Handler = void Function(Request request, int count);
    typedef Mapper<T> = T Function(T one);
    void serve(Handler handler) {}
    void each(void Function(Request one) use) {}
    Mapper<Request>? mapper;
    void main() {
      serve((request, count) => request.url);
                                        ^ Request#url.
      each((one) { one.url; });
                       ^ Request#url.
    }
    Handler make() => (request, count) => request.url;
                                                  ^ Request#url.
    Mapper<Request> identity() { return (one) { one.url; return one; }; }
                                                    ^ Request#url.
    class Wrapper<T> {
      Wrapper({required this.onRequest, this.map});
      final Handler onRequest;
      final Mapper<T>? map;
    }
    final wrapped = Wrapper<Request>(onRequest: (request, count) => request.url, map: (one) { one.url; return one; });
                                                                            ^ Request#url.
                                                                                                  ^ Request#url.
    final Handler stored = (request, count) { request.url; };
                                                      ^ Request#url.
  `);
});

test('a test tells of what type a local is, and a pattern what it takes apart', async () => {
  await expectLinks(`
    -- a.dart --
    class Point { final int x = 1; }
    void f(Object o, Object p) {
      if (o is Point && o.x > 1) o.x;
                          ^ Point#x.
                                   ^ Point#x.
      if (p is! Point) return;
      p.x;
        ^ Point#x.
      switch (o) { case Point(x: final found): found.isEven; }
    }
    enum Color { red, green; Color next() => red; }
                                             ^ Color#red.
    final next = Color.red.next();
                       ^ Color#red.
                           ^ Color#next().
  `);
});

test('what `? :` gives is told on both sides, of a local by the test as far as it holds there', async () => {
  await expectLinks(`
    -- lib.dart --
    int then() => 1;
    int otherwise(int one) => one;
    enum Color { red, blue }
    -- a.dart --
    import 'lib.dart' as lib;
    class A { A(); A.named(); A get self => this; int use(int one) => one; }
    class B extends A { @override int use(int one) => 2; void only() {} }
    final color = now() ? lib.Color.red : lib.Color.blue;
                                    ^ lib.dart Color#red.
                                                    ^ lib.dart Color#blue.
    bool now() => true;
    int f(bool c, A y) => c ? lib.then() : lib.otherwise(y.use(lib.then()));
                                  ^ call lib.dart then().
                                               ^ call lib.dart otherwise().
                                                           ^ call A#use().
                                                                   ^ call lib.dart then().
    A g(bool c) => c ? A() : A.named().self;
                               ^ call A#named().
                                       ^ A#self.
    void h(A y, A? z, bool c) {
      z == null ? 0 : z.self.use(1);
                             ^ call A#use().
      print(c ? 0 : !c ? y.use(1) : y.self.use(2));
                           ^ call A#use().
                                      ^ A#self.
                                           ^ call A#use().
      y is B ? y.use(1) : y.use(2);
                 ^ call B#use().
                            ^ call A#use().
      if (y is! B) { y.use(1); } else { y.only(); }
                       ^ call A#use().
                                          ^ call B#only().
      if (y is B) { y.only(); } else y.use(1);
                                       ^ call A#use().
      final one = [1][lib.then()];
                          ^ call lib.dart then().
      final all = [[1]]..[f(c, y)].add(1);
                          ^ call f().
    }
  `);
});

test('a method that declares no type is none of its class’s constructors', async () => {
  await expectLinks(`
    -- a.dart --
    class Item { void use() {} }
    class Maker {
      Maker();
      Maker.named();
      make() => Item();
      take(Item one) { one.use(); }
                           ^ Item#use().
      twice() => make();
                 ^ Maker#make().
    }
    class Other extends Maker {
      make() => super.make();
                      ^ Maker#make().
    }
    void main() {
      Maker().make().use();
      ^ Maker#
              ^ Maker#make().
                     ^ Item#use().
      Maker.named().take(Item());
            ^ Maker#named().
                    ^ Maker#take().
      Other().take(Item());
              ^ Maker#take().
    }
  `);
});

test('a constructor calls what it is redirected to, or the superclass’s, whatever it is mixed with', async () => {
  await expectLinks(`
    -- b.dart --
    class Base<T> { Base(int size); Base.empty(); }
    mixin Named {}
    -- a.dart --
    import 'b.dart' as b;
    import 'b.dart' show Named;
    class Box extends b.Base<int> with Named {
      Box() : super(1);
              ^ b.dart Base#
      Box.one(int size) : assert(size > 0), super.empty() { size; }
                                                  ^ b.dart Base#empty().
      Box.two() : this();
                  ^ Box#
      const Box.three() : this.one(3);
                               ^ Box#one().
      Box.four() : this.new();
                   ^ Box#
      factory Box.five() = Box.one;
                           ^ Box#
                               ^ Box#one().
      factory Box.six() = Named;
                          ^ b.dart Named#
      factory Box.seven() = b.Base<int>.empty;
                                        ^ b.dart Base#empty().
      factory Box.eight() = Box.new;
                                ^ Box#
    }
    class Bare with Named { Bare() : super(); }
                                     ^ std dart:core.Object
    enum Level { low(1), high.named(); const Level(int at); const Level.named() : this(2); }
                              ^ Level#named().
                                                                                  ^ Level#
  `);
});

test('an extension is seen where its library is imported, with a prefix too, or its name shown', async () => {
  await expectLinks(`
    -- x.dart --
    class A { const A(this.n); final int n; }
    extension X on A { int plus() => n; int get twice => n; }
    extension Y on A { int minus() => n; }
    -- barrel.dart --
    export 'x.dart' show A, X;
    -- outer.dart --
    export 'barrel.dart';
    -- a.dart --
    import 'x.dart' show A, X;
    void f() {
      A(1).plus();
           ^ x.dart X#plus().
      A(1).twice;
           ^ x.dart X#twice.
      A(1).minus();
           ^ elsewhere
    }
    -- b.dart --
    import 'outer.dart';
    void f() {
      A(1).plus();
           ^ x.dart X#plus().
      A(1).minus();
           ^ elsewhere
    }
    -- c.dart --
    import 'x.dart' as x;
    void f() {
      x.A(1).plus();
             ^ x.dart X#plus().
      x.A(1).minus();
             ^ x.dart Y#minus().
    }
    -- d.dart --
    import 'x.dart' as x show A, Y;
    part 'e.dart';
    -- e.dart --
    part of 'd.dart';
    void f() {
      x.A(1).plus();
             ^ elsewhere
      x.A(1).minus();
             ^ x.dart Y#minus().
    }
  `);
});

test('of what is dynamic nothing is known, whatever it holds', async () => {
  await expectLinks(`
    -- a.dart --
    import 'dart:convert';
    class User { String fullName = ''; void greet() {} dynamic get self => this; static dynamic make() => User(); }
    typedef Any = dynamic;
    typedef Maker = dynamic Function();
    void f(dynamic user, List<dynamic> users, Map<String, dynamic> byName, Any any, Object o, Future<dynamic> later, Maker make, Function g) async {
      user.greet();
           ^ ?
      user.fullName = 'x';
           ^ ?
      user?.greet();
            ^ ?
      user..greet();
            ^ ?
      users.first.greet();
                  ^ ?
      users[0].greet();
               ^ ?
      for (final one in users) one.greet();
                                   ^ ?
      for (dynamic one in [User()]) one.greet();
                                        ^ ?
      users.forEach((one) => one.greet());
                                 ^ ?
      users.map((dynamic one) => one.greet());
                                     ^ ?
      byName['a'].greet();
                  ^ ?
      byName['a']!.greet();
                   ^ ?
      byName.values.first.greet();
                          ^ ?
      for (final one in byName.values) one.greet();
                                           ^ ?
      any.greet();
          ^ ?
      (o as dynamic).greet();
                     ^ ?
      (o as List<dynamic>).first.greet();
                                 ^ ?
      (await later).greet();
                    ^ ?
      later.then((one) => one.greet());
                              ^ ?
      make().greet();
             ^ ?
      g().greet();
          ^ ?
      User().self.greet();
                  ^ ?
      User.make().greet();
                  ^ ?
      jsonDecode('').greet();
                     ^ ?
      dynamic made = User();
      ^ std dart:core.dynamic
      made.greet();
           ^ ?
      made.self.greet();
           ^ ?
                ^ ?
      user.toString();
           ^ elsewhere
      if (user is User) user.greet();
                             ^ User#greet().
      final sure = user as User;
      sure.greet();
           ^ User#greet().
    }
    class Holder { dynamic held = User(); late final dynamic later; final List<dynamic> all = [User()]; void f() { held.greet(); later.greet(); all.first.greet(); } }
                                                                                                                        ^ ?
                                                                                                                                       ^ ?
                                                                                                                                                          ^ ?
  `);
});

test('a name that an import hides is another library’s', async () => {
  await expectLinks(`
    -- lib/a.dart --
    class Shown {}
    class Both { void ofA() {} }
    -- lib/b.dart --
    class Both { void ofB() {} }
    -- lib/use.dart --
    import 'a.dart' hide Both, Missing;
                         ^ lib/a.dart Both#
                               ^ elsewhere
    import 'b.dart';
    void f(Both both, Shown shown) {
           ^ lib/b.dart Both#
                      ^ lib/a.dart Shown#
      both.ofB();
           ^ lib/b.dart Both#ofB().
    }
    -- lib/alone.dart --
    import 'a.dart' hide Both;
    void f(Both both) {}
           ^ ?
  `);
});

test('a pattern’s local names the member that it is given, and `hide` names what an export leaves out', async () => {
  await expectLinks(`
    -- pubspec.yaml --
    name: x
    -- lib/all.dart --
    export 'shapes.dart' hide Square;
                              ^ import lib/shapes.dart Square#
    -- lib/shapes.dart --
    class Square { final Square inner; int get area => 1; Square(this.inner); }
    void all(x) {
      var Square(:inner) = x;
                  ^ read Square#inner.
      inner.area;
            ^ Square#area.
      switch (x) {
        case Square(:final inner?, :var area!): inner.area;
                           ^ read Square#inner.
                                        ^ read Square#area.
                                                      ^ Square#area.
        case Square(inner: final other): other.area;
                    ^ read Square#inner.
                                 ^ -
                                               ^ Square#area.
        case Square(area: area): print(area);
                          ^ ?
      }
      if (x case Square(:final inner)) print(inner.area);
                               ^ read Square#inner.
                                                   ^ Square#area.
    }
  `);
});
