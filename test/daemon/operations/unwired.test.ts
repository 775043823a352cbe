import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const defaults = { minConfidence: 0.8, limit: 100, includeTypes: false, sync: false } as const;
type More = Partial<{ scope: string; minConfidence: number; limit: number; includeTypes: boolean }>;

function unwired(of: AnalysedTree, more: More = {}) {
  return of.ask('analysis.unwired', { ...defaults, ...more })!;
}

/** `file:line name confidence reason`. */
function lines({ unwiredModules }: ReturnType<typeof unwired>): readonly string[] {
  return unwiredModules.flatMap(({ symbols }) =>
    symbols.map(
      ({ filePath, line, name, confidence, reason }) => `${filePath}:${line} ${name} ${confidence} ${reason}`,
    ),
  );
}

const monorepo = `
-- package.json --
{ "name": "all", "private": true, "workspaces": ["packages/*"] }
-- packages/core/package.json --
{ "name": "@all/core", "exports": { ".": "./src/index.ts" } }
-- packages/core/src/index.ts --
export * from './shapes.js';
export { parse } from './parse.js';
export * as text from './text.js';
-- packages/core/src/shapes.ts --
export interface Shape { area: number }
export class Circle implements Shape { area = 1; }
-- packages/core/src/parse.ts --
import { split } from './split.js';
export function parse(text: string) { return split(text); }
export function parseAll(texts: string[]) { return texts.map(parse); }
export type Parsed = ReturnType<typeof parse>;
-- packages/core/src/split.ts --
export const separator = ',';
export function split(text: string) { return text.split(separator); }
export const limit = 3;
-- packages/core/src/text.ts --
export function trim(text: string) { return text.trim(); }
-- packages/core/src/split.test.ts --
import { limit } from './split.js';
limit;
-- packages/app/package.json --
{ "name": "@all/app", "private": true, "bin": { "app": "./src/main.ts" } }
-- packages/app/src/main.ts --
import { Circle } from '@all/core';
import * as tools from './tools.js';
import './effects.js';
new Circle();
tools.used();
const page = await import('./page.js');
page.render();
-- packages/app/src/tools.ts --
export function used() {}
export function unused() {}
-- packages/app/src/effects.ts --
export const done = true;
-- packages/app/src/page.ts --
export function render() {}
export default function other() {}
-- packages/app/src/lost.ts --
import { used } from './tools.js';
export function lost() { used(); }
`;

test('what no entrypoint of a monorepo reaches, by directory, with counts of the rest', async t => {
  const of = await analysedTree(t, monorepo);
  const answer = unwired(of);
  assert.deepEqual(lines(answer), [
    'packages/app/src/effects.ts:1 done 0.95 nothing uses it',
    'packages/app/src/lost.ts:2 lost 0.85 nothing uses it, and nothing loads its file',
    'packages/app/src/page.ts:2 other 0.95 nothing uses it',
    'packages/app/src/tools.ts:2 unused 0.95 nothing uses it',
    'packages/core/src/parse.ts:3 parseAll 0.95 nothing uses it',
    'packages/core/src/split.ts:1 separator 0.9 nothing but its own file uses it',
    'packages/core/src/split.ts:3 limit 0.9 nothing but tests uses it',
  ]);
  assert.deepEqual(
    answer.unwiredModules.map(({ path, unwiredCount, totalExported }) => ({ path, unwiredCount, totalExported })),
    [
      { path: 'packages/app/src', unwiredCount: 4, totalExported: 6 },
      { path: 'packages/core/src', unwiredCount: 3, totalExported: 8 },
    ],
  );
  assert.deepEqual(answer.summary, {
    totalExported: 14,
    reachableCount: 7,
    unwiredCount: 7,
    uncertainCount: 0,
    byKind: { constant: 3, function: 4 },
  });
  assert.deepEqual(answer.entrypoints, ['packages/app/src/main.ts', 'packages/core/src/index.ts']);
  const limit = answer.unwiredModules[1]!.symbols.find(({ name }) => name === 'limit')!;
  assert.deepEqual([limit.kind, limit.referenceCount, limit.testReferences], ['constant', 0, 2]);
});

test('types are told where they are asked for, a scope keeps to a folder, and a limit shows the surest', async t => {
  const of = await analysedTree(t, monorepo);
  const typed = unwired(of, { includeTypes: true, scope: 'packages/core' });
  assert.deepEqual(
    lines(typed).map(line => line.split(' ')[1]),
    ['parseAll', 'Parsed', 'separator', 'limit'],
  );
  const few = unwired(of, { limit: 2, scope: './packages/app/' });
  assert.deepEqual([lines(few).length, few.truncated, few.summary.unwiredCount], [2, true, 4]);
  assert.deepEqual(lines(unwired(of, { minConfidence: 0.95, scope: 'packages/core' })).length, 1);
  assert.throws(() => unwired(of, { scope: 'packages/nothing' }), Fault);
});

