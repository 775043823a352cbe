import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../daemon/link/linker.ts';
import { expectLinks } from '../../support/carets.ts';
import { manifestOf, mountFile } from '../../support/linked-tree.ts';
import { expectTargets } from '../../support/tree-in-text.ts';

const fixtures: Readonly<Record<string, string>> = {
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
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));

test('super is a call of what the class extends, whose constructor takes what it is given', async () => {
  await expectLinks(`
    -- base.ts --
    export interface Options { depth: number }
    export class Base { constructor(options: Options) {} }
    -- sub.ts --
    import * as all from './base';
    import { Base } from './base';
    import { Other } from 'elsewhere';
    class Sub extends Base { constructor() { super({ depth: 1 }); } }
                      ^ implementation base.ts Base#
                                             ^ call base.ts Base#
                                                     ^ write base.ts Options#depth.
    class Deep extends all.Base { constructor() { super({ depth: 2 }); super.toString(); } }
                                                  ^ call base.ts Base#
                                                                       ^ -
    const made = class extends Sub { constructor() { super(); } };
                                                     ^ call Sub#
    class Theirs extends Other { constructor() { super(); } }
                                                 ^ call npm elsewhere:Other
    class Mixed extends mix(Base) { constructor() { super(); } }
                                                    ^ call ?
    -- old.js --
    class Base {}
    class Sub extends Base { constructor() { super(); } }
                                             ^ call Base#
  `);
});

test('with type arguments a call is one, whatever operator stands before it', async () => {
  await expectLinks(`
-- m.ts --
export interface Row { id: string }
export class Reply { rows: Row[] = []; json<T>(): Promise<T> { return null as never; } }
export function open<T>(name: string): Promise<Reply> { return null as never; }
export function size<T>(of: unknown): number { return 1; }
export function isRow<T>(of: unknown): of is Row { return true; }
-- use.ts --
import { isRow, open, size } from './m';
async function f(given: unknown) {
  const reply = await open<{ a: string }>('x');
                      ^ call m.ts open().
  reply.rows;
        ^ m.ts Reply#rows.
  return (await reply.json<{ a: string }>()).a + size<string>(reply.rows);
                      ^ call m.ts Reply#json().
                                                 ^ call m.ts size().
}
function g(given: { id: number }) {
  if (!isRow<string>(given)) given.id;
       ^ call m.ts isRow().
                                   ^ ?
}
`);
});

test('signatures of one function are one symbol, and what names it is sure', async () => {
  const tree = {
    'over.ts':
      'export function over(a: number): void;\nexport function over(a: string): void;\nexport function over(a: unknown) {}\nover(1);\n',
    'use.ts':
      "import { over } from './over';\nover('');\ninterface Box { a: 1 }\ninterface Box { b: 1 }\nlet box: Box;\n",
  };
  const documents = await Promise.all(Object.entries(tree).map(async ([path, text]) => (await mountFile(path, text))!));
  const linker = createLinker(manifestOf(documents));
  const sure = documents.flatMap(({ path, facts }) =>
    linker
      .link(path)
      .targets.map((target, index) => [facts.references[index]!.name, target.kind === 'symbol' && target.confidence]),
  );
  assert.deepEqual(sure, [
    ['over', 1],
    ['over', 1],
    ['over', 1],
    ['Box', 1],
  ]);
});
