import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { operations } from '../../../client/protocol/registry.ts';
import { Compile } from '../../../client/protocol/schemas.ts';
import { addRepo, startDaemon, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, type Workspace } from '../../support/repository.ts';

const shared = await startDaemon(afterAll);
const { client } = shared;
await until('HTTP listens', () => readDaemonRecord(shared.home.places)?.url);
const repo = 'app';

const tree = `-- .gitignore --
out
-- package.json --
{ "name": "app", "main": "src/config.ts" }
-- src/config.ts --
/** Reads a configuration, line by line. */
export function parseConfig(text: string): readonly string[] {
  const lines = text.split('\\n').map(line => line.trim());
  return lines.filter(line => line.length > 0 && !line.startsWith('#'));
}
export class Loader {
  load(path: string): readonly string[] {
    const found = parseConfig(path + '.toml');
    return found.map(one => one.toUpperCase());
  }
}
export function neverTold(): number {
  return new Loader().load('never').length;
}
-- test/config.test.ts --
export function onlyTested() {}
-- docs/guide.md --
# Guide

<!-- svc:module src -->

Call \`parseConfig(text)\`, or \`Loader.load()\`. Neither \`console.log\` nor \`onlyTested()\` is ours.

## Where

See \`src/config.ts\` and [the source](../src/config.ts).

\`\`\`ts
import { Loader } from 'app';
new Loader().load('x');
\`\`\`
-- CHANGELOG.md --
- Took \`parseConfig\` away
-- out/made.md --
\`parseConfig\`
-- node_modules/x/README.md --
\`parseConfig\`
`;

async function repository(t: TestContext, text = tree): Promise<Workspace> {
  const workspace = gitRepository(t, text);
  await addRepo(t, shared, { root: workspace.root, id: repo });
  await until('it is indexed and watched', async () => {
    const { repos } = await client.daemon.listRepos({});
    const one = repos.find(({ id }) => id === repo);
    return one?.status === 'ready' && one.watching !== 'off' && one.pendingChanges === 0;
  });
  return workspace;
}

