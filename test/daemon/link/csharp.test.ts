import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('namespaces: outwards from where a name stands, then what the file uses, under aliases too', async () => {
  await expectLinks(`
    -- Shapes.cs --
    namespace Geo.Shapes
    {
        public class Box { public int Size; public static Box Unit; public class Lid { } }
        public class Box<T> { public T Held; }
        public enum Color { Red, Blue }
    }
    -- Tools.cs --
    namespace Geo;
    public class Helper { public static int Twice(int x) => x; }
    -- Other.cs --
    namespace Else { public class Box { public int Weight; } }
    -- Use.cs --
    using System;
    using Geo.Shapes;
          ^ Geo/
              ^ Geo/Shapes/
    using Pair = Geo.Shapes.Box<int>;
    using static Geo.Helper;
    namespace Geo.App
    {
        class Program
        {
            Box box = new Box();
            ^ Geo/Shapes/Box#
            Box<Color> generic = new() { Held = Color.Red };
            ^ Geo/Shapes/Box+1#
                ^ Geo/Shapes/Color#
                                         ^ Geo/Shapes/Box+1#Held.
                                                      ^ Geo/Shapes/Color#Red.
            Else.Box other;
                 ^ Else/Box#
            void Run()
            {
                var pair = new Pair();
                               ^ Geo/Shapes/Box+1#
                Helper.Twice(box.Size);
                ^ Geo/Helper#
                       ^ Geo/Helper#Twice(int).
                                 ^ Geo/Shapes/Box#Size.
                Twice(1);
                ^ Geo/Helper#Twice(int).
                Geo.Shapes.Box.Unit.Size = 2;
                    ^ Geo/Shapes/
                           ^ Geo/Shapes/Box#
                               ^ Geo/Shapes/Box#Unit.
                                    ^ Geo/Shapes/Box#Size.
                Box.Lid lid = null;
                    ^ Geo/Shapes/Box#Lid#
                Console.WriteLine(lid);
                ^ std dotnet:Console
                other.Weight = 1;
                      ^ Else/Box#Weight.
            }
        }
    }
  `);
});

test('what is used inside a namespace is named from there, and counts there before what stands further out', async () => {
  await expectLinks(`
    -- Core.cs --
    namespace Zed.Core
    {
        public class Widget { public int Size; public class Part { } }
        public static class Util { public static int Twice(int x) => x; }
        public static class Extensions { public static void Paint(this Widget widget) { } }
        namespace Deep { public class Pearl { public int Weight; } }
    }
    -- Outer.cs --
    namespace Zed { public class Gauge { public int Outer; } }
    namespace Core { public class Widget { public int Wrong; } public class Alone { public int Far; } }
    -- Gauge.cs --
    namespace Zed.Core { public class Gauge { public int Inner; } }
    -- File.cs --
    namespace Zed.App; using Core; using static Core.Util; using W = Core.Widget; using global::Core;
                             ^ Zed/Core/
                                                ^ Zed/Core/
                                                     ^ Zed/Core/Util#
                                                                          ^ Zed/Core/Widget#
    using Core.Deep;
               ^ Zed/Core/Deep/
    class A { int Go(Core.Widget w, W v, Gauge g, Pearl p, Alone a) => w.Size + v.Size + g.Inner + p.Weight + a.Far + Twice(1); }
                          ^ Zed/Core/Widget#
                                    ^ Zed/Core/Widget#
                                         ^ Zed/Core/Gauge#
                                                  ^ Zed/Core/Deep/Pearl#
                                                           ^ Core/Alone#
                                                                         ^ Zed/Core/Widget#Size.
                                                                                  ^ Zed/Core/Widget#Size.
                                                                                           ^ Zed/Core/Gauge#Inner.
                                                                                                     ^ Zed/Core/Deep/Pearl#Weight.
                                                                                                                ^ Core/Alone#Far.
                                                                                                                      ^ Zed/Core/Util#Twice(int).
    -- Blocks.cs --
    using Core;
          ^ Core/
    namespace Zed.One
    {
        using System;
        using Core;
              ^ Zed/Core/
        using V = Core.Widget;
        class B { int Go(Widget w, V v) { w.Paint(); Console.WriteLine(); return w.Size + v.Size; } }
                         ^ Zed/Core/Widget#
                                            ^ Zed/Core/Extensions#Paint(Widget).
                                                     ^ std dotnet:Console
                                                                                   ^ Zed/Core/Widget#Size.
                                                                                            ^ Zed/Core/Widget#Size.
    }
    namespace Zed.Two
    {
        using V = Core.Deep.Pearl;
        class C { int Go(Widget w, V v, Gauge g) => w.Wrong + v.Weight + g.Outer; }
                         ^ Core/Widget#
                                                      ^ Core/Widget#Wrong.
                                                                ^ Zed/Core/Deep/Pearl#Weight.
                                                                           ^ Zed/Gauge#Outer.
    }
  `);
});

