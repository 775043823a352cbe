import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { operations } from '../../../client/protocol/registry.ts';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { dialectOf } from '../../../daemon/extract/dialect.ts';
import { extract } from '../../../daemon/extract/syntax.ts';
import type { UnlistedPath } from '../../../daemon/jobs/unlisted.ts';
import type { WayIn } from '../../../daemon/jobs/way-in.ts';
import type { DocumentFacts } from '../../../daemon/model/facts.ts';
import { affectedAnswer } from '../../../daemon/operations/analysis/affected.ts';
import { analysed } from '../../../daemon/operations/analysis/analyses.ts';
import { parseTree } from '../../support/repository.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

/** What is gone in a case is written `-path`; `gone`: what some of these said, as far as a commit still tells. */
function affected(
  of: AnalysedTree,
  files: readonly string[],
  includeAll = false,
  gone: ReadonlyMap<string, DocumentFacts> = new Map(),
  unlisted: readonly UnlistedPath[] = [],
  headTrouble?: WayIn,
) {
  const paths = new Map(
    files.map(file => (file.startsWith('-') ? [file.slice(1), 'deleted'] : [file, 'changed']) as [string, 'changed']),
  );
  const change = {
    base: undefined,
    head: undefined,
    paths,
    folders: new Map(),
    gone,
    headTrouble,
    outside: 0,
    notAsIndexed: 0,
  };
  const found = of.about((reader, asked) =>
    analysed(reader, { ...asked, unlisted }, one => affectedAnswer(one, { includeAll, limit: 1000 }, change)),
  );
  assert.ok(Value.Check(operations['analysis.affected'].output, found));
  return found;
}

/** Lines such as `symbol 2 a.test.ts < src/a.ts:load < src/b.ts`; what no runner looks for in brackets. */
function lines({ tests }: ReturnType<typeof affected>): readonly string[] {
  return tests.map(({ relation, distance, path, runnable, because }) => {
    const way = because.map(({ path, name }) => ` < ${path}${name === '' ? '' : `:${name}`}`);
    return `${relation} ${distance} ${runnable ? path : `(${path})`}${way.join('')}`;
  });
}

async function extracted(path: string, source: string): Promise<DocumentFacts> {
  const dialect = dialectOf(path);
  assert.ok(dialect !== '');
  return extract(Buffer.from(source), dialect, { parseSteps: defaultParseSteps });
}

type Cases = readonly (readonly [files: readonly string[], expected: readonly string[]])[];

async function expectLines(t: TestContext, text: string, cases: Cases): Promise<AnalysedTree> {
  const of = await analysedTree(t, text);
  for (const [files, expected] of cases) assert.deepEqual(lines(affected(of, files)), expected, files.join(' '));
  return of;
}

const ecmascript = `
-- package.json --
{ "name": "app" }
-- vitest.config.ts --
import { plugin } from './tools/plugin.ts';
export default { plugin };
-- tools/plugin.ts --
export const plugin = 1;
-- src/load.ts --
export function load(name: string): number { return name.length; }
export function unused(): void {}
export interface Shape { parse(): number }
-- src/box.ts --
import type { Shape } from './load.ts';
export class Box implements Shape { parse(): number { return 1; } }
-- src/far.ts --
import { load } from './load.ts';
export function far(): number { return load('a'); }
export function near(): number { return 1; }
-- src/index.ts --
export * from './far.ts';
-- src/lonely.ts --
export const lonely = 1;
-- test/load.test.ts --
import { load } from '../src/load.ts';
load('a');
-- test/far.test.ts --
import { far } from '../src/index.ts';
far();
-- test/near.test.ts --
import { near } from '../src/index.ts';
near();
-- test/box.test.ts --
import { Box } from '../src/box.ts';
new Box().parse();
-- test/helper.ts --
import { far } from '../src/far.ts';
export const help = () => far();
-- test/helped.test.ts --
import { help } from './helper.ts';
help();
-- test/alone.test.ts --
export const alone = 1;
-- test/lost.test.ts --
import { gone } from '../src/gone.ts';
gone();
-- test/__snapshots__/alone.test.ts.snap --
exports[1] = 1;
-- test/fixtures/input.ts --
export const input = 1;
-- docs/notes.txt --
notes
`;

const ofLoad = [
  'symbol 1 test/load.test.ts < src/load.ts:load',
  'symbol 2 (test/helper.ts) < src/load.ts:load < src/far.ts:far',
];

