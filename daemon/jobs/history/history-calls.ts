import type { BlamedContent, Person } from '../../model/history.ts';

/** A work tree whose history is stored; plain values. */
export interface HistorySubject {
  /** Absolute, real. */
  readonly root: string;
  readonly historyFile: string;
  /** Which of the file's worktrees it is. */
  readonly worktree: string;
}

/** What the history worker does for the main thread. Calls about one file wait for each other where they must. */
export type HistoryCalls = {
  /** Brings the history of a work tree up to its HEAD. */
  readonly update: (call: UpdateCall) => UpdatedHistory;
  /** Stores the histories of further commits, full hashes, whatever HEAD is. */
  readonly include: (call: HistorySubject & { readonly commits: readonly string[] }) => void;
  /** Counts the lines of commits, the newest first, at most so many; tells how many are left. */
  readonly countLines: (call: HistorySubject & { readonly most: number }) => number;
  /** Finds out who wrote the lines of files of HEAD. */
  readonly blame: (call: BlameCall) => Blamed;
  /** Compares digests of the entries of a part of a model with those that were stored last; tells how many are others. */
  readonly refreshed: (call: RefreshedCall) => number;
  /** All authors of a file's commits, before `.mailmap`. */
  readonly authors: (historyFile: string) => readonly Person[];
  /** Has git keep what makes logs and blames quick, in our own folder. */
  readonly speedUp: (call: HistorySubject) => void;
  /** Puts a damaged file aside; the next update makes it anew. */
  readonly discard: (historyFile: string) => void;
  /** Closes a file. */
  readonly release: (historyFile: string) => void;
  readonly close: (input: null) => void;
};

export interface UpdateCall extends HistorySubject {
  /** As if the clone were shallow behind so many commits. */
  readonly mostCommits: number;
}

/** Where a work tree's history is. */
export interface StoredHistory {
  /** Of the file: it was made anew where it differs. */
  readonly epoch: string;
  /** Full hash; undefined on an unborn branch. */
  readonly head: string | undefined;
  /** All that it came from, itself as well. */
  readonly commits: number;
  /** Those whose lines are not counted yet. */
  readonly uncounted: number;
  /** It ends where the clone does, which is shallow, or the bound. */
  readonly cut: 'shallow' | 'bound' | undefined;
}

/** Where more paths changed, nobody looks at them one by one. */
export const mostChangedPaths = 500;

/** With what an update brought. */
export interface UpdatedHistory {
  readonly stored: StoredHistory;
  /** How many commits. */
  readonly added: number;
  /** The paths that these changed; none where they are more than `mostChangedPaths`. */
  readonly changedPaths: readonly string[];
}

export interface BlameCall extends HistorySubject {
  readonly head: string;
  readonly contents: readonly BlamedContent[];
  /** Full hashes of commits that count as if they had changed nothing. */
  readonly ignored: readonly string[];
  /** Whether somebody waits for it. */
  readonly isAwaited: boolean;
  /** Whether git is asked of those as well of which it is stored. */
  readonly anew: boolean;
  /** Names the call in what is told of its progress. */
  readonly run: number;
}

export interface RefreshedCall extends Pick<HistorySubject, 'historyFile' | 'worktree'> {
  readonly scope: string;
  readonly entries: ReadonlyMap<string, string>;
  /** Whether they take the place of those. */
  readonly keeps: boolean;
}

export interface Blamed {
  /** Paths of which git could say nothing; what the commit has otherwise, or not at all, is passed over. */
  readonly failed: readonly string[];
}

/** What the history worker tells the main thread. */
export type HistoryNotices = {
  readonly progress: (notice: { readonly run: number; readonly done: number; readonly total: number }) => void;
};

export interface HistoryOptions {
  readonly shadowFolder: string;
}
