import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { differenceOf, freshIndexes, indexIn, ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../support/repository.ts';

/**
 * Writes more files than the kernel's queue has room for (16,384 events) while a daemon stands still, and holds what that
 * says then to the truth: no reply calls less than all of them fresh, in any of its roots, for these share the queue.
 */
export async function flooded(t: Cleanup, flood: number): Promise<void> {
  const tree = gitRepository(t, '-- d/a.ts --\nexport function before() {}');
  const other = temporaryFolder(t, '-- b.ts --\nexport function before() {}');
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const { client, caller, process: daemon } = await startDaemon(t, home);
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await client.daemon.addRepo({ root: other.root, id: 'other' });
  await ready({ client });
  await until('both are watched', async () =>
    (await client.daemon.listRepos({})).repos.every(({ watching }) => watching === 'native'),
  );
  const told = new Set<unknown>();
  await caller.subscribe(({ type, body }) => {
    if (type === 'watch.recrawl' && body['reason'] !== 'start' && body['freshInstance'] === true)
      told.add(body['repo']);
  });
  daemon.kill('SIGSTOP');
  for (let n = 0; n < flood; n++) writeFileSync(tree.path(`d/${n}`), '');
  tree.write('d/a.ts', 'export function after() {}\n');
  other.write('b.ts', 'export function after() {}\n'); // its event found no place in the queue that both share
  daemon.kill('SIGCONT');

  const after = async (repo: string): Promise<number | undefined> =>
    client.symbols.search({ q: 'after', repo, sync: true }).then(
      ({ total }) => total,
      error => {
        assert.match(String(error), /behind|in time/);
        return undefined;
      },
    );
  const isOver = async (repo: string, files: number): Promise<boolean> => {
    const { fresh, fileCount } = await client.indexing.status({ repo });
    if (fresh && fileCount !== undefined) assert.equal(fileCount, files, `${repo} is called fresh`);
    const total = await after(repo);
    if (total !== undefined) assert.equal(total, 1, `a synced answer of ${repo} is of the tree before`);
    return total !== undefined;
  };
  await until('the flood is taken in', async () => (await isOver('app', flood + 1)) && isOver('other', 1), 150_000);
  // Events come beside answers, not before them.
  await until('whoever listens is told to begin anew', () => told.has('app') && told.has('other'));
  assert.equal(told.size, 2);
  const { path } = await client.indexing.status({ repo: 'app' });
  assert.equal(differenceOf(indexIn(path), await freshIndexes(t, tree.root)()), undefined);
}
