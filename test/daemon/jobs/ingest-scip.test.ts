import assert from 'node:assert/strict';
import { readFileSync, utimesSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { symbolWithoutVersion } from '../../../daemon/jobs/scip/own-packages.ts';
import type { ScipPart } from '../../../daemon/jobs/scip/scip-source.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../support/scip.ts';
import { scipTypescript } from '../../support/scip-typescript.ts';
import { indexedTree } from './indexed-tree.ts';

const ofIndexer = { metadata: { toolInfo: { name: 'indexer', version: '1' }, textDocumentEncoding: 1 } };

/** An indexed tree, and ways to take in what indexers say of it. */
async function bench(t: TestContext, files: string) {
  const work = temporaryFolder(t, files);
  const tree = indexedTree(t, work.root);
  await tree.crawl();
  const folder = temporaryFolder(t);
  const entries = tree.dump().lines.flatMap(line => (line.startsWith('entry\t') ? [line.split('\t')] : []));
  const contents = new Map(entries.map(([, path, hash]) => [path!, hash!]));
  const ingest = (parts: readonly [ScipPart, ...ScipPart[]], signal?: AbortSignal) =>
    tree.engine.ingestScip(tree.repo, { parts, seen: { kind: 'contents', contents } }, { signal });
  const ingestEvident = (...parts: [ScipPart]) => tree.engine.ingestScip(tree.repo, { parts, seen: { kind: 'tree' } });
  const written = (name: string, index: PartOf<ScipIndex>): ScipPart => {
    const metadata = { ...ofIndexer.metadata, ...index.metadata };
    folder.write(name, scipBytes({ ...index, metadata }));
    return { file: folder.path(name) };
  };
  /** Where an indexer says that a symbol of the tree is used, as `path:line:column`. */
  const usesOf = (path: string, tail: string) => {
    const hash = symbolHash(path as ScopeKey, tail);
    const rows = tree.dump().lines.map(line => line.split('\t'));
    return rows
      .filter(([row, , , , , symbol, how]) => row === 'reference' && symbol === hash && how === '127')
      .map(([, place, line, column]) => `${place}:${line}:${column}`);
  };
  return { work, tree, ingest, ingestEvident, written, usesOf };
}

const files = '-- a.py --\ndef one(): return 1\n-- b.py --\nfrom a import one\n';
const one = 'scip-python python app 1 a/one().';

/** What an indexer says of these two. */
const said = {
  documents: [
    { relativePath: 'a.py', occurrences: [{ range: [0, 4, 7], symbol: one, symbolRoles: 1 }] },
    { relativePath: 'b.py', occurrences: [{ range: [0, 14, 17], symbol: one }] },
  ],
};

test('what an indexer says is published; said again, it is nothing new', async t => {
  const { tree, ingest, written, usesOf } = await bench(t, files);
  const index = written('index.scip', said);
  const first = await ingest([index]);
  assert.deepEqual([first.outcome.joined, first.published.documentsLinked, first.published.seq], [2, 2, 2]);
  assert.match(first.published.evidenceId, /^[0-9a-f]{64}$/);
  assert.deepEqual(usesOf('a.py', 'one().'), ['b.py:0:14']);
  const again = await ingest([index]);
  assert.deepEqual([again.outcome.joined, again.published.documentsLinked, again.published.seq], [2, 0, 2]);
  assert.equal(again.published.evidenceId, first.published.evidenceId);
  assert.equal(tree.notices.filter(({ kind }) => kind === 'published').length, 3);
});

test('a run that is cancelled publishes nothing and says why', async t => {
  const { tree, ingest, written } = await bench(t, files);
  const cancelled = ingest([written('index.scip', said)], AbortSignal.abort());
  await assert.rejects(cancelled, { name: 'Fault', reason: 'cancelled' });
  const { seq, evidenceId } = await tree.crawl();
  assert.deepEqual([seq, evidenceId], [1, '']);
});

test('of a damaged index file those who keep it are told; once it is mended, the index is taken in', async t => {
  const { tree, ingest, written } = await bench(t, files);
  const index = written('index.scip', said);
  await tree.engine.release(tree.repo.indexFile);
  const database = new Database(tree.repo.indexFile);
  database.exec('UPDATE fact_body SET facts = zeroblob(length(facts))');
  database.close();
  await assert.rejects(ingest([index]), { name: 'Fault', reason: 'storageFailed' });
  assert.equal(tree.notices.filter(({ kind }) => kind === 'write_failed').length, 1);
  assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), true);
  assert.equal((await ingest([index])).published.documentsLinked, 2);
});

