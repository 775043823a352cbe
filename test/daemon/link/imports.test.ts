import { test } from 'node:test';
import { expectImports } from '../../support/imports-in-text.ts';

const fixtures: Readonly<Record<string, string>> = {
  'TypeScript: modules that code names for workers, loaders and others to load': `
=== work.ts
=== lib/load.js
=== logo.svg
=== use.ts
new Worker(new URL('./work.ts', import.meta.url), { type: 'module' });
//=> work.ts
new SharedWorker(new URL('./work.js', import.meta.url));
//=> work.ts
const load = require.resolve('./lib/load');
//=> lib/load.js
import.meta.resolve('./work.js');
//=> work.ts
const at = new URL('./lib/load.js', import.meta.url);
//=> lib/load.js
const picture = new URL('./logo.svg', import.meta.url), page = new URL('./work.ts', location.href);
const found = path.resolve('./work.ts'), named = require.resolve('left');
`,
  'TypeScript: the file that is named, a barrel included; what is for types alone; files that nobody parses': `
=== a.ts
export const x = 1;
=== barrel/index.ts
export * from '../a';
//=> a.ts
export { x as y, type x as X } from '../a';
//=> a.ts, type a.ts
export type * from '../a';
export type { x as z } from '../a';
//=> type a.ts
export * as whole from '../a.js';
//=> a.ts
export {} from '../a.ts';
//=> a.ts
=== data.json
{}
=== logo.svg
<svg/>
=== old.d.ts
declare const old: number;
=== use.ts
#!/usr/bin/env node
/// <reference path="old.d.ts" />
/// <reference types="node" />
//=> type old.d.ts, type npm:node
import { x, y as z } from './barrel';
//=> barrel/index.ts
import type { T } from './a.js';
//=> type a.ts
import d, { type T2, x as x2 } from './a';
//=> a.ts, type a.ts, a.ts
import './a';
import {} from './a';
//=> a.ts
import type {} from './a';
//=> type a.ts
import data from './data.json';
//=> data.json
import logo from './logo.svg';
//=> logo.svg
import gone from './gone';
//=> unresolved
import react, { useState } from 'react';
//=> npm:react
import { y } from '@scope/pkg/deep';
//=> npm:@scope/pkg
import fs from 'fs';
import { readFile } from 'node:fs/promises';
import { readFile as r } from 'fs/promises';
//=> node:fs, node:fs/promises
import eq = require('./a');
//=> a.ts
const lazy = () => import('./a');
//=> a.ts
const deep = () => import('./barrel/index');
//=> barrel/index.ts
const spelt = () => import(/* webpackChunkName: "b" */ \`./barrel\`);
//=> barrel/index.ts
const dynamic = (name: string) => import(\`./\${name}\`);
//=>
`,
  'TypeScript: types of modules, what bundlers are told beside names, whose what is no package of npm is': `
=== a.ts
export interface T {}
=== page.css
=== logo.svg
=== b.ts
export import a = require('./a');
//=> a.ts
export type U = import('./a').T;
let v: typeof import('./a');
//=> type a.ts
const w = (await import('./a')) as typeof import('./a');
//=> a.ts
load<typeof import('./c')>('./c');
class K implements import('./c').C {}
//=> type c.ts
=== c.ts
export interface C {}
=== use.ts
import raw from './a?raw';
//=> a.ts
import css from './page.css?inline';
//=> page.css
import icon from '!!url-loader?x!./logo.svg#icon';
//=> logo.svg
import gone from './gone?raw';
//=> unresolved
import react from 'react?url';
//=> npm:react
import 'https://deno.land/std@0.1/http/mod.ts';
//=> url:deno.land
import 'http://user@Esm.sh:80/react?dev';
//=> url:esm.sh:80
import 'jsr:@std/path@^1/posix';
//=> jsr:@std/path
import 'npm:chalk@5';
import 'npm:/chalk@5/x';
//=> npm:chalk
import 'bun:sqlite';
//=> bun:sqlite
import 'bun';
//=> bun:bun
import 'cloudflare:workers';
//=> cloudflare:workers
import 'virtual:x/y';
//=> unresolved
`,
  'JavaScript: what createRequire makes loads modules by whatever name, and nothing else of the name does': `
=== old.cjs
module.exports = 1;
=== one.cjs
exports.a = 1;
=== use.mjs
import { createRequire as _createRequire } from 'node:module';
import module from 'node:module';
//=> node:module
const require = _createRequire(import.meta.url);
const old = require('./old.cjs'), { a } = require('./one.cjs');
//=> old.cjs, one.cjs
require.resolve('./one.cjs');
//=> one.cjs
function f() {
  const load = module.createRequire(import.meta.url);
  return load('./old.cjs');
}
//=> old.cjs
_createRequire(import.meta.url)('./old.cjs');
//=>
function g(require, load) {
  require('./old.cjs');
  load('./one.cjs');
}
//=>
`,
  'JavaScript: require, wherever it stands, and types in comments': `
=== a.js
module.exports = { x: 1 };
=== b.js
exports.y = require('./a').x;
//=> a.js
=== c.js
const { x } = require('./a');
//=> a.js
function f() { return require('./b'); }
//=> b.js
/** @type {import('./d').T} */
let t;
//=> type d.ts
=== d.ts
export interface T {}
`,
  'TypeScript: paths, packages of the workspace, what a build makes, dependencies in the tree, names of Node.js': `
=== tsconfig.json
{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["app/*"] } } }
=== app/util.ts
export const u = 1;
=== app/path.ts
export const own = 1;
=== packages/core/package.json
{ "name": "@x/core", "main": "dist/index.js", "exports": { ".": "./dist/index.js", "./sub": "./dist/sub.js" } }
=== packages/core/src/index.ts
export const c = 1;
=== packages/core/src/sub.ts
export const s = 1;
=== node_modules/dep/package.json
{ "name": "dep", "main": "index.js" }
=== node_modules/dep/index.js
exports.z = 1;
=== use.ts
import { u } from '@/util';
//=> app/util.ts
import { u as v } from 'app/util';
//=> app/util.ts
import { c } from '@x/core';
//=> packages/core/src/index.ts
import { s } from '@x/core/sub';
//=> packages/core/src/sub.ts
import { z } from 'dep';
//=> node_modules/dep/index.js
import path from 'path';
//=> node:path
import buffer from 'buffer/';
//=> npm:buffer
`,
  'TypeScript: paths of whatever a tsconfig extends, of a package of the workspace too; rootDirs; files of any kind': `
=== base.json
{ "compilerOptions": { "paths": { "~lib/*": ["./lib/*"], "@/*": ["\${configDir}/own/*"] } } }
=== lib/s.ts
=== lib/logo.svg
=== p/cfg/package.json
{ "name": "@w/cfg", "tsconfig": "./main.json" }
=== p/cfg/main.json
{ "extends": "../../base", "compilerOptions": {} }
=== p/cfg/strict.json
{ "compilerOptions": { "strict": true } }
=== p/exports/package.json
{ "name": "exports", "exports": { "./ts": "./internal/ts.json", "./hidden": null } }
=== p/exports/internal/ts.json
{ "extends": "../../../base.json", "compilerOptions": {} }
=== p/a/tsconfig.json
{ "extends": "../../base.json" }
=== p/a/own/t.ts
=== p/a/x.ts
import '~lib/s';
//=> lib/s.ts
import '@/t';
//=> p/a/own/t.ts
import logo from '~lib/logo.svg';
//=> lib/logo.svg
=== p/b/tsconfig.json
{ "extends": "@w/cfg" }
=== p/b/x.ts
import '~lib/s';
//=> lib/s.ts
=== p/c/tsconfig.json
{ "extends": ["@w/cfg/main.json", "@w/cfg/strict"] }
=== p/c/x.ts
import '~lib/s';
//=> lib/s.ts
=== p/d/tsconfig.json
{ "extends": "exports/ts" }
=== p/d/x.ts
import '~lib/s';
//=> lib/s.ts
=== p/e/tsconfig.json
{ "extends": "@w/none", "compilerOptions": { "rootDirs": ["src", "generated"] } }
=== p/e/generated/g.ts
=== p/e/src/x.ts
import './g';
//=> p/e/generated/g.ts
import '~lib/s';
//=> unresolved
`,
  'JavaScript: what exports withhold is not there, and the longest pattern counts; imports of dependencies': `
=== package.json
{ "name": "lib", "exports": { ".": "./src/index.js", "./*": "./src/*.js", "./internal/*": null, "./f/*": "./src/*.js", "./f/x/*": "./src/deep/*.js" },
  "imports": { "#dep": "lodash", "#own": "./src/index.js" } }
=== src/index.js
=== src/internal/secret.js
=== src/deep/a.js
=== src/x/a.js
=== use.js
import 'lib';
//=> src/index.js
import 'lib/internal/secret';
//=> npm:lib
import 'lib/deep/a';
import 'lib/f/x/a';
//=> src/deep/a.js
import '#dep';
//=> npm:lodash
import '#own';
//=> src/index.js
import '#none';
//=> unresolved
`,
  'Python: packages of one namespace in several projects, whether its folders say so or not': `
=== core/pyproject.toml
[project]
name = "acme-core"
=== core/src/acme/core/__init__.py
=== core/src/acme/core/util.py
=== core/src/acme/plain.py
=== web/setup.py
from setuptools import setup
setup(name="acme-web")
=== web/acme/web/__init__.py
from acme.core import f
import acme.core.util
#=> core/src/acme/core/__init__.py, core/src/acme/core/util.py
from acme import core, web, plain, gone
#=> core/src/acme/core/__init__.py, web/acme/web/__init__.py, core/src/acme/plain.py, unresolved
from acme.plain import x
#=> core/src/acme/plain.py
import acme.other
#=> pypi:acme
from acme.core.none import x
#=> pypi:acme
=== a/google/__init__.py
__import__("pkg_resources").declare_namespace(__name__)
=== a/google/a/__init__.py
=== a/setup.py
=== b/google/__init__.py
__path__ = __import__("pkgutil").extend_path(__path__, __name__)
=== b/google/b/__init__.py
from google.a import x
#=> a/google/a/__init__.py
from google import a, b
#=> a/google/a/__init__.py, b/google/b/__init__.py
from google.protobuf import message
#=> pypi:google
=== b/setup.py
=== closed/setup.py
=== closed/top/__init__.py
=== closed/top/m.py
=== far/setup.py
=== far/far/__init__.py
from top.m import x
#=> closed/top/m.py
from top.none import x
#=> unresolved
`,
  'Python: a package inside a namespace is not known by its own name alone': `
=== setup.py
=== src/acme/flask/__init__.py
import flask
#=> pypi:flask
from flask.app import Flask
#=> pypi:flask
import logging
#=> std:python
=== src/acme/logging/__init__.py
=== apps/setup.py
=== apps/src/one/handler.py
import helper
#=> apps/src/one/helper.py
import types
#=> std:python
=== apps/src/one/helper.py
=== apps/src/one/types.py
=== flat/setup.py
=== flat/google/logging/__init__.py
import logging
#=> std:python
=== flat/google/__main__.py
=== moved/setup.py
from setuptools import setup
setup(name="other", package_dir={"": "python"})
=== moved/python/m.py
=== moved/tests/test_m.py
import m
#=> moved/python/m.py
`,
  'Python: the module, or the submodule that a name is': `
=== pkg/__init__.py
from .a import f
#=> pkg/a.py
from . import b
#=> pkg/b.py
=== pkg/a.py
def f(): pass
=== pkg/b.py
=== pkg/sub/__init__.py
=== pkg/sub/c.py
from .. import a, f
#=> pkg/a.py, pkg/__init__.py
from ..b import *
#=> pkg/b.py
from typing import TYPE_CHECKING
#=> std:python
if TYPE_CHECKING:
    from pkg.a import f as g
#=> type pkg/a.py
=== space/d.py
=== use.py
import pkg.sub.c
#=> pkg/sub/c.py
import pkg, pkg.a as z
#=> pkg/__init__.py, pkg/a.py
import space.d
from space import d
#=> space/d.py
from space import gone
#=> unresolved
from pkg import sub
#=> pkg/sub/__init__.py
import os.path, requests.sessions
#=> std:python, pypi:requests
`,
  'Go: packages': `
=== go.mod
module example.com/m

require github.com/a/b/v2 v2.0.0
=== cmd/x/main.go
package main

import (
	"fmt"
	"net/http"

	"example.com/m/internal/p"
	_ "example.com/m/internal/gone"
	q "github.com/a/b/v2/sub"
)
//=> std:go, scope go:internal/p#p, unresolved, go:github.com/a/b/v2
=== internal/p/p.go
package p
`,
  'PHP: packages that are locked or required': `
=== composer.json
{ "require": { "php": ">=8", "symfony/console": "^6", "symfony/http-foundation": "^6", "nesbot/carbon": "^2", "doctrine/orm": "*", "doctrine/dbal": "*" }, "require-dev": { "phpunit/phpunit": "^9" } }
=== sub/composer.lock
{ "packages": [{ "name": "ruflin/elastica", "autoload": { "psr-4": { "Elastica\\\\": "src/" } } }] }
=== src/A.php
<?php
namespace App;
use Symfony\\Component\\Console\\Command\\Command;
#=> composer:symfony/console
use Symfony\\Component\\HttpFoundation\\Request;
#=> composer:symfony/http-foundation
use Symfony\\Component\\EventDispatcher\\Event;
#=> composer:symfony/event-dispatcher
use Carbon\\Carbon;
#=> composer:nesbot/carbon
use Doctrine\\ORM\\EntityManager;
#=> composer:doctrine/orm
use Doctrine\\Common\\Cache;
#=> composer:doctrine/common
use PHPUnit\\Framework\\TestCase;
#=> composer:phpunit/phpunit
use Psr\\Log\\LoggerInterface;
#=> composer:psr/log
use Elastica\\Client;
#=> composer:elastica
class A {}
=== sub/B.php
<?php
use Elastica\\Query\\Term;
#=> composer:ruflin/elastica
`,
  'Rust: the file of the module in which something is named': `
=== Cargo.toml
[package]
name = "own"
[dependencies]
serde = "1"
other = { path = "other" }
=== src/lib.rs
mod a;
//=> src/a.rs
pub mod deep;
//=> src/deep/mod.rs
#[path = "odd_name.rs"]
mod odd;
//=> src/odd_name.rs
mod gone;
//=> unresolved
pub use a::Thing;
//=> src/a.rs
extern crate serde;
//=> cargo:serde
mod inline {
    use super::deep::inner::f;
//=> src/deep/inner.rs
    pub struct Inside;
    #[cfg(test)]
    mod tests {
        use super::*;
//=> src/lib.rs
    }
    mod empty {}
    use super::a::Thing as Other;
//=> src/a.rs
}
=== src/a.rs
pub struct Thing;
pub enum Kind { One, Two }
use self::Kind::*;
use Kind::{One as First, Two as Second};
//=> src/a.rs
use crate::{Thing as Again, deep::{self, inner}};
//=> src/lib.rs, src/deep/mod.rs, src/deep/inner.rs
use super::inline::Inside;
//=> src/lib.rs
use std::{fmt, collections::HashMap};
//=> std:rust
use ::serde::Serialize;
use serde::de::Error as _;
//=> cargo:serde
use other::part::Item;
//=> other/src/part.rs
use nobody::knows;
//=> unresolved
=== src/deep/mod.rs
pub mod inner;
//=> src/deep/inner.rs
pub use inner::f as renamed;
//=> src/deep/inner.rs
=== src/deep/inner.rs
pub fn f() {}
=== src/odd_name.rs
=== src/main.rs
use own::deep::renamed;
//=> src/deep/mod.rs
fn main() { use own::Thing; }
//=> src/lib.rs
=== other/Cargo.toml
[package]
name = "other"
=== other/src/lib.rs
pub mod part;
//=> other/src/part.rs
=== other/src/part.rs
pub struct Item;
`,
  'Rust: the crate that is named, whatever it hands on of others; what paths in code name; dependencies by other names': `
=== Cargo.toml
[workspace]
members = ["inner", "facade", "user"]
[workspace.dependencies]
shared = { package = "shared-pkg", version = "1" }
=== inner/Cargo.toml
[package]
name = "inner"
=== inner/src/lib.rs
pub mod deep;
//=> inner/src/deep.rs
pub struct Thing;
pub fn go() {}
=== inner/src/deep.rs
pub struct D;
=== facade/Cargo.toml
[package]
name = "facade"
[dependencies]
inner = { path = "../inner" }
=== facade/src/lib.rs
pub use inner::*;
pub extern crate inner as renamed;
pub use inner as ali;
//=> inner/src/lib.rs
pub mod own;
//=> facade/src/own.rs
=== facade/src/own.rs
use crate::ali::deep::D;
//=> facade/src/lib.rs
pub fn regex() {}
=== user/Cargo.toml
[package]
name = "user"
[dependencies]
facade = { path = "../facade" }
regex = "1"
other = { package = "other-pkg", version = "2" }
shared = { workspace = true }
=== user/src/lib.rs
use facade::renamed::Thing;
//=> facade/src/lib.rs
use facade::ali::deep::D;
//=> facade/src/lib.rs
use facade::own::regex;
//=> facade/src/own.rs
use facade::ali;
//=> facade/src/lib.rs
use ali::deep::D as Other;
//=> user/src/lib.rs
fn a(_: other::Item, _: crate::own::X) -> ali::Thing { regex(); shared::go() }
//=> cargo:other-pkg, cargo:shared-pkg
mod own;
//=> user/src/own.rs
=== user/src/own.rs
fn b() -> std::fmt::Result {
//=> std:rust
    let local = facade::go();
//=> facade/src/lib.rs
    println!("{}", regex::escape(&local::x));
//=> cargo:regex
    ::core::mem::drop(1);
//=> std:rust
    Vec::new(); Self::x; facade::own::regex(); nobody::knows()
//=> user/src/own.rs
}
#[other::main]
//=> cargo:other-pkg
struct S;
`,
  'Java and Kotlin: classes, packages for all of them, static members': `
=== src/main/java/a/b/C.java
package a.b;
public class C {
  public static int f() { return 1; }
  public static int f(int n) { return n; }
  public static class Inner {}
}
=== src/main/kotlin/a/b/top.kt
package a.b
fun helper() {}
class K
=== src/main/java/u/Use.java
package u;
import a.b.C;
//=> java:src/main/java/a/b#a.b C#
import a.b.C.Inner;
//=> java:src/main/java/a/b#a.b C#, java:src/main/java/a/b#a.b C#Inner#
import static a.b.C.f;
//=> java:src/main/java/a/b#a.b C#, java:src/main/java/a/b#a.b C#f().
import static a.b.C.*;
//=> java:src/main/java/a/b#a.b C#
import a.b.*;
//=> scope java:src/main/java/a/b#a.b
import a.b.Generated;
//=> unresolved
import java.util.List;
//=> std:java
import org.junit.Test;
//=> maven:org.junit
class Use {}
=== src/main/kotlin/u/use.kt
package u
import a.b.helper
//=> kotlin:src/main/kotlin/a/b#a.b helper().
import a.b.K as L
//=> kotlin:src/main/kotlin/a/b#a.b K#
import a.b.C
//=> java:src/main/java/a/b#a.b C#
import kotlin.math.abs
//=> std:kotlin
import okio.*
//=> maven:okio
`,
  'C and C++: the file that an include finds': `
=== include/lib/a.h
=== src/b.h
=== src/rand.h
=== util/sum.h
=== src/use.c
#include "b.h"
//=> src/b.h
#include <lib/a.h>
//=> include/lib/a.h
#include <stdio.h>
//=> std:c
#include <sys/types.h>
//=> std:c
#include <openssl/ssl.h>
#include <openssl/rand.h>
//=> system:openssl
#include <own/b.h>
//=> src/b.h
#include <sum/sum.h>
//=> system:sum
#include <zlib.h>
//=> system:zlib
#include "config_generated.h"
//=> unresolved
=== src/use.cc
#include <vector>
//=> std:cpp
#include "src/b.h"
//=> src/b.h
`,
  'C and C++: folders that the build says before all others, the only one that may be meant, none of the language by its ending': `
=== CMakeLists.txt
project(top)
add_subdirectory(app)
include_directories(compat)
=== app/CMakeLists.txt
add_executable(app main.c)
target_include_directories(app PRIVATE \${CMAKE_CURRENT_SOURCE_DIR}/own $<BUILD_INTERFACE:\${top_SOURCE_DIR}/gen>)
target_link_libraries(app PUBLIC zed::lib)
=== lib/CMakeLists.txt
add_library(lib l.c)
target_include_directories(lib SYSTEM PUBLIC api)
target_link_libraries(lib deep)
=== deep/CMakeLists.txt
target_include_directories(deep INTERFACE .)
=== other/CMakeLists.txt
target_include_directories(other PUBLIC api)
=== compile_commands.json
[{ "directory": "/home/x/proj/build", "file": "../app/main.c", "command": "cc -I../tool/inc -isystem /usr/include -c" }]
=== app/own/config.h
=== lib/api/config.h
=== lib/api/zed.h
=== other/api/zed.h
=== other/api/alone.h
=== deep/under.h
=== gen/made.h
=== compat/poll.h
=== tool/inc/tool.h
=== third/string.h
=== third/a/util.h
=== fourth/a/util.h
=== fifth/only.h
=== include/six/pub.h
=== sixth/pub.h
=== seventh/inc/x.h
=== app/main.c
#include "config.h"
//=> app/own/config.h
#include <zed.h>
//=> lib/api/zed.h
#include "under.h"
//=> deep/under.h
#include "made.h"
//=> gen/made.h
#include <poll.h>
//=> compat/poll.h
#include "tool.h"
//=> tool/inc/tool.h
#include "string.h"
//=> std:c
#include "util.h"
//=> unresolved
#include "a/util.h"
//=> unresolved
#include "only.h"
//=> fifth/only.h
#include "alone.h"
//=> other/api/alone.h
#include "pub.h"
//=> sixth/pub.h
#include <six/pub.h>
//=> include/six/pub.h
=== third/b/use.c
#include "a/util.h"
//=> third/a/util.h
#include "util.h"
//=> third/a/util.h
`,
  'Java and Kotlin: artifacts that build files name, and what is of the JDK': `
=== pom.xml
<project><dependencies>
<dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>
<dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId></dependency>
<dependency><groupId>com.google.truth</groupId><artifactId>truth</artifactId></dependency>
<dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId></dependency>
<dependency><groupId>org.mockito</groupId><artifactId>mockito-core</artifactId></dependency>
<dependency><groupId>org.mockito</groupId><artifactId>mockito-junit-jupiter</artifactId></dependency>
<dependency><groupId>org.conscrypt</groupId><artifactId>conscrypt-android</artifactId></dependency>
<dependency><groupId>org.conscrypt</groupId><artifactId>conscrypt-openjdk-uber</artifactId></dependency>
</dependencies></project>
=== gradle/libs.versions.toml
[libraries]
okio = { module = "com.squareup.okio:okio", version = "1" }
fake = { module = "com.squareup.okio:okio-fakefilesystem", version = "1" }
gradle = "com.android.tools.build:gradle:1"
=== src/main/java/u/Use.java
package u;
import org.junit.Test;
//=> maven:junit:junit
import com.google.common.collect.ImmutableList;
//=> maven:com.google.guava:guava
import com.google.common.truth.Truth;
//=> maven:com.google.truth:truth
import com.fasterxml.jackson.databind.ObjectMapper;
//=> maven:com.fasterxml.jackson.core:jackson-databind
import org.mockito.Mockito;
//=> maven:org.mockito:mockito-core
import org.conscrypt.Conscrypt;
//=> maven:org.conscrypt
import org.gradle.api.Project;
//=> maven:org.gradle.api
import javax.servlet.Filter;
//=> maven:javax.servlet
import javax.annotation.Nullable;
//=> maven:javax.annotation
import javax.xml.bind.JAXB;
//=> maven:javax.xml.bind
import javax.annotation.processing.Processor;
import javax.xml.parsers.SAXParser;
import javax.sql.*;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import com.sun.net.httpserver.HttpServer;
//=> std:java
import com.sun.jna.Native;
//=> maven:com.sun.jna
class Use {}
=== src/main/kotlin/use.kt
import okio.Buffer
//=> maven:com.squareup.okio:okio
import okio.fakefilesystem.FakeFileSystem
//=> maven:com.squareup.okio:okio-fakefilesystem
`,
  'C#: packages that projects refer to, by themselves or by way of others': `
=== Lib/Lib.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Microsoft.Extensions.Logging.Abstractions"/></ItemGroup></Project>
=== App/App.csproj
<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
<ProjectReference Include="../Lib/Lib.csproj"/>
<PackageReference Include="Serilog"/><PackageReference Include="Serilog.Sinks.File"/><PackageReference Include="xunit"/>
<PackageReference Include="System.CommandLine.DragonFruit"/><PackageReference Include="System.Text.Json"/>
</ItemGroup></Project>
=== App/Use.cs
using Microsoft.Extensions.Logging;
//=> nuget:Microsoft.Extensions.Logging.Abstractions
using Microsoft.EntityFrameworkCore.Design;
//=> nuget:Microsoft.EntityFrameworkCore
using Serilog.Sinks.File;
//=> nuget:Serilog.Sinks.File
using Serilog.Events;
//=> nuget:Serilog
using Xunit;
//=> nuget:xunit
using Newtonsoft.Json;
//=> nuget:Newtonsoft
using System.CommandLine;
//=> nuget:System.CommandLine.DragonFruit
using System.Reactive.Linq;
//=> nuget:System.Reactive
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.Win32;
//=> std:dotnet
`,
  'C#: namespaces, types behind static and =': `
=== A.cs
namespace N.M { public class X { public class Y {} } }
=== StandIn.cs
namespace System.Text { class Rune {} }
=== use.cs
using System.Collections.Generic;
//=> std:dotnet
using N.M;
//=> csharp: N/M/
using System.Text;
//=> std:dotnet
using static N.M.X;
//=> csharp: N/M/X#
using Short = N.M.X.Y;
//=> csharp: N/M/X#
using Map = System.Collections.Generic.Dictionary<string, N.M.X>;
//=> std:dotnet
using N.Gone;
//=> unresolved
using Newtonsoft.Json;
//=> nuget:Newtonsoft
namespace N.Other {
  using M;
//=> csharp: N/M/
}
`,
  'PHP: classes, functions, constants and namespaces by their names': `
=== src/A.php
<?php
namespace My\\Lib;
class A {}
function helper() {}
const LIMIT = 1;
=== src/use.php
<?php
namespace Other;
use My\\Lib\\A;
//=> php: My/Lib/A#
use function My\\Lib\\helper;
//=> php: My/Lib/helper().
use const My\\Lib\\LIMIT;
//=> php: My/Lib/LIMIT.
use My\\Lib;
//=> php: My/Lib/
use My\\Lib\\Gone;
//=> unresolved
use Psr\\Log\\LoggerInterface;
//=> composer:psr/log
use Exception;
//=> std:php
use My\\Lib\\{A as B, Gone as C};
//=> php: My/Lib/A#, unresolved
require_once __DIR__ . '/A.php';
require('A.php');
include dirname(__FILE__).'/A.php';
include_once "src/A.php";
//=> src/A.php
require dirname(__DIR__) . '/boot.php';
require dirname(__FILE__, 2) . '/boot.php';
require dirname(dirname(__FILE__)) . '/boot.php';
//=> boot.php
require __DIR__ . '/../vendor/autoload.php';
//=> unresolved
require $folder . '/A.php';
require __DIR__ . "/$name.php";
//=>
=== boot.php
`,
  'Ruby: what is required, relative or below lib, also in the ways of old': `
=== lib/gem.rb
require 'gem/version'
#=> lib/gem/version.rb
autoload :Thing, 'gem/thing'
#=> lib/gem/thing.rb
=== lib/gem/version.rb
=== lib/gem/thing.rb
require_relative 'version'
#=> lib/gem/version.rb
require File.expand_path('../version', __FILE__)
#=> lib/gem/version.rb
require File.expand_path('../gem', __dir__)
#=> lib/gem.rb
require File.join(File.dirname(__FILE__), 'version')
require File.dirname(__FILE__) + '/version'
require "#{__dir__}/version"
#=> lib/gem/version.rb
require "#{folder}/version"
#=>
require 'json'
#=> std:ruby
require 'rails/all'
#=> gem:rails
=== other/lib/neighbour/part.rb
require 'neighbour/part'
#=> other/lib/neighbour/part.rb
=== test/lib/rails/all.rb
=== vendor/x/lib/rails/all.rb
=== test/gem_test.rb
require 'neighbour/part'
#=> other/lib/neighbour/part.rb
require 'gem'
#=> lib/gem.rb
require_relative 'gone'
#=> unresolved
`,
  'Dart: packages, parts, exports': `
=== pubspec.yaml
name: own
=== lib/own.dart
library own;
export 'src/a.dart' show A;
//=> lib/src/a.dart
part 'src/b.dart';
//=> lib/src/b.dart
=== lib/src/a.dart
class A {}
=== lib/src/b.dart
part of '../own.dart';
//=> lib/own.dart
=== lib/src/web.dart
=== lib/src/io.dart
=== test/t.dart
@TestOn('vm')
import 'dart:io';
//=> std:dart
import 'package:own/own.dart' as own hide A;
//=> lib/own.dart
import 'package:test/test.dart';
//=> pub:test
import '../lib/gone.dart';
//=> unresolved
export '../lib/src/a.dart' if (dart.library.html) '../lib/src/web.dart' if (dart.library.io == 'x') '../lib/src/io.dart';
//=> lib/src/web.dart, lib/src/io.dart, lib/src/a.dart
`,
};

for (const [name, text] of Object.entries(fixtures)) test(`imports of ${name}`, () => expectImports(text));
