import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOverObjects } from './git-head.ts';
import { hashLines, readParts } from './git-parts.ts';
import { askGit, GitFailed, streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

/** How a path of the second of two trees is, where they are not the same there. */
export type TreeChange = 'present' | 'deleted';

/** git ends with this where commits have nothing in common; older ones also where a parent is not here. */
const noneInCommon = 1;

/** The best common ancestor of two commits; undefined where they have none. Rejects where the way there is not all here. */
export async function mergeBase(
  run: RunOverObjects,
  repository: GitRepository,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (one === other) return one;
  try {
    return (await run(repository, ['merge-base', one, other], askGit)).trim();
  } catch (error) {
    const isNone = error instanceof GitFailed && error.exitCode === noneInCommon && !isShallow(repository);
    if (isNone) return undefined;
    throw error;
  }
}

/** Whether the repository was told not to have all of its history: commits whose parents it lacks then say so to nobody. */
export function isShallow(repository: GitRepository): boolean {
  return (lstatSync(shallowFile(repository), { throwIfNoEntry: false })?.size ?? 0) > 0;
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
