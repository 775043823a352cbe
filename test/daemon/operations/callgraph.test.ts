import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { operations } from '../../../client/protocol/registry.ts';
import { type AnalysedTree, analysedTree, idIn } from './analysed-tree.ts';

const text = `
-- shapes.ts --
import { join } from 'node:path';
export interface Shape { area(): number }
export class Square implements Shape {
  private readonly side = width();
  area(): number { return square(this.side); }
}
export function width(): number { return join('a').length; }
export function square(n: number): number { return n * n; }
export function total(shapes: Shape[]): number { return shapes.map(one => one.area()).length + dark.area(); }
-- main.ts --
import { Square, total } from './shapes.ts';
export function run(): number { const made = new Square(); return total([made]) + total([]); }
run();
-- run.test.ts --
import { run } from './main.ts';
export function check(): number { return run(); }
`;

const analysed = (t: TestContext) => analysedTree(t, text);
const defaults = {
  direction: 'both',
  depth: 1,
  includeTests: true,
  includeExternal: false,
  limit: 500,
  sync: false,
} as const;
type More = Partial<{
  direction: 'callers' | 'callees' | 'both';
  depth: number;
  includeTests: boolean;
  includeExternal: boolean;
  limit: number;
}>;

/** Lines such as `run -2> total at main.ts:2`, with the number of call sites in the arrow; another kind of step by its name. */
function calls(of: AnalysedTree, path: string, tail: string, more: More = {}): readonly string[] {
  const found = of.ask('analysis.callgraph', { ...defaults, ...more, id: idIn(of, path, tail) })!;
  assert.ok(Value.Check(operations['analysis.callgraph'].output, found));
  const names = new Map(found.nodes.map(({ id, name }) => [id, name]));
  return found.edges
    .map(({ callerId, callerFile, calleeId, kind, calls: count, location }) => {
      const caller = callerId === null ? callerFile : names.get(callerId);
      const at = location === null ? '' : ` at ${location.file}:${location.line}`;
      return `${caller} -${kind === 'call' ? count : kind}> ${names.get(calleeId)}${at}`;
    })
    .sort();
}

test('callers and callees are told to a depth, with where and how often', async t => {
  const of = await analysed(t);
  const cases: readonly (readonly [path: string, tail: string, more: More, readonly string[]])[] = [
    ['shapes.ts', 'square().', {}, ['area -1> square at shapes.ts:5']],
    ['main.ts', 'run().', { direction: 'callees' }, ['run -1> Square at main.ts:2', 'run -2> total at main.ts:2']],
    ['main.ts', 'run().', { direction: 'callers' }, ['check -1> run at run.test.ts:2', 'main.ts -1> run at main.ts:3']],
    ['main.ts', 'run().', { direction: 'callers', includeTests: false }, ['main.ts -1> run at main.ts:3']],
    ['shapes.ts', 'Shape#area().', {}, ['area -dispatch> area', 'total -1> area at shapes.ts:9']],
    [
      'shapes.ts',
      'width().',
      { includeExternal: true },
      ['side -1> width at shapes.ts:4', 'width -1> join at shapes.ts:7'],
    ],
    [
      ...(['shapes.ts', 'square().', { direction: 'callers', depth: 3 }] as const),
      ['area -1> square at shapes.ts:5', 'area -dispatch> area', 'total -1> area at shapes.ts:9'],
    ],
    ['main.ts', 'run().', { limit: 1 }, []],
  ];
  for (const [path, tail, more, expected] of cases) assert.deepEqual(calls(of, path, tail, more), expected, tail);
});

test('call sites that lead nowhere are counted where they stand', async t => {
  const of = await analysed(t);
  const found = of.ask('analysis.callgraph', { ...defaults, id: idIn(of, 'shapes.ts', 'total().') })!;
  assert.equal(found.nodes[0]?.openCalls, 1);
});

/** The names on the way, with how each is reached. */
function trace(of: AnalysedTree, from: readonly [string, string], to: readonly [string, string]) {
  const input = { from: idIn(of, ...from), to: idIn(of, ...to), sync: false };
  const found = of.ask('analysis.trace', input)!;
  assert.ok(Value.Check(operations['analysis.trace'].output, found));
  return {
    ...found,
    way: found.path.map(({ name, call }) => (call === null ? name : `${call.kind} ${name}`)).join(' '),
  };
}

