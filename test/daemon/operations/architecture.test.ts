import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { Fault } from '../../../client/protocol/faults.ts';
import { operations } from '../../../client/protocol/registry.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const npm = `
-- package.json --
{ "name": "all", "private": true, "workspaces": ["packages/*"] }
-- packages/core/package.json --
{ "name": "@x/core", "main": "src/index.ts" }
-- packages/core/src/index.ts --
export * from './parse';
export { size } from './size.ts';
-- packages/core/src/parse.ts --
import { readFileSync } from 'node:fs';
import { size, type Size } from './size';
import style from './style.css';
import gone from './gone';
export const parse = (text: string): Size => size(text);
-- packages/core/src/size.ts --
import type { parse } from './parse';
export type Size = number;
export const size = (text: string): Size => text.length;
-- packages/core/src/style.css --
a { color: red }
-- packages/app/package.json --
{ "name": "@x/app", "bin": { "app": "./src/main.ts" }, "dependencies": { "@x/core": "*", "react": "1" } }
-- packages/app/src/main.ts --
import {
  parse,
} from '@x/core';
import { size } from '@x/core';
import react from 'react';
import type { Size } from '@x/core';
parse('a');
-- packages/app/test/main.test.ts --
import { parse } from '@x/core';
import '../src/main';
-- tools/build.js --
require('../packages/app/src/main.ts');
`;

const defaults = {
  granularity: 'module',
  depth: 2,
  includeExternalDeps: false,
  inferModules: true,
  refresh: false,
  format: 'json',
  sync: false,
} as const;
type More = Partial<Omit<Parameters<AnalysedTree['ask']>[1], 'id'>> & Record<string, unknown>;

function ask(of: AnalysedTree, more: More = {}) {
  return of.ask('analysis.architecture', { ...defaults, ...more } as typeof defaults);
}

/** Modules' dependencies as `from > to kind strength`, and how many of these are types (t), tests (x), implicit (i). */
function moduleEdges(of: AnalysedTree, more: More = {}): readonly string[] {
  const found = ask(of, more);
  assert.ok(typeof found === 'object' && found.granularity === 'module');
  assert.deepEqual([...Value.Errors(operations['analysis.architecture'].output, found)], []);
  return found.dependencies.map(({ from, to, kind, strength, typeOnly, fromTests, implicit }) =>
    [
      `${from} > ${to} ${kind} ${strength}`,
      typeOnly && `t${typeOnly}`,
      fromTests && `x${fromTests}`,
      implicit && `i${implicit}`,
    ]
      .filter(word => word !== 0)
      .join(' '),
  );
}

test('modules of a workspace, what they need of each other, and where it starts', async t => {
  const of = await analysedTree(t, npm);
  assert.deepEqual(moduleEdges(of), [
    'packages/app > packages/core workspace 2 x1',
    'tools > packages/app workspace 1',
  ]);
  const found = ask(of);
  assert.ok(typeof found === 'object' && found.granularity === 'module');
  assert.deepEqual(
    found.modules.map(({ id, name, language, fileCount, loc, detectedBy, manifest }) => [
      ...[id, name, language, fileCount, loc, detectedBy, manifest],
    ]),
    [
      ['@root', 'all', '', 0, 0, 'manifest', 'package.json'],
      ['packages/app', '@x/app', 'typescript', 2, 9, 'manifest', 'packages/app/package.json'],
      ['packages/core', '@x/core', 'typescript', 3, 10, 'manifest', 'packages/core/package.json'],
      ['tools', 'tools', 'javascript', 1, 1, 'inferred', undefined],
    ],
  );
  assert.deepEqual(
    found.entrypoints.map(({ path, kind, moduleId }) => [path, kind, moduleId]),
    [
      ['packages/app/src/main.ts', 'cli', 'packages/app'],
      ['packages/core/src/index.ts', 'library', 'packages/core'],
    ],
  );
  assert.deepEqual(
    moduleEdges(of, { includeExternalDeps: true }).filter(edge => /:/.test(edge)),
    ['packages/app > npm:react external 1', 'packages/core > node:fs stdlib 1'],
  );
  // The package that is looked at shows its folders.
  assert.deepEqual(moduleEdges(of, { targetPath: './packages/core/../app/' }), [
    'packages/app/src > packages/core workspace 1',
    'packages/app/test > packages/app/src local 1 x1',
    'packages/app/test > packages/core workspace 1 x1',
  ]);
});

test('files with what each of them imports, resolved or not, and what is no code', async t => {
  const found = ask(await analysedTree(t, npm), { granularity: 'file', targetPath: 'packages/core' });
  assert.ok(typeof found === 'object' && found.granularity === 'file');
  assert.ok(Value.Check(operations['analysis.architecture'].output, found));
  const short = (path: string) => path.replace('packages/core/src/', '');
  assert.deepEqual(
    found.fileDependencies.map(one => [short(one.from), short(one.to), one.line, one.resolved, one.typeOnly].join(' ')),
    [
      'index.ts parse.ts 1 true false',
      'index.ts size.ts 2 true false',
      'parse.ts size.ts 2 true false',
      'parse.ts style.css 3 true false',
      'parse.ts ./gone 4 false false',
      'size.ts parse.ts 1 true true',
    ],
  );
  assert.deepEqual(found.cycles, [['packages/core/src/parse.ts', 'packages/core/src/size.ts']]);
  assert.equal(found.detectionMethod, 'imports');
});

/** In each language what a file says of others, and what it needs without saying so. */
const languages: readonly (readonly [what: string, tree: string, edges: readonly string[]])[] = [
  [
    'Python: packages, relative and by name',
    `
