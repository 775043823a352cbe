import { Fault } from '../../client/protocol/faults.ts';
import type { ChangeSet } from '../../watch/change-set.ts';
import { difference, inverse, type ManifestDelta } from '../model/delta.ts';
import { type FileStat, sameFileStat } from '../model/file-stat.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { type FinishedBatch, growingBatch, type LinkBatch } from '../store/link-batch.ts';
import type { KeptLinks, LinkedDocument, Published, StoredSnapshot } from '../store/publication.ts';
import { heapTidier } from '../tidy-heap.ts';
import { movedSymbols } from './aliases/moved-symbols.ts';
import { noEvidence, type PublishedEvidence, renameEvidence } from './aliases/rename-evidence.ts';
import { documentLinker } from './document-linker.ts';
import type { IndexPhase } from './engine.ts';
import { factKeyOf } from './fact-key.ts';
import { type GatherRequest, gatherChanges, type Sources } from './gather-changes.ts';
import { inSlices } from './in-slices.ts';
import { type LinkHelper, linkingSlackBytes, linkRanges } from './link-ranges.ts';
import type { FactShelf } from './linking-manifest.ts';
import { snapshotMaking } from './snapshot-making.ts';
import { touchedBy } from './touched-documents.ts';

export interface IndexRun extends Omit<GatherRequest, 'onProgress' | 'remount'> {
  /** The repository's key in the index file. */
  readonly key: string;
  readonly onProgress: (phase: IndexPhase, fraction: number) => void;
  /** Used where the tree turns out to be as it was then. */
  readonly prepared?: PreparedLinks | undefined;
  /** Tells also where no message gets through, in the midst of a transaction. */
  readonly isCancelled: () => boolean;
}

/** Links that were made ahead, of all documents that differ between two snapshots or may be linked otherwise. */
export interface PreparedLinks {
  /** Id of the snapshot that they lead on from, and of the one that they are of. */
  readonly before: string;
  readonly after: string;
  readonly linked: FinishedBatch;
}

