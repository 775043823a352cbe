import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialectOf, dialectOfFile } from '../../../daemon/extract/dialect.ts';
import { configurationFacts, sourceConfiguration } from '../../../daemon/extract/manifest.ts';
import type { Dialect } from '../../../daemon/model/document.ts';

const cases: readonly (readonly [path: string, source: string, scope: string, content: unknown])[] = [
  [
    'tsconfig.build.json',
    '{ // why\n "extends": "./base", "compilerOptions": { "strict": true, "paths": { "@/*": ["./*"], "bad": 1 }, }, "references": [{ "path": "./a" }] }',
    '',
    { extends: './base', paths: { '@/*': ['./*'] }, references: ['./a'] },
  ],
  [
    'a/package.json',
    '{ "version": "1", "name": "@x/a", "main": "dist/a.js", "tsconfig": "base.json" }',
    'npm:@x/a',
    { main: 'dist/a.js', name: '@x/a', tsconfig: 'base.json' },
  ],
  ['package.json', '{ "name": 1', '', { name: 1 }],
  [
    'rush.json',
    '// of Rush\n{ "projects": [{ "packageName": "a", "projectFolder": "libs/a" }, {}, 3] }',
    '',
    { project: { packages: ['libs/a'] } },
  ],
  ['pnpm-workspace.yaml', 'packages:\n  - "a/*"\n  - b # c\nother:\n  - c\n', '', { packages: ['a/*', 'b'] }],
  [
    'go.mod',
    'module example.com/m // x\n\ngo 1.22\n\nrequire (\n\ta.b/c v1.0.0\n)\nreplace a.b/c => ../c\n',
    'go:module:example.com/m',
    { module: 'example.com/m', replace: { 'a.b/c': '../c' }, require: ['a.b/c v1.0.0'] },
  ],
  ['go.work', 'use ./a\nuse (\n\t./b\n)\n', '', { use: ['./a', './b'] }],
  [
    'pyproject.toml',
    '[project]\nname = "p"\n[tool.setuptools]\npackage-dir = { "" = "src" }\n',
    'pypi:p',
    { name: 'p', packageDir: { '': 'src' } },
  ],
  [
    'setup.cfg',
    '[metadata]\nname = p\n[options]\npackage_dir =\n    =src\n',
    'pypi:p',
    { name: 'p', packageDir: '=src' },
  ],
  [
    'Cargo.toml',
    '[package]\nname = "c"\n[dependencies]\nd = { path = "../d" }\nserde = "1"\n',
    'cargo:c',
    { dependencies: { d: '../d' }, name: 'c', requires: ['d', 'serde'] },
  ],
  ['Cargo.toml', 'this is = = no toml', '', {}],
  [
    'A/A.csproj',
    `<Project Sdk="Microsoft.NET.Sdk">
      <PropertyGroup><ImplicitUsings>Enable</ImplicitUsings><RootNamespace>R</RootNamespace><Other>x</Other></PropertyGroup>
      <!-- <ItemGroup><Using Include="No" /></ItemGroup> -->
      <ItemGroup Condition="'$(X)' > '1'">
        <Using Include="N; M" Static="true" /><Using Include="A.B&lt;int&gt;"><Alias>C</Alias></Using><Using Remove="N" />
      </ItemGroup>
      <ItemGroup><Compile Include="$(MSBuildThisFileDirectory)..\\a\\*.cs" Exclude="b.cs" /><Using Remove="M" /></ItemGroup>
      <Import Project="..\\b.props" /><Import Project="$(Unknown)x.props" />
      <Import Project="$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '..'))" />
      <Target Name="T"><ItemGroup><Using Include="No" /></ItemGroup></Target>
    </Project>`,
    'dotnet:project',
    {
      sdk: 'Microsoft.NET.Sdk',
      says: [
        { implicit: true },
        { property: 'RootNamespace', value: 'R' },
        { static: true, use: 'N' },
        { static: true, use: 'M' },
        { alias: 'C', use: 'A.B<int>' },
        { compile: '../a/*.cs', ofFile: true },
        { leave: 'b.cs' },
        { unuse: 'M' },
        { import: '../b.props' },
        { above: 'Directory.Build.props' },
      ],
    },
  ],
  ['Directory.Build.targets', '<Project', '', { says: [], sdk: '' }],
];

