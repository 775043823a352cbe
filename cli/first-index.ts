import type { Caller, CallOptions, Progress } from '../client/protocol/caller.ts';
import { Fault } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { pause } from '../client/start.ts';
import type { Command } from './commands.ts';

/** How often a first index under way is asked for again. */
const lookAgainMs = 150;

/** The answer; where the repository is being indexed for the first time, the one that comes after that. */
export async function answerOf(
  caller: Caller,
  { operation }: Pick<Command, 'operation'>,
  input: Record<string, unknown>,
  options: CallOptions,
  mayWait: boolean,
): Promise<unknown> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
  let notReady: unknown;
  for (;;) {
    try {
      const leftMs = Math.max(1, Math.ceil(endsAtMs - performance.now()));
      return await call(
        caller,
        operation,
        input,
        Number.isFinite(leftMs) ? { ...options, timeoutMs: leftMs } : options,
      );
    } catch (error) {
      // Where time ends in the midst of asking again, why there is no answer is known all the same.
      if (notReady !== undefined && error instanceof Fault && error.reason === 'timeout') throw notReady;
      const progress = mayWait ? firstIndexOf(error) : undefined;
      if (progress === undefined || performance.now() + lookAgainMs > endsAtMs) throw error;
      notReady = error;
      options.onProgress?.(progress);
      await pause(lookAgainMs);
      if (options.signal?.aborted) throw new Fault('cancelled', 'Cancelled');
    }
  }
}

/** How far the first index is, where that is why there is no answer. */
function firstIndexOf(error: unknown): Progress | undefined {
  if (!(error instanceof Fault) || error.reason !== 'notReady') return undefined;
  const progress = error.extras.details?.['progress'] as { phase: string; fraction: number } | undefined;
  return progress === undefined ? undefined : { message: progress.phase, fraction: progress.fraction };
}

/** The table says which fields an operation takes, and the daemon checks them again: types end at the command line. */
function call(caller: Caller, name: OperationName, input: Record<string, unknown>, options: CallOptions) {
  return (caller.call as (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>)(
    name,
    input,
    options,
  );
}