export interface IndexTools {
  readonly sources: Sources;
  readonly writer: Pick<
    IndexWriter,
    'snapshot' | 'kept' | 'askersOf' | 'bearersOf' | 'groupsThatAsked' | 'publish' | 'touch' | 'text'
  >;
  readonly shelf: FactShelf;
  /** Threads that help to link so many documents of a tree as it stands, whose facts are stored: none for few. */
  readonly linkHelpers: (tree: TreeManifest, documents: number) => readonly LinkHelper[];
  /** Throws where what was read may be of no tree that ever was. */
  readonly beforePublishing: () => void;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

export interface IndexOutcome {
  readonly snapshot: StoredSnapshot;
  readonly filesParsed: number;
  readonly changedPaths: number;
  readonly documentsLinked: number;
  /** Paths that kept changing; the caller must name them again. */
  readonly unsettled: readonly RepoPath[];
  /** Paths whose parser failed, which may be luck: published as such, to be named again later. */
  readonly toRetry: readonly RepoPath[];
  /** Symbols, 32 hex digits each, that no document defines any more. */
  readonly gone: readonly string[];
  /** Where those of them went whose file was moved: old symbol hash → new. */
  readonly moved: ReadonlyMap<string, string>;
  readonly evidence: PublishedEvidence;
}

/**
 * Brings an index from the manifest in `run.tree` to what the file system holds now: gathers what changed, links what
 * that touches, and makes all of it visible in one transaction. `run.tree` moves on with the publication and is as it
 * was where none came to pass. Nothing changed, nothing published. Where another linker made the links, or other
 * limits were in force, all files are looked at, and all documents linked anew from the facts that are stored.
 */
export async function indexRepository(run: IndexRun, tools: IndexTools): Promise<IndexOutcome> {
  const { tree, key } = run;
  const { writer } = tools;
  const current = writer.snapshot(key);
  const relink = run.force || current?.snapshotId !== tree.snapshotId(snapshotMaking(tools.sources.sourceLimits));
  const changes: ChangeSet = relink ? { kind: 'recrawl', reason: 'requested' } : run.changes;
  const gathered = await gatherChanges({ ...run, changes, remount: relink }, tools.sources);
  const { found, filesParsed, unsettled, toRetry } = gathered;
  const delta = difference(path => tree.get(path), found);
  if (delta.size === 0 && current !== undefined && !relink) {
    keepStats(run, found, unsettled, writer);
    return {
      snapshot: current,
      filesParsed,
      changedPaths: 0,
      documentsLinked: 0,
      unsettled,
      toRetry,
      gone: [],
      moved: new Map(),
      evidence: noEvidence,
    };
  }
  const { documentsLinked, gone, come, ...snapshot } = await linkAndPublish(delta, relink, run, tools);
  keepStats(run, found, unsettled, writer);
  const vanished = new Set(gone);
  const moved = movedSymbols(delta, vanished, tools.shelf.document);
  const symbols = { gone: vanished, come: new Set(come) };
  const evidence = renameEvidence(current === undefined ? new Map() : delta, symbols, {
    document: tools.shelf.document,
    text: line => writer.text(factKeyOf(line)!) ?? '',
    bearers: (name, most) => writer.bearersOf(key, name, most)?.flatMap(path => tree.get(path) ?? []),
  });
  const changedPaths = delta.size;
  return { snapshot, filesParsed, changedPaths, documentsLinked, unsettled, toRetry, gone, moved, evidence };
}

/**
 * Moves the tree on and publishes it; a failure on the way moves it back. Of a tree that was published a short while ago,
 * as after switching branches to and fro, the links are still there.
 */
async function linkAndPublish(
  delta: ManifestDelta,
  relink: boolean,
  run: IndexRun,
  tools: IndexTools,
): Promise<Published & { readonly documentsLinked: number }> {
  const { tree, key } = run;
  tree.apply(delta);
  try {
    const snapshotId = tree.snapshotId(snapshotMaking(tools.sources.sourceLimits));
    const { linked, documentsLinked } =
      (relink ? undefined : linkedBefore(snapshotId, run, tools)) ??
      (await linkTouched(delta.size * 2 > tree.size || relink ? 'all' : delta, run, tools));
    run.onProgress('publish', 0);
    tools.beforePublishing();
    const published = tools.writer.publish(key, {
      entries: watched(entriesOf(delta), run),
      removed: watched(removedFrom(delta), run),
      linked,
      snapshotId,
      publishedAt: tools.now(),
    });
    run.onProgress('publish', 1);
    return { ...published, documentsLinked };
  } catch (error) {
    tree.apply(inverse(delta));
    throw error;
  }
}

interface Linked {
  readonly linked: readonly LinkBatch[] | KeptLinks;
  readonly documentsLinked: number;
}

/** Links of the snapshot that the tree has come to, where there are some already. */
function linkedBefore(snapshotId: string, run: IndexRun, { writer }: Pick<IndexTools, 'writer'>): Linked | undefined {
  const { key, prepared } = run;
  const kept = writer.kept(key, snapshotId);
  if (kept !== undefined) return { linked: kept, documentsLinked: 0 };
  if (prepared?.after !== snapshotId || prepared.before !== writer.snapshot(key)?.snapshotId) return undefined;
  const { linked } = prepared;
  return { linked: watchedBatches([linked], run), documentsLinked: linked.documents.length };
}

function* entriesOf(delta: ManifestDelta): Iterable<ManifestLine> {
  for (const { after } of delta.values()) if (after !== undefined) yield after;
}

function* removedFrom(delta: ManifestDelta): Iterable<RepoPath> {
  for (const { path, after } of delta.values()) if (after === undefined) yield path;
}

/** New stat data of what was read and found unchanged; none for what would not hold still. */
function keepStats(
  { tree, key }: IndexRun,
  found: ReadonlyMap<RepoPath, ManifestLine | undefined>,
  unsettled: readonly RepoPath[],
  writer: IndexTools['writer'],
): void {
  const stats = new Map<RepoPath, FileStat | undefined>();
  for (const [path, line] of found) {
    if (line !== undefined && !sameFileStat(line.stat, tree.get(path)?.stat)) stats.set(path, line.stat);
  }
  for (const path of unsettled) if (tree.get(path) !== undefined) stats.set(path, undefined);
  if (stats.size === 0) return;
  writer.touch(
    key,
    [...stats].map(([path, stat]) => ({ path, stat })),
  );
  for (const [path, stat] of stats) tree.touch(path, stat);
}

/** Links what changed and whoever asked about it, or everything. `run.tree` is the new tree. */
async function linkTouched(touched: ManifestDelta | 'all', run: IndexRun, tools: IndexTools): Promise<Linked> {
  run.onProgress('link', 0);
  const world = { ...run, ...tools, document: tools.shelf.document, check: () => throwIfCancelled(run) };
  const groups = touched === 'all' ? undefined : await touchedBy(touched, world);
  const paths = groups === undefined ? pathsOf(run.tree) : [...groups.keys()].sort();
  const helpers = tools.linkHelpers(run.tree, paths.length);
  try {
    const link = documentLinker(run.tree, tools.shelf);
    const tidyHeap = heapTidier(linkingSlackBytes);
    const onLinked = (done: number): void => {
      tidyHeap();
      run.onProgress('link', done / paths.length);
    };
    const batches = await linkRanges(
      paths,
      range => linkOf(range, path => link(path, groups?.get(path)), run),
      helpers,
      onLinked,
    );
    const documentsLinked = batches.reduce((sum, { documents }) => sum + documents.length, 0);
    return { linked: watchedBatches(batches, run), documentsLinked };
  } finally {
    await Promise.all(helpers.map(helper => helper.close()));
  }
}

async function linkOf(
  range: readonly RepoPath[],
  link: (path: RepoPath) => LinkedDocument | undefined,
  run: IndexRun,
): Promise<FinishedBatch> {
  const batch = growingBatch();
  await inSlices(
    range,
    () => throwIfCancelled(run),
    path => {
      const linked = link(path);
      if (linked !== undefined) batch.add(linked);
    },
  );
  return batch.done();
}

function watchedBatches(batches: readonly LinkBatch[], run: IndexRun): readonly LinkBatch[] {
  return batches.map(batch => ({ ...batch, documents: watched(batch.documents, run) }));
}

function pathsOf(tree: TreeManifest): readonly RepoPath[] {
  return [...tree.lines()].map(line => line.entry.path).sort();
}

/** Lets a transaction that is fed by `items` be cancelled: it rolls back when its feed throws. */
function* watched<T>(items: Iterable<T>, run: IndexRun): Iterable<T> {
  for (const item of items) {
    throwIfCancelled(run);
    yield item;
  }
}

function throwIfCancelled({ signal, isCancelled }: Pick<IndexRun, 'signal' | 'isCancelled'>): void {
  signal.throwIfAborted();
  if (isCancelled()) throw new Fault('cancelled', 'Cancelled');
}
