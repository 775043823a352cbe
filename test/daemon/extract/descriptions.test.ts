import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredModules, modulesFileProblems } from '../../../daemon/extract/manifests/declared-modules.ts';
import { manifestDescription } from '../../../daemon/extract/manifests/description.ts';
import { yamlText } from '../../../daemon/extract/manifests/yaml-text.ts';

const manifests: readonly (readonly [path: string, source: string, expected: string | undefined])[] = [
  ['a/package.json', '{ "name": "a",\n "description": " Reads\\n files. " }', '1: Reads files.'],
  ['package.json', '{ "description": 3 }', undefined],
  ['package.json', '{ broken', undefined],
  ['composer.json', '{\n"description": "Reads."\n}', '1: Reads.'],
  ['project.json', '{ "metadata": { "description": "Reads." } }', '0: Reads.'],
  ['Cargo.toml', '[package]\nname = "a"\ndescription = """\nReads\nfiles."""', '3: Reads files.'],
  ['Cargo.toml', '[package]\ndescription.workspace = true\n', undefined],
  ['Cargo.toml', '[package\n', undefined],
  ['pyproject.toml', '[project]\ndescription = "Reads."\n', '1: Reads.'],
  ['pyproject.toml', '[tool.poetry]\ndescription = "Reads."\n', '1: Reads.'],
  ['setup.cfg', '[options]\nx = 1\n[metadata]\nname = a\ndescription = Reads.\n', '4: Reads.'],
  ['setup.cfg', '[metadata]\nname = a\n[other]\ndescription = Reads.\n', undefined],
  ['setup.py', 'setup(\n  name="a",\n  description=("Reads "\n    \'files.\'),\n)', '2: Reads files.'],
  ['setup.py', 'setup(description=read("x"))', undefined],
  [
    'pom.xml',
    '<project>\n<parent><description>No</description></parent>\n<description>Reads\n files.</description></project>',
    '2: Reads files.',
  ],
  ['pom.xml', `<project><description>$\{x}</description></project>`, undefined],
  ['A.csproj', '<Project><PropertyGroup>\n<Description>Reads.</Description></PropertyGroup></Project>', '1: Reads.'],
  ['pubspec.yaml', 'name: a\ndescription: >-\n  Reads\n  files.\nversion: 1\n', '2: Reads files.'],
  ['a.gemspec', 'Gem::Specification.new do |s|\n  s.summary = "Reads."\n  s.description = "More."\nend', '1: Reads.'],
  ['a.gemspec', 's.description = <<~TEXT\n  Reads\n  files.\nTEXT\n', '1: Reads files.'],
  ['a.gemspec', 's.summary = "#{name} reads."\n', undefined],
  ['a.gemspec', 's.summary = %q{Reads.}\n', '0: Reads.'],
  ['build.gradle', "plugins {}\ndescription = 'Reads.'\n", '1: Reads.'],
  ['build.gradle.kts', 'description = "Reads $x"\n', undefined],
  ['CMakeLists.txt', 'project(a VERSION 1\n  DESCRIPTION "Reads.")\n', '1: Reads.'],
  ['go.mod', 'module a\n', undefined],
];

test('a manifest says what its package is in the field that it has for that', () => {
  for (const [path, source, expected] of manifests) {
    const found = manifestDescription(path, source);
    assert.equal(found && `${found.line}: ${found.text}`, expected, `${path}: ${source}`);
  }
});

const yaml: readonly (readonly [source: string, keys: readonly string[], expected: string | undefined])[] = [
  ['a: x # no\nb: y', ['a'], 'x'],
  ['a: x\n  more\nb: y', ['a'], 'x more'],
  ['a: "x: \\"y\\""', ['a'], 'x: "y"'],
  ["a: 'it''s'", ['a'], "it's"],
  ['a: |\n  x\n\n  y\nb: z', ['a'], 'x\n\ny'],
  ['# c\na:\n  c: no\n  b: x\n', ['a', 'b'], 'x'],
  ['a:\n  c:\n    b: no\n', ['a', 'b'], undefined],
  ['a:\n  - x\n', ['a'], undefined],
  ['a: [x]\n', ['a'], undefined],
  ['a:\nb: x', ['a'], undefined],
  ['', ['a'], undefined],
];

test('a text of YAML is found by its keys', () => {
  for (const [source, keys, expected] of yaml) assert.equal(yamlText(source, keys), expected, source);
});

const declarations: readonly (readonly [path: string, source: string, expected: readonly (readonly string[])[]])[] = [
  [
    'a/catalog-info.yaml',
    'kind: Component\nmetadata:\n  name: a\n  description: |\n    Reads files.\n',
    [['.', 'Reads files.']],
  ],
  ['catalog-info.yml', 'metadata:\n  name: a\n', []],
  ['opslevel.yml', 'version: 1\nservice:\n  description: Reads.\n', [['.', 'Reads.']]],
  ['cortex.yaml', 'info:\n  title: a\n  description: Reads.\n', [['.', 'Reads.']]],
  ['service.datadog.yaml', 'schema-version: v2\ndescription: Reads.\n', [['.', 'Reads.']]],
  [
    'MODULES.toml',
    '[[module]]\npath = "a"\nresponsibility = "Reads."\ncapabilities = ["read", "look"]\n[[module]]\nid = "b"\n[modules.c]\nsummary = "Writes."\n',
    [
      ['a', 'Reads.', 'read', 'look'],
      ['c', 'Writes.'],
    ],
  ],
  ['MODULES.toml', 'broken [', []],
  ['other.yaml', 'metadata:\n  description: Reads.\n', []],
];

test('files that are there for it say what modules are', () => {
  for (const [path, source, expected] of declarations) {
    const found = declaredModules(path, source).map(one => [one.path, one.summary, ...one.capabilities]);
    assert.deepEqual(found, expected, path);
  }
});

test('what of a list of modules does not count is told', () => {
  const isHere = (path: string): boolean => path === 'a';
  const rows: readonly (readonly [source: string, problems: readonly string[]])[] = [
    ['[[module]]\npath = "a"\nsummary = "Reads."\n', []],
    ['a = 1\nbroken [', ['is no TOML (line 2): no module is described by it']],
    ['[[moduel]]\npath = "a"\nsummary = "Reads."\n', ['lists no [[module]]']],
    [
      '[[module]]\nsummary = "Reads."\n[[module]]\npath = "a"\n',
      ['names no path for its module 1', 'has no summary for "a"'],
    ],
    ['[modules.b]\nsummary = "Reads."\n', ['describes "b", which is not there']],
  ];
  for (const [source, problems] of rows) assert.deepEqual(modulesFileProblems(source, isHere), problems, source);
});