async function http(method: string, path: string, headers: Record<string, string> = {}) {
  const { url, tokenFile } = readDaemonRecord(shared.home.places)!;
  return fetch(`${url}${path}${path.includes('?') ? '&' : '?'}repo=${repo}`, {
    method,
    headers: { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`, ...headers },
  });
}

test('documents are read once, and again when they change or are all asked for', async t => {
  const { write } = await repository(t);
  const first = await client.docs.index({ repo });
  assert.deepEqual(
    [first.filesIndexed, first.documents, first.resolved, first.stale, first.passedOver],
    [1, 2, 6, 0, [{ path: 'CHANGELOG.md', why: 'changelog' }]],
  );
  assert.equal(first.symbolsFound, first.resolved + first.unresolved);
  assert.equal((await client.docs.index({ repo })).filesIndexed, 0);
  write('docs/other.md', '`Loader`\n');
  const next = await client.docs.index({ repo });
  assert.deepEqual([next.filesIndexed, next.documents], [1, 3], 'what was just written is read');
  assert.equal((await client.docs.index({ repo, force: true })).filesIndexed, 2);
});

test('names, files and routes are counted alike wherever they are', async t => {
  const text = '`parseConfig`, `maybe`, [lost](lost.md), [here](guide.md), `GET /loaders/:id`, `GET /others`\n';
  const { write, path } = await repository(t, `${tree}-- docs/all.md --\n${text}`);
  write('src/app.js', "import express from 'express';\nconst app = express();\napp.post('/loaders', () => {});\n");
  await client.docs.index({ repo });
  write('src/config.ts', readFileSync(path('src/config.ts'), 'utf8').replaceAll('parseConfig', 'readConfig'));
  const { reports, totalStale } = await client.docs.stale({ repo, sync: true });
  const all = await client.docs.index({ repo });
  const names = ['docs/all.md', 'docs/guide.md', 'CHANGELOG.md'];
  const files = await Promise.all(names.map(path => client.docs.file({ repo, path })));
  const [first] = files;
  assert.deepEqual(first?.summary, { total: 4, resolved: 1, stale: 3, unresolved: 2 });
  assert.equal(first.summary.total, first.symbols.length + first.files.length);
  assert.equal(reports.find(({ docPath }) => docPath === 'docs/all.md')?.stale.length, 3);
  const sum = (kind: 'resolved' | 'stale' | 'unresolved') => files.reduce((so, { summary }) => so + summary[kind], 0);
  assert.deepEqual(
    [all.resolved, all.stale, all.unresolved, all.symbolsFound, totalStale],
    [sum('resolved'), 4, sum('unresolved'), sum('resolved') + 4 + sum('unresolved'), sum('stale')],
  );
});

test('documents that the index passes over are told, and why', async t => {
  const { write } = await repository(t, `${tree}-- docs/linked.md -> guide.md --\n`);
  write('docs/wide.md', `${'wide '.repeat(50_000)}\n`);
  write('docs/raw.md', 'raw\0\n');
  const { documents, passedOver } = await client.docs.index({ repo });
  assert.deepEqual(passedOver, [
    { path: 'CHANGELOG.md', why: 'changelog' },
    { path: 'docs/linked.md', why: 'no regular file' },
    { path: 'docs/raw.md', why: 'binary' },
    { path: 'docs/wide.md', why: 'with lines longer than limits.source_line_characters' },
  ]);
  assert.equal(documents, 5);
  await assert.rejects(client.docs.file({ repo, path: 'docs/raw.md' }), /"docs\/raw.md" was passed over: binary$/);
});

test('a name alone may be one that went where a document tells of changes', async t => {
  const { write } = await repository(t);
  write('docs/upgrading-to-2.md', '`parseConfig()` is no more. `Loader.load()` is better.\n');
  await client.docs.index({ repo });
  const { symbols } = await client.docs.file({ repo, path: 'docs/upgrading-to-2.md' });
  assert.deepEqual(
    symbols.map(({ rawText }) => rawText),
    ['Loader.load()'],
  );
});

test('what fenced code imports from a file of the repository is that of its package', async t => {
  const { write } = await repository(t);
  write(
    'src/tax.ts',
    'export function computeTax(of: number) {\n  return of * 2;\n}\nexport function shipOrder() {}\n',
  );
  const fence = (from: string) =>
    `\`computeTax(2)\`\n\n\`\`\`ts\nimport { computeTax, shipOrder } from '${from}';\ncomputeTax(1);\n\`\`\`\n`;
  write('docs/own.md', fence('../src/tax.js'));
  write('docs/users.md', fence('./my/tax'));
  await client.docs.index({ repo });
  const resolvedIn = async (path: string) =>
    (await client.docs.file({ repo, path })).symbols.filter(one => one.resolution === 'resolved').length;
  assert.deepEqual([await resolvedIn('docs/own.md'), await resolvedIn('docs/users.md')], [4, 0]);
  write('src/tax.ts', 'export function taxOf(of: number) {\n  return of * 2;\n}\n');
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    reports.map(({ docPath, stale }) => [
      docPath,
      stale.map(({ rawText, suggestion }) => `${rawText} ${suggestion ?? ''}`),
    ]),
    [['docs/own.md', ['computeTax(2) taxOf', 'computeTax taxOf', 'shipOrder ', 'computeTax taxOf']]],
  );
});

test('a name that went may be one that the code has from its language', async t => {
  const { write } = await repository(t);
  const own = 'def get_type_hints(what):\n    return what\n\n\ndef get_other_hints(what):\n    return what\n';
  write('src/hints.py', own);
  write('docs/hints.md', '`get_type_hints` and `get_other_hints`\n');
  const first = await client.docs.index({ repo });
  write('src/hints.py', 'from typing import get_type_hints\n\n\ndef told(what):\n    print(get_type_hints(what))\n');
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    [first.resolved, reports.flatMap(({ stale }) => stale.map(({ rawText }) => rawText))],
    [8, ['get_other_hints']],
  );
});

test('of what is too short to prove that it was renamed the new name is suggested all the same', async t => {
  const short = (method: string, limit: string): string =>
    `export class Box {\n  open() { return 1; }\n  ${method}() { return 1; }\n}\nexport const ${limit} = 3;\n`;
  const { write } = await repository(t);
  write('src/box.ts', short('shut', 'MOST_BOXES'));
  write('docs/box.md', '`Box.shut()` and `MOST_BOXES`\n');
  await client.docs.index({ repo });
  write('src/box.ts', short('close', 'MAX_BOXES'));
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    reports.flatMap(({ stale }) => stale.map(({ rawText, suggestion }) => [rawText, suggestion])),
    [
      ['Box.shut()', 'Box.close'],
      ['MOST_BOXES', 'MAX_BOXES'],
    ],
  );
});

