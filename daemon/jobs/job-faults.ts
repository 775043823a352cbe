import { Fault } from '../../client/protocol/faults.ts';
import type { StoredJob } from '../store/daemon-db.ts';
import type { JobError } from '../store/daemon-records.ts';
import { StoreError } from '../store/store-faults.ts';
import { roomFault, storageFault } from './storage-fault.ts';

export function stopping(): Fault {
  return new Fault('shuttingDown', 'The daemon is stopping', { retryAfterSeconds: 1 });
}

/** What is told of a job's failure; the cause of anything unexpected is for the log. */
export function publicError(error: unknown): JobError {
  if (error instanceof StoreError) return publicError(storageFault(error));
  if (!(error instanceof Fault)) {
    const room = roomFault(error);
    if (room !== undefined) return publicError(room);
    return { code: 'OPERATION_FAILED', message: 'The job failed; the log has the cause' };
  }
  const { message, row, extras } = error;
  const reason = extras.details?.['reason'];
  return { code: row.code, message, ...(typeof reason === 'string' ? { reason } : {}) };
}

/** What the log is to know of an error of which callers are told less. */
export function causeOf(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  return error.reason === 'operationFailed' ? error.extras.cause : undefined;
}

export function endedAlready({ id, state }: StoredJob): Fault {
  return new Fault('preconditionFailed', `The job is ${state} already`, {
    details: { status: state },
    suggestedFixes: [{ type: 'run-command', command: `svc job ${id}`, safe: true, description: 'Show how it ended' }],
    drilldowns: [{ label: 'How it ended', query: `/jobs/${id}` }],
  });
}

export function unknownJob(id: string): Fault {
  return new Fault('resourceNotFound', `There is no job ${JSON.stringify(id)}`, {
    suggestedFixes: [{ type: 'run-command', command: 'svc jobs', safe: true, description: 'Show the latest jobs' }],
    drilldowns: [{ label: 'The latest jobs', query: '/jobs' }],
  });
}
