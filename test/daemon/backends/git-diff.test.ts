import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { readPatches } from '../../../daemon/backends/git-patches.ts';
import { GitFailed } from '../../../daemon/backends/git-process.ts';
import type { FileDiff } from '../../../daemon/model/history.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { addHistory, gone, plainChanges } from '../../support/history.ts';
import { oddHistory, randomHistory } from '../../support/odd-history.ts';
import { gitRepository, type Workspace } from '../../support/repository.ts';

/** Holds a diff against what plain git lists and counts, its blobs and hunks against both trees. */
function assertAsGit(tree: Workspace, [before, after]: readonly [string, string], files: readonly FileDiff[]): void {
  const listed = tree.git('diff-tree', '-r', '-M', '--raw', '--numstat', '-z', before, after);
  assert.deepEqual(
    files.map(({ hunks, oldBlob, newBlob, ...file }) => file),
    plainChanges(listed),
    `${before} ${after}`,
  );
  for (const { kind, path, from = path, lines, hunks, oldBlob, newBlob } of files) {
    // What their bytes are is told by those names alone that are text.
    if (path.includes('\ufffd') || from.includes('\ufffd')) continue;
    const sides = [kind === 'added' ? undefined : filesAt(tree, before).get(from), filesAt(tree, after).get(path)];
    assert.deepEqual(
      [oldBlob, newBlob],
      sides.map(side => side?.blob),
      path,
    );
    if (lines === undefined) continue;
    const old = kind === 'added' ? [] : sides[0]?.lines;
    const fresh = kind === 'deleted' ? [] : sides[1]?.lines;
    if (old === undefined || fresh === undefined) continue;
    const patched: string[] = [];
    let at = 0;
    for (const { oldLine, oldCount, newLine, newCount } of hunks) {
      assert.ok(oldLine >= at && oldCount + newCount > 0, 'hunks follow each other');
      patched.push(...old.slice(at, oldLine));
      assert.equal(patched.length, newLine);
      patched.push(...fresh.slice(newLine, newLine + newCount));
      at = oldLine + oldCount;
    }
    assert.deepEqual([...patched, ...old.slice(at)], fresh, `the hunks of ${path} make the one of the other`);
  }
}

interface FileThen {
  /** As latin1. */
  readonly lines: readonly string[];
  /** Of a regular file. */
  readonly blob: string | undefined;
}

/** A commit's files by path, links among them. */
function filesAt(tree: Workspace, commit: string): ReadonlyMap<string, FileThen> {
  const known = seen.get(commit);
  if (known !== undefined) return known;
  const listed = tree.git('ls-tree', '-r', '-z', commit).split('\0').slice(0, -1);
  const entry = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s;
  const entries = listed.map(line => entry.exec(line)!.slice(1) as [string, string, string, string]);
  const blobs = entries.filter(([, type]) => type === 'blob');
  const input = blobs.map(([, , hash]) => `${hash}\n`).join('');
  const options = { cwd: tree.root, input, encoding: 'latin1', maxBuffer: 256 * 1024 * 1024 } as const;
  const answers = execFileSync('git', ['cat-file', '--batch'], options);
  const files = new Map<string, FileThen>();
  let at = 0;
  for (const [mode, , hash, path] of blobs) {
    const head = answers.indexOf('\n', at);
    const size = Number(answers.slice(at, head).split(' ')[2]);
    const lines = answers.slice(head + 1, head + 1 + size).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    files.set(path, { lines, blob: mode.startsWith('100') ? hash : undefined });
    at = head + 1 + size + 1;
  }
  seen.set(commit, files);
  return files;
}

const seen = new Map<string, ReadonlyMap<string, FileThen>>();

