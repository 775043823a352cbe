/** A working tree that the daemon keeps indexed. Worktrees of one git repository are records of their own over one index file. */
export interface RepositoryRecord {
  readonly id: string;
  /** Absolute, real path of the working tree. */
  readonly root: string;
  /** The SQLite file; the same for all worktrees of one git common folder. */
  readonly indexFile: string;
  /** Which of the index file's worktrees this one is: unique within the file, stable across restarts. */
  readonly worktreeKey: string;
  /** The user has allowed tools that run the repository's own code. Extraction never asks. */
  readonly trusted: boolean;
}
