import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { operations } from '../../../client/protocol/registry.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { type AnalysedTree, analysedTree, idIn } from './analysed-tree.ts';

const text = `
-- package.json --
{ "name": "app" }
-- src/config.ts --
export interface Shape { parse(): number }
export function load(name: string): number { return name.length; }
export function lonely(): void {}
function hidden(): void {}
function busy(): void { hidden(); }
export class Box implements Shape { parse(): number { return load('a'); } }
export function again(n: number): number { return n === 0 ? 0 : again(n - 1); }
-- src/use.ts --
import { load, type Shape } from './config.ts';
load('top');
export function first(): number { return load('b') + load('c'); }
export const held = load;
export function typed(shape: Shape): number { return shape.parse(); }
-- src/far.ts --
import { first } from './use.ts';
export function second(): number { return first(); }
export function third(): number { return second(); }
-- test/config.test.ts --
import { first } from '../src/use.ts';
function check(thing: any): void { first(); thing.hidden(); }
`;

const analysed = (t: TestContext) => analysedTree(t, text);
const defaults = { depth: 2, includeTests: true, limit: 1000, sync: false } as const;
type More = Partial<{ depth: number; includeTests: boolean; limit: number }>;

function impact(of: AnalysedTree, path: string, tail: string, more: More = {}) {
  return of.ask('analysis.impact', { ...defaults, ...more, id: idIn(of, path, tail) })!;
}

/** Lines such as `1 caller first 0.95`, behind each `<` what lies between. */
function lines({ affected }: ReturnType<typeof impact>): readonly string[] {
  const names = new Map(affected.map(({ id, name }) => [id, name]));
  return affected.map(({ distance, relation, name, confidence, via }) =>
    [distance, relation, name, confidence, ...via.map(id => `< ${names.get(id) ?? 'what is not listed'}`)].join(' '),
  );
}

test('what hangs on a symbol is listed by distance, with how and how sure, once each', async t => {
  const of = await analysed(t);
  const direct = ['1 caller parse 1', '1 caller src/use.ts 1', '1 caller first 1', '1 importer held 1'];
  const tests = ['2 test test/config.test.ts 1 < first', '2 test check 1 < first'];
  const second = ['2 importer src/far.ts 1 < first', '2 caller second 1 < first'];
  const third = ['3 caller third 1 < first < second', '3 caller typed 0.63 < parse < what is not listed'];
  const cases: readonly (readonly [More, readonly string[]])[] = [
    [{ depth: 1 }, direct],
    [{}, [...direct, ...second, ...tests]],
    [{ depth: 3 }, [...direct, ...second, ...tests, ...third]],
    [{ includeTests: false }, [...direct, ...second]],
    [{ limit: 2 }, direct.slice(0, 2)],
  ];
  for (const [more, expected] of cases) {
    const found = impact(of, 'src/config.ts', 'load().', more);
    assert.deepEqual(lines(found), expected, JSON.stringify(more));
    assert.equal(found.truncated, more.limit !== undefined);
    assert.ok(Value.Check(operations['analysis.impact'].output, found));
  }
});

test('counts are of all that is reached, and files of tests are named', async t => {
  const { impact: found } = impact(await analysed(t), 'src/config.ts', 'load().', { limit: 1 });
  assert.deepEqual(
    { ...found, factors: undefined, score: undefined, level: undefined },
    {
      ...{ factors: undefined, score: undefined, level: undefined },
      directCount: 4,
      transitiveCount: 4,
      filesAffected: 4,
      modulesAffected: [
        { moduleId: 'src', name: 'src', count: 6 },
        { moduleId: 'test', name: 'test', count: 2 },
      ],
      testsAffected: ['test/config.test.ts'],
      blastRadius: { modules: 2, files: 4, callers: 5 },
    },
  );
});