test('a document tells what it mentions, and a symbol where it is mentioned', async t => {
  await repository(t);
  const file = await client.docs.file({ repo, path: 'docs/guide.md' });
  assert.deepEqual(
    file.symbols.map(({ rawText, line, resolution, kind, name, filePath, context }) => [
      ...[rawText, line, resolution, kind, name, filePath, context],
    ]),
    [
      ['parseConfig(text)', 5, 'resolved', 'function', 'parseConfig', 'src/config.ts', 'Guide'],
      ['Loader.load()', 5, 'resolved', 'method', 'Loader.load', 'src/config.ts', 'Guide'],
      ['Loader', 12, 'resolved', 'class', 'Loader', 'src/config.ts', 'Where'],
      ['Loader', 13, 'resolved', 'class', 'Loader', 'src/config.ts', 'Where'],
    ],
  );
  assert.deepEqual(file.summary, { total: 6, resolved: 6, stale: 0, unresolved: 2 });
  assert.deepEqual(
    file.files.map(({ rawText, target }) => [rawText, target]),
    [
      ['src/config.ts', 'src/config.ts'],
      ['../src/config.ts', 'src/config.ts'],
    ],
  );
  const loader = await client.docs.symbol({ repo, name: 'Loader', limit: 1 });
  assert.deepEqual([loader.symbol, loader.total, loader.docs.length], ['Loader', 2, 1]);
  const byId = await client.docs.symbol({ repo, name: loader.docs[0]!.symbolId! });
  assert.deepEqual([byId.symbol, byId.total], ['Loader', 2]);
  assert.equal((await client.docs.symbol({ repo, name: 'neverTold' })).total, 0);
  assert.deepEqual((await client.docs.module({ repo, moduleId: 'src' })).docs, [
    { path: 'docs/guide.md', directive: '<!-- svc:module src -->', line: 3 },
  ]);
  assert.equal((await client.docs.module({ repo, moduleId: '@root' })).total, 0);
  const changelog = await client.docs.file({ repo, path: 'CHANGELOG.md' });
  assert.deepEqual([changelog.passedOver, changelog.symbols], ['changelog', []]);
});

test('coverage counts what is public, and tells the most central of what nobody mentions', async t => {
  await repository(t);
  const all = await client.docs.coverage({ repo });
  assert.deepEqual([all.totalSymbols, all.documentedSymbols, all.coverage, all.withDocComments], [4, 3, 0.75, 1]);
  assert.deepEqual(
    all.topUndocumented.map(({ name, filePath, line, kind }) => [name, filePath, line, kind]),
    [['neverTold', 'src/config.ts', 12, 'function']],
  );
  const exported = await client.docs.coverage({ repo, exportedOnly: true, topN: 1 });
  assert.deepEqual([exported.totalSymbols, exported.documentedSymbols], [3, 2]);
});

