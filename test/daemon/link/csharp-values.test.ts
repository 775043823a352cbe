import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('what a value of a library type holds is reached, and its type is not what the member is called', async () => {
  await expectLinks(`
    -- Use.cs --
    using System;
    using System.Collections.Generic;
    using System.Linq;
    using System.Threading;
    using System.Threading.Tasks;
    public class Cat { public void Meow() { } public string Name; }
    public class Box<T> { public T Held; }
    class Use
    {
        void Run(IDictionary<string, Cat> byName, Lazy<Cat> lazy, Task<Cat> task, KeyValuePair<Cat, Box<Cat>> pair,
            Dictionary<string, List<Cat>> lists, IEnumerator<Cat> all, IGrouping<Cat, int> group, AsyncLocal<Cat> local,
            Tuple<int, Cat> tuple, DateTime? maybe)
        {
            foreach (var one in byName) { Console.WriteLine(one.Value); one.Value.Meow(); Console.WriteLine(one.Key); }
                                                                ^ elsewhere
                                                                                  ^ Cat#Meow().
                                                                                                                ^ elsewhere
            lazy.Value.Meow(); var held = lazy.Value; held.Meow(); lazy?.Value?.Meow();
                 ^ elsewhere
                       ^ Cat#Meow().
                                               ^ elsewhere
                                                           ^ Cat#Meow().
                                                                         ^ elsewhere
                                                                                ^ Cat#Meow().
            task.Result.Name = task.Result.ToString();
                 ^ elsewhere
                        ^ Cat#Name.
                                    ^ elsewhere
            pair.Key.Meow(); pair.Value.Held.Meow(); Console.WriteLine(pair.Value);
                 ^ elsewhere
                     ^ Cat#Meow().
                                  ^ elsewhere
                                        ^ Box+1#Held.
                                             ^ Cat#Meow().
                                                                            ^ elsewhere
            foreach (var one in lists) one.Value[0].Meow();
                                           ^ elsewhere
                                                    ^ Cat#Meow().
            all.Current.Meow(); group.Key.Meow(); local.Value.Meow(); tuple.Item2.Meow(); maybe.Value.ToString();
                ^ elsewhere
                        ^ Cat#Meow().
                                          ^ Cat#Meow().
                                                              ^ Cat#Meow().
                                                                                  ^ Cat#Meow().
                                                                                                ^ elsewhere
            foreach (var one in byName.Values) one.Meow();
                                       ^ elsewhere
                                                   ^ Cat#Meow().
            if (lazy is { Value: { Name: "x" } }) byName.Values.First().Meow();
                          ^ elsewhere
                                   ^ Cat#Name.
                                                                        ^ Cat#Meow().
        }
    }
  `);
});

test('extensions: of what a property or a dictionary gives, by its type; none where a text has a method of the name itself', async () => {
  await expectLinks(`
    -- Use.cs --
    using System.Collections.Generic;
    public struct Span { }
    public static class Extensions
    {
        public static void ShouldBeTrue(this bool given) { }
        public static void ShouldEqual(this object given, object wanted) { }
        public static bool StartsWith(this Span span, string text) => true;
        public static string Shout(this string text) => text;
        public static void Measure(this Span span) { }
    }
    class Result { public bool IsValid { get; } public string Text { get; } public Dictionary<string, object> More; }
    class Use
    {
        void Run(Result result, Span span)
        {
            result.IsValid.ShouldBeTrue();
                           ^ Extensions#ShouldBeTrue(bool).
            result.Text.Shout();
                        ^ Extensions#Shout(string).
            result.More["x"].ShouldEqual("y");
                             ^ Extensions#ShouldEqual(object,object).
            result.Text.StartsWith("x").ShouldBeTrue();
                        ^ std dotnet:string.StartsWith
                                        ^ Extensions#ShouldBeTrue(bool).
            span.StartsWith("x");
                 ^ Extensions#StartsWith(Span,string).
            result.Text.Measure();
                        ^ std dotnet:string.Measure
            result.IsValid.Shout();
                           ^ std dotnet:bool.Shout
        }
    }
  `);
});