for (const format of ['sha1', 'sha256']) {
  test(`tells what differs between two trees as git does (${format})`, async t => {
    const { git } = askedGit(t);
    const tree = gitRepository(t, '', [`--object-format=${format}`]);
    const hashes = [...addHistory(tree, oddHistory(format === 'sha1' ? 40 : 64)).values()];
    const repository = repositoryAt(tree.root);
    const last = hashes.at(-1)!;
    const pairs = hashes.map(
      (hash, index) => [hash, (index % 4 === 0 ? undefined : hashes[index + 1]) ?? last] as const,
    );
    for (const pair of [...pairs, [last, hashes[0]!] as const]) {
      assertAsGit(tree, pair, await git.diff(repository, ...pair));
    }
  });
}

test('tells what differs between trees of random histories', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, randomHistory(5, 25)).values()];
  const repository = repositoryAt(tree.root);
  for (const [index, hash] of hashes.entries()) {
    const pair = [hash, hashes[(index * 7) % hashes.length]!] as const;
    assertAsGit(tree, pair, await git.diff(repository, ...pair));
  }
});

test('counts lines as git does, where it would find others by itself', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  // Without lines around differences git leaves out what both files end with, and the lines at the top twice as well.
  const lines = (numbers: readonly number[]) => numbers.map(number => `${number}${'.'.repeat(100)}\n`).join('');
  const rest = [8, 9, 10, 11, 12, 13, 14, 5, 15, 16, 17, 18, 19, 20, 0, 21, 22, 23, 24, 1, 25, 26, 27, 28];
  const hashes = addHistory(tree, {
    before: { puts: { 'a.ts': lines([0, 1, 2, 3, 4, 5, 6, 7, ...rest]) } },
    after: { puts: { 'a.ts': lines([1, 1, 1, 1, ...rest]) } },
  });
  const pair = [...hashes.values()] as [string, string];
  const counted = (...flags: readonly string[]) =>
    tree
      .git('diff-tree', '--numstat', ...flags, ...pair)
      .split('\n')
      .at(-1);
  assert.equal(counted(), '3\t7\ta.ts');
  assert.match(tree.git('diff-tree', '--numstat', '-U0', ...pair), /^4\t8\ta.ts\n/, 'this git does so');
  assertAsGit(tree, pair, await git.diff(repositoryAt(tree.root), ...pair));
});

test('attributes decide nothing, and no file of the tree is read', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = addHistory(tree, {
    before: { puts: { '.gitattributes': '* diff=evil binary\n', 'a.ts': 'one\n' } },
    after: { puts: { 'a.ts': 'two\n' } },
  });
  const [before, after] = [...hashes.values()] as [string, string];
  tree.git('checkout', '--quiet', 'planned');
  tree.git('config', 'diff.evil.textconv', 'false');
  tree.git('config', 'diff.external', 'false');
  assert.deepEqual(await git.diff(repositoryAt(tree.root), before, after), [
    {
      kind: 'modified',
      path: 'a.ts',
      lines: { added: 1, deleted: 1 },
      hunks: [{ oldLine: 0, oldCount: 1, newLine: 0, newCount: 1 }],
      oldBlob: tree.git('rev-parse', `${before}:a.ts`),
      newBlob: tree.git('rev-parse', `${after}:a.ts`),
    },
  ]);
});