test('tests hang on what a changed file defines, and then on the file itself, in any number of steps', async t => {
  const of = await expectLines(t, ecmascript, [
    [
      ['src/far.ts'],
      [
        'symbol 1 test/far.test.ts < src/far.ts:far',
        'symbol 1 (test/helper.ts) < src/far.ts:far',
        'symbol 1 test/near.test.ts < src/far.ts:near',
        'symbol 2 test/helped.test.ts < src/far.ts:far < test/helper.ts:help',
      ],
    ],
    [
      ['src/load.ts'],
      [
        ...ofLoad.slice(0, 1),
        'symbol 2 test/box.test.ts < src/load.ts:Shape < src/box.ts:Box',
        'symbol 2 test/far.test.ts < src/load.ts:load < src/far.ts:far',
        ...ofLoad.slice(1),
        'symbol 3 test/helped.test.ts < src/load.ts:load < src/far.ts:far < test/helper.ts:help',
        'import 2 test/near.test.ts < src/load.ts < src/far.ts',
      ],
    ],
    [['test/alone.test.ts'], ['changed 0 test/alone.test.ts']],
    [['test/helper.ts'], ['changed 0 (test/helper.ts)', 'symbol 1 test/helped.test.ts < test/helper.ts:help']],
    [['src/lonely.ts'], []],
    [[], []],
  ]);
  const { untested, modules, total } = affected(of, ['src/lonely.ts', 'src/load.ts', 'test/alone.test.ts']);
  assert.deepEqual([untested, total], [['src/lonely.ts'], 7]);
  assert.deepEqual(modules, [{ moduleId: 'test', name: 'test', tests: 6 }]);
});

test('of a file that is gone is known who looks for it; data leads to who may read it', async t => {
  const seeker = 'missing 1 test/lost.test.ts < src/gone.ts';
  const of = await expectLines(t, ecmascript, [
    [['-src/gone.ts'], [seeker]],
    [['src/gone.ts'], [seeker]],
    [['-src/other.ts'], []],
    [['test/__snapshots__/alone.test.ts.snap'], ['data 1 test/alone.test.ts < test/__snapshots__/alone.test.ts.snap']],
  ]);
  const byData = lines(affected(of, ['test/fixtures/input.ts']));
  assert.ok(byData.includes('data 1 test/near.test.ts < test/fixtures/input.ts'), byData.join('\n'));
  const files = ['-src/gone.ts', 'docs/notes.txt', 'none.ts', 'src/far.ts'];
  const { changed, doubts } = affected(of, files);
  assert.throws(() => affected(of, ['none.ts', 'nowhere']), { reason: 'fileNotFound' });
  assert.deepEqual(
    changed.map(({ status }) => status),
    ['deleted', 'unread', 'unknown', 'known'],
  );
  for (const word of [/1 file gone/, /1 changed file of no language/, /1 file neither in the index nor in HEAD/]) {
    assert.ok(
      doubts.some(doubt => word.test(doubt)),
      `${word} in ${doubts.join('; ')}`,
    );
  }
});

test('that nobody may look into a folder is told beside tests, and counted as what could not be read', async t => {
  const of = await analysedTree(t, ecmascript);
  const found = affected(of, ['src/lonely.ts'], false, new Map(), [
    { path: 'test', reason: 'unreadable' },
    { path: String.raw`b\xff.ts`, reason: 'name_not_utf8' },
  ]);
  assert.deepEqual(found.doubts, ['1 folder could not be looked into: test']);
  const { failedFiles, skippedFiles } = found.completeness;
  assert.deepEqual([failedFiles, skippedFiles], [1, 1]);
});

test('nobody is told what HEAD has while git is closed', async t => {
  const of = await analysedTree(t, ecmascript);
  const trouble = { why: '/app/.git is closed to this process', fixes: [] };
  const asked = (...files: string[]) => affected(of, files, false, new Map(), [], trouble);
  assert.deepEqual(asked('none.ts', 'src/lonely.ts').doubts, [
    `1 file not in the index, and HEAD is not read (${trouble.why}): none.ts`,
  ]);
  const message = `The index has not none.ts, and HEAD is not read: ${trouble.why}`;
  assert.throws(() => asked('none.ts'), { reason: 'preconditionFailed', message });
});

