import { Fault } from '../../../client/protocol/faults.ts';
import { createGit, type Git } from '../../backends/git.ts';
import type { Conversion } from '../../backends/git-conversion.ts';
import { type IndexedFile, indexStamp } from '../../backends/git-head.ts';
import type { Blob } from '../../backends/git-objects.ts';
import { GitClosed, GitFailed } from '../../backends/git-process.ts';
import { findRepository, type GitRepository, prefixIn } from '../../backends/git-repository.ts';
import type { TreeFile } from '../../backends/git-trees.ts';
import { dialectOf, extractorVersion } from '../../extract/dialect.ts';
import type { SourceLimits } from '../../extract/read-file.ts';
import { entryOfBlob } from '../../jobs/blob-entry.ts';
import { conversionsIn, convertedBlob } from '../../jobs/checked-out.ts';
import type { ExtractCalls } from '../../jobs/extract-service.ts';
import { closedGit, withoutGit } from '../../jobs/git-trouble.ts';
import { type HeadDifference, headDifference, withoutFiltered } from '../../jobs/head-difference.ts';
import { knownHead } from '../../jobs/known-head.ts';
import { snapshotMaking } from '../../jobs/snapshot-making.ts';
import type { ManifestEntry } from '../../model/document.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import type { RepoPath } from '../../model/paths.ts';
import { SnapshotHash } from '../../model/snapshot.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { notReady } from '../symbols/answers.ts';
import { factsOfBytes } from './facts-of-bytes.ts';

/** What it takes to read HEAD's files as those of the work tree are read; plain values. */
export interface HeadSettings {
  /** Of the work tree: absolute, real. */
  readonly root: string;
  readonly shadowFolder: string;
  readonly sourceLimits: SourceLimits;
  /** Of the parser, for one file. */
  readonly parseSteps: number;
  /** Content hashes of what parsers died of. */
  readonly quarantined: readonly string[];
}

/** The tree of HEAD, to be searched like a snapshot. */
export interface HeadTree {
  readonly commit: string;
  /** The snapshot that it was made from, under the id that a clean work tree of this commit has. */
  readonly snapshot: StoredSnapshot;
  /** To be asked for with each question: that of a snapshot moves on with the next. Throws `notReady` where it is gone. */
  readonly catalogue: () => Catalogue;
}

/** The trees of one index file's repositories. */
export interface HeadTrees {
  /** Throws `preconditionFailed` where there is no HEAD to speak of, or too much of it to be read. */
  of(key: string, settings: HeadSettings): Promise<HeadTree>;
}

const treesKept = 4;
/** Past these a tree is no small departure from the one that is indexed. */
const mostFiles = 500;
const mostBytes = 32 * 1024 * 1024;

export function headTrees(reader: IndexReader, pool: WorkerPool<ExtractCalls>): HeadTrees {
  const kept = new Map<string, { readonly print: string; readonly tree: Promise<HeadTree> }>();
  const sourcesOf = rememberSources();
  return {
    async of(key, settings) {
      const repository = repositoryOf(settings.root, 'HEAD');
      const sources = sourcesOf(settings, repository);
      const commit = await sources.commit();
      const present = reader.snapshot(key);
      if (present === undefined) throw notReady();
      const print = JSON.stringify([present.seq, present.snapshotId, commit, indexStamp(repository)]);
      const known = kept.get(key);
      if (known?.print === print) return known.tree;
      const tree = makeTree(key, commit, settings, { reader, pool, repository, sources });
      keepNewest(kept, key, { print, tree }, treesKept);
      tree.catch(() => {
        if (kept.get(key)?.tree === tree) kept.delete(key);
      });
      return tree;
    },
  };
}

/** The repository that a root lies in. Throws `preconditionFailed` where there is none, and so not `what` is asked of it. */
export function repositoryOf(root: string, what: string): GitRepository & { readonly workTree: string } {
  const found = findRepository(root);
  if (found.found === 'repository' && found.repository.workTree !== undefined) {
    return { ...found.repository, workTree: found.repository.workTree };
  }
  throw withoutGit(found, root, `no ${what}`);
}

