import assert from 'node:assert/strict';
import { createGit, type Git } from '../../daemon/backends/git.ts';
import { findRepository, type GitRepository } from '../../daemon/backends/git-repository.ts';
import { type Cleanup, temporaryFolder, type Workspace } from './repository.ts';

/** git as the daemon asks it, with the folder of its shadows. Closed when the test ends. */
export function askedGit(test: Cleanup): { readonly git: Git; readonly shadows: Workspace } {
  const folder = temporaryFolder(test);
  const git = createGit({
    shadowFolder: folder.path('shadow'),
    environment: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  });
  test.after(() => git.close());
  return { git, shadows: folder };
}

export function repositoryAt(folder: string): GitRepository {
  const found = findRepository(folder);
  assert.equal(found.found, 'repository');
  return (found as { repository: GitRepository }).repository;
}