test('extensions: of what looks like a package’s type and may be a property of a base there', async () => {
  await expectLinks(`
    -- Use.cs --
    using Acme.Web;
    using Shop;
    class Page : Controller
    {
        void Run() { Url.LinkTo("x"); Json.LinkTo("x"); Url.Missing(); System.Console.LinkTo("x"); }
                         ^ Shop/Links#LinkTo(Helper,string).
                                                            ^ nuget ?:Url.Missing
                                                                                      ^ std dotnet:System.Console.LinkTo
    }
    -- Plain.cs --
    using Shop;
    class Plain { void Run() { Url.LinkTo("x"); } }
                                   ^ nuget Shop:Url.LinkTo
    -- Links.cs --
    namespace Shop;
    public static class Links { public static string LinkTo(this Helper helper, string to) => to; }
  `);
});

test('what is taken apart: tuples by the names of their elements, dictionaries, records, `Deconstruct`, and `out var`', async () => {
  await expectLinks(`
    -- Use.cs --
    using System; using System.Collections.Generic;
    public class Cat { public void Meow() { } public Dog Friend; }
    public class Dog { public void Bark() { } public int Age; public void Deconstruct(out Cat cat, out int age) { cat = null; age = 1; } }
    public class Bird { public void Sing() { } }
    public record Pair(Cat Left, Dog Right);
    public static class Ext { public static void Deconstruct(this Bird bird, out Cat one, out Dog other) { one = null; other = null; } }
    class Use
    {
        (Cat a, Dog b) Both() => (null, null);
        (Cat cat, (Dog, int) inner) Nested() => default;
        bool Own(int at, out Cat found) { found = null; return true; }
        List<(Cat cat, int n)> list; Dictionary<string, Cat> byName; Queue<Cat> queue; WeakReference<Cat> weak;
        void Run(Dog dog, Pair pair, Cat cat, Bird bird)
        {
            var (x, y) = Both(); x.Meow(); y.Bark();
                                   ^ Cat#Meow().
                                             ^ Dog#Bark().
            (var p, Dog q) = Both(); p.Meow(); q.Bark();
                 ^ -
                    ^ Dog#
                                       ^ Cat#Meow().
                                                 ^ Dog#Bark().
            Both().a.Meow(); Both().Item2.Bark(); Both().Missing();
                   ^ elsewhere
                     ^ Cat#Meow().
                                    ^ elsewhere
                                          ^ Dog#Bark().
                                                         ^ std dotnet:tuple.Missing
            var (c, _) = dog; c.Meow(); var (l, r) = pair; l.Meow(); r.Bark();
                                ^ Cat#Meow().
                                                             ^ Cat#Meow().
                                                                       ^ Dog#Bark().
            var (m, (n, k)) = Nested(); m.Meow(); n.Bark();
                                          ^ Cat#Meow().
                                                    ^ Dog#Bark().
            var (u, v) = bird; u.Meow(); v.Bark();
                                 ^ Cat#Meow().
                                           ^ Dog#Bark().
            foreach (var (key, value) in byName) value.Meow();
                                                       ^ Cat#Meow().
            foreach ((var key, var value) in byName) value.Meow();
                          ^ -
                                                           ^ Cat#Meow().
            foreach (var (held, n2) in list) held.Meow(); foreach (var one in list) one.cat.Meow();
                                                  ^ Cat#Meow().
                                                                                        ^ elsewhere
                                                                                            ^ Cat#Meow().
            if (byName.TryGetValue("x", out var got)) got.Meow(); if (queue.TryDequeue(out var head)) head.Meow();
                                                ^ -
                                                          ^ Cat#Meow().
                                                                                                           ^ Cat#Meow().
            if (weak.TryGetTarget(out var there)) there.Meow(); if (Own(1, out var mine)) mine.Meow();
                                                        ^ Cat#Meow().
                                                                                               ^ Cat#Meow().
            var tuple = (first: cat, cat.Friend); tuple.first.Meow(); tuple.Friend.Bark();
                                                        ^ elsewhere
                                                              ^ Cat#Meow().
                                                                            ^ elsewhere
                                                                                   ^ Dog#Bark().
            if ((cat, dog) is (Cat seen, var other)) { seen.Meow(); other.Bark(); }
                                                            ^ Cat#Meow().
                                                                          ^ Dog#Bark().
        }
    }
  `);
});

