import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryLines, modelOf, moduleLines } from '../../../support/module-tree.ts';

/** Files without content, beside manifests that name their packages. */
function treeOf(paths: string, packages: Readonly<Record<string, string>> = {}): string {
  const manifests = Object.entries(packages).map(([path, name]) => `=== ${path}\n{ "name": "${name}" }\n`);
  const files = paths.trim().split(/\s+/);
  return [...manifests, ...files.map(path => `=== ${path}\n`)].join('');
}

const idsOf = (model: Awaited<ReturnType<typeof modelOf>>): readonly string[] => model.modules.map(({ id }) => id);

const shop = treeOf(
  `src/index.ts src/cart/a.ts src/cart/price/b.ts src/cart/price/tax/c.ts lib/only/deep/x.ts
  tests/unit/a.ts tests/e2e/b.ts .github/x.js packages/ui/src/a.ts packages/ui/src/button/b.ts packages/ui/src/button/icon/c.ts`,
  { 'package.json': 'shop', 'packages/ui/package.json': 'ui' },
);

test('a package falls into its folders down to a depth; what is deeper belongs to the last of them', async () => {
  const expected: readonly (readonly [options: Parameters<typeof modelOf>[1], ids: readonly string[]])[] = [
    [{ inferModules: false }, ['@root', 'packages/ui']],
    [{ depth: 1 }, ['@root', 'lib/only/deep', 'packages/ui', 'src', 'tests']],
    [{ depth: 2 }, ['@root', 'lib/only/deep', 'packages/ui', 'src', 'src/cart', 'tests']],
    [
      { depth: 3 },
      ['@root', 'lib/only/deep', 'packages/ui', 'packages/ui/src', 'src', 'src/cart', 'src/cart/price', 'tests'],
    ],
    [
      { depth: 4 },
      [
        '@root',
        'lib/only/deep',
        'packages/ui',
        'packages/ui/src',
        'packages/ui/src/button',
        'src',
        'src/cart',
        'src/cart/price',
        'src/cart/price/tax',
        'tests',
      ],
    ],
    // What lies elsewhere stays as it is.
    [
      { base: 'packages/ui', depth: 2 },
      [
        '@root',
        'lib/only/deep',
        'packages/ui',
        'packages/ui/src',
        'packages/ui/src/button',
        'src',
        'src/cart',
        'tests',
      ],
    ],
    [
      { base: 'src/cart', depth: 1 },
      ['@root', 'lib/only/deep', 'packages/ui', 'src', 'src/cart', 'src/cart/price', 'tests'],
    ],
  ];
  for (const [options, ids] of expected) {
    const model = await modelOf(shop, options);
    assert.deepEqual(idsOf(model), ids, JSON.stringify(options));
  }
  const model = await modelOf(shop);
  assert.equal(model.moduleOf('src/cart/price/tax/c.ts').id, 'src/cart');
  assert.equal(model.moduleOf('packages/ui/src/button/icon/c.ts').id, 'packages/ui');
  assert.equal(model.moduleOf('.github/x.js').id, '@root');
  assert.equal(model.moduleOf('no/where').id, '@root');
  assert.equal(model.moduleOf('src/cart').packageId, '@root');
  assert.equal(model.packages.get('npm ui'), 'packages/ui');
  assert.deepEqual(
    [model.detectionMethod, (await modelOf(shop, { inferModules: false })).detectionMethod],
    ['mixed', 'manifest'],
  );
});

test('the one package that has all the code is looked at as the root is', async () => {
  const alone = treeOf('web/src/index.ts web/src/cart/a.ts docs/conf.py examples/one/a.ts', {
    'web/package.json': 'web',
    'examples/one/package.json': 'one',
  });
  assert.deepEqual(idsOf(await modelOf(alone)), ['@root', 'docs', 'examples/one', 'web', 'web/src', 'web/src/cart']);
  const two = treeOf('web/src/index.ts web/src/cart/a.ts api/src/index.ts', {
    'web/package.json': 'web',
    'api/package.json': 'api',
  });
  assert.deepEqual(idsOf(await modelOf(two)), ['@root', 'api', 'web']);
});

