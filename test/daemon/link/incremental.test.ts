import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../daemon/link/linker.ts';
import { touchedQuestions } from '../../../daemon/link/questions.ts';
import { gatherTouched } from '../../../daemon/link/touched.ts';
import type { MountedDocument } from '../../../daemon/model/document.ts';
import type { AskedQuestion, DocumentLinks } from '../../../daemon/model/links.ts';
import { mount } from '../../../daemon/model/mount.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import type { QuestionKey } from '../../../daemon/model/question.ts';
import { allGroups, asImporter, type ReferenceGroups } from '../../../daemon/model/reference-groups.ts';
import { manifestOf, mountFile } from '../../support/linked-tree.ts';

/**
 * The property that incremental linking rests on: after any edit, linking anew only the changed documents and those that
 * had asked a touched question gives the links that linking everything anew gives.
 */
test('relinking the askers of touched questions equals linking everything', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = randomNumbers(seed);
    let tree = new Map<string, MountedDocument>();
    let links = new Map<string, DocumentLinks>();
    for (let step = 0; step < 25; step++) {
      const next = await edited(tree, random, step === 0 ? 14 : 1 + Math.floor(random() * 3));
      links = relinked(tree, next, links);
      tree = next;
      const fresh = linkAll(tree, [...tree.keys()].reverse());
      assert.deepEqual(sorted(links), sorted(fresh), `seed ${seed}, step ${step}`);
    }
  }
});

test('relinking the askers of touched questions equals linking everything, through globs of Rust', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = randomNumbers(seed);
    const user = 'use crate::X; use crate::*; fn f(x: X, y: Y) { X(); Y(); crate::a::Y(); inner::X; Err(Y) }\n';
    let tree = new Map([['user.rs', await mounted('user.rs', user)]]);
    let links = linkAll(tree, ['user.rs']);
    for (let step = 0; step < 40; step++) {
      const path = ['lib.rs', 'a.rs', 'b.rs'][Math.floor(random() * 3)]!;
      const next = new Map([...tree, [path, await mounted(path, globContent(path, random))]]);
      links = relinked(tree, next, links);
      tree = next;
      assert.deepEqual(sorted(links), sorted(linkAll(tree, [...tree.keys()])), `seed ${seed}, step ${step}`);
    }
  }
});

test('an edit of a body touches no question, a new export touches its own', async () => {
  const before = await mounted('a.ts', 'export function f(): A { return 1; }\nexport interface A { x: B }\n');
  const body = await mounted('a.ts', '// moved\nexport function f(): A { return 2; }\nexport interface A { x: B }\n');
  const more = await mounted(
    'a.ts',
    'export function f(): A { return 1; }\nexport interface A { x: C }\nexport const n = 1;\n',
  );
  assert.deepEqual([...touchedQuestions(before, body, undefined)], []);
  assert.deepEqual(
    [...touchedQuestions(before, more, undefined)].map(key => key.replaceAll('\0', ' ')),
    ['export a.ts n', 'member a.ts A# x', 'member a.ts  n'],
  );
});

test('what a file uses for all touches who asks below each folder around it, and another name what is handed on', async () => {
  const touched = async (before: string, after: string): Promise<string[]> => {
    const [one, other] = [await mounted('a/b.cs', before), await mounted('a/b.cs', after)];
    return [...touchedQuestions(one, other, undefined)].map(key => key.replaceAll('\0', ' '));
  };
  assert.deepEqual(await touched('', 'global using N;\n'), ['export a/b.cs *', 'globals a', 'globals ']);
  assert.deepEqual(await touched('global using N;\n', 'global using M;\n'), ['export a/b.cs *']);
  assert.deepEqual(await touched('global using A = N.X;\n', 'global using B = N.X;\n'), [
    'export a/b.cs A',
    'export a/b.cs B',
    'export a/b.cs *',
  ]);
  assert.deepEqual(await touched('global using N;\n', 'global using N; using M;\n'), []);
});

type Tree = ReadonlyMap<string, MountedDocument>;

