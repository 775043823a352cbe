import type { Clock } from '../clock.ts';

/**
 * Tells trees that change whenever indexers run, and at no other time, from those that people change: an indexer that
 * writes into the tree would be run again for what it wrote itself, without end.
 */
export interface ChangesInRuns {
  /** A run of indexers begins; to be called with its end. */
  begin(id: string): () => void;
  /** The tree has become another. */
  changed(id: string): void;
  /** How long to wait for quiet: longer each time that nothing but a run gave cause for the next. */
  waitMs(id: string, quietMs: number): number;
  /** In public words, once that has happened several times in a row. */
  trouble(id: string): string | undefined;
  forget(id: string): void;
}

interface LastRun {
  /** Undefined while it goes on. */
  readonly endedMs: number | undefined;
  readonly changedMeanwhile: boolean;
  readonly changedSince: boolean;
  /** Runs before it that had no other cause than the one before them. */
  readonly inARow: number;
}

/** A change at the end of a run is heard of a little later. */
const hearingMs = 2000;
const longestWaitMs = 3_600_000;
const toldFrom = 2;

export function changesInRuns({ monotonicMs }: Pick<Clock, 'monotonicMs'>): ChangesInRuns {
  const runs = new Map<string, LastRun>();
  const edit = (id: string, change: Partial<LastRun>): void => {
    const run = runs.get(id);
    if (run !== undefined) runs.set(id, { ...run, ...change });
  };
  const isItsOwn = (run: LastRun | undefined): run is LastRun => run?.changedMeanwhile === true && !run.changedSince;
  return {
    begin(id) {
      const last = runs.get(id);
      const inARow = isItsOwn(last) ? last.inARow + 1 : 0;
      runs.set(id, { endedMs: undefined, changedMeanwhile: false, changedSince: false, inARow });
      return () => edit(id, { endedMs: monotonicMs() });
    },
    changed(id) {
      const { endedMs } = runs.get(id) ?? {};
      const isMeanwhile = endedMs === undefined || monotonicMs() - endedMs < hearingMs;
      edit(id, isMeanwhile ? { changedMeanwhile: true } : { changedSince: true });
    },
    waitMs(id, quietMs) {
      const run = runs.get(id);
      return isItsOwn(run) ? Math.max(quietMs, Math.min(longestWaitMs, quietMs * 2 ** run.inARow)) : quietMs;
    },
    trouble(id) {
      const run = runs.get(id);
      if (run === undefined || run.inARow < toldFrom) return undefined;
      const { inARow, endedMs, changedMeanwhile } = run;
      if (!changedMeanwhile && endedMs !== undefined && monotonicMs() - endedMs >= hearingMs) return undefined;
      return `files changed while indexers ran, ${inARow} times in a row, and at no other time: does one write into the tree? They wait longer each time (svc index runs them now)`;
    },
    forget: id => void runs.delete(id),
  };
}
