import { execFileSync } from 'node:child_process';
import { createGit, type Git } from '../../daemon/backends/git.ts';
import { type Cleanup, temporaryFolder, type Workspace } from './repository.ts';

/** Somebody with a home, whose configuration git obeys: what real git says in a folder, and what ours does. */
export interface GitUser {
  readonly home: Workspace;
  readonly git: Git;
  /** The output of real git, run by this user. */
  ask(folder: string, ...args: readonly string[]): string;
}

export function gitUser(test: Cleanup): GitUser {
  const home = temporaryFolder(test);
  const environment = { PATH: process.env['PATH'], HOME: home.root };
  return {
    home,
    git: createGit({ shadowFolder: temporaryFolder(test).path('shadow'), environment }),
    ask: (folder, ...args) =>
      execFileSync('git', args, {
        cwd: folder,
        env: { ...environment, GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
  };
}
