import { testClaims } from './claims-in-trees.ts';

testClaims([
  {
    what: 'a site of Django is no library: it has settings, addresses, models and commands found, and classes by their names in texts',
    tree: `
-- requirements.txt --
django
-- manage.py --
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site1.settings")
-- site1/__init__.py --
-- site1/settings.py --
ROOT_URLCONF = "site1.urls"
MIDDLEWARE = ["blog.guards.Guard"]
-- site1/urls.py --
from blog.views import index
urlpatterns = [index]
-- blog/__init__.py --
-- blog/views.py --
from blog import senders
def index(request): return senders
def lost_view(request): return None
-- blog/senders.py --
SENDERS = {"mail": "blog.mail.Mail"}
-- blog/mail.py --
class Mail: pass
-- blog/guards.py --
class Guard: pass
-- blog/models.py --
class Post: pass
-- blog/management/commands/tidy.py --
class Command: pass
-- blog/left.py --
def left(): pass
`,
    sure: ['lost_view 0.85'],
    unsure: ['left 0.6'],
  },
  {
    what: 'a program for Android starts where its manifest says, and with the modules of its build it is nobody’s library',
    tree: `
-- settings.gradle.kts --
include(":app", ":core")
-- app/build.gradle.kts --
plugins { alias(libs.plugins.android.application) }
-- app/src/main/AndroidManifest.xml --
<manifest package="a.b"><application android:name=".App"><activity android:name=".MainActivity"/></application></manifest>
-- app/src/main/res/layout/main.xml --
<a.b.Drawn/>
-- app/src/main/java/a/b/App.kt --
package a.b
class App : android.app.Application()
-- app/src/main/java/a/b/MainActivity.kt --
package a.b
class MainActivity : android.app.Activity() { val shown = Shown() }
-- app/src/main/java/a/b/Drawn.kt --
package a.b
class Drawn
-- core/build.gradle.kts --
plugins { id("com.android.library") }
-- core/src/main/java/a/b/Shown.kt --
package a.b
class Shown
class Lost
`,
    sure: ['Lost 0.85'],
    unsure: [],
  },
  {
    what: 'a build of Gradle that publishes anything, in whatever script, may publish all of its libraries',
    tree: `
-- settings.gradle.kts --
include(":cli", ":core")
-- gradle/release.gradle --
apply plugin: 'maven-publish'
-- cli/build.gradle.kts --
plugins { id("application") }
-- cli/src/main/java/a/b/Cli.java --
package a.b;
public class Cli { public static void main(String[] args) { new Used(); } }
-- core/build.gradle.kts --
plugins { id("conventions.library") }
-- core/src/main/java/a/b/Used.java --
package a.b;
public class Used {}
-- core/src/main/java/a/b/Offered.java --
package a.b;
public class Offered {}
`,
    sure: [],
    unsure: [],
  },
  {
    what: 'a main that stands anywhere makes no program of what Gradle builds',
    tree: `
-- settings.gradle --
include ':lib', ':tried'
-- tried/build.gradle --
apply plugin: 'java'
-- tried/src/main/java/c/Tried.java --
package c;
public class Tried { public static void main(String[] args) {} }
-- lib/build.gradle --
apply plugin: 'java'
-- lib/src/main/java/c/Lib.java --
package c;
public class Lib {}
`,
    sure: [],
    unsure: [],
  },
  {
    what: 'a main in a package of examples makes no program of the library that it shows',
    tree: `
-- pom.xml --
<project><groupId>g</groupId><artifactId>all</artifactId><packaging>pom</packaging><modules><module>extras</module></modules></project>
-- extras/pom.xml --
<project><groupId>g</groupId><artifactId>extras</artifactId></project>
-- extras/src/main/java/g/examples/Shown.java --
package g.examples;
public class Shown { public static void main(String[] args) {} }
-- extras/src/main/java/g/adapters/Adapter.java --
package g.adapters;
public class Adapter {}
-- extras/src/test/java/g/adapters/AdapterTest.java --
package g.adapters;
public class AdapterTest { Adapter adapter; }
`,
    sure: [],
    unsure: [],
  },
  {
    what: 'a project of Composer is nobody’s library, what is called back by a name in a text is used, and folders are looked through',
    tree: `
-- composer.json --
{ "name": "a/b", "type": "project", "autoload": { "psr-4": { "App\\\\": "app/" }, "files": ["app/helpers.php"] } }
-- artisan --
#!/usr/bin/env php
<?php require __DIR__ . '/bootstrap.php';
-- bootstrap.php --
<?php
usort($all, 'by_name');
add_action('init', 'started');
register(['render_callback' => 'shown']);
$class = 'App\\\\Rules\\\\' . $name;
function by_name($a, $b) { return 0; }
function started() {}
function shown() {}
function init() {}
-- app/helpers.php --
<?php
function helper() {}
-- app/Rules/One.php --
<?php
namespace AppRules;
class One {}
-- app/Finder.php --
<?php
namespace App;
class Finder { function all() { return glob(__DIR__ . '/Found/*.php'); } }
-- app/Found/Two.php --
<?php
namespace AppFound;
class Two {}
-- app/Console/Run.php --
<?php
namespace AppConsole;
use App\\Finder;
class Run { function handle(Finder $finder) {} }
-- app/Lost.php --
<?php
namespace App;
class Lost {}
`,
    sure: ['Lost 0.8'],
    unsure: ['init 0.6'],
  },
  {
    what: 'WordPress starts files whose heads say what they are',
    tree: `
-- plugin.php --
<?php
/* Plugin Name: X */
require_once __DIR__ . '/inc/all.php';
add_shortcode('x', 'shown');
-- inc/all.php --
<?php
function shown() {}
function lost() {}
`,
    sure: ['lost 0.8'],
    unsure: [],
  },
  {
    what: 'a library of C# that programs of its solution alone get offers nothing; one that is packed does',
    tree: `
-- All.sln --
Project("{F}") = "App", "App/App.csproj", "{1}"
Project("{F}") = "Core", "Core/Core.csproj", "{2}"
Project("{F}") = "Sold", "Sold/Sold.csproj", "{3}"
-- App/App.csproj --
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>WinExe</OutputType></PropertyGroup><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj" /><ProjectReference Include="..\\Sold\\Sold.csproj" /></ItemGroup></Project>
-- App/App.xaml --
<Application x:Class="A.App" StartupUri="Main.xaml"><c:Switch/></Application>
-- App/App.xaml.cs --
namespace A;
public partial class App { Core.Used used; }
-- App/Main.xaml.cs --
namespace A;
public partial class Main { }
-- App/Switch.cs --
namespace A;
public class Switch { }
-- Core/Core.csproj --
<Project Sdk="Microsoft.NET.Sdk"></Project>
-- Core/All.cs --
namespace Core;
public class Used { }
public class Lost { }
-- Sold/Sold.csproj --
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><PackageTags>x</PackageTags></PropertyGroup></Project>
-- Sold/All.cs --
namespace Sold;
public class Offered { }
`,
    sure: ['Lost 0.85'],
    unsure: [],
  },
  {
    what: 'a crate that is not published, and that a program of the workspace is built with, offers nothing',
    tree: `
-- Cargo.toml --
[workspace]
members = ["app", "core", "open"]
[workspace.package]
publish = false
-- app/Cargo.toml --
[package]
name = "app"
[dependencies]
core-lib = { path = "../core" }
open-lib = { path = "../open" }
-- app/src/main.rs --
use core_lib::api::used;
fn main() { used(); }
-- core/Cargo.toml --
[package]
name = "core-lib"
publish.workspace = true
-- core/src/lib.rs --
pub mod api;
-- core/src/api.rs --
pub fn used() {}
pub fn lost() {}
-- open/Cargo.toml --
[package]
name = "open-lib"
-- open/src/lib.rs --
pub fn offered() {}
`,
    sure: ['lost 0.9'],
    unsure: [],
  },
  {
    what: 'Rails finds controllers, helpers and models',
    tree: `
-- Gemfile --
gem 'rails'
-- config/application.rb --
class Application; end
-- app/controllers/posts_controller.rb --
class PostsController; end
-- app/models/post.rb --
class Post; end
-- app/services/left.rb --
class Left; end
-- app/javascript/application.js --
import { go } from './go.js';
go();
-- app/javascript/lib/far.js --
export const far = 1;
-- app/javascript/go.js --
export const go = () => 1;
`,
    sure: [],
    unsure: ['Left 0.6', 'far 0.5'],
  },
]);
