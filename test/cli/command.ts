import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quiet, svcProgram } from '../support/daemon.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell script that runs the command as `"$0" "$@"`. */
  readonly shell?: string;
  /** Called with the process once it runs, to signal it or to close its pipes. */
  readonly during?: (child: ChildProcess) => void;
}

/** Runs the real `svc` with nothing of this process's environment but what programs need to be found. */
export function svc(
  args: readonly string[],
  { home, cwd = home, env = {}, shell, during }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const words = [process.execPath, svcProgram, ...args];
    const [program, ...rest] = shell === undefined ? words : ['bash', '-c', shell, ...words];
    const child = spawn(program!, rest, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, SVC_HOME: home, ...quiet, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => {
      stdout += chunk;
    });
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout, stderr }));
    during?.(child);
  });
}

/** The environment in which other programs find this very `svc` on their path, and its home. */
export function svcOnPath(home: string): Record<string, string> {
  const folder = join(home, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${svcProgram}' "$@"\n`, { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH']}`, HOME: home, SVC_HOME: home, ...quiet };
}

/** Runs rows of a table a few at a time. */
export async function eachRow<Row>(rows: readonly Row[], run: (row: Row) => Promise<void>): Promise<void> {
  const left = [...rows];
  const lane = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) await run(row);
  };
  await Promise.all(Array.from({ length: 4 }, lane));
}
