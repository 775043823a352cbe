import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { analysed } from '../../../daemon/operations/analysis/analyses.ts';
import type { Asked } from '../../../daemon/operations/symbols/answers.ts';
import { callsSummary, changedMatches, strangersIn } from '../../../daemon/operations/telemetry/calls-summary.ts';
import { functionMatcher } from '../../../daemon/operations/telemetry/function-matcher.ts';
import { callsOf } from '../../../daemon/operations/telemetry/matched-calls.ts';
import type { MappedService } from '../../../daemon/operations/telemetry/telemetry.ts';
import { findUnmapped, type UnmappedOptions } from '../../../daemon/operations/telemetry/unmapped.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { type CalledTree, calledTree } from './called-tree.ts';

/** What each reported function is: its quality, and where that is; or why it is nothing. */
function matched(tree: CalledTree): Readonly<Record<string, string>> {
  return tree.aboutCalls((reader, asked) =>
    analysed(reader, asked, of => {
      const { symbols, unmatched } = callsOf(of)!.all();
      const found = [...symbols.values()].flatMap(({ hash, functions }) => {
        const { path } = reader.symbol(asked.repo.key, of.snapshot.seq, hash)!;
        return functions.map(({ stored, quality, isFormer }) => {
          const told = `${quality} ${path}${isFormer ? ' formerly' : ''}`;
          return [`${stored.file} ${stored.name}`.trim(), told] as const;
        });
      });
      const lost = unmatched.map(({ stored, because }) => [`${stored.file} ${stored.name}`.trim(), because] as const);
      return Object.fromEntries([...found, ...lost]);
    }),
  );
}

async function reported(t: TestContext, text: string, functions: readonly string[]): Promise<CalledTree> {
  const tree = await calledTree(t, text);
  await tree.report({ service: 'shop', functions, days: 0 });
  return tree;
}

test('what lies where packages are installed is ours if the package is', async t => {
  const tree = await reported(
    t,
    `
-- package.json --
{ "name": "shop", "private": true, "workspaces": ["packages/*"] }
-- index.ts --
export function parse() {}
-- src/index.ts --
export function load() {}
-- packages/cart/package.json --
{ "name": "@acme/cart", "main": "dist/index.js" }
-- packages/cart/src/index.ts --
export function parse() {}
export function load() {}
`,
    [
      '/app/node_modules/zod/index.js parse',
      '/app/node_modules/zod/dist/index.js load',
      '/app/node_modules/@acme/cart/dist/index.js parse',
      '/app/cart/dist/index.js load',
    ],
  );
  assert.deepEqual(matched(tree), {
    '/app/node_modules/@acme/cart/dist/index.js parse': 'strong packages/cart/src/index.ts',
    '/app/cart/dist/index.js load': 'strong packages/cart/src/index.ts',
    '/app/node_modules/zod/index.js parse': 'foreign',
    '/app/node_modules/zod/dist/index.js load': 'foreign',
  });
});

const changedIn = (tree: CalledTree, repoUid = 'uid') =>
  tree.aboutCalls((reader, asked) => analysed(reader, asked, changedMatches), { repoUid });

test('what is remembered of functions is of one repository: another remembers its own', async t => {
  const tree = await reported(t, '-- a.js --\nexport function foo() {}\n', ['a.js foo']);
  const changed = changedIn(tree);
  assert.deepEqual(
    changed.map(({ repoUid, quality }) => [repoUid, quality]),
    [['uid', 'strong']],
  );
  tree.remember(changed);
  assert.deepEqual(changedIn(tree), []);
  assert.deepEqual(
    changedIn(tree, 'again').map(({ repoUid }) => repoUid),
    ['again'],
  );
});

