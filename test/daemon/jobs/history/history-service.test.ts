import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileHistoryOf } from '../../../../daemon/analysis/history/file-history.ts';
import { mergeBaseOf } from '../../../../daemon/analysis/history/merge-base.ts';
import type { UpdatedHistory } from '../../../../daemon/jobs/history/history-calls.ts';
import { createHistoryService } from '../../../../daemon/jobs/history/history-service.ts';
import { type CommitColumns, type CommitFacts, changeKinds, type Person } from '../../../../daemon/model/history.ts';
import { openHistoryReader } from '../../../../daemon/store/history/history-reader.ts';
import { openHistoryWriter } from '../../../../daemon/store/history/history-writer.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../../support/repository.ts';

/** A history service with files of its own. */
function service(t: TestContext) {
  const home = temporaryFolder(t);
  const served = createHistoryService({ shadowFolder: home.path('shadow') }, () => {});
  const context = { signal: new AbortController().signal };
  t.after(() => served.close(null, context));
  const historyFile = home.path('repos/history.db');
  const subject = (root: string, worktree = 'main') => ({ root, historyFile, worktree });
  return {
    home,
    historyFile,
    update: async (root: string, more: { worktree?: string; mostCommits?: number } = {}) => {
      const call = { ...subject(root, more.worktree), mostCommits: more.mostCommits ?? 1_000_000 };
      const { stored, added } = (await served.update(call, context)) as UpdatedHistory;
      return { ...stored, added };
    },
    countLines: async (root: string, most = 1000) =>
      (await served.countLines({ ...subject(root), most }, context)) as number,
    served,
    subject,
    context,
    read: <T>(work: (reader: ReturnType<typeof openHistoryReader>) => T): T => {
      const reader = openHistoryReader(historyFile);
      try {
        return work(reader);
      } finally {
        reader.close();
      }
    },
  };
}

/** All that is stored of the commits that one came from, in words, in the order of `git log`. */
function told(columns: CommitColumns, head: string): readonly string[] {
  const history = fileHistoryOf(columns, head)!;
  return Array.from({ length: history.commitCount }, (_, at) => {
    const { hash, author, authoredAt, committedAt, parentCount } = history.commit(at);
    const { name, email } = columns.people[author]!;
    return [hash, parentCount, name, email, authoredAt, committedAt, ...changesTold(columns, hash)].join(' ');
  });
}

function changesTold(columns: CommitColumns, hash: string): readonly string[] {
  const commit = columns.numberOf(hash)!;
  const changes: string[] = [];
  for (let at = columns.changeStart[commit]!; at < columns.changeStart[commit + 1]!; at++) {
    const from = columns.changeFrom[at]!;
    const lines = `${columns.changeAdded[at]}/${columns.changeDeleted[at]}`;
    const path = columns.paths[columns.changePath[at]!];
    changes.push(`${changeKinds[columns.changeKind[at]!]} ${from < 0 ? '' : columns.paths[from]}>${path} ${lines}`);
  }
  return changes;
}

/** The same by git, its answer taken apart here. */
function toldByGit({ git }: Workspace, rev = 'HEAD'): readonly string[] {
  const format = '%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00';
  const counts = new Map<string, string>();
  for (const block of git('log', '-z', '-M', '--numstat', `--format=${format}`, rev).split('\x01').slice(1)) {
    const parts = block.split('\0');
    for (let at = 6; at < parts.length; at++) {
      const [, added = '', deleted = '', path] = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[at]!) ?? [];
      if (path === undefined) continue;
      const to = path === '' ? parts[at + 2]! : path;
      counts.set(`${parts[0]} ${to}`, added === '-' ? '-2/-2' : `${added}/${deleted}`);
    }
  }
  const blocks = git('log', '-z', '-M', '--name-status', `--format=${format}`, rev).split('\x01').slice(1);
  return blocks.map(block => {
    const [hash = '', parents = '', name = '', email = '', authoredAt = '', committedAt = '', ...rest] =
      block.split('\0');
    const changes: string[] = [];
    const parts = rest.map(part => part.replace(/^\n/, '')).filter(part => part !== '');
    for (let at = 0; at < parts.length; ) {
      const letter = parts[at]![0]!;
      const kind = { A: 'added', M: 'modified', T: 'modified', D: 'deleted', R: 'renamed' }[letter];
      const [from, path] = letter === 'R' ? [parts[at + 1], parts[at + 2]] : ['', parts[at + 1]];
      changes.push(`${kind} ${from}>${path} ${counts.get(`${hash} ${path}`)}`);
      at += letter === 'R' ? 3 : 2;
    }
    const parentCount = parents === '' ? 0 : parents.split(' ').length;
    return [hash, parentCount, name, email, authoredAt, committedAt, ...changes].join(' ');
  });
}

