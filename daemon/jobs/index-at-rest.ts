import type { ChangeSet } from '../../watch/change-set.ts';
import type { Clock } from '../clock.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { IndexEngine, IndexRequest, Published } from './engine.ts';
import { gitDirOf, gitHold, isOvertaken, longestHoldMs } from './follow/git-hold.ts';

const lookAgainMs = 50;

export interface AtRest {
  readonly clock: Clock;
  readonly repo: RepositoryRecord;
  readonly signal: AbortSignal | undefined;
}

/** Indexes once git is at rest, and again where it was overtaken. */
export function indexAtRest(
  { engine, clock }: { readonly engine: Pick<IndexEngine, 'index'>; readonly clock: Clock },
  repo: RepositoryRecord,
  changes: ChangeSet,
  request: IndexRequest,
): Promise<Published> {
  const { signal } = request;
  return whenAtRest({ clock, repo, signal }, evenIfHeld => engine.index(repo, changes, { ...request, evenIfHeld }));
}

/**
 * Works over a tree once git is at rest, and again where it was overtaken. After half a minute it is done all the same:
 * whoever holds the lock then has gone.
 */
export async function whenAtRest<T>(
  { clock, repo, signal }: AtRest,
  work: (evenIfHeld: boolean) => Promise<T>,
): Promise<T> {
  const gitDir = gitDirOf(repo.root);
  const startedMs = clock.monotonicMs();
  for (;;) {
    const isPatient = clock.monotonicMs() - startedMs < longestHoldMs;
    if (!isPatient || gitHold(gitDir) === undefined || signal?.aborted === true) {
      try {
        return await work(!isPatient);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
    await new Promise<void>(resolve => clock.after(lookAgainMs, resolve));
  }
}