test('an extension takes first what it is called on, and is none of another class', async () => {
  await expectLinks(`
    -- Use.cs --
    using System; using System.Collections.Generic;
    public interface IPet { } public class Cat : IPet { public void Meow() { } } public class Dog { }
    public static class Extensions
    {
        public static void With<T>(this T one, Action<T> act) { }
        public static bool Find(this Dog dog, string name, out Cat found) { found = null; return true; }
        public static void Stroke(this IPet pet) { }
        public static List<Dog> Where(this Dog dog, Func<Dog, bool> test) => null;
    }
    class Use
    {
        void Run(Cat cat, Dog dog, List<Cat> cats, Uri uri)
        {
            cat.With(one => one.Meow()); cat.Stroke();
                ^ Extensions#With(T,Action,+1).
                                ^ Cat#Meow().
                                             ^ Extensions#Stroke(IPet).
            if (dog.Find("x", out var found)) found.Meow();
                    ^ Extensions#Find(Dog,string,Cat).
                                                    ^ Cat#Meow().
            cats.Where(one => true); uri.Stroke(); dog.Stroke();
                 ^ std dotnet:List.Where
                                         ^ std dotnet:Uri.Stroke
                                                       ^ elsewhere
        }
    }
  `);
});

test('what a type of a library has of itself is none of the repository', async () => {
  await expectLinks(`
    -- Use.cs --
    using Microsoft.Extensions.Logging;
    class Options { }
    static class Telemetry
    {
        public static int Configure(this Builder builder, ILoggerFactory factory) => 1;
        public static int Configure(this Builder builder, Options options) => 2;
    }
    class Builder
    {
        void Run(Lost lost)
        {
            this.Configure(NullLoggerFactory.Instance);
                 ^ Telemetry#Configure(Builder,ILoggerFactory).
            this.Configure(new NullLoggerFactory());
                 ^ Telemetry#Configure(Builder,ILoggerFactory).
            this.Configure(new Options());
                 ^ Telemetry#Configure(Builder,Options).
            this.Configure(lost.Other);
                 ^ ?
        }
    }
  `);
});

test('how long an array is to be is code like any other', async () => {
  await expectLinks(`
    -- Use.cs --
    class Sizes { public static int Of(int x) => x; }
    class Use
    {
        void Run()
        {
            var a = new byte[Sizes.Of(1)]; var b = new byte[Sizes.Of(2), 3]; var c = new Sizes[Sizes.Of(4)][];
                                   ^ call Sizes#Of(int).
                                                                  ^ call Sizes#Of(int).
                                                                                         ^ type Sizes#
                                                                                               ^ read Sizes#
                                                                                                     ^ call Sizes#Of(int).
            System.Span<int> d = stackalloc int[Sizes.Of(5)]; var e = new int[2] { Sizes.Of(6), 0 };
                                                      ^ call Sizes#Of(int).
                                                                                         ^ call Sizes#Of(int).
        }
    }
  `);
});

