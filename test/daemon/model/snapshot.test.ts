import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference, inverse, type ManifestChange } from '../../../daemon/model/delta.ts';
import type { ContentHash, Dialect, ScopeKey } from '../../../daemon/model/document.ts';
import { type ManifestLine, TreeManifest } from '../../../daemon/model/manifest.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';

function line(path: string, content: string, more: Partial<ManifestLine> = {}): ManifestLine {
  return {
    entry: { path: path as RepoPath, hash: content as ContentHash, dialect: 'typescript' as Dialect, skip: '' },
    version: 1,
    scope: path as ScopeKey,
    stat: { size: content.length, mtimeMs: 1, ctimeMs: 1, inode: 1 },
    ...more,
  };
}

const making = { linkerVersion: 1, sourceBytes: 1, lineCharacters: 1 };

const lines = (count: number): ManifestLine[] =>
  Array.from({ length: count }, (_, index) => line(`src/${index % 7}/file${index}.ts`, `hash${index}`));

function changes(...all: readonly [before: ManifestLine | undefined, after: ManifestLine | undefined][]) {
  return new Map<RepoPath, ManifestChange>(
    all.map(([before, after]) => {
      const { path } = (before ?? after)!.entry;
      return [path, { path, before, after }];
    }),
  );
}

test('the same lines give the same id, in whatever order they came', () => {
  const all = lines(500);
  const id = new TreeManifest(all).snapshotId(making);
  assert.match(id, /^sha256:[0-9a-f]{64}$/);
  assert.equal(new TreeManifest(all.toReversed()).snapshotId(making), id);
});

test('each thing that a snapshot holds or that decides what it holds changes the id; stat data don’t', () => {
  const all = lines(20);
  const id = new TreeManifest(all).snapshotId(making);
  const first = all[0]!;
  const withFirst = (other: ManifestLine) => new TreeManifest([other, ...all.slice(1)]).snapshotId(making);
  const entry = (part: Partial<ManifestLine['entry']>) => ({ ...first, entry: { ...first.entry, ...part } });
  assert.notEqual(withFirst(entry({ hash: 'other' as ContentHash })), id);
  assert.notEqual(withFirst(entry({ dialect: 'tsx' as Dialect })), id);
  assert.notEqual(withFirst(entry({ path: 'src/other.ts' as RepoPath })), id);
  assert.notEqual(withFirst({ ...first, version: 2 }), id);
  assert.notEqual(new TreeManifest(all.slice(1)).snapshotId(making), id);
  for (const other of [{ linkerVersion: 2 }, { sourceBytes: 2 }, { lineCharacters: 2 }]) {
    assert.notEqual(new TreeManifest(all).snapshotId({ ...making, ...other }), id);
  }
  assert.equal(withFirst({ ...first, stat: undefined }), id);
  const skips = (['parse_timeout', 'parser_trap', 'parser_stuck'] as const).map(skip => withFirst(entry({ skip })));
  assert.equal(new Set([id, ...skips]).size, 4);
});

test('a manifest moved on by deltas equals one made anew, and the inverse leads back', () => {
  const all = lines(300);
  const tree = new TreeManifest(all);
  const before = tree.snapshotId(making);
  const [a, b, c] = all as [ManifestLine, ManifestLine, ManifestLine];
  const edited = line(a.entry.path, 'edited');
  const added = line('lib/new.ts', 'new');
  const delta = changes([a, edited], [b, undefined], [undefined, added]);
  tree.apply(delta);
  const fresh = new TreeManifest([...all.slice(2), edited, added]);
  assert.equal(tree.snapshotId(making), fresh.snapshotId(making));
  for (const directory of ['', 'src', 'src/0', 'src/1', 'lib']) {
    assert.deepEqual(tree.filesIn(directory), fresh.filesIn(directory), directory);
  }
  assert.deepEqual(tree.documentsOf('lib/new.ts'), ['lib/new.ts']);
  assert.deepEqual(tree.documentsOf(b.scope), []);
  assert.equal(tree.get(c.entry.path), c);
  tree.apply(inverse(delta));
  assert.equal(tree.snapshotId(making), before);
  assert.deepEqual(tree.documentsOf('lib/new.ts'), []);
});

test('under() finds a path and everything below it, and nothing that only begins alike', () => {
  const tree = new TreeManifest(['a.ts', 'a/b.ts', 'a/c/d.ts', 'ab/e.ts'].map(path => line(path, path)));
  assert.deepEqual([...tree.under('a')].sort(), ['a/b.ts', 'a/c/d.ts']);
  assert.deepEqual([...tree.under('a.ts')], ['a.ts']);
  assert.deepEqual([...tree.under('')].sort(), ['a.ts', 'a/b.ts', 'a/c/d.ts', 'ab/e.ts']);
  assert.deepEqual([...tree.under('x')], []);
});

test('a scope with several files lists them sorted', () => {
  const scope = 'go:net#net' as ScopeKey;
  const tree = new TreeManifest(['net/z.go', 'net/a.go'].map(path => line(path, path, { scope })));
  assert.deepEqual(tree.documentsOf(scope), ['net/a.go', 'net/z.go']);
});

test('difference() leaves out what says the same, stat data apart', () => {
  const tree = new TreeManifest(lines(3));
  const [a, b] = lines(3) as [ManifestLine, ManifestLine];
  const found = new Map<RepoPath, ManifestLine | undefined>([
    [a.entry.path, { ...a, stat: undefined }],
    [b.entry.path, undefined],
    ['absent.ts' as RepoPath, undefined],
  ]);
  const delta = difference(path => tree.get(path), found);
  assert.deepEqual([...delta.keys()], [b.entry.path]);
});
