import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { evilRepository } from '../../fault/evil-repository.ts';
import { startDaemon, type TestDaemon, until } from '../../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';

type Found = OutputOf<Operations['symbols.search']>;

const closing: (() => unknown)[] = [];
const cleanup = { after: (work: () => unknown) => closing.unshift(work) } as unknown as Cleanup;
let daemon: TestDaemon;
before(async () => {
  daemon = await startDaemon(cleanup);
});
after(async () => {
  for (const work of closing) await work();
});

const committed = `
-- src/parse.ts --
export class Parser {
  parse(text: string): number { return text.length; }
}
export function parseLine(text: string): number { return new Parser().parse(text); }
-- src/print.ts --
export function printLine(text: string): void { console.log(text); }
-- go/one.go --
package shapes
type Shape struct{}
-- go/two.go --
package shapes
func (s Shape) ParseShape() {}
-- run --
#!/usr/bin/env python3
def parse_arguments(): pass
-- notes.md --
parse
`;

let repositories = 0;

/** The repository's id, once it is indexed. */
async function indexed(t: Cleanup, root: string): Promise<string> {
  const id = `r${++repositories}`;
  await daemon.client.daemon.addRepo({ root, id });
  t.after(() => daemon.client.daemon.removeRepo({ id }));
  await until('it is indexed', async () => {
    const { repos } = await daemon.client.daemon.listRepos({});
    return repos.find(repo => repo.id === id)?.status === 'ready';
  });
  return id;
}

const search = (
  repo: string,
  q: string,
  repoStateMode: 'head' | 'full',
  more: { limit?: number; cursor?: string } = {},
) => daemon.client.symbols.search({ repo, q, repoStateMode, sync: true, ...more });

const namesIn = async (repo: string, q: string, mode: 'head' | 'full') =>
  (await search(repo, q, mode)).results.map(one => one.name);

/** An answer without what tells one repository from another, and one moment from the next. */
function comparable({ results, total, hasMore, snapshotId }: Found, repo: string) {
  return JSON.parse(
    JSON.stringify({ results, total, hasMore, snapshotId }).replaceAll(`svc:${repo}:`, 'svc:'),
  ) as unknown;
}

/** By what is asked, what a clean tree of what was committed answers. One for all: the index that it has is theirs. */
let ofClone: Promise<ReadonlyMap<string, unknown>> | undefined;

async function answersOfClone(tree: Workspace): Promise<ReadonlyMap<string, unknown>> {
  const clone = temporaryFolder(cleanup);
  clone.git('clone', '--quiet', '--no-hardlinks', tree.root, 'clone');
  const other = await indexed(cleanup, clone.path('clone'));
  const answers = new Map<string, unknown>();
  for (const q of ['parse', 'p', 'Line', 'Parser.parse', 'shape', 'nothing', 'fresh'])
    answers.set(q, comparable(await search(other, q, 'full'), other));
  return answers;
}

/** That HEAD of a tree, which is `committed`, is answered as a clean clone of it is answered. */
async function isAnsweredAsItsClone(tree: Workspace, repo: string): Promise<void> {
  ofClone ??= answersOfClone(tree);
  const commit = tree.git('rev-parse', 'HEAD');
  for (const [q, answer] of await ofClone) {
    const head = await search(repo, q, 'head');
    assert.deepEqual(comparable(head, repo), answer, q);
    assert.equal(head.headCommit, commit);
  }
}

test('where nothing differs head is full', async t => {
  const tree = gitRepository(t, committed);
  const repo = await indexed(t, tree.root);
  const [head, full] = [await search(repo, 'parse', 'head'), await search(repo, 'parse', 'full')];
  assert.ok(full.total >= 5);
  assert.deepEqual(comparable(head, repo), comparable(full, repo));
  await isAnsweredAsItsClone(tree, repo);
});

test('touched files are no changes, nor is one that git’s index knows too little of', async t => {
  const tree = gitRepository(t, committed);
  utimesSync(tree.path('src/parse.ts'), 1_600_000_000, 1_600_000_000);
  const repo = await indexed(t, tree.root);
  assert.equal((await search(repo, 'parse', 'head')).snapshotId, (await search(repo, 'parse', 'full')).snapshotId);
  tree.remove('.git/index');
  assert.equal((await search(repo, 'parse', 'head')).snapshotId, (await search(repo, 'parse', 'full')).snapshotId);
});

