import { type Answer, rows, type Views } from './view.ts';

/** Background jobs. */
export const jobsViews: Views = {
  'jobs.list': ({ jobs }) =>
    rows(
      ['id', 'type', 'status', 'progress', 'repo', 'created', 'message'],
      jobs.map(job => [
        job.id,
        job.type,
        job.status,
        `${job.progress} %`,
        job.repo ?? '',
        job.createdAt,
        wordsOfJob(job),
      ]),
      jobs.length === 0 ? ['Nothing found'] : [],
      ['created', 'repo'],
    ),
};

/** What it does or waits for, and how one failed; what others did last is of no use any more. */
function wordsOfJob({ status, message = '', error }: Answer<'jobs.list'>['jobs'][number]): string {
  return status === 'queued' || status === 'running' ? message : (error?.message ?? '');
}