test('of a file that the index says it saw otherwise nothing is taken in, whatever stands at its places', async t => {
  const { work, tree, ingest, ingestEvident, written, usesOf } = await bench(t, files);
  const withText = (text: string) =>
    written('text.scip', { documents: [said.documents[0]!, { ...said.documents[1]!, text }] });
  for (const take of [(part: ScipPart) => ingest([part]), (part: ScipPart) => ingestEvident(part)]) {
    const { joined, otherContent } = (await take(withText('from b import one\n'))).outcome;
    assert.deepEqual([joined, otherContent], [1, 1]);
    assert.deepEqual(usesOf('a.py', 'one().'), []);
  }
  const { joined, otherContent } = (await ingestEvident(withText('\uFEFFfrom a import one\r\n'))).outcome;
  assert.deepEqual([joined, otherContent], [2, 0], 'line ends and marks move no place');
  assert.deepEqual(usesOf('a.py', 'one().'), ['b.py:0:14']);
  work.write('b.py', 'from c import one\n');
  await tree.changed('b.py');
  const edited = (await ingestEvident(withText('from a import one\n'))).outcome;
  assert.deepEqual([edited.joined, edited.otherContent], [1, 1]);
});

test('whether a byte order mark takes a column is told by what stands there', async t => {
  const marked = '-- a.py --\n\uFEFFdef one(): return 1\n-- b.py --\n\uFEFFfrom a import one\n';
  for (const [encoding, width] of [
    [1, 3],
    [2, 1],
    [3, 1],
    [2, 0],
  ] as const) {
    const { work, ingest, ingestEvident, written, usesOf } = await bench(t, marked);
    assert.equal(readFileSync(work.path('b.py'), 'utf8'), '\uFEFFfrom a import one\n');
    const documents = said.documents.map(({ relativePath, occurrences }) => ({
      ...{ relativePath, positionEncoding: encoding },
      occurrences: [
        { range: [0, 0, 0], symbol: `scip-python python app 1 ${relativePath[0]}/__init__:`, symbolRoles: 1 },
        ...occurrences.map(one => ({ ...one, range: [0, one.range[1]! + width, one.range[2]! + width] })),
      ],
    }));
    const index = written('index.scip', { documents });
    for (const { outcome } of [await ingest([index]), await ingestEvident(index)])
      assert.deepEqual([outcome.joined, outcome.damaged, outcome.otherContent], [2, 0, 0], `${encoding} ${width}`);
    assert.deepEqual(usesOf('a.py', 'one().'), ['b.py:0:14']);
  }
});

/** A file of 100 uses, and what an indexer says of it, some of them at other ranges. */
const hundred = `${files}-- c.py --\n${'é = one()\n'.repeat(100)}`;
const usesIn = (ranges: Readonly<Record<number, readonly number[]>>, positionEncoding: number) => ({
  documents: [
    ...said.documents,
    {
      relativePath: 'c.py',
      positionEncoding,
      occurrences: Array.from({ length: 100 }, (_, line) => {
        const start = positionEncoding === 1 ? 5 : 4;
        return { range: [...(ranges[line] ?? [line, start, start + 3])], symbol: one };
      }),
    },
  ],
});