export function unanswerable(reason: string, message: string, details: Readonly<Record<string, unknown>> = {}): Fault {
  return new Fault('preconditionFailed', message, { details: { reason, ...details } });
}

/** What git says of one work tree, asked again only where it may have changed. */
interface Sources {
  /** HEAD's. */
  commit(): Promise<string>;
  treeOf(commit: string): Promise<ReadonlyMap<string, TreeFile>>;
  indexed(): Promise<ReadonlyMap<string, IndexedFile>>;
  blobs(hashes: readonly string[], limits: SourceLimits): Promise<ReadonlyMap<string, Blob>>;
  /** What git does to some files of a tree when it checks them out. */
  conversions(tree: ReadonlyMap<string, TreeFile>, paths: readonly string[]): Promise<ReadonlyMap<string, Conversion>>;
  readonly knownBlobs: Map<string, string>;
}

function rememberSources(): (settings: HeadSettings, repository: GitRepository) => Sources {
  const knownBlobs = new Map<string, string>();
  const tree = latest<ReadonlyMap<string, TreeFile>>();
  const index = latest<ReadonlyMap<string, IndexedFile>>();
  let git: Git | undefined;
  return ({ shadowFolder }, repository) => {
    git ??= createGit({ shadowFolder });
    const asked = git;
    return {
      knownBlobs,
      commit: () => headCommit(asked, repository),
      treeOf: commit => tree(`${repository.commonDir}\0${commit}`, () => told(asked.treeOf(repository, commit))),
      indexed: () =>
        index(`${repository.gitDir}\0${indexStamp(repository)}`, () => told(asked.indexedFiles(repository))),
      blobs: (hashes, { bytes }) =>
        told(asked.blobs(repository, hashes, { eachBytes: bytes, allBytes: mostBytes }), hashes.length),
      conversions: (tree, paths) => told(conversionsIn(asked, repository, tree, paths, {})),
    };
  };
}

async function headCommit(git: Git, repository: GitRepository): Promise<string> {
  const { commit, branch } = await knownHead(git.head(repository), repository);
  if (commit !== undefined) return commit;
  throw unanswerable('unborn_head', 'Nothing has been committed on this branch yet, so HEAD has no tree', { branch });
}

/** The last answer, kept for as long as the question is the same. */
function latest<Answer>(): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  let last: { readonly key: string; readonly answer: Answer } | undefined;
  return async (key, ask) => {
    if (last?.key === key) return last.answer;
    const answer = await ask();
    last = { key, answer };
    return answer;
  };
}

/** git's failures as callers may hear of them. */
async function told<Answer>(answer: Promise<Answer>, dirtyFiles?: number): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error instanceof GitClosed) throw closedGit(error);
    if (error.reason === 'missing') throw unanswerable('git_missing', 'git is not installed, so HEAD can’t be read');
    if (error.reason === 'output_too_large' && dirtyFiles !== undefined) throw tooManyChanges(dirtyFiles);
    throw new Fault('backendUnavailable', 'git could not tell what HEAD holds', {
      details: { backend: 'git', reason: error.reason },
      cause: error,
    });
  }
}

function tooManyChanges(dirtyFiles: number): Fault {
  return unanswerable('too_many_changes', 'The work tree differs from HEAD in too much for HEAD to be searched', {
    dirtyFiles,
    mostFiles,
    mostBytes,
  });
}

interface Making {
  readonly reader: IndexReader;
  readonly pool: WorkerPool<ExtractCalls>;
  readonly repository: GitRepository & { readonly workTree: string };
  readonly sources: Sources;
}