test('many files and many lines are told, within bounds', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const lines = Array.from({ length: 300_000 }, (_, index) => `${index}\n`);
  const files = Array.from({ length: 10_000 }, (_, index) => [`${index % 100}/${index}.ts`, `${index}\n`] as const);
  const hashes = addHistory(tree, {
    before: { puts: { 'long.ts': lines.join(''), 'z.ts': 'a\nb\nc\nd\ne\n', ...Object.fromEntries(files) } },
    after: {
      puts: {
        'long.ts': lines.map((line, index) => (index % 2 === 0 ? line : `x${line}`)).join(''),
        'z.ts': 'A\nb\nC\nd\nE\n',
        ...Object.fromEntries(files.map(([path]) => [path, 'same\n'])),
      },
    },
    less: { puts: Object.fromEntries(files.map(([path]) => [path, gone])) },
  });
  const repository = repositoryAt(tree.root);
  const [before, after, less] = [...hashes.values()] as [string, string, string];
  const told = await git.diff(repository, before, after);
  assertAsGit(tree, [before, after], told);
  assert.equal(told.length, 10_002);
  assert.equal(told.find(({ path }) => path === 'long.ts')?.hunks.length, 150_000);
  assertAsGit(tree, [after, less], await git.diff(repository, after, less));

  const patches = execFileSync('git', ['diff-tree', '-r', '-z', '-M', '--raw', '-p', '-U1', before, after], {
    cwd: tree.root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const reader = readPatches({ files: 20_000, hunks: 10_500 });
  reader.take(patches);
  const bounded = new Map(reader.end().map(file => [file.path, file]));
  const { added, hunks } = bounded.get('long.ts')!;
  assert.equal(added, 150_000, 'lines are counted all the same');
  assert.deepEqual(hunks.at(-1), { oldLine: 999, oldCount: 299_001, newLine: 999, newCount: 299_001 });
  assert.deepEqual(bounded.get('z.ts')?.hunks, [{ oldLine: 0, oldCount: 5, newLine: 0, newCount: 5 }]);
  assert.throws(() => readPatches({ files: 10_001, hunks: 10 }).take(patches), { reason: 'output_too_large' });
});

test('a tree or a blob that is not there fails its own question alone, and what is packed meanwhile is found', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t, '-- a.ts --\none\n-- dir/b.ts --\none\n');
  const one = tree.git('rev-parse', 'HEAD');
  const repository = repositoryAt(tree.root);
  const commit = (text: string): string => {
    tree.write('a.ts', text);
    tree.write('dir/b.ts', text);
    tree.git('commit', '--quiet', '--all', '--message', text.trim());
    return tree.git('rev-parse', 'HEAD');
  };
  const [lost, cut, last] = [commit('lost\n'), commit('cut\n'), commit('last\n')];
  const objectFile = (name: string): string => {
    const hash = tree.git('rev-parse', name);
    return tree.path(`.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`);
  };
  rmSync(objectFile(`${lost}:a.ts`));
  rmSync(objectFile(`${cut}^{tree}`));
  const paths = async (before: string, after: string) =>
    (await git.diff(repository, before, after)).map(one => one.path);
  assert.deepEqual(await paths(one, last), ['a.ts', 'dir/b.ts']);
  const asked = [lost, cut, last, cut, lost, one].map(other => paths(one, other).catch((error: unknown) => error));
  const [withoutBlob, withoutTree, whole, ...others] = await Promise.all(asked);
  for (const failed of [withoutBlob, withoutTree, ...others.slice(0, 2)]) {
    assert.ok(failed instanceof GitFailed && failed.reason === 'failed');
  }
  assert.deepEqual([whole, others[2]], [['a.ts', 'dir/b.ts'], []]);
  tree.git('reset', '--quiet', '--hard', one);
  const packed = commit('packed\n');
  tree.git('reflog', 'expire', '--expire=now', '--all');
  tree.git('repack', '--quiet');
  tree.git('prune-packed', '--quiet');
  assert.deepEqual(await paths(one, packed), ['a.ts', 'dir/b.ts']);
});

test('reads patches in whatever pieces they come', t => {
  const tree = gitRepository(t);
  const hashes = addHistory(tree, oddHistory(40));
  const between = [hashes.get('root')!, hashes.get('after it')!];
  const asking = ['diff-tree', '-r', '-z', '-M', '--raw', '-p', '-U1', ...between];
  const patches = execFileSync('git', asking, { cwd: tree.root });
  const bounds = { files: 1000, hunks: 1000 };
  const whole = readPatches(bounds);
  whole.take(patches);
  const files = whole.end();
  for (const size of [1, 2, 7, 61]) {
    const reader = readPatches(bounds);
    for (let at = 0; at < patches.length; at += size) reader.take(patches.subarray(at, at + size));
    assert.deepEqual(reader.end(), files);
  }
  for (const length of [1, 50, patches.indexOf('@@') + 4, patches.length - 3]) {
    const cut = readPatches(bounds);
    cut.take(patches.subarray(0, length));
    assert.throws(() => cut.end(), { name: 'GitFailed', reason: 'failed' });
  }
});
