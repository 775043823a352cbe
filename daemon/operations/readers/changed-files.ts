import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { createGit, type Git } from '../../backends/git.ts';
import { blobHash } from '../../backends/git-head.ts';
import { findRepository, prefixIn } from '../../backends/git-repository.ts';
import type { TreeFile } from '../../backends/git-trees.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import { entryOfBlob } from '../../jobs/blob-entry.ts';
import { conversionsIn, convertedBlob } from '../../jobs/checked-out.ts';
import { toldByGit } from '../../jobs/commit-tree.ts';
import type { ExtractCalls } from '../../jobs/extract-service.ts';
import { gitTrouble } from '../../jobs/git-trouble.ts';
import { headDifference, withoutFiltered } from '../../jobs/head-difference.ts';
import type { WayIn } from '../../jobs/way-in.ts';
import type { DocumentFacts } from '../../model/facts.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { notReady } from '../symbols/answers.ts';
import type { FactSources } from './facts-of-bytes.ts';
import { goneFacts } from './gone-facts.ts';
import { type HeadSettings, repositoryOf } from './head-trees.ts';
import { commitNamed, headOf, partedAt, type RevisionPlace } from './revisions.ts';

/** What has changed, as somebody said or as git does. */
export interface ChangedPaths {
  /** Full hashes of what was compared; undefined where nothing was, or the work tree. */
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** Sorted, each once; of those that are told to be gone so much is known. */
  readonly paths: ReadonlyMap<string, 'changed' | 'deleted'>;
  /** Folders that were named in place of the files below them, '' for the root, with how many these are. */
  readonly folders: ReadonlyMap<string, number>;
  /** What files that are gone defined, by path; of those of which that can be told. */
  readonly gone: ReadonlyMap<string, DocumentFacts>;
  /** What keeps us from knowing what HEAD has, where that was asked. */
  readonly headTrouble?: WayIn | undefined;
  /** Changed files of the work tree that lie outside the indexed root. */
  readonly outside: number;
  /** Files in which the index is not as the head that was asked for. */
  readonly notAsIndexed: number;
}

export type AffectedInput = InputOf<Operations['analysis.affected']>;

export interface ChangedFiles {
  /**
   * What an input says to have changed. Throws `resourceNotFound` for a revision that is not here, `preconditionFailed`
   * where there is no git, no commit, or too little of its history, `tooLarge` for a folder of more files than can be asked
   * about.
   */
  of(input: AffectedInput, settings: HeadSettings, reader: IndexReader, key: string): Promise<ChangedPaths>;
}

/** `signal`: of nobody in particular, for what git is asked here is short. */
export function changedFiles(pool: WorkerPool<ExtractCalls>): ChangedFiles {
  const knownBlobs = new Map<string, string>();
  const gits = new Map<string, Git>();
  const gitIn = (shadowFolder: string): Git => {
    const git = gits.get(shadowFolder) ?? createGit({ shadowFolder });
    gits.set(shadowFolder, git);
    return git;
  };
  return {
    async of(input, settings, reader, key) {
      const git = gitIn(settings.shadowFolder);
      const place = { git, settings, knownBlobs, sources: { reader, pool }, lines: () => linesOf(reader, key) };
      return input.base === undefined
        ? given(input.files ?? [], place, listedFiles(reader, key))
        : compared(input.base, input, { ...place, repository: repositoryOf(settings.root, 'commits to compare') });
    },
  };
}

interface Place {
  readonly git: Git;
  readonly settings: HeadSettings;
  readonly knownBlobs: Map<string, string>;
  readonly sources: FactSources;
  readonly lines: () => readonly ManifestLine[];
}

type GitPlace = Place & RevisionPlace;

function linesOf(reader: IndexReader, key: string): readonly ManifestLine[] {
  const manifest = reader.manifest(key);
  if (manifest === undefined) throw notReady();
  return manifest.entries;
}

/** What a snapshot lists. */
interface ListedFiles {
  readonly has: (path: string) => boolean;
  /** The first so many below a folder, '' for the root. */
  readonly below: (folder: string, most: number) => readonly string[];
}

