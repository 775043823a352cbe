import { durationText } from '../../client/protocol/duration.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { queueRefreshJob, type Refreshed } from '../jobs/refresh-job.ts';
import { endOf, jobFailed } from './awaited-job.ts';
import type { Handlers } from './handler.ts';
import { notReady } from './symbols/answers.ts';

export type RefreshHandlers = Pick<Handlers, 'refresh.run'>;

/** Queues a job, and waits for it unless told not to; a caller that stops waiting leaves it running. */
export function refreshHandlers(jobs: JobQueue): RefreshHandlers {
  return {
    'refresh.run': async ({ scope, force, dryRun, async: isLeft }, context) => {
      if (context.snapshot === undefined) throw notReady();
      const { id } = queueRefreshJob(jobs, context.repository.id, scope, { force, dryRun });
      const told = { jobId: id, scope, ...(dryRun ? { dryRun: true as const } : {}) };
      if (isLeft) return { status: 'queued', ...told, timestamp: context.now.toISOString() };
      const ended = await endOf(jobs, id, context);
      if (ended.state !== 'completed') throw jobFailed(ended, 'The refresh failed');
      const { changes, problems, durationMs } = ended.result as unknown as Refreshed;
      return {
        status: dryRun ? 'dry-run' : 'completed',
        ...told,
        changes,
        problems: [...problems],
        duration: durationText(durationMs),
        timestamp: new Date(context.now.getTime() + durationMs).toISOString(),
      };
    },
  };
}