-- pyproject.toml --
[project]
name = "p"
-- p/__init__.py --
from .core import run
-- p/core/__init__.py --
from p.util import tools, deep
def run(): return tools.go()
-- p/util/__init__.py --
-- p/util/tools.py --
def go(): pass
-- p/util/deep.py --
x = 1
-- test_p.py --
import p
`,
    ['@root > p local 1 x1', 'p > p/core local 1', 'p/core > p/util local 1'],
  ],
  [
    'Go: packages by their paths, within one without a word; what a value has comes without an import',
    `
-- go.mod --
module example.com/m
-- main.go --
package main

import (
	"fmt"
	"example.com/m/store"
	_ "example.com/m/driver"
)

func main() { fmt.Println(store.Open().Key()) }
-- store/store.go --
package store

import "example.com/m/key"

func Open() key.Row { hidden(); return key.Row{} }
-- key/key.go --
package key

type Row struct{}

func (Row) Key() int { return 1 }
-- store/other.go --
package store

func hidden() int { return 1 }
-- driver/driver.go --
package driver
`,
    ['@root > driver local 1', '@root > store local 1', 'store > key local 1'],
  ],
  [
    'Java: classes; those of one package without a word, wherever they lie',
    `
-- pom.xml --
<project><groupId>g</groupId><artifactId>a</artifactId></project>
-- src/main/java/g/App.java --
package g;
import g.data.Row;
class App { Row row; Near near; }
-- src/main/java/g/data/Row.java --
package g.data;
public class Row { }
-- src/test/java/g/Near.java --
package g;
class Near { }
`,
    ['src/main/java/g > src/main/java/g/data local 1', 'src/main/java/g > src/test local 1 i1'],
  ],
  [
    'Java and Kotlin: what is imported of a class is one import, of which the class is a part',
    `
-- pom.xml --
<project><groupId>g</groupId><artifactId>a</artifactId></project>
-- src/main/java/g/App.java --
package g;
import static g.data.Row.size;
import static g.more.Cell.*;
import g.deep.Outer.Inner;
class App { Inner inner; int n = size() + width(); }
-- src/main/java/g/data/Row.java --
package g.data;
public class Row { public static int size() { return 1; } }
-- src/main/java/g/more/Cell.java --
package g.more;
public class Cell { public static int width() { return 1; } }
-- src/main/java/g/deep/Outer.java --
package g.deep;
public class Outer { public static class Inner { } }
-- src/main/kotlin/k/use.kt --
package k
import g.data.Row.size
`,
    [
      'src/main/java/g > src/main/java/g/data local 1',
      'src/main/java/g > src/main/java/g/deep local 1',
      'src/main/java/g > src/main/java/g/more local 1',
      'src/main/kotlin/k > src/main/java/g/data local 1',
    ],
  ],
  [
    'C#: namespaces lead to what is used of them',
    `
