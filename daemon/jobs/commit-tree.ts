import { Fault } from '../../client/protocol/faults.ts';
import type { Git } from '../backends/git.ts';
import type { Conversion } from '../backends/git-conversion.ts';
import type { Blob } from '../backends/git-objects.ts';
import { GitClosed, GitFailed } from '../backends/git-process.ts';
import { type GitRepository, prefixIn } from '../backends/git-repository.ts';
import type { TreeFile } from '../backends/git-trees.ts';
import { dialectOf } from '../extract/dialect.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import { difference, type ManifestDelta } from '../model/delta.ts';
import type { Dialect, ManifestEntry } from '../model/document.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import { entryOfBlob } from './blob-entry.ts';
import { conversionsAt, conversionsIn, convertedBlob } from './checked-out.ts';
import type { FactDesk } from './fact-desk.ts';
import { closedGit } from './git-trouble.ts';
import { headDifference, withoutFiltered } from './head-difference.ts';
import { inParallel } from './in-parallel.ts';

/** Commits of the repository that a work tree belongs to, seen as snapshots of that tree. */
export interface CommitTrees {
  /** HEAD's commit; undefined where nothing has been committed yet. */
  head(): Promise<string | undefined>;
  /** Commits at hand, the likeliest to be meant first. */
  nearby(): Promise<readonly string[]>;
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
   * looks at the others. Undefined where the commit is not here, or not all of it, or what a clean tree has there can't be
   * told by these alone.
   */
  differenceAt(commit: string, paths: readonly RepoPath[]): Promise<ManifestDelta | undefined>;
  /** What git has of a commit at some paths; undefined where the commit is not here. */
  filesAt(commit: string, paths: readonly RepoPath[]): Promise<ReadonlyMap<RepoPath, TreeFile> | undefined>;
  /** Files of a commit as a manifest has them, with their bytes; without those that the commit has not, or that are not here. */
  filesIn(commit: string, paths: readonly RepoPath[]): Promise<ReadonlyMap<RepoPath, CommittedFile>>;
  /**
   * Of the files in which a commit differs, those whose content is not known here, by what would make it of the blob when
   * the commit is checked out: `difference` has the blob. Empty where git can't tell.
   */
  unknownIn(commit: string): Promise<ReadonlyMap<RepoPath, string>>;
}

export interface PartialDifference {
  readonly delta: ManifestDelta;
  readonly isWhole: boolean;
}

export interface CommittedFile {
  readonly line: ManifestLine;
  readonly bytes: Uint8Array | undefined;
  /** What would convert the file when it is checked out, of which the outcome is not known here: this is the blob. */
  readonly by?: string | undefined;
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
  const place: Place = { ...options, prefix: prefixIn(repository.workTree, root) };
  const differences = new Map<string, Promise<FoundDifference>>();
  const differenceTo = (commit: string): Promise<FoundDifference> => {
    const known = differences.get(commit) ?? toldByGit(findDifference(commit, place));
    differences.set(commit, known);
    return known;
  };
  return {
    filesAt: (commit, paths) => filesAt(commit, paths, place),
    head: async () => (await git.head(repository)).commit,
    nearby: () => git.nearbyCommits(repository),
    commitOf: revision => toldByGit(git.commitOf(repository, revision, { signal })),
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
    async unknownIn(commit) {
      const found = await differenceTo(commit).catch(() => undefined);
      signal.throwIfAborted();
      return found?.unknown ?? new Map();
    },
    async differenceAt(commit, paths) {
      const files = await filesAt(commit, paths, place);
      return files && toldByGit(findDifferenceAt(commit, paths, files, place));
    },
    async filesIn(commit, paths) {
      const files = await filesAt(commit, paths, place);
      return files === undefined ? new Map() : toldByGit(filesWith(commit, files, place));
    },
  };
}

interface Place extends CommitTreesOptions {
  /** The root's path from the work tree, '' or ending in `/`. */
  readonly prefix: string;
}

