import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../../daemon/clock.ts';
import { createIndexEngine, type IndexEngine, type IndexRequest, type Published } from '../../../daemon/jobs/engine.ts';
import { gitDirOf, gitHold, isOvertaken, watchForGit } from '../../../daemon/jobs/follow/git-hold.ts';
import { indexAtRest } from '../../../daemon/jobs/index-at-rest.ts';
import type { RepositoryRecord } from '../../../daemon/model/repository.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

const everything = { kind: 'recrawl', reason: 'requested' } as const;

function recordOf(t: TestContext, { root }: Workspace): RepositoryRecord {
  return { id: 'app', root, indexFile: temporaryFolder(t).path('index.db'), worktreeKey: 'app', trusted: false };
}

test('git at work is seen by its lock and its rebase', t => {
  const tree = gitRepository(t, '-- a.ts --');
  const gitDir = gitDirOf(tree.root);
  assert.equal(gitHold(gitDir), undefined);
  tree.write('.git/rebase-merge/done', '');
  assert.equal(gitHold(gitDir), 'rebase');
  tree.write('.git/index.lock', '');
  assert.equal(gitHold(gitDir), 'index_lock');
  assert.equal(gitHold(gitDirOf(temporaryFolder(t).root)), undefined);
});

test('what was read while git came and went is of no tree (P15)', t => {
  const tree = gitRepository(t, '-- a.ts --\n1');
  tree.git('switch', '--quiet', '-c', 'other');
  tree.write('a.ts', '2');
  tree.commit();
  const overtaken = (act: () => void) => {
    const check = watchForGit(tree.root);
    act();
    try {
      check();
      return false;
    } catch (error) {
      assert.ok(isOvertaken(error));
      return true;
    }
  };
  assert.equal(
    overtaken(() => tree.write('a.ts', '3')),
    false,
    'an edit is none of git’s',
  );
  assert.equal(
    overtaken(() => tree.git('checkout', '--quiet', '--force', 'main')),
    true,
  );
  assert.equal(
    overtaken(() => tree.git('log')),
    false,
  );
  assert.equal(
    overtaken(() => tree.write('.git/index.lock', '')),
    true,
  );
});

test('a run that git overtakes publishes nothing and is done again', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const main = 1;');
  const fill = (content: string) => {
    for (let n = 0; n < 120; n++) tree.write(`src/${n}.ts`, `export const ${content}${n} = ${n};\n`);
  };
  fill('one');
  tree.commit();
  tree.git('switch', '--quiet', '-c', 'other');
  fill('two');
  tree.commit();
  const engine = createIndexEngine({ extractWorkers: 1, shadowFolder: temporaryFolder(t).path('shadow') });
  t.after(() => engine.close());
  const repo = recordOf(t, tree);
  const first = await engine.index(repo, everything);

  let locked = false;
  const lock = () => {
    if (!locked) tree.write('.git/index.lock', '');
    locked = true;
  };
  fill('three');
  const held = engine.index(repo, everything, { onProgress: lock });
  await assert.rejects(held, isOvertaken);
  const despite = await engine.index(repo, everything, { evenIfHeld: true });
  assert.deepEqual(
    [despite.seq, despite.changedPaths],
    [first.seq + 1, 120],
    'asked for, it is published all the same',
  );
  tree.remove('.git/index.lock');

  let switched = false;
  let runs = 0;
  const counting: Pick<IndexEngine, 'index'> = {
    index(...request) {
      runs++;
      return engine.index(...request);
    },
  };
  const onProgress: IndexRequest['onProgress'] = () => {
    if (!switched) tree.git('checkout', '--quiet', '--force', 'main');
    switched = true;
  };
  for (let n = 0; n < 120; n++) tree.write(`src/${n}.ts`, `export const four${n} = ${n};\n`);
  const done = await indexAtRest({ engine: counting, clock: systemClock }, repo, everything, { onProgress });
  assert.ok(runs >= 2, 'it was overtaken');
  assert.equal(done.seq, despite.seq + 1, 'one publication, of the tree that was checked out');
});

test('a lock that nobody takes away is waited for half a minute (P15)', async t => {
  const tree = gitRepository(t, '-- a.ts --');
  writeFileSync(tree.path('.git/index.lock'), '');
  const clock = fakeClock();
  const asked: IndexRequest[] = [];
  const engine: Pick<IndexEngine, 'index'> = {
    async index(_repo, _changes, request = {}) {
      asked.push(request);
      return {} as Published;
    },
  };
  const run = indexAtRest({ engine, clock }, recordOf(t, tree), everything, {});
  await clock.advance(29_000);
  assert.deepEqual(asked, []);
  await clock.advance(1_100);
  await run;
  assert.deepEqual(asked, [{ evenIfHeld: true }]);
});