test('without manifests every folder that code begins to differ at is a module', async () => {
  const layouts: readonly (readonly [paths: string, ids: readonly string[]])[] = [
    ['main.c src/a.c src/net/b.c src/net/tls/c.c include/x/a.h', ['@root', 'include/x', 'src', 'src/net']],
    ['app/__init__.py app/models/a.py app/api/v1/b.py', ['@root', 'app', 'app/api/v1', 'app/models']],
    [
      'src/main/java/com/acme/A.java src/main/java/com/acme/io/B.java src/test/java/com/acme/ATest.java',
      ['@root', 'src/main/java/com/acme', 'src/main/java/com/acme/io', 'src/test'],
    ],
    ['Acme.Core/A.cs Acme.Core/Data/B.cs Acme.Web/C.cs', ['@root', 'Acme.Core', 'Acme.Core/Data', 'Acme.Web']],
    ['cmd/a/main.go cmd/b/main.go internal/x/x.go pkg/y/y.go', ['@root', 'cmd/a', 'cmd/b', 'internal/x', 'pkg/y']],
    ['vendor/a/b.go vendor/c/d.go node_modules/x/y.js a/b.go', ['@root', 'a', 'node_modules', 'vendor']],
    ['README.md', ['@root']],
  ];
  for (const [paths, ids] of layouts) {
    const model = await modelOf(treeOf(paths));
    assert.deepEqual(idsOf(model), ids, paths);
    assert.equal(model.detectionMethod, 'inferred');
  }
});

test('of two manifests in a folder that of most of its code speaks for it; names of both lead there', async () => {
  const model = await modelOf(`
=== package.json
{ "name": "assets" }
=== pyproject.toml
[project]
name = "site"
=== a.py
=== b.py
=== c.js
`);
  assert.deepEqual(moduleLines(model), ['@root site pypi']);
  assert.deepEqual([...model.packages].sort(), [
    ['npm assets', '@root'],
    ['pypi site', '@root'],
  ]);
});

test('files that tools load are those with names of theirs and those that settings in a package.json name', async () => {
  const model = await modelOf(`
=== package.json
{ "name": "x", "jest": { "setupFiles": ["<rootDir>/test-setup.js", "./no.js", "package"] }, "eslintConfig": { "extends": "./lint/base" } }
=== test-setup.js
=== lint/base.js
=== vite.config.ts
export default defineConfig({ build: { lib: { entry: resolve(__dirname, 'src/library.ts') } }, test: { setupFiles: ['./setup/one.ts', 'pkg'] } })
=== src/library.ts
=== setup/one.ts
=== src/other.ts
export default { entry: './library.ts' }
=== .eslintrc.cjs
=== packages/a/vitest.config.unit.mts
=== test/jest.config.js
=== src/config.ts
=== .storybook/main.ts
=== build.gradle.kts
=== Rakefile
`);
  assert.deepEqual(
    model.configuredFiles.map(({ path, by }) => `${path}: ${by}`),
    [
      '.eslintrc.cjs: .eslintrc.cjs convention',
      '.storybook/main.ts: main.ts convention',
      'Rakefile: Rakefile convention',
      'build.gradle.kts: build.gradle.kts convention',
      'lint/base.js: package.json eslintConfig',
      'packages/a/vitest.config.unit.mts: vitest.config.unit.mts convention',
      'setup/one.ts: vite.config.ts setupFiles',
      'src/library.ts: vite.config.ts entry',
      'test-setup.js: package.json jest',
      'vite.config.ts: vite.config.ts convention',
    ],
  );
});

