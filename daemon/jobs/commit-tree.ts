import { Fault } from '../../client/protocol/faults.ts';
import type { Git } from '../backends/git.ts';
import type { Blob, TreeFile } from '../backends/git-head.ts';
import { GitFailed } from '../backends/git-process.ts';
import { type GitRepository, prefixIn } from '../backends/git-repository.ts';
import { dialectOf } from '../extract/dialect.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import { difference, type ManifestDelta } from '../model/delta.ts';
import type { Dialect, ManifestEntry } from '../model/document.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import { entryOfBlob } from './blob-entry.ts';
import type { FactDesk } from './fact-desk.ts';
import { headDifference } from './head-difference.ts';
import { inParallel } from './in-parallel.ts';

/** Commits of the repository that a work tree belongs to, seen as snapshots of that tree. */
export interface CommitTrees {
  /** HEAD's commit; undefined where nothing has been committed yet. */
  head(): Promise<string | undefined>;
  /** The full hash of what a revision names; undefined where it names no commit here. */
  commitOf(revision: string): Promise<string | undefined>;
  /** Whether a commit is another, or one that it came from; false where that can't be told. Both are full hashes. */
  isReached(commit: string, from: string): Promise<boolean>;
  /** What leads from the indexed tree to the one that a clean work tree of the commit has. Throws `preconditionFailed`. */
  difference(commit: string): Promise<ManifestDelta>;
  /**
   * The same as far as its files can be had: of others, which are not here or make up too much, it says that they are gone.
   * Throws where git fails.
   */
  asFarAsHere(commit: string): Promise<PartialDifference>;
  /**
   * The same as far as some paths go, for whoever can tell by the outcome whether the trees differ in these alone: nobody
   * looks at the others. Undefined where the commit is not here, or not all of it.
   */
  differenceAt(commit: string, paths: readonly RepoPath[]): Promise<ManifestDelta | undefined>;
  /** What git has of a commit at some paths; undefined where the commit is not here. */
  filesAt(commit: string, paths: readonly RepoPath[]): Promise<ReadonlyMap<RepoPath, TreeFile> | undefined>;
  /** A blob of git's as a manifest has it at a path; undefined where it is not here. */
  blob(path: RepoPath, hash: string): Promise<CommittedFile | undefined>;
  /** A file of a commit as a manifest has it, with its bytes; undefined where the commit has none, or is not here. */
  file(commit: string, path: RepoPath): Promise<CommittedFile | undefined>;
}

export interface PartialDifference {
  readonly delta: ManifestDelta;
  readonly isWhole: boolean;
}

export interface CommittedFile {
  readonly line: ManifestLine;
  readonly bytes: Uint8Array | undefined;
}

export interface CommitTreesOptions {
  readonly git: Git;
  readonly repository: GitRepository & { readonly workTree: string };
  /** Absolute, real. */
  readonly root: string;
  readonly tree: TreeManifest;
  readonly desk: FactDesk;
  readonly limits: SourceLimits;
  readonly quarantined: ReadonlySet<string>;
  readonly versionOf: (dialect: Dialect) => number;
  readonly parallel: number;
  readonly signal: AbortSignal;
}

/** Past these two trees are no small departure from each other. */
const mostFiles = 50_000;
const mostBytes = 512 * 1024 * 1024;
const symbolicLink = '120000';
const submodule = '160000';