test('a renamed function makes its documents stale within a second, and a deleted one as well', async t => {
  const { write, path } = await repository(t);
  await client.docs.index({ repo });
  const before = readFileSync(path('src/config.ts'), 'utf8');
  const { symbolId } = (await client.docs.symbol({ repo, name: 'parseConfig' })).docs[0]!;
  const startedMs = performance.now();
  write('src/config.ts', before.replaceAll('parseConfig', 'readSettings'));
  let found = await client.docs.stale({ repo });
  await until('the document is stale', async () => {
    found = await client.docs.stale({ repo });
    return found.totalStale > 0;
  });
  const tookMs = performance.now() - startedMs;
  assert.deepEqual(
    found.reports.flatMap(({ docPath, stale }) =>
      stale.map(({ rawText, line, reason, suggestion }) => [docPath, rawText, line, reason, suggestion]),
    ),
    [['docs/guide.md', 'parseConfig(text)', 5, 'symbol_renamed', 'readSettings']],
  );
  t.diagnostic(`stale after ${Math.round(tookMs)} ms`);
  const now = (await client.symbols.search({ repo, q: 'readSettings' })).results[0]!.id;
  await assert.rejects(client.docs.symbol({ repo, name: symbolId! }), (error: unknown) => {
    assert.ok(error instanceof Fault);
    assert.deepEqual([error.reason, error.extras.details?.['replacedBy']], ['symbolGone', now]);
    return true;
  });
  const foreign = symbolId!.replace(`svc:${repo}:`, 'svc:other:');
  await assert.rejects(client.docs.symbol({ repo, name: foreign }), { reason: 'symbolNotFound' });
  write('src/config.ts', before.replaceAll('parseConfig', 'readSettings').replaceAll('Loader', 'Taker'));
  const { reports } = await client.docs.stale({ repo, path: 'docs', sync: true });
  assert.deepEqual(
    reports[0]!.stale.map(({ rawText, suggestion }) => [rawText, suggestion]),
    [
      ['parseConfig(text)', 'readSettings'],
      ['Loader.load()', 'Taker.load'],
      ['Loader', 'Taker'],
      ['Loader', 'Taker'],
    ],
  );
  write('src/config.ts', before);
  assert.equal((await client.docs.stale({ repo, sync: true })).totalStale, 0, 'what is back is meant again');
  write(
    'src/config.ts',
    before.slice(before.indexOf('export class')).replace('parseConfig(path', '[path].map(String)'),
  );
  await until('what was deleted is told', async () => {
    found = await client.docs.stale({ repo, sync: true });
    return found.totalStale > 0;
  });
  assert.deepEqual(
    found.reports[0]!.stale.map(({ rawText, reason }) => [rawText, reason]),
    [['parseConfig(text)', 'symbol_deleted']],
  );
  const file = await client.docs.file({ repo, path: 'docs/guide.md' });
  assert.equal(file.summary.stale, 1);
  assert.equal((await client.docs.symbol({ repo, name: 'parseConfig' })).docs[0]?.resolution, 'stale');
});

test('what moved and went then is stale, and so is what a switch of branches takes away', async t => {
  const many = Array.from({ length: 220 }, (_, at) => `-- src/part${at}.ts --\nexport function partOf${at}() {}\n`);
  const { write, remove, path, git, commit } = await repository(
    t,
    `${many.join('')}-- src/a.ts --
export function fetchAccount() {}
-- docs/a.md --
Use \`fetchAccount()\`, \`partOf7()\` and \`partOf8()\`.
`,
  );
  const stale = async (): Promise<readonly string[]> => {
    const { reports } = await client.docs.stale({ repo, sync: true });
    return reports.flatMap(report => report.stale.map(({ rawText }) => rawText));
  };
  await client.docs.index({ repo });
  remove('src/a.ts');
  write('src/b.ts', 'export function fetchAccount() {}\n');
  assert.deepEqual(await stale(), []);
  write('src/b.ts', 'export function takeAccount() {}\n');
  assert.deepEqual(await stale(), ['fetchAccount()']);
  commit('main');
  git('checkout', '--quiet', '-b', 'other');
  for (let at = 0; at < 220; at++) write(`src/part${at}.ts`, `export function partOf${at}() {\n  return ${at};\n}\n`);
  remove('src/part7.ts');
  write('src/part8.ts', 'export function pieceOf8() {}\n');
  commit('other');
  git('checkout', '--quiet', 'main');
  assert.deepEqual(await stale(), ['fetchAccount()']);
  git('checkout', '--quiet', 'other');
  assert.deepEqual(await stale(), ['fetchAccount()', 'partOf7()', 'partOf8()']);
  assert.ok(readFileSync(path('docs/a.md'), 'utf8').includes('partOf7'));
});

/** A function that is known again wherever it stands. */
const longFunction = (name: string): string => `export function ${name}(text: string): readonly string[] {
  const ${name}Lines = text.split('\\n').map(line => line.trim() + '${name}');
  return ${name}Lines.filter(line => line.length > 0 && !line.startsWith('#'));
}
`;