test('receivers: locals, patterns, loops, lambdas, generics and what methods return', async () => {
  await expectLinks(`
    -- Model.cs --
    namespace M;
    public class Node { public Node Next; public string Name; public Node Find(string name) => null; public void Go() { } }
    public class Leaf : Node { public int Age; }
    public class Bag<T> : System.Collections.Generic.List<T> { public T First; }
    public delegate Node Maker(Leaf from);
    -- Use.cs --
    using System.Collections.Generic;
    namespace M;
    class Use
    {
        List<Node> nodes; Dictionary<string, Leaf> byName; Bag<Leaf> bag; Node this[int at] => null;
        Node Self => this[0].Next;
                             ^ M/Node#Next.
        void Run(object o, Maker maker)
        {
            foreach (var one in nodes) one.Go();
                                           ^ M/Node#Go().
            foreach (var pair in byName) pair.Value.Age = 1;
                                                    ^ M/Leaf#Age.
            byName["a"].Age = 2;
                        ^ M/Leaf#Age.
            if (o is Leaf leaf && leaf.Age > 0) leaf.Find("x").Next.Name = "";
                                       ^ M/Leaf#Age.
                                                     ^ M/Node#Find(string).
                                                               ^ M/Node#Next.
                                                                    ^ M/Node#Name.
            ((Node)o).Go();
                      ^ M/Node#Go().
            (o as Leaf)?.Age.ToString();
                         ^ M/Leaf#Age.
            bag.First.Age = 3;
                      ^ M/Leaf#Age.
            foreach (var held in bag) held.Age++;
                                           ^ M/Leaf#Age.
            nodes.Find(n => n.Name == "").Go();
                              ^ M/Node#Name.
            maker(null).Go();
                        ^ M/Node#Go().
            var made = new Leaf { Age = 1, Next = null };
                                  ^ M/Leaf#Age.
                                           ^ M/Node#Next.
            o.Unknown();
              ^ std dotnet:object.Unknown
            this.Missing();
                 ^ elsewhere
        }
    }
  `);
});

test('overloads: by the number of arguments, by their types, in the class and above it', async () => {
  await expectLinks(`
    -- A.cs --
    class Base { public void Put(string s) { } public void Put(int a, int b) { } public void Put(object o, int a = 1) { } }
    class Mine : Base
    {
        public void Put(bool b) { }
        public void Put(params int[] all) { }
        T Make<T>(T of) => of;
        void Make(string of, Color c = 0) { }
        void Run(Color color)
        {
            Put(true);
            ^ Mine#Put(bool).
            Put(1, 2, 3);
            ^ Mine#Put(int[]).
            Put("s");
            ^ Base#Put(string).
            base.Put(1, 2);
                 ^ Base#Put(int,int).
            base.Put(color);
                 ^ Base#Put(object,int).
            Make("a", color);
            ^ Mine#Make(string,Color).
            Make<string>("a");
            ^ Mine#Make(T,+1).
        }
    }
    enum Color { Red }
  `);
});