/** Places that no file has, by line. */
const nine = Object.fromEntries([3, 7, 9, 11, 13, 15, 17, 19, 21].map(line => [line, [line, 2000, 2003]]));

test('what stands past the end of a line or of the file is left out and counted, and of too much of it the file', async t => {
  for (const encoding of [1, 2, 3]) {
    const { ingest, written, usesOf } = await bench(t, hundred);
    const few = usesIn({ 3: [3, 2000, 2003], 7: [500, 0, 3] }, encoding);
    const { outcome } = await ingest([written('few.scip', few)]);
    assert.deepEqual([outcome.joined, outcome.damaged, outcome.rejected], [3, 0, { 'occurrence: range': 2 }]);
    const uses = usesOf('a.py', 'one().');
    assert.equal(uses.length, 99);
    assert.ok(uses.includes('c.py:99:4') && uses.every(use => /^b.py:0:14$|^c.py:\d+:4$/.test(use)), uses.join());
    const many = usesIn(nine, encoding);
    const again = await ingest([written('many.scip', many)]);
    const { joined, damaged, otherContent, rejected } = again.outcome;
    assert.deepEqual([joined, damaged, otherContent, rejected], [2, 1, 0, { 'occurrence: range': 9 }]);
    assert.deepEqual(usesOf('a.py', 'one().'), uses, 'what was known of it stays');
  }
});

test('of a small file one bad place is left out, and what stands beside it is taken in', async t => {
  const { ingest, ingestEvident, written, usesOf } = await bench(t, files);
  const [definition, use] = said.documents;
  const occurrences = [...use!.occurrences, { range: [0], symbol: one }];
  const index = written('index.scip', { documents: [definition!, { ...use!, occurrences }] });
  for (const { outcome } of [await ingest([index]), await ingestEvident(index)]) {
    assert.deepEqual([outcome.joined, outcome.damaged, outcome.rejected], [2, 0, { 'occurrence: range': 1 }]);
  }
  assert.deepEqual(usesOf('a.py', 'one().'), ['b.py:0:14']);
});

test('an installed copy of the repository’s own package is its package, however PyPI spells it', () => {
  const packageOf = (symbol: string) => symbolWithoutVersion(symbol)?.package;
  assert.equal(packageOf('scip-python python Flask_Login 3.1 flask_login/one().'), 'flask-login');
  assert.equal(packageOf('scip-typescript npm Flask_Login 3.1 one().'), 'Flask_Login');
});

test('so it is left out where a text is the indexer’s by all but a few places', async t => {
  for (const encoding of [1, 2, 3]) {
    const { ingestEvident, written, usesOf } = await bench(t, hundred);
    const few = usesIn({ 3: [3, 2000, 2003], 7: [500, 0, 3] }, encoding);
    const { outcome } = await ingestEvident(written('few.scip', few));
    assert.deepEqual([outcome.joined, outcome.damaged, outcome.rejected], [3, 0, { 'occurrence: range': 2 }]);
    assert.equal(usesOf('a.py', 'one().').length, 99);
    const many = usesIn(nine, encoding);
    const { joined, otherContent, rejected } = (await ingestEvident(written('many.scip', many))).outcome;
    assert.deepEqual([joined, otherContent, rejected], [2, 1, {}]);
  }
});

/** The two files in a git repository, under the conversions of `attributes`; `joined`: how many documents of the first commit's index. */
async function committed(t: TestContext, attributes: string) {
  const tree = gitRepository(t, `${files}-- .gitattributes --\n${attributes}`);
  tree.git('config', 'filter.upper.clean', 'sed s/ONE/one/');
  tree.git('config', 'filter.upper.smudge', 'sed s/one/ONE/');
  const commit = tree.commit();
  tree.write('later.py', '');
  tree.commit();
  /** Has git write a file as whoever clones has it, so long ago that git's index can tell. */
  const checkOut = (path: string) => {
    tree.remove(path);
    tree.git('checkout', '--', path);
    utimesSync(tree.path(path), 1_600_000_000, 1_600_000_000);
    tree.git('update-index', '--refresh');
  };
  return { tree, checkOut, joined: () => joinedAt(t, tree.root, commit, said.documents) };
}