test('a file is where most of what it had is, and gone where that is in several', async t => {
  const { write, remove } = await repository(
    t,
    `-- src/split.ts --
${longFunction('readLeft')}${longFunction('readRight')}
-- src/renamed.ts --
${longFunction('readFirst')}${longFunction('readSecond')}${longFunction('readThird')}
-- docs/a.md --
[one](../src/split.ts) and [another](../src/renamed.ts).
`,
  );
  assert.equal((await client.docs.stale({ repo, sync: true })).totalStale, 0);
  for (const path of ['src/split.ts', 'src/renamed.ts']) remove(path);
  write('src/left.ts', longFunction('readLeft'));
  write('src/right.ts', longFunction('readRight'));
  write('src/kept.ts', longFunction('readFirst') + longFunction('readThird'));
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    reports[0]!.stale.map(({ rawText, reason, suggestion }) => [rawText, reason, suggestion]),
    [
      ['../src/split.ts', 'file_deleted', undefined],
      ['../src/renamed.ts', 'file_moved', '../src/kept.ts'],
    ],
  );
});

test('directives that say nothing are told', async t => {
  const { write } = await repository(t);
  write(
    'docs/slips.md',
    `<!-- svc:modul src -->
<!-- svc:module nope -->
<!-- svc:module ./src/ -->
<!-- svc:module @root -->
<!-- svc:symbol nobody -->
<!-- svc:symbol parseConfig -->
<!-- svc:known_symbols -->
<!-- svc:known_symbols neverTold,
  nobody load -->
\`<!-- svc:quoted -->\`
`,
  );
  const { directives, totalStale } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    directives.map(({ docPath, line, directive, problem }) => `${docPath}:${line} ${directive} ${problem}`),
    [
      'docs/slips.md:1 <!-- svc:modul src --> unknown_directive',
      'docs/slips.md:2 <!-- svc:module nope --> unknown_module',
      'docs/slips.md:5 <!-- svc:symbol nobody --> unknown_symbol',
      'docs/slips.md:7 <!-- svc:known_symbols --> unknown_directive',
      'docs/slips.md:9 <!-- svc:known_symbols nobody --> unknown_symbol',
    ],
  );
  assert.equal(totalStale, 0);
  assert.deepEqual((await client.docs.stale({ repo, path: 'docs/guide.md' })).directives, []);
});

test('what is there and what is asked wrongly is told over HTTP', async t => {
  const { write } = await repository(t);
  write('docs/large.md', 'words of many\n'.repeat(20_000));
  await client.docs.stale({ repo, sync: true });
  const rows: readonly (readonly [string, number, string])[] = [
    ['/docs/file/docs/guide.md', 200, ''],
    ['/docs/file/docs%2Fguide.md', 200, ''],
    ['/docs/file/docs/large.md', 200, ''],
    ['/docs/file/nope.md', 404, 'FILE_NOT_FOUND'],
    ['/docs/file/out/made.md', 404, 'FILE_NOT_FOUND'],
    ['/docs/file/src/config.ts', 422, 'INVALID_PARAMETER'],
    ['/docs/file/%2Fetc%2Fpasswd', 400, 'INVALID_PARAMETER'],
    ['/docs/file/..%2F..%2Fetc%2Fpasswd', 400, 'INVALID_PARAMETER'],
    ['/docs/file/a%00.md', 400, 'INVALID_PARAMETER'],
    ['/docs/stale?path=nope', 404, 'FILE_NOT_FOUND'],
    ['/docs/stale?path=src', 200, ''],
    ['/docs/stale?path=../x', 400, 'INVALID_PARAMETER'],
    ['/docs/stale?paht=docs', 400, 'INVALID_PARAMETER'],
    ['/docs/symbol/parseConfig?limit=0', 400, 'INVALID_PARAMETER'],
    ['/docs/symbol/nothingAtAll', 404, 'SYMBOL_NOT_FOUND'],
    ...['%23', '::', '->', '()', '.%20'].map(name => [`/docs/symbol/${name}`, 404, 'SYMBOL_NOT_FOUND'] as const),
    ['/docs/symbol/Loader.load', 200, ''],
    ['/docs/coverage?topN=x', 400, 'INVALID_PARAMETER'],
    ['/docs/module/src', 200, ''],
    ['/docs/module/nope', 404, 'RESOURCE_NOT_FOUND'],
  ];
  for (const [path, status, code] of rows) {
    const reply = await http('GET', path);
    const body = (await reply.json()) as { readonly code?: string; readonly details?: { readonly problems?: object } };
    assert.deepEqual([path, reply.status, body.code ?? ''], [path, status, code]);
    assert.equal(body.details?.problems !== undefined, code === 'INVALID_PARAMETER', path);
  }
  const large = await client.docs.file({ repo, path: 'docs/large.md' });
  assert.equal(large.passedOver, 'too large');
  const stale = await http('GET', '/docs/stale');
  const etag = stale.headers.get('etag')!;
  assert.equal(Compile(operations['docs.stale'].output).Check(await stale.json()), true);
  assert.equal((await http('GET', '/docs/stale', { 'if-none-match': etag })).status, 304);
  assert.equal((await http('HEAD', '/docs/stale')).status, 200);
});

