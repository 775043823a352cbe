import type { Clock } from '../../clock.ts';
import type { DocsJobInput } from '../../jobs/docs-job.ts';
import type { JobContext } from '../../jobs/queue.ts';
import type { DaemonDatabase } from '../../store/daemon-db.ts';
import type { EncodedBytes, ReadPool } from '../readers/read-pool.ts';
import { type ServedRepository, stillRegistered } from '../served-repository.ts';
import { type Asked, notReady } from '../symbols/answers.ts';
import type { DocsTold } from './docs-answers.ts';
import type { DocsCall, DocsStepTold } from './docs-reading.ts';

export interface DocsNeeds {
  readonly repositories: { get(id: string): ServedRepository | undefined };
  readonly readPool: Pick<ReadPool, 'docs'>;
  readonly database: Pick<DaemonDatabase, 'goneDefinitions' | 'movedDocuments' | 'goneVersion'>;
}

/** What the job comes to, as its `result` holds it. */
export interface DocsIndexed extends DocsTold {
  readonly filesIndexed: number;
  readonly durationMs: number;
}

/** Documents that are read at one step: then it is told how far the job is, and it may be cancelled. */
const documentsPerStep = 100;

/** Reads the documents of a repository that nobody has read as they are, or all. */
export async function runDocsJob(
  { job, signal, report }: JobContext,
  { clock, ...needs }: DocsNeeds & { readonly clock: Clock },
): Promise<Readonly<Record<string, unknown>>> {
  const startedMs = clock.monotonicMs();
  const { force } = job.input as DocsJobInput;
  const repository = stillRegistered(needs.repositories, job.repo);
  let filesIndexed = 0;
  for (let step = 0; ; step++) {
    signal.throwIfAborted();
    const question = { operation: 'docs.index', force: force && step === 0, most: documentsPerStep } as const;
    const asked = askedOf(needs.repositories.get(repository.record.id) ?? repository, clock);
    const { bytes } = await askDocs(needs, repository.registered.uid, { asked, question }, signal);
    const told = JSON.parse(new TextDecoder().decode(bytes)) as DocsStepTold & DocsTold;
    const { read, left, ...rest } = told;
    filesIndexed += read;
    if (left === 0) {
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      return { ...rest, filesIndexed, durationMs } satisfies DocsIndexed;
    }
    report(filesIndexed / (filesIndexed + left), `Reading documents: ${filesIndexed} of ${filesIndexed + left}`);
  }
}

/** Asks about documents; what is gone of the repository is told where the worker has not heard of it. */
export async function askDocs(
  { readPool, database }: Omit<DocsNeeds, 'repositories'>,
  uid: string,
  call: Omit<DocsCall, 'gone'>,
  signal: AbortSignal,
): Promise<EncodedBytes> {
  for (;;) {
    const version = database.goneVersion(uid);
    const known = await readPool.docs({ ...call, gone: { version } }, signal);
    if (known !== undefined) return known;
    const rows = database.goneDefinitions(uid);
    const moved = database.movedDocuments(uid);
    const told = await readPool.docs({ ...call, gone: { version: database.goneVersion(uid), rows, moved } }, signal);
    if (told !== undefined) return told;
  }
}

function askedOf({ record, snapshot, follow }: ServedRepository, clock: Clock): Asked {
  if (snapshot === undefined) throw notReady();
  return {
    repo: { id: record.id, indexFile: record.indexFile, key: record.worktreeKey },
    current: { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
    cursorSecret: '',
    dirtyFiles: follow?.status().pendingChanges ?? 0,
    now: clock.now().getTime(),
  };
}
