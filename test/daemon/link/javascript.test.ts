import { test } from 'node:test';
import { expectTargets } from '../../support/tree-in-text.ts';

const pools = `
=== pool.js
class Pool { run () {} }
class Leaf { go () {} }
module.exports = { Pool, Leaf };
=== single.js
class Single { only () {} }
module.exports = Single;
`;

const fixtures: Readonly<Record<string, string>> = {
  'functions that are assigned to what the file declares are members of it': `
=== api.js
const api = { kept () {} };
api.run = function named () { this.kept(); this.run(); };
//                                 ^ api.js api.kept(). @0.9
//                                              ^ api.js api.run. @0.9
api.kept = () => {};
//  ^ api.js api.kept(). @0.9
function Made () {}
/** @returns {Made} */
Made.from = function () { return new this(); };
Made.prototype.go = () => {};
Made.from().go();
//   ^ api.js Made().from. @0.9
//          ^ api.js Made#go(). @0.9
class Kind { static of () {} }
Kind.made = () => api.run();
//                    ^ api.js api.run. @0.9
const given = require('./given');
given.run = () => {};
//    ^ candidate
module.exports = { api, Kind, Made };
=== use.js
const { api, Kind, Made } = require('./api');
api.run(Kind.made, Made.from);
//  ^ api.js api.run. @0.9
//           ^ api.js Kind#made. @0.9
//                      ^ api.js Made().from. @0.9
`,
  'types that comments give to parameters and results': `${pools}
=== a.js
const { Pool, Leaf } = require('./pool');
/**
 * @param {Pool} p what runs
 * @param {?Leaf} [l=null]
 * @param {Array<Leaf>} list
 * @param {Object.<string, Leaf>} byName
 * @param {Gone} gone
 */
function one (p, l = null, list, byName, gone) {
  p.run(); l.go(); list[0].go(); byName['a'].go(); gone.go();
//  ^ pool.js Pool#run(). @0.9
//           ^ pool.js Leaf#go(). @0.9
//                         ^ pool.js Leaf#go(). @0.9
//                                           ^ pool.js Leaf#go(). @0.9
//                                                      ^ candidate
}
/** @returns {Promise<Pool|undefined>} */
const two = async (x) => x;
two().then(p => p.run());
//                ^ pool.js Pool#run().
/** @type {(l: Leaf) => Pool} */
const three = l => l.go();
//                   ^ pool.js Leaf#go().
three().run();
//      ^ pool.js Pool#run().
exports.four = /** @param {Leaf[]} all */ all => all.map(one => one.go());
//                                                                  ^ pool.js Leaf#go().
class Box {
  /** @returns {Pool} */
  get pool () { return this.inner; }
  /** @param {import('./single')} s @param {import('./pool').Leaf} l @return {typeof Pool} */
  five (s, l) { s.only(); l.go(); this.pool.run(); }
//                ^ single.js Single#only().
//                          ^ pool.js Leaf#go().
//                                          ^ pool.js Pool#run().
}
new (new Box().five())().run();
//                       ^ pool.js Pool#run().
/** @template Pool @param {Pool} x */
function six (x) { x.run(); }
//                   ^ candidate
`,
  'types that comments give to variables, fields and casts': `${pools}
=== types.js
/** @typedef {import('./pool').Pool} Shared */
/** @typedef {{ a: number }} Other */
=== b.mjs
/** @import { Leaf as Blade, Pool } from './pool' */
/** @typedef {import('./types').Shared} Shared */
/** @typedef {Pool | Blade} Both */
/** @type {Shared} */
let first;
first.run();
//    ^ pool.js Pool#run().
function f (given) {
  /** @type {Both} */
  const both = given;
  both.run(); both.go(); /** @type {Pool} */ (given).run();
//     ^ pool.js Pool#run().
//                 ^ pool.js Leaf#go().
//                                                   ^ pool.js Pool#run().
  const cast = /** @type {Blade} */ (given);
  cast.go();
//     ^ pool.js Leaf#go().
}
class Box {
  /** @type {Blade} */
  declared;
  constructor (given) {
    /** @type {Pool} */
    this.pool = given;
    this.leaf = /** @type {Blade} */ (given);
  }
  m () { this.declared.go(); this.pool.run(); this.leaf.go(); }
//            ^ b.mjs Box#declared.
//                     ^ pool.js Leaf#go().
//                                ^ b.mjs Box#pool.
//                                     ^ pool.js Pool#run().
//                                                 ^ b.mjs Box#leaf.
//                                                      ^ pool.js Leaf#go().
}
const keyed = { /** @type {Pool} */ pool: null };
keyed.pool.run();
//         ^ pool.js Pool#run().
`,
  'what a class assigns to itself': `${pools}
=== base.js
class Base { constructor () { this.shared = 1; } }
module.exports = Base;
=== c.js
const { Pool } = require('./pool');
const Base = require('./base');
class Box extends Base {
  held = null;
  constructor () {
    super();
    this.pool = new Pool();
    this.held = new Pool();
    this.keys = { one: new Pool() };
    this.later.run();
//             ^ pool.js Pool#run().
    this.run = () => this.pool.run();
//                             ^ pool.js Pool#run().
    (function () { this.nobody = 1; })();
//                      ^ candidate
  }
  start () {
    this.later = new Pool();
    this.shared = 2;
//       ^ nothing
    return this.pool.run() || this.keys.one.run() || this.run();
//              ^ c.js Box#pool.
//                   ^ pool.js Pool#run().
//                                 ^ c.js Box#keys.
//                                          ^ pool.js Pool#run().
//                                                        ^ c.js Box#run.
  }
  get pool2 () { return this.pool; }
}
new Box().pool2.run();
//              ^ pool.js Pool#run().
new Box().held;
//        ^ c.js Box#held.
`,
  'nothing by comments in TypeScript': `
=== d.ts
class Pool { run() {} }
/** @param {Pool} p */
function one(p) { p.run(); }
//                  ^ candidate
class Box { constructor() { this.x = new Pool(); } m() { this.x; } }
//                                                            ^ elsewhere
`,
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));