/** How many documents a tree joins of an index that was made of a commit. */
async function joinedAt(t: TestContext, root: string, commit: string, documents: PartOf<ScipIndex['documents']>) {
  const indexed = indexedTree(t, root);
  await indexed.crawl();
  const folder = temporaryFolder(t);
  folder.write('index.scip', scipBytes({ ...ofIndexer, documents }));
  const source = { parts: [{ file: folder.path('index.scip') }], seen: { kind: 'commit', commit } } as const;
  return (await indexed.engine.ingestScip(indexed.repo, source)).outcome.joined;
}

test('a file of a commit is the same with other line ends, whether git has noted it or not', async t => {
  const { tree, checkOut, joined } = await committed(t, '*.py text eol=crlf\n');
  checkOut('b.py');
  assert.match(readFileSync(tree.path('b.py'), 'utf8'), /\r\n/);
  assert.equal(await joined(), 2, 'noted by git');
  tree.write('b.py', 'from a import one\r\n');
  assert.equal(await joined(), 2, 'written anew');
  tree.write('b.py', 'from  a import one\r\n');
  assert.equal(await joined(), 1, 'changed');
});

test('a file that a filter of git’s made from a commit’s is that file, as long as git says so', async t => {
  const { tree, checkOut, joined } = await committed(t, 'b.py filter=upper\n');
  checkOut('b.py');
  assert.match(readFileSync(tree.path('b.py'), 'utf8'), /ONE/);
  assert.equal(await joined(), 2);
  tree.write('b.py', 'from a import ONE as two\n');
  assert.equal(await joined(), 1);
});

test('a commit has the files of a folder within its work tree too', async t => {
  const tree = gitRepository(t, '-- app/a.py --\ndef one(): return 1\n');
  const commit = tree.commit();
  assert.equal(await joinedAt(t, tree.path('app'), commit, [said.documents[0]!]), 1);
});

const twoProjects = `
  -- a.py --
  def one(): return 1
  -- lib/a.py --
  def one(): return 2
  -- app/b.py --
  from a import one
`;

test('paths begin in the folder that its reader names, or else its metadata: here or on another machine', async t => {
  for (const { folder, projectRoot } of [
    { folder: 'lib', projectRoot: 'file:///' },
    { projectRoot: 'ROOT/lib' },
    { projectRoot: 'file:///builds/acme/lib/' },
  ]) {
    const { work, ingest, written, tree } = await bench(t, twoProjects);
    const metadata = { projectRoot: projectRoot.replace('ROOT', `file://${work.root}`) };
    const part = written('lib.scip', { documents: [said.documents[0]!], metadata });
    const { outcome } = await ingest([folder === undefined ? part : { ...part, folder }]);
    assert.equal(outcome.joined, 1);
    const precise = tree.dump().lines.filter(line => line.startsWith('precise\t'));
    assert.deepEqual(
      precise.map(line => line.split('\t')[1]),
      ['lib/a.py'],
      projectRoot,
    );
  }
});

test('what projects of one repository name of each other is of the repository, whatever version they ask for', async t => {
  const { ingest, written, usesOf } = await bench(t, twoProjects);
  const lib = written('lib.scip', { documents: [said.documents[0]!] });
  const use = { range: [0, 14, 17], symbol: one.replace('app 1', 'app 0.9-local') };
  const own = { range: [0, 0, 0], symbol: 'scip-python python the-app 1 b/__init__:', symbolRoles: 1 };
  const app = written('app.scip', { documents: [{ relativePath: 'b.py', occurrences: [own, use] }] });
  const { outcome } = await ingest([
    { ...lib, folder: 'lib' },
    { ...app, folder: 'app' },
  ]);
  assert.deepEqual([outcome.documents, outcome.joined], [2, 2]);
  assert.deepEqual(usesOf('lib/a.py', 'one().'), ['app/b.py:0:14']);
});

