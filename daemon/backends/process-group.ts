import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { endProcesses, followProcesses, runMark } from './run-processes.ts';

export interface GroupStart {
  /** Absolute. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: 'ignore' | 'pipe';
}

/** Somebody else's program, with all processes that came of it as far as they are to be found. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  end(): void;
  /** What they have resident together; 0 where the system doesn't tell. */
  residentBytes(): number;
}

const niceness = 15;
const nice = ['/usr/bin/nice', '/bin/nice'].find(program => existsSync(program));

/**
 * Becomes the program, and leaves a guard in its process group, which is nobody's child: at the end of the stream whose
 * other end this process holds, however it came to its end, the guard kills the group and itself. That a group's number
 * is another's by then can't be, for the guard is of it.
 */
const guarded = `( { trap '' HUP INT QUIT TERM; read -r _ <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 & )
exec "$@" 3<&-`;

/**
 * Starts a program in a process group of its own, behind everybody else in the queue for the processor. It does not
 * outlive this process.
 */
export function startGroup({ program, arguments: words, cwd, env, stdin }: GroupStart): ProcessGroup {
  const behind = nice === undefined ? [] : [nice, '-n', String(niceness)];
  const child = spawn('/bin/sh', ['-c', guarded, 'sh', ...behind, program, ...words], {
    ...{ cwd, env, detached: true },
    stdio: [stdin, 'pipe', 'pipe', 'pipe'],
  });
  // A program that could not be started, for want of descriptors, has no streams.
  const { stdio } = child as Partial<typeof child>;
  stdio?.[3]?.on('error', () => {});
  const { pid } = child;
  if (pid === undefined) return { child, end() {}, residentBytes: () => 0 };
  const processes = followProcesses(pid, env[runMark]);
  return {
    child,
    end() {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {} // all of it has gone
      endProcesses(processes);
    },
    residentBytes: () => processes().reduce((sum, one) => sum + one.residentBytes, 0),
  };
}
