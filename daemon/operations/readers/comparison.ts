import type { Fault } from '../../../client/protocol/faults.ts';
import { createGit, type Git } from '../../backends/git.ts';
import { blobHash } from '../../backends/git-head.ts';
import { prefixIn } from '../../backends/git-repository.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { gitHold } from '../../jobs/follow/git-hold.ts';
import type { FileDiff } from '../../model/history.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { repositoryOf, unanswerable } from './head-trees.ts';
import { commitNamed, partedAt, type RevisionPlace } from './revisions.ts';

/** Two revisions to be compared from where they parted; plain values. */
export interface ComparisonCall {
  /** Of the work tree: absolute, real. */
  readonly root: string;
  readonly shadowFolder: string;
  /** Undefined for what such clones are usually merged into. */
  readonly base: string | undefined;
  readonly head: string;
}

export interface Comparison {
  /** Full hashes. */
  readonly base: string;
  readonly head: string;
  readonly mergeBase: string;
  readonly baseName: string;
  /** Paths from the top of the work tree, sorted. */
  readonly files: readonly FileDiff[];
  /** Those of them, from the repository's root, that the work tree has as the head has them. */
  readonly asInHead: ReadonlySet<string>;
  /** Blobs of the files where they parted, by their paths there. */
  readonly oldBlobs: ReadonlyMap<string, string>;
}

/** Past these the files of the work tree are not read to be compared with those of the head. */
const mostRead = 500;

/** Compares revisions. Throws `resourceNotFound` for one that is not here, `preconditionFailed` where they can't be compared. */
export function comparisons(): (call: ComparisonCall) => Promise<Comparison> {
  const gits = new Map<string, Git>();
  return async call => {
    const git = gits.get(call.shadowFolder) ?? createGit({ shadowFolder: call.shadowFolder });
    gits.set(call.shadowFolder, git);
    const repository = repositoryOf(call.root, 'commits to compare');
    const place = { git, repository };
    if (gitHold(repository.gitDir) === 'rebase' && /^(?:HEAD|@)/.test(call.head)) throw rebasing();
    const baseName = call.base ?? (await usualBase(place));
    const [base, head] = await Promise.all([commitNamed(baseName, place), commitNamed(call.head, place)]);
    const mergeBase = await partedAt(base, head, place);
    const files = await toldByGit(git.diff(repository, mergeBase, head));
    const asInHead = await sameAsIn(head, files, call.root, place);
    const oldPaths = files.flatMap(({ kind, path, from = path }) => (kind === 'added' ? [] : [from]));
    const old = await toldByGit(git.filesAt(repository, mergeBase, oldPaths));
    const oldBlobs = new Map([...old].map(([path, { hash }]) => [path, hash]));
    return { base, head, mergeBase, baseName, files, asInHead, oldBlobs };
  };
}

function rebasing(): Fault {
  return unanswerable(
    'git_operation',
    'A rebase is under way, so HEAD is on its way: name the head, or finish the rebase',
  );
}

/** What the remote says its default branch is, else one of the names that these mostly have. */
async function usualBase({ git, repository }: RevisionPlace): Promise<string> {
  for (const name of ['origin/HEAD', 'main', 'master', 'trunk', 'develop', 'origin/main', 'origin/master']) {
    if ((await toldByGit(git.commitOf(repository, name))) !== undefined) return name;
  }
  throw unanswerable('no_base', 'The clone has no branch that things are usually merged into: name the base');
}

async function sameAsIn(
  head: string,
  files: readonly FileDiff[],
  root: string,
  { git, repository }: RevisionPlace,
): Promise<ReadonlySet<string>> {
  const paths = files.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  if (paths.length > mostRead) return new Set();
  const blobs = await toldByGit(git.filesAt(repository, head, paths));
  const prefix = prefixIn(repository.workTree, root);
  const same = paths.flatMap(path => {
    const own = path.startsWith(prefix) ? repoPath(path.slice(prefix.length)) : undefined;
    const blob = blobs.get(path)?.hash;
    return own !== undefined && blob !== undefined && isBlob(root, own, blob) ? [own] : [];
  });
  return new Set(same);
}

function isBlob(root: string, path: RepoPath, blob: string): boolean {
  const read = readRepositoryFile(root, path);
  return read.kind === 'text' && blobHash(read.bytes, blob) === blob;
}
