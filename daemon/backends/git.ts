import type { GitRepository } from './git-repository.ts';

/** git as a program: there, or why not. */
export type GitAvailability =
  | { readonly available: true; readonly version: string; readonly latencyMs: number }
  | { readonly available: false; readonly reason: 'missing' | 'failed' | 'too_old' };

export interface GitHead {
  /** Full hash; undefined on an unborn branch, or where refs are kept in a way that is not supported. */
  readonly commit: string | undefined;
  /** Short name, e.g. `main`; undefined when detached. */
  readonly branch: string | undefined;
}

/** One line of git's index. */
export interface TrackedEntry {
  readonly path: string;
  /** Octal mode as git writes it: `100644`, `100755`, `120000`; `160000` is a submodule's place. */
  readonly mode: string;
  readonly hash: string;
}

export interface GitOptions {
  /** Folder for shadow git folders; made when needed, mode 0700. */
  readonly shadowFolder: string;
  /** Program to run; default `git`, found on PATH. */
  readonly program?: string;
  /** Where programs and the user's own git configuration are looked for; default the process's. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface GitCall {
  readonly signal?: AbortSignal;
}

/**
 * git, run so that nothing of a repository's configuration, attributes or hooks ever runs: through a git folder of our
 * own that borrows the repository's objects, with a clean environment, and without any command that compares the
 * work tree. Calls reject with `GitFailed`.
 */
export interface Git {
  availability(call?: GitCall): Promise<GitAvailability>;
  head(repository: GitRepository): Promise<GitHead>;
  /** The entries of git's index, each path once, in its order. */
  tracked(repository: GitRepository, call?: GitCall): Promise<readonly TrackedEntry[]>;
  /** Which of these paths git's index holds. */
  trackedAmong(repository: GitRepository, paths: readonly string[], call?: GitCall): Promise<ReadonlySet<string>>;
  isTracked(repository: GitRepository, path: string, call?: GitCall): Promise<boolean>;
  /** Files with ignore patterns beside `.gitignore`, the weakest first: core.excludesFile, info/exclude. */
  excludeFiles(repository: GitRepository | undefined, call?: GitCall): Promise<readonly string[]>;
}

/** git could not answer. `reason` is for people; it never holds what git wrote to stderr. */
export class GitFailed extends Error {
  readonly reason: 'missing' | 'failed' | 'timeout' | 'output_too_large' | 'cancelled';

  constructor(reason: GitFailed['reason'], message: string) {
    super(message);
    this.name = 'GitFailed';
    this.reason = reason;
  }
}

export function createGit(_options: GitOptions): Git {
  throw new Error('not written yet');
}
