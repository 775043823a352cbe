import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface GroupStart {
  /** Absolute. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: 'ignore' | 'pipe';
}

const niceness = 15;
const nice = ['/usr/bin/nice', '/bin/nice'].find(program => existsSync(program));

/** Starts somebody else's program in a process group of its own, behind everybody else in the queue for the processor. */
export function startGroup({ program: own, arguments: more, cwd, env, stdin }: GroupStart): ChildProcess {
  const [program, ...words] = nice === undefined ? [own] : [nice, '-n', String(niceness), own];
  return spawn(program!, [...words, ...more], { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
}

/** Ends all processes of a group that `startGroup` began. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {} // all of it has gone
}

/** What the processes of a group have resident together; 0 where the system doesn't tell. */
export function residentBytes(group: number | undefined): number {
  if (group === undefined || process.platform !== 'linux') return 0;
  let pages = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of a program, which may hold anything, stands in the last pair of brackets: fields count from behind it.
    const stat = read(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) === group) pages += Number(fields[21]);
  }
  return pages * 4096;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // it has ended
  }
}
