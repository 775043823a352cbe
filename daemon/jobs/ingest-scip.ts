import { statSync } from 'node:fs';
import { Fault } from '../../client/protocol/faults.ts';
import type { Git } from '../backends/git.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import type { ScipLimits } from '../extract/scip/limits.ts';
import type { TreeManifest } from '../model/manifest.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { IndexWriter } from '../store/index-db.ts';
import type { PreciseDocument } from '../store/precise-table.ts';
import type { Published as Publication, StoredSnapshot } from '../store/publication.ts';
import { contentsAtCommit } from './commit-contents.ts';
import type { Published } from './engine.ts';
import { joinScip, type ScipRun } from './join-scip.ts';
import { type ScipIngested, type ScipSource, troubleWithSource } from './scip-source.ts';

export interface ScipIngestion {
  readonly repo: RepositoryRecord;
  readonly index: ScipSource;
  readonly limits: ScipLimits;
  readonly tree: TreeManifest;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: 'scip' | 'link' | 'publish', fraction: number) => void;
}

export interface ScipTools {
  readonly writer: Pick<
    IndexWriter,
    'snapshot' | 'facts' | 'text' | 'syntax' | 'publish' | 'isKnownEvidence' | 'hasImport'
  >;
  readonly git: Git | undefined;
  /** Of the files of the tree. */
  readonly limits: SourceLimits;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

/** Joins a SCIP index with a repository's tree and publishes what it says, unless that is said already. */
export async function ingestScip(run: ScipIngestion, tools: ScipTools): Promise<ScipIngested> {
  const startedMs = performance.now();
  const { repo, tree, limits, signal, onProgress } = run;
  const { writer } = tools;
  const key = repo.worktreeKey;
  const current = writer.snapshot(key);
  if (current === undefined) throw new Fault('notReady', 'The repository has no index yet');
  const { parts, ran } = run.index;
  const seen = await contentsSeen(run, tools);
  const size = parts.reduce((sum, { file }) => sum + sizeOf(file), 0);
  // A gzip file is read before its bytes are all told.
  const onRead = (bytes: number): void => onProgress('scip', Math.min(1, bytes / size));
  const onJoin = (): void => onProgress('link', 1);
  const of = { parts, root: repo.root, key, tree, limits, seen, scratch: `${repo.indexFile}.scratch` };
  const isImported = ran === undefined;
  const inputs = current.counts.inputs;
  const { outcome, batch } = await joinScip({ ...of, isImported, inputs, signal, onRead, onJoin }, writer);
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
    evidence: { ...batch, documents },
    snapshotId: current.snapshotId,
    publishedAt: tools.now(),
  });
  return { published: told(published, documents.length, performance.now() - startedMs), outcome };
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
    ...{ moved: new Map(), evidence: { gone: [], appeared: [] }, type: 'delta', durationMs },
  };
}

/** The contents that the indexer saw. */
async function contentsSeen(
  { repo, index, tree, signal }: ScipIngestion,
  { writer, git, limits }: ScipTools,
): Promise<ScipRun['seen']> {
  const { seen } = index;
  switch (seen.kind) {
    case 'tree':
      return 'evident';
    case 'contents':
      return seen.contents;
    case 'commit':
      return contentsAtCommit(seen.commit, { root: repo.root, tree, writer, git, limits, signal });
  }
}