function relinked(before: Tree, after: Tree, links: ReadonlyMap<string, DocumentLinks>): Map<string, DocumentLinks> {
  const groupsThatAsked = (questions: Iterable<QuestionKey>): ReadonlyMap<string, ReferenceGroups> => {
    const sought = new Set(questions);
    const found = new Map<string, ReferenceGroups>();
    for (const [path, { questions }] of links) {
      for (const { question, groups } of questions) {
        if (sought.has(question.key)) found.set(path, groups | (found.get(path) ?? 0));
      }
    }
    return found;
  };
  const touched = gatherTouched({
    askersOf: questions => groupsThatAsked(questions).keys(),
    document: path => after.get(path),
  });
  const changed = new Map<string, ReferenceGroups>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) continue;
    changed.set(path, allGroups);
    touched.add({ path, before: old, after: now, cameOrWent: old === undefined || now === undefined });
  }
  const again = new Map([...groupsThatAsked(touched.questions()), ...changed]);
  const linker = createLinker(manifestOf(after.values()));
  const result = new Map<string, DocumentLinks>();
  for (const path of after.keys()) {
    const groups = again.get(path);
    if (groups === undefined) result.set(path, links.get(path)!);
    else result.set(path, inPlaceOf(links.get(path), linker.link(path, groups)));
  }
  return result;
}

/** What is linked of some groups takes the place of what it was. */
function inPlaceOf(before: DocumentLinks | undefined, now: DocumentLinks): DocumentLinks {
  if (now.linked === allGroups) return now;
  const targets = now.targets.map((target, at) => (target.kind === 'kept' ? before!.targets[at]! : target));
  const questions = new Map<QuestionKey, AskedQuestion>();
  for (const { question, groups } of before!.questions) {
    const isStill = groups & ~now.linked;
    if (isStill !== 0) questions.set(question.key, { question, groups: isStill });
  }
  for (const { question, groups } of now.questions) {
    questions.set(question.key, { question, groups: groups | (questions.get(question.key)?.groups ?? 0) });
  }
  const { imports } = (now.linked & asImporter) === 0 ? before! : now;
  return { targets, imports, questions: [...questions.values()], linked: allGroups };
}

function linkAll(tree: Tree, order: readonly string[]): Map<string, DocumentLinks> {
  const linker = createLinker(manifestOf(tree.values()));
  return new Map(order.map(path => [path, linker.link(path)]));
}

interface Comparable extends Pick<DocumentLinks, 'targets' | 'imports'> {
  readonly questions: readonly string[];
}

/** Questions come in no order. */
function sorted(links: ReadonlyMap<string, DocumentLinks>): [string, Comparable][] {
  const inOrder = [...links].map(([path, { targets, imports, questions }]): [string, Comparable] => [
    path,
    { targets, imports, questions: questions.map(({ question, groups }) => `${question.key} ${groups}`).sort() },
  ]);
  return inOrder.sort(([a], [b]) => (a < b ? -1 : 1));
}

