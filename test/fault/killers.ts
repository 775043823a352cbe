import { canTrace } from './system-calls.ts';

/** What kills a process at its `nth` step, counted in each thread: at a system call that changes a file, or at a failpoint. */
export interface Killer {
  readonly name: string;
  /** Comes by each step of all; system calls are counted in each thread, of which one may be far ahead of what another does last. */
  readonly meetsAll: boolean;
  at(nth: number): Killing;
}

export interface Killing {
  /** A program with its arguments that becomes the process, or runs beside it. */
  readonly through: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const changing = 'pwrite64,write,fsync,fdatasync,rename,unlink,link,ftruncate';

const strace: Killer = {
  name: 'at its system calls',
  meetsAll: false,
  at(nth) {
    const what = ['-e', `trace=${changing}`, '-e', `inject=${changing}:signal=KILL:when=${nth}`, '-o', '/dev/null'];
    return { through: ['strace', '-D', '-f', '-qq', ...what], env: {} };
  },
};

/** Kills at a failpoint, `before-commit:daemon.db`. */
export function killerAt(place: string): Killer {
  const [name = '', file = ''] = place.split(':');
  return { name: place, meetsAll: true, at: nth => ({ through: [], env: { SVC_FAULT: `${name}:${file}:${nth}` } }) };
}

/** The kernel's, where this machine lets anybody look at system calls. */
export const tracingKillers: readonly Killer[] = canTrace ? [strace] : [];
