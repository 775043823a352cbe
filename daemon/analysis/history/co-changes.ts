import type { FileHistory } from '../../model/history.ts';

/** A commit that changed more files says nothing of any two of them: a formatter ran, a licence changed. */
export const mostFilesTogether = 50;

/** A file that changed in the same commits as another. */
export interface CoChange {
  readonly path: string;
  /** Commits that changed both. */
  readonly together: number;
  /** Commits that changed this file, those aside that changed too many. */
  readonly commits: number;
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

/** Which files changed together with some others, in commits from `oldest` on (Unix seconds). */
export function coChangesOf(history: FileHistory, asked: readonly number[], oldest: number): CoChanges {
  const recentOf = (file: number): readonly number[] =>
    [...history.commitsOf(file)].filter(commit => history.commit(commit).committedAt >= oldest);
  const isTelling = (commit: number): boolean => history.filesOf(commit).length <= mostFilesTogether;
  const own = new Set(asked);
  const all = [...new Set(asked.flatMap(recentOf))];
  const commits = all.filter(isTelling).sort((a, b) => a - b);
  const found = new Map<number, { together: number; last: number }>();
  for (const commit of commits) {
    for (const other of history.filesOf(commit)) {
      if (own.has(other)) continue;
      const known = found.get(other);
      if (known === undefined) found.set(other, { together: 1, last: commit });
      else known.together++;
    }
  }
  const others = [...found].map(([file, { together, last }]) => ({
    ...{ path: history.pathOf(file), together, last },
    commits: recentOf(file).filter(isTelling).length,
  }));
  return { commits: commits.length, leftOut: all.length - commits.length, others };
}
