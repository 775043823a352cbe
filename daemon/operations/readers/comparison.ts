import type { Fault } from '../../../client/protocol/faults.ts';
import { createGit, type Git } from '../../backends/git.ts';
import { blobHash } from '../../backends/git-head.ts';
import { prefixIn } from '../../backends/git-repository.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import { gitHold } from '../../jobs/follow/git-hold.ts';
import type { FileDiff } from '../../model/history.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import type { HistoryAt } from '../history/histories.ts';
import { repositoryOf, unanswerable } from './head-trees.ts';
import type { ReadHistories } from './read-histories.ts';
import { commitNamed, partedAt, type RevisionPlace } from './revisions.ts';

/** Two revisions to be compared from where they parted; plain values. */
export interface ComparisonCall {
  readonly at: HistoryAt;
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

const comparisonsKept = 8;
/** Past these the files of the work tree are not read to be compared with those of the head. */
const mostRead = 500;

/** Compares revisions. Throws `resourceNotFound` for one that is not here, `preconditionFailed` where they can't be compared. */
export function comparisons(histories: Pick<ReadHistories, 'of'>): (call: ComparisonCall) => Promise<Comparison> {
  const gits = new Map<string, Git>();
  /** What two commits differ in never changes. */
  const kept = new Map<string, Promise<Differing>>();
  return async call => {
    const git = gits.get(call.shadowFolder) ?? createGit({ shadowFolder: call.shadowFolder });
    gits.set(call.shadowFolder, git);
    const repository = repositoryOf(call.root, 'commits to compare');
    const place = { git, repository };
    if (gitHold(repository.gitDir) === 'rebase' && /^(?:HEAD|@)/.test(call.head)) throw rebasing();
    const baseName = call.base ?? (await usualBase(place));
    const [base, head] = await Promise.all([commitNamed(baseName, place), commitNamed(call.head, place)]);
    // git is a process more: what is stored tells mostly.
    const mergeBase = histories.of(call.at, '').mergeBase(base, head) ?? (await partedAt(base, head, place));
    const key = `${repository.commonDir} ${mergeBase} ${head}`;
    const differing = kept.get(key) ?? differ(mergeBase, head, place);
    kept.delete(key);
    kept.set(key, differing);
    if (kept.size > comparisonsKept) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
    try {
      const { files, oldBlobs, newBlobs } = await differing;
      return { base, head, mergeBase, baseName, files, oldBlobs, asInHead: sameAs(newBlobs, call.root, repository) };
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  };
}

/** In what a head differs from where it parted. Blobs by path, there and in the head. */
interface Differing {
  readonly files: readonly FileDiff[];
  readonly oldBlobs: ReadonlyMap<string, string>;
  readonly newBlobs: ReadonlyMap<string, string>;
}

async function differ(mergeBase: string, head: string, { git, repository }: RevisionPlace): Promise<Differing> {
  const files = await toldByGit(git.diff(repository, mergeBase, head));
  const blobsAt = async (commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const found = await toldByGit(git.filesAt(repository, commit, paths));
    return new Map([...found].map(([path, { hash }]) => [path, hash]));
  };
  const oldPaths = files.flatMap(({ kind, path, from = path }) => (kind === 'added' ? [] : [from]));
  const newPaths = files.flatMap(({ kind, path }) => (kind === 'deleted' ? [] : [path]));
  return { files, oldBlobs: await blobsAt(mergeBase, oldPaths), newBlobs: await blobsAt(head, newPaths) };
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

/** Which files the work tree has with those contents, from the repository's root. */
function sameAs(
  blobs: ReadonlyMap<string, string>,
  root: string,
  { workTree }: RevisionPlace['repository'],
): ReadonlySet<string> {
  if (blobs.size > mostRead) return new Set();
  const prefix = prefixIn(workTree, root);
  const same = [...blobs].flatMap(([path, blob]) => {
    const own = path.startsWith(prefix) ? repoPath(path.slice(prefix.length)) : undefined;
    return own !== undefined && isBlob(root, own, blob) ? [own] : [];
  });
  return new Set(same);
}

function isBlob(root: string, path: RepoPath, blob: string): boolean {
  const read = readRepositoryFile(root, path);
  return read.kind === 'text' && blobHash(read.bytes, blob) === blob;
}
