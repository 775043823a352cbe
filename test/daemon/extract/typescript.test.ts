import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { extract } from '../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';

const limits = { parseSteps: defaultParseSteps };

function factsOf(source: string, dialect = 'typescript'): Promise<DocumentFacts> {
  return extract(new TextEncoder().encode(source), dialect as Dialect, limits);
}

/** `line kind tail`, with `+` for exported, `private` and `internal` where so. */
function outline(facts: DocumentFacts): string {
  return facts.definitions
    .map(one => {
      const marks = `${one.exported ? '+' : ' '}${one.visibility === 'public' ? '' : `${one.visibility} `}`;
      return `${one.nameRange.startLine + 1}${marks}${one.kind} ${one.tail}`;
    })
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .join('\n');
}

interface Case {
  readonly name: string;
  readonly dialect?: string;
  readonly source: string;
  readonly outline: string;
}

const cases: readonly Case[] = [
  {
    name: 'what is exported after the fact, with its members',
    source: `export { Later, table as list };
class Later { own = 1; #hidden = 2; protected half() {} }
const table = { key: 1 };
enum Kind { A }
function apart() { function inner() {} }
export default apart;
export { Kind };
class Rest { x() {} }`,
    outline: `2+class Later#
2+field Later#own.
2 private field Later#\`#hidden\`.
2 internal method Later#half().
3+constant table.
3+property table.key.
4+enum Kind#
4+enum-member Kind#A.
5+function apart().
5 function apart().inner().
8 internal class Rest#
8 internal method Rest#x().`,
  },
  {
    name: 'members of object types: of what bears the type, else apart in what encloses it',
    source: `export let state: { file: string; at?: { line: number } } | null = null;
class Scope { private implicit: { set: Map<string, number> }; #cell: Array<{ one: 1 }> = [] }
export function error(message: string, { code }: { code: number }, place: { end: { line: number } }): { ok: true } {
  const local = JSON.parse(message) as { text: string; go(): void };
  return { ok: true };
}
function same(a: { x: 1 }, b: { x: 2 }) {}
run((one: { deep: 1 }) => {});`,
    outline: `1+variable state.
1+property state.file.
1+property state.at.
1+property state.at.line.
2 internal class Scope#
2 private field Scope#implicit.
2 private property Scope#implicit.set.
2 private field Scope#\`#cell\`.
2 private property Scope#\`#cell\`.one.
3+function error().
3 internal property error().\`type\`#ok.
3 internal property error().\`type\`#code.
3 internal property error().(place)\`type\`#end.
3 internal property error().(place)\`type\`#end.line.
4 internal property error().\`type\`#text.
4 internal method error().\`type\`#go().
7 internal function same().
7 internal property same().(a)\`type\`#x.
7 internal property same().(b)\`type\`#x.
8 internal property \`run()\`/(one)\`type\`#deep.`,
  },
  {
    name: 'members called like modifiers',
    source: `interface Node { abstract: boolean; accessor?: string; declare: false }
abstract class Base { abstract = 1; accessor: string; abstract half: number; accessor() {} }
abstract
class Next { accessor x = 1 }`,
    outline: `1 internal interface Node#
1 internal property Node#abstract.
1 internal property Node#accessor.
1 internal property Node#declare.
2 internal class Base#
2 internal field Base#abstract.
2 internal field Base#accessor.
2 internal field Base#half.
2 internal method Base#accessor().
4 internal class Next#
4 internal field Next#x.`,
  },
  {
    name: 'CommonJS: an object of names, a class with its own name, a variable that stands for the exports',
    dialect: 'javascript',
    source: `function foo() {}
class Thing { go() {} }
const bar = () => {};
module.exports = { foo, renamed: bar, Thing };
const api = module.exports = {};
api.help = function () {};
module.exports = class P { run() {} };
const other = {}; other.x = function () {};`,
    outline: `1+function foo().
2+class Thing#
2+method Thing#go().
3+function bar.
5 internal constant api.
6+function help.
7+class P#
7+method P#run().
8 internal constant other.
8 internal method other.x.`,
  },
  {
    name: 'keys of the object that a function returns, unless something declares it',
    source: `export function make(a) {
  function run() {}
  if (a) return { run, deep: { one: 1 }, go() { function inner() {} }, get size() { return { w: 1 }; } };
  call(() => ({ notHere: 1 }));
  return ({ other: 2 });
}
export const short = () => ({ key: 1 });
class C { m() { return { ofM: 1 }; } get g() { return { notG: 1 }; } }
function declared(): D { return { notD: 1 }; }
const typed: Named = { f() { return { notE: 1 }; } };`,
    outline: `1+function make().
2 function make().run().
3+property make().\`return\`#run.
3+property make().\`return\`#deep.
3+property make().\`return\`#deep.one.
3+method make().\`return\`#go().
3 function make().\`return\`#go().inner().
3+property make().\`return\`#size.
5+property make().\`return\`#other.
7+function short.
7+property short.\`return\`#key.
8 internal class C#
8 internal method C#m().
8 internal property C#m().\`return\`#ofM.
8 internal property C#g.
9 internal function declared().
10 internal constant typed.
10 internal method typed.f().`,
  },
  {
    name: 'members of a class that its instances have too, whichever comes first',
    source: `class C {
  static make() { function inner() {} }
  make() {}
  constructor(readonly size: number) {}
  static size = 0;
  static get half() { return 1; }
  get half() { return 2; }
  static alone() {}
  'odd one'() {}
  static 'odd one' = 1;
}
class Merged { static of() {} }
interface Merged { of(): void }`,
    outline: `1 internal class C#
2 internal method C#make(static).
2 function C#make(static).inner().
3 internal method C#make().
4 internal constructor C#\`<constructor>\`().
4 internal field C#size.
5 internal field C#\`static size\`.
6 internal property C#\`static half\`.
7 internal property C#half.
8 internal method C#alone().
9 internal method C#\`odd one\`().
10 internal field C#\`static odd one\`.
12 internal class Merged#
12 internal method Merged#of(static).
13 internal interface Merged#
13 internal method Merged#of().`,
  },
  {
    name: 'a class with all kinds of members',
    source: `export abstract class Server<T> extends Base implements A, B {
  constructor(private readonly port: number, protected host = 'x', plain: T) { super(); }
  static #count = 0;
  readonly name: string = '';
  handler = () => 1;
  get size(): number { return 1; }
  set size(v: number) {}
  private close(): void {}
  protected abstract open(): void;
  'quoted name'() {}
  [Symbol.iterator]() {}
  over(a: string): void;
  over(a: number): void;
  over(a: unknown) {}
}`,
    outline: `1+class Server#
2+constructor Server#\`<constructor>\`().
2 private field Server#port.
2 internal field Server#host.
3 private field Server#\`#count\`.
4+field Server#name.
5+method Server#handler.
6+property Server#size.
7+property Server#size.
8 private method Server#close().
9 internal method Server#open().
10+method Server#\`quoted name\`().
11+method Server#\`[Symbol.iterator]\`().
12+method Server#over().
13+method Server#over().
14+method Server#over().`,
  },
  {
    name: 'interfaces, aliases, enums and namespaces',
    source: `export interface I extends J { a?: string; b(): void; readonly c: { d: { e: number }[] } }
type T = { x: 1 } | { y: Map<string, { z: 1 }> };
export const enum E { A, 'b-c' = 2 }
namespace N.M { export const inner = 1; function hidden() {} }
declare module 'other' { export function f(): void }
declare global { interface Window { extra: string } var lone: string }
export * as Parts from './parts';`,
    outline: `1+interface I#
1+property I#a.
1+method I#b().
1+property I#c.
1+property I#c.d.
1+property I#c.d.e.
2 internal type T#
2 internal property T#x.
2 internal property T#y.
2 internal property T#y.z.
3+enum E#
3+enum-member E#A.
3+enum-member E#b-c.
4 namespace N/
4 namespace N/M/
4 constant N/M/inner.
4 internal function N/M/hidden().
5+module other/
5+function other/f().
6+interface Window#
6+variable lone.
6+property Window#extra.
7+namespace Parts/`,
  },
  {
    name: 'variables, destructuring and object constants',
    source: `export const a = 1, { b, c: [d], ...e } = f();
let g: string;
export const arrow = async () => {};
const table = { key: { deep: 1 }, m() {}, fn: () => {}, get g() { return 1; }, [x]: 1, a } as const;
export const K = class { inner() {} };
function later() {}
export { later as now };`,
    outline: `1+constant a.
1+constant b.
1+constant d.
1+constant e.
2 internal variable g.
3+function arrow.
4 internal constant table.
4 internal property table.key.
4 internal property table.key.deep.
4 internal method table.m().
4 internal method table.fn.
4 internal property table.g.
4 internal property table.a.
5+class K.
5+method K.inner().
6+function later().`,
  },
  {
    name: 'what stands inside functions: functions and classes, not variables; callbacks keep theirs apart',
    source: `function outer(p: string) {
  const local = 1;
  function named() { class Deep { m() {} } }
  if (p) { function inBlock() {} }
}
describe('adds', () => { function make() {} });
describe('removes', function () { function make() {} });`,
    outline: `1 internal function outer().
3 function outer().named().
3 class outer().named().Deep#
3 method outer().named().Deep#m().
4 function outer().inBlock().
6 function \`describe("adds")\`/make().
7 function \`describe("removes")\`/make().`,
  },
  {
    name: 'default exports',
    source: 'export default { a: 1, run() {} };',
    outline: `1+constant default.
1+property default.a.
1+method default.run().`,
  },
  {
    name: 'CommonJS',
    dialect: 'javascript',
    source: `function X() {}
X.prototype.m = function () {};
exports.one = () => 1;
module.exports.two = 2;
module.exports = { three() {}, four: 4, X };`,
    outline: `1+function X().
2+method X#m().
3+function one.
4+constant two.
5+function three.
5+constant four.`,
  },
];

