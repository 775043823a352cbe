/** Where the parts of a git repository lie. All paths absolute and real. */
export interface GitRepository {
  /** Root of the work tree; undefined for a bare repository. */
  readonly workTree: string | undefined;
  /** This work tree's own git folder (`.git`, `.git/worktrees/x`, `.git/modules/x`). */
  readonly gitDir: string;
  /** The folder with objects and refs, shared by all worktrees. */
  readonly commonDir: string;
  /** `main`: the first work tree; `worktree`: one that `git worktree add` made; `submodule`; `bare`. */
  readonly kind: 'main' | 'worktree' | 'submodule' | 'bare';
}

export type FoundRepository =
  | { readonly found: 'repository'; readonly repository: GitRepository }
  | { readonly found: 'none' }
  /** A folder of it belongs to another user; git would refuse it too. */
  | { readonly found: 'untrusted_owner'; readonly path: string; readonly uid: number };

/** The repository that a folder lies in. Reads files only, runs nothing. */
export function findRepository(_folder: string): FoundRepository {
  throw new Error('not written yet');
}
