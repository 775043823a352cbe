import { amount } from '../../client/protocol/amount.ts';
import { durationText, secondsText } from '../../client/protocol/duration.ts';
import { type Answer, flatten, pairs, table, type Views } from './view.ts';

type Job = Answer<'jobs.get'>;

/** Background jobs. */
export const jobsViews: Views = {
  'jobs.list': ({ jobs, timestamp }) =>
    table(
      ['id', 'type', 'status', 'progress', 'age', 'duration', 'repo', 'message'],
      jobs.map(job => [
        job.id,
        job.type,
        job.status,
        `${job.progress} %`,
        secondsText(msBetween(job.createdAt, timestamp)),
        durationOf(job, timestamp),
        job.repo ?? '',
        [...(job.dryRun ? ['dry run'] : []), ...wordsOfJob(job)].join(': '),
      ]),
      jobs.length === 0 ? ['Nothing found'] : [],
      ['repo', 'age', 'progress', 'duration'],
    ),
  'jobs.get': job => {
    const { problems: _, ...result } = job.result ?? {};
    return pairs(
      [
        ['job', job.id],
        ['type', job.type],
        ['dry run', job.dryRun ? 'yes' : ''],
        ['status', job.status],
        ['progress', `${job.progress} %`],
        ['repo', job.repo ?? ''],
        ['created', job.createdAt],
        ['started', job.startedAt ?? ''],
        ['ended', job.completedAt ?? ''],
        ['duration', durationOf(job)],
        ['message', isActive(job) ? (job.message ?? '') : ''],
        ['error', job.error === undefined ? '' : `${job.error.message} (${job.error.code})`],
        ['problems', problemsOf(job)],
        ...flatten(result, ''),
      ],
      [],
    );
  },
};

function isActive({ status }: Job): boolean {
  return status === 'queued' || status === 'running';
}

/** What it does or waits for, how one failed, and what one that completed could not do; what others did last is of no use any more. */
function wordsOfJob(job: Job): readonly string[] {
  if (isActive(job)) return job.message === undefined ? [] : [job.message];
  const [first, ...more] = [...(job.error === undefined ? [] : [job.error.message]), ...problemsOf(job)];
  if (first === undefined) return [];
  return [more.length === 0 ? first : `${first} (and ${amount(more.length, 'problem')} more: svc job ${job.id})`];
}

/** What a job could not do that completed all the same. */
function problemsOf({ result }: Job): readonly string[] {
  const problems = result?.['problems'];
  return Array.isArray(problems) ? problems.map(String) : [];
}

/** How long it ran, or has run by the time told; empty where it has not begun, or runs and nobody says what time it is. */
function durationOf({ startedAt, completedAt }: Job, now?: string): string {
  if (startedAt === undefined) return '';
  if (completedAt !== undefined) return durationText(msBetween(startedAt, completedAt));
  return now === undefined ? '' : secondsText(msBetween(startedAt, now));
}

function msBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}