test('a function that bears the number of one that has gone is looked up itself', async t => {
  const tree = await reported(t, '-- a.js --\nexport function foo() {}\n-- b.js --\nexport function bar() {}\n', [
    'a.js foo',
  ]);
  assert.deepEqual(matched(tree), { 'a.js foo': 'strong a.js' });
  const numbers = () => {
    const database = new Database(tree.file);
    const ids = database.prepare('SELECT id FROM call_function').pluck().all();
    database.exec('DELETE FROM call_days; DELETE FROM call_function');
    database.close();
    return ids;
  };
  const before = numbers();
  await tree.report({ service: 'shop', functions: ['b.js bar'], days: 0 });
  assert.deepEqual(matched(tree), { 'b.js bar': 'strong b.js' });
  assert.deepEqual(numbers(), before);
});

test('a name that means two things now is what it was no more, as long as that is there', async t => {
  const tree = await reported(t, '-- a.js --\nexport function foo() {}\n', ['foo']);
  assert.deepEqual(matched(tree), { foo: 'weak a.js' });
  tree.remember(changedIn(tree));
  tree.folder.write('b.js', 'export function foo() {}\n');
  await tree.tree.crawl();
  assert.deepEqual(matched(tree), { foo: 'ambiguous' });
});

test('what a repository has of strangers is found out beside what is known of its own', async t => {
  const tree = await reported(t, '-- a.js --\nexport function foo() {}\n', ['a.js foo']);
  const own = () => tree.aboutCalls((reader, asked) => analysed(reader, asked, of => callsOf(of)!.all()));
  const before = own();
  const strangers = tree.aboutCalls((reader, asked) => analysed(reader, asked, strangersIn), { version: 'strange' });
  assert.deepEqual(
    strangers.services.map(({ matched: count }) => count),
    [1],
  );
  assert.equal(own(), before);
});

test('functions of a service of which nothing matches are not the repository’s', async t => {
  const tree = await calledTree(t, '-- a.js --\nexport function foo() {}\n', 'assumed');
  const summary = () => tree.aboutCalls((reader, asked) => analysed(reader, asked, callsSummary));
  await tree.report({ service: 'stranger', functions: ['x.js one', 'x.js two'], days: [3, 0] });
  const { services, counts, coverage, observationDays } = summary();
  assert.deepEqual(
    services.map(({ isOwn, functions }) => [isOwn, functions]),
    [[false, 2]],
  );
  assert.deepEqual([counts.absent, coverage.level, observationDays], [0, 'insufficient', 0]);
  await tree.report({ service: 'shop', functions: ['a.js foo', 'x.js three'], days: 0 });
  const { counts: own, services: both } = summary();
  assert.deepEqual([own.strong, own.absent, both.filter(({ isOwn }) => isOwn).length], [1, 1, 1]);
});

interface Asking {
  readonly services: readonly string[];
  readonly more?: Partial<MappedService>;
  /** Ids; one called broken can’t be read. */
  readonly repositories: readonly string[];
  readonly limit: number;
}

/** What is found, where nothing matches anywhere, and which services each repository was asked about. */
async function unmappedOf({ services, more = {}, repositories, limit }: Asking) {
  const asked: string[] = [];
  const seen = { events: 3, firstSeen: 0, lastSeen: 0, ...more };
  const options = {
    telemetry: { services: () => services.map((name, id) => ({ id, name, ...seen })), asked: () => undefined },
    repositories: {
      list: () => repositories.map(id => ({ record: { id }, registered: { uid: id }, snapshot: { seq: 1 } })),
    },
    readPool: {
      strangersIn: async ({ repo, calls }: Asked) => {
        if (repo.id === 'broken') throw new StoreError('corrupt', 'x');
        asked.push(`${repo.id}: ${calls!.services.map(({ name }) => name).join(' ')}`);
        const told = { isOwn: false, functions: 2, matched: 0, sure: 0 };
        return { services: calls!.services.map(({ id }) => ({ id, ...told })), unmatched: [] };
      },
    },
  } as unknown as UnmappedOptions;
  const found = await findUnmapped(options, { nowMs: 0, limit }, new AbortController().signal);
  return { found, asked };
}

