import type { BlameRun, FileHistory, Person } from '../../model/history.ts';

/** What is known of a repository's history by now: whoever keeps that gives it. Paths are from the top of the work tree. */
export interface OwnershipSources {
  /** Another whenever anything of this may be another. */
  readonly version: string;
  /** Of HEAD; undefined as long as nothing is committed, or read. */
  readonly history: FileHistory | undefined;
  /** By the numbers of its commits' authors, before `.mailmap`. */
  readonly people: readonly Person[];
  /** Of a commit, by its number: whether what it did counts for nobody. */
  isIgnored(number: number): boolean;
  /** What is known of a file's lines: `pending` until they have been looked at, `none` where there is nothing to look at. */
  blamed(path: string): FileBlame | 'pending' | 'none';
}

/** Who wrote the lines of a file, as it is committed. */
export interface FileBlame {
  /** What has the same id has the same runs. */
  readonly id: string;
  /** All lines; of those of which nobody can tell who wrote them the commit is ''. */
  readonly runs: readonly BlameRun[];
}
