import type { FileDiff, Hunk, LineCounts } from '../model/history.ts';
import type { RunOverObjects } from './git-head.ts';
import { readCounts } from './git-lines.ts';
import { fullHash, readParts } from './git-parts.ts';
import { type DiffBounds, type PatchedFile, readPatches } from './git-patches.ts';
import { streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

const diffBytes = 4 * 1024 ** 3;

/**
 * What differs between the trees of two commits, renames found as git finds them by itself (`-M`), in the order of git.
 * Lines are as `git diff --numstat` counts them where no attribute says otherwise, for none is asked. Of a submodule one line
 * changes, which names its commit; a file whose type changed has all of its lines in one hunk. Past so many hunks those of
 * a file are told as one that covers them, and lines are counted all the same. Rejects with `GitFailed`,
 * `output_too_large` where there are too many files.
 */
export async function diff(
  run: RunOverObjects,
  repository: GitRepository,
  commits: readonly [before: string, after: string],
  isText: boolean,
  bounds: DiffBounds = usualBounds,
): Promise<readonly FileDiff[]> {
  const between = [...(isText ? ['--text'] : []), ...commits.map(fullHash)];
  const reader = readPatches(bounds);
  // Without any lines around them git looks for differences in another way than it counts them.
  const asking = ['diff-tree', '-r', '-z', '-M', '--raw', '--no-abbrev', '-p', '-U1', ...plainly, ...between];
  await run(repository, asking, one => streamGit({ ...one, maxBytes: diffBytes }, reader.take));
  const files = reader.end();
  const letters = new Set(files.flatMap(untold));
  if (letters.size === 0) return files.map(file => diffOf(file));
  const counted = await countsOfSome(run, repository, between, [...letters].join(''));
  return files.map(file => diffOf(file, untold(file).length > 0 ? counted.get(file.path) : undefined));
}

const usualBounds: DiffBounds = { files: 200_000, hunks: 200_000 };

/** It is all the same to a git without configuration, but for one that will have other defaults. */
const plainly = ['--no-textconv', '--no-ext-diff', '--no-color', '--no-relative', '--submodule=short'];

/**
 * The letter of a file of which its patch doesn't tell what git counts: of one whose content is the same not whether that is
 * binary; and what became a link, or a file, is shown as one that went and another that came.
 */
function untold({ kind, isSame, isOtherType }: PatchedFile): readonly string[] {
  if (isOtherType) return ['T'];
  return isSame ? [kind === 'renamed' ? 'R' : 'M'] : [];
}

/** What git counts of files with some letters, by path. Of those that were renamed, in files whose content is the same. */
async function countsOfSome(
  run: RunOverObjects,
  repository: GitRepository,
  between: readonly string[],
  letters: string,
): Promise<ReadonlyMap<string, LineCounts>> {
  const counted = new Map<string, LineCounts>();
  const reader = readCounts(count => counted.set(count.path, count));
  const parts = readParts('\0', reader.take);
  const asking = ['diff-tree', '-r', '-z', '-M100%', '--numstat', `--diff-filter=${letters}`, ...plainly, ...between];
  await run(repository, asking, one => streamGit(one, parts.take));
  parts.end();
  reader.end();
  return counted;
}

function diffOf(file: PatchedFile, counted?: LineCounts): FileDiff {
  const { kind, path, from, oldBlob, newBlob, isBinary, isOtherType, added, deleted, hunks } = file;
  const change = { ...(from === undefined ? { kind, path } : { kind, path, from }), oldBlob, newBlob };
  if (isBinary || (counted !== undefined && counted.lines === undefined))
    return { ...change, lines: undefined, hunks: [] };
  if (!isOtherType) return { ...change, lines: { added, deleted }, hunks };
  const whole: Hunk = { oldLine: 0, oldCount: deleted, newLine: 0, newCount: added };
  return { ...change, lines: counted?.lines, hunks: added + deleted === 0 ? [] : [whole] };
}