test('who asks for a document that is none is told which there are', async t => {
  const { write } = await repository(t);
  for (const name of ['one', 'two', 'three', 'four', 'five']) write(`docs/${name}.md`, '`Loader`\n');
  await client.docs.index({ repo });
  const refused = async (asked: Promise<unknown>): Promise<Fault> => {
    const error: unknown = await asked.then(
      () => assert.fail('it is answered'),
      fault => fault,
    );
    assert.ok(error instanceof Fault);
    return error;
  };
  const missed = await refused(client.docs.stale({ repo, path: 'docs/thre.md' }));
  assert.match(missed.message, /no document "docs\/thre.md"; it has docs\/five.md, [^;]* and 2 more$/);
  assert.deepEqual(
    missed.extras.suggestedFixes?.map(({ command }) => command),
    [...[`svc docs stale --repo ${repo} docs/three.md`, `svc docs stale --repo ${repo}`, `svc doctor --repo ${repo}`]],
  );
  const code = await refused(client.docs.file({ repo, path: 'src/config.ts' }));
  assert.equal(code.extras.suggestedFixes?.[0]?.command, `svc docs stale --repo ${repo}`);
});

const routesTree = `-- package.json --
{ "name": "shop", "main": "src/server.ts" }
-- src/server.ts --
import express from 'express';
const app = express();
app.get('/users/:id', (request, reply) => reply.send('one'));
app.post('/users', (request, reply) => reply.send('made'));
-- test/server.test.ts --
app.get('/users/:id/tested', handler);
-- api/openapi.yaml --
openapi: 3.0.0
info: { title: Shop, version: '1' }
paths:
  /carts/{id}:
    put:
      responses: {}
-- docs/api.md --
# API

\`GET /users/{id}\` and \`PUT /carts/:id\`; \`GET /repos/:owner\` is elsewhere, \`/users/:id\` no mention.

\`\`\`sh
curl -X POST http://localhost:8080/users -d @user.json
curl http://localhost:8080/users/42/tested
\`\`\`
`;

test('routes that documents mention are those of the code and of OpenAPI documents, or stale', async t => {
  const { write, path } = await repository(t, routesTree);
  const file = await client.docs.file({ repo, path: 'docs/api.md' });
  assert.deepEqual(
    file.symbols.map(({ rawText, line, kind, resolution, name, filePath, suggestion, symbolId }) => [
      ...[rawText, line, kind, resolution, name ?? suggestion, filePath, symbolId],
    ]),
    [
      ['GET /users/{id}', 3, 'route', 'resolved', 'GET /users/{}', 'src/server.ts', undefined],
      ['PUT /carts/:id', 3, 'route', 'resolved', 'PUT /carts/{}', 'api/openapi.yaml', undefined],
      ...[
        ['curl -X POST http://localhost:8080/users', 6, 'route', 'resolved', 'POST /users', 'src/server.ts', undefined],
      ],
      ['curl http://localhost:8080/users/42/tested', 7, 'route', 'stale', 'GET /users/{}', undefined, undefined],
    ],
  );
  assert.deepEqual(file.summary, { total: 4, resolved: 3, stale: 1, unresolved: 1 });
  assert.equal((await client.docs.index({ repo })).stale, 1);
  const before = readFileSync(path('src/server.ts'), 'utf8');
  write('src/server.ts', before.replace('app.post', 'app.put').replace('/users/:id', '/users/:id/tested'));
  const { reports } = await client.docs.stale({ repo, sync: true });
  assert.deepEqual(
    reports[0]!.stale.map(({ rawText, kind, reason, suggestion }) => [rawText, kind, reason, suggestion]),
    [
      ['GET /users/{id}', 'route', 'route_deleted', 'GET /users/{id}/tested'],
      ['curl -X POST http://localhost:8080/users', 'route', 'route_deleted', 'PUT /users'],
    ],
  );
});