test('who looks for what a file defined that is gone is known by what a commit has of it', async t => {
  const was = parseTree(`
-- java/src/main/java/a/Gone.java --
package a;
public class Gone { public static int x() { return 1; } }
-- java/src/main/java/only/Last.java --
package only;
public class Last { }
-- kotlin/src/main/kotlin/Gone.kt --
package kk
class GoneK
fun goneTop() = 1
-- cs/Gone.cs --
namespace A; public class Gone { public static void X() { } } public class GoneAttribute { }
-- cs/Part.cs --
namespace A; public partial class Parted { public void Lost() { } }
-- php/Gone.php --
<?php
namespace A; class Gone { static function x() { } }
-- rb/gone.rb --
class GoneRb; end
-- rb/more.rb --
class Kept; def lost; end; end
-- go/gone.go --
package g

func Gone() {}
`);
  const of = await analysedTree(
    t,
    `
-- java/src/main/java/a/Mid.java --
package a;
public class Mid { static int y() { return Gone.x(); } static int z() { return 1; } }
-- java/src/test/java/a/GoneTest.java --
package a;
class GoneTest { @Test void t() { Gone.x(); } }
-- java/src/test/java/a/NoneTest.java --
package a;
class NoneTest { @Test void t() { int Gone = 1; } }
-- java/src/test/java/b/ImportTest.java --
package b;
import a.Gone;
class ImportTest { @Test void t() { Gone.x(); } }
-- java/src/test/java/b/StarTest.java --
package b;
import a.*;
class StarTest { @Test void t() { Gone.x(); } }
-- java/src/test/java/b/MidTest.java --
package b;
import a.Mid;
class MidTest { @Test void t() { Mid.y(); } }
-- java/src/test/java/c/GoneTest.java --
package c;
class GoneTest { @Test void t() { Gone.x(); } }
class Gone { static void x() { } }
-- java/src/test/java/only/LastTest.java --
package only;
class LastTest { @Test void t() { new Last(); } }
-- java/src/test/java/b/LastTest.java --
package b;
import only.Last;
class LastTest { @Test void t() { new Last(); } }
-- kotlin/src/test/kotlin/GoneTest.kt --
import kk.GoneK
class GoneTest { @Test fun t() { GoneK() } }
-- kotlin/src/test/kotlin/TopTest.kt --
import kk.goneTop
class TopTest { @Test fun t() { goneTop() } }
-- cs/Rest.cs --
namespace A; public partial class Parted { public void Stays() { } }
-- tests/GoneTests.cs --
using Xunit; using A; namespace A.Tests; public class GoneTests { [Fact] public void T() { Gone.X(); } }
-- tests/MarkedTests.cs --
using Xunit; using A; namespace A.Tests; [Gone] public class MarkedTests { [Fact] public void T() { } }
-- tests/LostTests.cs --
using Xunit; using A; namespace A.Tests; public class LostTests { [Fact] public void T() { new Parted().Lost(); } }
-- tests/StaysTests.cs --
using Xunit; using A; namespace A.Tests; public class StaysTests { [Fact] public void T() { new Parted().Stays(); } }
-- tests/GoneTest.php --
<?php
use A\\Gone; class GoneTest extends TestCase { function testX() { gone::x(); } }
-- rb/kept.rb --
class Kept; def stays; end; end
-- test/gone_test.rb --
class GoneTest < Minitest::Test; def test_x; GoneRb.new; end; end
-- test/lost_test.rb --
class LostTest < Minitest::Test; def test_x; Kept.new.lost; end; end
-- test/stays_test.rb --
class StaysTest < Minitest::Test; def test_x; Kept.new.stays; end; end
-- go/rest.go --
package g
-- go/gone_test.go --
package g

import "testing"

func TestGone(t *testing.T) { Gone() }
`,
  );
  const gone = new Map<string, DocumentFacts>();
  for (const [path, source] of was) gone.set(path, await extracted(path, source));
  const rows: readonly (readonly [gone: string, tests: readonly string[], further?: readonly string[]])[] = [
    [
      'java/src/main/java/a/Gone.java',
      ['a/GoneTest', 'b/ImportTest', 'b/StarTest'].map(name => `java/src/test/java/${name}.java`),
      ['java/src/test/java/b/MidTest.java'],
    ],
    ['java/src/main/java/only/Last.java', ['b', 'only'].map(name => `java/src/test/java/${name}/LastTest.java`)],
    ['kotlin/src/main/kotlin/Gone.kt', ['Gone', 'Top'].map(name => `kotlin/src/test/kotlin/${name}Test.kt`)],
    ['cs/Gone.cs', ['tests/GoneTests.cs', 'tests/MarkedTests.cs']],
    ['cs/Part.cs', ['tests/LostTests.cs']],
    ['php/Gone.php', ['tests/GoneTest.php']],
    ['rb/gone.rb', ['test/gone_test.rb']],
    ['rb/more.rb', ['test/lost_test.rb']],
    ['go/gone.go', ['go/gone_test.go']],
  ];
  for (const [path, direct, further = []] of rows) {
    const { tests, doubts } = affected(of, [`-${path}`], false, gone);
    const at = (steps: number) => tests.filter(one => one.distance === steps).map(one => one.path);
    assert.deepEqual([at(1), at(2)], [direct, further], path);
    assert.ok(tests.every(one => one.distance > 1 || one.relation === 'missing'));
    assert.match(doubts.join('\n'), /1 file gone: known is who looks for what it defined/);
  }
});