const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${text} ${at}\n`).join('');

/** A repository with renames, a merge, a binary file and odd names. */
function livedIn(t: TestContext): Workspace {
  const repository = gitRepository(t);
  repository.write('a.ts', lines(40));
  repository.write('sp ace/ü"q\t.ts', lines(20, 'odd'));
  repository.commit('one');
  repository.git('mv', 'a.ts', 'b.ts');
  repository.write('b.ts', `${lines(40)}more\n`);
  repository.commit('two');
  repository.git('switch', '--quiet', '--create', 'side', 'HEAD~1');
  repository.write('side.ts', lines(5));
  repository.commit('three');
  repository.git('switch', '--quiet', 'main');
  repository.write('data.bin', Buffer.from([0, 1, 2, 3, 0]));
  repository.commit('four');
  repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side');
  repository.remove('side.ts');
  repository.commit('five');
  return repository;
}

test('all authors are told that commits of a file have', async t => {
  const { root, git } = gitRepository(t, '-- a.ts --\nexport const a = 1;');
  const [first] = git('log', '--format=%an <%ae>').split('\n');
  git('commit', '--allow-empty', '-m', 'b', '--author', 'Alice Adams <alice@x.org>');
  git('commit', '--allow-empty', '-m', 'c', '--author', 'Alice Adams <alice@x.org>');
  const { served, historyFile, context, update } = service(t);
  await update(root);
  const authors = (await served.authors(historyFile, context)) as readonly Person[];
  assert.deepEqual(
    authors.map(({ name, email }) => `${name} <${email}>`).sort(),
    ['Alice Adams <alice@x.org>', first!].sort(),
  );
});

test('a history is stored as git tells it, its lines when they are counted', async t => {
  const repository = livedIn(t);
  const { update, countLines, read } = service(t);
  const first = await update(repository.root);
  const head = repository.git('rev-parse', 'HEAD');
  assert.deepEqual(
    { head: first.head, commits: first.commits, added: first.added, uncounted: first.uncounted },
    { head, commits: 6, added: 6, uncounted: 5 },
  );
  assert.equal(await countLines(repository.root, 2), 3);
  assert.equal(await countLines(repository.root), 0);
  read(reader => assert.deepEqual(told(reader.columns(), head), toldByGit(repository)));
  const again = await update(repository.root);
  assert.deepEqual([again.added, again.uncounted], [0, 0]);
});

test('whatever way a history was read by, it is the same', async t => {
  const repository = livedIn(t);
  const { update, countLines, read } = service(t);
  await update(repository.root);
  const steps: readonly (() => void)[] = [
    () => {
      repository.write('b.ts', lines(41));
      repository.commit('next');
    },
    () => void repository.git('switch', '--quiet', 'side'),
    () => {
      repository.write('side.ts', lines(9));
      repository.commit('on the side');
    },
    () => void repository.git('switch', '--quiet', 'main'),
    () => void repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', '-X', 'ours', '-s', 'ours', 'side'),
    () => {
      repository.git('reset', '--quiet', '--hard', 'HEAD~2');
      repository.write('other.ts', lines(3));
      repository.commit('another way');
    },
    () => {
      repository.git('reflog', 'expire', '--expire=now', '--all');
      repository.git('gc', '--quiet', '--prune=now');
      repository.write('last.ts', lines(3));
      repository.commit('last');
    },
  ];
  for (const step of steps) {
    step();
    await update(repository.root);
    await countLines(repository.root);
    const head = repository.git('rev-parse', 'HEAD');
    read(reader => {
      assert.equal(reader.head('main')?.hash, head);
      assert.deepEqual(told(reader.columns(), head), toldByGit(repository));
    });
  }
});

test('a reader that stays open sees what comes', async t => {
  const repository = livedIn(t);
  const { update, countLines, historyFile } = service(t);
  await update(repository.root);
  const reader = openHistoryReader(historyFile);
  t.after(() => reader.close());
  for (let count = 0; count < 5; count++) {
    reader.columns();
    repository.write(`new ${count}.ts`, lines(count + 1));
    const head = repository.commit(`${count}`);
    await update(repository.root);
    await countLines(repository.root);
    assert.deepEqual(told(reader.columns(), head), toldByGit(repository));
  }
});

test('HEAD’s regular files are noted with their blobs', async t => {
  const repository = livedIn(t);
  repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  repository.git('commit', '--quiet', '-m', 'a submodule');
  const { update, read } = service(t);
  await update(repository.root);
  const expected = repository
    .git('ls-tree', '-r', '-z', 'HEAD')
    .split('\0')
    .flatMap(line => /^100\d+ blob (\w+)\t(.*)$/s.exec(line)?.slice(1) ?? []);
  const files = read(reader => [...reader.head('main')!.tree()].flatMap(([path, blob]) => [blob, path]));
  assert.deepEqual([...files].sort(), [...expected].sort());
});

test('an unborn branch has no history, and gets one', async t => {
  const repository = gitRepository(t);
  const { update, read } = service(t);
  assert.equal((await update(repository.root)).head, undefined);
  repository.write('a.ts', lines(3));
  const head = repository.commit('first');
  assert.equal((await update(repository.root)).head, head);
  read(reader => assert.deepEqual(told(reader.columns(), head).length, 1));
});

test('a shallow clone ends where it ends, and goes on when the rest is fetched', async t => {
  const origin = livedIn(t);
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--depth', '2', `file://${origin.root}`, 'clone');
  const root = folder.path('clone');
  const { update, countLines } = service(t);
  const cut = await update(root);
  assert.equal(cut.cut, 'shallow');
  assert.ok(cut.commits < 6);
  folder.git('-C', root, 'fetch', '--quiet', '--unshallow');
  const whole = await update(root);
  assert.deepEqual([whole.cut, whole.commits], [undefined, 6]);
  assert.equal(await countLines(root), 0);
});