const moreCases: typeof cases = [
  [
    'package.json',
    '{ "name": "@x/a", "bin": "cli.js", "private": true, "scripts": { "b": "tsc", "n": 1 }, "devDependencies": { "b": "1" }, "dependencies": { "a": "1" }, "jest": { "testMatch": ["**/*.js", 1], "globalSetup": "<rootDir>/s.js", "testRegex": "(a" }, "files": ["./f"] }',
    'npm:@x/a',
    {
      name: '@x/a',
      project: {
        bin: { a: 'cli.js' },
        names: { jest: ['./s.js'] },
        private: true,
        requires: ['a', 'b'],
        scripts: { b: 'tsc' },
        tests: { runner: 'jest', setup: ['<rootDir>/s.js'], testMatch: ['**/*.js'], testRegex: true },
      },
    },
  ],
  [
    'Dockerfile.dev',
    'FROM node\n# CMD ["node", "no.js"]\nCOPY no.js .\nRUN python3 -m tools.gen && python -u "$ROOT/run.py"\nCMD ["node","src/dock.js"]\n',
    '',
    { project: { names: { commands: ['run.py', 'src/dock.js', 'tools/gen.py'] } } },
  ],
  [
    'app/src/main/AndroidManifest.xml',
    '<manifest><uses-permission android:name="a.P"/><application android:name=".App"><activity\n android:exported="true" android:name=".ui.Main"><action android:name="a.b.MAIN"/></activity><service android:name="g.h.Sync"/></application></manifest>',
    '',
    { project: { loadedClasses: ['App', 'g.h.Sync', 'ui.Main'] } },
  ],
  [
    'ci/all.sh',
    '#!/bin/sh\nset -e\nnode "$HERE/one.mjs" && ruby two.rb\n',
    '',
    { project: { names: { commands: ['one.mjs', 'two.rb'] } } },
  ],
  ['Makefile', 'OBJ=a.o\nlib$(NAME).so.1: $(OBJ)\n\t$(CC) -shared\n', '', { project: { buildsLibrary: true } }],
  ['Makefile', 'STLIBNAME=$(LIBNAME).$(STLIBSUFFIX)\n', '', { project: { buildsLibrary: true } }],
  ['Makefile', 'LIBS+=../deps/libother.a\nrun: $(LIBS)\n\tcc -o run libother.a\n', '', {}],
  [
    '.github/workflows/ci.yml',
    'on:\n push:\n  paths:\n   - no.js\n   - "no/*.ts"\njobs:\n - run: node scripts/ci.js\n - run: ./x.py\n - run: |\n    tsx src/cli --file=a.txt\n - uses: a/b.js@v1\n   path: no.ts\n',
    '',
    { project: { names: { commands: ['./x.py', 'scripts/ci.js', 'src/cli'] } } },
  ],
  [
    'app/index.html',
    '<!-- <script src="no.js"></script> --><script type=module src="/src/main.ts?t=1"></script><script src="https://x.y/no.js"></script><script type="module">import { a } from "./a.js"; import("./b.js")</script>',
    '',
    { project: { names: { import: ['./a.js', './b.js'], script: ['/src/main.ts'] } } },
  ],
  [
    'manifest.json',
    '{ "manifest_version": 3, "background": { "service_worker": "src/back.ts" }, "content_scripts": [{ "js": ["c.js"], "css": ["c.css"] }] }',
    '',
    { project: { names: { extension: ['c.js', 'src/back.ts'] } } },
  ],
  ['manifest.json', '{ "name": "no", "icons": ["a.js"] }', '', {}],
  ['a/META-INF/services/x.Y', '# c\ng.Plug # c\n\nnot one\n', '', { project: { loadedClasses: ['g.Plug'] } }],
  [
    'META-INF/spring.factories',
    'o.s.Auto=\\\n  g.A,\\\n  g.B$C\n',
    '',
    { project: { loadedClasses: ['g.A', 'g.B$C'] } },
  ],
  [
    'config/services.yaml',
    'services:\n  App\\:\n    resource: "../src/Lib/"\n    exclude: "../src/No.php"\n  App\\Ctl: ~\n  named:\n    class: App\\Two\n',
    '',
    { project: { loadedClasses: ['App\\Ctl', 'App\\Two'], loadedFolders: ['../src/Lib/'] } },
  ],
  [
    'app/src/main/resources/a.xml',
    '<bean class="g.a.Bean$Inner" x="g.a" y="1.Two"/><class>g.b.Other.Nested</class>',
    '',
    { project: { loadedClasses: ['g.a.Bean', 'g.b.Other'] } },
  ],
  [
    'Pages/Index.cshtml',
    '@model A.Order\n@* Gone *@<!-- Lost --><a class="Menu-item" asp-page="./Cart">@Url.Link(x)</a>',
    '',
    { project: { typeNames: ['Cart', 'Link', 'Order', 'Url'] } },
  ],
  [
    'App.xaml',
    '<Application x:Class="A.App" StartupUri="Main.xaml"><c:Switch Width="1"/><!-- <c:Gone/> --></Application>',
    '',
    { project: { names: { page: ['Main.xaml.cs'] }, typeNames: ['App', 'Switch'] } },
  ],
  ['web.config', '<add name="x" type="A.B.Handler, A" version="4.0"/>', '', { project: { typeNames: ['Handler'] } }],
  ['lerna.json', '{ "packages": ["p/*"] }', '', { project: { packages: ['p/*'] } }],
  [
    'angular.json',
    '{ "projects": { "shop": { "root": "", "projectType": "application", "architect": { "build": { "options": { "browser": "src/main.ts", "outputPath": "dist" } } } } } }',
    '',
    {
      project: {
        names: { options: ['src/main.ts'] },
        projects: [{ kind: 'application', mains: ['src/main.ts'], name: 'shop' }],
      },
    },
  ],
  [
    'wrangler.toml',
    'main = "src/worker.ts" # not.ts\n# main = "old.ts"\nfunctions = "netlify/functions"\n',
    '',
    { project: { loadedFolders: ['netlify/functions'], names: { paths: ['src/worker.ts'] } } },
  ],
  [
    'serverless.yml',
    'functions:\n  a:\n    handler: src/hello.main\n    codeUri: fn/\n',
    '',
    { project: { names: { handler: ['fn/src/hello', 'fn/src/hello.py', 'src/hello', 'src/hello.py'] } } },
  ],
  [
    'knip.json',
    '{ "entry": ["src/*.ts!"], "project": ["src/**/*.ts"], "workspaces": { "a": { "entry": "b/**/*.js" } } }',
    '',
    { project: { patterns: ['b/**/*.js', 'src/*.ts'] } },
  ],
  [
    'project.json',
    '{ "sourceRoot": "libs/a/src", "projectType": "library" }',
    '',
    { project: { isProject: true, projects: [{ kind: 'library' }] } },
  ],
  ['project.json', '{ "targets": {} }', '', { project: { isProject: true } }],
  [
    'settings.gradle',
    "include ':a', ':b:c'\nproject(':a').projectDir = file('x/y')\nproject(':b').projectDir = new File(\"$rootDir/z\")\nproject(':b:c').name = 'd'\nproject(':e').apply {\n projectDir = file('f'); name = 'g'\n}\n",
    '',
    {
      project: {
        folders: { ':a': 'x/y', ':b': 'z', ':e': 'f' },
        include: [':a', ':b:c'],
        names: { ':b:c': 'd', ':e': 'g' },
      },
    },
  ],
  [
    'pyproject.toml',
    '[tool.poetry]\nname = "p"\npackages = [{ include = "q", from = "src" }]\n[tool.poetry.scripts]\na = "p.a:main"\nb = { callable = "p.b:main" }\n[tool.uv.workspace]\nmembers = ["libs/*"]\n[build-system]\n',
    'pypi:p',
    {
      name: 'p',
      packages: [{ from: 'src', include: 'q' }],
      project: { builds: true, commands: { a: 'p.a:main', b: 'p.b:main' }, folders: ['src/q'], members: ['libs/*'] },
    },
  ],
  [
    'setup.cfg',
    '[metadata]\nname: p\n[options]\npackages =\n  a\n  a.b\npy_modules = one\n[options.entry_points]\nconsole_scripts =\n  # why\n  p = a.cli:main\nx.y =\n  z = a.z\n',
    'pypi:p',
    {
      name: 'p',
      project: {
        commands: { p: 'a.cli:main' },
        folders: ['a', 'a/b'],
        modules: ['one'],
        plugins: { 'x.y': { z: 'a.z' } },
      },
    },
  ],
  [
    'Cargo.toml',
    '[workspace]\nexclude = ["x"]\n[[example]]\nname = "e"\n[[bin]]\nname = "b"\npath = "b.rs"\n',
    '',
    {
      binaries: ['b.rs'],
      dependencies: {},
      requires: [],
      project: {
        exclude: ['x'],
        isWorkspace: true,
        targets: [
          { kind: 'bin', name: 'b', path: 'b.rs' },
          { kind: 'example', name: 'e' },
        ],
      },
    },
  ],
  [
    'pubspec.yaml',
    'name: "p" # it\ndescription: >\n  name: no\nworkspace: [a, "b"]\nexecutables:\n  x:\n  y: z\nmelos:\n  packages:\n  - c/**\n',
    'pub:p',
    { name: 'p', project: { executables: { x: 'x', y: 'z' }, melos: ['c/**'], workspace: ['a', 'b'] } },
  ],
  [
    'melos.yaml',
    'packages:\n    - "a/**" # all\nignore:\n  - b\n',
    '',
    { project: { ignore: ['b'], melos: ['a/**'] } },
  ],
  [
    'App.slnx',
    '<Solution><Folder Name="/src/"><Project Path="src\\A\\A.csproj" /></Folder><Project Path="b.shproj" /></Solution>',
    '',
    { project: { projects: ['b.shproj', 'src/A/A.csproj'] } },
  ],
  [
    'CMakeLists.txt',
    `project(p)\nset(D inc src)\ninclude_directories(SYSTEM \${D} \${CMAKE_SOURCE_DIR}/top \${CMAKE_BINARY_DIR})\ntarget_include_directories(\${PROJECT_NAME} PUBLIC $<BUILD_INTERFACE:\${CMAKE_CURRENT_SOURCE_DIR}/api> $<INSTALL_INTERFACE:include>)\ntarget_link_libraries(p PRIVATE a b::c \${LIBS} debug d)`,
    '',
    {
      includes: ['inc', 'src', '/top'],
      linked: { p: { includes: ['./api'], links: ['a', 'b::c', 'd'] } },
      project: { name: 'p' },
    },
  ],
  [
    'pom.xml',
    `<project><groupId>g</groupId><artifactId>a</artifactId><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency><dependency><groupId>\${project.groupId}</groupId><artifactId>b</artifactId></dependency></dependencies></project>`,
    '',
    { dependencies: ['junit:junit'], project: { artifact: 'a', group: 'g' } },
  ],
  [
    'build.gradle',
    "// compile 'no:no:1'\ndependencies {\n implementation 'a.b:c-d:1.+'\n api project(':x:y')\n test group: 'e', name: 'f', version: '1'\n}\n",
    '',
    { dependencies: ['a.b:c-d', 'e:f'] },
  ],
  [
    'gradle/libs.versions.toml',
    '[versions]\nv = "1"\n[libraries]\na = "g:a:1"\nb = { module = "g:b", version.ref = "v" }\nc = { group = "h", name = "c" }\n',
    '',
    { dependencies: ['g:a', 'g:b', 'h:c'] },
  ],
  [
    'composer.lock',
    '{"packages":[{"name":"a/b","autoload":{"psr-4":{"A\\\\B\\\\":"src/","":"x"},"psr-0":{"Old_":"lib"}}}],"packages-dev":[{"name":"c/d","autoload":{"files":["f.php"]}}]}',
    '',
    { prefixes: { 'A\\B': 'a/b', Old: 'a/b' } },
  ],
  [
    'compile_commands.json',
    '[{"directory":"/b","file":"../s/a.c","command":"cc -Iinc -I/x -isystem /z -c"},{"directory":"/b","file":"/s/b.c","arguments":["cc","-iquote","q"]}]',
    '',
    { files: ['/b/../s/a.c', '/s/b.c'], includes: ['/b/inc', '/b/q', '/x', '/z'], project: { compiles: true } },
  ],
  [
    'b.csproj',
    '<Project Sdk="S"><PropertyGroup><OutputType>Exe</OutputType><AssemblyName>$(X)</AssemblyName></PropertyGroup><ItemGroup><ProjectReference Include="..\\a\\a.csproj" /><ProjectReference Include="$(MSBuildThisFileDirectory)..\\c.csproj" /><PackageReference Include="P.Q" Version="1" /><Reference Include="R, Version=1" /></ItemGroup></Project>',
    'dotnet:project',
    {
      sdk: 'S',
      says: [
        { property: 'AssemblyName', value: '$(X)' },
        { refer: '../a/a.csproj' },
        { refer: '../c.csproj', ofFile: true },
        { package: 'P.Q' },
        { package: 'R' },
      ],
      project: { output: 'Exe' },
    },
  ],
  [
    'composer.json',
    '{ "name": "a/b", "require": { "php": ">=8", "e/f": "*" }, "require-dev": { "c/d": "1" }, "type": "library", "bin": "x", "autoload": { "psr-4": { "A\\\\": ["src/", "lib"] }, "files": ["f.php"] }, "repositories": { "l": { "type": "path", "url": "p/*" } } }',
    '',
    {
      requires: ['c/d', 'e/f'],
      project: {
        bin: ['x'],
        files: ['f.php'],
        name: 'a/b',
        packages: ['p/*'],
        roots: { 'A\\': ['src/', 'lib'] },
        type: 'library',
      },
    },
  ],
];

