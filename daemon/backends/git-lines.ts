import type { LineCounts } from '../model/history.ts';
import type { RunOverObjects } from './git-head.ts';
import { hashLines, isHash, notUnderstood, readParts } from './git-parts.ts';
import { streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

const countTimeoutMs = 60 * 60_000;
const countBytes = 16 * 1024 ** 3;
const mostFiles = 1_000_000;

/**
 * How many lines each of these commits changed in which file, in their order, as they are counted; of a merge nothing.
 */
export async function lineCounts(
  run: RunOverObjects,
  repository: GitRepository,
  commits: readonly string[],
  onCommit: (hash: string, counts: readonly LineCounts[]) => void,
): Promise<void> {
  if (commits.length === 0) return;
  const asking = ['diff-tree', '--stdin', '-r', '-z', '-M', '--root', '--always', '--numstat'];
  const reader = readCounts(onCommit);
  const parts = readParts('\0', reader.take);
  const input = hashLines(commits);
  await run(repository, asking, one =>
    streamGit({ ...one, input, timeoutMs: countTimeoutMs, maxBytes: countBytes }, parts.take),
  );
  parts.end();
  reader.end();
}

/** Part by part: a hash, then `<added>\t<deleted>\t<path>` for each file; of a rename both paths follow by themselves. */
function readCounts(onCommit: (hash: string, counts: readonly LineCounts[]) => void) {
  let hash = '';
  let counts: LineCounts[] = [];
  let renamed: { readonly lines: LineCounts['lines']; readonly paths: string[] } | undefined;
  const finish = (): void => {
    if (renamed !== undefined) throw notUnderstood();
    if (hash !== '') onCommit(hash, counts);
    counts = [];
  };
  const add = (count: LineCounts): void => {
    counts.push(count);
    if (counts.length > mostFiles) throw notUnderstood();
  };
  const take = (part: string): void => {
    if (renamed !== undefined) {
      renamed.paths.push(part);
      if (renamed.paths.length < 2) return;
      add({ path: part, lines: renamed.lines });
      renamed = undefined;
    } else if (isHash(part)) {
      finish();
      hash = part;
    } else {
      const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
      if (path === undefined || hash === '') throw notUnderstood();
      const lines = added === '-' ? undefined : { added: Number(added), deleted: Number(deleted) };
      if (path === '') renamed = { lines, paths: [] };
      else add({ path, lines });
    }
  };
  return { take, end: finish };
}