test('what code imports leads to tests, whether anybody reads it or not', async t => {
  await expectLines(
    t,
    `
-- data/conf.json --
{ "x": 1 }
-- src/style.css --
a { color: red }
-- src/c.ts --
import data from '../data/conf.json';
import './style.css';
export const c = () => data.x;
-- test/c.test.ts --
import { c } from '../src/c.ts';
c();
-- test/style.test.ts --
import '../src/style.css';
-- native/table.inc --
1, 2, 3
-- native/table.c --
int table[] = {
#include "table.inc"
};
-- native/table_test.c --
#include "table.c"
`,
    [
      [['data/conf.json'], ['import 2 test/c.test.ts < data/conf.json < src/c.ts']],
      [
        ['src/style.css'],
        ['import 1 test/style.test.ts < src/style.css', 'import 2 test/c.test.ts < src/style.css < src/c.ts'],
      ],
      [['native/table.inc'], ['import 2 native/table_test.c < native/table.inc < native/table.c']],
    ],
  );
});

test('what settles how all is run is told, by way of what it imports as well, and its tests on request', async t => {
  const of = await analysedTree(t, ecmascript);
  const told = affected(of, ['package.json', 'tools/plugin.ts']);
  assert.deepEqual(told.tests, []);
  assert.deepEqual(affected(of, ['vitest.config.ts', 'tools/plugin.ts']).untested, ['tools/plugin.ts']);
  assert.deepEqual(told.everything, [
    { path: 'package.json', changed: 'package.json', directory: '', because: 'dependencies and scripts' },
    { path: 'vitest.config.ts', changed: 'tools/plugin.ts', directory: '', because: 'how tests are run' },
  ]);
  const listed = affected(of, ['package.json'], true);
  assert.deepEqual([listed.total, new Set(listed.tests.map(({ relation }) => relation))], [7, new Set(['everything'])]);
});

test('tests of a package of Go hang on all that it is made of, and on what any of it imports', async t => {
  await expectLines(
    t,
    `
-- go.mod --
module m
-- p/p.go --
package p

func P() int { return 1 }
-- q/q.go --
package q

import "m/p"

func Q() int { return p.P() }
-- q/other.go --
package q

func Other() int { return 1 }
-- q/q_test.go --
package q

import "testing"

func TestOther(t *testing.T) { Other() }
-- q/testdata/in.txt --
x
-- r/r_test.go --
package r

import "testing"

func TestR(t *testing.T) {}
`,
    [
      [['p/p.go'], ['import 2 q/q_test.go < p/p.go < q/q.go']],
      [['q/q.go'], ['import 1 q/q_test.go < q/q.go']],
      [['q/other.go'], ['symbol 1 q/q_test.go < q/other.go:Other']],
      [['q/testdata/in.txt'], ['data 1 q/q_test.go < q/testdata/in.txt']],
    ],
  );
});

