import { findRepository } from '../../backends/git-repository.ts';

/** Git's own: a bare repository, or the `.git` of a work tree. */
export interface GitFolder {
  readonly path: string;
  /** The work tree that it belongs to; undefined for a bare repository. */
  readonly workTree: string | undefined;
}

/** The folder of git's own that a folder is or lies in: nothing in there is a file of a repository. `folder` is a real path. */
export function gitFolderAround(folder: string): GitFolder | undefined {
  const found = findRepository(folder);
  if (found.found !== 'repository') return undefined;
  const { workTree, gitDir } = found.repository;
  const isInside = folder === gitDir || folder.startsWith(`${gitDir}/`);
  return isInside ? { path: gitDir, workTree } : undefined;
}