test('an edit is in the next answer', async t => {
  const of = await analysedTree(t, monorepo);
  unwired(of);
  of.folder.write('packages/app/src/main.ts', "import { unused } from './tools.js';\nunused();\n");
  await of.tree.changed('packages/app/src/main.ts');
  assert.deepEqual(lines(unwired(of, { scope: 'packages/app/src/tools.ts' })), [
    'packages/app/src/tools.ts:1 used 0.85 nothing but files that nothing loads uses it',
  ]);
});

test('folders by whose names exports are left out are told, unless something loads what is in them', async t => {
  const of = await analysedTree(
    t,
    `
    -- go.mod --
    module example.com/app
    -- main.go --
    package main
    import ("example.com/app/internal/templates"; "example.com/app/internal/spec")
    func main() { templates.Used(); spec.Used() }
    -- internal/templates/t.go --
    package templates
    func Used() {}
    func Unused() {}
    -- internal/spec/s.go --
    package spec
    func Used() {}
    func UnusedToo() {}
    -- internal/fixtures/f.go --
    package fixtures
    func Data() {}
    -- vendor/other/o.go --
    package other
    func One() {}
    func Two() {}
    -- app/pom.xml --
    <project><groupId>g</groupId><artifactId>app</artifactId></project>
    -- app/src/main/java/g/Main.java --
    package g;
    public class Main { public static void main(String[] args) { } }
    -- app/src/main/java/g/vendor/Vendor.java --
    package g.vendor;
    public class Vendor { }
    `,
  );
  const answer = unwired(of);
  assert.deepEqual(
    lines(answer).map(line => line.split(' ')[1]),
    ['Vendor', 'UnusedToo', 'Unused'],
  );
  assert.deepEqual(answer.limitations.slice(1), [
    '3 exported symbols are left out by the names of their folders, as tests’ data that nothing loads or others’ code (vendor: 2, fixtures: 1)',
  ]);
});

test('a language about which nothing can be as sure as is asked for is told', async t => {
  const of = await analysedTree(t, '-- app.rb --\nrequire_relative "b"\n-- b.rb --\nclass Unused; end');
  const told = (minConfidence: number): readonly string[] =>
    unwired(of, { minConfidence }).limitations.filter(one => one.includes('ruby'));
  assert.deepEqual(told(0.8), ['nothing of ruby is claimed here: there a claim is worth 0.7 at most, less than 0.8']);
  assert.deepEqual(told(0.7), []);
});

test('modules that code names for workers and loaders are loaded', async t => {
  const of = await analysedTree(
    t,
    `
    -- package.json --
    { "name": "app", "private": true, "bin": "./main.ts" }
    -- main.ts --
    new Worker(new URL('./work.ts', import.meta.url));
    register(require.resolve('./load.js'));
    -- work.ts --
    import { job } from './job.js';
    job();
    export const left = 1;
    -- job.ts --
    export function job() {}
    -- load.js --
    export function load() {}
    `,
  );
  assert.deepEqual(lines(unwired(of)), ['work.ts:3 left 0.95 nothing uses it']);
});

test('what only doubtful code uses is as doubtful, however far away', async t => {
  const of = await analysedTree(
    t,
    `
    -- package.json --
    { "name": "app", "private": true, "bin": "./main.ts" }
    -- main.ts --
    console.log(1);
    -- users.controller.ts --
    import { Users } from './users.js';
    @Controller()
    export class UsersController { constructor(private readonly users: Users) {} }
    -- users.ts --
    import { format } from './format.js';
    export class Users { all() { return format('x'); } }
    -- format.ts --
    export function format(text: string) { return text; }
    `,
  );
  assert.deepEqual(lines(unwired(of)), []);
  const { unwiredModules } = unwired(of, { minConfidence: 0.1 });
  const told = unwiredModules.flatMap(({ symbols }) => symbols.map(({ name, confidence }) => [name, confidence]));
  const [, doubt] = told.find(([name]) => name === 'UsersController')!;
  assert.ok((doubt as number) < 0.8);
  assert.deepEqual(
    told.sort(),
    [
      ['Users', doubt],
      ['UsersController', doubt],
      ['format', doubt],
    ].sort(),
  );
});
