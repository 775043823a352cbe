import type { StoredJob } from '../store/daemon-db.ts';
import type { JobQueue } from './queue.ts';

export const indexJobType = 'index-repository';

/** What an index job takes, as the job's `input` holds it; its `result` is what was published. */
export interface IndexJobInput {
  readonly force: boolean;
}

/** The index job of a repository that waits or runs already, or else a new one. Throws what `JobQueue.add` throws. */
export function queueIndexJob(jobs: Pick<JobQueue, 'addOnce'>, repo: string, input: IndexJobInput): StoredJob {
  return jobs.addOnce(indexJobType, { repo, input });
}