test('the shortest way by calls leads through members that override others and through what a class makes', async t => {
  const of = await analysed(t);
  const run = ['main.ts', 'run().'] as const;
  const square = trace(of, run, ['shapes.ts', 'square().']);
  assert.equal(square.way, 'run call total call area dispatch area call square');
  assert.equal(square.confidence, 0.63);
  assert.equal(trace(of, run, ['shapes.ts', 'width().']).way, 'run call Square construct side call width');
  assert.equal(trace(of, run, run).way, 'run');
});

test('where no way is known, it is told where it may go on', async t => {
  const of = await analysed(t);
  const { found, way, stops, reached, limitations } = trace(of, ['main.ts', 'run().'], ['run.test.ts', 'check().']);
  assert.deepEqual({ found, way, reached }, { found: false, way: '', reached: 7 });
  assert.equal(limitations.length, 1);
  const told = stops.map(({ name, distance, because, openCalls }) => [name, distance, because, openCalls]);
  assert.deepEqual(told, [['total', 1, 'open-calls', 1]]);
});

test('what is only declared is where a way may go on', async t => {
  const text =
    '-- a.ts --\nexport interface Port { send(): void }\nexport function go(port: Port) { port.send(); }\nexport function other() {}\n';
  const of = await analysedTree(t, text);
  const { stops } = trace(of, ['a.ts', 'go().'], ['a.ts', 'other().']);
  assert.deepEqual(
    stops.map(({ name, because }) => [name, because]),
    [['send', 'no-body']],
  );
});

const recursion = `
-- a.ts --
export function even(n: number): boolean { return n === 0 || odd(n - 1); }
export function odd(n: number): boolean { return n !== 0 && even(n - 1); }
export function viaOdd(): boolean { return odd(3); }
`;

test('what calls a symbol and is called by it goes on both ways', async t => {
  const of = await analysedTree(t, recursion);
  assert.deepEqual(calls(of, 'a.ts', 'even().', { depth: 2 }), [
    'even -1> odd at a.ts:1',
    'odd -1> even at a.ts:2',
    'viaOdd -1> odd at a.ts:3',
  ]);
});

test('a field’s initialiser is run by whoever makes a value, seen from both ends', async t => {
  const of = await analysedTree(
    t,
    '-- a.ts --\nexport class Made { x = start(); plain = 1 }\nfunction start() { return 1 }\nexport function make() { return new Made() }\n',
  );
  const expected = ['Made -construct> x', 'make -1> Made at a.ts:3', 'x -1> start at a.ts:1'];
  assert.deepEqual(calls(of, 'a.ts', 'start().', { direction: 'callers', depth: 5 }), expected);
  assert.deepEqual(calls(of, 'a.ts', 'make().', { direction: 'callees', depth: 5 }), expected);
});