async function filesAt(
  commit: string,
  paths: readonly RepoPath[],
  { git, repository, prefix, signal }: Place,
): Promise<ReadonlyMap<RepoPath, TreeFile> | undefined> {
  const asked = paths.map(path => prefix + path);
  const files = await git.filesAt(repository, commit, asked, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  if (files === undefined) return undefined;
  const found = paths.map(path => [path, files.get(prefix + path)] as const);
  return new Map(found.filter((one): one is [RepoPath, TreeFile] => isFile(one[1])));
}

/** Past `allBytes` it rejects. */
function blobsOf(hashes: readonly string[], allBytes: number, { git, repository, limits, signal }: Place) {
  return git.blobs(repository, hashes, { eachBytes: limits.bytes, allBytes }, { signal });
}

async function filesWith(
  commit: string,
  files: ReadonlyMap<RepoPath, TreeFile>,
  place: Place,
): Promise<ReadonlyMap<RepoPath, CommittedFile>> {
  const { git, repository, prefix, signal } = place;
  const regular = [...files].filter(([, file]) => !isLink(file));
  const names = regular.map(([path]) => prefix + path);
  const [blobs, conversions] = await Promise.all([
    blobsOf([...new Set(regular.map(([, { hash }]) => hash))], mostBytes, place),
    conversionsAt(git, repository, commit, names, { signal }),
  ]);
  const found = new Map<RepoPath, CommittedFile>();
  for (const [path, file] of files) {
    if (isLink(file)) found.set(path, { line: linkLine(path, place), bytes: undefined });
    const blob = isLink(file) ? undefined : blobs.get(file.hash);
    if (blob !== undefined) found.set(path, committed(path, file.hash, blob, conversions, place));
  }
  return found;
}

interface FoundDifference {
  readonly delta: ManifestDelta;
  /** Why it does not tell of all files. */
  readonly lack: Fault | undefined;
  readonly unknown: ReadonlyMap<RepoPath, string>;
}

const blobsAtOnce = 500;

async function findDifference(commit: string, place: Place): Promise<FoundDifference> {
  const { git, repository, root, prefix, tree, limits, signal } = place;
  const [files, indexed] = await Promise.all([
    git.treeOf(repository, commit, { signal }),
    git.indexedFiles(repository, { signal }),
  ]);
  const entries = [...tree.lines()];
  const compared = { root, prefix, entries, tree: files, indexed, limits, knownBlobs: new Map<string, string>() };
  const all = await headDifference(compared);
  if (all.blobs.size > mostFiles) return { delta: new Map(), lack: tooFar(all.blobs.size), unknown: new Map() };
  const names = [...all.blobs.keys()].map(path => prefix + path);
  const conversions = await conversionsIn(git, repository, files, names, { signal });
  const byOf = (path: RepoPath) => conversions.get(prefix + path)?.by;
  const { blobs, links, without } = withoutFiltered(all, path => byOf(path) !== undefined);
  const found = new Map<RepoPath, ManifestLine | undefined>([...without].map(path => [path, undefined]));
  for (const path of links) found.set(path, linkLine(path, place));
  const lack = await readInto(found, [...blobs], conversions, place);
  const unknown = new Map([...blobs.keys()].map(path => [path, byOf(path)] as const).filter(isKnownBy));
  return { delta: differenceTo(found, place), lack, unknown };
}

function isKnownBy(one: readonly [RepoPath, string | undefined]): one is readonly [RepoPath, string] {
  return one[1] !== undefined;
}

function differenceTo(found: ReadonlyMap<RepoPath, ManifestLine | undefined>, { tree }: Place): ManifestDelta {
  return difference(path => tree.get(path), found);
}

type Conversions = ReadonlyMap<string, Conversion>;

/** Finds the lines of files by their blobs, some at a time. Returns why it can't find all. */
async function readInto(
  found: Map<RepoPath, ManifestLine | undefined>,
  wanted: readonly (readonly [path: RepoPath, hash: string])[],
  conversions: Conversions,
  place: Place,
): Promise<Fault | undefined> {
  let lack: Fault | undefined;
  let bytesLeft = mostBytes;
  for (let from = 0; from < wanted.length; from += blobsAtOnce) {
    const some = wanted.slice(from, from + blobsAtOnce);
    const hashes = [...new Set(some.map(([, hash]) => hash))];
    const contents = await blobsOf(hashes, bytesLeft, place).catch(beyondLimit);
    if (contents === undefined) return tooFar(wanted.length);
    for (const blob of contents.values()) bytesLeft -= blob.kind === 'bytes' ? blob.bytes.length : 0;
    await inParallel(some, place.parallel, place.signal, async ([path, hash]) => {
      const blob = contents.get(hash);
      if (blob !== undefined) found.set(path, await lineIn(committed(path, hash, blob, conversions, place), place));
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
  commit: string,
  paths: readonly RepoPath[],
  files: ReadonlyMap<RepoPath, TreeFile>,
  place: Place,
): Promise<ManifestDelta | undefined> {
  const contents = await filesWith(commit, files, place);
  const found = new Map<RepoPath, ManifestLine | undefined>();
  for (const path of paths) {
    const content = contents.get(path);
    if (files.has(path) && (content === undefined || content.by !== undefined)) return undefined;
    found.set(path, content && (await lineIn(content, place)));
  }
  return differenceTo(found, place);
}

function isFile(file: TreeFile | undefined): file is TreeFile {
  return file !== undefined && file.mode !== submodule;
}

function isLink({ mode }: TreeFile): boolean {
  return mode === symbolicLink;
}

function committed(
  path: RepoPath,
  hash: string,
  raw: Blob,
  conversions: Conversions,
  { prefix, limits, quarantined, versionOf }: Place,
): CommittedFile {
  const { blob, by } = convertedBlob(raw, hash, conversions.get(prefix + path), limits.bytes);
  const line = lineOf(entryOfBlob(path, blob, limits, quarantined), { versionOf });
  return { line, bytes: blob.kind === 'bytes' ? blob.bytes : undefined, by };
}

/** The line of a file with that content, its facts made where there are none. */
function lineIn({ line, bytes }: CommittedFile, { desk }: Place): Promise<ManifestLine> {
  return desk.lineOf(line, bytes);
}

function linkLine(path: RepoPath, options: Place): ManifestLine {
  return lineOf({ path, hash: '', dialect: dialectOf(path), skip: 'not_regular' }, options);
}

/** Scope and, where its facts can't be made, the reason follow from the facts. */
function lineOf(entry: ManifestEntry, { versionOf }: Pick<Place, 'versionOf'>): ManifestLine {
  const version = entry.dialect === '' ? 0 : versionOf(entry.dialect);
  return { entry, version, scope: '', stat: undefined };
}

/** git's failures as callers may hear of them. */
export async function toldByGit<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error instanceof GitClosed) throw closedGit(error);
    if (error.reason === 'missing') throw unanswerable('git_missing', 'git is not installed, so commits can’t be read');
    if (error.reason === 'output_too_large') throw tooFar(mostFiles);
    if (error.reason === 'incomplete') throw partialClone();
    throw new Fault('backendUnavailable', 'git could not tell what the commit holds', {
      details: { backend: 'git', reason: error.reason },
      cause: error,
    });
  }
}

function partialClone(): Fault {
  const message = 'The clone is partial, and nothing is fetched here: git fetch --refetch --no-filter gets the rest';
  return unanswerable('partial_clone', message);
}

function tooFar(files: number): Fault {
  const details = { files, mostFiles, mostBytes };
  return unanswerable('too_many_changes', 'The commit differs from the work tree in too much', details);
}

function unanswerable(reason: string, message: string, details: Readonly<Record<string, unknown>> = {}): Fault {
  return new Fault('preconditionFailed', message, { details: { reason, ...details } });
}
