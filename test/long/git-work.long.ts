import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { differenceOf, freshIndexes, ready, storedIndex } from '../oracle/stored.ts';
import { type Home, startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';

const count = 60;

interface Indexed {
  readonly tree: Workspace;
  readonly home: Home;
  readonly daemon: TestDaemon;
  /** Waits until what was done is in the index, and holds that to a fresh one. */
  agrees(what: string): Promise<void>;
}

/** A repository with a history of two branches, under a daemon of its own. */
async function indexed(t: Cleanup): Promise<Indexed> {
  const tree = gitRepository(t, '-- .gitignore --\nout/\n-- main.ts --\nexport const main = 0;');
  const fill = (word: string) => {
    for (let n = 0; n < count; n++) tree.write(`src/d${n % 7}/f${n}.ts`, `export function ${word}${n}() {}\n`);
  };
  fill('first');
  tree.commit('fill');
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const fresh = freshIndexes(t, tree.root);
  return {
    tree,
    home,
    daemon,
    async agrees(what) {
      await synced(daemon);
      assert.equal(differenceOf(storedIndex(home.places), await fresh()), undefined, what);
    },
  };
}

async function synced({ client }: TestDaemon): Promise<void> {
  await until(
    'a synced answer',
    () =>
      client.symbols.search({ q: 'main', repo: 'app', limit: 1, sync: true }).then(
        () => true,
        () => false,
      ),
    60_000,
  );
}

test('a rebase of fifty commits (P15)', async t => {
  const { tree, agrees } = await indexed(t);
  tree.git('switch', '--quiet', '-c', 'topic');
  for (let n = 0; n < 50; n++) {
    tree.write(`src/d${n % 7}/f${n}.ts`, `export function topic${n}() {}\n`);
    tree.commit(`topic ${n}`);
  }
  tree.git('switch', '--quiet', 'main');
  tree.write('other.ts', 'export const other = 1;\n');
  tree.commit('on main');
  await agrees('before');
  tree.git('rebase', '--quiet', 'main', 'topic');
  await agrees('after the rebase');
});

test('stash and pop, bisect, clean, merge in conflict (P15)', async t => {
  const { tree, agrees } = await indexed(t);
  const good = tree.git('rev-parse', 'HEAD');
  for (let n = 0; n < 16; n++) {
    tree.write(`src/d1/step${n}.ts`, `export const step${n} = ${n};\n`);
    tree.commit(`step ${n}`);
  }
  await agrees('sixteen commits');
  tree.write('main.ts', 'export const stashed = 1;\n');
  tree.write('untracked.ts', 'export const untracked = 1;\n');
  tree.git('stash', '--quiet', '--include-untracked');
  await agrees('stash');
  tree.git('stash', 'pop', '--quiet');
  await agrees('pop');
  tree.git('checkout', '--quiet', 'main.ts');
  tree.git('bisect', 'start', 'HEAD', good);
  tree.git('bisect', 'run', 'sh', '-c', 'test ! -e src/d1/step7.ts');
  await agrees('bisect');
  tree.git('bisect', 'reset');
  tree.write('out/ignored.ts', 'export const ignored = 1;\n');
  await agrees('bisect reset');
  tree.git('clean', '-fdxq');
  assert.equal(existsSync(tree.path('untracked.ts')), false);
  await agrees('clean');
  tree.git('switch', '--quiet', '-c', 'other', good);
  tree.write('src/d1/step3.ts', 'export const theirs = 3;\n');
  tree.commit('theirs');
  assert.throws(() => tree.git('merge', '--quiet', 'main'));
  await agrees('a merge in conflict');
  tree.git('merge', '--abort');
  await agrees('the merge given up');
});

test('a submodule comes and goes', async t => {
  const { tree, agrees } = await indexed(t);
  const module = gitRepository(t, '-- m.ts --\nexport const inModule = 1;');
  tree.git('submodule', '--quiet', 'add', module.root, 'module');
  await agrees('added');
  tree.commit('with a submodule');
  tree.git('rm', '--quiet', '--force', 'module');
  tree.commit('without');
  await agrees('removed');
});

test('a second worktree shares what is known: nothing is parsed for it', async t => {
  const { tree, home, daemon, agrees } = await indexed(t);
  const place = join(temporaryFolder(t).root, 'tree');
  tree.git('worktree', 'add', '--quiet', '-b', 'other', place);
  await agrees('a worktree elsewhere changes nothing here');
  await daemon.client.daemon.addRepo({ root: place, id: 'second' });
  await ready(daemon);
  const runs = home.log().filter(line => line['msg'] === 'snapshot.published' && line['repo'] === 'second');
  assert.deepEqual(
    runs.map(run => [run['fileCount'], run['filesParsed']]),
    [[count + 2, 0]],
  );
  await daemon.client.daemon.removeRepo({ id: 'second' });
  tree.git('worktree', 'remove', place);
  await agrees('and gone again');
});

test('a checkout that is killed leaves a lock; its tree is indexed after half a minute (P15)', async t => {
  const { tree, daemon, agrees } = await indexed(t);
  // A filter that never answers holds the checkout in its midst, as a slow disk would.
  const folder = temporaryFolder(t);
  folder.write('slow', '#!/bin/sh\ncat; exec sleep 600\n');
  chmodSync(folder.path('slow'), 0o755);
  tree.git('switch', '--quiet', '-c', 'other');
  tree.write('main.ts', 'export const elsewhere = 1;\n');
  tree.write('src/d1/f1.ts', 'export const elsewhere1 = 1;\n');
  tree.write('zz.slow', 'x');
  tree.write('.gitattributes', '*.slow filter=slow\n');
  tree.commit('elsewhere');
  tree.git('switch', '--quiet', 'main');
  await agrees('before');
  const checkout = spawn('git', ['-c', `filter.slow.smudge=${folder.path('slow')}`, 'checkout', '--quiet', 'other'], {
    cwd: tree.root,
    stdio: 'ignore',
    detached: true,
  });
  const isThere = () => readFileSync(tree.path('main.ts'), 'utf8').includes('elsewhere');
  await until('the checkout has come so far', () => existsSync(tree.path('main.ts')) && isThere(), 20_000);
  process.kill(-checkout.pid!, 'SIGKILL');
  await once(checkout, 'exit');
  assert.ok(existsSync(tree.path('.git/index.lock')), 'git left its lock');
  const before = performance.now();
  await until(
    'the half tree is indexed',
    async () => (await daemon.client.symbols.search({ q: 'elsewhere', repo: 'app', limit: 1 })).total > 0,
    60_000,
  );
  assert.ok(performance.now() - before > 15_000, 'git was waited for');
  tree.remove('.git/index.lock');
  await agrees('the half tree');
});