const changes: readonly {
  readonly name: string;
  readonly make: (tree: Workspace) => void;
  readonly q: string;
  readonly head: readonly string[];
  readonly full: readonly string[];
}[] = [
  {
    name: 'a modified file',
    make: tree => tree.write('src/print.ts', 'export function freshLine() {}\n'),
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['freshLine', 'parseLine'],
  },
  {
    name: 'a staged file',
    make: tree => {
      tree.write('src/print.ts', 'export function freshLine() {}\n');
      tree.git('add', '.');
    },
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['freshLine', 'parseLine'],
  },
  {
    name: 'a file of the same size and times',
    make: tree => {
      tree.write('src/print.ts', 'export function paintLine(text: string): void { console.log(text); }\n');
      utimesSync(tree.path('src/print.ts'), 1_600_000_000, 1_600_000_000);
    },
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['paintLine', 'parseLine'],
  },
  {
    name: 'a deleted file',
    make: tree => tree.remove('src/print.ts'),
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['parseLine'],
  },
  {
    name: 'an untracked file',
    make: tree => tree.write('src/fresh.ts', 'export function freshLine() {}\n'),
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['freshLine', 'parseLine', 'printLine'],
  },
  {
    name: 'a new file that is staged',
    make: tree => {
      tree.write('src/fresh.ts', 'export function freshLine() {}\n');
      tree.git('add', '.');
    },
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['freshLine', 'parseLine', 'printLine'],
  },
  {
    name: 'a renamed file',
    make: tree => tree.git('mv', 'src/print.ts', 'src/other.ts'),
    q: 'line',
    head: ['parseLine', 'printLine'],
    full: ['parseLine', 'printLine'],
  },
  {
    name: 'one of the files that share a scope, and a script without an extension',
    make: tree => {
      tree.write('go/two.go', 'package shapes\nfunc (s Shape) Fresh() {}\n');
      tree.write('run', 'no script\n');
    },
    q: 'parse',
    head: ['Parser', 'parse', 'parse_arguments', 'parseLine', 'ParseShape'],
    full: ['Parser', 'parse', 'parseLine'],
  },
];
for (const { name, make, q, head, full } of changes) {
  test(`head is what was committed: ${name}`, async t => {
    const tree = gitRepository(t, committed);
    make(tree);
    const repo = await indexed(t, tree.root);
    const sorted = (names: readonly string[]) => [...names].sort();
    assert.deepEqual(sorted(await namesIn(repo, q, 'full')), sorted(full));
    assert.deepEqual(sorted(await namesIn(repo, q, 'head')), sorted(head));
    await isAnsweredAsItsClone(tree, repo);
  });
}

test('head goes along with edits, commits and checkouts', async t => {
  const tree = gitRepository(t, committed);
  const repo = await indexed(t, tree.root);
  const first = await search(repo, 'line', 'head');
  tree.write('src/print.ts', 'export function freshLine() {}\n');
  assert.equal((await search(repo, 'line', 'head')).snapshotId, first.snapshotId);
  const full = await search(repo, 'line', 'full');
  assert.notEqual(full.snapshotId, first.snapshotId);
  tree.commit();
  assert.equal((await search(repo, 'line', 'head')).snapshotId, full.snapshotId);
  tree.git('checkout', '--quiet', 'HEAD~1');
  assert.equal((await search(repo, 'line', 'head')).snapshotId, first.snapshotId);
});