/** Calls of TypeScript and JavaScript that don't read like one: the callers of a function in a file. */
const unlikeCalls: readonly (readonly [path: string, tail: string, source: string, callers: readonly string[]])[] = [
  [
    'ui.tsx',
    'Child().',
    `
    export function Child(p: { n: number }) { return <b>{p.n}</b>; }
    export const Arrow = () => <Child n={1} />;
    export function Page() { return <div><Child n={2}></Child><Child n={3} /></div>; }
    export const held = [Child];
    `,
    ['Arrow -1> Child at ui.tsx:2', 'Page -2> Child at ui.tsx:3'],
  ],
  [
    'members.jsx',
    'Sub.',
    `
    const Sub = () => null;
    export const NS = { Sub, child: () => Sub() };
    export class Shown { static Sub = Sub; render() { return <Sub />; } }
    export const item = () => <NS.child />;
    `,
    ['child -1> Sub at members.jsx:2', 'render -1> Sub at members.jsx:3'],
  ],
  [
    'decorated.ts',
    'log().',
    `
    export function log(...given: any[]): any {}
    const all = { log };
    @log class A { @log one() {} @log() two() {} @(log) three = 1; four(@log x: number) {} }
    class B { @all.log five() {} }
    `,
    ['A -3> log at decorated.ts:3', 'decorated.ts -1> log at decorated.ts:3', 'four -1> log at decorated.ts:3'],
  ],
  [
    'wrapped.ts',
    'run().',
    `
    export function run(n?: number) {}
    const as = () => (run as () => void)();
    const fits = () => (run satisfies () => void)();
    const brackets = () => (run)();
    const sure = () => (run!)();
    const said = () => (/* it is there */ run)();
    const old = () => (<any>run)();
    const bound = () => (0, run)();
    const twice = () => { (run(1), run)(2); (run as any) = 1; };
    const held = () => [run as any, (0, run)];
    `,
    [
      'as -1> run at wrapped.ts:2',
      'bound -1> run at wrapped.ts:8',
      'brackets -1> run at wrapped.ts:4',
      'fits -1> run at wrapped.ts:3',
      'old -1> run at wrapped.ts:7',
      'said -1> run at wrapped.ts:6',
      'sure -1> run at wrapped.ts:5',
      'twice -2> run at wrapped.ts:9',
    ],
  ],
  [
    'late.js',
    'load().',
    `
    export function load() {}
    export default load;
    const { load: atTop } = await import('./late.js');
    function above() { atTop(); }
    async function apart() { const { load } = await import('./late.js'); load(); }
    async function byDefault() { const { default: d } = await import('./late.js'); d(); }
    async function some() { const { load: one, ...others } = await import('./late.js'); one(); }
    const then = () => import('./late.js').then(({ load }) => load());
    const whole = () => import('./late.js').then(m => m.load());
    `,
    [
      'above -1> load at late.js:4',
      'apart -1> load at late.js:5',
      'byDefault -1> load at late.js:6',
      'some -1> load at late.js:7',
      'then -1> load at late.js:8',
      'whole -1> load at late.js:9',
    ],
  ],
  [
    'assigned.cjs',
    'help().',
    `
    function Made() { function own() {} }
    Made.from = function () { help(); return new this(); };
    Made.arrow = () => help();
    Made.own = () => help();
    class Kind { static old() {} }
    Kind.old = () => help();
    Kind.late = () => help();
    const api = { kept() {} };
    api.run = function named() { help(); this.kept(); };
    const other = somebodys();
    other.run = () => help();
    if (api) api.sometimes = () => help();
    function help() {}
    function main() { api.run(); Made.from(); }
    `,
    [
      'arrow -1> help at assigned.cjs:3',
      'assigned.cjs -4> help at assigned.cjs:4',
      'from -1> help at assigned.cjs:2',
      'late -1> help at assigned.cjs:7',
      'run -1> help at assigned.cjs:9',
    ],
  ],
];

test('a tag, a decorator and what is called by way of brackets, commas and late imports are calls', async t => {
  for (const [path, tail, source, callers] of unlikeCalls) {
    const of = await analysedTree(t, `-- ${path} --${source}`);
    assert.deepEqual(calls(of, path, tail, { direction: 'callers' }), callers, path);
  }
});

test('new this() in a static method makes a value of its class', async t => {
  const of = await analysedTree(
    t,
    `
    -- a.ts --
    export class A {
      constructor() { start(); }
      static make() { return new this(); }
      static other() { return new (this as any)(); }
      copy() { return new this(); }
    }
    function start() {}
    `,
  );
  assert.deepEqual(calls(of, 'a.ts', 'start().', { direction: 'callers', depth: 2 }), [
    'A -construct> constructor',
    'constructor -1> start at a.ts:2',
    'make -1> constructor at a.ts:3',
    'other -1> constructor at a.ts:4',
  ]);
});

/** Of each language what makes a value of a class whose base does something when it is made. */
const made: readonly (readonly [scope: string, first: string, last: string, tree: string])[] = [
  [
    'java:#q',
    'Use#make().',
    'Base#first().',
    `
    -- Made.java --
    package q;
    class Base { Base() { first(); } static void first() {} }
    class Middle extends Base {}
    class Wire extends Middle { Wire() {} }
    class Use { Object make() { return new Wire(); } }
    `,
  ],
  [
    'kotlin:#k',
    'make().',
    'first().',
    `
    -- made.kt --
    package k
    open class Base { init { first() } }
    class Wire : Base()
    fun first() {}
    fun make() = Wire()
    `,
  ],
  [
    'csharp:',
    'N/Use#Make().',
    'N/Base#First().',
    `
    -- made.cs --
    namespace N;
    class Base { public Base() { First(); } static void First() {} }
    class Wire : Base {}
    class Use { void Make() { Wire one = new(); } }
    `,
  ],
  [
    'c:',
    'make().',
    'first().',
    `
    -- made.h --
    void first();
    struct Base { Base() { first(); } };
    struct Wire : Base { Wire() {} };
    void make();
    -- made.cc --
    #include "made.h"
    void first() {}
    void make() { Wire one; }
    `,
  ],
  [
    'made.ts',
    'make().',
    'first().',
    `
    -- made.ts --
    class Base { constructor() { first() } }
    class Wire extends Base {}
    function first() {}
    function make() { return new Wire() }
    `,
  ],
  [
    'made.py',
    'make().',
    'first().',
    `
    -- made.py --
    class Mixin: pass
    class Base:
        def __init__(self): first()
    class Wire(Mixin, Base): pass
    def first(): pass
    def make(): return Wire()
    `,
  ],
  [
    'php:',
    'make().',
    'first().',
    `
    -- made.php --
    <?php
    class Base { function __construct() { first(); } }
    class Wire extends Base {}
    function first() {}
    function make() { return new Wire(); }
    `,
  ],
  [
    'made.dart',
    'make().',
    'first().',
    `
    -- made.dart --
    class Base { Base() { first(); } }
    class Wire extends Base { Wire(); }
    void first() {}
    Object make() => Wire();
    `,
  ],
  [
    'ruby:',
    'make().',
    'first().',
    `
    -- made.rb --
    class Base
      def initialize; first; end
    end
    class Wire < Base; end
    def first; end
    def make; Wire.new; end
    `,
  ],
];

