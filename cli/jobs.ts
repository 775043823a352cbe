import { amount } from '../client/protocol/amount.ts';
import type { Caller } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';

/** The id of the one job whose id begins so; what no id begins with, as it is. Throws `ambiguous` where several begin so. */
export async function wholeJobId(caller: Caller, id: string): Promise<string> {
  if (!beginning.test(id)) return id;
  const { jobs } = await caller.call('jobs.list', { limit: mostKept });
  const meant = jobs.filter(job => job.id.startsWith(id));
  const [first, second] = meant;
  if (second === undefined) return first?.id ?? id;
  throw new Fault('ambiguous', `The ids of ${amount(meant.length, 'job')} begin with ${JSON.stringify(id)}`, {
    details: { candidates: meant.length },
    drilldowns: meant
      .slice(0, mostTold)
      .map(job => ({ label: `${job.type}, ${job.status}, of ${job.createdAt}`, query: `/jobs/${job.id}` })),
  });
}

/** Of an id, which is a UUID, and less than all of it. */
const beginning = /^[0-9a-f-]{4,35}$/;

/** The daemon keeps fewer. */
const mostKept = 10_000;

const mostTold = 10;
