import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialectOf } from '../../../daemon/extract/dialect.ts';
import { configurationFacts } from '../../../daemon/extract/manifest.ts';
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
    '{ "version": "1", "name": "@x/a", "main": "dist/a.js" }',
    'npm:@x/a',
    { main: 'dist/a.js', name: '@x/a' },
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

for (const [path, source, scope, content] of cases) {
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
});