for (const one of cases) {
  test(`outlines ${one.name}`, async () => {
    assert.equal(outline(await factsOf(one.source, one.dialect)), one.outline);
  });
}

test('signature, documentation and ranges', async () => {
  const facts = await factsOf(`/** Adds.
 *
 * @param a one
 */
export async function add(
  a: number,
): Promise<number> {
  return a;
}
/* no doc */ const x: Map<string, number> = new Map();`);
  const [add, x] = facts.definitions;
  assert.equal(add!.signature, 'export async function add( a: number, ): Promise<number>');
  assert.equal(add!.documentation, 'Adds.\n\n@param a one');
  assert.deepEqual(add!.nameRange, { startLine: 4, startColumn: 22, endLine: 4, endColumn: 25 });
  assert.deepEqual(add!.range, { startLine: 4, startColumn: 7, endLine: 8, endColumn: 1 });
  assert.equal(x!.signature, 'const x: Map<string, number> = new Map()');
  assert.equal(x!.documentation, '');
});

test('references: kinds, and columns in UTF-16 units', async () => {
  const facts = await factsOf(`import { a } from './a';
const s = '😀'; a.b(); a.c = a.d; a.e++; new a.F<a.G>(); class H extends a.I {}`);
  const found = facts.references.map(one => `${one.line}:${one.column} ${one.kind} ${one.name}`);
  assert.deepEqual(
    found.filter(one => !one.endsWith(' a')),
    [
      '1:18 call b',
      '1:25 write c',
      '1:31 read d',
      '1:36 write e',
      '1:47 call F',
      '1:51 type G',
      '1:75 implementation I',
    ],
  );
});

test('the innermost definition encloses a reference', async () => {
  const facts = await factsOf('class A { m() { f(); } } const x = () => g(); h();');
  const enclosing = facts.references.map(
    one => `${one.name} in ${facts.definitions[one.enclosing]?.tail ?? 'the file'}`,
  );
  assert.deepEqual(enclosing, ['f in A#m().', 'g in x.', 'h in the file']);
});
