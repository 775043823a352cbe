import type { Git } from '../backends/git.ts';
import { findRepository } from '../backends/git-repository.ts';
import { extractorVersion } from '../extract/dialect.ts';
import type { SourceLimits } from '../extract/read-file.ts';
import type { Dialect } from '../model/document.ts';
import type { TreeManifest } from '../model/manifest.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { WorkerLost, type WorkerPool } from '../workers/pool.ts';
import { type CommitTrees, commitTrees } from './commit-tree.ts';
import type { ExtractCalls } from './extract-service.ts';
import { type FactDesk, openFactDesk } from './fact-desk.ts';
import type { FactShelf } from './linking-manifest.ts';
import { skipReasonOf } from './sources.ts';

/** With what trees are compared that are not the indexed one. */
export interface CommitTools {
  readonly repo: RepositoryRecord;
  readonly tree: TreeManifest;
  readonly writer: IndexWriter;
  readonly pool: WorkerPool<ExtractCalls>;
  readonly git: Git | undefined;
  readonly quarantined: ReadonlySet<string>;
  readonly sourceLimits: SourceLimits;
  readonly parseSteps: number;
  readonly parallel: number;
  readonly shelf: FactShelf;
  readonly decodedFactsBytes: number;
  readonly signal: AbortSignal;
}

/** A desk on which facts of other trees are made beside those of the index. */
export function deskFor(tools: CommitTools): FactDesk {
  return openFactDesk({
    writer: tools.writer,
    stored: tools.shelf,
    decodedBytes: tools.decodedFactsBytes,
    extract: ({ dialect }, bytes) => extracted(dialect, bytes, tools),
  });
}

/** The commits of the repository that the tree belongs to; undefined where it belongs to none. */
export function commitsFor(
  desk: FactDesk,
  { repo, tree, git, sourceLimits, parseSteps, quarantined, parallel, signal }: CommitTools,
): CommitTrees | undefined {
  const found = git === undefined ? undefined : findRepository(repo.root);
  if (git === undefined || found?.found !== 'repository') return undefined;
  const { workTree } = found.repository;
  if (workTree === undefined) return undefined;
  return commitTrees({
    git,
    repository: { ...found.repository, workTree },
    root: repo.root,
    tree,
    desk,
    limits: sourceLimits,
    quarantined,
    versionOf: versionsOf({ parseSteps }),
    parallel,
    signal,
  });
}

/** The version of the extractor that a dialect has. */
export function versionsOf({ parseSteps }: Pick<CommitTools, 'parseSteps'>): (dialect: Dialect) => number {
  return dialect => extractorVersion(dialect, parseSteps);
}

async function extracted(dialect: Dialect, bytes: Uint8Array, { pool, repo, parseSteps, signal }: CommitTools) {
  try {
    // A copy, for what crosses to another thread takes the whole buffer behind it along.
    const input = { bytes: new Uint8Array(bytes), dialect, parseSteps };
    return (await pool.run('extractBytes', input, { lane: repo.id, signal })).result;
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error;
    return { kind: 'skipped' as const, reason: skipReasonOf(error), detail: error.message };
  }
}
