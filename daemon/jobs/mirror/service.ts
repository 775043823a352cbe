import { Fault } from '../../../client/protocol/faults.ts';
import { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { noteBuilt } from '../../store/mirror-db.ts';
import { type MirrorReader, openMirror } from '../../store/mirror-reader.ts';
import { replaceIndex } from '../../store/new-index.ts';
import { StoreError } from '../../store/store-faults.ts';
import { heapLimiter, roomyHeapBytes } from '../../tidy-heap.ts';
import type { IndexPhase } from '../engine.ts';
import type { HostedRepository, Uploaded, UploadInput } from '../upload/service.ts';
import { noTwins } from '../upload/twins.ts';
import { ingestMirror, mirrorVersion } from './ingest-mirror.ts';

export interface MirrorInput extends Pick<UploadInput, 'run' | 'cancelFlag'> {
  readonly repo: HostedRepository;
  /** With the rows of the mirror. */
  readonly file: string;
  /** Looks at all of that file before, and holds what comes of it against what came of it the last time. */
  readonly isDoubted: boolean;
}

/** Makes a new index of a mirror's rows. Throws `mirrorDamaged` where these can't be read. */
export async function mirrorIndex(
  { repo, file, isDoubted, cancelFlag }: MirrorInput,
  signal: AbortSignal,
  onProgress: (phase: IndexPhase, fraction: number) => void,
): Promise<Uploaded> {
  const startedMs = performance.now();
  const flag = new Int32Array(cancelFlag);
  const memory = new ScratchMemory(`${repo.indexFile}.scratch`);
  const heap = heapLimiter(roomyHeapBytes);
  let mirror: MirrorReader | undefined;
  try {
    mirror = openMirror(file);
    const rows = mirror;
    if (isDoubted) rows.checkPages();
    const { seq, snapshotId, counts } = await replaceIndex(
      repo.indexFile,
      writer =>
        ingestMirror(
          rows,
          {
            key: repo.worktreeKey,
            signal,
            isCancelled: () => Atomics.load(flag, 0) !== 0,
            onRead: fraction => {
              heap.look();
              onProgress('rows', fraction);
            },
            onRest: phase => onProgress(phase, 0),
          },
          { writer, memory, now: () => Date.now() },
        ),
      repo.epoch === undefined ? {} : { newEpoch: () => repo.epoch! },
    );
    if (isDoubted && rows.built?.version === mirrorVersion && rows.built.snapshotId !== snapshotId) {
      throw new StoreError('corrupt', 'the rows of a mirror are not what they were');
    }
    noteBuilt(file, { version: mirrorVersion, snapshotId });
    return {
      ...{ seq, snapshotId, counts },
      indexer: { tool: 'mirror', version: '' },
      rejected: { counts: {}, samples: [] },
      twins: noTwins,
      bytes: 0,
      durationMs: performance.now() - startedMs,
    };
  } catch (error) {
    // The new file is nobody's but ours.
    throw error instanceof StoreError && error.trouble === 'corrupt' ? mirrorDamaged(error) : error;
  } finally {
    mirror?.close();
    heap.release();
    memory.close();
  }
}

const damaged = 'mirror_damaged';

function mirrorDamaged(cause: StoreError): Fault {
  return new Fault('storageFailed', 'What was mirrored is damaged here', { details: { reason: damaged }, cause });
}

export function isMirrorDamaged(error: unknown): boolean {
  return error instanceof Fault && error.extras.details?.['reason'] === damaged;
}
