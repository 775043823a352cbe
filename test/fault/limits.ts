import { spawnSync } from 'node:child_process';
import type { Cleanup } from '../support/repository.ts';
import { standIn } from './orders.ts';
import type { Orders } from './stand-in.ts';

/** A limit of the kernel's on watches, as `/proc/sys/user` names it. */
export type Limit = `max_inotify_${'watches' | 'instances'}=${number}`;

/** What a process lives under from its start, and what it is given later. */
export interface Limited {
  readonly through: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  set(pid: number, limit: Limit): void;
}

export interface Limiter {
  readonly name: string;
  limited(test: Cleanup, limit: Limit): Limited;
}

/** Whether this machine lets its user have namespaces, in which limits can be set without harm to anybody. */
export const canUnshare =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'echo 10 > /proc/sys/user/max_inotify_watches']).status === 0;

/** The kernel itself, in a namespace of its own. */
const kernel: Limiter = {
  name: 'by the kernel',
  limited: (_, limit) => ({
    through: ['unshare', '-Ur', 'sh', '-c', `${settingOf(limit)}; exec "$0" "$@"`],
    env: {},
    set(pid, next) {
      const inside = [`--user=/proc/${pid}/ns/user`, '--preserve-credentials', 'sh', '-c', settingOf(next)];
      const { status, stderr } = spawnSync('nsenter', inside);
      if (status !== 0) throw new Error(String(stderr));
    },
  }),
};

const preloaded: Limiter = {
  name: 'by its stand-in',
  limited(test, limit) {
    const { env, give } = standIn(test, ordersOf(limit));
    return { through: [], env, set: (_, next) => give(ordersOf(next)) };
  },
};

/** Every way to set a limit on this machine; there is always one. */
export const limiters: readonly Limiter[] = canUnshare ? [kernel, preloaded] : [preloaded];

function settingOf(limit: Limit): string {
  const [name, value] = limit.split('=');
  return `echo ${value} > /proc/sys/user/${name}`;
}

function ordersOf(limit: Limit): Orders {
  const [name, value] = limit.split('=');
  return { watches: name === 'max_inotify_instances' && value === '0' ? -1 : Number(value) };
}
