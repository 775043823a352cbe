import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysedTree } from './analysed-tree.ts';

/** Trees of other languages, and what of them is claimed with 0.8 and more; then what is claimed with less. */
const languages: readonly (readonly [
  what: string,
  tree: string,
  sure: readonly string[],
  unsure: readonly string[],
])[] = [
  [
    'without an entrypoint nothing is sure',
    '-- a.ts --\nexport function f() {}\n-- b.ts --\nexport function g() {}',
    [],
    ['f 0.5', 'g 0.5'],
  ],
  [
    'in TypeScript a name for a module has all of it used where code hands it on, not where names alone are taken out of it',
    `
-- package.json --
{ "name": "app", "private": true, "bin": "./main.ts" }
-- main.ts --
import { read, handed, bound, typed } from './spaces';
import * as spaces from './spaces';
read.used();
const { taken } = read;
let one: read.Used;
register(handed);
export const all = bound;
function look(of: typeof typed) { of.seen(); }
look(spaces.member);
-- spaces.ts --
export * as read from './read';
export * as handed from './handed';
export * as bound from './bound';
export * as typed from './typed';
export * as member from './member';
-- read.ts --
export function used() {}
export function taken() {}
export function inRead() {}
export class Used {}
-- handed.ts --
export function inHanded() {}
-- bound.ts --
export function inBound() {}
-- typed.ts --
export function seen() {}
export function inTyped() {}
-- member.ts --
export function inMember() {}
`,
    ['inRead 0.95', 'inTyped 0.95'],
    [],
  ],
  [
    'in Go packages of a program are its own, those of a library everybody’s but for internal ones',
    `
-- go.mod --
module example.com/app
-- cmd/app/main.go --
package main
import "example.com/app/internal/run"
func main() { run.Start() }
func init() { run.Register() }
-- internal/run/run.go --
package run
func Start() { helper() }
func Register() {}
func Stop() {}
func helper() { Inner() }
func Inner() {}
-- internal/run/run_test.go --
package run
func TestStop() { Stop() }
-- internal/run/more.go --
package run
var table = map[string]func(){"a": InTable}
func InTable() {}
-- pkg/open/open.go --
package open
func Open() {}
`,
    ['Stop 0.9'],
    ['Open 0.6'],
  ],
  [
    'a library of C++ offers the headers that it installs, a definition is told once, and what others look for by name is doubted',
    `
-- CMakeLists.txt --
project(thing)
add_library(thing lib.cc)
add_executable(tool main.cc)
install(FILES lib.h DESTINATION include)
-- lib.h --
namespace n { int offered(int a); }
-- own.hpp --
int used();
int lost(int a);
-- lib.cc --
#include "lib.h"
#include "own.hpp"
namespace n { int offered(const int b) { return used(); } }
int used() { return 1; }
int lost(const int) { return 2; }
extern "C" int LLVMFuzzerTestOneInput(const char *data) { return 0; }
-- main.cc --
int main() { return 0; }
`,
    ['lost 0.8'],
    ['LLVMFuzzerTestOneInput 0.5'],
  ],
  [
    'where C is built to a library and nothing says which headers are public, each may be',
    `
-- Makefile --
LIBNAME = libthing
STLIBNAME = $(LIBNAME).a
-- thing.h --
int used(void);
int offered(int a);
-- thing.c --
#include "thing.h"
int used(void) { return 1; }
int offered(int a) { return 2; }
int lost(int a) { return 3; }
-- main.c --
#include "thing.h"
int main(void) { return used(); }
`,
    ['lost 0.85'],
    ['offered 0.6'],
  ],
  [
    'what CMake builds to a library is offered where that lies alone',
    `
-- CMakeLists.txt --
project(all)
add_executable(tool main.c)
add_subdirectory(thing)
-- own.h --
int lost(int a);
-- own.c --
#include "own.h"
int lost(int a) { return 1; }
-- main.c --
#include "thing/thing.h"
int main(void) { return used(); }
-- thing/CMakeLists.txt --
add_library(thing STATIC thing.c)
-- thing/thing.h --
int used(void);
int offered(int a);
-- thing/thing.c --
#include "thing.h"
int used(void) { return 1; }
int offered(int a) { return 2; }
`,
    ['lost 0.85'],
    ['offered 0.6'],
  ],
  [
    'a library of Go offers what it exports',
    `
-- go.mod --
module example.com/lib
-- lib.go --
package lib
import "example.com/lib/internal/impl"
func Use() { impl.Used() }
-- internal/impl/impl.go --
package impl
func Used() {}
func Unused() {}
`,
    ['Unused 0.95'],
    [],
  ],
  [
    'in Rust what a library shows by pub mod and pub use is everybody’s',
    `
-- Cargo.toml --
[package]
name = "lib"
version = "0.1.0"
-- src/lib.rs --
mod inner;
pub mod open;
pub use inner::shown;
-- src/open.rs --
pub fn offered() {}
-- src/inner.rs --
pub fn shown() { helper() }
pub fn helper() {}
pub fn hidden() {}
#[cfg(test)]
pub fn for_tests() { helper() }
#[cfg(test)]
mod checks { use super::*; fn t() { hidden() } }
`,
    ['hidden 0.9'],
    [],
  ],
  [
    'in Python modules of a package may be imported by anybody, those of a program by nobody',
    `
-- pyproject.toml --
[project]
name = "app"
[project.scripts]
app = "app.cli:main"
-- app/__init__.py --
-- app/cli.py --
from app.work import run
def main(): run()
-- app/work.py --
__all__ = ["run", "spare"]
def run(): step()
def step(): pass
def spare(): pass
def unlisted(): pass
`,
    [],
    ['spare 0.6'],
  ],
  [
    'public classes of a library are everybody’s, those of a program its own',
    `
-- pom.xml --
<project><groupId>g</groupId><artifactId>app</artifactId></project>
-- src/main/java/g/Main.java --
package g;
public class Main { public static void main(String[] args) { new Used().run(); } }
-- src/main/java/g/Used.java --
package g;
public class Used { public void run() {} }
-- src/main/java/g/Spare.java --
package g;
public class Spare { }
-- src/main/java/g/Wired.java --
package g;
@Component
public class Wired { }
`,
    ['Spare 0.85'],
    ['Wired 0.5'],
  ],
  [
    'a mark is that of its own definition, and says nothing where it has nobody find it',
    `
-- requirements.txt --
click
-- main.py --
from work import live
live()
-- work.py --
import functools
def live(): pass
@functools.lru_cache
def cached(): return 1
def plain(): return 2
class Base:
    @property
    def size(self): return 1
class After: pass
@app.command(
    "x",
    help="y",
)
@click.option("--a")
def command(a): pass
`,
    ['After 0.85', 'Base 0.85', 'cached 0.85', 'plain 0.85'],
    ['command 0.5'],
  ],
  [
    'annotations for compilers and readers have nobody find a class',
    `
-- pom.xml --
<project><groupId>g</groupId><artifactId>app</artifactId></project>
-- src/main/java/g/Main.java --
package g;
public class Main { public static void main(String[] args) { } }
-- src/main/java/g/Told.java --
package g;
@Deprecated
@SuppressWarnings({"a", "b"})
@lombok.Data
public class Told { @Override public String toString() { return ""; } }
-- src/main/java/g/Found.java --
package g;
@Path(
  value = "x"
)
public class Found { }
-- src/main/java/g/ByMethod.java --
package g;
public class ByMethod { @Override public int hashCode() { return 1; } @Subscribe public void on() { } }
`,
    ['Told 0.85'],
    ['ByMethod 0.5', 'Found 0.5'],
  ],
  [
    'what C’s compilers and linkers are told of is found by them, and what C++ finds by types or arguments is doubted',
    `
-- CMakeLists.txt --
add_executable(tool main.c own.c own.cc)
-- main.c --
int main(void) { return 0; }
-- own.c --
__attribute__((constructor)) void on_load(void) {}
__attribute__((unused)) void lost(void) {}
__attribute__((used))
void kept(void) {}
void alias(void) __attribute__((alias("lost_name")));
__declspec(dllexport) void shown(void) {}
TOOL_API int offered(void) { return 1; }
-- own.cc --
[[nodiscard]] int lostToo() { return 1; }
template <class T> int special() { return 1; }
template <> int special<int>() { return 2; }
`,
    ['lost 0.85', 'lostToo 0.8', 'special 0.8'],
    ['alias 0.5', 'kept 0.5', 'offered 0.5', 'on_load 0.5', 'shown 0.5', 'special 0.6'],
  ],
  [
    'signs call operators of Kotlin',
    `
-- build.gradle.kts --
plugins { kotlin("jvm"); application }
-- src/main/kotlin/a/Main.kt --
package a
fun main() { }
-- src/main/kotlin/a/Signs.kt --
package a
operator fun Regex.plus(o: Regex) = o
infix operator fun Regex.contains(i: Int) = i == 1
@JvmName("other")
fun Regex.lost() = 1
`,
    ['lost 0.85'],
    ['contains 0.6', 'plus 0.6'],
  ],
  [
    'the main file of a program is where it begins, and what else it defines stands for itself: Go',
    `
-- go.mod --
module example.com/app
-- main.go --
package main
var table = make()
func make() []int { return InTable() }
func InTable() []int { return nil }
func Dead() {}
func init() { InInit() }
func InInit() {}
func main() {}
-- help.go --
package main
func Help() {}
`,
    ['Dead 0.95', 'Help 0.95'],
    [],
  ],
  [
    'the same of Rust, Kotlin, C and C#, but for what tells no start',
    `
-- Cargo.toml --
[package]
name = "app"
-- src/main.rs --
pub fn dead_rust() {}
pub fn used_rust() {}
fn main() { used_rust() }
-- benches/speed.rs --
pub fn bench() {}
criterion_main!(benches);
-- build.gradle.kts --
plugins { kotlin("jvm"); application }
-- src/main/kotlin/a/Main.kt --
package a
fun main() { usedKotlin() }
fun usedKotlin() {}
fun deadKotlin() {}
-- CMakeLists.txt --
add_executable(tool main.c)
-- main.c --
void used_c(void) {}
void dead_c(void) {}
int main(void) { used_c(); return 0; }
-- sharp/App.csproj --
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>
-- sharp/Program.cs --
new UsedSharp();
public class UsedSharp { }
public class DeadSharp { }
`,
    ['DeadSharp 0.85', 'deadKotlin 0.85', 'dead_c 0.85', 'dead_rust 0.9'],
    [],
  ],
  [
    'in Dart imports name nothing but what they show, and a program that is published nowhere has no library',
    `
-- pubspec.yaml --
name: app
publish_to: none
-- lib/main.dart --
import 'src/a.dart';
import 'src/b.dart' as b;
void main() { live(); b.inB(); 'x'.shown(); b.Vec() + b.Vec(); theme.colour.paint(); }
-- lib/other.dart --
void other() {}
-- lib/src/a.dart --
export 'c.dart';
void live() {}
void dead() {}
-- lib/src/b.dart --
void inB() {}
void notInB() {}
extension Shown on String { String shown() => this; }
extension Dead on String { String hidden() => this; }
extension Paint on Colour { void paint() {} }
class Vec {}
extension Signs on Vec { Vec operator +(Vec o) => this; }
-- lib/src/c.dart --
void inC() {}
`,
    ['Dead 0.9', 'dead 0.9', 'inC 0.9', 'notInB 0.9', 'other 0.85'],
    ['Paint 0.6', 'Signs 0.6'],
  ],
  [
    'in Python a module is used by what is taken out of it, all of it where it is handed on, and each of two that stand for one',
    `
-- requirements.txt --
x
-- main.py --
import plain
import alias as other
import pkg.deep
import known
import whole
from star import *
from pkg import handed
try:
    import fast as impl
    from quick import both
except ImportError:
    import slow as impl
    from steady import both
plain.live()
other.live()
pkg.deep.live()
getattr(known, "asked")()
register(whole)
starred()
print(handed)
impl.run()
both()
-- plain.py --
def live(): pass
def dead_plain(): pass
-- alias.py --
def live(): pass
def dead_alias(): pass
-- pkg/__init__.py --
-- pkg/deep.py --
def live(): pass
def dead_deep(): pass
-- pkg/handed.py --
def perhaps(): pass
-- known.py --
def asked(): pass
def dead_known(): pass
-- whole.py --
def perhaps(): pass
-- star.py --
def starred(): pass
def dead_star(): pass
-- fast.py --
def run(): pass
def dead_fast(): pass
-- slow.py --
def run(): pass
def dead_slow(): pass
-- quick.py --
def both(): pass
-- steady.py --
def both(): pass
`,
    ['alias', 'deep', 'fast', 'known', 'plain', 'slow', 'star'].map(name => `dead_${name} 0.85`),
    [],
  ],
  [
    'a script of Python is a program, with or without a manifest, and runs the code at its top',
    `
-- main.py --
from work import live
def dead_here(): pass
def run(): live()
if __name__ == "__main__":
    run()
-- work.py --
def live(): pass
def dead_there(): pass
-- tools/work.py --
def out_of_reach(): pass
`,
    ['dead_here 0.85', 'dead_there 0.85'],
    ['out_of_reach 0.6'],
  ],
  [
    'in Rust whatever a library takes from its modules by pub use is everybody’s, all of them or one',
    `
-- Cargo.toml --
[package]
name = "lib"
-- src/lib.rs --
mod all;
mod own;
mod deep;
mod named;
mod kept;
mod kind;
pub use all::*;
pub use self::own::*;
pub use crate::deep::below::*;
pub use kind::{Kind::*, Other::A};
pub mod prelude { pub use crate::named::{one, two as second, within}; }
pub(crate) use kept::*;
-- src/all.rs --
pub fn in_all() {}
-- src/own.rs --
pub fn in_own() {}
-- src/deep/mod.rs --
pub mod below;
pub fn dead_in_deep() {}
-- src/deep/below.rs --
pub fn in_below() {}
-- src/named.rs --
pub fn one() {}
pub fn two() {}
pub fn dead_three() {}
pub mod within { pub struct Shown; fn hidden() {} }
-- src/kept.rs --
pub fn dead_in_kept() {}
-- src/kind.rs --
pub enum Kind { A }
pub enum Other { A }
`,
    ['dead_in_deep 0.9', 'dead_in_kept 0.9', 'dead_three 0.9'],
    [],
  ],
  [
    'in a program of Rust a pub use is no use, attributes and texts are, and what an impl block defines is no export',
    `
-- Cargo.toml --
[package]
name = "app"
-- src/main.rs --
mod inner;
mod cli;
fn main() { inner::used(); println!("{LIMIT}"); let c: cli::Cli; cli::It; }
const LIMIT: u8 = 1;
-- src/inner/mod.rs --
mod hidden;
pub use hidden::used;
pub use hidden::dead;
-- src/inner/hidden.rs --
pub fn used() {}
pub fn dead() {}
-- src/cli.rs --
pub struct Cli {
    #[arg(value_parser = parse, default_value_t = start())]
    a: u8,
    #[serde(default = "text", with = "format")]
    b: u8,
}
pub fn parse() {}
pub fn start() {}
pub fn text() {}
pub mod format { pub fn serialize() {} }
pub struct It;
impl It { pub const SIZE: u8 = 1; }
impl Iterator for It { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
`,
    ['dead 0.9'],
    ['serialize 0.5'],
  ],
  [
    'what dead code alone uses is as dead, in a ring as well, and so are types that dead types are made of',
    `
-- go.mod --
module example.com/app
-- main.go --
package main
import "example.com/app/internal/x"
func main() { x.Live() }
-- internal/x/x.go --
package x
func Live() {}
func Dead() { helper() }
func helper() { Chained() }
func Chained() {}
func Ping() { Pong() }
func Pong() { Ping() }
type Outer struct { inner Inner }
type Inner struct {}
var Kept = Made()
func Made() int { return 1 }
`,
    ['Chained 0.95', 'Dead 0.95', 'Inner 0.95', 'Kept 0.95', 'Outer 0.95', 'Ping 0.95', 'Pong 0.95'],
    [],
  ],
  [
    'the same of classes, of members of types of Rust, and of what a class of Python is built from',
    `
-- sharp/App.csproj --
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>
-- sharp/Program.cs --
new Live();
public class Live { private readonly Field field = new Field(); }
public class Field { }
public class Ring { private Other other; }
public class Other { private Ring ring; }
-- Cargo.toml --
[package]
name = "app"
-- src/main.rs --
mod dead;
fn main() { dead::Live::new(); }
-- src/dead.rs --
pub struct Live;
impl Live { pub fn new() { by_live() } }
pub fn by_live() {}
pub struct Dead { pub part: Part }
pub struct Part;
impl Dead { pub fn run(&self) { by_dead() } }
impl Drop for Dead { fn drop(&mut self) { by_dead() } }
pub fn by_dead() {}
-- requirements.txt --
x
-- main.py --
import made
made.live()
-- made.py --
def live(): pass
class Under: pass
class Above(Under):
    at_load = runs()
def runs(): return 1
`,
    ['Above 0.85', 'Dead 0.9', 'Other 0.85', 'Part 0.9', 'Ring 0.85', 'Under 0.85', 'by_dead 0.9'],
    [],
  ],
  [
    'what something doubtful uses in its own file is as doubtful, also through what nobody else may name',
    `
-- pom.xml --
<project><groupId>g</groupId><artifactId>app</artifactId></project>
-- src/main/java/g/Main.java --
package g;
public class Main { public static void main(String[] args) { } }
-- src/main/java/g/Found.java --
package g;
@Path("x")
class Found { Between between; }
class Between { Used used; }
-- src/main/java/g/Used.java --
package g;
public class Used { }
-- src/main/java/g/Dead.java --
package g;
class Dead { Sure sure; }
-- src/main/java/g/Sure.java --
package g;
public class Sure { }
`,
    ['Sure 0.85'],
    ['Used 0.5'],
  ],
  [
    'what a text names by itself or in a path may be found by it; prose, comments, documents and tests say nothing',
    `
-- requirements.txt --
x
-- main.py --
"""by_document"""
from jobs import live
from lists import other
live()
other()
HANDLERS = {"a": "jobs.by_path", 'b': 'by_word'}  # "by_comment"
print("runs by_prose now")
-- jobs.py --
from typing import TypeVar
Told = TypeVar("Told")
def live(): pass
def by_path(): pass
def by_word(): pass
def by_comment(): pass
def by_document(): pass
def by_prose(): pass
def by_test(): pass
-- lists.py --
__all__ = ["other", "listed"]
def other(): pass
def listed(): pass
-- test_jobs.py --
patch("jobs.by_test")
-- pom.xml --
<project><groupId>g</groupId><artifactId>app</artifactId></project>
-- src/main/java/g/Main.java --
package g;
public class Main { public static void main(String[] args) { Class.forName("g.Loaded"); make("ByName"); } }
-- src/main/java/g/Loaded.java --
package g;
public class Loaded { }
-- src/main/java/g/ByName.java --
package g;
public class ByName { }
-- src/main/java/g/Other.java --
package g;
public class Other { static String by = "by_word"; }
`,
    ['Other 0.85', 'Told 0.85', 'by_comment 0.85', 'by_document 0.85', 'by_prose 0.85', 'by_test 0.85', 'listed 0.85'],
    ['ByName 0.6', 'by_path 0.6', 'by_word 0.6'],
  ],
  [
    'in Python what a module looks for in itself, and heirs that a class asks for, may be found; the language has names of its own',
    `
-- requirements.txt --
x
-- main.py --
import looks, asks, heirs, plain
looks.run("a"); asks.run("b"); heirs.all(); plain.live()
-- looks.py --
def do_a(): pass
def run(name): globals()["do_" + name]()
-- asks.py --
import sys
def do_b(): pass
def run(name): getattr(sys.modules[__name__], f"do_{name}")()
-- heirs.py --
class Base:
    def __init_subclass__(cls): pass
def all(): Base
-- plain.py --
from heirs import Base
class Heir(Base): pass
class Under(Heir): pass
class Apart: pass
def live(): globals()["live"]
def __getattr__(name): pass
__version__ = "1"
`,
    ['Apart 0.85'],
    ['Heir 0.6', 'Under 0.6', 'do_a 0.6', 'do_b 0.6'],
  ],
  [
    'in C names stand in macros, are put together by them, and stand in texts and in files of assemblers and generators',
    `
-- CMakeLists.txt --
add_executable(tool main.c own.c)
-- main.c --
#define CALL(n) cmd_##n()
#define ENTRY(n) { #n, n##_entry },
#define LIST(X) X(beta)
#define SHORT(v) in_macro(v)
int main(void) { CALL(alpha); dlsym(0, "by_text"); return 0; }
-- own.c --
void cmd_alpha(void) {}
void beta_entry(void) {}
void in_macro(int a) {}
void by_text(void) {}
void by_start(void) {}
void by_grammar(void) {}
void by_list(void) {}
void *malloc(unsigned long n) { return 0; }
void uart_IRQHandler(void) {}
void lost(void) {}
-- start.S --
 bl by_start
-- lines.y --
line: word { by_grammar(); }
-- list.def --
ENTRY(by_list)
`,
    ['lost 0.85'],
    [
      ...['beta_entry', 'by_grammar', 'by_list', 'by_start', 'by_text', 'cmd_alpha', 'in_macro'].map(
        name => `${name} 0.6`,
      ),
      ...['malloc 0.5', 'uart_IRQHandler 0.5'],
    ],
  ],
  [
    'what a function of several files starts is as doubtful as that',
    `
-- CMakeLists.txt --
add_executable(tool main.c one.c two.c)
-- main.c --
int main(void) { return 0; }
-- one.c --
void in_one(void) {}
int RedisModule_OnLoad(void *of) { in_one(); return 0; }
-- two.c --
void in_two(void) {}
int RedisModule_OnLoad(void *of) { in_two(); return 0; }
`,
    [],
    ['RedisModule_OnLoad 0.5', 'in_one 0.5', 'in_two 0.5'],
  ],
  [
    'what extends others is used by what it gives them',
    `
-- sharp/App.csproj --
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>
-- sharp/Program.cs --
builder.Services.AddThing();
public static class Things { public static void AddThing(this IServices of) { } }
public static class Others { public static void AddOther(this IServices of) { } }
-- build.gradle.kts --
plugins { kotlin("jvm"); application }
-- src/main/kotlin/a/Main.kt --
package a
fun main() { theme.colour.paint() }
fun Colour.paint() {}
fun Colour.spare() {}
`,
    ['Others 0.85', 'spare 0.85'],
    ['Things 0.6'],
  ],
];

for (const [what, tree, sure, unsure] of languages) {
  test(what, async t => {
    const of = await analysedTree(t, tree);
    const { unwiredModules } = of.ask('analysis.unwired', {
      minConfidence: 0,
      limit: 100,
      includeTypes: false,
      sync: false,
    })!;
    const told = unwiredModules.flatMap(({ symbols }) => symbols).sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = (isMeant: (confidence: number) => boolean): readonly string[] =>
      told.filter(({ confidence }) => isMeant(confidence)).map(({ name, confidence }) => `${name} ${confidence}`);
    assert.deepEqual({ sure: lines(one => one >= 0.8), unsure: lines(one => one < 0.8) }, { sure, unsure });
  });
}
