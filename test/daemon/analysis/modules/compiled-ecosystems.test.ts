import { testModules } from '../../../support/module-tree.ts';

testModules([
  {
    of: 'Go',
    tree: `
=== go.mod
module example.com/tool/v2
=== tool.go
package tool
=== doc.go
package tool
=== cmd/toolctl/main.go
package main
func main() {}
=== cmd/toolctl/other.go
package main
type t struct{}
func (t) main() {}
=== internal/store/store.go
package store
func main() {}
=== internal/store/sub/sub.go
package sub
=== plugin/go.mod
module example.com/tool/plugin
=== plugin/main.go
package main
func main() {}
=== internal/testdata/broken/go.mod
module broken
=== internal/testdata/broken/b.go
package b
`,
    modules: [
      '@root example.com/tool/v2 go',
      'cmd/toolctl toolctl inferred',
      'internal/store store inferred',
      'internal/store/sub sub inferred',
      'internal/testdata testdata inferred test',
      'plugin example.com/tool/plugin go',
    ],
    entrypoints: [
      'cmd/toolctl/main.go cli toolctl: func main',
      'plugin/main.go main plugin: func main',
      'tool.go library example.com/tool/v2: go.mod root package',
    ],
  },
  {
    of: 'Cargo',
    tree: `
=== Cargo.toml
[package]
name = "root"
build = "gen/build.rs"
[workspace]
members = ["crates/*"]
exclude = ["crates/out"]
[[bin]]
name = "rt"
path = "cli/main.rs"
[dependencies]
dep = { path = "dep" }
=== gen/build.rs
fn main() {}
=== cli/main.rs
fn main() {}
=== src/lib.rs
=== src/bin/more.rs
fn main() {}
=== src/bin/multi/main.rs
fn main() {}
=== examples/show.rs
fn main() {}
=== benches/fast.rs
fn main() {}
=== tests/all.rs
#[test] fn t() {}
=== crates/one/Cargo.toml
[package]
name = "one"
[lib]
path = "lib/one.rs"
=== crates/one/lib/one.rs
=== crates/one/src/main.rs
fn main() {}
=== crates/out/Cargo.toml
[package]
name = "out"
=== crates/out/src/lib.rs
=== crates/one/tests/project/Cargo.toml
[package]
name = "project"
=== crates/one/tests/project/src/lib.rs
=== dep/Cargo.toml
[package]
name = "dep"
=== dep/src/lib.rs
`,
    modules: [
      '@root root cargo',
      'benches benches inferred',
      'cli cli inferred',
      'crates/one one cargo',
      'crates/out out cargo',
      'dep dep cargo',
      'examples examples inferred',
      'gen gen inferred',
      'src src inferred',
      'src/bin bin inferred',
      'tests tests inferred test',
    ],
    entrypoints: [
      'benches/fast.rs script fast: Cargo benches',
      'cli/main.rs cli rt: Cargo [[bin]]',
      'crates/one/lib/one.rs library one: Cargo library',
      'crates/one/src/main.rs main one: src/main.rs',
      'crates/out/src/lib.rs library out: Cargo library',
      'dep/src/lib.rs library dep: Cargo library',
      'examples/show.rs script show: Cargo examples',
      'gen/build.rs script build: Cargo build script',
      'src/bin/more.rs cli more: Cargo src/bin',
      'src/bin/multi/main.rs cli multi: Cargo src/bin',
      'src/lib.rs library root: Cargo library',
    ],
  },
  {
    of: 'Maven',
    tree: `
=== pom.xml
<?xml version="1.0"?>
<project><groupId>com.acme</groupId><artifactId>parent</artifactId><packaging>pom</packaging>
  <modules><module>core</module><module>apps/server</module><!-- <module>old</module> --></modules>
  <profiles><profile><modules><module>extra</module></modules></profile></profiles>
</project>
=== core/pom.xml
<project><parent><groupId>com.acme</groupId><artifactId>parent</artifactId></parent><artifactId>core</artifactId></project>
=== core/src/main/java/com/acme/core/Core.java
package com.acme.core; class Core { static void main(int a) {} }
=== apps/server/pom.xml
<project><parent><groupId>com.acme</groupId></parent><artifactId>server</artifactId><build><plugins><plugin><configuration>
  <mainClass>com.acme.server.Start</mainClass></configuration></plugin></plugins></build></project>
=== apps/server/src/main/java/com/acme/server/Start.java
package com.acme.server; public class Start { public static void main(String[] args) {} }
=== apps/server/src/test/java/com/acme/server/StartTest.java
package com.acme.server; public class StartTest { public static void main(String[] args) {} }
=== old/pom.xml
<project><artifactId>old</artifactId></project>
=== old/src/main/java/Old.java
class Old {}
=== extra/pom.xml
<project><artifactId>extra</artifactId></project>
=== extra/src/main/java/Extra.java
class Extra {}
`,
    modules: [
      '@root com.acme:parent maven',
      'apps/server com.acme:server maven',
      'core com.acme:core maven',
      'extra extra maven',
      'old old maven',
    ],
    entrypoints: ['apps/server/src/main/java/com/acme/server/Start.java main com.acme.server.Start: pom.xml mainClass'],
  },
  {
    of: 'Gradle, in Groovy and in Kotlin',
    tree: `
=== settings.gradle.kts
rootProject.name = "whole"
include(":lib", ":apps:cli") // two
/* include(":none") */
include(
  ":moved",
)
include("bare:one", "bare:two", "called", "outer:inner", "empty")
project(":moved").projectDir = file("elsewhere/moved")
project(":called").projectDir = File(rootDir, "elsewhere/dir")
project(":outer").projectDir = File("$rootDir/elsewhere/outer")
project(":bare:two").name = "second"
includeBuild("build-logic")
=== build.gradle.kts
plugins { kotlin("jvm") }
=== lib/src/main/kotlin/acme/Lib.kt
package acme
class Lib
=== apps/cli/build.gradle.kts
plugins { application }
application { mainClass.set("acme.cli.MainKt") }
=== apps/cli/src/main/kotlin/acme/cli/Main.kt
package acme.cli
fun main() {}
=== apps/cli/src/main/kotlin/acme/cli/Other.kt
package acme.cli
object Other { @JvmStatic fun main(args: Array<String>) {} }
=== elsewhere/moved/build.gradle
mainClassName = 'acme.Moved'
=== elsewhere/moved/src/main/java/acme/Moved.java
package acme; class Moved { public static void main(String... a) {} }
=== bare/one/src/main/java/acme/One.java
package acme; class One {}
=== bare/two/two.gradle.kts
application { mainClass.set("acme.Two") }
=== bare/two/src/main/java/acme/Two.java
package acme; class Two {}
=== elsewhere/dir/src/main/java/acme/Dir.java
package acme; class Dir {}
=== elsewhere/outer/inner/src/main/java/acme/Inner.java
package acme; class Inner {}
=== build-logic/settings.gradle
rootProject.name = 'logic'
=== build-logic/src/main/kotlin/x.gradle.kts
val a = 1
=== lib/src/jvmTest/kotlin/acme/Helper.kt
package acme
fun main() {}
`,
    modules: [
      '@root whole gradle',
      'apps/cli cli gradle',
      'bare/one one gradle',
      'bare/two second gradle',
      'build-logic logic gradle',
      'elsewhere/dir called gradle',
      'elsewhere/moved moved gradle',
      'elsewhere/outer/inner inner gradle',
      'lib lib gradle',
    ],
    entrypoints: [
      'apps/cli/src/main/kotlin/acme/cli/Main.kt main acme.cli.MainKt: build.gradle.kts mainClass',
      'apps/cli/src/main/kotlin/acme/cli/Other.kt main Other: main method',
      'bare/two/src/main/java/acme/Two.java main acme.Two: two.gradle.kts mainClass',
      'elsewhere/moved/src/main/java/acme/Moved.java main acme.Moved: build.gradle mainClass',
    ],
  },
  {
    of: 'C#',
    tree: `
=== App.sln
Microsoft Visual Studio Solution File, Format Version 12.00
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "App.Core", "src\\App.Core\\App.Core.csproj", "{1}"
EndProject
=== src/App.Core/App.Core.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><PackageId>Acme.App.Core</PackageId></PropertyGroup></Project>
=== src/App.Core/Core.cs
namespace App.Core; public class Core { public void Main() {} }
=== src/App.Web/App.Web.csproj
<Project Sdk="Microsoft.NET.Sdk.Web"></Project>
=== src/App.Web/Program.cs
var builder = 1;
=== src/App.Tool/App.Tool.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><PackAsTool>true</PackAsTool><ToolCommandName>apptool</ToolCommandName></PropertyGroup></Project>
=== src/App.Tool/Program.cs
return 0;
=== src/App.Old/App.Old.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>
=== src/App.Old/Start.cs
namespace App.Old { static class Start { static int Main(string[] args) => 0; } }
=== src/App.Top/App.Top.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><AssemblyName>topmost</AssemblyName></PropertyGroup></Project>
=== src/App.Top/Main.cs
using System;
Console.WriteLine(1);
class Helper { }
=== src/App.Top/Helper.cs
class Other { }
=== src/App.Core.Tests/App.Core.Tests.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>
=== src/App.Core.Tests/Program.cs
class Program { static void Main() {} }
`,
    modules: [
      '@root @root nuget',
      'src/App.Core Acme.App.Core nuget',
      'src/App.Core.Tests App.Core.Tests inferred test',
      'src/App.Old App.Old nuget',
      'src/App.Tool App.Tool nuget',
      'src/App.Top topmost nuget',
      'src/App.Web App.Web nuget',
    ],
    entrypoints: [
      'src/App.Core/Core.cs main Core: Main method',
      'src/App.Old/Start.cs main Start: Main method',
      'src/App.Tool/Program.cs cli apptool: App.Tool.csproj OutputType',
      'src/App.Top/Main.cs main topmost: App.Top.csproj OutputType',
      'src/App.Web/Program.cs server App.Web: App.Web.csproj Sdk',
    ],
  },
  {
    of: 'CMake',
    tree: `
=== CMakeLists.txt
cmake_minimum_required(VERSION 3.20) # why
project(thing LANGUAGES CXX)
set(SOURCES src/thing.cc "src/part.cc")
add_library(thing \${SOURCES})
add_executable(\${PROJECT_NAME}ctl \${PROJECT_SOURCE_DIR}/tools/ctl.cc)
add_subdirectory(sub)
#[[ add_subdirectory(none) ]]
=== src/thing.cc
=== src/part.cc
=== include/thing/thing.h
void thing();
=== tools/ctl.cc
int main() { return 0; }
=== tools/loose.cc
int main(int argc, char** argv) { return 0; }
=== sub/CMakeLists.txt
add_library(sub sub.c)
add_executable(\${PROJECT_NAME}-sub run.c)
add_executable(\${UNKNOWN} WIN32 win.c)
set(HEADERS \${CMAKE_CURRENT_SOURCE_DIR}/sub.h)
install(FILES \${HEADERS} sub.pc DESTINATION include)
install(TARGETS sub RUNTIME DESTINATION bin)
set(HERE \${CMAKE_CURRENT_SOURCE_DIR})
set(MORE \${HERE}/more)
install(DIRECTORY "\${MORE}" DESTINATION include FILES_MATCHING PATTERN "*.h")
=== sub/run.c
int main(void) { return 0; }
=== sub/win.c
int main(void) { return 0; }
=== sub/sub.c
=== sub/sub.h
void sub();
=== win/start.cc
int APIENTRY wWinMain(_In_ HINSTANCE it, _In_opt_ HINSTANCE before, _In_ wchar_t *line, _In_ int show) { return 0; }
=== win/load.cc
BOOL WINAPI DllMain(HINSTANCE it, DWORD why, LPVOID kept) { return TRUE; }
struct App { int WinMain(int); };
=== sub/own.h
void own();
=== sub/more/more.h
void more();
=== sub/more/more.c
=== sub/test/CMakeLists.txt
add_executable(sub-test test.c)
=== sub/test/test.c
int main(void) { return 0; }
=== cmake/CMakeLists.txt
set(A 1)
=== third_party/zlib/CMakeLists.txt
project(zlib)
=== third_party/zlib/z.c
`,
    modules: [
      '@root thing cmake',
      'include/thing thing inferred',
      'src src inferred',
      'sub sub cmake',
      'third_party third_party inferred',
      'tools tools inferred',
      'win win inferred',
    ],
    entrypoints: [
      'include/thing/thing.h library thing: include convention',
      'sub/more/more.h library more: CMakeLists.txt install',
      'sub/run.c main thing-sub: CMake add_executable',
      'sub/sub.h library sub: CMakeLists.txt install',
      'sub/win.c main win: CMake add_executable',
      'tools/ctl.cc main thingctl: CMake add_executable',
      'tools/loose.cc main loose: main function',
      'win/load.cc library load: DllMain function',
      'win/start.cc main start: wWinMain function',
    ],
  },
  {
    of: 'a list of compilations',
    tree: `
=== engine/compile_commands.json
[{ "directory": "/build", "command": "cc -c run.c", "file": "run.c" }]
=== engine/run.c
int main(void) { return 0; }
=== out/compile_commands.json
[{ "directory": "/build", "command": "cc -c run.c", "file": "run.c" }]
=== other/compile_commands.json
{ "version": 4 }
=== other/part.c
`,
    modules: ['@root @root inferred', 'engine engine cmake', 'other other inferred'],
    entrypoints: ['engine/run.c main run: main function'],
  },
  {
    of: 'Dart',
    tree: `
=== pubspec.yaml
name: whole
workspace:
  - packages/one
  - packages/app
=== packages/one/pubspec.yaml
name: one   # the first
environment: { sdk: ^3.0.0 }
executables:
  one_tool: tool
  other:
=== packages/one/lib/one.dart
part 'one.g.dart';
class One {}
=== packages/one/lib/one.g.dart
part of 'one.dart';
class Two {}
=== packages/one/lib/old.dart
part of one;
class Old {}
=== packages/one/lib/extra.dart
class Extra {}
=== packages/one/lib/src/hidden.dart
class Hidden {}
=== packages/one/bin/tool.dart
void main() {}
=== packages/one/example/show.dart
void main() {}
=== packages/one/test/one_test.dart
void main() {}
=== packages/app/pubspec.yaml
name: app
flutter:
  uses-material-design: true
=== packages/app/lib/main.dart
void main() => 1;
=== packages/app/lib/main_dev.dart
void main() => 1;
=== packages/app/lib/home/home.dart
class Home {}
=== packages/app/test/fixtures/p/pubspec.yaml
name: p
=== packages/app/test/fixtures/p/lib/p.dart
`,
    modules: ['@root whole pub', 'packages/app app pub', 'packages/one one pub'],
    entrypoints: [
      'packages/app/lib/main.dart main main: main function',
      'packages/app/lib/main_dev.dart main main_dev: main function',
      'packages/one/bin/tool.dart cli one_tool: pubspec.yaml executables.one_tool',
      'packages/one/example/show.dart script show: main function',
      'packages/one/lib/extra.dart library one/extra: lib convention',
      'packages/one/lib/one.dart library one: lib convention',
    ],
  },
]);