test('to make a value of a class runs the constructor that it has of its base, or calls without a word', async t => {
  for (const [scope, first, last, tree] of made) {
    const of = await analysedTree(t, tree);
    assert.equal(trace(of, [scope, first], [scope, last]).found, true, tree);
  }
});

test('what runs of Python is called by what runs it', async t => {
  const of = await analysedTree(
    t,
    `
-- d.py --
class Res:
    def __enter__(self): return self
    def __exit__(self, *a): pass
    async def __aenter__(self): return Res()
    async def __aexit__(self, *a): pass
    def go(self): pass
def enter(kept: Res):
    with Res() as r, kept: r.go()
async def later():
    async with Res() as r: r.go()
class P:
    @property
    def size(self): return 1
    @size.setter
    def size(self, v): pass
    after = lambda self: start()
class F:
    @classmethod
    def make(cls): return cls()
    def __init__(self): start()
def start(): pass
late = lambda: start()
`,
  );
  const callers = { direction: 'callers' } as const;
  const cases: readonly (readonly [tail: string, readonly string[]])[] = [
    ['Res#__enter__().', ['enter -2> __enter__ at d.py:8']],
    ['Res#__exit__().', ['enter -2> __exit__ at d.py:8']],
    ['Res#__aenter__().', ['later -1> __aenter__ at d.py:10']],
    ['Res#__aexit__().', ['later -1> __aexit__ at d.py:10']],
    ['Res#go().', ['enter -1> go at d.py:8', 'later -1> go at d.py:10']],
    ['P#size().', []],
    ['F#', ['make -1> F at d.py:19']],
    ['start().', ['__init__ -1> start at d.py:20', 'after -1> start at d.py:16', 'late -1> start at d.py:22']],
  ];
  for (const [tail, expected] of cases) assert.deepEqual(calls(of, 'd.py', tail, callers), expected, tail);
});

/** Of each language what reads or writes a property of an interface, and what runs where another has an accessor for it. */
const read: readonly (readonly [scope: string, first: string, last: string, tree: string])[] = [
  [
    'kotlin:#k',
    'ask(Port).',
    'first().',
    `
    -- read.kt --
    package k
    interface Port { val size: Int }
    class Wire : Port { override val size get() = first() }
    fun first() = 1
    fun ask(port: Port) = port.size
    `,
  ],
  [
    'csharp:',
    'N/Use#Ask(IPort).',
    'N/Wire#First().',
    `
    -- read.cs --
    namespace N;
    interface IPort { int Size { get; set; } }
    class Wire : IPort { public int Size { get { return 1; } set { First(); } } static void First() {} }
    class Use { void Ask(IPort port) { port.Size = 2; } }
    `,
  ],
  [
    'read.dart',
    'ask().',
    'first().',
    `
    -- read.dart --
    abstract class Port { int get size; }
    class Wire implements Port { int get size => first(); }
    int first() => 1;
    int ask(Port port) => port.size;
    `,
  ],
  [
    'read.ts',
    'ask().',
    'first().',
    `
    -- read.ts --
    interface Port { size: number }
    class Wire implements Port { get size() { return first() } }
    function first() { return 1 }
    function ask(port: Port) { return port.size }
    `,
  ],
  [
    'read.py',
    'ask().',
    'first().',
    `
    -- read.py --
    class Port:
        @property
        def size(self): ...
    class Wire(Port):
        @property
        def size(self): return first()
    def first(): return 1
    def ask(port: Port): return port.size
    `,
  ],
];

