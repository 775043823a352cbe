import type { Clock } from '../clock.ts';
import type { DaemonDatabase, StoredJob } from '../store/daemon-db.ts';
import type { JobFilter } from './queue.ts';

/** Jobs as `daemon.db` has them, or is to have them as soon as it can be written. */
export interface SavedJobs {
  /** What can't be written is told from memory until it can be. */
  save(job: StoredJob): void;
  job(id: string): StoredJob | undefined;
  jobs(filter: JobFilter): { readonly jobs: readonly StoredJob[]; readonly total: number };
  /** Tries a last time. */
  close(): void;
}

const saveAgainMs = 5_000;

export function savedJobs(
  store: Pick<DaemonDatabase, 'saveJob' | 'job' | 'jobs'>,
  clock: Clock,
  onTrouble: (cause: unknown) => void,
): SavedJobs {
  /** By id, as they are now. */
  const unsaved = new Map<string, StoredJob>();
  let cancelTimer: (() => void) | undefined;

  const write = (job: StoredJob): void => {
    unsaved.set(job.id, job);
    store.saveJob(job);
    unsaved.delete(job.id);
  };
  /** The first that can't be written says enough of the others. */
  const writeAll = (): void => {
    cancelTimer = undefined;
    try {
      for (const job of [...unsaved.values()]) write(job);
    } catch {
      cancelTimer = clock.after(saveAgainMs, writeAll);
    }
  };
  return {
    save: job => {
      try {
        write(job);
      } catch (cause) {
        onTrouble(cause);
        cancelTimer ??= clock.after(saveAgainMs, writeAll);
      }
    },
    job: id => unsaved.get(id) ?? store.job(id),
    jobs: filter => {
      if (unsaved.size === 0) return store.jobs(filter);
      const { state, type, limit } = filter;
      const isAsked = (job: StoredJob): boolean =>
        job.state === (state ?? job.state) && job.type === (type ?? job.type);
      const stored = store.jobs({ ...filter, limit: limit + unsaved.size });
      const others = stored.jobs.filter(({ id }) => !unsaved.has(id));
      const ours = [...unsaved.values()].filter(isAsked);
      const replaced = [...unsaved.keys()].flatMap(id => store.job(id) ?? []).filter(isAsked);
      const jobs = [...others, ...ours].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      return { jobs: jobs.slice(0, limit), total: stored.total - replaced.length + ours.length };
    },
    close: () => {
      cancelTimer?.();
      writeAll();
      cancelTimer?.();
    },
  };
}
