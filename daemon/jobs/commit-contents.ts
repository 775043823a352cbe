import { Fault } from '../../client/protocol/faults.ts';
import type { Git } from '../backends/git.ts';
import { findRepository, prefixIn } from '../backends/git-repository.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import type { TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { IndexWriter } from '../store/index-db.ts';
import type { FactKey } from '../store/publication.ts';
import { toldByGit } from './commit-tree.ts';
import { factKeyOf } from './fact-key.ts';
import { headDifference } from './head-difference.ts';

export interface CommitContentsOptions {
  /** Absolute, real. */
  readonly root: string;
  readonly tree: TreeManifest;
  readonly writer: Pick<IndexWriter, 'text'>;
  readonly git: Git | undefined;
  readonly limits: SourceLimits;
  readonly signal: AbortSignal;
}

const blobsAtOnce = 500;
const mostBytesAtOnce = 512 * 1024 * 1024;

/**
 * What of a tree is as a commit has it: path → the tree's content, sha256. A file is the commit's where git says so,
 * whatever filters lie between (large files kept elsewhere, encryption), and where the two differ in nothing but how lines
 * end: that moves no line and no column. Throws `preconditionFailed` without git.
 */
export async function contentsAtCommit(
  commit: string,
  options: CommitContentsOptions,
): Promise<ReadonlyMap<string, string>> {
  const { root, tree, git, limits, signal } = options;
  const found = findRepository(root);
  if (git === undefined || found.found !== 'repository' || found.repository.workTree === undefined) {
    throw new Fault('preconditionFailed', 'Without git nobody knows what a commit has', {
      details: { reason: 'no_git' },
    });
  }
  const { repository } = found;
  const prefix = prefixIn(found.repository.workTree, root);
  const [files, indexed] = await toldByGit(
    Promise.all([git.treeOf(repository, commit, { signal }), git.indexedFiles(repository, { signal })]),
  );
  const knownBlobs = new Map<string, string>();
  const compared = { root, prefix, entries: [...tree.lines()], tree: files, indexed, limits, knownBlobs };
  const { blobs, without } = await headDifference(compared);
  const different = new Set(without);
  const unlike = [...blobs].filter(([path]) => keyAt(path, tree) !== undefined);
  for (let from = 0; from < unlike.length; from += blobsAtOnce) {
    const batch = unlike.slice(from, from + blobsAtOnce);
    const hashes = [...new Set(batch.map(([, hash]) => hash))];
    const sizes = { eachBytes: limits.bytes, allBytes: mostBytesAtOnce };
    const contents = await toldByGit(git.blobs(repository, hashes, sizes, { signal }));
    for (const [path, hash] of batch) {
      const blob = contents.get(hash);
      if (blob?.kind === 'bytes' && isSameText(path, blob.bytes, options)) different.delete(path);
    }
  }
  const same = compared.entries.filter(({ entry }) => !different.has(entry.path));
  return new Map(same.map(({ entry }) => [entry.path, entry.hash]));
}

function keyAt(path: RepoPath, tree: TreeManifest): FactKey | undefined {
  const line = tree.get(path);
  return line === undefined ? undefined : factKeyOf(line);
}

/** Whether a file that the tree has reads like a blob. */
function isSameText(path: RepoPath, bytes: Uint8Array, { tree, writer }: CommitContentsOptions): boolean {
  const text = writer.text(keyAt(path, tree)!);
  const withLineFeeds = (one: string): string => one.replaceAll('\r\n', '\n');
  return text !== undefined && withLineFeeds(new TextDecoder().decode(bytes)) === withLineFeeds(text);
}
