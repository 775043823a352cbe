import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hashLines, readParts } from './git-parts.ts';
import type { RunOverObjects } from './git-process.ts';
import { askGit, GitFailed, streamGit } from './git-process.ts';
import { type GitRepository, readSmallFile } from './git-repository.ts';

/** How a path of the second of two trees is, where they are not the same there. */
export type TreeChange = 'present' | 'deleted';

/** git ends with this where commits have nothing in common; older ones also where a parent is not here. */
const noneInCommon = 1;

/**
 * The best common ancestors of two commits, the one that git compares from first: several where branches were merged crosswise,
 * and none where they have none. Rejects where the way there is not all here.
 */
export async function mergeBases(
  run: RunOverObjects,
  repository: GitRepository,
  one: string,
  other: string,
): Promise<readonly string[]> {
  if (one === other) return [one];
  try {
    const found = (await run(repository, ['merge-base', '--all', one, other], askGit)).trim().split('\n');
    if (!isShallow(repository) || (await isAllHere(run, repository, one, other))) return found;
  } catch (error) {
    const isNone = error instanceof GitFailed && error.exitCode === noneInCommon && !isShallow(repository);
    if (isNone) return [];
    throw error;
  }
  throw new GitFailed('failed', 'the commits may have parted where history is cut off');
}

const largestShallowFile = 64 * 1024 * 1024;

/**
 * Whether no better ancestor than git finds can lie where history is cut off: one that both came from by commits of their
 * own. It would have to lie behind a cut of one and behind one of the other's, or be a commit of the other's that is here:
 * then it is no younger than the cut.
 */
async function isAllHere(run: RunOverObjects, repository: GitRepository, one: string, other: string): Promise<boolean> {
  const cuts = cutCommits(repository);
  const sides = {
    '<': { oldest: Number.POSITIVE_INFINITY, youngestCut: Number.NEGATIVE_INFINITY },
    '>': { oldest: Number.POSITIVE_INFINITY, youngestCut: Number.NEGATIVE_INFINITY },
  };
  const lines = readParts('\n', line => {
    const [time = '', marked = ''] = line.split(' ');
    const side = sides[marked[0] as '<' | '>'];
    side.oldest = Math.min(side.oldest, Number(time));
    if (cuts.has(marked.slice(1))) side.youngestCut = Math.max(side.youngestCut, Number(time));
  });
  const asking = ['rev-list', '--left-right', '--timestamp', `${one}...${other}`];
  await run(repository, asking, ask => streamGit(ask, lines.take));
  lines.end();
  const { '<': ours, '>': theirs } = sides;
  const isCutTwice = Number.isFinite(ours.youngestCut) && Number.isFinite(theirs.youngestCut);
  return !isCutTwice && ours.youngestCut < theirs.oldest && theirs.youngestCut < ours.oldest;
}

/** The commits whose parents the repository was told not to have: each looks as if it had put all of its files there itself. */
export function cutCommits(repository: GitRepository): ReadonlySet<string> {
  return new Set(readSmallFile(shallowFile(repository), largestShallowFile)?.split('\n'));
}

/** Whether the repository was told not to have all of its history: commits whose parents it lacks then say so to nobody. */
export function isShallow(repository: GitRepository): boolean {
  const stat = lstatSync(shallowFile(repository), { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > 0;
}

/** Another whenever the repository is told to have more of its history, or less. */
export function cutPrint(repository: GitRepository): string {
  const stat = lstatSync(shallowFile(repository), { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

/** Where a repository lists the commits whose parents it was told not to have. */
export function shallowFile({ commonDir }: GitRepository): string {
  return join(commonDir, 'shallow');
}

/** Which of these objects are commits that the repository has. */
export async function commitsHere(
  run: RunOverObjects,
  repository: GitRepository,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const here = new Set<string>();
  if (hashes.length === 0) return here;
  const lines = readParts('\n', line => {
    const [hash = '', type] = line.split(' ');
    if (type === 'commit') here.add(hash);
  });
  await run(repository, ['cat-file', '--batch-check'], one =>
    streamGit({ ...one, input: hashLines(hashes) }, lines.take),
  );
  lines.end();
  return here;
}

/** The paths at which the trees of two commits differ; a submodule is one path, and a renamed file two. */
export async function changedBetween(
  run: RunOverObjects,
  repository: GitRepository,
  before: string,
  after: string,
): Promise<ReadonlyMap<string, TreeChange>> {
  const chunks: Buffer[] = [];
  const asking = ['diff-tree', '-r', '-z', '--raw', '--no-renames', before, after];
  await run(repository, asking, one => streamGit(one, chunk => chunks.push(chunk)));
  const parts = Buffer.concat(chunks).toString('utf8').split('\0');
  const changes = new Map<string, TreeChange>();
  // `:<mode> <mode> <hash> <hash> <letter>`, then the path.
  for (let at = 0; at + 1 < parts.length; at += 2) {
    changes.set(parts[at + 1]!, parts[at]!.endsWith('D') ? 'deleted' : 'present');
  }
  return changes;
}
