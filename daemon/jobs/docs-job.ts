import type { StoredJob } from '../store/daemon-db.ts';
import type { JobQueue } from './queue.ts';

/** What the job takes that reads a repository's documents, as its `input` holds it. */
export interface DocsJobInput {
  readonly force: boolean;
}

export const docsJobType = 'index-docs';

/** The job of a repository that waits or runs already, or else a new one. Throws what `JobQueue.add` throws. */
export function queueDocsJob(jobs: Pick<JobQueue, 'addOnce'>, repo: string, input: DocsJobInput): StoredJob {
  return jobs.addOnce(docsJobType, { repo, input });
}
