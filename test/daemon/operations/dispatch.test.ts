import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AnalysedTree, analysedTree, idIn } from './analysed-tree.ts';

/** A tree, and of symbols (scope, tail) what overrides or implements them: `file:line` of each, by place. */
type Case = readonly [what: string, tree: string, ...expected: (readonly [string, string, string])[]];

const implementations: readonly Case[] = [
  [
    'Java, by way of types without the member; constants of enums and classes without name',
    `
    -- Shapes.java --
    package q;
    interface Shape { double area(); }
    abstract class Base implements Shape {}
    abstract class Middle extends Base {}
    class Circle extends Middle {
      public double area() { return 1; }
      public double area(int scale) { return 2; }
    }
    class Unit extends Circle {
      public double area() { return 3; }
    }
    enum Fixed implements Shape {
      ONE { public double area() { return 4; } };
    }
    class Use {
      Shape field = new Shape() { public double area() { return 5; } };
      void local() {
        Runnable other = new Runnable() { public void run() {} public double area() { return 6; } };
        Shape one = new Shape() { public double area() { return 7; } };
      }
    }
    `,
    ['java:#q', 'Shape#area().', 'Shapes.java:13 Shapes.java:16 Shapes.java:19 Shapes.java:6'],
    ['java:#q', 'Circle#area().', 'Shapes.java:10'],
    ['java:#q', 'Circle#area(int).', ''],
  ],
  [
    'Java: parameters, where they can be compared, and what no other class sees',
    `
    -- Writers.java --
    package q;
    abstract class Writer<T> {
      abstract void put(T value);
      void put(String one, T two) {}
      void value(String one) {}
      void value(double one) {}
      private void hidden() {}
      static void made() {}
    }
    class Tree extends Writer<Integer> {
      void put(Integer value) {}
      void put(String one, Integer two) {}
      void value(double one) {}
      void hidden() {}
      static void made() {}
    }
    `,
    ['java:#q', 'Writer#put(T).', 'Writers.java:11'],
    ['java:#q', 'Writer#put(String,T).', 'Writers.java:12'],
    ['java:#q', 'Writer#value(String).', ''],
    ['java:#q', 'Writer#value(double).', 'Writers.java:13'],
    ['java:#q', 'Writer#hidden().', ''],
    ['java:#q', 'Writer#made().', ''],
  ],
  [
    'Java: what a class has of the one above it, for an interface that it implements itself',
    `
    -- Inherited.java --
    package q;
    interface Port { void send(); void close(); }
    class Wire { public void send() {} public void close() {} }
    class Plug extends Wire implements Port { public void close() {} }
    class Loose extends Wire {}
    `,
    ['java:#q', 'Port#send().', 'Inherited.java:3'],
    ['java:#q', 'Port#close().', 'Inherited.java:4'],
  ],
  [
    'Kotlin, where a word says so; objects without name',
    `
    -- Ports.kt --
    package k
    interface Port<T> {
      val size: Int
      fun send(value: T)
      fun send(value: T, twice: Boolean) {}
    }
    abstract class Base<T> : Port<T>
    class Wire : Base<String>() {
      override val size get() = 1
      override fun send(value: String) {}
      fun send(value: Int, twice: Boolean) {}
    }
    val plug = object : Base<Int>() {
      override val size = 2
      override fun send(value: Int) {}
    }
    fun local() {
      val other = object : Port<Int> {
        override val size = 3
        override fun send(value: Int) {}
      }
    }
    `,
    ['kotlin:#k', 'Port#send(T).', 'Ports.kt:10 Ports.kt:15 Ports.kt:20'],
    ['kotlin:#k', 'Port#send(T,Boolean).', ''],
    ['kotlin:#k', 'Port#size.', 'Ports.kt:14 Ports.kt:19 Ports.kt:9'],
  ],
  [
    'C#: virtual members, those of one interface, other numbers of type parameters',
    `
    -- Ports.cs --
    namespace N;
    interface IPort { void Send(string s); T Make<T>(string s); object Make(string s); }
    interface IOther { void Send(string s); }
    abstract class Base : IPort {
      public virtual void Send(string s) {}
      public void Plain() {}
      public T Make<T>(string s) => default;
      public object Make(string s) => null;
    }
    abstract class Middle : Base {}
    class Wire : Middle, IOther {
      public override void Send(string s) {}
      void IOther.Send(string s) {}
      public new void Plain() {}
    }
    `,
    ['csharp:', 'N/IPort#Send(string).', 'Ports.cs:5'],
    ['csharp:', 'N/Base#Send(string).', 'Ports.cs:12'],
    ['csharp:', 'N/IOther#Send(string).', 'Ports.cs:12 Ports.cs:13'],
    ['csharp:', 'N/Base#Plain().', ''],
    ['csharp:', 'N/IPort#Make(string,+1).', 'Ports.cs:7'],
    ['csharp:', 'N/IPort#Make(string).', 'Ports.cs:8'],
  ],
  [
    'C++: what is virtual, with a body elsewhere as well',
    `
    -- ports.h --
    namespace n {
    class Port {
     public:
      virtual ~Port() {}
      virtual void send(const std::string& s) = 0;
      virtual void close();
      void plain() {}
      virtual int peek() const;
    };
    class Base : public Port {};
    class Wire : public Base {
     public:
      void send(const string &one) override;
      void close();
      void plain() {}
      int peek();
    };
    class Last : public Wire {
      void close();
    };
    }
    -- ports.cc --
    #include "ports.h"
    namespace n {
    void Port::close() {}
    void Wire::send(const string& one) {}
    }
    `,
    ['c:', 'n/Port#send(const std::string&).', 'ports.cc:4'],
    ['c:', 'n/Port#close().', 'ports.h:14'],
    ['c:', 'n/Wire#close().', 'ports.h:19'],
    ['c:', 'n/Port#plain().', ''],
    ['c:', 'n/Port#peek(const).', ''],
  ],
  [
    'TypeScript',
    `
    -- ports.ts --
    export interface Port { send(): void; size: number; handle: () => void }
    export abstract class Base implements Port {
      abstract send(): void; abstract size: number; handle = () => {};
      static made() {}
      private own() {}
    }
    export abstract class Middle extends Base {}
    export class Wire extends Middle {
      send() {}
      get size() { return 1 }
      static made() {}
    }
    export const plug = class extends Middle { send() {} size = 2 };
    `,
    ['ports.ts', 'Port#send().', 'ports.ts:3'],
    ['ports.ts', 'Base#send().', 'ports.ts:13 ports.ts:9'],
    ['ports.ts', 'Port#size.', 'ports.ts:3'],
    ['ports.ts', 'Base#size.', 'ports.ts:10 ports.ts:13'],
    ['ports.ts', 'Port#handle.', 'ports.ts:3'],
    ['ports.ts', 'Base#made().', ''],
  ],
  [
    'Python: mangled names are a class’s own, what begins with one underscore is not',
    `
    -- ports.py --
    class Port:
        def send(self): ...
        def _hook(self): ...
        def __own(self): ...
        @property
        def size(self): return 0
    class Middle(Port):
        pass
    class Wire(Middle):
        def send(self): pass
        def _hook(self): pass
        def __own(self): pass
        size = 3
    `,
    ['ports.py', 'Port#send().', 'ports.py:10'],
    ['ports.py', 'Port#_hook().', 'ports.py:11'],
    ['ports.py', 'Port#__own().', ''],
    ['ports.py', 'Port#size().', 'ports.py:13'],
  ],
  [
    'PHP, traits and classes without name among them',
    `
    -- ports.php --
    <?php
    namespace P;
    interface Port { function send(); }
    abstract class Base implements Port { private function own() {} static function made() {} }
    abstract class Middle extends Base {}
    class Wire extends Middle { function send() {} private function own() {} static function made() {} }
    trait Sends { function send() {} }
    class Plug extends Middle { use Sends; }
    function local() { return new class extends Middle { function send() {} }; }
    `,
    ['php:', 'P/Port#send().', 'ports.php:6 ports.php:7 ports.php:9'],
    ['php:', 'P/Base#own().', ''],
    ['php:', 'P/Base#made().', 'ports.php:6'],
  ],
  [
    'Dart',
    `
    -- ports.dart --
    abstract class Port { void send(); int get size; static void made() {} }
    abstract class Middle extends Port {}
    class Wire extends Middle {
      void send() {}
      final int size = 1;
      static void made() {}
    }
    mixin Sends implements Port { void send() {} }
    `,
    ['ports.dart', 'Port#send().', 'ports.dart:4 ports.dart:8'],
    ['ports.dart', 'Port#size.', 'ports.dart:5'],
    ['ports.dart', 'Port#made().', ''],
  ],
  [
    'Ruby: a class is what has a base, and its private methods are overridden, too',
    `
    -- animals.rb --
    class Animal
      def speak; sound; end
      private
      def sound; end
      def self.make; end
    end
    class Pet < Animal; end
    module Zoo
      class Dog < ::Pet
        def sound; end
        def self.make; end
      end
    end
    Cat = Class.new(Pet) do
      def sound; end
    end
    `,
    ['ruby:', 'Animal#', 'animals.rb:7'],
    ['ruby:', 'Pet#', 'animals.rb:14 animals.rb:9'],
    ['ruby:', 'Animal#sound().', 'animals.rb:10 animals.rb:15'],
    ['ruby:', 'Animal#make(static).', 'animals.rb:11'],
  ],
  [
    'Rust: what blocks of a trait have, wherever they stand and whatever for',
    `
    -- Cargo.toml --
    [package]
    name = "ports"
    -- src/lib.rs --
    pub mod wire;
    pub trait Port<T> { fn send(&self, t: T); fn twice(&self) {} fn made() where Self: Sized; }
    pub trait Other { fn send(&self); }
    impl<T> Port<u8> for Vec<T> { fn send(&self, t: u8) {} fn made() {} }
    impl<T> Other for Vec<T> { fn send(&self) {} }
    -- src/wire.rs --
    use crate::Port;
    pub struct Wire;
    impl Wire { fn send(&self) {} }
    impl Port<u8> for Wire { fn send(&self, t: u8) {} fn twice(&self) {} fn made() {} }
    `,
    ['src', 'Port#send().', 'src/lib.rs:4 src/wire.rs:4'],
    ['src', 'Port#twice().', 'src/wire.rs:4'],
    ['src', 'Port#made().', 'src/lib.rs:4 src/wire.rs:4'],
    ['src', 'Other#send().', 'src/lib.rs:5'],
  ],
  [
    'Go: what types have, by name, parameters and results, of what they embed as well',
    `
    -- go.mod --
    module m
    -- store/store.go --
    package store
    type Closer interface { Close() error }
    type Saver interface {
    	Closer
    	Save(key string, val []byte) error
    }
    type hidden interface { reset() }
    -- store/disk.go --
    package store
    type Disk struct{}
    func (d *Disk) Save(k string, v []byte) error { return nil }
    type Wrong struct{ Base }
    func (w Wrong) Save(key string) error { return nil }
    type Half struct{}
    func (Half) Save(string, []byte) error { return nil }
    -- store/base.go --
    package store
    type Base struct{}
    func (Base) Close() error { return nil }
    func (Base) reset() {}
    func (d *Disk) Close() (err error) { return }
    -- mem/mem.go --
    package mem
    import s "m/store"
    type Mem struct{ *Kept; s.Base }
    type Kept struct{}
    func (k *Kept) Save(key, val string) error { return nil }
    func (m Mem) Save(key string, val []byte) (err error) { return nil }
    type Log struct{}
    func (Log) reset() {}
    `,
    ['go:store#store', 'Saver#', 'mem/mem.go:3 store/disk.go:2'],
    ['go:store#store', 'Saver#Save().', 'mem/mem.go:6 store/disk.go:3'],
    ['go:store#store', 'Closer#Close().', 'store/base.go:3 store/base.go:5'],
    ['go:store#store', 'hidden#reset().', 'store/base.go:4'],
  ],
  [
    'Go: type parameters stand for any type',
    `
    -- a.go --
    package a
    type Set[K comparable] interface { Has(key K) bool; Each(f func(k K) error) }
    type List[T comparable] struct{}
    func (l *List[T]) Has(key T) bool { return false }
    func (l *List[T]) Each(visit func(T) error) {}
    type Names struct{}
    func (Names) Has(key string) bool { return false }
    func (Names) Each(f func(name string) error) {}
    type Odd struct{}
    func (Odd) Has(key string) bool { return false }
    func (Odd) Each(f func(name string)) {}
    `,
    ['go:#a', 'Set#', 'a.go:3 a.go:6'],
    ['go:#a', 'Set#Each().', 'a.go:5 a.go:8'],
  ],
];