-- App/App.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- App/Program.cs --
using Lib.Data;
using Lib.Unused;
namespace App { class Program { Row row; } }
-- Lib/Lib.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- Lib/Row.cs --
namespace Lib.Data { public class Row { } }
-- Lib/Other.cs --
namespace Lib.Data { public class Other { } }
-- Lib/Unused.cs --
namespace Lib.Unused { public class A { } }
-- Lib/Unused2.cs --
namespace Lib.Unused { public class B { } }
`,
    ['App > Lib workspace 1'],
  ],
  [
    'C#: extensions of namespaces around, and none of projects that are not referred to',
    `
-- Core/Core.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- Core/Pipe.cs --
namespace P;
public class Pipe { }
-- Testing/Testing.csproj --
<Project><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj"/></ItemGroup></Project>
-- Testing/Ext.cs --
namespace P.Testing;
public static class Ext { public static int Once(this Pipe p) => 2; }
-- Tests/Tests.csproj --
<Project><ItemGroup><ProjectReference Include="../Testing/Testing.csproj"/></ItemGroup></Project>
-- Tests/T.cs --
namespace P.Testing.Tests;
public class T { void f() { Pipe p = null; p.Once(); } }
-- A/A.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- A/Eng.cs --
namespace N.T;
internal static class Eng { internal static int AsTask(this Token t) => 1; }
-- B/B.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- B/Rej.cs --
namespace N.T;
public class Rej { }
-- C/C.csproj --
<Project><ItemGroup><ProjectReference Include="../B/B.csproj"/></ItemGroup></Project>
-- C/U.cs --
using N.T;
class U { void f(Lost v) { var e = new Rej(); v.AsTask(); } }
`,
    [
      'C > B workspace 1',
      'Testing > Core workspace 1 i1',
      'Tests > Core workspace 1 x1 i1',
      'Tests > Testing workspace 1 x1 i1',
    ],
  ],
  [
    'Rust: the crate that is named, and none that it hands on',
    `
-- Cargo.toml --
[workspace]
members = ["*"]
-- inner/Cargo.toml --
[package]
name = "inner"
-- inner/src/lib.rs --
pub mod deep;
pub struct Thing;
pub fn go() {}
-- inner/src/deep.rs --
pub struct D;
impl D { pub fn deeper() {} }
-- facade/Cargo.toml --
[package]
name = "facade"
[dependencies]
inner = { path = "../inner" }
-- facade/src/lib.rs --
pub use inner::*;
pub extern crate inner as renamed;
fn f() { renamed::deep::D::deeper(); }
-- a/Cargo.toml --
[package]
name = "a"
[dependencies]
facade = { path = "../facade" }
-- a/src/lib.rs --
use facade::renamed::Thing;
pub fn f(_: Thing) { Thing; }
-- b/Cargo.toml --
[package]
name = "b"
[dependencies]
facade = { path = "../facade" }
-- b/src/lib.rs --
pub fn f(_: facade::Thing) { facade::go(); facade::deep::D::deeper() }
`,
    ['a > facade workspace 1', 'b > facade workspace 1', 'facade > inner workspace 2 i1'],
  ],
  [
    'Rust: what tests between other code need is from tests, and so are modules that are declared for them alone',
    `