for (const [path, source, scope, content] of [...cases, ...moreCases]) {
  test(`reads ${path}: ${source.slice(0, 20).replaceAll('\n', ' ')}`, () => {
    const facts = configurationFacts(source, dialectOf(path) as Dialect);
    assert.equal(facts?.packageName, scope);
    assert.deepEqual(JSON.parse(facts!.configuration), content);
  });
}

test('broken projects of two megabytes say nothing', () => {
  const hostile = [
    `<${'a'.repeat(2e6)}`,
    `<a ${'b'.repeat(2e6)}>`,
    '<a>'.repeat(4e5) + '</b>'.repeat(2e5),
    `<Import Project="GetPathOfFileAbove(${'a.'.repeat(1e6)}">`,
  ];
  for (const source of hostile) {
    const facts = configurationFacts(source, dialectOf('A.csproj') as Dialect);
    assert.deepEqual(JSON.parse(facts!.configuration), { says: [], sdk: '' });
  }
});

test('no manifest makes reading it take long, or fail, whatever it holds', () => {
  const nested = (open: string, times: number): string => open.repeat(times);
  const hostile: Readonly<Record<string, readonly string[]>> = {
    'package.json': [nested('[', 2e5), `{"exports":${nested('{"a":', 1e5)}`, `{"jest":${nested('[', 2e5)}`],
    'lerna.json': [nested('{"packages":', 1e5)],
    'pom.xml': [
      nested('<a>', 1e5),
      `<module>${'x'.repeat(2e5)}`,
      nested('<![CDATA[', 1e5),
      nested('<mainClass>a', 1e5),
    ],
    'App.sln': [`Project("${'a'.repeat(2e5)}`, nested('Project("{1}") = "a", "b', 5e4), nested('<', 2e5)],
    'settings.gradle': [
      nested("include ':a',", 1e5),
      `include ${nested("':a',", 1e5)}`,
      nested('/*', 2e5),
      nested('"', 2e5),
    ],
    'CMakeLists.txt': [nested('(', 2e5), nested(`set(A \${A} \${A} x)\n`, 1e5), nested('"\\', 2e5), nested('#[[', 1e5)],
    'pubspec.yaml': [
      nested('- ', 2e5),
      nested('a:\n ', 1e5),
      `a: [${nested('"', 2e5)}`,
      nested("'", 2e5),
      nested('a: |\n', 1e5),
    ],
    'composer.json': [nested('{"autoload":', 1e5)],
    'Cargo.toml': [`a = ${nested('[', 1e5)}`, nested('[a.', 1e5), nested('[[bin]]\n', 2e5)],
    'setup.cfg': [nested('[', 2e5), nested('a =\n b\n', 2e5), nested(' ', 2e5)],
  };
  for (const [path, sources] of Object.entries(hostile)) {
    for (const source of sources) {
      const facts = configurationFacts(source, dialectOf(path) as Dialect);
      assert.equal(typeof JSON.parse(facts!.configuration), 'object', path);
    }
  }
});