function listedFiles(reader: IndexReader, key: string): ListedFiles {
  const snapshot = reader.snapshot(key);
  if (snapshot === undefined) throw notReady();
  return {
    has: path => path !== '' && reader.file(key, snapshot.seq, path) !== undefined,
    below: (folder, most) => reader.filesBelow(key, snapshot.seq, folder, most),
  };
}

/** Of a folder, as of files that are named. */
const mostBelow = 10_000;

/** Files that somebody names, or folders of them. Of those that the index has not, HEAD may know that they are gone. */
async function given(named: readonly string[], place: Place, listed: ListedFiles): Promise<ChangedPaths> {
  const folders = new Map<string, readonly string[]>();
  const others = named.filter(path => {
    if (listed.has(path)) return true;
    const below = listed.below(path, mostBelow + 1);
    if (below.length > 0) folders.set(path, below);
    return below.length === 0 && path !== '';
  });
  for (const [folder, { length }] of folders) if (length > mostBelow) throw tooMany(folder);
  const absent = others.filter(path => !listed.has(path));
  const { root } = place.settings;
  const gone = absent.length === 0 ? nothing : await committedAmong(absent, place).catch(() => nothing);
  const files = [...new Set([...others, ...[...folders.values()].flat()])].sort();
  return {
    ...{ base: undefined, head: undefined, outside: 0, notAsIndexed: 0 },
    paths: new Map(files.map(path => [path, gone.paths.has(path) ? 'deleted' : 'changed'])),
    folders: new Map([...folders].map(([folder, { length }]) => [folder, length])),
    gone: gone.facts,
    headTrouble: absent.length === 0 ? undefined : gitTrouble(findRepository(root), root),
  };
}

function tooMany(folder: string): Fault {
  const message = `More than ${mostBelow} files lie below ${folder === '' ? 'the root' : folder}: name a folder in it, or a base`;
  return new Fault('tooLarge', message, { details: { folder, mostFiles: mostBelow } });
}

/** Files that HEAD has and the work tree has not. */
interface Gone {
  readonly paths: ReadonlySet<string>;
  readonly facts: ReadonlyMap<string, DocumentFacts>;
}

const nothing: Gone = { paths: new Set(), facts: new Map() };

async function committedAmong(paths: readonly string[], place: Place): Promise<Gone> {
  const { git, settings } = place;
  const repository = repositoryOf(settings.root, 'HEAD');
  const { commit } = await git.head(repository);
  if (commit === undefined) return nothing;
  const prefix = prefixIn(repository.workTree, settings.root);
  const files = await git.filesAt(
    repository,
    commit,
    paths.map(path => prefix + path),
  );
  const gone = paths.filter(path => files.has(prefix + path) && !isThere(settings.root, path));
  return { paths: new Set(gone), facts: await goneFacts(gone, commit, { ...place, repository }) };
}