test('a file of Rust with tests between its code is one to run, by what they use', async t => {
  const of = await expectLines(
    t,
    `
-- Cargo.toml --
[package]
name = "own"
-- src/lib.rs --
pub mod base;
pub mod user;
pub mod other;
-- src/base.rs --
pub fn base() -> u8 { 1 }
#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn t() { super::base(); }
}
-- src/user.rs --
use crate::base::base;
pub fn user() -> u8 { base() }
#[cfg(test)]
mod tests {
    #[test]
    fn t() { super::user(); }
}
-- src/other.rs --
use crate::base;
pub fn other() -> u8 { 1 }
#[cfg(test)]
mod tests {
    #[test]
    fn t() { super::other(); }
}
-- src/lonely.rs --
pub fn lonely() -> u8 { 1 }
`,
    [
      [['src/base.rs'], ['changed 0 src/base.rs', 'symbol 2 src/user.rs < src/base.rs:base < src/user.rs:user']],
      [['src/other.rs'], ['changed 0 src/other.rs']],
      [['src/lonely.rs'], []],
    ],
  );
  assert.deepEqual(affected(of, ['src/base.rs', 'src/lonely.rs']).untested, ['src/lonely.rs']);
  assert.deepEqual(affected(of, ['src/base.rs']).doubts, []);
});

test('what conftest.py sets up hangs on all that this imports', async t => {
  await expectLines(
    t,
    `
-- src/app.py --
def make():
    return 1
-- tests/conftest.py --
from src.app import make

def client():
    return make()
-- tests/test_a.py --
def test_a(client):
    assert client
-- other/test_b.py --
def test_b():
    pass
`,
    [
      [
        ['src/app.py'],
        ['symbol 1 (tests/conftest.py) < src/app.py:make', 'setup 2 tests/test_a.py < src/app.py < tests/conftest.py'],
      ],
    ],
  );
});

test('in C# and Java a test is known by its mark, whatever its file and folder are called', async t => {
  await expectLines(
    t,
    `
-- src/App/Retry.cs --
namespace App;
public class Retry { public int Times() => 1; }
-- src/App/Other.cs --
namespace App;
public class Other { }
-- src/App.Specs/RetrySpecs.cs --
using App;
using Xunit;
namespace Specs;
public class RetrySpecs { [Fact] public void Counts() => new Retry().Times(); }
-- test/App.Tests/RetryTests.cs --
using App;
using Xunit;
namespace Tests;
public class RetryTests { [SkippableTheory, InlineData(1)] public void Counts(int a) { new Retry().Times(); } }
-- test/App.Tests/Behaviour.cs --
namespace Tests;
using App;
[TestClass] public class Behaviour { [TestMethod] public void Counts() { new Retry().Times(); } }
-- test/App.Tests/Stub.cs --
namespace Tests;
using App;
public class Stub { public Test Made() { return new Test(); } public int Counts() => new Retry().Times(); }
public class Test { }
-- src/main/java/app/Box.java --
package app;
public class Box { public int size() { return 1; } }
-- src/test/java/app/BoxTest.java --
package app;
public class BoxTest { @Test void size() { new Box().size(); } }
-- src/test/java/app/Boxes.java --
package app;
import org.junit.jupiter.params.ParameterizedTest;
public class Boxes { @ParameterizedTest void size(int a) { new Box().size(); } }
-- src/test/java/app/Help.java --
package app;
public class Help { int size() { return new Box().size(); } }
`,
    [
      [
        ['src/App/Retry.cs'],
        ['src/App.Specs/RetrySpecs.cs', 'test/App.Tests/Behaviour.cs', 'test/App.Tests/RetryTests.cs']
          .map(path => `symbol 1 ${path} < src/App/Retry.cs:Retry`)
          .concat('symbol 1 (test/App.Tests/Stub.cs) < src/App/Retry.cs:Retry'),
      ],
      [
        ['src/main/java/app/Box.java'],
        ['BoxTest', 'Boxes', '(Help)'].map(name => {
          const path = `src/test/java/app/${name.replace(/\W/g, '')}.java`;
          return `symbol 1 ${name.startsWith('(') ? `(${path})` : path} < src/main/java/app/Box.java:Box`;
        }),
      ],
    ],
  );
});

test('what only a name ties to a changed definition is taken, and what leads nowhere is counted', async t => {
  const of = await analysedTree(
    t,
    `
-- src/shop.ts --
export class Shop { purchaseAll(): void {} close(): void {} }
export class Door { close(): void {} }
-- test/shop.test.ts --
export function check(shop: any): void { shop.purchaseAll(); shop.close(); }
`,
  );
  const found = affected(of, ['src/shop.ts']);
  assert.deepEqual(lines(found), ['symbol 1 test/shop.test.ts < src/shop.ts:purchaseAll']);
  assert.equal(found.tests[0]?.confidence, 0.5);
  assert.match(found.doubts.join('\n'), /uses of names that changed files define lead nowhere/);
  assert.ok(found.completeness.unresolvedCandidates > 0);
});