test('`new()` makes what its place asks for: what is declared, taken, given back, assigned or listed', async () => {
  await expectLinks(`
    -- Foo.cs --
    public class Foo { public Foo() { } public Foo(int x) { } public Foo(Foo other, string of) { } public Foo Inner; public Bar[] Bars; }
    public struct Bar { public Bar(int x) { } public Bar(string x) { } }
    public class Box { public Box(Foo foo) { } }
    public class Sub : Box { public Sub() : base(new()) { } void M() { new Box(new(1)); } }
                                                 ^ call Foo#Foo().
                                                                               ^ call Foo#Foo(int).
    -- Use.cs --
    using System;
    using System.Collections.Generic;
    using System.Threading.Tasks;
    class Use
    {
        Foo field = new(); Foo Auto { get; set; } = new(1); Foo Made => new(2); Foo this[int i] => new();
                    ^ call Foo#Foo().
                                                    ^ call Foo#Foo(int).
                                                                        ^ call Foo#Foo(int).
                                                                                                   ^ call Foo#Foo().
        Foo Get { get => new(); } Foo Long { get { return new(3); } } Foo MakeA() => new(); Foo MakeB() { return new(4); }
                         ^ call Foo#Foo().
                                                          ^ call Foo#Foo(int).
                                                                                     ^ call Foo#Foo().
                                                                                                                 ^ call Foo#Foo(int).
        async Task<Foo> Later() { await Later(); return new(5); } IEnumerable<Bar> Each() { yield return new(1); }
                                                        ^ call Foo#Foo(int).
                                                                                                         ^ call Bar#Bar(int).
        T Any<T>() where T : Foo, new() => new(); void Take(Foo foo, Bar? bar, Foo last = new()) { }
                                           ^ -
                                                                                          ^ call Foo#Foo().
        void Two(Foo first = null, Bar? last = null) { } void Rest(params Bar[] bars) { }
        void Run(Foo foo, bool c, object unknown, Dictionary<string, Foo> byName, List<Foo> list)
        {
            Take(new(6), new(7)); Rest(new(1)); Two(last: new(8)); list .Add(new(9)); Missing(new(1)); int x = new();
                 ^ call Foo#Foo(int).
                         ^ call Bar#Bar(int).
                                       ^ call Bar#Bar(int).
                                                          ^ call ?
                                                                             ^ call Foo#Foo(int).
                                                                                              ^ call ?
                                                                                                               ^ -
            foo = new(10); field = c ? foo : new(11); foo.Inner ??= (new()); byName["x"] = new(12); Auto = foo.Inner ?? new();
                  ^ call Foo#Foo(int).
                                             ^ call Foo#Foo(int).
                                                                     ^ call Foo#Foo().
                                                                                           ^ call Foo#Foo(int).
                                                                                                                        ^ call Foo#Foo().
            var made = new Foo { Inner = new(13), Bars = new Bar[] { new(14) } }; Foo other = new(new(15), "x") { Inner = { Inner = new() } };
                                         ^ call Foo#Foo(int).
                                                                     ^ call Bar#Bar(int).
                                                                                              ^ call Foo#Foo(Foo,string).
                                                                                                  ^ call ?
                                                                                                                                    ^ call Foo#Foo().
            Func<Foo> one = () => new(16); Func<Foo, Bar> two = x => { return new(17); }; var three = (Foo)new(18);
                                  ^ call Foo#Foo(int).
                                                                              ^ call Bar#Bar(int).
                                                                                                           ^ call Foo#Foo(int).
            List<Foo> all = new() { new(19), new() }; Bar[] bars = { new(20) }; (Foo, Bar) pair = (new(21), new(22)); List<Bar> some = [new(23)];
                            ^ call std dotnet:List
                                    ^ call Foo#Foo(int).
                                             ^ call Foo#Foo().
                                                                     ^ call Bar#Bar(int).
                                                                                                   ^ call Foo#Foo(int).
                                                                                                            ^ call Bar#Bar(int).
                                                                                                                                        ^ call Bar#Bar(int).
            Dictionary<string, Foo> more = new() { ["a"] = new(24) }; var most = new Dictionary<string, Foo> { { "b", new(25) } };
                                           ^ call std dotnet:Dictionary
                                                           ^ call Foo#Foo(int).
                                                                                                                      ^ call Foo#Foo(int).
            Foo chosen = unknown switch { 1 => new(), _ => new(26) }; unknown.Thing = new(1);
                                               ^ call Foo#Foo().
                                                           ^ call Foo#Foo(int).
                                                                                      ^ call ?
        }
    }
  `);
});

test('lambdas: what they take is told by what they are assigned to, what makes something of them, or who gives them back', async () => {
  await expectLinks(`
    -- Use.cs --
    using System;
    class Cat { public void Meow() { } }
    class Box { public Box(Action<Cat> one) { } public Action<Cat> One { get; set; } }
    class Use
    {
        Action<Cat> Give() => cat => cat.Meow();
                                         ^ Cat#Meow().
        void Run(Box box)
        {
            box.One = cat => cat.Meow(); new Box(cat => cat.Meow()) { One = cat => cat.Meow() };
                                 ^ Cat#Meow().
                                                            ^ Cat#Meow().
                                                                                       ^ Cat#Meow().
        }
    }
  `);
});