const paths = ['a.ts', 'b.ts', 'c.ts', 'd/index.ts', 'd/e.ts', 'lib/src/f.ts', 'lib/src/index.ts', 'g.js', 'env.d.ts'];
const goPaths = ['go/main.go', 'go/p/a.go', 'go/p/b.go', 'go/q/c.go', 'go/q/d.go'];
const cPaths = ['c/a.c', 'c/a.h', 'c/b.cpp', 'c/b.h', 'c/inc/a.h', 'c/inc/d.h'];
const rustPaths = [
  'rs/src/lib.rs',
  'rs/src/a.rs',
  'rs/src/a/b.rs',
  'rs/src/c/mod.rs',
  'rs/src/main.rs',
  'rs/tests/d.rs',
];
const rubyPaths = ['ruby/lib/a.rb', 'ruby/lib/b.rb', 'ruby/c.rb', 'ruby/d.rb', 'ruby/test/e_test.rb'];
const jvmPaths = [
  'a/src/main/java/p/A.java',
  'a/src/main/java/q/B.java',
  'a/src/test/java/p/ATest.java',
  'b/src/main/kotlin/p/C.kt',
  'b/src/main/kotlin/q/D.kt',
  'b/src/main/kotlin/E.kt',
];
const dartPaths = ['dart/lib/a.dart', 'dart/lib/src/b.dart', 'dart/lib/src/c.dart', 'dart/test/d_test.dart'];
const csharpPaths = ['cs/A.cs', 'cs/B.cs', 'cs/p/C.cs', 'cs/p/D.cs', 'cs/p/q/E.cs'];
const projectBodies = [
  '<PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>',
  '<ItemGroup><Using Include="N;M" /><Using Include="N.X" Static="true" /></ItemGroup>',
  '<ItemGroup><Using Include="N.M.X" Alias="G" /><Using Remove="N" /></ItemGroup>',
  '<ItemGroup><Compile Include="../*.cs" /><Compile Remove="q/**" /></ItemGroup>',
  '<Import Project="../Directory.Build.props" />',
  '<ItemGroup><ProjectReference Include="q/Q.csproj" /><PackageReference Include="P" /></ItemGroup>',
].map(one => `<Project Sdk="Microsoft.NET.Sdk">${one}</Project>`);
const pythonPaths = ['py/a/__init__.py', 'py/a/b.py', 'py/a/c/__init__.py', 'py/a/c/b.py', 'py/d.py', 'py/setup.py'];
const phpPaths = ['php/A.php', 'php/B.php', 'php/C.php', 'php/d.php'];
const configurations: Readonly<Record<string, readonly string[]>> = {
  'tsconfig.json': [
    '{}',
    '{"compilerOptions":{"paths":{"@/*":["./*"]}}}',
    '{"compilerOptions":{"paths":{"@/*":["d/*"]}}}',
  ],
  'lib/package.json': ['{"name":"lib"}', '{"name":"lib","main":"src/f.ts"}', '{"name":"other"}'],
  'twin/package.json': ['{"name":"lib","main":"../a.ts"}', '{"name":"twin"}', '{"name":"other","main":"../b.ts"}'],
  'rs/Cargo.toml': [
    '[package]\nname = "own"',
    '[package]\nname = "other"',
    '[package]\nname = "own"\n[lib]\npath = "src/a.rs"',
  ],
  'dart/pubspec.yaml': ['name: d\n', 'name: other\n'],
  'cs/p/P.csproj': projectBodies,
  'cs/p/q/Q.csproj': projectBodies,
  'cs/Directory.Build.props': projectBodies.slice(0, 3),
  'go/go.mod': ['module example.com/m\n', 'module example.com/n\n'],
  'go/q/go.mod': ['module example.com/m/q\n', 'module example.com/q\n'],
};

async function edited(tree: Tree, random: () => number, edits: number): Promise<Map<string, MountedDocument>> {
  const next = new Map(tree);
  for (let edit = 0; edit < edits; edit++) {
    const all = [
      ...paths,
      ...goPaths,
      ...rubyPaths,
      ...rustPaths,
      ...cPaths,
      ...dartPaths,
      ...jvmPaths,
      ...csharpPaths,
      ...phpPaths,
      ...pythonPaths,
      ...Object.keys(configurations),
    ];
    const path = all[Math.floor(random() * all.length)]!;
    const from = goPaths[Math.floor(random() * goPaths.length)]!;
    const chance = random();
    const moved = goPaths.includes(path) && from !== path ? next.get(from) : undefined;
    if (chance < 0.15) next.delete(path);
    else if (chance < 0.3 && moved !== undefined) {
      next.delete(from);
      next.set(path, mount(path as RepoPath, moved.facts));
    } else next.set(path, await mounted(path, randomContent(path, random)));
  }
  return next;
}

async function mounted(path: string, source: string): Promise<MountedDocument> {
  return (await mountFile(path, source))!;
}