/** What tests hang on `src/a.js` and such, by what settings of runners say of which files they take. */
const configured: readonly (readonly [name: string, text: string, changed: string, runnable: readonly string[]])[] = [
  [
    'Jest in package.json, beside Playwright',
    `
-- package.json --
{ "jest": { "testMatch": ["<rootDir>/specs/**/*.js", "!**/no/**"], "testPathIgnorePatterns": ["/old/"] } }
-- playwright.config.ts --
export default { testDir: './e2e', testMatch: '**/*.e2e.ts' };
-- src/a.js --
export const a = () => 1;
-- src/__tests__/b.js --
import { a } from '../a'; test('a', () => a());
-- specs/a.js --
import { a } from '../src/a'; test('a', () => a());
-- specs/no/a.js --
import { a } from '../../src/a'; test('a', () => a());
-- specs/old/a.js --
import { a } from '../../src/a'; test('a', () => a());
-- e2e/login.e2e.ts --
import { a } from '../src/a'; a();
`,
    'src/a.js',
    ['e2e/login.e2e.ts', 'specs/a.js'],
  ],
  [
    'Jest in code, below its roots alone; a package below it says otherwise',
    `
-- jest.config.js --
module.exports = { rootDir: '.', roots: ['<rootDir>/lib'], testMatch: ['**/?(*.)+(check|test).[jt]s?(x)'] };
-- lib/a.ts --
export const a = () => 1;
-- lib/a.check.ts --
import { a } from './a'; a();
-- other/a.test.ts --
import { a } from '../lib/a'; a();
-- sub/jest.config.js --
module.exports = { preset: 'own' };
-- sub/a.test.ts --
import { a } from '../lib/a'; a();
`,
    'lib/a.ts',
    ['lib/a.check.ts', 'sub/a.test.ts'],
  ],
  [
    'Vitest; what another runner may take stays a test',
    `
-- one/package.json --
{ "name": "one", "devDependencies": { "vitest": "1" } }
-- one/vitest.config.ts --
import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: { coverage: { include: ['src/**'] }, include: ['test/**/*.test.ts', 'src/**/*.check.ts'] },
});
-- one/src/a.ts --
export const a = () => 1;
-- one/src/a.check.ts --
import { a } from './a'; a();
-- one/src/a.test.ts --
import { a } from './a'; a();
-- one/test/a.test.ts --
import { a } from '../src/a'; a();
-- two/package.json --
{ "name": "two", "devDependencies": { "vitest": "1", "mocha": "9" } }
-- two/vitest.config.ts --
export default { test: { include: ['test/**/*.test.ts'] } };
-- two/src/a.test.ts --
import { a } from '../../one/src/a'; a();
-- open/vitest.config.ts --
export default { test: { include: [...defaults, 'x/**/*.ts'] } };
-- open/src/a.test.ts --
import { a } from '../../one/src/a'; a();
`,
    'one/src/a.ts',
    ['one/src/a.check.ts', 'one/test/a.test.ts', 'open/src/a.test.ts', 'two/src/a.test.ts'],
  ],
  ...(
    [
      ['pyproject.toml', '[tool.pytest.ini_options]\ntestpaths = ["checks"]\npython_files = ["check_*.py"]'],
      ['pytest.ini', '[pytest]\ntestpaths = checks\npython_files =\n    check_*.py'],
      ['tox.ini', '[pytest]\ntestpaths = checks\npython_files = check_*.py'],
      ['setup.cfg', '[tool:pytest]\ntestpaths = checks\npython_files = check_*.py'],
    ] as const
  ).map(
    ([name, settings]) =>
      [
        `pytest in ${name}`,
        `
-- ${name} --
${settings}
-- pa/core.py --
def run(): return 1
-- checks/check_core.py --
from pa.core import run
def test_run(): assert run()
-- checks/test_core.py --
from pa.core import run
def test_run(): assert run()
-- more/check_core.py --
from pa.core import run
def test_run(): assert run()
`,
        'pa/core.py',
        ['checks/check_core.py'],
      ] as const,
  ),
];

test('settings of runners say which files below them are tests to run', async t => {
  for (const [name, text, changed, runnable] of configured) {
    const { tests } = affected(await analysedTree(t, text), [changed]);
    assert.deepEqual(tests.flatMap(one => (one.runnable ? [one.path] : [])).sort(), runnable, name);
  }
});

