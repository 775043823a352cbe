import type { Caller, CallOptions } from '../client/protocol/caller.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { registeredAround } from './repository.ts';
import type { Session } from './session.ts';

/** Others may wait for the same job, so it does not end with the one who asked: that is said, and how to end it. */
export async function tellOfJob(
  { terminal }: Session,
  caller: Caller,
  operation: OperationName,
  input: Record<string, unknown>,
): Promise<void> {
  const goesOn = (what: string, id: string) =>
    terminal.err(`svc: ${what} goes on without you; to end it: svc job cancel ${id}\n`);
  try {
    const meant = jobsOf[operation];
    if (meant !== undefined) {
      const id = await jobFor(caller, String(input['repo']), type => meant.types.test(type));
      if (id !== undefined) goesOn(meant.what, id);
    } else if (isAwaited(operation, input)) {
      const { id, status, type } = await caller.call('jobs.get', { id: String(input['id']) }, soon);
      if (status === 'queued' || status === 'running') goesOn(type, id);
    }
  } catch {
    // The wait ended on purpose; that it can't be told of is no fault of its own.
  }
}

const soon: CallOptions = { timeoutMs: 1000 };

/** The jobs that operations begin. */
const jobsOf: Partial<Record<OperationName, { readonly what: string; readonly types: RegExp }>> = {
  'indexing.index': { what: 'indexing', types: /^(?:index-repository|ingest-scip|index-precise)$/ },
  'refresh.run': { what: 'the refresh', types: /^refresh-/ },
  'docs.index': { what: 'reading documents', types: /^index-docs$/ },
};

async function jobFor(caller: Caller, repo: string, isMeant: (type: string) => boolean): Promise<string | undefined> {
  const { repos } = await caller.call('daemon.listRepos', {}, soon);
  const id = repos.some(one => one.id === repo) ? repo : registeredAround(repos, repo)?.id;
  const [running, queued] = await Promise.all([
    caller.call('jobs.list', { status: 'running' }, soon),
    caller.call('jobs.list', { status: 'queued' }, soon),
  ]);
  return [...running.jobs, ...queued.jobs].find(one => one.repo === id && isMeant(one.type))?.id;
}

/** Whether it was asked to wait until a job has ended. */
export function isAwaited(operation: OperationName, input: Record<string, unknown>): boolean {
  return operation === 'jobs.get' && input['wait'] === true;
}
