import { type RefreshScope, refreshScopes } from '../../client/protocol/refresh.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import type { JobQueue } from './queue.ts';

/** What a refresh job takes, as the job's `input` holds it. */
export interface RefreshJobInput {
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** What it comes to, as the job's `result` holds it. */
export interface Refreshed {
  readonly changes: Readonly<Record<RefreshScope, number>>;
  readonly problems: readonly string[];
  readonly durationMs: number;
}

type AnyScope = RefreshScope | 'all';

export const refreshJobTypes = (['all', ...refreshScopes] as const).map(jobTypeOf);

function jobTypeOf(scope: AnyScope): string {
  return `refresh-${scope}`;
}

/** The scopes that a job of a type is over, in their order. */
export function scopesOf(type: string): readonly RefreshScope[] {
  return type === jobTypeOf('all') ? refreshScopes : refreshScopes.filter(scope => jobTypeOf(scope) === type);
}

/** The job of a repository that waits or runs already, or else a new one. Throws what `JobQueue.add` throws. */
export function queueRefreshJob(
  jobs: Pick<JobQueue, 'addOnce'>,
  repo: string,
  scope: AnyScope,
  input: RefreshJobInput,
): StoredJob {
  return jobs.addOnce(jobTypeOf(scope), { repo, input });
}
