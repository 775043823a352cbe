import type { StoredJob } from '../store/daemon-db.ts';
import type { Published } from './engine.ts';
import type { JobQueue } from './queue.ts';
import { afterLook } from './unlisted.ts';

export const indexJobType = 'index-repository';

/** What an index job takes, as the job's `input` holds it; its `result` is what was published. */
export interface IndexJobInput {
  readonly force: boolean;
}

/** The index job of a repository that waits or runs already, or else a new one. Throws what `JobQueue.add` throws. */
export function queueIndexJob(jobs: Pick<JobQueue, 'addOnce'>, repo: string, input: IndexJobInput): StoredJob {
  return jobs.addOnce(indexJobType, { repo, input });
}

/** What callers are told of a run: job lists are for people, and what the history takes in is not among it. */
export function resultOf(published: Published, symbolsBefore: number): Readonly<Record<string, unknown>> {
  const { gone, moved: _moved, evidence: _evidence, unlisted = [], ...told } = published;
  const appeared = published.symbolCount - (symbolsBefore - gone.length);
  const changes = { files: published.changedPaths, symbols: gone.length + Math.max(0, appeared) };
  return { ...told, gone: gone.length, unlisted: unlisted.reduce(afterLook, []).length, changes };
}
