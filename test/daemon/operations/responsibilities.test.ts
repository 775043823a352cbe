import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { allResponsibilities } from '../../../daemon/operations/analysis/all-responsibilities.ts';
import { analyse } from '../../../daemon/operations/analysis/analyses.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { startDaemon, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { documents, place } from '../jobs/uploads.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const workspace = `-- package.json --
{ "name": "acme", "private": true, "workspaces": ["packages/*"] }
-- README.md --
# Acme

Makes settings of all editors one.
-- packages/core/package.json --
{ "name": "@acme/core", "main": "src/index.ts", "description": "The core of it" }
-- packages/core/README.md --
# @acme/core

[![ci](https://x/y.svg)](https://x)

Reads the settings of editors.

## Features

- Reads *vim*
-- packages/core/src/index.ts --
export { parse } from './parse.ts';
export { Config } from './config.ts';
-- packages/core/src/parse.ts --
import { Config } from './config.ts';
export function parse(): Config { return helper(); }
function helper(): Config { return new Config(); }
export function parseUnused(): number { return 1; }
export default function () {}
-- packages/core/src/config.ts --
/** Holds what was read of the files. */
export class Config {}
export const limit = 1;
-- packages/core/src/other.ts --
export const limit = 2;
-- packages/core/vitest.config.ts --
export const settings = {};
-- packages/app/package.json --
{ "name": "app", "bin": { "acme": "main.ts" } }
-- packages/app/main.ts --
#!/usr/bin/env node
import { Config } from '@acme/core';
const config = new Config();
-- packages/app/second.ts --
import { Config, parse } from '@acme/core';
export const made: Config = parse();
-- packages/bare/package.json --
{ "name": "bare" }
-- packages/e2e/test/core.test.ts --
import { Config } from '@acme/core';
new Config();
-- packages/e2e/package.json --
{ "name": "e2e" }
-- svc/MODULES.toml --
[[module]]
path = "../packages/bare"
summary = "Holds a place for later."
`;

function ask(tree: AnalysedTree, moduleId: string) {
  return tree.ask('responsibilities.get', { moduleId, sync: false })!;
}

test('a module is told by the best that is said of it, with what it offers and what others use most', async context => {
  const tree = await analysedTree(context, workspace);
  const core = ask(tree, 'packages/core');
  assert.deepEqual(
    [core.moduleId, core.name, core.summary, core.source, core.confidence],
    ['packages/core', '@acme/core', 'Reads the settings of editors.', 'readme', 0.85],
  );
  assert.deepEqual(core.capabilities, ['Reads vim']);
  assert.deepEqual(core.sources, [
    { kind: 'readme', path: 'packages/core/README.md', line: 5 },
    { kind: 'readme', path: 'packages/core/README.md', line: 9 },
  ]);
  assert.deepEqual(core.keySymbols, [
    'Config',
    'parse',
    'packages/core/src/config.ts:limit',
    'packages/core/src/other.ts:limit',
    'parseUnused',
  ]);
  assert.equal(core.exports, 6, 'settings of tools left out');
  const [config] = core.symbols;
  assert.deepEqual(
    [config!.kind, config!.file, config!.line, config!.usedByModules, config!.usedByFiles],
    ['class', 'packages/core/src/config.ts', 2, 1, 3],
  );
  assert.match(config!.id, /^svc:.+:sym:[0-9a-f]{32}$/);
  const told = (id: string) => [ask(tree, id).summary, ask(tree, id).source, ask(tree, id).confidence];
  assert.deepEqual(told('@root'), ['Makes settings of all editors one.', 'readme', 0.85]);
  assert.deepEqual(told('packages/app'), ['Program acme. Defines made.', 'inferred', 0.2]);
  assert.deepEqual(ask(tree, 'packages/app').capabilities, ['Command acme']);
  assert.deepEqual(told('packages/bare'), ['Holds a place for later.', 'declared', 0.95]);
  const tests = ask(tree, 'packages/e2e');
  assert.deepEqual([tests.summary, tests.keySymbols], ['Tests of @acme/core: 1 file.', []]);
});