test('of a long history the newest commits are read', async t => {
  const repository = gitRepository(t);
  for (let count = 0; count < 8; count++) {
    repository.write('a.ts', lines(count + 1));
    repository.commit(`${count}`);
  }
  const { update } = service(t);
  const cut = await update(repository.root, { mostCommits: 3 });
  assert.deepEqual([cut.commits, cut.cut], [3, 'bound']);
});

test('worktrees share what is stored', async t => {
  const repository = livedIn(t);
  const folder = temporaryFolder(t);
  repository.git('worktree', 'add', '--quiet', folder.path('beside'), 'side');
  const { update, read } = service(t);
  await update(repository.root);
  const beside = await update(folder.path('beside'), { worktree: 'beside' });
  assert.equal(beside.added, 0);
  assert.equal(beside.commits, 2);
  assert.equal(
    read(reader => reader.head('beside')?.hash),
    repository.git('rev-parse', 'side'),
  );
});

test('who wrote lines is stored by content and what was done to it last', async t => {
  const repository = livedIn(t);
  const { update, served, subject, context, read } = service(t);
  const { head = '' } = await update(repository.root);
  const blob = repository.git('rev-parse', 'HEAD:b.ts');
  const content = { path: 'b.ts', blob, basis: 'x' };
  const gone = { path: 'gone.ts', blob, basis: 'x' };
  const call = {
    ...subject(repository.root),
    head,
    contents: [content, gone],
    ignored: [],
    isAwaited: true,
    anew: false,
    run: 1,
  };
  assert.deepEqual(await served.blame(call, context), { failed: [] });
  const expected = repository
    .git('blame', '--line-porcelain', 'HEAD', '--', 'b.ts')
    .split('\n')
    .flatMap(line => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? []);
  read(reader => {
    const { commits, counts } = reader.blame('b.ts', blob, 'x')!;
    const columns = reader.columns();
    const found = [...commits].flatMap((commit, at) => Array<string>(counts[at]!).fill(columns.hashOf(commit)));
    assert.deepEqual(found, expected);
    assert.equal(reader.blame('b.ts', blob, 'y'), undefined);
  });
});

