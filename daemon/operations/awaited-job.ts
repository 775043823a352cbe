import { Fault, faultTable } from '../../client/protocol/faults.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import type { RequestContext } from './handler.ts';

/**
 * Waits for a job, however it ends, telling the caller how far it is. The job goes on where the request ends before it;
 * then, and where there is no such job, rejects with the fault.
 */
export async function endOf(
  jobs: Pick<JobQueue, 'get' | 'ended'>,
  id: string,
  { signal, onProgress }: Pick<RequestContext, 'signal' | 'onProgress'>,
): Promise<StoredJob> {
  const stopReporting = reportProgress(jobs, id, onProgress);
  return jobs.ended(id, signal).finally(stopReporting);
}

/** The fault of a job that ended in another way than it should. */
export function jobFailed({ id, state, error }: StoredJob, otherwise: string): Fault {
  if (state === 'cancelled') {
    return new Fault('preconditionFailed', `The job ${id} was cancelled`, { details: { jobId: id, status: state } });
  }
  const known = (['storageFailed', 'preconditionFailed', 'tooLarge'] as const).find(
    reason => faultTable[reason].code === error?.code,
  );
  return new Fault(known ?? 'operationFailed', error?.message ?? otherwise, {
    details: { jobId: id, ...(error?.reason === undefined ? {} : { reason: error.reason }) },
    ...(known === 'storageFailed' ? { retryAfterSeconds: 5 } : {}),
  });
}

/** Tells the caller how far the job is, as long as somebody listens. */
function reportProgress(jobs: Pick<JobQueue, 'get'>, id: string, tell: RequestContext['onProgress']): () => void {
  let told = '';
  const timer = setInterval(() => {
    const job = jobs.get(id);
    if (job === undefined) return;
    const now = `${job.progress} ${job.message}`;
    if (now !== told) tell({ message: job.message ?? job.state, fraction: job.progress / 100 });
    told = now;
  }, 100);
  timer.unref();
  return () => clearInterval(timer);
}