test('an answer about head holds for as long as HEAD has that tree, whatever is edited', async t => {
  const tree = gitRepository(t, committed);
  const repo = await indexed(t, tree.root);
  tree.write('src/print.ts', 'export function freshLine() {}\n');
  await until('HTTP listens', () => readDaemonRecord(daemon.home.places)?.url);
  const { url } = readDaemonRecord(daemon.home.places)!;
  const ask = async (ifNoneMatch = '') => {
    const query = new URLSearchParams({ repo, q: 'line', repoStateMode: 'head', sync: 'true' });
    const authorization = `Bearer ${readFileSync(daemon.record.tokenFile, 'utf8').trim()}`;
    const answer = await fetch(`${url}/search?${query}`, {
      headers: { authorization, 'if-none-match': ifNoneMatch },
    });
    await answer.arrayBuffer();
    return { status: answer.status, etag: answer.headers.get('etag') ?? '' };
  };
  const first = await ask();
  assert.equal(first.status, 200);
  tree.write('src/print.ts', 'export function otherLine() {}\n');
  assert.deepEqual(await ask(first.etag), { status: 304, etag: first.etag });
  tree.commit();
  assert.equal((await ask(first.etag)).status, 200);
});

test('what a search of head finds can be opened, whether the work tree has it or not', async t => {
  const tree = gitRepository(t, committed);
  tree.write('src/print.ts', '// moved\n\nexport function freshLine() {}\n');
  tree.write('go/two.go', 'package shapes\nfunc (s Shape) Other() {}\n');
  tree.write('src/parse.ts', `\n${readFileSync(tree.path('src/parse.ts'), 'utf8')}`);
  const repo = await indexed(t, tree.root);
  const { symbols } = daemon.client;
  for (const q of ['line', 'parse', 'Shape']) {
    const { results } = await search(repo, q, 'head');
    assert.ok(results.length > 0);
    for (const { score: _, match: __, ...hit } of results) {
      assert.deepEqual(await symbols.get({ id: hit.id, repoStateMode: 'head' }), hit);
    }
  }
  const [printed] = (await search(repo, 'printLine', 'head')).results;
  assert.deepEqual((await symbols.get({ id: 'printLine', repo, repoStateMode: 'head' })).id, printed!.id);
  const [fresh] = (await search(repo, 'freshLine', 'full')).results;
  await assert.rejects(symbols.get({ id: fresh!.id, repoStateMode: 'head' }), { reason: 'symbolNotFound' });
  await assert.rejects(symbols.get({ id: 'freshLine', repo, repoStateMode: 'head' }), { reason: 'symbolNotFound' });
});

test('what head alone has is said to be there, and not to be unknown or gone', async t => {
  const tree = gitRepository(t, committed);
  const { symbols } = daemon.client;
  tree.write('src/print.ts', '');
  const repo = await indexed(t, tree.root);
  const { id } = (await search(repo, 'printLine', 'head')).results[0]!;
  const isTold = async (reason: string, ask: () => Promise<unknown>) =>
    assert.rejects(ask, (error: Fault) => {
      assert.deepEqual([error.reason, /HEAD has the symbol/.test(error.message)], [reason, true]);
      assert.match(error.extras.suggestedFixes![0]!.command, /^svc symbol --repo-state-mode head /);
      assert.equal(error.extras.drilldowns![0]!.query, `/symbol/${encodeURIComponent(id)}?repoStateMode=head`);
      return true;
    });
  const asks = [() => symbols.get({ id, sync: true }), () => symbols.refs({ id, sync: true })];
  for (const ask of asks) await isTold('symbolNotFound', ask);
  tree.git('checkout', '--quiet', '--', 'src/print.ts');
  assert.equal((await symbols.get({ id, sync: true })).id, id);
  tree.write('src/print.ts', '');
  for (const ask of asks) await isTold('symbolGone', ask);
  tree.commit();
  await search(repo, 'printLine', 'full');
  for (const ask of asks) {
    await assert.rejects(ask, (error: Fault) => error.reason === 'symbolGone' && !/HEAD/.test(error.message));
  }
});

test('pages of head go on while files are edited, and end with a commit', async t => {
  const tree = gitRepository(t, committed);
  tree.remove('src/print.ts');
  const repo = await indexed(t, tree.root);
  const whole = await namesIn(repo, 'p', 'head');
  const first = await search(repo, 'p', 'head', { limit: 2 });
  tree.write('src/fresh.ts', 'export function p() {}\n');
  const second = await search(repo, 'p', 'head', { limit: 2, cursor: first.cursor! });
  assert.deepEqual(
    [...first.results, ...second.results].map(one => one.name),
    whole.slice(0, 4),
  );
  tree.commit();
  await assert.rejects(search(repo, 'p', 'head', { limit: 2, cursor: second.cursor! }), isFault('cursorExpired'));
});

