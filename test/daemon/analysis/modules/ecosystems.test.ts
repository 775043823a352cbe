import { testModules } from '../../../support/module-tree.ts';

testModules([
  {
    of: 'npm workspaces',
    tree: `
=== package.json
{ "name": "root", "private": true, "workspaces": { "packages": ["packages/*", "!packages/old", "apps/{web,api}"] } }
=== packages/core/package.json
{ "name": "@x/core", "main": "dist/index.js", "types": "./dist/index.d.ts",
  "exports": { ".": { "import": "./dist/index.mjs" }, "./features/*": "./dist/features/*.js", "./features/own/*": null } }
=== packages/core/src/index.ts
export const a = 1;
=== packages/core/src/features/one.ts
export const one = 1;
=== packages/core/src/features/deep/two.ts
export const two = 2;
=== packages/core/src/features/own/secret.ts
export const secret = 3;
=== packages/core/src/features/two.test.ts
=== packages/core/test/fixtures/app/package.json
{ "name": "fixture" }
=== packages/core/test/fixtures/app/a.js
=== packages/old/package.json
{ "name": "old" }
=== packages/old/main.js
=== packages/esm/package.json
{ "type": "module" }
=== apps/web/package.json
{ "name": "web", "dependencies": { "next": "1" }, "scripts": { "start": "node ./server.js --port 1", "gen": "tsx tools/gen && x" } }
=== apps/web/server.js
=== apps/web/tools/gen.ts
=== apps/web/app/blog/page.tsx
export default function Page() {}
=== apps/web/app/blog/part.tsx
export const part = 1;
=== apps/api/package.json
{ "name": "api", "bin": "./cli.js" }
=== apps/api/cli.js
=== node_modules/left/package.json
{ "name": "left" }
=== node_modules/left/index.js
=== scripts/release.js
`,
    modules: [
      '@root root npm',
      'apps/api api npm',
      'apps/web web npm',
      'node_modules node_modules inferred',
      'packages/core @x/core npm',
      'packages/old old npm',
      'scripts scripts inferred',
    ],
    entrypoints: [
      'apps/api/cli.js cli api: package.json bin.api',
      'apps/web/app/blog/page.tsx server app/blog/page: Next.js convention',
      'apps/web/server.js server start: package.json scripts.start',
      'apps/web/tools/gen.ts script gen: package.json scripts.gen',
      'packages/core/src/features/deep/two.ts library @x/core/features/deep/two: package.json exports ./features/*',
      'packages/core/src/features/one.ts library @x/core/features/one: package.json exports ./features/*',
      'packages/core/src/index.ts library @x/core: package.json exports',
      'packages/old/main.js main main: main.js convention',
    ],
  },
  {
    of: 'pnpm and lerna, Nx and Angular',
    tree: `
=== pnpm-workspace.yaml
packages:
  # all of them
  - 'libs/**'
  - "!**/test/**"
=== lerna.json
{ "packages": ["tools/*"] }
=== libs/a/b/package.json
{ "name": "b" }
=== libs/a/b/index.ts
=== libs/a/test/p/package.json
{ "name": "p" }
=== libs/a/test/p/p.ts
=== tools/t/package.json
{ "name": "t" }
=== tools/t/src/main.ts
=== apps/shop/project.json
{ "name": "shop", "targets": { "build": { "options": { "main": "apps/shop/src/start.ts" } } } }
=== apps/shop/src/start.ts
=== nx/plain/project.json
{ "projectType": "library", "sourceRoot": "nx/plain/src" }
=== nx/plain/src/index.ts
=== nx/named/project.json
{ "targets": { "build": {} } }
=== nx/named/package.json
{ "name": "@x/named" }
=== nx/named/src/a.ts
=== nx/data/project.json
{ "kind": "no project" }
=== nx/data/a.ts
`,
    modules: [
      '@root @root npm',
      'apps/shop shop npm',
      'libs/a/b b npm',
      'libs/a/test test inferred test',
      'nx/data data inferred',
      'nx/named @x/named npm',
      'nx/plain plain npm',
      'tools/t t npm',
    ],
    entrypoints: [
      'apps/shop/src/start.ts main shop: project.json main',
      'libs/a/b/index.ts library b: index.ts convention',
      'nx/plain/src/index.ts library plain: index.ts convention',
      'tools/t/src/main.ts main main: main.ts convention',
    ],
  },
  {
    of: 'Python',
    tree: `
=== pyproject.toml
[project]
name = "My-App"
[project.scripts]
my = "my_app.cli:main"
[project.entry-points."flake8.extension"]
X = "my_app.plugin:Check"
=== src/my_app/__init__.py
=== src/my_app/__main__.py
=== src/my_app/cli.py
def main(): pass
=== src/my_app/plugin.py
=== src/my_app/deep/__init__.py
=== src/my_app/deep/part.py
=== src/my_app/deep/er/x.py
=== tests/test_a.py
=== tools/gen.py
if __name__ == "__main__":
    pass
=== old/setup.py
from setuptools import setup, find_packages
setup(
    name="old", version=read(), packages=["oldpkg", "oldpkg.sub"], package_dir={"": "lib"},  # where
    entry_points={"console_scripts": ["oldie = oldpkg.run:go [extra]"]},
    scripts=["bin/legacy"],
)
=== old/lib/oldpkg/__init__.py
=== old/lib/oldpkg/run.py
=== old/lib/oldpkg/sub/__init__.py
=== old/bin/legacy
#!/usr/bin/env python
=== conf/setup.cfg
[metadata]
name = conf
[options]
packages = find:
package_dir =
    = src
[options.entry_points]
console_scripts =
    conf = conf.main:main
=== conf/src/conf/__init__.py
=== conf/src/conf/main.py
=== both/setup.py
from setuptools import setup, find_packages
setup(name="both", packages=find_packages(), py_modules=["one"])
=== both/one.py
=== both/both/__init__.py
=== ns/core/pyproject.toml
[project]
name = "acme-core"
=== ns/core/src/acme/core/__init__.py
=== ns/core/src/acme/core/deep/__init__.py
=== ns/core/src/acme/more/__init__.py
=== ns/kit/pyproject.toml
[project]
name = "kit"
[tool.hatch.build.targets.wheel]
packages = ["src/acme"]
=== ns/kit/src/acme/one/__init__.py
=== ns/kit/src/acme/two/three/__init__.py
=== ns/old/setup.py
from setuptools import setup
setup(name="acme-old")
=== ns/old/acme/__init__.py
__import__("pkg_resources").declare_namespace(__name__)
=== ns/old/acme/things/__init__.py
=== ns/old/scripts/tool/__init__.py
=== web/requirements.txt
django
=== web/manage.py
=== web/site/wsgi.py
=== docs/requirements.txt
sphinx
=== docs/conf.py
`,
    modules: [
      '@root My-App pypi',
      'both both pypi',
      'conf conf pypi',
      'docs docs inferred',
      'ns/core acme-core pypi',
      'ns/kit kit pypi',
      'ns/old acme-old pypi',
      'old old pypi',
      'src/my_app my_app inferred',
      'src/my_app/deep deep inferred',
      'tests tests inferred test',
      'tools tools inferred',
      'web web pypi',
    ],
    entrypoints: [
      'both/both/__init__.py library both: setup.py name',
      'both/one.py library both: setup.py packages',
      'conf/src/conf/__init__.py library conf: setup.cfg name',
      'conf/src/conf/main.py cli conf: setup.cfg scripts.conf',
      'ns/core/src/acme/core/__init__.py library acme-core: pyproject.toml name',
      'ns/kit/src/acme/one/__init__.py library kit: pyproject.toml packages',
      'ns/kit/src/acme/two/three/__init__.py library kit: pyproject.toml packages',
      'ns/old/acme/things/__init__.py library acme-old: setup.py name',
      'old/bin/legacy cli legacy: setup.py scripts',
      'old/lib/oldpkg/__init__.py library old: setup.py packages',
      'old/lib/oldpkg/run.py cli oldie: setup.py scripts.oldie',
      'old/lib/oldpkg/sub/__init__.py library old: setup.py packages',
      'src/my_app/__init__.py library My-App: pyproject.toml name',
      'src/my_app/__main__.py cli my_app: __main__.py convention',
      'src/my_app/cli.py cli my: pyproject.toml scripts.my',
      'src/my_app/plugin.py library X: pyproject.toml entry-points flake8.extension',
      "tools/gen.py script gen: if __name__ == '__main__'",
      'web/manage.py cli manage: manage.py convention',
      'web/site/wsgi.py server wsgi: wsgi.py convention',
    ],
  },
  {
    of: 'Ruby',
    tree: `
=== thing-core.gemspec
Gem::Specification.new do |spec|
  spec.name = "thing-core" # its name
  spec.bindir = "exe"
  spec.executables = spec.files.grep(%r{^exe/}) { |f| File.basename(f) }
  spec.executables << "thing"
end
=== Gemfile
source "https://rubygems.org"
=== exe/thing
#!/usr/bin/env ruby
=== bin/setup
#!/usr/bin/env ruby
=== lib/thing/core.rb
module Thing; end
=== lib/thing/core/part.rb
=== lib/thing/core/deep/part.rb
=== test/rails_app/Gemfile
=== test/rails_app/app/models/user.rb
=== site/Gemfile
=== site/config/application.rb
=== site/app/models/user.rb
=== docs/Gemfile
=== docs/a.md
`,
    modules: [
      '@root thing-core gem',
      'bin bin inferred',
      'docs docs inferred',
      'exe exe inferred',
      'lib/thing thing inferred',
      'lib/thing/core core inferred',
      'site site gem',
      'test/rails_app rails_app gem test',
    ],
    entrypoints: [
      'bin/setup script setup: bin convention',
      'exe/thing cli thing: gemspec executables',
      'lib/thing/core.rb library thing-core: gemspec name',
      'site/config/application.rb server application: config/application.rb convention',
    ],
  },
  {
    of: 'a site of Django with a program for Android beside it',
    tree: `
=== requirements.txt
django
=== manage.py
=== blog/__init__.py
=== blog/urls.py
=== blog/models.py
=== phone/settings.gradle
rootProject.name = 'phone'
=== phone/app/build.gradle
apply plugin: 'com.android.application'
=== phone/app/src/main/AndroidManifest.xml
<manifest><application android:name=".App"/></manifest>
=== phone/app/src/main/java/a/App.java
package a;
public class App {}
=== phone/desk/Desk.csproj
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>WinExe</OutputType></PropertyGroup></Project>
=== phone/desk/App.xaml.cs
namespace Desk;
public partial class App { }
`,
    modules: [
      '@root @root pypi',
      'blog blog inferred',
      'phone phone gradle',
      'phone/app app gradle',
      'phone/desk Desk nuget',
    ],
    entrypoints: [
      'blog/urls.py server urls: Django convention',
      'manage.py cli manage: manage.py convention',
      'phone/app/src/main/java/a/App.java main App: AndroidManifest.xml',
      'phone/desk/App.xaml.cs main Desk: Desk.csproj OutputType',
    ],
  },
  {
    of: 'PHP',
    tree: `
=== composer.json
{ "name": "acme/app", "bin": ["bin/app"], "autoload": { "psr-4": { "Acme\\\\": "src/Acme/" }, "files": ["src/helpers.php"] },
  "repositories": [{ "type": "path", "url": "packages/*" }] }
=== bin/app
#!/usr/bin/env php
<?php
=== src/helpers.php
<?php
=== src/Acme/App.php
<?php namespace Acme;
=== src/Acme/Http/Kernel.php
<?php namespace Acme\\Http;
=== public/index.php
<?php
=== packages/one/composer.json
{ "name": "acme/one", "type": "library" }
=== packages/one/src/One.php
<?php
=== vendor/x/y/composer.json
{ "name": "x/y" }
=== vendor/x/y/Y.php
<?php
`,
    modules: [
      '@root acme/app composer',
      'bin bin inferred',
      'packages/one acme/one composer',
      'public public inferred',
      'src src inferred',
      'src/Acme Acme inferred',
      'vendor vendor inferred',
    ],
    entrypoints: [
      'bin/app cli app: composer.json bin',
      'public/index.php server index: public/index.php convention',
      'src/helpers.php library acme/app: composer.json autoload.files',
    ],
  },
]);