test('who reads or writes what runs code then calls it, and who gives a method of an interface implements it', async t => {
  const of = await analysedTree(
    t,
    `
    -- a.ts --
    export class P { get v() { return 1; } set v(n: number) {} plain = 1; }
    export interface Port { send(): void; size: number; of: P }
    export class Own implements Port { send() {} get size() { return 1; } of = new P(); }
    export function reads(p: P) { return [p.v, p.plain]; }
    export function writes(p: P) { p.v = 2; p.plain = 2; }
    export const port: Port = { send() {}, size: 1, of: new P() };
    export function sizeOf(port: Port) { return port.size; }
    export function again() { return sizeOf(port); }
    `,
  );
  const cases: readonly (readonly [tail: string, expected: readonly string[], callers: number])[] = [
    ['P#v.', ['1 caller reads 0.9', '1 caller writes 0.9'], 2],
    ['P#plain.', ['1 importer reads 0.9', '1 importer writes 0.9'], 0],
    ['Port#send().', ['1 implementer send 1', '1 implementer port 0.9'], 0],
    ['Port#size.', ['1 implementer size 1', '1 caller sizeOf 0.9', '1 caller port 0.9'], 2],
    ['Port#of.', ['1 implementer of 1', '1 importer port 0.9'], 0],
  ];
  for (const [tail, expected, callers] of cases) {
    const found = impact(of, 'a.ts', tail, { depth: 1 });
    assert.deepEqual([...lines(found)].sort(), [...expected].sort(), tail);
    assert.equal(found.impact.blastRadius.callers, callers, tail);
  }
});

test('tests of Rust are told from the code that they stand in', async t => {
  const of = await analysedTree(
    t,
    `
-- Cargo.toml --
[package]
name = "own"
-- src/lib.rs --
pub fn fact() -> u8 { 1 }
pub fn code() -> u8 { fact() }
#[cfg(test)]
mod tests {
    use super::*;
    fn help() -> u8 { fact() }
    #[test]
    fn runs() { fact(); }
}
`,
  );
  const tests = ['1 test help 0.95', '1 test runs 0.95'];
  assert.deepEqual(lines(impact(of, 'src', 'fact().')), ['1 caller code 1', ...tests]);
  assert.deepEqual(lines(impact(of, 'src', 'fact().', { includeTests: false })), ['1 caller code 1']);
  assert.deepEqual(impact(of, 'src', 'fact().').impact.testsAffected, ['src/lib.rs']);
  const query = { includeDefinition: true, merge: 'prefer-first', offset: 0, limit: 9 } as const;
  const listed = (includeTests: boolean) =>
    of.about((reader, { repo, current }) => {
      const hash = idIn(of, 'src', 'fact().').slice(-32);
      const { rows, total } = reader.references(repo.key, current!.seq, hash, { ...query, includeTests })!;
      assert.equal(rows.length, total);
      return rows.map(({ range, isTest }) => `${range.startLine + 1} ${isTest}`);
    });
  assert.deepEqual(listed(true), ['1 false', '2 false', '6 true', '8 true']);
  assert.deepEqual(listed(false), ['1 false', '2 false']);
});

test('what implements a method is one step from it, and a function that calls itself is not its own user', async t => {
  const of = await analysed(t);
  assert.deepEqual(lines(impact(of, 'src/config.ts', 'Shape#parse().')), [
    '1 implementer parse 1',
    '1 caller typed 0.9',
  ]);
  assert.deepEqual(lines(impact(of, 'src/config.ts', 'again().')), []);
});

test('who calls a member that another overrides may run that, two steps away', async t => {
  const of = await analysed(t);
  assert.deepEqual(lines(impact(of, 'src/config.ts', 'Box#parse().')), ['2 caller typed 0.63 < what is not listed']);
});

test('who uses a symbol by way of what it overrides is told apart, whatever depth is asked for', async t => {
  const of = await analysed(t);
  for (const depth of [1, 2]) {
    const { impact: found } = impact(of, 'src/config.ts', 'Box#parse().', { depth });
    const users = found.factors.find(({ name }) => name === 'directCallers');
    assert.equal(
      users?.explanation,
      '0 definitions and files use it itself, 1 by way of what it overrides or of what makes it',
    );
    assert.deepEqual([found.directCount, found.transitiveCount], [0, depth - 1]);
    assert.notEqual(found.unknownBecause, 'nothing is known to use it, which proves nothing');
  }
});