test('source code tells what it builds and how it is run, in literals', () => {
  const told: readonly (readonly [language: string, source: string, project: unknown])[] = [
    ['python', 'import os\n', undefined],
    ['python', "if __name__ == '__main__':\n    run()\n", { runs: true }],
    [
      'python',
      'from setuptools import setup\nsetup(name="a" "b", packages=find_packages(), version=V, py_modules=["m"], entry_points="""\n  [console_scripts]\n  x = m:main\n""", package_dir={"": f()})\n',
      { setup: { commands: { x: 'm:main' }, findsPackages: true, modules: ['m'], name: 'ab' } },
    ],
    ['python', `from setuptools import setup\nsetup(a=${'['.repeat(1e5)}`, undefined],
    ['ruby', 'puts 1', undefined],
    [
      'ruby',
      "Gem::Specification.new do |s|\n  s.name = 'g'\n  # s.name = 'no'\n  s.executables = %w[a b]\nend\n",
      { commands: ['a', 'b'], gem: 'g' },
    ],
    ['kotlin', 'package a\ninclude(":x")\n', undefined],
    [
      'kotlin',
      '/* include(":no") */\ninclude(":x", ":y")\nval u = "http://z" // include(":n")\n',
      { include: [':x', ':y'] },
    ],
    ['go', 'package main', undefined],
    [
      'php',
      "<?php foreach (glob(__DIR__ . '/parts/*.php') as $one) require $one;",
      { loadedFolders: ['./parts/*.php'] },
    ],
    ['php', "<?php $all = PhpCsFixer\\Finder::create()->in(__DIR__ . '/src');", undefined],
    ['typescript', "const a = { entry: './a.ts' }", undefined],
    [
      'javascript',
      "module.exports = { entry: { a: './a', b: path.join(x, 'src/b.js'), /* './c' */ }, setupFiles: ['d', '<rootDir>/e'], 'input': {}, output: './h' }",
      { names: { entry: ['./a', 'src/b.js'], setupFiles: ['./e'] } },
    ],
    [
      'typescript',
      `export default defineConfig({ context: __dirname + '/web', entry: ['./a', 'b/*.ts'], alias: { x: path.join(__dirname, 'c', 'd.ts') } });
      import e from './e.ts'; const stories = { stories: [{ directory: '../f', files: '*.g.tsx' }, { directory: '../h' }, '../i/*.mdx'] }`,
      {
        loads: ['./c/d.ts'],
        names: { entry: ['./a', './web/./a'], paths: ['./c/d.ts'] },
        patterns: ['b/*.ts'],
        stories: ['../f/**/*.g.tsx', '../h', '../i/*.mdx'],
      },
    ],
    [
      'typescript',
      "export default defineConfig({ test: { coverage: { exclude: ['lib/a.ts', /* , */ ...b, 'c.ts'] }, setup: 'lib/d.ts' } });",
      { names: { paths: ['lib/d.ts'] } },
    ],
    [
      'javascript',
      `import(\`./a/\${n}.js\`); import('./b/' + n); require(path.join(__dirname, 'c', n)); require.context('./d', true); import(\`@/e/\${n}.vue\`);
      new Worker(path.resolve(__dirname, './f.js')); fork('./g.js'); import(n); import('./h.js'); import(\`\${n}/i\`);`,
      {
        globs: [
          ['./a/*.js', './a/*.ts'],
          ['./b/*.*', './b/*/index.*', './b/**'],
          ['/**/e/*.vue.*', '/**/e/*.vue/index.*'],
          ['./c/*.*', './c/*/index.*', './c/**'],
          ['./d/**'],
        ],
        loads: ['./f.js', './g.js'],
      },
    ],
    [
      'typescript',
      `new Worker(new URL(\`./threads/\${name}.js\`, import.meta.url)); new URL(\`./\${page}\`, import.meta.url); new URL(\`https://a.b/\${n}.js\`);`,
      { globs: [['./threads/*.js', './threads/*.ts']] },
    ],
    [
      'typescript',
      "const source = new DataSource({ migrations: ['dist/m/*.js'], entities: [User] });",
      { globs: [['dist/m/*.js', '/dist/m/*.js', 'src/m/*.ts', '/src/m/*.ts', 'dist/m/*.ts', '/dist/m/*.ts']] },
    ],
    [
      'javascript',
      "require('esbuild').build({ entryPoints: ['src/a.ts', 'src/b/*.ts'] });",
      { builds: ['src/b/*.ts'], loads: ['src/a.ts'] },
    ],
    ['typescript', `export default { ${'entry: ['.repeat(1e4)}`, undefined],
    ['typescript', `export default { ${'test: {'.repeat(1e4)}`, { tests: { open: ['include'] } }],
    [
      'typescript',
      "export default { 'test': { root, coverage: { include: ['no'] }, // include: ['no']\n 'include': ['a/*.ts', `b.ts`] }, roots: ['a', f()], testRegex: /(a+)+/ }",
      {
        names: { paths: ['b.ts'] },
        tests: { include: ['a/*.ts', 'b.ts'], open: ['roots'], roots: ['a'], testRegex: true },
      },
    ],
    ['typescript', `export default { entry: ${'/*'.repeat(4e4)}`, undefined],
  ];
  for (const [language, source, project] of told) {
    const configuration = sourceConfiguration(source, language);
    assert.deepEqual(
      configuration === '' ? undefined : JSON.parse(configuration).project,
      project,
      source.slice(0, 60),
    );
  }
});

