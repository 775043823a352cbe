import type { FileHistory } from '../../model/history.ts';

/** A commit that changed more files says nothing of any two of them: a formatter ran, a licence changed. */
export const mostFilesTogether = 50;

/** A file that changed in the same commits as another. */
export interface CoChange {
  /** Its number in the history. */
  readonly file: number;
  readonly path: string;
  /** Commits that changed both. */
  readonly together: number;
  /** The newest commit that changed both. */
  readonly last: number;
}

export interface CoChanges {
  /** Commits that changed what was asked about, those aside that changed too many. */
  readonly commits: number;
  /** Those that changed too many. */
  readonly leftOut: number;
  /** In no order. */
  readonly others: readonly CoChange[];
}

/** Which files changed together with some others, in commits from `oldest` on (Unix seconds), but for those that are left out. */
export function coChangesOf(
  history: FileHistory,
  asked: readonly number[],
  oldest: number,
  isLeftOut: (commit: number) => boolean = () => false,
): CoChanges {
  const own = new Set(asked);
  const recent = asked.flatMap(file => recentOf(history, file, oldest));
  const all = [...new Set(recent)].filter(commit => !isLeftOut(commit));
  const commits = all.filter(commit => isTelling(history, commit)).sort((a, b) => a - b);
  const found = new Map<number, { together: number; last: number }>();
  for (const commit of commits) {
    for (const other of history.filesOf(commit)) {
      if (own.has(other)) continue;
      const known = found.get(other);
      if (known === undefined) found.set(other, { together: 1, last: commit });
      else known.together++;
    }
  }
  const others = [...found].map(([file, { together, last }]) => ({ file, path: history.pathOf(file), together, last }));
  return { commits: commits.length, leftOut: all.length - commits.length, others };
}

/** How many commits changed a file, from `oldest` on, those aside that changed too many. */
export function tellingCommits(history: FileHistory, file: number, oldest: number): number {
  return recentOf(history, file, oldest).filter(commit => isTelling(history, commit)).length;
}

function recentOf(history: FileHistory, file: number, oldest: number): readonly number[] {
  return [...history.commitsOf(file)].filter(commit => history.commit(commit).committedAt >= oldest);
}

function isTelling(history: FileHistory, commit: number): boolean {
  return history.filesOf(commit).length <= mostFilesTogether;
}
