import { test } from 'node:test';
import { expectTargets } from '../../support/tree-in-text.ts';

const fixtures: Readonly<Record<string, string>> = {
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
  'a local is what instanceof says where that holds, and no other local for being asked for there': `
=== core.ts
export interface Base { shared(): Inner; only(): void }
export class Inner { x() {} }
export class InnerX { x() {} }
export class Core { own() { return new Inner(); } shared() { return new InnerX(); } }
export class Decoy { own() {} x() {} shared() {} only() {} }
=== use.ts
import { type Base, Core } from './core';
declare function other(): Base;
export function f(i: Base, u: unknown, j: Base, k: Base) {
  const a = i.shared();
  if (i instanceof Core) { i.own().x(); i.shared().x(); i.only(); a.x(); }
//                           ^ core.ts Core#own().
//                                 ^ core.ts Inner#x().
//                                        ^ core.ts Core#shared().
//                                                 ^ core.ts InnerX#x().
//                                                        ^ core.ts Base#only().
//                                                                  ^ core.ts Inner#x().
  else i.shared();
//       ^ core.ts Base#shared().
  i.shared();
//  ^ core.ts Base#shared().
  if (u instanceof Core && u.own()) u.shared();
//                           ^ core.ts Core#own().
//                                    ^ core.ts Core#shared().
  if (u instanceof Core || u.own()) u.shared();
//                           ^ candidate
//                                    ^ candidate
  u instanceof Core ? u.own() : 1;
//                      ^ core.ts Core#own().
  if (k instanceof Core) { k = other(); k.shared(); }
//                                        ^ core.ts Base#shared().
  if (!(j instanceof Core)) return;
  [1].map(() => j.shared());
//                ^ core.ts Core#shared().
}
`,
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));
