import { setImmediate as nextTurn } from 'node:timers/promises';
import { blobHash, type IndexedFile } from '../backends/git-head.ts';
import type { TreeFile } from '../backends/git-trees.ts';
import { readRepositoryFile, type SourceLimits } from '../extract/read-file.ts';
import { type FileStat, fileStatOf } from '../model/file-stat.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { type RepoPath, repoPath } from '../model/paths.ts';

/** What of a manifest is not as HEAD has it. */
export interface HeadDifference {
  /** Files of HEAD that the manifest has otherwise, or not at all: their blobs. */
  readonly blobs: ReadonlyMap<RepoPath, string>;
  /** Symbolic links of HEAD of which the same is true: they have no content that counts. */
  readonly links: readonly RepoPath[];
  /** Files of the manifest that HEAD has otherwise, or not at all. */
  readonly without: ReadonlySet<RepoPath>;
  /** Those of `blobs` that git noted to be as the manifest has them, but so late that a later write may not show. */
  readonly likely: ReadonlySet<RepoPath>;
}

export interface ComparedTrees {
  readonly root: string;
  /** The root's path from the work tree, '' or ending in `/`. */
  readonly prefix: string;
  readonly entries: readonly ManifestLine[];
  readonly tree: ReadonlyMap<string, TreeFile>;
  readonly indexed: ReadonlyMap<string, IndexedFile>;
  readonly limits: SourceLimits;
  /** Which content (its own hash) is which blob, as far as that was found out by reading. */
  readonly knownBlobs: Map<string, string>;
}

/** Searches wait no longer than these take to be read. */
const filesPerTurn = 32;

/**
 * Compares a manifest with HEAD's tree. A file is clean where git's index holds HEAD's blob for it and notes the stat data
 * that the manifest has: then git has seen the two to be one, whatever filters lie between. Where the note is missing or
 * proves nothing, the bytes are compared as they stand; a file that git converts counts as different then: whoever asks
 * finds by HEAD's blob, converted as git would, whether it is. No file is read that has changed since the manifest was made: it is
 * different.
 */
export async function headDifference(compared: ComparedTrees): Promise<HeadDifference> {
  const { prefix, entries, tree, indexed } = compared;
  const blobs = new Map<RepoPath, string>();
  const links: RepoPath[] = [];
  const without = new Set<RepoPath>();
  const likely = new Set<RepoPath>();
  const listed = new Set<string>();
  let looked = 0;
  for (const line of entries) {
    const { path, skip } = line.entry;
    const name = prefix + path;
    const file = tree.get(name);
    listed.add(name);
    if (file === undefined || file.mode === submodule) {
      without.add(path);
      continue;
    }
    const isLink = file.mode === symbolicLink;
    const index = indexed.get(name);
    if (isLink ? skip === 'not_regular' : isNoted(line.stat, file, index) && !index!.isRacy) continue;
    if (++looked % filesPerTurn === 0) await nextTurn();
    const seen = isLink ? 'other' : seenAsHead(line, file, index, compared);
    if (seen === 'same') continue;
    without.add(path);
    if (seen === 'likely') likely.add(path);
    if (isLink) links.push(path);
    else blobs.set(path, file.hash);
  }
  for (const [name, { mode, hash }] of tree) {
    if (listed.has(name) || mode === submodule || !name.startsWith(prefix)) continue;
    const path = repoPath(name.slice(prefix.length));
    // A name that is no UTF-8 is in no manifest, nor in any answer.
    if (path === undefined || path.includes('\ufffd')) continue;
    if (mode === symbolicLink) links.push(path);
    else blobs.set(path, hash);
  }
  return { blobs, links, without, likely };
}

/** Whether a file that a filter makes is HEAD's that filter alone could prove: what git noted to be so counts as that. */
export function withoutFiltered(compared: HeadDifference, isFiltered: (path: RepoPath) => boolean): HeadDifference {
  const filtered = [...compared.likely].filter(isFiltered);
  if (filtered.length === 0) return compared;
  const [blobs, without] = [new Map(compared.blobs), new Set(compared.without)];
  for (const path of filtered) {
    blobs.delete(path);
    without.delete(path);
  }
  return { ...compared, blobs, without };
}

const submodule = '160000';
const symbolicLink = '120000';

/** Whether git has seen the file, when it had this stat data, to be HEAD's. */
function isNoted(stat: FileStat | undefined, head: TreeFile, index: IndexedFile | undefined): boolean {
  if (index === undefined || index.hash !== head.hash || stat === undefined) return false;
  const { size, mtimeNs, ctimeNs, ino } = index;
  const noted = fileStatOf({ size, mtimeNs, ctimeNs, ino: BigInt(ino) });
  return (
    noted.size === stat.size % 2 ** 32 &&
    noted.mtimeMs === stat.mtimeMs &&
    noted.ctimeMs === stat.ctimeMs &&
    noted.inode === stat.inode % 2 ** 32
  );
}

const blobsRemembered = 100_000;

/**
 * Whether the bytes that the manifest speaks of are HEAD's, or, where they still stand there, git says so now; `likely`
 * where what it says proves nothing.
 */
function seenAsHead(
  { entry }: ManifestLine,
  head: TreeFile,
  index: IndexedFile | undefined,
  { root, limits, knownBlobs }: ComparedTrees,
): 'same' | 'likely' | 'other' {
  if (entry.hash === '') return 'other';
  const key = `${entry.hash} ${head.hash.length}`;
  if (knownBlobs.get(key) === head.hash) return 'same';
  const read = readRepositoryFile(root, entry.path, undefined, limits);
  if (read.kind !== 'text' && read.kind !== 'skipped') return 'other';
  if (read.hash !== entry.hash) return 'other';
  const noted = !isNoted(read.stat, head, index) ? 'other' : index!.isRacy ? 'likely' : 'same';
  if (read.bytes === undefined) return noted;
  const blob = blobHash(read.bytes, head.hash);
  if (knownBlobs.size >= blobsRemembered) knownBlobs.clear();
  knownBlobs.set(key, blob);
  return blob === head.hash ? 'same' : noted;
}
