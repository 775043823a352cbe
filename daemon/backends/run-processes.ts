import { readdirSync, readFileSync } from 'node:fs';

/**
 * What is started for a run has the run's folder under this name in its environment, and so has what comes of it: by that
 * it is known (on Linux) in another session too, and when its parent has gone.
 */
export const runMark = 'SVC_RUN';

export interface RunningProcess {
  readonly pid: number;
  readonly residentBytes: number;
}

interface ProcessLine extends RunningProcess {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** With the number it names a process: numbers come back. */
  readonly startedAt: string;
}

interface Verdict {
  readonly startedAt: string;
  readonly isOurs: boolean;
  readonly stands: boolean;
}

/** However fast they multiply, so many looks at them end. */
const mostLooks = 20;

/**
 * The processes of a group and all that came of them: by group, session, parent or mark, and what once was of them stays
 * so. Only what has another mark, left its session and lost its parent between two looks is missed. None where the system
 * doesn't tell.
 */
export function followProcesses(group: number, mark: string | undefined): () => readonly RunningProcess[] {
  const verdicts = new Map<number, Verdict>();
  return () => {
    const all = processLines();
    if (all === undefined) return [];
    const lines = new Map(all.map(line => [line.pid, line]));
    for (const [pid, { startedAt, stands }] of verdicts)
      if (!stands || lines.get(pid)?.startedAt !== startedAt) verdicts.delete(pid);
    const judge = (line: ProcessLine): Verdict => {
      const { pid, startedAt } = line;
      if (line.group === group || line.session === group) return { startedAt, isOurs: true, stands: true };
      const parent = lines.get(line.parent);
      if (parent !== undefined && isOurs(parent)) return { startedAt, isOurs: true, stands: true };
      const itsMark = markOf(pid);
      // A program that begins just now has no environment yet.
      return { startedAt, isOurs: mark !== undefined && itsMark === mark, stands: itsMark !== undefined };
    };
    const isOurs = (line: ProcessLine): boolean => {
      const verdict = verdicts.get(line.pid) ?? judge(line);
      verdicts.set(line.pid, verdict);
      return verdict.isOurs;
    };
    return [...lines.values()].filter(isOurs);
  };
}

/** Ends them, and what they began meanwhile. */
export function endProcesses(processes: () => readonly RunningProcess[]): void {
  const ended = new Set<number>();
  for (let look = 0; look < mostLooks; look++) {
    const left = processes().filter(({ pid }) => !ended.has(pid));
    if (left.length === 0) return;
    for (const { pid } of left) {
      ended.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {} // it has gone
    }
  }
}

/** Ends what runs in folders of this one began and a daemon left behind. */
export function endMarkedBelow(folder: string): void {
  endProcesses(() => (processLines() ?? []).filter(({ pid }) => markOf(pid)?.startsWith(`${folder}/`)));
}

/**
 * All that run; one that has ended and that nobody has asked about is none of them. Undefined where they can't be listed, for no
 * more files may be open: who looks every moment must not end for that, nor forget whom it knew.
 */
function processLines(): readonly ProcessLine[] | undefined {
  if (process.platform !== 'linux') return [];
  const lines: ProcessLine[] = [];
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    // The name of a program, which may hold anything, stands in the last pair of brackets: fields count from behind it.
    const stat = read(`/proc/${name}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group, session] = fields;
    if (state === '' || state === 'Z') continue;
    lines.push({
      ...{ pid, parent: Number(parent), group: Number(group), session: Number(session) },
      ...{ startedAt: fields[19] ?? '', residentBytes: Number(fields[21]) * 4096 },
    });
  }
  return lines;
}

/** The folder of the run that a process came of, '' where it came of none; undefined where the system doesn't tell. */
function markOf(pid: number): string | undefined {
  const environment = read(`/proc/${pid}/environ`, 'utf8');
  if (environment === '') return undefined;
  const own = environment.split('\0').find(one => one.startsWith(`${runMark}=`));
  return own?.slice(runMark.length + 1) ?? '';
}

function read(file: string, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  try {
    return readFileSync(file, encoding);
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}
