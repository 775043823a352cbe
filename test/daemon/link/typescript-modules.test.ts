import { test } from 'node:test';
import { expectTargets } from '../../support/tree-in-text.ts';

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
  'paths of a base that nothing extends, and aliases that no package can be': `
=== tsconfig.base.json
{ "compilerOptions": { "paths": { "@o/lib": ["libs/lib/src/index.ts"] } } }
=== libs/lib/src/index.ts
export const lib = 1;
=== libs/other/tsconfig.json
{ "compilerOptions": { "baseUrl": "." } }
=== libs/other/use.ts
import { lib } from '@o/lib';
//       ^ external @o/lib lib
=== apps/app/src/main.ts
import { lib } from '@o/lib';
//       ^ libs/lib/src/index.ts lib.
import { thing } from '@/thing';
//       ^ candidate
import { other } from '~/other';
//       ^ candidate
import { scoped } from '@o/scoped';
//       ^ external @o/scoped scoped
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
  'what a build will write, by what the compiler is told, else by custom': `
=== package.json
{ "name": "root", "main": "dist/index.js", "exports": { ".": "./dist/index.js", "./help": "./dist/help/index.js" } }
=== tsconfig-base.json
{ "compilerOptions": { "rootDir": "./source" } }
=== tsconfig.json
{ "extends": "./tsconfig-base.json", "include": ["source/**/*"], "compilerOptions": { "outDir": "dist" } }
=== source/index.ts
export const main = 1;
=== source/help/index.ts
export const help = 1;
=== test/a/b.ts
import { main } from '../../dist/index.js';
//       ^ source/index.ts main. @1
import { help } from '../../dist/help';
//       ^ source/help/index.ts help. @1
import { main as again } from '../../';
//       ^ source/index.ts main. @1
import { main as third } from 'root';
//       ^ source/index.ts main. @1
import { help as named } from 'root/help';
//       ^ source/help/index.ts help. @1
=== packages/solved/package.json
{ "name": "solved", "types": "./types/index.d.ts" }
=== packages/solved/tsconfig.json
{ "files": [], "references": [{ "path": "./ts" }] }
=== packages/solved/ts/tsconfig.json
{ "include": ["core", "core/more.ts"], "compilerOptions": { "outDir": "../out", "declarationDir": "\${configDir}/../types" } }
=== packages/solved/ts/core/index.ts
export const solved = 1;
=== packages/bundled/package.json
{ "name": "bundled", "exports": { "import": "./dist/index.mjs", "require": "./dist/index.cjs" } }
=== packages/bundled/src/index.ts
export const bundled = 1;
=== packages/bundled/src/deep.ts
export const deep = 1;
=== packages/use.ts
import { solved } from 'solved';
//       ^ packages/solved/ts/core/index.ts solved. @1
import { bundled } from 'bundled';
//       ^ packages/bundled/src/index.ts bundled. @0.9
import * as all from './bundled/dist';
all.bundled;
//  ^ packages/bundled/src/index.ts bundled. @0.9
import { bundled as same } from './bundled';
//       ^ packages/bundled/src/index.ts bundled. @0.9
import { deep } from './bundled/lib/deep.js';
//       ^ packages/bundled/src/deep.ts deep. @0.9
import { deep as gone } from './bundled/dist/gone.js';
//       ^ candidate
import { deep as written } from './bundled/src/deep.js';
//       ^ packages/bundled/src/deep.ts deep. @1
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
  'what is taken out of a module that is loaded late is imported, whatever it is called there': `
=== lazy.ts
export function target() { return 1; }
export default function first() { return target; }
=== use.ts
import * as whole from './lazy';
const early = () => target();
//                  ^ lazy.ts target(). @1
const { target, default: d } = await import('./lazy');
//      ^ lazy.ts target(). @1
export const { target: kept } = await import('./lazy');
//             ^ lazy.ts target(). @0.9
if (kept()) d();
//  ^ use.ts kept. @1
//          ^ lazy.ts first(). @1
async function f() {
  const { default: first } = await import('./lazy'); first();
//                                                   ^ lazy.ts first(). @1
  const { target, ...others } = await import('./lazy'); target();
//                                                      ^ lazy.ts target(). @0.9
  const { default: own } = whole; own();
//                                ^ lazy.ts first(). @0.9
  import('./lazy').then(({ target: late }) => late());
//                                            ^ lazy.ts target(). @0.9
  import('./lazy').then(async ({ target = 1 }) => target());
//                                                ^ nothing
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
  'aliases that tools set by a custom, and components, which are what their files are as a whole': `
=== docs/docusaurus.config.js
=== docs/src/Note.tsx
export function Note() {}
=== docs/pages/a.mdx
import { Note } from '@site/src/Note'

# {A}
=== web/svelte.config.js
=== web/src/lib/api.ts
export const get = 1;
=== web/src/routes/Page.svelte
<script>
import { get } from '$lib/api';
//       ^ web/src/lib/api.ts get.
import { Note } from '@site/src/Note';
//       ^ external @site/src Note
</script>
=== shop/vite.config.ts
=== shop/src/Cart.vue
<template><p/></template>
<script setup>
const own = 1
</script>
=== shop/src/main.ts
import Cart from '@/Cart.vue';
//     ^ shop/src/Cart.vue default.
import Again from './Cart';
//     ^ shop/src/Cart.vue default.
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
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));