const languages: readonly (readonly [
  language: string,
  text: string,
  moduleId: string,
  summary: string,
  source: string,
])[] = [
  [
    'go',
    '-- go.mod --\nmodule acme\n-- read/read.go --\n// Package read looks through the files of editors.\npackage read\n\nfunc Read() {}\n-- write/a.go --\npackage write\n\n// Write puts settings into their files.\nfunc Write() {}\n',
    'read',
    'Package read looks through the files of editors.',
    'package-doc',
  ],
  [
    'go',
    '-- go.mod --\nmodule acme\n-- read/a.go --\npackage read\n-- write/a.go --\npackage write\n\n// Write puts settings into their files.\nfunc Write() {}\n',
    'write',
    'Write puts settings into their files. Defines Write.',
    'inferred',
  ],
  [
    'rust',
    '-- Cargo.toml --\n[package]\nname = "acme"\ndescription = "Settings of all editors"\n-- src/lib.rs --\npub struct A;\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
  [
    'rust',
    '-- Cargo.toml --\n[package]\nname = "acme"\n-- src/lib.rs --\n//! Reads the `settings` of editors.\npub struct A;\nimpl Iterator for A { type Item = u8; }\n',
    '@root',
    'Reads the settings of editors.',
    'package-doc',
  ],
  [
    'python',
    '-- pyproject.toml --\n[project]\nname = "acme"\n-- README.rst --\nAcme\n====\n\nReads the settings of editors.\n-- src/acme/__init__.py --\ndef read(): pass\n-- src/acme/json/__init__.py --\n"""Writes settings as *JSON* files."""\n-- src/acme/json/a.py --\nx = 1\n-- tests/test_a.py --\nimport acme\n',
    'src/acme',
    'Reads the settings of editors.',
    'readme',
  ],
  [
    'python',
    '-- pyproject.toml --\n[project]\nname = "acme"\n-- src/acme/__init__.py --\ndef read(): pass\n-- src/acme/json/__init__.py --\n"""Writes settings as *JSON* files."""\n-- src/acme/json/a.py --\nx = 1\n-- src/acme/toml/a.py --\nx = 1\n',
    'src/acme/json',
    'Writes settings as JSON files.',
    'package-doc',
  ],
  [
    'java',
    '-- pom.xml --\n<project><artifactId>acme</artifactId><description>Settings of all editors</description></project>\n-- src/main/java/a/A.java --\npackage a;\npublic class A {}\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
  [
    'csharp',
    '-- Acme.csproj --\n<Project><PropertyGroup><Description>Settings of all editors</Description></PropertyGroup></Project>\n-- A.cs --\nnamespace Acme;\npublic class A {}\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
  [
    'dart',
    '-- pubspec.yaml --\nname: acme\n-- lib/acme.dart --\n/// Reads the settings of editors.\nlibrary acme;\nclass A {}\n',
    '@root',
    'Reads the settings of editors.',
    'package-doc',
  ],
  [
    'ruby',
    '-- acme.gemspec --\nGem::Specification.new do |s|\n  s.name = "acme"\n  s.summary = "Settings of all editors"\nend\n-- lib/acme.rb --\nmodule Acme\n  class A\n  end\nend\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
  [
    'php',
    '-- composer.json --\n{ "name": "x/acme", "description": "Settings of all editors" }\n-- src/A.php --\n<?php\nnamespace Acme;\nclass A {}\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
  [
    'cpp',
    '-- CMakeLists.txt --\nproject(acme)\n-- read/read.h --\n// Copyright (c) 2020\n\n// Reads the settings of editors.\n\n#ifndef READ_H\n#define READ_H\nclass Reader { public: void read(); };\n#endif\n-- read/read.cc --\n#include "read.h"\nvoid Reader::read() {}\n-- write/a.cc --\nint a;\n',
    'read',
    'Reads the settings of editors.',
    'package-doc',
  ],
  [
    'kotlin',
    '-- build.gradle.kts --\ndescription = "Settings of all editors"\n-- src/main/kotlin/A.kt --\npackage a\nclass A\n',
    '@root',
    'Settings of all editors.',
    'manifest',
  ],
];

test('each language has its own places for what a module is', async context => {
  for (const [language, text, moduleId, summary, source] of languages) {
    const told = ask(await analysedTree(context, text), moduleId);
    assert.deepEqual([told.summary, told.source], [summary, source], language);
  }
});

test('members that stand outside of their types are none of what is offered', async context => {
  const rust = languages.find(([language, text]) => language === 'rust' && text.includes('type Item'))!;
  assert.deepEqual(ask(await analysedTree(context, rust[1]), 'src').keySymbols, ['A']);
  const cpp = languages.find(([language]) => language === 'cpp')!;
  assert.deepEqual(ask(await analysedTree(context, cpp[1]), 'read').keySymbols, ['Reader']);
});

test('what changes on disk is told anew, and of other modules the same', async context => {
  const tree = await analysedTree(context, workspace);
  const all = () => tree.about((reader, asked) => allResponsibilities(reader, asked, { check() {}, onProgress() {} }));
  const before = await all();
  assert.deepEqual(
    before.map(({ told }) => told.moduleId),
    ['@root', 'packages/app', 'packages/bare', 'packages/core', 'packages/e2e'],
  );
  writeFileSync(join(tree.folder.root, 'packages/core/README.md'), '# Core\n\nWrites the settings of editors.\n');
  writeFileSync(join(tree.folder.root, 'packages/core/src/more.ts'), 'export const more = 1;\n\n\n');
  await tree.tree.crawl();
  const after = await all();
  const changed = after.filter(({ digest }, at) => digest !== before[at]!.digest).map(({ told }) => told.moduleId);
  assert.deepEqual(changed, ['packages/core']);
  assert.equal(ask(tree, 'packages/core').summary, 'Writes the settings of editors.');
});

test('all modules are described in steps that tell how far they are and can be called off', async context => {
  const tree = await analysedTree(context, workspace);
  const seen: (readonly [number, number])[] = [];
  const steps = { check() {}, onProgress: (done: number, all: number) => void seen.push([done, all]) };
  await tree.about((reader, asked) => allResponsibilities(reader, asked, steps));
  assert.deepEqual(
    seen,
    [1, 2, 3, 4, 5].map(done => [done, 5]),
  );
  const check = () => {
    throw new Error('called off');
  };
  await assert.rejects(
    tree.about((reader, asked) => allResponsibilities(reader, asked, { ...steps, check })),
    /called off/,
  );
});

test('an id that names no module leads to those that it may mean', async context => {
  const tree = await analysedTree(context, workspace);
  const rows: readonly (readonly [asked: string, message: RegExp, near: readonly string[]])[] = [
    ['packages/cor', /^There is no module "packages\/cor"$/, ['packages/core']],
    ['core', /^There is no module "core"$/, ['packages/core']],
    ['packages/core/src', /^"packages\/core\/src" is no module; it lies in packages\/core$/, ['packages/core']],
    ['packages/core/README.md', /it lies in packages\/core$/, ['packages/core']],
    ['svc', /it lies in @root$/, ['@root']],
    ['something/else/entirely', /^There is no module/, []],
  ];
  for (const [asked, message, near] of rows) {
    assert.throws(
      () => ask(tree, asked),
      (fault: unknown) => {
        assert.ok(fault instanceof Fault && fault.reason === 'resourceNotFound', asked);
        assert.match(fault.message, message);
        assert.deepEqual(fault.extras.details?.['near'], near);
        assert.ok(fault.extras.suggestedFixes!.length > 0);
        return true;
      },
    );
  }
  assert.throws(
    () => ask(tree, '../x'),
    (fault: unknown) => fault instanceof Fault && fault.reason === 'invalidParameter',
  );
  for (const same of ['./packages/core', 'packages/core/', 'packages//core', 'packages/app/../core']) {
    assert.equal(ask(tree, same).moduleId, 'packages/core');
  }
});

test('of an upload without source its names tell', context => askUpload(context));

async function askUpload(context: TestContext): Promise<void> {
  const at = place(context);
  await at.upload({ documents });
  const reader = openIndexReader(at.indexFile);
  context.after(() => reader.close());
  const { seq, snapshotId } = reader.snapshot('main')!;
  const repo = { id: 'acme/x', indexFile: at.indexFile, key: 'main' };
  const asked = { repo, current: { seq, snapshotId }, cursorSecret: '', dirtyFiles: 0, now: 0 };
  const modules = await allResponsibilities(reader, asked, { check() {}, onProgress() {} });
  assert.ok(modules.length > 0 && modules.every(({ told }) => told.source === 'inferred' && told.summary !== ''));
  const input = { moduleId: modules.at(-1)!.told.moduleId, sync: false };
  const told = analyse(reader, { operation: 'responsibilities.get', asked, input })!;
  assert.ok(told.keySymbols.length > 0, told.summary);
}

test('over HTTP ids are taken as they are and with their slashes escaped, and an answer has a tag of its snapshot', async context => {
  const { client, home } = await startDaemon(context);
  const { root } = gitRepository(context, workspace);
  const { jobId } = await client.daemon.addRepo({ root, id: 'app' });
  await client.jobs.get({ id: jobId!, wait: true });
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/responsibilities/${path}`, { headers: { authorization, ...headers } });
  for (const path of ['packages/core', 'packages%2Fcore', 'packages%2fcore?repo=app', '%40root', '@root']) {
    const reply = await get(path);
    assert.equal(reply.status, 200, path);
    const { moduleId } = (await reply.json()) as { moduleId: string };
    assert.equal(moduleId, path.includes('root') ? '@root' : 'packages/core');
  }
  const etag = (await get('packages/core')).headers.get('etag')!;
  assert.equal((await get('packages/core', { 'if-none-match': etag })).status, 304);
  writeFileSync(join(root, 'packages/core/README.md'), '# Core\n\nWrites the settings of editors.\n');
  const fresh = await get('packages/core?sync=true', { 'if-none-match': etag });
  assert.equal(fresh.status, 200);
  assert.equal(((await fresh.json()) as { summary: string }).summary, 'Writes the settings of editors.');
  const gone = await get('packages/none');
  assert.equal(gone.status, 404);
  const { code, drilldowns } = (await gone.json()) as { code: string; drilldowns: { query: string }[] };
  assert.equal(code, 'RESOURCE_NOT_FOUND');
  for (const { query } of drilldowns) {
    assert.equal((await fetch(`${url}${query}`, { headers: { authorization } })).status, 200, query);
  }
});