function randomContent(path: string, random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  if (Object.hasOwn(configurations, path)) return one(configurations[path]!);
  if (path.endsWith('.go')) return goContent(random);
  if (/\.(?:java|kt)$/.test(path)) return jvmContent(path, random);
  if (path.endsWith('.cs')) return csharpContent(random);
  if (path.endsWith('.php')) return phpContent(random);
  if (path.endsWith('.py')) return pythonContent(random);
  if (path.endsWith('.dart')) return dartContent(random);
  if (path.endsWith('.rb')) return rubyContent(random);
  if (path.endsWith('.rs')) return rustContent(random);
  if (/\.(?:c|h|cpp)$/.test(path)) return cContent(random);
  const prefix = path.startsWith('lib/') ? '../../' : path.startsWith('d/') ? '../' : './';
  const module = (): string =>
    one(['a', 'b', 'c', 'd', 'd/e', 'lib/src/f', 'g'].map(name => prefix + name).concat('@/a', '@/e', 'lib', 'react'));
  const name = (): string => one(['x', 'y', 'z', 'T', 'U']);
  const lines: (() => string)[] = [
    () => `import { ${name()} as ${name()}${Math.floor(random() * 9)} } from '${module()}';`,
    () => `import * as ns${Math.floor(random() * 9)} from '${module()}';`,
    () => `export * from '${module()}';`,
    () => `export { ${name()} } from '${module()}';`,
    () => `export { ${name()} as ${name()} } from '${module()}';`,
    () => `import { ${name()} } from '${module()}'; export const v = ${name()}.${name()}.${name()};`,
    () => `export class ${name()} extends ${name()} { ${name()}!: ${name()}; ${name()}() { return this.${name()}; } }`,
    () => `export interface ${name()}<A> { ${name()}: A; ${name()}: ${name()}<A>; <B>(b: B): ${name()}<A> }`,
    () => `export const ${name()}: ${name()}<${name()}<${name()}>> = a => a.${name()}.${name()};`,
    () => `export interface ${name()} { ${name()}: ${name()}[]; ${name()}(a: ${name()}): ${name()} }`,
    () => `export function ${name()}(a: ${name()}) { return a.${name()} ?? ${name()}(a); }`,
    () => `import { ${name()} } from '${module()}'; new ${name()}().${name()}().${name()};`,
    () => `for (const a of ${name()}) a.${name()}; ${name()}(b => b.${name()}); ${name()}({ x: 1, y: { z: 2 } });`,
    () => `export const ${name()} = ${name()}.${name()};`,
    () => `declare const ${name()}: ${name()}; ${name()}.${name()};`,
    () => `declare module 'react' { export interface ${name()} { ${name()}: ${name()} } }`,
    () => `module.exports = require('${module()}');`,
    () => `export * from '${module()}';\nexport * from '${module()}';\nexport * from '${module()}';`,
    () => `function n(a: ${name()}) { if (a instanceof ${name()}) a.${name()}; else a.${name()}.${name()}; }`,
    () => `export type ${name()} = ${name()} | ${name()}[];`,
  ];
  return `${Array.from({ length: 2 + Math.floor(random() * 6) }, () => one(lines)()).join('\n')}\n`;
}

/** Packages go over folders and languages; a class has functions of one name, a file of Kotlin extensions. */
function jvmContent(path: string, random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['X', 'Y', 'Z']);
  const member = (): string => one(['f', 'g', 'h']);
  const several = (lines: readonly (() => string)[]): string =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(lines)()).join('\n');
  const home = one(['p', 'q']);
  const imported = `${one(['p', 'q'])}.${one([name(), '*'])}`;
  if (path.endsWith('.java')) {
    const file = (): string => one(['F', 'CKt', 'DKt']);
    const inner: readonly (() => string)[] = [
      () => `${name()} ${member()} = ${file()}.${member()}(new ${name()}());`,
      () => `${name()} ${member()};`,
      () => `${name()} ${member()}() { return new ${name()}().${member()}(${one(['', '1', '"a"'])}).${member()}; }`,
      () => `static ${name()} ${member()}(${one(['int n', 'String s', 'Object... o'])}) { return ${member()}(); }`,
      () => `enum K { ${member()}; ${name()} x = ${name()}.${member()}(1); }`,
    ];
    const body = several(inner);
    const ofFile = `${one(['p', 'q'])}.${file()}`;
    const other = one([`import ${ofFile};`, `import static ${ofFile}.${member()};`, '']);
    return `package ${home};\nimport ${imported};\n${other}\nclass ${name()} extends ${name()} {\n${body}\n}\n`;
  }
  const lines: readonly (() => string)[] = [
    () =>
      `open class ${name()}(val ${member()}: ${name()}) : ${name()}() { fun ${member()}() = ${member()}.${member()} }`,
    () => `fun ${name()}.${member()}(n: Int = 1): ${name()} = apply { ${member()}() }`,
    () => `fun ${member()}(x: ${name()}, make: ${name()}.() -> ${name()}) = x.${member()}().let { it.${member()} }`,
    () => `val ${name()}.${member()} get() = ${name()}.${member()}`,
    () => `class ${name()} { companion object { fun ${member()}() = ${name()}() } }`,
  ];
  const named = one(['', '', '@file:JvmName("F")\n']);
  return `${named}package ${home}\nimport ${imported}\n${several(lines)}\n`;
}

