import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../daemon/link/linker.ts';
import type { MountedDocument } from '../../../daemon/model/document.ts';
import type { Target } from '../../../daemon/model/links.ts';
import { manifestOf, mountFile } from '../../support/linked-tree.ts';
import { caretsIn, filesOf } from '../../support/tree-in-text.ts';

/** Each fixture says under its references what they point at: `scope tail`, `external package name`, `candidate`, `elsewhere` (a candidate that likely is something else), or `nothing`. */
const fixtures: Readonly<Record<string, string>> = {
  'named, default and renamed imports': `
=== a.ts
export function f() {}
export default class K {}
export { f as g };
=== b.ts
import D, { f, g as h } from './a';
//     ^ a.ts K#
//          ^ a.ts f().
//             ^ a.ts f().
f(); h(); new D();
// ^ nothing
//   ^ a.ts f().
//            ^ a.ts K#
`,
  'barrels, cycles of export *, and explicit names first': `
=== a.ts
export * from './b';
export const own = 1;
=== b.ts
export * from './a';
export * from './c';
export * as inner from './c';
=== c.ts
export const own = 2;
export const deep = 3;
=== use.ts
import { deep, own, inner } from './a';
deep; own; inner.deep; nope;
//^ nothing
//    ^ a.ts own.
//               ^ c.ts deep.
//                     ^ candidate
`,
  "names that two modules give wholesale are nobody's, unless both give the same": `
=== left.ts
export const clash = 1, apart = 1, own = 1;
export { same } from './deep';
export { lib } from 'elsewhere';
=== right.ts
export const clash = 2, own = 2;
export * from './deep';
export { lib } from 'elsewhere';
=== deep.ts
export const same = 1;
export interface clash2 {}
=== deeper.ts
export * from './right';
=== barrel.ts
export * from './left';
export * from './deeper';
export * from './right';
export const own = 3, clash2 = 4;
=== use.ts
import { clash, apart, same, lib, own, clash2 } from './barrel';
//       ^ candidate
//              ^ left.ts apart.
//                     ^ deep.ts same.
//                           ^ external elsewhere lib
//                                ^ barrel.ts own.
//                                     ^ barrel.ts clash2.
import * as all from './barrel';
all.clash; all.same;
//  ^ candidate
//             ^ deep.ts same.
`,
  'what a function returns, by the keys of the object that it writes down': `
=== make.ts
export function useThing(a: string) {
  function run() {}
  return { run, state: { depth: 1 }, go() { return this.run; }, ...a };
//         ^ make.ts useThing().run().
//                                                      ^ make.ts useThing().\`return\`#run.
}
export const options = async () => ({ cwd: '' });
export type Options = Awaited<ReturnType<typeof options>>;
export class Maker { build() { return { built: 1 }; } }
=== use.ts
import { Maker, options, useThing, type Options } from './make';
const thing = useThing('');
thing.run(); thing.state.depth; thing.go(); thing.unknownq; useThing.runq;
//    ^ make.ts useThing().\`return\`#run.
//                 ^ make.ts useThing().\`return\`#state.
//                       ^ make.ts useThing().\`return\`#state.depth.
//                                    ^ make.ts useThing().\`return\`#go().
//                                                ^ candidate
const { state } = useThing('');
//      ^ make.ts useThing().\`return\`#state.
export async function f(given: Options) {
  useThing('')(); useThing('')((p: Options) => p.cwd);
  given.cwd; (await options()).cwd; new Maker().build().built;
//      ^ make.ts options.\`return\`#cwd.
//                             ^ make.ts options.\`return\`#cwd.
//                                                      ^ make.ts Maker#build().\`return\`#built.
}
`,
  'members of a class and of its instances, of one name': `
=== base.ts
export class Base {
  static make() { this.make(); new this().make(); return new Base(); }
//                     ^ base.ts Base#make(static).
//                                        ^ base.ts Base#make().
  make() { this.make(); Base.make(); }
//              ^ base.ts Base#make().
//                           ^ base.ts Base#make(static).
  static size = 1;
  size = Base.size;
//            ^ base.ts Base#\`static size\`.
}
=== use.ts
import { Base } from './base';
class Derived extends Base {
  static other() { super.make(); this.size; }
//                       ^ base.ts Base#make(static).
//                                    ^ base.ts Base#\`static size\`.
  another() { super.make(); this.size; }
//                  ^ base.ts Base#make().
//                               ^ base.ts Base#size.
}
Derived.make().make();
//      ^ base.ts Base#make(static).
//             ^ base.ts Base#make().
new Derived().size;
//            ^ base.ts Base#size.
`,
  'members of annotated variables in their type before the keys of the object that they are given': `
=== conf.ts
export interface Conf { hostq: number; portq: number; runq(): void; deep?: { innerq: number }; next?: Conf }
export const conf: Conf = { hostq: 1, portq: 2, runq() {}, deep: { innerq: 1 }, next: { hostq: 2 } as Conf };
//                          ^ conf.ts Conf#hostq.
//                                              ^ conf.ts Conf#runq().
//                                                                 ^ conf.ts Conf#deep.innerq.
export const asserted = { hostq: 1, portq: 2 } as unknown as Conf;
export const fulfils = { hostq: 1, deep: { innerq: 2 } } satisfies Partial<Conf>;
export const more: Conf & { extraq: number } = { hostq: 1, extraq: 2 };
export const unknownType: Missing = { hostq: 1 };
export class Holder { confq: Conf = { hostq: 1, portq: 2, runq() {} }; }
=== use.ts
import { asserted, conf, fulfils, Holder, more, unknownType } from './conf';
conf.hostq; conf.portq = 3; conf.runq(); conf.deep.innerq; conf.next.hostq; conf['hostq'];
//   ^ conf.ts Conf#hostq.
//               ^ conf.ts Conf#portq.
//                               ^ conf.ts Conf#runq().
//                                            ^ conf.ts Conf#deep.
//                                                 ^ conf.ts Conf#deep.innerq.
//                                                                   ^ conf.ts Conf#hostq.
//                                                                               ^ conf.ts Conf#hostq.
asserted.hostq; fulfils.hostq; fulfils.deep.innerq; more.hostq; more.extraq; unknownType.hostq;
//       ^ conf.ts Conf#hostq.
//                      ^ conf.ts fulfils.hostq.
//                                          ^ conf.ts fulfils.deep.innerq.
//                                                       ^ conf.ts Conf#hostq.
//                                                                   ^ conf.ts more.extraq.
//                                                                                       ^ conf.ts unknownType.hostq.
const { portq } = conf; new Holder().confq.portq;
//      ^ conf.ts Conf#portq.
//                                         ^ conf.ts Conf#portq.
`,
  'members of what a record holds under any key': `
=== conf.ts
export interface Conf { hostq: number; runq(): void }
function make() { return 1; }
export const rec: Record<string, Conf> = { a: { hostq: 1, runq() {} } };
//                                              ^ conf.ts Conf#hostq.
export declare const partial: Partial<Record<'a' | 'b', Conf>>;
export declare const made: Record<string, typeof make>;
export declare const names: Record<string, string>;
export class Holder { readonly all: Readonly<Record<string, Conf[]>> = {}; }
=== use.ts
import { Holder, made, names, partial, rec } from './conf';
rec.a.hostq; rec['b'].runq(); rec.other.nope; rec[key].hostq; partial.a?.hostq; new Holder().all.x[0].hostq;
//  ^ conf.ts rec.a.
//    ^ conf.ts Conf#hostq.
//                    ^ conf.ts Conf#runq().
//                                      ^ elsewhere
//                                                     ^ conf.ts Conf#hostq.
//                                                                       ^ conf.ts Conf#hostq.
//                                                                                                    ^ conf.ts Conf#hostq.
rec.other; made.x(); names.x.trim(); for (const one of Object.values(rec)) one.hostq;
//  ^ elsewhere
//              ^ external javascript Record.x
//                           ^ external javascript String.trim
`,
  'CommonJS: exports used in their own file, and through a variable that stands for them': `
=== n.js
exports.own = function () { return exports.two(); };
//                                         ^ n.js two.
exports.two = () => module.exports.own();
//                                 ^ n.js own.
=== m.js
const api = module.exports = {};
api.help = () => api.other();
//                   ^ m.js other.
api.other = () => 1;
=== p.js
module.exports = class P { run() {} static make() {} };
=== use.js
const { help } = require('./m'); help();
//      ^ m.js help.
//                               ^ m.js help.
const n = require('./n'); n.two(); require('./m').other();
//                          ^ n.js two.
//                                                ^ m.js other.
const C = require('./p'); new C().run(); C.make();
//                                ^ p.js P#run().
//                                         ^ p.js P#make().
`,
  'members by a string key': `
=== a.ts
enum E { A = 1, B = 'x' }
type T = { deep: { x: number } };
E['B']; E.A;
//^ a.ts E#B.
//        ^ a.ts E#A.
let v: T['deep'];
//       ^ a.ts T#deep.
declare const t: T; t['deep']['x'];
//                    ^ a.ts T#deep.
//                            ^ a.ts T#deep.x.
`,
  'a cycle of explicit re-exports leads nowhere': `
=== a.ts
export { x } from './b';
=== b.ts
export { x } from './a';
=== use.ts
import { x } from './a';
//       ^ candidate
`,
  'index files, extensions that the build will write, and directories': `
=== lib/index.ts
export const one = 1;
=== lib/two.ts
export const two = 2;
=== lib/three.tsx
export const three = 3;
=== use.ts
import { one } from './lib';
//       ^ lib/index.ts one.
import { two } from './lib/two.js';
//       ^ lib/two.ts two.
import { three } from './lib/three.jsx';
//       ^ lib/three.tsx three.
import { x } from './lib/nowhere.js';
//       ^ candidate
`,
  'tsconfig paths through extends, the longest prefix first, and baseUrl': `
=== tsconfig.base.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["src/*"], "@app/deep/*": ["deep/*"], "exact": ["src/one"] } } } // trailing
=== pkg/tsconfig.json
{ "extends": "../tsconfig.base.json", "compilerOptions": { "strict": true, } }
=== src/one.ts
export const one = 1;
=== deep/two.ts
export const two = 2;
=== pkg/use.ts
import { one } from '@app/one';
//       ^ src/one.ts one.
import { two } from '@app/deep/two';
//       ^ deep/two.ts two.
import { one as exact } from 'exact';
//       ^ src/one.ts one.
import { one as based } from 'src/one';
//       ^ src/one.ts one.
`,
  'workspace packages by name, exports mapped to sources, self-reference and imports': `
=== packages/lib/package.json
{ "name": "@x/lib", "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" }, "./sub/*": "./dist/sub/*.js" }, "imports": { "#inner": "./src/sub/s.ts" } }
=== packages/lib/src/index.ts
export const main = 1;
=== packages/lib/src/sub/s.ts
export const s = 1;
=== packages/lib/src/self.ts
import { main } from '@x/lib';
//       ^ packages/lib/src/index.ts main.
import { s } from '#inner';
//       ^ packages/lib/src/sub/s.ts s.
=== packages/app/a.ts
import { main } from '@x/lib';
//       ^ packages/lib/src/index.ts main.
import { s } from '@x/lib/sub/s';
//       ^ packages/lib/src/sub/s.ts s.
import { useState } from 'react';
//       ^ external react useState
import { readFile } from 'node:fs';
//       ^ external fs readFile
`,
  'members through declared types, new, fields, inheritance and super': `
=== base.ts
export interface Shape { area(): number; readonly kind: Kind }
export interface Kind { label: string }
export class Base implements Shape {
//                           ^ base.ts Shape#
  kind!: Kind;
  area() { return 1; }
  static make() { return new Base(); }
}
=== use.ts
import { Base, type Shape } from './base';
class Sub extends Base {
//                ^ base.ts Base#
  private readonly other = new Sub();
  area() { return super.area() + this.other.kind.label.length; }
//                      ^ base.ts Base#area().
//                                    ^ use.ts Sub#other.
//                                          ^ base.ts Base#kind.
//                                               ^ base.ts Kind#label.
}
function f(shape: Shape, sub = new Sub()) {
  shape.area();
//      ^ base.ts Shape#area().
  sub.kind.label;
//    ^ base.ts Base#kind.
  Base.make().kind;
//     ^ base.ts Base#make().
//            ^ base.ts Base#kind.
}
`,
  'locals carry the type of what they hold: destructuring, for-of, await, callbacks': `
=== m.ts
export interface Item { id: string; tags: Set<Tag> }
export interface Tag { text: string }
export async function load(): Promise<Item[]> { return []; }
=== use.ts
import { load, type Item } from './m';
async function f(byName: Map<string, Item>) {
  const items = await load();
  for (const item of items) item.id;
//                               ^ m.ts Item#id.
  items.filter(x => x.id).map(y => y.tags);
//                    ^ m.ts Item#id.
//                                   ^ m.ts Item#tags.
  const { id, tags } = items[0]!;
//        ^ m.ts Item#id.
  for (const t of tags) t.text;
//                        ^ m.ts Tag#text.
  byName.get('a')?.id;
//                 ^ m.ts Item#id.
  const [first] = items;
  first.id;
//      ^ m.ts Item#id.
}
`,
  'shadowing: a parameter is no reference, and neither are its uses': `
=== a.ts
export const name = 1;
export function f(name: string) { return name; }
//                                       ^ nothing
export function g() { return name; }
//                           ^ a.ts name.
export function h() { { const name = 2; name; } return name; }
//                                      ^ nothing
//                                                     ^ a.ts name.
`,
  'namespaces, enums and object constants': `
=== a.ts
export namespace N { export const inner = 1; export namespace M { export function deep() {} } }
export enum Color { Red, Green = 'g' }
export const table = { first: { second: 1 }, run() {} };
=== b.ts
import { N, Color, table } from './a';
import * as all from './a';
N.inner; N.M.deep(); Color.Red; table.first.second; table.run(); all.Color.Green;
//^ a.ts N/inner.
//           ^ a.ts N/M/deep().
//                         ^ a.ts Color#Red.
//                                          ^ a.ts table.first.second.
//                                                        ^ a.ts table.run().
//                                                                         ^ a.ts Color#Green.
`,
  'a type and a value of one name': `
=== a.ts
export interface Both { x: number }
export const Both = { make() {} };
=== b.ts
import { Both } from './a';
const it: Both = Both.make();
//        ^ a.ts Both#
//               ^ a.ts Both.
//                    ^ a.ts Both.make().
`,
  CommonJS: `
=== a.js
function helper() {}
class K { m() {} }
exports.one = helper;
module.exports.two = function () {};
exports.K = K;
=== whole.js
function Old() {}
Old.prototype.run = function () { return this.stop(); };
//                                            ^ whole.js Old#stop().
Old.prototype.stop = function () {};
module.exports = Old;
=== use.js
const a = require('./a');
const { two, K } = require('./a');
const Old = require('./whole');
a.one(); two(); new K().m(); new Old().run();
//^ a.js helper().
//       ^ a.js two.
//                      ^ a.js K#m().
//                                     ^ whole.js Old#run().
`,
  'what require binds is an import: parts, renamed, in functions; members of what a module is': `
=== keys.js
const keys = { name: Symbol('name') };
module.exports = keys;
=== lib/errors.js
class Failure {}
module.exports = { Failure, codes: { late: 1 } };
=== use.js
const { name: kName, other } = require('./keys');
//      ^ keys.js keys.name.
const codes = require('./lib/errors').codes;
const keys = require('./keys');
use(kName, codes.late, keys.name);
//  ^ keys.js keys.name.
//         ^ lib/errors.js codes.
//               ^ lib/errors.js codes.late.
//                     ^ keys.js keys.
//                          ^ keys.js keys.name.
function f() {
  const { Failure } = require('./lib/errors');
  throw new Failure();
//          ^ lib/errors.js Failure#
}
const external = require('somewhere');
external.run();
//       ^ external somewhere run
`,
  'what is taken out of the unknown is a candidate, like a member': `
=== a.ts
export function f(given) {
  const { once, twice: other } = given;
//        ^ candidate
//              ^ candidate
  return given.once;
//             ^ candidate
}
`,
  'a folder is what its package.json says, also to its own tests': `
=== package.json
{ "name": "app", "main": "app.js", "types": "app.d.ts" }
=== app.js
module.exports = function app() {};
=== app.d.ts
declare function app(): app.Instance;
declare namespace app { interface Instance { close(): void } }
export = app;
=== test/close.test.js
const app = require('..');
(app().close());
//     ^ app.d.ts app/Instance#close().
`,
  'overloads of a call signature take what any of them takes': `
=== t.ts
export interface Reply { send(): void }
export interface Options { path: string }
export interface Route { (path: string, options: Options): void; (path: string, handler: (reply: Reply) => void): void }
export interface App { get: Route }
=== use.ts
import type { App } from './t';
export function main(app: App) {
  app.get('/', reply => reply.send());
//                            ^ t.ts Reply#send().
  app.get('/', { path: '' });
//               ^ t.ts Options#path.
}
`,
  'an overload says what its callers get': `
=== t.ts
export interface Ref { value: number }
class Kept { value = 1 }
export function ref(value: number): Ref;
export function ref(value?: unknown) { return new Kept(); }
=== use.ts
import { ref } from './t';
ref(1).value;
//     ^ t.ts Ref#value.
`,
  'types that take turns, mapped types, defaults and looked-up members': `
=== t.ts
export interface Problem { line: number }
export interface Good { value: string; error?: never }
export interface Bad { error: Problem; value?: never }
export type Result = Good | Bad;
export type Flat<T> = { [K in keyof T]: T[K] } & {};
export type Held<T = Problem> = { it: T };
export function run(): Result;
export type Value = Good['value'];
//                       ^ t.ts Good#value.
=== use.ts
import { run, type Bad, type Flat, type Held } from './t';
run().error.line;
//    ^ t.ts Bad#error.
//          ^ t.ts Problem#line.
export function f(flat: Flat<Bad>, held: Held) { flat.error; held.it.line; }
//                                                    ^ t.ts Bad#error.
//                                                                   ^ t.ts Problem#line.
`,
  'keys and callbacks of what is expected': `
=== t.ts
export interface Options { label: string; onDone(result: Result): void }
export interface Result { code: number }
export function run(options: Options) {}
=== use.ts
import { run, type Options } from './t';
run({ label: 'x', onDone(result) { result.code; } });
//    ^ t.ts Options#label.
//                ^ t.ts Options#onDone().
//                                        ^ t.ts Result#code.
export const preset: Options = { label: 'y', onDone: r => r.code };
//                                                          ^ t.ts Result#code.
`,
  'new X() as a call of the class, with a constructor or without': `
=== a.ts
export class Plain {}
export class Made { constructor(options: { size: number }) {} }
=== use.ts
import { Made, Plain } from './a';
new Plain(); new Made({ size: 1 });
//  ^ a.ts Plain#
//               ^ a.ts Made#
`,
  'arguments of type parameters': `
=== t.ts
export interface Item { size: number; next: Item }
export class Box<T> { value!: T; all!: T[]; peek(): T { return this.value; } with<U>(u: U): Pair<T, U> { return null!; } }
export interface Pair<A, B> { left: A; right: B }
export class Named extends Box<Item> {}
export type Handler<T> = (item: T, rest: Item) => void;
export type Maybe<T extends Item = Item> = T | undefined;
export interface Call { <T>(x: T): Item; (x: string): Item }
export function make<T>(): Box<T> { return null!; }
=== use.ts
import { Box, Named, make, type Call, type Handler, type Item, type Maybe } from './t';
declare const box: Box<Item>;
box.value.size; box.all[0].next; box.peek().size; new Named().value.next;
//        ^ t.ts Item#size.
//                         ^ t.ts Item#next.
//                                          ^ t.ts Item#size.
//                                                                  ^ t.ts Item#next.
box.with<string>('').left.size; make<Item>().value.size; new Box<Box<Item>>().value.value.size;
//                        ^ t.ts Item#size.
//                                                 ^ t.ts Item#size.
//                                                                                        ^ t.ts Item#size.
export const on: Handler<Item> = (item, rest) => { item.size; rest.next; };
//                                                      ^ t.ts Item#size.
//                                                                 ^ t.ts Item#next.
export function f(call: Call, maybe: Maybe, unknown: Box<string>) { call(1).size; maybe.next; unknown.value.size; }
//                                                                          ^ t.ts Item#size.
//                                                                                      ^ t.ts Item#next.
//                                                                                                          ^ external javascript String.size
`,
  'a type that grows with each step ends somewhere': `
=== t.ts
export interface Deep<T> { in: Deep<T[]>; end: T; self: Loop<T> }
export type Loop<T> = Loop<T[]>;
=== use.ts
import type { Deep } from './t';
export const f = (d: Deep<string>) => d.in.in.in.in.in.in.in.in.in.in.in.self.in;
//                                      ^ t.ts Deep#in.
//                                         ^ t.ts Deep#in.
//                                                                            ^ candidate
`,
  'declarations for everybody, and of packages': `
=== package.json
{ "name": "p" }
=== env.d.ts
declare const __DEV__: boolean;
declare namespace Host { function start(): void }
=== typings/lib.d.ts
declare module 'lib' { export interface Added { x: number } }
=== src/deep/a.ts
import type { Added, Other } from 'lib';
//            ^ typings/lib.d.ts lib/Added#
//                   ^ external lib Other
export const f = (a: Added) => { if (__DEV__) Host.start(); return a.x; };
//                                   ^ env.d.ts __DEV__.
//                                                 ^ env.d.ts Host/start().
//                                                                   ^ typings/lib.d.ts lib/Added#x.
`,
  'signatures that begin a line, without semicolons': `
=== a.ts
export interface Get {
  // by path
  <P extends string>(
    path: P
  ): Reply

  <
    P extends string,
  >(path: P, ...handlers: [Handler, Handler]): Reply
}
type Handler = (reply: Reply) => void
type Reply = { status: number }
declare const get: Get;
get('/', reply => reply.status).status;
//                      ^ a.ts Reply#status.
//                              ^ a.ts Reply#status.
`,
  'what library methods take': `
=== a.ts
interface Row { id: number }
const rows: Row[] = [];
const byId = new Map<number, Row>();
rows.push({ id: 1 });
//          ^ a.ts Row#id.
byId.set(1, { id: 1 });
//            ^ a.ts Row#id.
`,
  'tags that open and close': `
=== a.tsx
export function Card(props: { title: string }) { return null; }
export const page = <Card title="x"><b></b></Card>;
//                   ^ a.tsx Card().
//                        ^ candidate
//                                   ^ nothing
//                                           ^ a.tsx Card().
`,
  'types only': `
=== a.ts
export type Alias = { inner: { leaf: string }[] } & Other;
export interface Other { other: Alias }
=== b.ts
import type { Alias } from './a';
export function f(a: Alias) { return a.inner[0].leaf + a.other.inner; }
//                   ^ a.ts Alias#
//                                     ^ a.ts Alias#inner.
//                                              ^ a.ts Alias#inner.leaf.
//                                                       ^ a.ts Other#other.
//                                                             ^ a.ts Alias#inner.
`,
  'what a dependency has to the dependency, also where another folder has it installed': `
=== own.ts
export type Config = { port: number };
=== fixtures/one/node_modules/@play/test/package.json
{ "name": "@play/test", "main": "index.js" }
=== fixtures/one/node_modules/@play/test/index.js
export const run = 1;
=== fixtures/one/use.ts
import { type Config, run } from '@play/test';
//            ^ external @play/test Config
//                    ^ fixtures/one/node_modules/@play/test/index.js run.
export const config: Config = { port: run };
//                   ^ external @play/test Config
=== use.ts
import { Config, run } from '@play/test';
//       ^ external @play/test Config
//               ^ external @play/test run
import * as play from '@play/test';
export const config: play.Config = run;
//                        ^ external @play/test Config
`,
  'the name of a module that is exported under one, and what is in it': `
=== types/package.json
{ "name": "@x/types", "main": "index.ts" }
=== types/index.ts
export * as Tree from './tree';
export * as Gone from './generated';
=== types/tree.ts
export interface Node { kind: Kind }
export enum Kind { leaf }
=== utils.ts
export { Tree, Gone } from '@x/types';
//       ^ types/index.ts Tree/
//             ^ types/index.ts Gone/
=== use.ts
import { Gone, Tree } from './utils';
//       ^ types/index.ts Gone/
//             ^ types/index.ts Tree/
export function f(node: Tree.Node): typeof Tree { node.kind; Tree.Kind.leaf; Tree.nope; return Tree; }
//                      ^ types/index.ts Tree/
//                           ^ types/tree.ts Node#
//                                                     ^ types/tree.ts Node#kind.
//                                                           ^ types/index.ts Tree/
//                                                                ^ types/tree.ts Kind#
//                                                                     ^ types/tree.ts Kind#leaf.
//                                                                                ^ elsewhere
const { Kind: { leaf } } = Tree;
//      ^ types/tree.ts Kind#
//              ^ types/tree.ts Kind#leaf.
f({} as Gone.Node); Gone.here;
//           ^ candidate
//                       ^ candidate
import * as all from './utils';
new all.Tree.Kind();
//      ^ types/index.ts Tree/
//           ^ types/tree.ts Kind#
`,
  'what methods give of this, by what they are called on': `
=== a.ts
export interface Chain { also(): this }
export abstract class Query<T> implements Chain {
  static open() { return new this(); }
  where(): this { return this; }
  evident() { return this; }
  further() { return this.where().evident(); }
  later(): Promise<this> { return Promise.resolve(this); }
  itself = () => this;
  also(): this { return this; }
  get own() { return this; }
  one() {}
}
export class Rows extends Query<string> {
  one() {}
  only() {}
  above() { super.where().one(); this.further().only(); }
//                        ^ a.ts Rows#one().
//                                              ^ a.ts Rows#only().
}
=== use.ts
import { Chain, Query, Rows } from './a';
new Rows().where().one(); new Rows().evident().one(); new Rows().further().only();
//         ^ a.ts Query#where().
//                 ^ a.ts Rows#one().
//                                             ^ a.ts Rows#one().
//                                                                         ^ a.ts Rows#only().
(await new Rows().later()).one(); new Rows().itself().one(); Rows.open().only();
//                         ^ a.ts Rows#one().
//                                                    ^ a.ts Rows#one().
//                                                                       ^ a.ts Rows#only().
new Rows().where().evident().further().where().one().nope;
//                                             ^ a.ts Rows#one().
export function f(chain: Chain & Rows, query: Query<number>, free: typeof Rows.open) {
  chain.also().only(); query.where().one(); query.where().only(); free().one(); new Rows().own.one();
//             ^ a.ts Rows#only().
//                                   ^ a.ts Query#one().
//                                                        ^ elsewhere
//                                                                       ^ a.ts Rows#one().
//                                                                                             ^ a.ts Query#one().
}
`,
  'members of types that are put together, whichever part has them': `
=== a.ts
export type Item = string | Buffered | Promise<Buffered>;
export type Buffered = Item[] & { isLate?: boolean; length: number };
interface Left { left: Right }
interface Right { right: Left }
type Both = Left & Right;
type Wrapped = Readonly<Both> & { own: Item };
export function f(item: Item, buffered: Buffered, both: Both, wrapped: Wrapped, inline: Left & { here: Right }) {
  item.isLate; buffered.isLate; buffered[0].isLate; item.length; item.nope;
//     ^ a.ts Buffered#isLate.
//                      ^ a.ts Buffered#isLate.
//                                          ^ a.ts Buffered#isLate.
//                                                       ^ external javascript String.length
//                                                                    ^ external javascript String.nope
  both.left.right; both.right.left; wrapped.own; wrapped.left; wrapped.right; inline.left;
//          ^ a.ts Right#right.
//                            ^ a.ts Left#left.
//                                          ^ a.ts Wrapped#own.
//                                                       ^ a.ts Left#left.
//                                                                     ^ a.ts Right#right.
//                                                                                   ^ a.ts Left#left.
}
`,
  'what computed keys mention, wherever members are declared': `
=== a.ts
export enum Flag { SKIP = 'skip', RAW = 'raw' }
interface Target { [Flag.SKIP]?: boolean; [Flag.RAW](): void; get [Flag.SKIP](): Target }
//                  ^ a.ts Flag#
//                       ^ a.ts Flag#SKIP.
//                                         ^ a.ts Flag#
//                                              ^ a.ts Flag#RAW.
//                       ^ a.ts Flag#SKIP.
type Literal = { readonly [Flag.SKIP]: { [Flag.RAW]: Target } } & { [sym](): void; [sym]: Target };
//                              ^ a.ts Flag#SKIP.
//                                             ^ a.ts Flag#RAW.
//                                                                   ^ a.ts sym.
//                                                                                  ^ a.ts sym.
class Made { [Flag.SKIP] = true; static [Flag.RAW]() {} }
//                 ^ a.ts Flag#SKIP.
//                                            ^ a.ts Flag#RAW.
const kept = { [Flag.SKIP]: true, [Flag.RAW]() {} };
//                   ^ a.ts Flag#SKIP.
//                                      ^ a.ts Flag#RAW.
export function take({ [Flag.SKIP]: skip }: Target) {
//                           ^ a.ts Flag#SKIP.
  return { [Flag.SKIP]: skip, [Flag.RAW]() {} };
//               ^ a.ts Flag#SKIP.
//                                  ^ a.ts Flag#RAW.
}
const sym = Symbol();
`,
  'nothing by its name where the receiver is known and lacks it': `
=== a.ts
export class Open { stop() {} }
export class Base extends Unknown {}
export const whole = { start: 1 };
export function make() { return new Open(); }
=== b.ts
import * as a from './a';
import { gone, whole } from './a';
//       ^ elsewhere
import { Client } from 'pkg';
import create from 'pkg';
import { run } from './missing';
//       ^ candidate
class Mine extends Client {}
const made = create();
export function f(one: a.Open, other: a.Base, any, client: Client, mine: Mine) {
  a.nope; one.nope; a.make().nope;
//  ^ elsewhere
//            ^ elsewhere
//                           ^ elsewhere
  other.nope; any.nope; JSON.parse('').nope;
//      ^ candidate
//                ^ candidate
//                                     ^ candidate
  any.join(); any.then;
//    ^ elsewhere
//                ^ elsewhere
  client.nope; mine.nope; made.nope; made.some().deep.nope; create().nope;
//       ^ external pkg Client.nope
//                  ^ elsewhere
//                             ^ elsewhere
//                                                    ^ elsewhere
//                                                                   ^ elsewhere
}
`,
};

for (const [name, text] of Object.entries(fixtures)) {
  test(`links ${name}`, async () => {
    const files = filesOf(text);
    const documents: MountedDocument[] = [];
    for (const [path, source] of files) documents.push((await mountFile(path, source))!);
    const linker = createLinker(manifestOf(documents));
    for (const document of documents) {
      const { targets } = linker.link(document.path);
      assert.equal(targets.length, document.facts.references.length);
      const carets = caretsIn(files.get(document.path)!);
      const found = carets.map(caret => {
        const at = document.facts.references.findIndex(one => one.line === caret.line && one.column === caret.column);
        return { ...caret, text: at < 0 ? 'nothing' : describe(targets[at]!) };
      });
      assert.deepEqual(found, carets, document.path);
    }
  });
}

function describe(target: Target): string {
  switch (target.kind) {
    case 'symbol':
      return `${target.scope} ${target.tail}`;
    case 'external':
      return `external ${target.package} ${target.name}`;
    case 'own':
      return 'nothing';
    case 'candidate':
      return target.isElsewhere === true ? 'elsewhere' : 'candidate';
  }
}