test('to read or write a property runs the accessors of what overrides it', async t => {
  for (const [scope, first, last, tree] of read) {
    const of = await analysedTree(t, tree);
    assert.match(trace(of, [scope, first], [scope, last]).way, / dispatch [sS]ize call [fF]irst$/, tree);
  }
});

test('what a field begins with runs where it is made, not where it is read', async t => {
  const of = await analysedTree(
    t,
    '-- a.ts --\nexport interface Port { x: number }\nexport class Made implements Port { x = start() }\nfunction start() { return 1 }\nexport function read(port: Port) { return port.x }\n',
  );
  assert.equal(trace(of, ['a.ts', 'read().'], ['a.ts', 'start().']).found, false);
});

/** Of each language what runs a function that stands for an operator, by values whose class is told. */
const operated: readonly (readonly [scope: string, first: string, lasts: readonly string[], tree: string])[] = [
  [
    'kotlin:#k',
    'use(Vec,Vec,String,List).',
    ['Vec#plus(Vec).', 'minus(Vec,Vec).', 'Vec#get(Int).', 'Vec#set(Int,Int).', 'Vec#invoke(Int).'],
    `
    -- vec.kt --
    package k
    class Vec {
      operator fun plus(o: Vec): Vec = o
      operator fun get(i: Int) = i
      operator fun set(i: Int, v: Int) {}
      operator fun invoke(i: Int) = i
    }
    operator fun Vec.minus(o: Vec) = o
    fun use(a: Vec, b: Vec, s: String, l: List<Int>) { a + b - a; a[1]; a[1] = 2; a(3); s + l[0] }
    `,
  ],
  [
    'csharp:',
    'N/Use#All(Vec,Vec,string).',
    ['N/Vec#`operator +`(Vec,Vec).', 'N/Vec#`operator ==`(Vec,Vec).', 'N/Vec#`this[]`(int).'],
    `
    -- vec.cs --
    namespace N;
    class Vec {
      public static Vec operator +(Vec a, Vec b) => a;
      public static bool operator ==(Vec a, Vec b) => true;
      public int this[int i] { get { return i; } }
    }
    class Use { void All(Vec a, Vec b, string s) { var c = a + b; var d = a == b; var e = a[1]; var f = s + "x"; } }
    `,
  ],
  [
    'c:',
    'use(Vec,Vec*).',
    ['Vec#operator+(const Vec&,const).'],
    `
    -- vec.h --
    struct Vec { Vec operator+(const Vec& o) const; int operator[](int i); };
    void use(Vec a, Vec *b);
    -- vec.cc --
    #include "vec.h"
    bool operator==(const Vec& a, const Vec& b) { return true; }
    void use(Vec a, Vec *b) { a + a; a[1]; b == nullptr; }
    `,
  ],
  [
    'vec.dart',
    'use().',
    ['Vec#+().', 'Vec#`<`().'],
    `
    -- vec.dart --
    class Vec { Vec operator +(Vec o) => o; bool operator <(Vec o) => true; }
    void use(Vec a, Vec b, String s) { a + b; a < b; s + 'x'; }
    `,
  ],
  [
    'vec.py',
    'use().',
    ['Vec#__add__().', 'Vec#__getitem__().', 'Vec#__setitem__().'],
    `
    -- vec.py --
    class Vec:
        def __add__(self, o): return self
        def __getitem__(self, i): return i
        def __setitem__(self, i, v): pass
    def use(a: Vec, b: Vec, s: str):
        a + b
        a[1]
        a[1] = 2
        s + 'x'
    `,
  ],
  [
    'java:#q',
    'Use#all().',
    ['Circle#Circle(int).'],
    `
    -- Circle.java --
    package q;
    class Circle { Circle(int n) {} }
    class Use { void all() { java.util.function.IntFunction<Circle> f = Circle::new; } }
    `,
  ],
];

test('operators run what the class of their values has for them', async t => {
  for (const [scope, first, lasts, tree] of operated) {
    const of = await analysedTree(t, tree);
    const input = { ...defaults, direction: 'callees' as const, id: idIn(of, scope, first) };
    const { nodes } = of.ask('analysis.callgraph', input)!;
    const called = nodes.filter(({ distance, kind }) => distance === 1 && kind !== 'class').map(({ id }) => id);
    assert.deepEqual([...called].sort(), lasts.map(tail => idIn(of, scope, tail)).sort(), tree);
  }
});
