import type { Clock } from '../clock.ts';

/** Files whose parser failed, which may have been the machine's doing: they are named again, a few times, ever later. */
export interface LaterTries {
  /** What failed in a run. */
  failed(paths: readonly string[]): void;
  close(): void;
}

const firstTryMs = 60_000;
const patience = 5;
const mostTries = 3;
const mostPaths = 1000;

export function createLaterTries(clock: Pick<Clock, 'after'>, name: (paths: ReadonlySet<string>) => void): LaterTries {
  const tries = new Map<string, number>();
  const due = new Set<string>();
  let cancel: (() => void) | undefined;
  const schedule = (afterMs: number): void => {
    cancel ??= clock.after(afterMs, () => {
      cancel = undefined;
      const paths = new Set(due);
      due.clear();
      name(paths);
    });
  };
  return {
    failed(paths) {
      for (const path of paths) {
        const tried = tries.get(path) ?? 0;
        if (due.has(path) || tried === mostTries || (tried === 0 && tries.size === mostPaths)) continue;
        tries.set(path, tried + 1);
        due.add(path);
        schedule(firstTryMs * patience ** tried);
      }
    },
    close: () => cancel?.(),
  };
}