test('partial classes, inherited members, attributes and extension methods', async () => {
  await expectLinks(`
    -- One.cs --
    namespace P { public partial class Part : Root { int a; void F() { b = 1; G(); Shared(); } } }
                                                                       ^ P/Part#b.
                                                                              ^ P/Part#G().
                                                                                   ^ P/Root#Shared().
    -- Two.cs --
    namespace P { public partial class Part { int b; void G() { a = 2; } } public class Root { protected void Shared() { } } }
                                                                ^ P/Part#a.
    -- Attribute.cs --
    namespace P { public class MarkAttribute : System.Attribute { public int Order; } }
    -- Ext.cs --
    namespace P.Tools { public static class Ext { public static bool Blank(this string s) => true; public static int Sum(this Part p, int x) => x; } }
    -- Use.cs --
    using P.Tools;
    namespace P
    {
        [Mark(Order = 1)]
         ^ P/MarkAttribute#
              ^ P/MarkAttribute#Order.
        class Use
        {
            bool Run(Part part, string text) => text.Blank() && part.Sum(1) > 0 && "x".Blank();
                                                     ^ P/Tools/Ext#Blank(string).
                                                                     ^ P/Tools/Ext#Sum(Part,int).
                                                                                       ^ P/Tools/Ext#Blank(string).
        }
    }
    -- Blind.cs --
    class Blind { bool Run(string text) => text.Blank(); }
                                                ^ std dotnet:string.Blank
  `);
});

test('what one file uses for all: in its project, not in others', async () => {
  await expectLinks(`
    -- App/App.csproj --
    <Project Sdk="Microsoft.NET.Sdk" />
    -- App/Parts/Foo.cs --
    namespace Lib.Parts;
    public class Foo { public int Val() => 1; }
    public class Box<T> { public T Held; }
    public static class Tools { public static int Half(int x) => x / 2; public static int Twice(this int x) => x * 2; }
    -- App/Usings.cs --
    global using Lib.Parts;
                     ^ Lib/Parts/
    global using static Lib.Parts.Tools;
                                  ^ Lib/Parts/Tools#
    global using Crate = Lib.Parts.Box<Lib.Parts.Foo>;
                                   ^ Lib/Parts/Box+1#
    -- App/Use.cs --
    namespace Lib.Other;
    class Bar
    {
        Foo foo;
        ^ Lib/Parts/Foo#
        int Run() => foo.Val().Twice() + Half(1);
                         ^ Lib/Parts/Foo#Val().
                               ^ Lib/Parts/Tools#Twice(int).
                                         ^ Lib/Parts/Tools#Half(int).
        Foo Open(Crate crate) => crate.Held;
                 ^ Lib/Parts/Box+1#
                                       ^ Lib/Parts/Box+1#Held.
    }
    -- App/obj/Made.cs --
    global using Lib.Hidden;
    namespace Lib.Hidden { public class Secret { } }
    -- App/See.cs --
    class See { Secret secret; }
                ^ ?
    -- App/Inner/Inner.csproj --
    <Project Sdk="Microsoft.NET.Sdk" />
    -- App/Inner/Use.cs --
    class Apart { Foo foo; Crate crate; Lost lost; }
                  ^ ?
                           ^ nuget ?:Crate
                                        ^ nuget ?:Lost
  `);
});

test('extensions of namespaces around, as far as projects refer to each other and words let them be named', async () => {
  await expectLinks(`
    -- Core/Core.csproj --
    <Project Sdk="Microsoft.NET.Sdk" />
    -- Core/Pipe.cs --
    namespace P;
    public class Pipe { }
    static class Own { internal static int Near(this Pipe p) => p.Near() + p.Far(); }
                                                                  ^ P/Own#Near(Pipe).
                                                                             ^ elsewhere
    -- Testing/Testing.csproj --
    <Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
      <ProjectReference Include="..\\core\\Core.csproj" />
    </ItemGroup></Project>
    -- Testing/Ext.cs --
    namespace P.Testing
    {
        public static class Ext
        {
            public static int Once(this Pipe p) => p.Hidden();
                                                     ^ P/Testing/Ext#Hidden(Pipe).
            private static int Hidden(this Pipe p) => 1;
            internal static int Inside(this Pipe p) => 1;
            internal static int Both(this Pipe p) => 1;
        }
    }
    namespace P { public static class Farther { public static int Far(this Pipe p) => 1; } }
    -- Other/Other.csproj --
    <Project Sdk="Microsoft.NET.Sdk" />
    -- Other/Ext.cs --
    namespace P.Testing;
    public static class Elsewhere { public static int Once(this Pipe p) => 1; public static int Lost(this Pipe p) => 1; }
    -- Tests/Tests.csproj --
    <Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Testing" /></ItemGroup></Project>
    -- Tests/Test.cs --
    namespace P.Testing.Tests;
    static class Mine { public static int Both(this Pipe p) => 1; }
    class T
    {
        void Run(Pipe p, System.Threading.CancellationToken token)
        {
            p.Once(); p.Far(); p.Hidden(); p.Inside(); p.Both(); p.Lost();
              ^ P/Testing/Ext#Once(Pipe).
                        ^ P/Farther#Far(Pipe).
                                 ^ elsewhere
                                             ^ P/Testing/Ext#Inside(Pipe).
                                                         ^ P/Testing/Tests/Mine#Both(Pipe).
                                                                   ^ elsewhere
        }
    }
  `);
});