test('where the evidence bears no verdict the level is unknown, and it is said why', async t => {
  const of = await analysed(t);
  const cases = [
    ['lonely().', 'low users prove nothing', /^nothing is known to use it, which proves nothing$/],
    ['hidden().', 'a name that leads nowhere', /^1 place of that name leads nowhere and may mean it$/],
  ] as const;
  for (const [tail, what, because] of cases) {
    const { risk, impact: found } = impact(of, 'src/config.ts', tail);
    assert.equal(risk, 'unknown', what);
    assert.equal(found.level, 'unknown', what);
    assert.match(found.unknownBecause ?? '', because);
  }
});

test('a file that could be read in part only casts doubt on what its text names, in its language', async t => {
  const of = await analysedTree(
    t,
    `
-- src/a.ts --
function named(): void {}
function other(): void {}
export default function whole(): void {}
function uses(): void { named(); other(); }
-- src/use.ts --
import held from './a';
-- src/broken.ts --
// named, of ./a
) => ( {
-- src/other.py --
def f(: other
`,
  );
  const partial = '1 file that names it could be read in part only';
  const verdicts = ['named().', 'other().', 'whole().'].map(tail => {
    const { risk, impact: found } = impact(of, 'src/a.ts', tail);
    return [risk, found.unknownBecause];
  });
  assert.deepEqual(verdicts, [
    ['unknown', partial],
    ['low', undefined],
    ['unknown', partial],
  ]);
  of.folder.write('src/broken.ts', '// other\n) => ( {');
  await of.tree.crawl();
  assert.equal(impact(of, 'src/a.ts', 'other().').impact.unknownBecause, partial);
  assert.equal(impact(of, 'src/a.ts', 'named().').risk, 'low');
});

test('who imports a file runs the code at its top, what that uses only in functions is another thing', async t => {
  const of = await analysedTree(
    t,
    `
    -- config.ts --
    export function load(): void {}
    export function later(): void {}
    -- use.ts --
    import { later, load } from './config.ts';
    load();
    export function use(): void { later(); }
    -- boot.ts --
    import './use.ts';
    -- app.ts --
    import './boot.ts';
    -- typed.ts --
    import type { use } from './use.ts';
    `,
  );
  assert.deepEqual(lines(impact(of, 'config.ts', 'load().', { depth: 3 })), [
    '1 caller use.ts 1',
    '2 importer boot.ts 0.5',
    '3 importer app.ts 0.25',
  ]);
  assert.deepEqual(lines(impact(of, 'config.ts', 'later().')), [
    '1 importer use.ts 1',
    '1 caller use 1',
    '2 importer typed.ts 1 < use',
  ]);
});

test('what a decorator does is done where its file is imported, by way of others too, and a test is what a runner runs', async t => {
  const of = await analysedTree(
    t,
    `
    -- pkg/core.py --
    def mark(f): return f
    @mark
    def run(): pass
    -- app.py --
    import pkg.core
    def main(): pkg.core.run()
    -- tests/conftest.py --
    import app
    -- tests/test_app.py --
    import app
    def test_main(): app.main()
    `,
  );
  const found = impact(of, 'pkg/core.py', 'mark().', { depth: 10 });
  assert.deepEqual(lines(found), [
    '1 caller pkg/core.py 1',
    '2 importer app.py 0.5',
    '3 importer tests/conftest.py 0.25',
    '3 test tests/test_app.py 0.25',
  ]);
  assert.deepEqual(found.impact.testsAffected, ['tests/test_app.py']);
});

test('a test that runs a method by way of an interface of Go is found', async t => {
  const of = await analysedTree(
    t,
    `
    -- store.go --
    package store
    type Saver interface { Save(key string) error }
    type Disk struct{}
    func (d *Disk) Save(key string) error { return nil }
    func SaveAll(s Saver) { s.Save("a") }
    -- store_test.go --
    package store
    func TestSaveAll(t *testing.T) { SaveAll(&Disk{}) }
    `,
  );
  const found = impact(of, 'go:#store', 'Disk#Save().', { depth: 3 });
  assert.deepEqual(lines(found), [
    '2 caller SaveAll 0.441 < what is not listed',
    '3 test TestSaveAll 0.419 < what is not listed < SaveAll',
  ]);
  assert.deepEqual(found.impact.testsAffected, ['store_test.go']);
});