test('what a content is not, nobody wrote', async t => {
  const repository = livedIn(t);
  const { update, served, subject, context, read } = service(t);
  const { head = '' } = await update(repository.root);
  repository.write('b.ts', lines(9));
  repository.commit('another content');
  const content = { path: 'b.ts', blob: repository.git('rev-parse', 'HEAD:b.ts'), basis: 'x' };
  const asked = { ignored: [], isAwaited: true, anew: false, run: 1 };
  const call = { ...subject(repository.root), head, contents: [content], ...asked };
  assert.deepEqual(await served.blame(call, context), { failed: [] });
  read(reader => assert.equal(reader.blame(content.path, content.blob, content.basis), undefined));
  const nameless = { ...content, path: 'b\ufffd.ts' };
  const told = await served.blame({ ...call, contents: [nameless] }, context);
  assert.deepEqual(told, { failed: ['b\ufffd.ts'] }, 'a name that is no UTF-8 can’t be asked about');
});

test('what was cut short is not taken for the whole', async t => {
  const repository = gitRepository(t);
  repository.write('a.ts', lines(1));
  const base = repository.commit('base');
  repository.git('switch', '--quiet', '--create', 'side');
  for (let count = 2; count < 8; count++) {
    repository.write('a.ts', lines(count));
    repository.commit(`${count}`);
  }
  const side = repository.git('rev-parse', 'side');
  repository.git('switch', '--quiet', '--detach', base);
  const { update, served, subject, context, read, historyFile } = service(t);
  await update(repository.root);
  await served.release(historyFile, context);
  const newest: CommitFacts = {
    hash: side,
    parents: [repository.git('rev-parse', 'side~1')],
    author: { name: 'A', email: 'a@x' },
    ...{ authoredAt: 1, committedAt: 1, changes: [] },
  };
  const writer = openHistoryWriter(historyFile);
  writer.putCommits([newest]);
  const numbers = () => [base, side].map(hash => writer.columns().numberOf(hash)!) as [number, number];
  assert.equal(mergeBaseOf(writer.columns(), ...numbers()), undefined);
  writer.close();
  await served.include({ ...subject(repository.root), commits: [side] }, context);
  read(reader => {
    const columns = reader.columns();
    assert.equal(fileHistoryOf(columns, side)?.commitCount, 7);
    assert.equal(mergeBaseOf(columns, columns.numberOf(base)!, columns.numberOf(side)!), columns.numberOf(base));
  });
});

test('a damaged file is put aside and made anew', async t => {
  const repository = livedIn(t);
  const { update, served, context, historyFile, home, read } = service(t);
  const { head = '' } = await update(repository.root);
  await served.release(historyFile, context);
  const size = statSync(historyFile).size;
  const descriptor = openSync(historyFile, 'r+');
  writeSync(descriptor, Buffer.alloc(4096, 7), 0, 4096, size - 4096 * Math.ceil(size / 8192));
  closeSync(descriptor);
  assert.throws(() => read(reader => told(reader.columns(), reader.head('main')!.hash)));
  await served.discard(historyFile, context);
  assert.equal((await update(repository.root)).commits, 6);
  read(reader => assert.equal(told(reader.columns(), head).length, 6));
  assert.ok(readdirSync(home.path('repos/quarantine')).length > 0);
});

test('a file of another program, or nothing at all in its place, is no hindrance', async t => {
  const repository = livedIn(t);
  const { update, home, historyFile } = service(t);
  home.write('repos/history.db', 'no database');
  assert.equal((await update(repository.root)).commits, 6);
  assert.ok(existsSync(historyFile));
});

test('outside git there is no history, and it is said', async t => {
  const folder = temporaryFolder(t);
  const { update } = service(t);
  await assert.rejects(update(folder.root), { reason: 'preconditionFailed' });
});