function isThere(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

async function compared(revision: string, input: AffectedInput, place: GitPlace): Promise<ChangedPaths> {
  const base = await commitNamed(revision, place);
  const asked = input.head === undefined ? undefined : await commitNamed(input.head, place);
  const [from] =
    input.compare === 'base'
      ? [base]
      : await partedAt(base, asked ?? (await headOf(place)), place, ': compare with `base` itself');
  if (asked === undefined) {
    const differing = await workTreeAgainst(from, place);
    const found = { folders: none, ...inside(differing, place), notAsIndexed: 0 };
    return { base: from, head: undefined, ...found, gone: await goneFacts(goneAmong(found.paths), from, place) };
  }
  const changes = await toldByGit(place.git.changedBetween(place.repository, from, asked));
  const status = new Map([...changes].map(([path, one]) => [path, one === 'deleted' ? one : ('changed' as const)]));
  const notAsIndexed = (await workTreeAgainst(asked, place)).size;
  const found = { folders: none, ...inside(status, place), notAsIndexed };
  return { base: from, head: asked, ...found, gone: await goneFacts(goneAmong(found.paths), from, place) };
}

function goneAmong(paths: Changes): readonly string[] {
  return [...paths].flatMap(([path, status]) => (status === 'deleted' ? [path] : []));
}

const none: ReadonlyMap<string, number> = new Map();

type Changes = ReadonlyMap<string, 'changed' | 'deleted'>;

/** Changes by paths from the indexed root; those outside are counted. */
function inside(changes: Changes, { repository, settings }: GitPlace) {
  const prefix = prefixIn(repository.workTree, settings.root);
  const found: (readonly [string, 'changed' | 'deleted'])[] = [];
  let outside = 0;
  for (const [name, status] of changes) {
    const path = name.startsWith(prefix) ? repoPath(name.slice(prefix.length)) : undefined;
    // A name that is no UTF-8 is in no index, nor in any answer.
    if (path === undefined || path.includes('\ufffd')) outside++;
    else found.push([path, status]);
  }
  return { paths: new Map(found.sort(([a], [b]) => (a < b ? -1 : 1))), outside };
}

/** In what the indexed tree, and what lies beside it unlisted, is not as a commit has it; paths from the work tree. */
async function workTreeAgainst(commit: string, place: GitPlace): Promise<Changes> {
  const { git, repository, settings, knownBlobs } = place;
  const { root, sourceLimits: limits } = settings;
  const prefix = prefixIn(repository.workTree, root);
  const [tree, indexed] = await toldByGit(Promise.all([git.treeOf(repository, commit), git.indexedFiles(repository)]));
  const entries = place.lines();
  const all = await headDifference({ root, prefix, entries, tree, indexed, limits, knownBlobs });
  const converted = await convertedAlike([...all.blobs], entries, tree, place);
  const { blobs, without, links } = withoutFiltered(all, path => converted.filtered.has(path));
  const changes = new Map<string, 'changed' | 'deleted'>();
  for (const path of without) if (!converted.alike.has(path)) changes.set(prefix + path, 'changed');
  for (const path of [...blobs.keys(), ...links]) {
    if (without.has(path)) continue;
    if (!isThere(root, path)) changes.set(prefix + path, 'deleted');
    else if (!isBlob(path, tree.get(prefix + path), place)) changes.set(prefix + path, 'changed');
  }
  return changes;
}

/** Past these a tree has been converted as a whole, and reading it all twice says nothing. */
const mostConverted = 2_000;
const convertedBytes = 64 * 1024 * 1024;

/** Of files that are not as their blobs: those that are so once git has converted these, and those that a filter makes. */
async function convertedAlike(
  blobs: readonly (readonly [RepoPath, string])[],
  entries: readonly ManifestLine[],
  tree: ReadonlyMap<string, TreeFile>,
  { git, repository, settings }: GitPlace,
): Promise<{ readonly alike: ReadonlySet<RepoPath>; readonly filtered: ReadonlySet<RepoPath> }> {
  const prefix = prefixIn(repository.workTree, settings.root);
  const names = blobs.map(([path]) => prefix + path);
  const conversions = await toldByGit(conversionsIn(git, repository, tree, names, {}));
  const of = (path: RepoPath) => conversions.get(prefix + path);
  const filtered = new Set(blobs.filter(([path]) => of(path)?.by !== undefined).map(([path]) => path));
  const some = blobs.filter(([path]) => of(path) !== undefined && !filtered.has(path)).slice(0, mostConverted);
  const hashes = [...new Set(some.map(([, hash]) => hash))];
  const limits = { eachBytes: settings.sourceLimits.bytes, allBytes: convertedBytes };
  const stored = hashes.length === 0 ? new Map() : await toldByGit(git.blobs(repository, hashes, limits));
  const lines = new Map(entries.map(({ entry }) => [entry.path, entry.hash]));
  const alike = some.filter(([path, hash]) => {
    const blob = stored.get(hash);
    if (blob === undefined) return false;
    const { blob: made } = convertedBlob(blob, hash, of(path), settings.sourceLimits.bytes);
    return entryOfBlob(path, made, settings.sourceLimits, new Set()).hash === lines.get(path);
  });
  return { alike: new Set(alike.map(([path]) => path)), filtered };
}

/** Whether a file that the index does not list, as it is ignored here, is what the commit has. */
function isBlob(path: RepoPath, committed: TreeFile | undefined, { settings }: GitPlace): boolean {
  const read = readRepositoryFile(settings.root, path, undefined, settings.sourceLimits);
  const bytes = read.kind === 'text' || read.kind === 'skipped' ? read.bytes : undefined;
  return bytes !== undefined && committed !== undefined && blobHash(bytes, committed.hash) === committed.hash;
}