/** Types by namespaces and in parts, functions of one name, extensions. */
function csharpContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const type = (): string => one(['X', 'Y', 'Z', 'N.X', 'N.M.Y', 'X<Z>', 'G']);
  const name = (): string => one(['f', 'g', 'h', 'X']);
  const takes = (): string => one(['', 'int a', 'string s', 'object o, int b = 1', 'params Y[] all', `${type()} x`]);
  const inner: (() => string)[] = [
    () => `public ${type()} ${name()};`,
    () =>
      `public ${type()} ${name()}(${takes()}) { var v = new ${type()}().${name()}(1); v.${name()}.${name()}(v); return v; }`,
    () => `class ${one(['X', 'Y'])} : ${type()} { void h() { ${name()}("s"); base.${name()}(); X.${name()}(); } }`,
  ];
  const types: (() => string)[] = [
    () => `partial class ${one(['X', 'Y', 'Z', 'X<T>'])} : ${type()} { ${one(inner)()} ${one(inner)()} }`,
    () =>
      `static class ${one(['E', 'F'])} { public static ${type()} ${name()}(this ${type()} x, int y = 0) => x.${name()}(); }`,
    () => `namespace ${one(['M', 'N'])} { using ${one(['N', 'N.M'])}; enum ${one(['Y', 'Z'])} { f, g } }`,
  ];
  const used = [`using ${one(['N', 'N.M', 'M', 'System'])};`, `using static ${one(['X', 'N.X'])};`, 'using A = N.M.X;'];
  const forAll = ['', `global using ${one(['N', 'N.M', 'M'])};\n`, `global using static ${one(['X', 'N.X'])};\n`];
  const given = one([...forAll, `global using ${one(['G', 'H'])} = ${one(['N.M.X', 'X<N.Y>'])};\n`]);
  return `${given}${one(used)}\nnamespace ${one(['N', 'M', 'N.M'])} { ${one(types)()} ${one(types)()} }\n${one(types)()}\n`;
}

function phpContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const type = (): string => one(['X', 'Y', 'Z', 'x', 'M\\X', '\\N\\Y', '\\n\\y', 'self']);
  const name = (): string => one(['f', 'g', 'h', 'F']);
  const inner: (() => string)[] = [
    () => `use ${one(['X', 'T'])}; const K = ${type()}::K;`,
    () => `public ?${type()} $${name()};`,
    () => `/** @return ${type()}[] */ function ${name()}() { return $this->${name()}()[0]->${name()}; }`,
    () =>
      `function ${name()}(${type()} $a): ${one(['static', type()])} { parent::${name()}(); $b = $a->${name()}(); $b->${name()}(K); }`,
  ];
  const lines: (() => string)[] = [
    () => `${one(['class', 'trait'])} ${one(['X', 'Y', 'T', 'x'])} { ${one(inner)()} ${one(inner)()} }`,
    () => `class ${one(['Y', 'Z'])} extends ${type()} { ${one(inner)()} }`,
    () => `function ${name()}(${type()} $x) { foreach ($x->${name()} as $y) $y->${name()}(); return ${name()}($x); }`,
    () => `const K = ${name()}(new ${type()}());`,
  ];
  const used = [
    '',
    'use N\\X;',
    'use N\\M as A, function N\\f;',
    'use M\\{X as Y, const K};',
    'use N\\M;',
    "require 'B.php';",
  ];
  return `<?php\nnamespace ${one(['N', 'M', 'N\\M'])};\n${one(used)}\n${one(lines)()}\n${one(lines)()}\n`;
}

function pythonContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['b', 'c', 'x', 'y']);
  const lines: (() => string)[] = [
    () => `from . import ${name()}, ${name()}`,
    () => `from ${one(['.b', '..', 'a', 'a.c', 'a.b', 'd'])} import ${one([name(), '*'])}`,
    () => `import ${one(['a.b', 'a.c', 'a', 'd', 'os.path'])}`,
    () => `${name()} = a.b.${name()}`,
  ];
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${one(lines)()}\n`).join('');
}

/** The package clause is part of a Go file's scope. */
function goContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['X', 'Y', 'Z']);
  const place = one(['m/p', 'm/q', 'n/p', 'n/q', 'q']);
  const lines: (() => string)[] = [
    () => `type ${name()} struct { ${name()} *${name()}; F${name()} p.${name()} }`,
    () => `func (x *${name()}) M${name()}() *${name()} { return x.${name()} }`,
    () => `func ${name()}() p.${name()} { return p.${name()}{} }`,
    () => `func f() { p.${name()}().${name()}.M${name()}(); ${name()}() }`,
    () => `var ${name()} = p.${name()}`,
    () => `type ${name()}[T any] struct { t []T }; func (x *${name()}[T]) M${name()}() T { return x.t[0] }`,
    () => `func ${name()}[T any](x T) T { return x }`,
    () => `func g(x *p.${name()}[${name()}]) { x.M${name()}().M${name()}(); p.${name()}(x).M${name()}() }`,
  ];
  const body = Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(lines)());
  return `package ${one(['p', 'q'])}\nimport p "example.com/${place}"\n${body.join('\n')}\n`;
}

/** Classes are open: any file may add to any. */
function rubyContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const type = (): string => one(['A', 'B', 'C', 'M', 'N', 'M::A', 'N::B']);
  const name = (): string => one(['x', 'y', 'each', 'new', 'initialize']);
  const inner: (() => string)[] = [
    () => `include ${one(['M', 'N', 'A'])}`,
    () => `extend ${one(['M', 'N', 'self'])}`,
    () => 'module_function',
    () => `def ${name()}; @v = ${type()}.new; ${name()}; super; end`,
    () => `def self.${name()}; @v.${name()}; ${type()}.${name()}; end`,
    () => `attr_accessor :v, :${name()}`,
    () => `K = ${type()}`,
    () => `def z; K.${name()}; @v; v.${name()}; unknown.each { |e| e.${name()}.only }; end`,
    () => `def ${one(['run', 'self.run', 'only'])}(&b); ${type()}.${one(['class_eval', 'run'])}(&b); end`,
  ];
  const lines: (() => string)[] = [
    () => `class ${type()} < ${type()}; ${one(inner)()}; ${one(inner)()}; end`,
    () => `module ${one(['M', 'N'])}; ${one(inner)()}; class ${one(['A', 'B'])}; ${one(inner)()}; end; end`,
    () => `def ${name()}; ${type()}.new.${name()}; end`,
    () => `$g = ${type()}.new; $g.${name()}`,
    () => `P = Struct.new(:x) do; ${one(inner)()}; end`,
    () => `describe ${type()} do; let(:${name()}) { described_class.new }; it { ${name()}.only; ${name()}; @v }; end`,
    () => `${type()}.run { run { ${name()}; only } }`,
  ];
  return `${Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(lines)()).join('\n')}\n`;
}

function rustContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['X', 'Y', 'Z']);
  const module = (): string => one(['crate::a', 'crate::a::b', 'crate', 'super', 'self::c', 'own', 'own::a', 'a']);
  const visibility = (): string => one(['pub ', 'pub ', 'pub(crate) ', '']);
  const lines: (() => string)[] = [
    () => `pub mod ${one(['a', 'b', 'c'])};`,
    () => `pub use ${module()}::${name()};`,
    () => `use ${module()}::*;`,
    () => `pub struct ${name()} { pub f: ${name()}, pub g: Vec<${module()}::${name()}> }`,
    () => `impl ${name()} for ${name()} { fn f(&self) -> ${name()} { self.g[0].f } }`,
    () => `pub trait ${name()} { fn f(&self) -> ${name()}; fn g(&self) { self.f().g(); } }`,
    () => `pub enum ${name()} { X(${name()}), Y }`,
    () => `fn h(x: &${module()}::${name()}) { x.f().g.f(); ${module()}::${name()}::X(1); m!(x.f); }`,
    () => 'macro_rules! m { ($x:expr) => { $crate::X } }',
    () => `mod inner { use super::*; pub use crate::${name()} as ${name()}; fn k() { ${name()}::Y; } }`,
    () => `${visibility()}use ${module()}::*;`,
    () =>
      `${visibility()}use self::inner::*; ${visibility()}mod inner { ${visibility()}use ${module()}::*; ${visibility()}${one(['struct X;', 'struct X {}', 'fn X() {}', 'enum X { Y }'])} }`,
    () => `${visibility()}fn ${name()}() -> ${name()} { ${name()}(); ${name()} { f: ${name()} }; use ${name()}::*; Y }`,
    () => `${visibility()}struct ${name()}(${name()}); ${visibility()}use ${name()}::*;`,
    () =>
      `fn l(a: ${name()}) { match a { ${name()}(x) => Err(x), ${name()}::Y => a::b::${name()}(), _ => own::${name()} } }`,
    () =>
      `pub enum ${one(['Err', 'Ok'])} { Some, Y } fn o() { Err(Some(${name()}), Err::Y); n!(Err(1), ${name()}::<u8>()) }`,
  ];
  return `${Array.from({ length: 2 + Math.floor(random() * 5) }, () => one(lines)()).join('\n')}\n`;
}

/** Few names, so that an edit mostly changes what one of them is, or who sees it. */
function globContent(path: string, random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const visibility = (): string => one(['pub ', 'pub(crate) ', '']);
  const lines: (() => string)[] = [
    () => `struct ${one(['X', 'Y'])}${one([';', ' {}'])}`,
    () => 'fn X() {}',
    () => `use crate::${one(['a', 'b'])}::${one(['*', 'X', 'Y'])};`,
    () => 'enum Y { X, Err }',
    () => `use ${one(['self', 'crate', 'super'])}::${one(['Y', 'inner'])}::*;`,
    () => `mod inner { use super::*; ${visibility()}struct ${one(['X', 'Y'])}; }`,
  ];
  const modules = path === 'lib.rs' ? 'mod a; mod b; mod user; pub use a::*; pub use b::*;\n' : '';
  return `${modules}${Array.from({ length: 1 + Math.floor(random() * 2) }, () => visibility() + one(lines)()).join('\n')}\n`;
}

function dartContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['x', 'y', 'A', 'B', '_z']);
  const file = (): string => one(['a.dart', 'b.dart', 'src/b.dart', 'src/c.dart', 'package:d/a.dart', 'dart:io']);
  const directives: (() => string)[] = [
    () => `import '${file()}';`,
    () => `import '${file()}' as ${one(['p', 'q'])};`,
    () => `import '${file()}' show ${name()};`,
    () => `export '${file()}';`,
    () => `part '${file()}';`,
    () => `part of '${file()}';`,
  ];
  const lines: (() => string)[] = [
    () => `class ${name()} extends ${name()} { ${name()} y = ${name()}(); x() => y.${name()}; }`,
    () => `extension E on ${name()} { int get ${name()} => x; }`,
    () => `${name()} x() => ${name()}().${name()};`,
    () => `final ${name()} = p.${name()}(); void f(${name()} a) { a.${name()}; super.x; ${name()}; }`,
    () => `mixin ${name()} on ${name()} { get ${name()} => this.${name()}; }`,
  ];
  const head = Array.from({ length: Math.floor(random() * 3) }, () => one(directives)());
  return `${[...head, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(lines)())].join('\n')}\n`;
}

function cContent(random: () => number): string {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const name = (): string => one(['X', 'Y', 'Z']);
  const lines: (() => string)[] = [
    () => `#include "${one(['a.h', 'b.h', 'd.h', 'inc/a.h', 'lost.h'])}"`,
    () => `#define ${name()}(x) x`,
    () => `struct ${name()} { struct ${name()} *f; ${name()} *g; };`,
    () => `typedef struct ${name()} ${name()};`,
    () => `static inline ${name()} *h(${name()} *x) { return x->f->g; }`,
    () => `enum ${name()} { X, Y };`,
    () => `int k(struct ${name()} *x) { h(x)->f = ${name()}(x)->g; return n::${name()}(1) + ${name()}; }`,
    () => `namespace n { class ${name()} : public ${name()} { ${name()} *f; int g(); }; using namespace m; }`,
    () => `int n::${name()}::g() { return f->g() + this->f->g(); }`,
    () => `struct ${name()} { std::vector<${name()}> f; std::shared_ptr<${name()}> g; };`,
    () => `void l(${name()} &x, std::map<int, ${name()}> y) { for (auto &e : x.f) e.g->f; y.begin()->second.g; }`,
    () => `using namespace n; namespace m { ${name()} f(int); ${name()} f(); }`,
  ];
  return `${Array.from({ length: 2 + Math.floor(random() * 5) }, () => one(lines)()).join('\n')}\n`;
}

/** mulberry32 */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