test('what projects use: by themselves, by what stands above them and what they import, under conditions', async () => {
  await expectLinks(`
    -- Lib/Lib.cs --
    namespace Lib.A { public class InA { } }
    namespace Lib.B { public class InB { } }
    namespace Lib.C { public class InC { public static void Do() { } } }
    namespace Lib.D { public class InD { } }
    namespace App.Own { public class InOwn { } }
    -- Directory.Build.props --
    <Project><ItemGroup><Using Include="Lib.A;Lib.B" /></ItemGroup></Project>
    -- src/Directory.Build.props --
    <Project>
      <Import Project="$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))" />
    </Project>
    -- src/App/App.csproj --
    <Project Sdk="Microsoft.NET.Sdk">
      <Import Project="..\\More.props" />
      <ItemGroup Condition="'$(A)' > '1'"><Using Remove="Lib.A" /></ItemGroup>
      <ItemGroup>
        <!-- <Using Include="Lib.D" /> -->
        <Using Remove="Lib.B" />
        <Using Include="$(RootNamespace).Own" />
      </ItemGroup>
    </Project>
    -- src/More.props --
    <Project><ItemGroup>
      <Using Include="Lib.C.InC" Static="true" /><Using Include="Lib.C.InC"><Alias>Third</Alias></Using>
    </ItemGroup></Project>
    -- src/App/Use.cs --
    class Use
    {
        InA a; InB b; InD d; InOwn own;
        ^ Lib/A/InA#
               ^ ?
                      ^ ?
                             ^ App/Own/InOwn#
        void Run() { Do(); Third.Do(); }
                     ^ Lib/C/InC#Do().
                           ^ Lib/C/InC#
                                 ^ Lib/C/InC#Do().
    }
  `);
});

test('files from elsewhere use what the projects that compile them use; files of no project are one', async () => {
  await expectLinks(`
    -- Lib.cs --
    namespace Lib.A { public class InA { } }
    namespace Lib.B { public class InB { } }
    namespace Lib.C { public class InC { } }
    -- loose/Usings.cs --
    global using Lib.C;
    -- other/Loose.cs --
    class Loose { InA a; InC c; }
                  ^ ?
                         ^ Lib/C/InC#
    -- shared/Usings.cs --
    global using Lib.A;
    -- shared/Code/Taken.cs --
    class Taken { InA a; InB b; InC c; }
                  ^ Lib/A/InA#
                         ^ Lib/B/InB#
                                ^ ?
    -- shared/Not.cs --
    global using Lib.C;
    -- App/App.csproj --
    <Project>
      <ItemGroup>
        <Compile Include="../shared/**/*.cs" Exclude="../shared/Not*.cs" />
        <Compile Remove="*.cs" />
        <Compile Include="Use.cs" />
        <Using Include="Lib.B" />
      </ItemGroup>
    </Project>
    -- App/Old.cs --
    global using Lib.C;
    -- App/Use.cs --
    class Use { InA a; InB b; InC c; }
                ^ Lib/A/InA#
                       ^ Lib/B/InB#
                              ^ ?
  `);
});