test('directly hangs on a symbol what references list, in every language', async t => {
  const of = await analysedTree(t, manyLanguages);
  const reader = openIndexReader(of.tree.repo.indexFile);
  t.after(() => reader.close());
  const { seq } = reader.snapshot('main')!;
  const catalogue = reader.catalogue('main', seq)!;
  const everyone = Array.from({ length: catalogue.size }, (_, definition) => ({
    definition,
    name: catalogue.names[catalogue.nameOf[definition]!]!,
  }));
  let users = 0;
  for (const row of reader.rows(catalogue, everyone)) {
    const query = {
      includeTests: true,
      includeDefinition: false,
      merge: 'prefer-first',
      offset: 0,
      limit: 10_000,
    } as const;
    const { rows } = reader.references('main', seq, row.hash, query)!;
    const listed = new Set(rows.map(({ enclosing, path }) => (enclosing === undefined ? path : enclosing.hash)));
    listed.delete(row.hash);
    const id = symbolId(of.tree.repo.id, row.hash);
    const { affected } = of.ask('analysis.impact', { ...defaults, id, depth: 1, limit: 10_000 })!;
    const found = affected.filter(
      ({ uses }) => uses.length > 1 || uses[0] !== 'implementation' || isType.has(row.kind),
    );
    const told = new Set(found.map(one => (one.id === null ? one.name : one.id.slice(-32))));
    assert.deepEqual([...told].sort(), [...listed].sort(), `${row.path} ${row.containers.join('.')} ${row.name}`);
    users += listed.size;
  }
  assert.ok(users > 50, `${users}`);
});

/** What overrides a member hangs on it, and is no reference. */
const isType: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'trait', 'type', 'enum', 'object']);

const manyLanguages = `
-- Shape.java --
class Shape { Shape(int n) {} void draw() {} }
class Square extends Shape { Square() { this(1); } Square(int n) { super(n); } void draw() { new Shape(2).draw(); } }
class Board { void all(Shape one) { one.draw(); new Square(); new Square(3); } }
-- shape.kt --
open class Ground(val size: Int) { open fun paint() {} }
class Floor : Ground(1) { override fun paint() { Ground(2).paint() } }
fun room(floor: Floor) { floor.paint(); Floor() }
-- Shape.cs --
namespace Shapes { class Base { public Base(int n) {} public virtual void Draw() {} }
class Leaf : Base { public Leaf() : base(1) {} public override void Draw() { new Base(2).Draw(); } }
class Use { void All(Base b) { b.Draw(); new Leaf(); } } }
-- shape.cpp --
struct Node { Node(int n); virtual void walk(); }; Node::Node(int n) {} void Node::walk() {}
struct Tree : Node { Tree() : Node(1) {} void walk() { Node(2).walk(); } };
void visit(Node* node) { node->walk(); Tree(); }
-- shape.dart --
class Pen { Pen._(); factory Pen() => Pen._(); void write() {} }
class Quill extends Pen { Quill() : super._(); void write() { Pen().write(); } }
void sign(Pen pen) { pen.write(); Quill(); }
-- shape.ts --
class Lamp { constructor(n: number) {} light() {} }
class Torch extends Lamp { constructor() { super(1); } light() { new Lamp(2).light(); } }
function shine(lamp: Lamp) { lamp.light(); new Torch(); }
-- shape.py --
class Door:
    def __init__(self, n): pass
    def open(self): pass
class Gate(Door):
    def open(self): Door(2).open()
def enter(door: Door): door.open(); Gate(1); unknown.open()
-- shape.rb --
class Well; def draw; end; end
class Spring < Well; def draw; Well.new.draw; end; end
-- shape.php --
<?php class Boat { function sail() {} } class Raft extends Boat { function sail() { (new Boat())->sail(); } }
function cross(Boat $boat) { $boat->sail(); new Raft(); }
-- shape.go --
package shape
type Wheel struct{}
func (w Wheel) Turn() {}
func drive(w Wheel) { w.Turn(); Wheel{}.Turn() }
-- shape.rs --
struct Cog; trait Spin { fn spin(&self); } impl Spin for Cog { fn spin(&self) { help(); } }
fn help() {} fn run(cog: Cog) { cog.spin(); help(); }
`;