async function makeTree(key: string, commit: string, settings: HeadSettings, making: Making): Promise<HeadTree> {
  const { reader, repository, sources } = making;
  const { root, sourceLimits: limits } = settings;
  const [tree, indexed] = await Promise.all([sources.treeOf(commit), sources.indexed()]);
  const manifest = reader.manifest(key);
  if (manifest === undefined) throw notReady();
  const { snapshot, entries } = manifest;
  const prefix = prefixIn(repository.workTree, root);
  const { knownBlobs } = sources;
  const compared = await headDifference({ root, prefix, entries, tree, indexed, limits, knownBlobs });
  const names = [...compared.blobs.keys()].map(path => prefix + path);
  const conversions = names.length > mostFiles ? new Map() : await sources.conversions(tree, names);
  const conversionOf = (path: RepoPath) => conversions.get(prefix + path);
  const difference = withoutFiltered(compared, path => conversionOf(path)?.by !== undefined);
  const ofSnapshot = (): Catalogue => readable(reader.catalogue(key, snapshot.seq));
  if (isNone(difference)) return { commit, snapshot, catalogue: ofSnapshot };
  if (difference.blobs.size > mostFiles) throw tooManyChanges(difference.blobs.size);
  const lines = await headLines(difference, conversionOf, settings, making);
  const without = new Set<string>(difference.without);
  const facts = new Map([...lines].flatMap(([path, line]) => (line.facts === undefined ? [] : [[path, line.facts]])));
  const snapshotId = headSnapshotId(entries, difference, lines, settings);
  const found = { commit, snapshot: { ...snapshot, snapshotId } };
  if (snapshotId === snapshot.snapshotId) return { ...found, catalogue: ofSnapshot };
  const catalogue = readable(reader.overlaid(key, snapshot.seq, { without, facts }));
  return { ...found, catalogue: () => catalogue };
}

type ConversionOf = (path: RepoPath) => Conversion | undefined;

function isNone({ blobs, links, without }: HeadDifference): boolean {
  return blobs.size === 0 && links.length === 0 && without.size === 0;
}

function readable(catalogue: Catalogue | undefined): Catalogue {
  if (catalogue === undefined) throw notReady();
  return catalogue;
}

/** A file of HEAD as a manifest would have it. */
interface HeadLine {
  readonly entry: ManifestEntry;
  readonly facts?: Uint8Array | undefined;
}

async function headLines(
  { blobs }: HeadDifference,
  conversionOf: ConversionOf,
  settings: HeadSettings,
  making: Making,
): Promise<ReadonlyMap<RepoPath, HeadLine>> {
  const limits = settings.sourceLimits;
  const contents = await making.sources.blobs([...new Set(blobs.values())], limits);
  const quarantined = new Set(settings.quarantined);
  const lines = new Map<RepoPath, HeadLine>();
  await Promise.all(
    [...blobs].map(async ([path, hash]) => {
      const stored = contents.get(hash);
      if (stored === undefined) {
        throw unanswerable('objects_missing', 'The repository does not have all files of HEAD', {
          dirtyFiles: blobs.size,
        });
      }
      const { blob } = convertedBlob(stored, hash, conversionOf(path), limits.bytes);
      const entry = entryOfBlob(path, blob, limits, quarantined);
      const made =
        blob.kind === 'bytes' ? await factsOfBytes(entry, blob.bytes, settings.parseSteps, making) : entry.skip;
      lines.set(path, typeof made === 'string' ? { entry: { ...entry, skip: made } } : { entry, facts: made });
    }),
  );
  return lines;
}

/** The id that the index of a clean work tree has. */
function headSnapshotId(
  entries: readonly ManifestLine[],
  { without, links }: HeadDifference,
  lines: ReadonlyMap<RepoPath, HeadLine>,
  { parseSteps, sourceLimits }: HeadSettings,
): string {
  const hash = new SnapshotHash();
  const put = (entry: ManifestEntry): void =>
    hash.set({ entry, version: entry.dialect === '' ? 0 : extractorVersion(entry.dialect, parseSteps) });
  for (const { entry, version } of entries) if (!without.has(entry.path)) hash.set({ entry, version });
  for (const path of links) put({ path, hash: '', dialect: dialectOf(path), skip: 'not_regular' });
  for (const { entry } of lines.values()) put(entry);
  return hash.id(snapshotMaking(sourceLimits));
}
