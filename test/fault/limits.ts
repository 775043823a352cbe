import { spawnSync } from 'node:child_process';

/** Whether this machine lets its user have namespaces, in which limits can be set without harm to anybody. */
export const canUnshare =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'echo 10 > /proc/sys/user/max_inotify_watches']).status === 0;

/** A command that runs what follows it in a namespace of its own with a limit of `/proc/sys/user`, `<name>=<value>`. */
export function withLimit(limit: string): readonly string[] {
  return ['unshare', '-Ur', 'sh', '-c', `${settingOf(limit)}; exec "$0" "$@"`];
}

/** Sets another limit in the namespace that a process lives in. */
export function setLimit(pid: number, limit: string): void {
  const inside = [`--user=/proc/${pid}/ns/user`, '--preserve-credentials', 'sh', '-c', settingOf(limit)];
  const { status, stderr } = spawnSync('nsenter', inside);
  if (status !== 0) throw new Error(String(stderr));
}

function settingOf(limit: string): string {
  const [name, value] = limit.split('=');
  return `echo ${value} > /proc/sys/user/${name}`;
}
