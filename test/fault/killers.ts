import { canTrace } from './system-calls.ts';

/** What kills a process at its `nth` step, counted in each thread: at a system call that changes a file, or at a failpoint. */
export interface Killer {
  readonly name: string;
  at(nth: number): Killing;
}

export interface Killing {
  /** A program with its arguments that becomes the process, or runs beside it. */
  readonly through: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const changing = 'pwrite64,write,fsync,fdatasync,rename,unlink,link,ftruncate';

/** Counted alone: of all calls another thread has made so many before the one that publishes comes to its last. */
const syncing = 'fsync,fdatasync';

function straceAt(calls: string, name: string): Killer {
  return {
    name,
    at(nth) {
      const what = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${nth}`, '-o', '/dev/null'];
      return { through: ['strace', '-D', '-f', '-qq', ...what], env: {} };
    },
  };
}

/** Kills at a failpoint, `before-commit:daemon.db`. */
export function killerAt(place: string): Killer {
  const [name = '', file = ''] = place.split(':');
  return { name: place, at: nth => ({ through: [], env: { SVC_FAULT: `${name}:${file}:${nth}` } }) };
}

/** The kernel's, where this machine lets anybody look at system calls. */
export const tracingKillers: readonly Killer[] = canTrace ? [straceAt(changing, 'at its system calls')] : [];

/** The same at syncs alone. */
export const syncKillers: readonly Killer[] = canTrace ? [straceAt(syncing, 'at its syncs')] : [];
