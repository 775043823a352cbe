import { statSync } from 'node:fs';
import { Fault } from '../../../client/protocol/faults.ts';
import type { ScipLimits } from '../../extract/scip/limits.ts';
import { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import type { PreciseDocument } from '../../store/precise-table.ts';
import type { FactRow, Published as Publication, StoredSnapshot } from '../../store/publication.ts';
import { type HeapLimiter, heapLimiter, roomyHeapBytes } from '../../tidy-heap.ts';
import { noEvidence } from '../aliases/rename-evidence.ts';
import { type CommitTools, commitsFor, deskFor, versionsOf } from '../commit-desk.ts';
import type { Published } from '../engine.ts';
import type { FactDesk } from '../fact-desk.ts';
import { factKeyText } from '../fact-key.ts';
import { joinScip } from './join-scip.ts';
import type { Seen } from './scip-intake.ts';
import { type ScipIngested, type ScipSource, troubleWithSource } from './scip-source.ts';
import { type ReadableFacts, readableFacts, treeAtCommit, treeAtHead, treeWithContents } from './seen-tree.ts';
import { syntaxAt } from './syntax-at.ts';

export interface ScipIngestion extends CommitTools {
  readonly index: ScipSource;
  readonly limits: ScipLimits;
  readonly onProgress: (phase: 'scip' | 'link' | 'publish', fraction: number) => void;
}

/**
 * Joins a SCIP index with the tree that its indexer saw and publishes what it says, unless that is said already: of
 * documents that the repository's tree has otherwise by now, for when it has them so again.
 */
export async function ingestScip(run: ScipIngestion): Promise<ScipIngested> {
  const memory = new ScratchMemory(`${run.repo.indexFile}.scratch`);
  const heap = heapLimiter(roomyHeapBytes);
  try {
    return await ingest(run, memory, heap);
  } finally {
    heap.release();
    memory.close();
  }
}

async function ingest(run: ScipIngestion, memory: ScratchMemory, heap: HeapLimiter): Promise<ScipIngested> {
  const startedMs = performance.now();
  const { repo, tree, limits, signal, onProgress, writer } = run;
  const key = repo.worktreeKey;
  const current = writer.snapshot(key);
  if (current === undefined) throw new Fault('notReady', 'The repository has no index yet');
  const { parts, ran } = run.index;
  const desk = deskFor(run);
  const { shelf } = desk;
  const facts = readableFacts(desk, writer);
  const size = parts.reduce((sum, { file }) => sum + sizeOf(file), 0);
  const { outcome, batch } = await joinScip(
    {
      ...{ parts, root: repo.root, tree, limits, signal, memory },
      seen: await seenBy(run, desk, facts),
      isImported: ran === undefined,
      inputs: current.counts.inputs,
      // A gzip file is read before its bytes are all told.
      onRead: bytes => {
        heap.look();
        onProgress('scip', Math.min(1, bytes / size));
      },
      onJoin: () => onProgress('link', 1),
    },
    { ...facts, syntaxAt: (delta, paths) => syntaxAt(delta, paths, { key, tree, shelf, writer, signal }) },
  );
  signal.throwIfAborted();
  const isNews = (one: PreciseDocument): boolean =>
    !writer.isKnownEvidence(key, one) && (ran?.isForced !== false || !writer.hasImport(key, one));
  const documents = batch.documents.filter(isNews);
  if (documents.length === 0) return { published: told(current, 0, performance.now() - startedMs), outcome };
  onProgress('publish', 0.5);
  const published = writer.publish(key, {
    entries: [],
    removed: [],
    linked: [],
    facts: factsOf(documents, desk),
    evidence: { ...batch, documents },
    snapshotId: current.snapshotId,
    publishedAt: Date.now(),
  });
  return { published: told(published, documents.length, performance.now() - startedMs), outcome };
}

/** Those that were made on the way: whoever has the tree as it was then need not make them again. */
function factsOf(documents: readonly PreciseDocument[], { made }: FactDesk): readonly FactRow[] {
  return documents.flatMap(({ key }) => made.get(factKeyText(key)) ?? []);
}

function sizeOf(file: string): number {
  const trouble = troubleWithSource(file);
  if (trouble !== undefined) throw new Fault('invalidBody', trouble);
  return statSync(file).size;
}

function told(snapshot: StoredSnapshot | Publication, documentsLinked: number, durationMs: number): Published {
  const { seq, snapshotId, evidenceId, counts } = snapshot;
  return {
    ...{ seq, snapshotId, evidenceId, symbolCount: counts.symbols, fileCount: counts.files },
    ...{ filesParsed: 0, changedPaths: 0, documentsLinked, unsettled: [], toRetry: [], gone: [] },
    ...{ moved: new Map(), evidence: noEvidence, type: 'delta', durationMs },
  };
}

async function seenBy(run: ScipIngestion, desk: FactDesk, facts: ReadableFacts): Promise<Seen> {
  const { seen } = run.index;
  switch (seen.kind) {
    case 'tree':
      return { kind: 'evident', other: () => treeAtHead(commitsFor(desk, run), facts) };
    case 'contents':
      return { kind: 'known', tree: treeWithContents(seen.contents, run.tree, desk, versionsOf(run)) };
    case 'commit':
      return { kind: 'known', tree: await treeAtCommit(seen.commit, commitsFor(desk, run), facts) };
  }
}