test('what overrides or implements a member or a type is found in every language', async t => {
  for (const [what, tree, ...expected] of implementations) {
    const of = await analysedTree(t, tree);
    for (const [scope, tail, places] of expected) {
      assert.equal(implementing(of, scope, tail).join(' '), places, `${what}: ${tail}`);
    }
  }
});

function implementing(of: AnalysedTree, scope: string, tail: string): readonly string[] {
  const id = idIn(of, scope, tail);
  const found = of.ask('analysis.impact', { id, depth: 1, includeTests: true, limit: 100, sync: false });
  assert.ok(found, tail);
  return found.affected
    .filter(({ uses }) => uses.includes('implementation'))
    .map(({ location }) => `${location.file}:${location.line}`)
    .sort();
}

/** How sure it is that the first thing of an interface that is listed implements it. */
async function sureness(t: TestContext, text: string, tail: string): Promise<number | undefined> {
  const of = await analysedTree(t, text);
  const id = idIn(of, 'go:#a', tail);
  const found = of.ask('analysis.impact', { id, depth: 1, includeTests: true, limit: 100, sync: false });
  return found?.affected.find(({ uses }) => uses.includes('implementation'))?.confidence;
}

test('in Go it is surer the more telling it is that a type has the methods, and sure where it is asserted', async t => {
  const close = 'func (F) Close() error { return nil }';
  const cases: readonly (readonly [string, number])[] = [
    [`type I interface { Close() error }\ntype F struct{}\n${close}`, 0.5],
    ['type I interface { Put(key string) error }\ntype F struct{}\nfunc (F) Put(k string) error { return nil }', 0.7],
    ['type I interface { Put(f F) }\ntype F struct{}\nfunc (F) Put(f F) {}', 0.85],
    [`type I interface { Close() error; Open() }\ntype F struct{}\n${close}\nfunc (F) Open() {}`, 0.9],
    [`type I interface { Close() error }\ntype F struct{}\nvar _ I = (*F)(nil)\n${close}`, 1],
    [`type I interface { Close() error }\ntype F struct{}\nvar _ I = F{}\n${close}`, 1],
  ];
  for (const [text, confidence] of cases) {
    assert.equal(await sureness(t, `-- a.go --\npackage a\n${text}`, 'I#'), confidence, text);
  }
});

test('a cycle of types, and one that is its own base, end', async t => {
  const of = await analysedTree(
    t,
    '-- a.ts --\nexport class A extends C { m() {} }\nexport class B extends A {}\nexport class C extends B { m() {} }\nexport class D extends D { m() {} }\n',
  );
  assert.deepEqual(implementing(of, 'a.ts', 'A#m().'), ['a.ts:3']);
  assert.deepEqual(implementing(of, 'a.ts', 'D#m().'), []);
});
