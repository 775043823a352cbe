import { statSync } from 'node:fs';
import { Fault } from '../../../client/protocol/faults.ts';
import type { ScipLimits } from '../../extract/scip/limits.ts';
import { ScipProblem, type ScipProblemKind } from '../../extract/scip/problem.ts';
import type { ScipReport } from '../../extract/scip/report.ts';
import { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { openIndexReader } from '../../store/index-reader.ts';
import { replaceIndex } from '../../store/new-index.ts';
import type { SnapshotCounts } from '../../store/publication.ts';
import { heapLimiter, roomyHeapBytes } from '../../tidy-heap.ts';
import type { IndexPhase } from '../engine.ts';
import { ingestUpload } from './ingest-upload.ts';
import type { TwinsFound } from './twins.ts';

/** Where the index of a repository without source lies. */
export interface HostedRepository extends Pick<RepositoryRecord, 'id' | 'indexFile' | 'worktreeKey'> {
  /** That the new file is to have; undefined: any. */
  readonly epoch?: string | undefined;
}

export interface UploadInput {
  readonly run: number;
  readonly repo: HostedRepository;
  /** The SCIP file, plain or gzip. */
  readonly file: string;
  readonly limits: ScipLimits;
  /** One Int32; not 0: cancelled. */
  readonly cancelFlag: SharedArrayBuffer;
}

/** What an upload left behind. */
export interface Uploaded {
  readonly seq: number;
  readonly snapshotId: string;
  readonly counts: SnapshotCounts;
  readonly indexer: { readonly tool: string; readonly version: string };
  /** What of the index was not taken in. */
  readonly rejected: { readonly counts: Readonly<Record<string, number>>; readonly samples: ScipReport['samples'] };
  readonly twins: TwinsFound;
  /** Of the index, inflated. */
  readonly bytes: number;
  readonly durationMs: number;
}

/**
 * Makes a new index of a repository from an upload and puts it in the place of the one before, which nobody may be
 * writing. Throws a Fault for an index that can't be taken in.
 */
export async function uploadIndex(
  { repo, file, limits, cancelFlag }: UploadInput,
  signal: AbortSignal,
  onProgress: (phase: IndexPhase, fraction: number) => void,
): Promise<Uploaded> {
  const startedMs = performance.now();
  const flag = new Int32Array(cancelFlag);
  const { size } = statSync(file);
  const memory = new ScratchMemory(`${repo.indexFile}.scratch`);
  const heap = heapLimiter(roomyHeapBytes);
  try {
    const { snapshot, reading, twins } = await replaceIndex(
      repo.indexFile,
      writer =>
        ingestUpload(
          {
            file,
            key: repo.worktreeKey,
            limits,
            signal,
            isCancelled: () => Atomics.load(flag, 0) !== 0,
            // A gzip file is read before its bytes are all told.
            onRead: bytes => {
              heap.look();
              onProgress('scip', Math.min(1, bytes / size));
            },
            onRest: phase => onProgress(phase, 0),
          },
          { writer, memory, now: () => Date.now() },
        ),
      repo.epoch === undefined ? {} : { newEpoch: () => repo.epoch! },
    );
    if (isWorthCatalogue(snapshot.counts)) keepCatalogue(repo, snapshot.seq);
    const { metadata, report, bytes } = reading;
    return {
      seq: snapshot.seq,
      snapshotId: snapshot.snapshotId,
      counts: snapshot.counts,
      indexer: { tool: metadata.tool, version: metadata.toolVersion },
      rejected: { counts: Object.fromEntries(report.counts), samples: report.samples },
      twins,
      bytes,
      durationMs: performance.now() - startedMs,
    };
  } catch (error) {
    throw error instanceof ScipProblem ? refusal(error) : error;
  } finally {
    heap.release();
    memory.close();
  }
}

/**
 * Of fewer symbols it is made in no time; of more, or more documents, it takes more memory than the rest of an upload:
 * whoever asks first has it made.
 */
function isWorthCatalogue({ symbols, documents }: SnapshotCounts): boolean {
  return symbols >= 5_000 && symbols + documents * 2 <= 300_000;
}

/** Writes down what lists and searches begin with, so that who asks next need not wait until it is made. */
function keepCatalogue({ indexFile, worktreeKey }: HostedRepository, seq: number): void {
  const reader = openIndexReader(indexFile, { keptFrom: 0 });
  try {
    reader.catalogue(worktreeKey, seq);
    for (const _ of reader.keepCatalogues());
  } finally {
    reader.close();
  }
}

const faultOf = {
  invalid: 'invalidParameter',
  'too large': 'tooLarge',
  unacceptable: 'invalidBody',
} as const satisfies Record<ScipProblemKind, string>;

function refusal(problem: ScipProblem): Fault {
  const { kind, message, offset, remedy } = problem;
  return new Fault(faultOf[kind], message, { details: { reason: 'invalid_scip', offset, remedy }, cause: problem });
}
