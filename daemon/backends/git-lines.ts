import type { LineCounts } from '../model/history.ts';
import { hashLines, isHash, isStopped, notUnderstood, readParts, tooMuch } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { type GitRun, streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

type OnCounts = (hash: string, counts: readonly LineCounts[]) => void;

/** Enough for a million commits on a machine that has other things to do; whoever wants less asks for fewer. */
const countBounds = { timeoutMs: 6 * 3600_000, maxBytes: 16 * 1024 ** 3 };
const mostFiles = 1_000_000;
/** So many commits are looked at together to find out which have all of their contents here. */
const lookedAtTogether = 1000;

/**
 * How many lines each of these commits changed in which file, in their order, as they are counted; of a merge nothing, and
 * of one that changed no file. Nothing is told of a commit of which something is not here: `onCommit` is not called for it.
 * Rejects with `GitFailed`, what was told before stands.
 */
export async function lineCounts(
  run: RunOverObjects,
  repository: GitRepository,
  commits: readonly string[],
  onCommit: OnCounts,
): Promise<void> {
  let next = 0;
  const counting = (some: readonly string[]) =>
    count(run, repository, some, (hash, counts) => {
      next = commits.indexOf(hash, next) + 1;
      onCommit(hash, counts);
    });
  try {
    return await counting(commits);
  } catch (error) {
    if (!isStopped(error)) throw error;
  }
  for (let from = next; from < commits.length; from += lookedAtTogether) {
    await counting(await wholeAmong(run, repository, commits.slice(from, from + lookedAtTogether)));
  }
}

async function count(
  run: RunOverObjects,
  repository: GitRepository,
  commits: readonly string[],
  onCommit: OnCounts,
): Promise<void> {
  if (commits.length === 0) return;
  const reader = readCommits(onCommit);
  const parts = readParts('\0', reader.take);
  const asking = ['diff-tree', '--stdin', '-r', '-z', '-M', '--root', '--always', '--numstat'];
  try {
    await run(repository, asking, fed(commits, parts.take));
    parts.end();
  } catch (error) {
    // git counts all of a commit before it says any: with a count it is whole, without one it may have stopped there.
    if (isStopped(error) && reader.hasCounts()) reader.end();
    throw error;
  }
  reader.end();
}

function fed(commits: readonly string[], onChunk: (chunk: Buffer) => void): (run: GitRun) => Promise<void> {
  return run => streamGit({ ...run, ...countBounds, input: hashLines(commits) }, onChunk);
}

/** Part by part: a hash, then what it counts of each file. */
function readCommits(onCommit: OnCounts) {
  let hash = '';
  let counts: LineCounts[] = [];
  const files = readCounts(count => {
    counts.push(count);
    if (counts.length > mostFiles) throw tooMuch('a commit changes too many files');
  });
  const end = (): void => {
    files.end();
    const [told, of] = [counts, hash];
    counts = [];
    hash = '';
    if (of !== '') onCommit(of, told);
  };
  const take = (part: string): void => {
    if (!files.isWithin() && isHash(part)) {
      end();
      hash = part;
    } else if (hash === '') throw notUnderstood();
    else files.take(part);
  };
  return { take, end, hasCounts: () => counts.length > 0 && !files.isWithin() };
}

/** Part by part what `--numstat -z` says of files: `<added>\t<deleted>\t<path>`; of a rename both paths follow by themselves. */
export function readCounts(onFile: (count: LineCounts) => void) {
  let renamed: { readonly lines: LineCounts['lines']; readonly from?: string } | undefined;
  return {
    isWithin: () => renamed !== undefined,
    take(part: string): void {
      if (renamed !== undefined) {
        const { lines, from } = renamed;
        renamed = from === undefined ? { lines, from: part } : undefined;
        if (from !== undefined) onFile({ path: part, lines });
        return;
      }
      const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
      if (path === undefined) throw notUnderstood();
      const lines = added === '-' ? undefined : { added: Number(added), deleted: Number(deleted) };
      if (path === '') renamed = { lines };
      else onFile({ path, lines });
    },
    end(): void {
      if (renamed !== undefined) throw notUnderstood();
    },
  };
}

/** Those of which every file is here, as it was before and after. */
async function wholeAmong(
  run: RunOverObjects,
  repository: GitRepository,
  commits: readonly string[],
): Promise<readonly string[]> {
  const needed = new Map<string, readonly string[]>();
  const all = new Set<string>();
  const blobs = readBlobs(needed, all);
  const asking = ['diff-tree', '--stdin', '-r', '-z', '--no-renames', '--root', '--always', '--raw', '--no-abbrev'];
  await run(repository, asking, fed(commits, blobs.take));
  blobs.end();
  const missing = new Set<string>();
  const lines = readParts('\n', line => {
    const [hash = '', word] = line.split(' ');
    if (word === 'missing') missing.add(hash);
  });
  await run(repository, ['cat-file', '--batch-check'], fed([...all], lines.take));
  lines.end();
  return commits.filter(commit => needed.get(commit)?.every(blob => !missing.has(blob)));
}

const submodule = '160000';

/** Part by part: a hash, then `:<mode> <mode> <hash> <hash> <letter>` and the path for each file. */
function readBlobs(needed: Map<string, readonly string[]>, all: Set<string>) {
  let blobs: string[] = [];
  let isPath = false;
  return readParts('\0', part => {
    if (isPath) {
      isPath = false;
    } else if (isHash(part)) {
      blobs = [];
      needed.set(part, blobs);
    } else {
      const [before, after, old = '', fresh = ''] = part.slice(1).split(' ');
      for (const [mode, blob] of [[before, old] as const, [after, fresh] as const]) {
        if (mode === submodule || /^0+$/.test(blob)) continue;
        blobs.push(blob);
        all.add(blob);
      }
      isPath = true;
    }
  });
}
