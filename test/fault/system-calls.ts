import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import type { Cleanup } from '../support/repository.ts';
import { standIn } from './orders.ts';

/** One call as `strace -f -y` writes it, those that were interrupted by another thread put together. */
export interface SystemCall {
  readonly pid: number;
  readonly name: string;
  readonly words: string;
  /** -1 where it failed. */
  readonly result: string;
}

export const canTrace = spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true']).status === 0;

/** What makes a process and its threads write their calls to a file, while it runs under its own process number. */
export interface Tracer {
  readonly name: string;
  tracing(test: Cleanup, file: string, calls: readonly string[]): Traced;
}

export interface Traced {
  readonly through: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const strace: Tracer = {
  name: 'by strace',
  tracing(_, file, calls) {
    const what = ['-s', '256', '-e', `trace=${calls.join(',')}`, '-o', file];
    return { through: ['strace', '-D', '-f', '-y', '-qq', '--seccomp-bpf', ...what], env: {} };
  },
};

/** What Node.js is asked for, which is all but what SQLite and the runtime do by themselves. */
const preloaded: Tracer = {
  name: 'by the stand-in',
  tracing: (test, file) => ({ through: [], env: standIn(test, { record: file }).env }),
};

/** Every way to see a process's calls on this machine; there is always one. */
export const tracers: readonly Tracer[] = canTrace ? [strace, preloaded] : [preloaded];

export function callsOf(trace: string): readonly SystemCall[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap(line => {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
    if (unfinished !== undefined) {
      begun.set(pid, unfinished);
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    const whole = resumed === undefined ? rest : `${begun.get(pid) ?? ''}${resumed}`;
    const [, name, words, result] = /^(\w+)\((.*)\) += +(.*)$/.exec(whole) ?? [];
    return name === undefined ? [] : [{ pid: Number(pid), name, words: words!, result: result! }];
  });
}

/** Programs that were run, by their file's name. */
export function programsRun(calls: readonly SystemCall[]): ReadonlySet<string> {
  const paths = calls
    .filter(({ name }) => name === 'execve')
    .map(({ words }) => /^"([^"]*)"/.exec(words)?.[1] ?? words);
  return new Set(paths.map(path => basename(path)));
}

/** Addresses that were connected to, beyond this machine. */
export function farPeers(calls: readonly SystemCall[]): readonly string[] {
  const near = /sa_family=AF_(?:UNIX|LOCAL|NETLINK|UNSPEC)|inet_addr\("127\.|inet_pton\(AF_INET6, "::1"/;
  return calls.filter(({ name, words }) => name === 'connect' && !near.test(words)).map(({ words }) => words);
}

/**
 * Files that took their names in `folder` without being safe before: each must be written → synced → renamed → its folder synced,
 * before another file takes its name there. Names the rule that was broken. `isDurable`: which of the names in the folder are
 * worth it.
 */
export function durabilityFaults(
  calls: readonly SystemCall[],
  folder: string,
  isDurable: (name: string) => boolean = () => true,
): readonly string[] {
  const faults: string[] = [];
  const done = calls.filter(({ result }) => !result.startsWith('-1'));
  const namings = done.flatMap((call, index) => {
    return isNaming(folder, isDurable)(call) ? [{ ...namingOf(call)!, index }] : [];
  });
  for (const [at, { from, to, index }] of namings.entries()) {
    const before = done.slice(0, index);
    const synced = before.findLastIndex(isSyncOf(from));
    if (synced < 0 || synced < before.findLastIndex(isWriteTo(from)))
      faults.push(`${basename(to)}: its content was not synced before it took the name`);
    if (!done.slice(index, namings[at + 1]?.index).some(isSyncOf(folder)))
      faults.push(`${basename(to)}: its folder was not synced after it took the name`);
  }
  return faults;
}

/** Whether a call gives a file its name in a folder. */
export const isNaming =
  (folder: string, isNamed: (name: string) => boolean) =>
  (call: SystemCall): boolean => {
    const { to } = namingOf(call) ?? {};
    return to !== undefined && dirname(to) === folder && isNamed(basename(to));
  };

function namingOf({ name, words }: SystemCall): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = [...words.matchAll(/"([^"]*)"/g)].map(match => match[1]!);
  return /^rename|^link/.test(name) && from !== undefined && to !== undefined ? { from, to } : undefined;
}

export const isSyncOf =
  (path: string) =>
  ({ name, words }: SystemCall): boolean =>
    /^f(data)?sync$/.test(name) && words.includes(`<${path}>`);
const isWriteTo =
  (path: string) =>
  ({ name, words }: SystemCall): boolean =>
    /^p?write/.test(name) && words.includes(`<${path}>`);