test('a file of Python tells what linking needs of it beside what it builds', () => {
  const told: readonly (readonly [source: string, content: unknown])[] = [
    ['__import__("pkg_resources").declare_namespace(__name__)\n', { isNamespace: true }],
    ['from pkgutil import extend_path\n__path__ = extend_path(__path__, __name__)\n', { isNamespace: true }],
    [
      'from setuptools import setup\nsetup(name="a", package_dir={"": "python"})\n',
      { packageDir: { '': 'python' }, project: { setup: { name: 'a' } } },
    ],
  ];
  for (const [source, content] of told)
    assert.deepEqual(JSON.parse(sourceConfiguration(source, 'python')), content, source);
});

test('equal content in another order is the same configuration', () => {
  const [one, other] = [
    '{ "name": "x", "exports": { "b": "1", "a": "2" } }',
    '{"exports":{"a":"2","b":"1"},"name":"x"}',
  ];
  const read = (text: string) => configurationFacts(text, 'package.json' as Dialect)?.configuration;
  assert.equal(read(one), read(other));
});

test('a dialect comes from the name, the extension, or the first line', () => {
  const expected: Readonly<Record<string, string>> = {
    'a/b.ts': 'typescript',
    'a/b.d.mts': 'typescript',
    'a.tsx': 'tsx',
    'a.cjs': 'javascript',
    'x/tsconfig.json': 'tsconfig',
    'jsconfig.dev.json': 'tsconfig',
    'data.json': '',
    constructor: '',
    '.ts': 'typescript',
    'a.toString': '',
  };
  for (const [path, dialect] of Object.entries(expected)) assert.equal(dialectOf(path), dialect, path);
  assert.equal(dialectOf('bin/tool', '#!/usr/bin/env node'), 'javascript');
  assert.equal(dialectOf('bin/tool', '#!/usr/bin/python3 -u'), 'python');
  assert.equal(dialectOf('bin/tool', 'node'), '');
  const ofBytes = (path: string, text: string) => dialectOfFile(path, new TextEncoder().encode(text));
  assert.equal(ofBytes('bin/tool', '#!/usr/bin/env node\n1'), 'javascript');
  assert.equal(ofBytes('config/base.json', '{ "compilerOptions": {} }'), 'tsconfig');
  assert.equal(ofBytes('config/base.json', '{ "options": {} }'), '');
  assert.equal(ofBytes('base.txt', '{ "compilerOptions": {} }'), '');
  assert.equal(ofBytes('data.json', `{ "compilerOptions": {}, "x": "${'y'.repeat(40_000)}" }`), '');
});