test('manifests that say nothing of use, or too much, leave a repository with its folders', async () => {
  const deep = '{"a":'.repeat(20_000);
  const model = await modelOf(`
=== package.json
{ "name": 7, "workspaces": [1, null, "../../out", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "**/**/**/**/*/x"], "bin": { "x": "../../../etc/passwd" }, "exports": ${deep}
=== Cargo.toml
[workspace]
members = [1, "../..", "*"]
=== pom.xml
${'<project>'.repeat(5_000)}<artifactId>a</artifactId><modules><module>../../..</module>
=== CMakeLists.txt
set(A \${A} \${A})
${`set(A \${A} \${A})\n`.repeat(60)}add_library(x \${A})
=== settings.gradle
include ${"':a',".repeat(5_000)}
=== pubspec.yaml
${'a:\n '.repeat(200)}
name: [${'['.repeat(5_000)}
=== setup.py
from setuptools import setup
setup(name=${'('.repeat(5_000)}, packages=[
=== src/a.ts
`);
  assert.equal(model.moduleOf('src/a.ts').id, 'src');
  assert.deepEqual(model.entrypoints, []);
});

test('pages, workflows, lists of classes and patterns name files that something loads', async () => {
  const model = await modelOf(String.raw`
=== package.json
{ "name": "x", "browser": { "./src/a.js": "./src/browser.js", "fs": false } }
=== site/index.html
<script type="module" src="/src/page.ts"></script><script src="near.js"></script>
=== site/near.js
=== src/page.ts
const pages = import.meta.glob<Page>(['./pages/**/*.{ts,tsx}', '!./pages/not.ts'], { eager: true });
const one = import.meta.glob('/src/lone/*.ts');
=== src/pages/deep/first.tsx
=== src/pages/not.ts
=== src/pages/first.test.ts
=== src/lone/a.ts
=== src/a.js
=== src/browser.js
=== src/ci.js
=== .github/workflows/ci.yml
jobs: [{ steps: [{ run: "node src/ci.js" }] }]
=== .storybook/main.ts
export default { stories: ['../src/**/*.stories.@(js|tsx)', { directory: '../lib' }] };
=== src/b.stories.tsx
=== lib/c.stories.ts
=== lib/c.ts
=== docs/conf.py
extensions = [
  'sphinx.ext.autodoc',
  "mine",  # of ours
]
=== docs/_ext/mine.py
=== docs/_ext/other.py
=== app/META-INF/services/java.util.function.Supplier
g.Plug
=== app/java/g/Plug.java
=== app/java/h/Plug.java
=== phone/AndroidManifest.xml
<application><activity android:name=".ui.Main" /></application>
=== phone/java/g/ui/Main.kt
=== composer.json
{ "name": "w/f", "autoload": { "psr-4": { "App\\": "php/" } } }
=== config/services.yaml
services:
  App\Http\Ctl: ~
  App\All\:
    resource: '../php/All/'
=== php/Http/Ctl.php
=== php/Http/Dead.php
=== php/All/In/Deep.php
`);
  assert.deepEqual(
    model.configuredFiles.map(({ path, by }) => `${path}: ${by}`),
    [
      '.storybook/main.ts: main.ts convention',
      'app/java/g/Plug.java: java.util.function.Supplier class',
      'docs/_ext/mine.py: conf.py extensions',
      'docs/conf.py: conf.py convention',
      'lib/c.stories.ts: main.ts stories',
      'phone/java/g/ui/Main.kt: AndroidManifest.xml class',
      'php/All/In/Deep.php: services.yaml resource',
      'php/Http/Ctl.php: services.yaml services',
      'site/near.js: index.html script',
      'src/b.stories.tsx: main.ts stories',
      'src/browser.js: package.json browser',
      'src/ci.js: ci.yml commands',
      'src/lone/a.ts: page.ts loads by a pattern',
      'src/page.ts: index.html script',
      'src/pages/deep/first.tsx: page.ts loads by a pattern',
      'src/pages/first.test.ts: page.ts loads by a pattern',
    ],
  );
});

test('a first line for being run makes a script', async () => {
  const model = await modelOf(`
=== package.json
{ "name": "x" }
=== tools/run.ts
#!/usr/bin/env tsx
run();
=== tools/other.ts
other();
`);
  assert.deepEqual(entryLines(model), ['tools/run.ts script run: #! line']);
});
