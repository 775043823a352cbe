import type { ChangeSet } from '../../../watch/change-set.ts';
import type { Clock } from '../../clock.ts';

/** Files whose parser failed, which may have been the machine's doing: they are named again, a few times, ever later. */
export interface LaterTries {
  /** A run over `changes` is over, and these of its files failed: those that it named besides were read, or are gone. */
  ran(changes: ChangeSet, failed: readonly string[]): void;
  /** Somebody wrote to them: what failed before counts no more. */
  changed(paths: Iterable<string>): void;
  close(): void;
}

const firstTryMs = 60_000;
const patience = 5;
const mostTries = 3;
const mostPaths = 1000;

/** `dueMs` is infinite for one that has been named, until it fails again. */
interface Failing {
  readonly tries: number;
  readonly dueMs: number;
}

export function createLaterTries(
  clock: Pick<Clock, 'after' | 'monotonicMs'>,
  name: (paths: ReadonlySet<string>) => void,
): LaterTries {
  const failing = new Map<string, Failing>();
  let cancel = (): void => {};
  let isClosed = false;

  return {
    ran(changes, failed) {
      if (isClosed) return;
      if (changes.kind === 'paths') {
        const failedNow = new Set(failed);
        for (const path of changes.paths) if (!failedNow.has(path)) failing.delete(path);
      }
      for (const path of failed) add(path);
      schedule();
    },
    changed(paths) {
      for (const path of paths) failing.delete(path);
    },
    close() {
      isClosed = true;
      cancel();
    },
  };

  function add(path: string): void {
    const { tries, dueMs } = failing.get(path) ?? { tries: 0, dueMs: Number.POSITIVE_INFINITY };
    if (dueMs !== Number.POSITIVE_INFINITY || tries === mostTries) return;
    if (tries === 0 && failing.size === mostPaths && !dropGivenUp()) return;
    failing.set(path, { tries: tries + 1, dueMs: clock.monotonicMs() + firstTryMs * patience ** tries });
  }

  /** One that is not tried any more makes room for another. */
  function dropGivenUp(): boolean {
    for (const [path, { tries, dueMs }] of failing) {
      if (tries === mostTries && dueMs === Number.POSITIVE_INFINITY) return failing.delete(path);
    }
    return false;
  }

  function schedule(): void {
    cancel();
    const nextMs = Math.min(...[...failing.values()].map(({ dueMs }) => dueMs));
    if (isClosed || nextMs === Number.POSITIVE_INFINITY) return;
    cancel = clock.after(nextMs - clock.monotonicMs(), nameDue);
  }

  function nameDue(): void {
    const due = [...failing].filter(([, { dueMs }]) => dueMs <= clock.monotonicMs());
    for (const [path, { tries }] of due) failing.set(path, { tries, dueMs: Number.POSITIVE_INFINITY });
    if (due.length > 0) name(new Set(due.map(([path]) => path)));
    schedule();
  }
}