test('C#: the constructor that a creation means, by number and types of its arguments', async () => {
  await expectLinks(`
    -- A.cs --
    class A { public A(int n) { } public A() { } public A(string s, int n = 1) { } static A() { } }
    class One { public One(int n) { } }
    -- Use.cs --
    class Use {
      void F(object o) {
        new A(); new A(3);
            ^ A#A().
                     ^ A#A(int).
        new A("x"); new A("x", 2);
            ^ A#A(string,int).
                        ^ A#A(string,int).
        new A(o); new One(1);
            ^ A#
                      ^ One#
      }
      A kept;
      ^ A#
    }
  `);
});

test('an initializer calls the class that is made or the one that it extends, whichever part says so; no interface', async () => {
  await expectLinks(`
    -- Bases.cs --
    interface IShape { }
    class Base { public Base(int a) { } public Base() { } public virtual int Size() => 1; }
    class Base<T> { public Base(T a) { } }
    -- Parts.cs --
    partial class Box : IShape { }
    -- Box.cs --
    partial class Box
    {
        Box(int a) : base(a) { base.Size(); }
                     ^ Base#Base(int).
                                    ^ Base#Size().
        Box() : this(1) { }
                ^ Box#Box(int).
    }
    -- Rest.cs --
    using System;
    partial class Box : Base { }
    class Held : Base<int>, IShape { Held() : base(1) { } }
                                              ^ Base+1#
    class Flat : IShape { Flat() : base() { } }
                                   ^ ?
    class Bad : Exception { Bad(string text) : base(text) { } }
                                               ^ std dotnet:Exception
    struct Count { public Count(int n) { } public Count(string s) : this(s.Length) { } }
                                                                    ^ Count#Count(int).
  `);
});

test('of a dynamic value nothing is known, nor of what comes of it, and nothing that extends others is called on it', async () => {
  await expectLinks(`
    -- User.cs --
    using System.Collections.Generic;
    class User { public string FullName; public void Greet() { } public User Friend() => this; public dynamic Late; }
    static class Extensions { public static void Wave(this object of) { } public static void Greet(this string of) { } }
    class Named<T> : Dictionary<string, T> { }
    class Users : Named<User> { }
    class Over { public void Take(dynamic of) { } public void Take(int of) { } }
    class Uses
    {
        void Run(dynamic one, object two, List<dynamic> many, Dictionary<string, dynamic> named, Users users, User user)
        {
            one.Greet();
                ^ ?
            one.FullName = "x";
                ^ ?
            one.Friend().Wave();
                         ^ ?
            one[0].Wave();
                   ^ ?
            (one ?? user).Greet();
                          ^ ?
            ((dynamic)user).Greet();
                            ^ ?
            (two as dynamic).Greet();
                             ^ ?
            dynamic made = new User();
            made.Greet();
                 ^ ?
            many[0].FullName.Trim();
                    ^ ?
            named["x"].Friend();
                       ^ ?
            users["x"].Friend();
                       ^ User#Friend().
            named.First().Value.Friend();
                                ^ ?
            foreach (var each in many) each.Friend();
                                            ^ ?
            user.Late.Friend();
                 ^ User#Late.
                      ^ ?
            two.Wave();
                ^ Extensions#Wave(object).
            new Over().Take(user);
                       ^ Over#Take(dynamic).
            new Over().Take(1);
                       ^ Over#Take(int).
        }
    }
  `);
});

test('what nothing is known of chooses no function; what every object gives, texts and arithmetic do', async () => {
  await expectLinks(`
    -- a.cs --
    class P { public P(int a) { } public P(string s) { } }
    class B
    {
        void F(int a) { }
        void F(string s) { }
        void F(double d) { }
        int n; string s;
        void Run(object o, dynamic any)
        {
            F(o.ToString()); F(o.GetHashCode()); F(s.Trim()); F(s.Length); F(n * 2.0); F(n + 1L); F(missing()); F(any + 1);
            ^ B#F(string).
                             ^ B#F(int).
                                                 ^ B#F(string).
                                                              ^ B#F(int).
                                                                           ^ B#F(double).
                                                                                       ^ B#F(double).
                                                                                                  ^ ?
                                                                                                                ^ ?
            new P(s.Length); new P(missing());
                ^ P#P(int).
                                 ^ P#
        }
    }
  `);
});