test('an index that can’t be read leaves out what it has of services, and no more', async () => {
  const { found } = await unmappedOf({ services: ['ads'], repositories: ['broken', 'shop'], limit: 10 });
  assert.deepEqual(
    found.services.map(({ name, functions, wouldMatch }) => [name, functions, wouldMatch.map(({ repoId }) => repoId)]),
    [['ads', 2, []]],
  );
  assert.deepEqual(found.warnings, ["the index of broken can't be read: what it has of these services is not told"]);
});

test('of many services of no known repository those alone are looked for that are told of', async () => {
  const services = ['ads', 'pay', 'ads', 'mail', 'chat'];
  const { found, asked } = await unmappedOf({ services, repositories: ['shop', 'bank'], limit: 2 });
  assert.deepEqual([found.services.map(({ name }) => name), found.total], [['ads', 'pay'], 4]);
  assert.deepEqual(asked, ['shop: ads ads pay', 'bank: ads ads pay']);
});

test('why a service is of no repository is told', async () => {
  const reasonOf = async (more: Partial<MappedService>) => {
    const { found } = await unmappedOf({ services: ['ads'], more, repositories: ['shop'], limit: 9 });
    return found.services.map(({ reason, mappedTo }) => [reason, mappedTo]);
  };
  assert.deepEqual(await reasonOf({}), [['unknown', null]]);
  assert.deepEqual(await reasonOf({ astray: 'gone' }), [['unregistered', 'gone']]);
  assert.deepEqual(await reasonOf({ mapped: { repo: 'shop', folder: '', by: 'assumed' } }), [['unmatched', 'shop']]);
  assert.deepEqual(await reasonOf({ mapped: { repo: 'shop', folder: '', by: 'name' } }), []);
});

test('what many services call alike is looked up once', async t => {
  const tree = await calledTree(t, '-- a.js --\nexport function foo() {}\n');
  tree.about((reader, { repo, current }) => {
    const { match } = functionMatcher(reader, repo.key, reader.catalogue(repo.key, current!.seq)!);
    const told = { name: 'foo', namespace: '', file: 'a.js', line: 1 };
    assert.equal(match({ ...told }, ''), match({ ...told }, ''));
    assert.notEqual(match(told, ''), match({ ...told, line: 2 }, ''));
    assert.notEqual(match(told, ''), match(told, 'src'));
  });
});

test('of services that may be anybody’s the most called functions are looked at', async t => {
  const tree = await calledTree(t, '-- a.js --\nexport function foo() {}\n');
  await tree.report({ service: 'shop', functions: ['x.js one', 'x.js two'], days: 0 });
  await tree.report({ service: 'shop', functions: ['a.js foo'], days: 0, calls: 2 });
  await tree.report({ service: 'bank', functions: ['a.js foo'], days: 0 });
  const { services } = tree.aboutCalls((reader, asked) => analysed(reader, asked, strangersIn), { mostOfEach: 1 });
  assert.deepEqual(
    services.map(({ functions, matched: count }) => [functions, count]),
    [
      [1, 1],
      [1, 1],
    ],
  );
});

test('of functions that match nothing the most called are told, so many of each service', async t => {
  const tree = await calledTree(t, '-- a.js --\nexport function foo() {}\n');
  const names = (service: string) => Array.from({ length: 25 }, (_, at) => `${service}.js gone${at}`);
  await tree.report({ service: 'shop', functions: names('shop'), days: 0 });
  await tree.report({ service: 'bank', functions: names('bank'), days: 0, calls: 2 });
  const { unmatched, services } = tree.aboutCalls((reader, asked) => analysed(reader, asked, callsSummary));
  assert.deepEqual(
    services.map(({ functions }) => functions),
    [25, 25],
  );
  assert.deepEqual(
    unmatched.map(({ file }) => file),
    ['bank.js', 'shop.js'].flatMap(file => Array.from({ length: 20 }, () => file)),
  );
});