test('of a package of the repository, what the index leaves out is not somebody else’s', async t => {
  const { ingest, written, tree } = await bench(t, files);
  const own = { range: [0, 0, 0], symbol: 'scip-python python app 1 b/__init__:', symbolRoles: 1 };
  const documents = [{ relativePath: 'b.py', occurrences: [own, said.documents[1]!.occurrences[0]!] }];
  const { outcome } = await ingest([written('index.scip', { documents })]);
  assert.deepEqual([outcome.joined, outcome.occurrences], [1, 0]);
  const [reference] = tree.dump().lines.filter(line => line.startsWith('reference\tb.py\t0\t14'));
  assert.equal(reference?.split('\t')[5], symbolHash('a.py' as ScopeKey, 'one().'), 'syntax has its say');
});

test('the real scip-typescript, run in the packages of a workspace, tells of the uses in each other', async t => {
  const tsconfig = '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }';
  const { work, ingest, usesOf } = await bench(
    t,
    `
    -- package.json --
    { "name": "workspace", "private": true, "workspaces": ["packages/*"] }
    -- src/index.ts --
    export function one(): number { return 0 }
    -- packages/a/package.json --
    { "name": "@acme/a", "version": "1.0.0", "types": "src/index.ts" }
    -- packages/a/tsconfig.json --
    ${tsconfig}
    -- packages/a/src/index.ts --
    export function one(): number { return 1 }
    -- packages/b/package.json --
    { "name": "@acme/b", "version": "1.0.0", "dependencies": { "@acme/a": "*" } }
    -- packages/b/tsconfig.json --
    ${tsconfig}
    -- packages/b/src/use.ts --
    import { one } from '@acme/a'
    one()
    -- node_modules/@acme/a -> ../../packages/a --
  `,
  );
  const a = await scipTypescript(t, work.path('packages/a'), ['tsconfig.json', 'src/index.ts']);
  const b = await scipTypescript(t, work.path('packages/b'), ['tsconfig.json', 'src/use.ts']);
  const uses = ['packages/b/src/use.ts:0:9', 'packages/b/src/use.ts:1:0'];
  for (const [first, second] of [
    [{ file: a }, { file: b }],
    [
      { file: b, folder: 'packages/b' },
      { file: a, folder: 'packages/a' },
    ],
  ] as const) {
    const { outcome } = await ingest([first, second]);
    assert.deepEqual([outcome.joined, outcome.notInTree, outcome.otherContent], [2, 0, 0]);
    assert.deepEqual(usesOf('packages/a/src/index.ts', 'one().'), uses);
  }
  assert.deepEqual(usesOf('src/index.ts', 'one().'), []);
});

test('a module that is declared for whatever leads nowhere says nothing of what is imported', async t => {
  const { work, tree, ingest } = await bench(
    t,
    `
    -- env.d.ts --
    declare module '*'
    -- tsconfig.json --
    { "compilerOptions": { "paths": { "@/*": ["./*"] } } }
    -- lib.ts --
    export function one(): number { return 1 }
    -- use.ts --
    import { one } from '@/lib'
    one()
  `,
  );
  // As one that doesn't know the paths.
  const file = await scipTypescript(t, work.root, ['env.d.ts', 'lib.ts', 'use.ts']);
  assert.equal((await ingest([{ file }])).outcome.joined, 3);
  const hash = symbolHash('lib.ts' as ScopeKey, 'one().');
  const uses = tree.dump().lines.flatMap(line => {
    const [row, path, place, , , symbol, how] = line.split('\t');
    return row === 'reference' && symbol === hash ? [`${path}:${place} ${how}`] : [];
  });
  assert.deepEqual(uses, ['use.ts:0 100', 'use.ts:1 100']);
});
