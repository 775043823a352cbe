import type { Job } from '../../client/protocol/shapes.ts';
import { unknownJob } from '../jobs/job-faults.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { RefreshJobInput } from '../jobs/refresh-job.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import { endOf } from './awaited-job.ts';
import type { Handlers } from './handler.ts';

export type JobsHandlers = Pick<Handlers, 'jobs.list' | 'jobs.get' | 'jobs.cancel'>;

export function jobsHandlers(queue: Pick<JobQueue, 'list' | 'get' | 'cancel' | 'ended'>): JobsHandlers {
  return {
    'jobs.list': ({ status, type, limit }, { now }) => {
      const { jobs, total } = queue.list({
        limit,
        ...(status === undefined ? {} : { state: status }),
        ...(type === undefined ? {} : { type }),
      });
      return { jobs: jobs.map(jobView), total, timestamp: now.toISOString() };
    },
    'jobs.get': async ({ id, wait }, context) => {
      const job = wait ? await endOf(queue, id, context) : queue.get(id);
      if (job === undefined) throw unknownJob(id);
      return jobView(job);
    },
    'jobs.cancel': ({ id }, { now }) => {
      queue.cancel(id);
      return { id, cancelled: true, status: 'cancelled', timestamp: now.toISOString() };
    },
  };
}

/** A job as callers see it: what is not there yet is left out. */
function jobView(job: StoredJob): Job {
  const { id, type, state, progress, createdAt, startedAt, completedAt, input, result, error, repo, message } = job;
  return {
    id,
    type,
    status: state,
    progress,
    createdAt: isoTime(createdAt),
    ...(startedAt === undefined ? {} : { startedAt: isoTime(startedAt) }),
    ...(completedAt === undefined ? {} : { completedAt: isoTime(completedAt) }),
    ...(result === undefined || result === null ? {} : { result: result as Record<string, unknown> }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(repo === undefined ? {} : { repo }),
    ...(message === undefined ? {} : { message }),
    ...(isDryRun(input) ? { dryRun: true } : {}),
  };
}

function isDryRun(input: unknown): boolean {
  return (input as Partial<RefreshJobInput> | null | undefined)?.dryRun === true;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