export function commitTrees(options: CommitTreesOptions): CommitTrees {
  const { git, repository, root, signal } = options;
  const prefix = prefixIn(repository.workTree, root);
  const differences = new Map<string, Promise<FoundDifference>>();
  const blobs = (hashes: readonly string[], allBytes = mostBytes) =>
    git.blobs(repository, hashes, { eachBytes: options.limits.bytes, allBytes }, { signal });
  const differenceTo = (commit: string): Promise<FoundDifference> => {
    const known = differences.get(commit) ?? toldByGit(findDifference(commit, prefix, blobs, options));
    differences.set(commit, known);
    return known;
  };
  const blob = async (path: RepoPath, hash: string): Promise<CommittedFile | undefined> => {
    const found = (await toldByGit(blobs([hash]))).get(hash);
    return found === undefined ? undefined : committed(path, found, options);
  };
  const filesAt = async (commit: string, paths: readonly RepoPath[]) => {
    const asked = paths.map(path => prefix + path);
    const files = await git.filesAt(repository, commit, asked, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    if (files === undefined) return undefined;
    const found = paths.map(path => [path, files.get(prefix + path)] as const);
    return new Map(found.filter((one): one is [RepoPath, TreeFile] => isFile(one[1])));
  };
  return {
    blob,
    filesAt,
    head: async () => (await git.head(repository)).commit,
    commitOf: revision => git.commitOf(repository, revision, { signal }),
    async isReached(commit, from) {
      const found = await git.isReached(repository, commit, from, { signal }).catch(() => false);
      signal.throwIfAborted();
      return found;
    },
    async difference(commit) {
      const { delta, lack } = await differenceTo(commit);
      if (lack !== undefined) throw lack;
      return delta;
    },
    async asFarAsHere(commit) {
      const { delta, lack } = await differenceTo(commit);
      return { delta, isWhole: lack === undefined };
    },
    async differenceAt(commit, paths) {
      const files = await filesAt(commit, paths);
      return files && findDifferenceAt(paths, files, blobs, options);
    },
    async file(commit, path) {
      const file = (await filesAt(commit, [path]))?.get(path);
      if (file === undefined) return undefined;
      return isLink(file) ? { line: linkLine(path, options), bytes: undefined } : blob(path, file.hash);
    },
  };
}

type Options = CommitTreesOptions;

interface FoundDifference {
  readonly delta: ManifestDelta;
  /** Why it does not tell of all files. */
  readonly lack: Fault | undefined;
}

/** Past `allBytes` it rejects. */
type BlobsOf = (hashes: readonly string[], allBytes?: number) => Promise<ReadonlyMap<string, Blob>>;

const blobsAtOnce = 500;

async function findDifference(
  commit: string,
  prefix: string,
  blobsOf: BlobsOf,
  options: Options,
): Promise<FoundDifference> {
  const { git, repository, root, tree, limits, signal } = options;
  const [files, indexed] = await Promise.all([
    git.treeOf(repository, commit, { signal }),
    git.indexedFiles(repository, { signal }),
  ]);
  const entries = [...tree.lines()];
  const compared = { root, prefix, entries, tree: files, indexed, limits, knownBlobs: new Map<string, string>() };
  const { blobs, links, without } = await headDifference(compared);
  const found = new Map<RepoPath, ManifestLine | undefined>([...without].map(path => [path, undefined]));
  for (const path of links) found.set(path, linkLine(path, options));
  const lack = blobs.size > mostFiles ? tooFar(blobs.size) : await readInto(found, [...blobs], blobsOf, options);
  return { delta: difference(path => tree.get(path), found), lack };
}

/** Finds the lines of files by their blobs, some at a time. Returns why it can't find all. */
async function readInto(
  found: Map<RepoPath, ManifestLine | undefined>,
  wanted: readonly (readonly [path: RepoPath, hash: string])[],
  blobsOf: BlobsOf,
  options: Options,
): Promise<Fault | undefined> {
  let lack: Fault | undefined;
  let bytesLeft = mostBytes;
  for (let from = 0; from < wanted.length; from += blobsAtOnce) {
    const some = wanted.slice(from, from + blobsAtOnce);
    const contents = await blobsOf([...new Set(some.map(([, hash]) => hash))], bytesLeft).catch(beyondLimit);
    if (contents === undefined) return tooFar(wanted.length);
    for (const blob of contents.values()) bytesLeft -= blob.kind === 'bytes' ? blob.bytes.length : 0;
    await inParallel(some, options.parallel, options.signal, async ([path, hash]) => {
      const blob = contents.get(hash);
      if (blob !== undefined) found.set(path, await lineIn(path, blob, options));
      else lack = unanswerable('objects_missing', 'The repository does not have all files of the commit');
    });
  }
  return lack;
}

/** Undefined where files are too large together. */
function beyondLimit(error: unknown): undefined {
  if (!(error instanceof GitFailed) || error.reason !== 'output_too_large') throw error;
}

async function findDifferenceAt(
  paths: readonly RepoPath[],
  files: ReadonlyMap<RepoPath, TreeFile>,
  blobsOf: BlobsOf,
  options: Options,
): Promise<ManifestDelta | undefined> {
  const contents = await toldByGit(blobsOf([...files.values()].map(file => file.hash)));
  const found = new Map<RepoPath, ManifestLine | undefined>();
  for (const path of paths) {
    const file = files.get(path);
    const content = file === undefined ? undefined : contents.get(file.hash);
    if (file === undefined) found.set(path, undefined);
    else if (isLink(file)) found.set(path, linkLine(path, options));
    else if (content === undefined) return undefined;
    else found.set(path, await lineIn(path, content, options));
  }
  return difference(path => options.tree.get(path), found);
}

function isFile(file: TreeFile | undefined): file is TreeFile {
  return file !== undefined && file.mode !== submodule;
}

export function isLink({ mode }: TreeFile): boolean {
  return mode === symbolicLink;
}

function committed(path: RepoPath, blob: Blob, options: Options): CommittedFile {
  const entry = entryOfBlob(path, blob, options.limits, options.quarantined);
  return { line: lineOf(entry, options), bytes: blob.kind === 'bytes' ? blob.bytes : undefined };
}

/** The line of a file with that content, its facts made where there are none. */
function lineIn(path: RepoPath, blob: Blob, options: Options): Promise<ManifestLine> {
  const { line, bytes } = committed(path, blob, options);
  return options.desk.lineOf(line, bytes);
}

function linkLine(path: RepoPath, options: Options): ManifestLine {
  return lineOf({ path, hash: '', dialect: dialectOf(path), skip: 'not_regular' }, options);
}

/** Scope and, where its facts can't be made, the reason follow from the facts. */
function lineOf(entry: ManifestEntry, { versionOf }: Options): ManifestLine {
  const version = entry.dialect === '' ? 0 : versionOf(entry.dialect);
  return { entry, version, scope: '', stat: undefined };
}

/** git's failures as callers may hear of them. */
export async function toldByGit<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error.reason === 'missing') throw unanswerable('git_missing', 'git is not installed, so commits can’t be read');
    if (error.reason === 'output_too_large') throw tooFar(mostFiles);
    throw new Fault('backendUnavailable', 'git could not tell what the commit holds', {
      details: { backend: 'git', reason: error.reason },
      cause: error,
    });
  }
}

function tooFar(files: number): Fault {
  const details = { files, mostFiles, mostBytes };
  return unanswerable('too_many_changes', 'The commit differs from the work tree in too much', details);
}

function unanswerable(reason: string, message: string, details: Readonly<Record<string, unknown>> = {}): Fault {
  return new Fault('preconditionFailed', message, { details: { reason, ...details } });
}