-- Cargo.toml --
[workspace]
members = ["*"]
-- a/Cargo.toml --
[package]
name = "a"
[dev-dependencies]
b = { path = "../b" }
c = { path = "../c" }
-- a/src/lib.rs --
pub fn f() -> u8 { 1 }
#[cfg(test)]
mod help;
#[cfg(test)]
mod tests {
    use b::g;
    #[test]
    fn t() { assert_eq!(g(), c::h()); }
}
-- a/src/help.rs --
use c::h;
mod deeper;
-- a/src/help/deeper.rs --
use c::deep::i;
-- b/Cargo.toml --
[package]
name = "b"
[dependencies]
a = { path = "../a" }
-- b/src/lib.rs --
use a::f;
pub fn g() -> u8 { f() }
-- c/Cargo.toml --
[package]
name = "c"
[dependencies]
b = { path = "../b" }
-- c/src/lib.rs --
pub mod deep;
pub fn h() -> u8 { b::g() }
-- c/src/deep.rs --
pub fn i() {}
`,
    ['a > b workspace 1 x1', 'a > c workspace 3 x3', 'b > a workspace 1', 'c > b workspace 1'],
  ],
  [
    'Ruby: constants that are loaded by their names',
    `
-- lib/shop.rb --
require 'set'
module Shop
  def self.run; Cart.new; end
end
-- app/models/shop/cart.rb --
module Shop
  class Cart; end
end
`,
    ['lib > app/models/shop local 1 i1'],
  ],
];

for (const [what, tree, edges] of languages) {
  test(what, async t => {
    const of = await analysedTree(t, tree);
    assert.deepEqual(moduleEdges(of), edges);
    const { cycles } = ask(of) as { readonly cycles: readonly (readonly string[])[] };
    assert.deepEqual(cycles, []);
  });
}

/** What no repository has, or what leads out of one: whatever lies there is not looked at. */
const hostile: readonly (readonly [target: string, reason: Fault['reason']])[] = [
  ['../../etc/passwd', 'invalidParameter'],
  ['/etc/passwd', 'invalidParameter'],
  ['a/../../x', 'invalidParameter'],
  ['..\\x', 'invalidParameter'],
  ['C:\\x', 'invalidParameter'],
  ['../repo-evil/x', 'invalidParameter'],
  ['file:///x', 'invalidParameter'],
  ['x'.repeat(4096).replace('x', 'é'), 'invalidParameter'],
  ['…/x', 'fileNotFound'],
  ['%2e%2e/x', 'fileNotFound'],
  ['absent', 'fileNotFound'],
  ['packages/cor', 'fileNotFound'],
  ['packages/core/src/style.css/x', 'fileNotFound'],
  ['packages/core/package.json', 'fileNotFound'],
  ['node_modules', 'fileNotFound'],
  ['__proto__', 'fileNotFound'],
  ['*', 'fileNotFound'],
];

test('of several files that define what is used by its name the nearest is meant, and no tests by what is none', async t => {
  const ruby = `
-- guides/report_test.rb --
class User; end
-- lib/load.rb --
class Load; def run; User.new; end; end
-- app/user.rb --
class User; end
-- test/app/user.rb --
class User; end
-- test/user_test.rb --
class UserTest; def test_it; User.new; end; end
`;
  const found = ask(await analysedTree(t, ruby), { granularity: 'file' });
  assert.ok(typeof found === 'object' && found.granularity === 'file');
  assert.deepEqual(
    found.fileDependencies.map(({ from, to }) => `${from} > ${to}`),
    ['lib/load.rb > app/user.rb', 'test/user_test.rb > test/app/user.rb'],
  );
});

test('packages of projects beside one are found by their folders, whatever the projects are called', async t => {
  const python = `
-- a/setup.py --
from setuptools import setup
setup(name="first", packages=["aa"])
-- a/aa/__init__.py --
-- a/aa/m.py --
x = 1
-- c/pyproject.toml --
[project]
name = "third"
-- c/src/cc/__init__.py --
-- c/tests/stubs/yaml/__init__.py --
-- c/tests/stubs/setup.py --
-- b/setup.py --
from setuptools import setup
setup(name="second", packages=["bb"])
-- b/bb/__init__.py --
from aa.m import x
import cc, yaml
`;
  assert.deepEqual(moduleEdges(await analysedTree(t, python), { includeExternalDeps: true }), [
    'a > pypi:setuptools external 1',
    'b > a workspace 1',
    'b > c workspace 1',
    'b > pypi:setuptools external 1',
    'b > pypi:yaml external 1',
  ]);
});

test('a part of Dart is no file that its library and it import from each other', async t => {
  const dart = `