test('a regular expression that chooses tests is not run: names tell, with a doubt', async t => {
  const of = await analysedTree(
    t,
    '-- package.json --\n{ "jest": { "testRegex": "(a+)+$" } }\n-- a.js --\nexport const a = 1;\n-- a.spec.js --\nimport { a } from "./a"; a;\n',
  );
  const { tests, doubts } = affected(of, ['a.js']);
  assert.deepEqual(
    tests.map(({ path }) => path),
    ['a.spec.js'],
  );
  assert.match(doubts.join('\n'), /Regular expressions choose .*: package\.json$/m);
});

test('what a runner loads before its tests makes a difference to all below, and so does what it imports', async t => {
  const text = `
-- one/vitest.config.ts --
import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { setupFiles: ['./test/setup.ts'] } });
-- one/test/setup.ts --
import { init } from '../src/init';
init();
-- one/src/init.ts --
export function init() {}
-- one/test/a.test.ts --
export const a = 1;
-- two/package.json --
{ "jest": { "setupFilesAfterEnv": ["<rootDir>/prepare.js"], "globalSetup": "./start" } }
-- two/prepare.js --
export const prepared = 1;
-- two/start.js --
export default () => 1;
-- two/a.test.js --
export const a = 1;
`;
  const of = await expectLines(t, text, [
    [
      ['one/src/init.ts'],
      [
        'symbol 1 (one/test/setup.ts) < one/src/init.ts:init',
        'setup 2 one/test/a.test.ts < one/src/init.ts < one/test/setup.ts',
      ],
    ],
    [['two/prepare.js'], ['setup 1 two/a.test.js < two/prepare.js']],
    [['two/start.js'], ['setup 1 two/a.test.js < two/start.js']],
  ]);
  const { everything, untested } = affected(of, ['one/src/init.ts', 'two/prepare.js']);
  assert.deepEqual(untested, []);
  assert.deepEqual(
    everything.map(({ path, changed, directory, because }) => `${path} ${changed} ${directory} ${because}`),
    ['one/test/setup.ts one/src/init.ts one how tests are run', 'two/prepare.js two/prepare.js two how tests are run'],
  );
});

test('a changed test that could not be read is one to run, and others beside what is reached may be', async t => {
  const of = await expectLines(
    t,
    `
-- a.ts --
export const a = () => 1;
-- b.ts --
import { a } from './a'; export const b = a;
-- a.test.ts --
import { a } from './a'; a(); const big = '${'x'.repeat(200_000)}';
-- far/b.test.ts --
export const big = '${'x'.repeat(200_000)}';
`,
    [
      [['a.test.ts'], ['changed 0 a.test.ts']],
      [['a.ts'], []],
    ],
  );
  const beside = 'a.test.ts';
  const said = /called as tests are, could not be read: (.*)/;
  assert.equal(said.exec(affected(of, ['a.ts']).doubts.join('\n'))?.[1], beside);
  assert.equal(said.exec(affected(of, ['a.test.ts']).doubts.join('\n')), null);
});

test('what an __init__.py does is done before any module of its package, and of those below, is there', async t => {
  await expectLines(
    t,
    `
-- pa/__init__.py --
from .start import go
-- pa/start.py --
def go(): return 1
-- pa/plug.py --
def load(): return 1
-- pa/sub/__init__.py --
-- pa/sub/deep.py --
def deep(): return 1
-- other/mod.py --
def other(): return 1
-- tests/test_plug.py --
from pa.plug import load
def test_plug(): assert load()
-- tests/test_deep.py --
from pa.sub.deep import deep
def test_deep(): assert deep()
-- tests/test_other.py --
from other.mod import other
def test_other(): assert other()
`,
    [
      [
        ['pa/__init__.py'],
        [
          'import 2 tests/test_plug.py < pa/__init__.py < pa/plug.py',
          'import 3 tests/test_deep.py < pa/__init__.py < pa/sub/__init__.py < pa/sub/deep.py',
        ],
      ],
      [
        ['pa/start.py'],
        [
          'import 3 tests/test_plug.py < pa/start.py < pa/__init__.py < pa/plug.py',
          'import 4 tests/test_deep.py < pa/start.py < pa/__init__.py < pa/sub/__init__.py < pa/sub/deep.py',
        ],
      ],
      [['pa/plug.py'], ['symbol 1 tests/test_plug.py < pa/plug.py:load']],
    ],
  );
});
