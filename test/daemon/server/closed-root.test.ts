import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { commonFolderOf } from '../../../daemon/server/common-folder.ts';
import { checkedRoot, createRepositories, type RepositoriesOptions } from '../../../daemon/server/repositories.ts';
import type { RegisteredRepository } from '../../../daemon/store/daemon-db.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

/** Who owns a folder is of no account here. */
const places = { ownFolders: [], uid: 0, commonFolderOf };

test('a root that is closed is refused by who keeps us out, and not as one that is not there', t => {
  const { root, path } = temporaryFolder(t, '-- above/app/a.ts --\n');
  chmodSync(root, 0o755);
  const app = path('above/app');
  assert.equal(
    withoutRights(() => checkedRoot(app, places)),
    app,
  );
  for (const [folder, mode] of [
    ['above/app', 0o000],
    ['above/app', 0o644],
    ['above', 0o644],
  ] as const) {
    chmodSync(path(folder), mode);
    assert.throws(
      () => withoutRights(() => checkedRoot(app, places)),
      (error: unknown) =>
        error instanceof Fault &&
        error.reason === 'preconditionFailed' &&
        error.extras.details?.['reason'] === 'root_unreadable' &&
        error.message.startsWith(`root: can’t be looked into: ${path(folder)} `),
    );
    chmodSync(path(folder), 0o755);
  }
});

test('a repository keeps its index while nobody may look into its git, or into itself', t => {
  const tree = gitRepository(t, '-- a.ts --\n');
  chmodSync(tree.root, 0o755);
  const commonFolder = tree.path('.git');
  const one = { id: 'app', uid: 'u', source: 'tree', root: tree.root, commonFolder } as RegisteredRepository;
  const saved: string[] = [];
  const database = {
    repositories: () => [one],
    saveRepository: (now: RegisteredRepository) => saved.push(now.commonFolder),
  } as unknown as RepositoriesOptions['database'];
  const opened = () =>
    createRepositories({
      ...{ ...places, database, reposFolder: '/repos', limit: () => 1 },
      ...{ configuredDefault: () => '', now: () => new Date(0) },
    }).get('app')?.record.indexFile;
  const before = opened();
  for (const [path, mode] of [
    ['.git', 0o000],
    ['.', 0o000],
    ['.', 0o644],
  ] as const) {
    chmodSync(tree.path(path), mode);
    assert.equal(withoutRights(opened), before, `${path} ${mode.toString(8)}`);
    chmodSync(tree.path(path), 0o755);
  }
  assert.deepEqual(saved, []);
  tree.remove('.git');
  assert.notEqual(opened(), before, 'of a folder that is no repository any more there is another');
  assert.deepEqual(saved, ['']);
});