-- pubspec.yaml --
name: m
-- lib/m.dart --
library m;
import 'other.dart';
part 'm.g.dart';
part 'old.dart';
class M {}
-- lib/m.g.dart --
part of 'm.dart';
M x() => M();
-- lib/old.dart --
part of m;
M y() => M();
-- lib/other.dart --
import 'm.dart';
`;
  const of = await analysedTree(t, dart);
  const found = ask(of, { granularity: 'file' });
  assert.ok(typeof found === 'object' && found.granularity === 'file');
  assert.deepEqual(
    found.fileDependencies.map(({ from, to }) => `${from} > ${to}`),
    [
      'lib/m.dart > lib/other.dart',
      'lib/m.dart > lib/m.g.dart',
      'lib/m.dart > lib/old.dart',
      'lib/other.dart > lib/m.dart',
    ],
  );
  assert.deepEqual(found.cycles, [['lib/m.dart', 'lib/other.dart']]);
  const modules = ask(of);
  assert.ok(typeof modules === 'object' && modules.granularity === 'module');
  assert.deepEqual(
    modules.entrypoints.map(({ path }) => path),
    ['lib/m.dart', 'lib/other.dart'],
  );
});

test('a dotted import of Python is one', async t => {
  const python = `
-- a/__init__.py --
-- a/b.py --
x = 1
-- use/__init__.py --
-- use/main.py --
import a.b
import a.b as other, os.path
`;
  const found = ask(await analysedTree(t, python), { granularity: 'directory', includeExternalDeps: true });
  assert.ok(typeof found === 'object' && found.granularity === 'directory');
  assert.deepEqual(
    found.directoryDependencies.map(({ from, to, importCount }) => `${from} > ${to} ${importCount}`),
    ['use > a 1', 'use > std:python 1'],
  );
});

test('a target that is not there or not of the repository is told apart', async t => {
  const of = await analysedTree(t, npm);
  for (const [targetPath, reason] of hostile) {
    for (const granularity of ['module', 'directory', 'file']) {
      assert.throws(
        () => ask(of, { targetPath, granularity }),
        (error: unknown) => error instanceof Fault && error.reason === reason,
        targetPath.slice(0, 80),
      );
    }
  }
  for (const targetPath of ['.', '@root', './', 'packages/..']) assert.equal(moduleEdges(of, { targetPath }).length, 2);
  assert.deepEqual(moduleEdges(of, { targetPath: 'packages/app/src/main.ts' }), [
    'packages/app/src > packages/core workspace 1',
  ]);
});

/** Folders that need one another, one of them with folders of its own, and a folder of tests that closes no cycle. */
const folders = `
-- CMakeLists.txt --
project(db)
-- include/db/db.h --
struct Db {};
-- util/hash.h --
#include "include/db/db.h"
-- util/cache/lru.h --
#include "util/hash.h"
-- table/block.h --
#include "include/db/db.h"
#include "util/hash.h"
-- table/filter/bloom.h --
#include "table/block.h"
#include "util/cache/lru.h"
-- table/table_test.cc --
#include "app/main.h"
-- app/main.h --
#include "table/block.h"
`;

test('what lies beside a target stays what it is without, and is marked', async t => {
  const of = await analysedTree(t, folders);
  const modulesOf = (more: More) => {
    const found = ask(of, more);
    assert.ok(typeof found === 'object' && found.granularity === 'module');
    return found.modules.map(({ id, fileCount, loc, outside }) => [id, fileCount, loc, outside] as const);
  };
  const whole = modulesOf({});
  const targets: readonly (readonly [target: string, inside: readonly string[], outside: readonly string[]])[] = [
    ['table', ['table', 'table/filter'], ['app', 'include/db', 'util', 'util/cache']],
    ['util', ['util', 'util/cache'], ['include/db']],
    ['table/filter', ['table/filter'], ['table', 'util/cache']],
    ['include', ['include/db'], []],
    ['table/block.h', ['table'], ['include/db', 'util']],
  ];
  for (const [targetPath, inside, outside] of targets) {
    const found = modulesOf({ targetPath });
    const ids = (isOutside: boolean) => found.filter(one => one[3] === isOutside).map(([id]) => id);
    assert.deepEqual([ids(false), ids(true)], [inside, outside], targetPath);
    for (const [id, ...counts] of found) {
      const before = whole.find(one => one[0] === id)!;
      if (outside.includes(id)) assert.deepEqual(counts.slice(0, 2), before.slice(1, 3), `${targetPath}: ${id}`);
    }
  }
  assert.deepEqual(moduleEdges(of, { targetPath: 'table/filter', depth: 1 }), [
    'table/filter > table local 1',
    'table/filter > util local 1',
  ]);
  assert.match(ask(of, { format: 'svg', targetPath: 'table' }) as string, /<g class="node outside"><title>util, /);
});

test('what tests alone need closes no cycle, in the answer or in its picture', async t => {
  const of = await analysedTree(t, folders);
  for (const granularity of ['module', 'directory']) {
    const found = ask(of, { granularity });
    assert.ok(typeof found === 'object');
    assert.deepEqual([found.cycles, found.mergedCycles], [[], []]);
    assert.ok(!(ask(of, { granularity, format: 'svg' }) as string).includes('closes a cycle'));
  }
  of.folder.write('table/table.cc', '#include "app/main.h"\n');
  await of.tree.crawl();
  const found = ask(of, {});
  assert.ok(typeof found === 'object' && found.granularity === 'module');
  assert.deepEqual(found.cycles, [['app', 'table']]);
  assert.deepEqual(
    found.dependencies.filter(({ inCycle }) => inCycle).map(({ from, to }) => `${from} > ${to}`),
    ['app > table', 'table > app'],
  );
  assert.match(
    ask(of, { format: 'svg' }) as string,
    /<title>(?:app → table|table → app), \d imports?, closes a cycle</,
  );
});

const edits: readonly (readonly [what: string, Readonly<Record<string, string | undefined>>])[] = [
  ['an import more', { 'packages/core/src/size.ts': "import '@x/app/src/main';\nexport const size = 1;\n" }],
  ['a file that an import waited for', { 'packages/core/src/gone.ts': 'export default 1;\n' }],
  ['a file that goes', { 'packages/core/src/parse.ts': undefined }],
  [
    'a package more',
    { 'packages/new/package.json': '{ "name": "@x/new" }', 'packages/new/a.ts': "import '@x/core';\n" },
  ],
  ['code of another language', { 'packages/new/a.go': 'package a\n', 'packages/new/b.go': 'package a\n' }],
  ['one that goes', { 'packages/new/package.json': undefined, 'packages/app/package.json': undefined }],
];

test('what is brought along from change to change is what a fresh reader makes', async t => {
  const of = await analysedTree(t, npm);
  const { worktreeKey: key, indexFile } = of.tree.repo;
  const graphOf = (reader: IndexReader) => reader.fileGraph(key, reader.snapshot(key)!.seq);
  for (const [what, files] of edits) {
    for (const granularity of ['module', 'file']) ask(of, { granularity });
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) of.folder.remove(path);
      else of.folder.write(path, text);
    }
    await of.tree.crawl();
    const reader = openIndexReader(indexFile);
    assert.deepEqual(of.about(graphOf), graphOf(reader), what);
    reader.close();
    for (const granularity of ['module', 'directory', 'file']) {
      assert.ok(Value.Check(operations['analysis.architecture'].output, ask(of, { granularity })), what);
    }
  }
});

test('a picture is a text, the same for the same snapshot, and another for another question', async t => {
  const of = await analysedTree(t, npm);
  const begins = { svg: /^<svg xmlns/, dot: /^digraph /, mermaid: /^flowchart / };
  for (const [format, beginning] of Object.entries(begins)) {
    const texts = ['module', 'directory', 'file'].map(granularity => ask(of, { format, granularity }));
    for (const text of texts) assert.match(text as string, beginning);
    assert.equal(new Set(texts).size, 3);
    assert.equal(ask(of, { format }), texts[0]);
    assert.match(texts[0] as string, /packages\/core/);
    assert.match(ask(of, { format, includeExternalDeps: true }) as string, /react/);
  }
});
