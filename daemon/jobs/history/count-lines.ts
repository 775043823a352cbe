import { logOrder } from '../../analysis/history/log-order.ts';
import type { Git } from '../../backends/git.ts';
import type { GitRepository } from '../../backends/git-repository.ts';
import type { CommitColumns, LineCounts } from '../../model/history.ts';
import type { HistoryWriter } from '../../store/history/history-writer.ts';

const countedAtOnce = 250;

/** Counts the lines of at most so many commits of a worktree's history, the newest first. Returns how many are left. */
export async function countLines(
  git: Git,
  repository: GitRepository,
  writer: HistoryWriter,
  { worktree, most }: { readonly worktree: string; readonly most: number },
  signal: AbortSignal,
): Promise<number> {
  const head = writer.head(worktree);
  if (head === undefined) return 0;
  const columns = writer.columns();
  const left = uncountedCommits(columns, logOrder(columns, columns.numberOf(head.hash) ?? 0));
  const hashes = left.slice(0, most).map(commit => columns.hashOf(commit));
  for (let from = 0; from < hashes.length; from += countedAtOnce) {
    const some = hashes.slice(from, from + countedAtOnce);
    // Whatever git says nothing of, for a clone may lack contents, is settled as well: it would say no more tomorrow.
    const counts = new Map<string, readonly LineCounts[]>(some.map(hash => [hash, []]));
    const take = (hash: string, lines: readonly LineCounts[]) => void counts.set(hash, lines);
    await git.lineCounts(repository, some, take, { signal, priority: 'background' });
    writer.putLines(counts);
  }
  return left.length - hashes.length;
}

/** The commits of a history that changed files and whose lines nobody has counted. */
export function uncountedCommits({ changeStart, isCounted }: CommitColumns, order: Int32Array): readonly number[] {
  return [...order].filter(commit => isCounted[commit] === 0 && changeStart[commit + 1]! > changeStart[commit]!);
}
