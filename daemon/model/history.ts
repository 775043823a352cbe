/** Who a commit or a line is by: as git has it, or as `.mailmap` puts it. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** One commit, and the files that it changed against its parent: of a merge none, as `git log` lists none. */
export interface CommitFacts {
  /** Full hash. */
  readonly hash: string;
  /** Full hashes. */
  readonly parents: readonly string[];
  /** Before `.mailmap`. */
  readonly author: Person;
  /** Unix seconds. */
  readonly authoredAt: number;
  /** Unix seconds. */
  readonly committedAt: number;
  readonly changes: readonly PathChange[];
}

/** What a commit did to a file. A change of mode or type is a modification. */
export interface PathChange {
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed';
  /** From the top of the work tree; of a rename, the new one. */
  readonly path: string;
  /** Of a rename. */
  readonly from?: string;
}

/** How many lines a commit added to a file and took away. */
export interface LineCounts {
  /** Of a rename, the new one. */
  readonly path: string;
  /** Undefined of a binary file. */
  readonly lines: { readonly added: number; readonly deleted: number } | undefined;
}

/** A content at a path, and what had been done to it last there: the same content may come back by other hands. */
export interface BlamedContent {
  readonly path: string;
  /** Full hash of the blob. */
  readonly blob: string;
  /** Of the commit that touched it last, and of what is ignored; any text. */
  readonly basis: string;
}

/** Lines next to each other that the same commit wrote. */
export interface BlameRun {
  /** The first, from 0. */
  readonly line: number;
  readonly count: number;
  /** Full hash. */
  readonly commit: string;
}

/** What differs between a file of two trees. */
export interface FileDiff extends PathChange {
  /** Undefined of a binary file. */
  readonly lines: { readonly added: number; readonly deleted: number } | undefined;
  /** Without lines around them; none of a binary file. */
  readonly hunks: readonly Hunk[];
  /** Full hashes of the contents before and after, where there is a regular file. */
  readonly oldBlob: string | undefined;
  readonly newBlob: string | undefined;
}

/** Lines from 0: `oldCount` of them from `oldLine` on became `newCount` from `newLine` on. Of none, the line is that which would follow. */
export interface Hunk {
  readonly oldLine: number;
  readonly oldCount: number;
  readonly newLine: number;
  readonly newCount: number;
}

/**
 * The facts of commits in columns, by numbers that stay theirs: what is stored later has higher ones. Nothing is said of their
 * order.
 */
export interface CommitColumns {
  readonly count: number;
  /** Whether of no commit that is stored a parent is not. */
  readonly hasAllParents: boolean;
  /** Undefined of one that is not stored. */
  numberOf(hash: string): number | undefined;
  /** Full hash. */
  hashOf(commit: number): string;
  /** From `parentStart[commit]` to `parentStart[commit + 1]`: numbers, -1 of one that is not stored. */
  readonly parentStart: Int32Array;
  readonly parent: Int32Array;
  /** A number in `people`. */
  readonly author: Int32Array;
  /** Unix seconds. */
  readonly authoredAt: Float64Array;
  /** Unix seconds. */
  readonly committedAt: Float64Array;
  /** From `changeStart[commit]` to `changeStart[commit + 1]`. */
  readonly changeStart: Int32Array;
  /** A place in `changeKinds`. */
  readonly changeKind: Uint8Array;
  /** A number in `paths`. */
  readonly changePath: Int32Array;
  /** Of a rename; else -1. */
  readonly changeFrom: Int32Array;
  /** Lines; `linesUnknown`, or `linesOfBinary`. */
  readonly changeAdded: Int32Array;
  readonly changeDeleted: Int32Array;
  /** 1 where the lines of its changes were counted, as far as that can be done. */
  readonly isCounted: Uint8Array;
  readonly paths: readonly string[];
  pathNumber(path: string): number | undefined;
  readonly people: readonly Person[];
}

export const changeKinds = ['added', 'modified', 'deleted', 'renamed'] as const satisfies readonly PathChange['kind'][];
export const linesUnknown = -1;
export const linesOfBinary = -2;

/**
 * The history of a commit, made of the facts of all that it came from. Commits are numbers, the newest first, in the order of `git log`.
 * Files are followed over renames as `git log --follow` follows them: each is known by its newest path.
 */
export interface FileHistory {
  /** Full hash of the newest commit. */
  readonly head: string;
  readonly commitCount: number;
  commit(at: number): HistoryCommit;
  /** Files are numbered, from 0; many of them are gone. */
  readonly fileCount: number;
  /** The file whose newest path that is; undefined where none is known. */
  fileOf(path: string): number | undefined;
  /** Its newest path. */
  pathOf(file: number): string;
  /** Numbers of the commits that changed a file, the newest first. */
  commitsOf(file: number): Int32Array;
  /** The files that a commit changed. */
  filesOf(commit: number): Int32Array;
  /**
   * What commits did to the file at a path, the newest first; empty where none is known. `isMeant`: of which commits, by their
   * numbers in `CommitColumns`; all where it is left out.
   */
  touches(path: string, isMeant?: (number: number) => boolean): Iterable<Touch>;
  /** Whether the file at a path is binary, as of the last commit that changed its content; false as long as git has not said so. */
  isBinary(path: string): boolean;
  /** The number of a commit by its full hash; undefined where it is none of these. */
  indexOf(hash: string): number | undefined;
}

export interface HistoryCommit {
  /** As `CommitColumns` has it. */
  readonly number: number;
  readonly hash: string;
  readonly parentCount: number;
  /** Before `.mailmap`: a number for each name and address. */
  readonly author: number;
  /** Unix seconds. */
  readonly authoredAt: number;
  /** Unix seconds. */
  readonly committedAt: number;
}

/** A commit that changed a file. */
export interface Touch {
  readonly commit: number;
  /** The path that the file had then. */
  readonly path: string;
  readonly kind: PathChange['kind'];
  /** Undefined of a binary file, and as long as the lines of the commit are not counted. */
  readonly lines: { readonly added: number; readonly deleted: number } | undefined;
}
