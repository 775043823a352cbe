import type { Clock } from '../clock.ts';
import type { DaemonDatabase, StoredJob } from '../store/daemon-db.ts';

/** Notes how far running jobs are: should the process be killed, the next one can tell. */
export interface ProgressNotes {
  /** To be told that a job is further. `now` is what it is when that is noted. */
  further(id: string, now: () => StoredJob): void;
  /** A job has ended: how it did is saved otherwise. */
  forget(id: string): void;
}

/** Progress waits so long to be noted, so that each job costs a small write a second at most, and a short one none. */
const noteAfterMs = 1000;

export function progressNotes(store: Pick<DaemonDatabase, 'noteProgress'>, clock: Clock): ProgressNotes {
  const waiting = new Map<string, () => void>();
  const note = (id: string, job: StoredJob): void => {
    waiting.delete(id);
    try {
      store.noteProgress(job);
    } catch {
      // How the job ends is saved too, and that it can't be is told then.
    }
  };
  return {
    further: (id, now) => {
      if (!waiting.has(id))
        waiting.set(
          id,
          clock.after(noteAfterMs, () => note(id, now())),
        );
    },
    forget: id => {
      waiting.get(id)?.();
      waiting.delete(id);
    },
  };
}