test('a work tree below its repository’s root, and a second work tree, have their own part of HEAD', async t => {
  const tree = gitRepository(t, committed);
  tree.git('worktree', 'add', '--quiet', '-b', 'side', 'side');
  const side = workspace(tree.path('side'));
  side.write('src/side.ts', 'export function sideLine() {}\n');
  side.commit();
  side.write('src/side.ts', '');
  tree.write('src/print.ts', '');
  const below = await indexed(t, tree.path('src'));
  const beside = await indexed(t, side.root);
  assert.deepEqual(await namesIn(below, 'line', 'head'), ['parseLine', 'printLine']);
  assert.deepEqual(await namesIn(beside, 'line', 'head'), ['sideLine', 'parseLine', 'printLine']);
});

test('line ends that git converts are no change where git has noted the file', async t => {
  const tree = gitRepository(t, committed);
  tree.write('.gitattributes', '*.ts text eol=crlf\n');
  tree.commit();
  tree.remove('src/parse.ts');
  tree.git('checkout', '--', 'src/parse.ts');
  // So old that the index's note of it proves something.
  utimesSync(tree.path('src/parse.ts'), 1_600_000_000, 1_600_000_000);
  tree.git('update-index', '--refresh');
  assert.match(readFileSync(tree.path('src/parse.ts'), 'utf8'), /\r\n/);
  const repo = await indexed(t, tree.root);
  assert.equal((await search(repo, 'parse', 'head')).snapshotId, (await search(repo, 'parse', 'full')).snapshotId);
  tree.write('src/parse.ts', 'export const parsed = 1;\r\n');
  assert.deepEqual(await namesIn(repo, 'parseLine', 'head'), ['parseLine']);
});

const isFault =
  (reason: string, detail?: string) =>
  (error: unknown): boolean =>
    error instanceof Fault &&
    error.reason === reason &&
    (detail === undefined || error.extras.details?.['reason'] === detail);

test('without a commit, or without git, there is no head', async t => {
  const unborn = gitRepository(t);
  unborn.write('a.ts', 'export const a = 1;\n');
  const none = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  const [first, second] = [await indexed(t, unborn.root), await indexed(t, none.root)];
  await assert.rejects(search(first, 'a', 'head'), isFault('preconditionFailed', 'unborn_head'));
  await assert.rejects(search(second, 'a', 'head'), isFault('preconditionFailed', 'no_repository'));
  unborn.write('.git/HEAD', '');
  await assert.rejects(search(first, 'a', 'head'), isFault('preconditionFailed', 'head_unreadable'));
});

test('what differs in too much, or in what the repository has not, is refused with the reason', async t => {
  const many = gitRepository(t, committed);
  for (let index = 0; index <= 500; index++) many.write(`many/${index}.ts`, `export const p${index} = 1;\n`);
  many.commit();
  many.remove('many');
  const repo = await indexed(t, many.root);
  await assert.rejects(search(repo, 'p', 'head'), isFault('preconditionFailed', 'too_many_changes'));

  const partial = gitRepository(t, committed);
  const blob = partial.git('rev-parse', 'HEAD:src/print.ts');
  partial.remove('src/print.ts');
  const file = partial.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
  assert.ok(existsSync(file));
  renameSync(file, partial.path('elsewhere'));
  const other = await indexed(t, partial.root);
  await assert.rejects(search(other, 'p', 'head'), isFault('preconditionFailed', 'objects_missing'));
});

test('nothing of a repository runs when its head is searched', async t => {
  const { tree, pwned } = evilRepository(t);
  const repo = await indexed(t, tree.root);
  const { results } = await search(repo, 'a', 'head');
  assert.deepEqual(
    results.map(one => one.location.file),
    ['a.ts'],
  );
  assert.deepEqual(pwned(), []);
});
