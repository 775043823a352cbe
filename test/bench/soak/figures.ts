import { mkdirSync, readdirSync, readFileSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../../support/daemon.ts';
import type { Cleanup } from '../../support/repository.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { figuresOf } from '../measure.ts';
import type { ThreadFigures } from './tell-of-thread.ts';

/** What is counted of a daemon from outside, or below its code, so that nothing of its own can be wrong about it. */
export interface Figures {
  readonly residentMb: number;
  /** What full collections of garbage have left in all of its threads. */
  readonly keptMb: number;
  /** Descriptors that are open. */
  readonly descriptors: number;
  readonly threads: number;
  /** Set in any of its threads. */
  readonly timers: number;
  /** Programs that it has started and that have not been waited for. */
  readonly programs: number;
  /** The largest of all write-ahead logs. */
  readonly walMb: number;
  /** Of the log, rotated files included. */
  readonly logMb: number;
  /** In the folder for temporary files, among bodies that come, and what is being written under a passing name. */
  readonly temporaryFiles: number;
  /** In all of the daemon's own folders. */
  readonly homeMb: number;
}

export interface Watched {
  readonly pid: number;
  readonly home: Home;
  readonly places: WatchedPlaces;
}

export interface WatchedPlaces {
  readonly temporary: string;
  readonly threads: string;
  /** Has every thread collect its garbage within a second or two. */
  readonly collect: () => void;
  readonly env: NodeJS.ProcessEnv;
}

/** Where a daemon with this environment leaves temporary files, and the figures of its threads. */
export function watchedPlaces(cleanup: Cleanup): WatchedPlaces {
  const { root } = temporaryFolder(cleanup);
  const [temporary, threads] = [join(root, 'tmp'), join(root, 'threads')];
  for (const folder of [temporary, threads]) mkdirSync(folder);
  const collections = join(root, 'collections');
  let asked = 0;
  const collect = (): void => writeFileSync(collections, String(asked++));
  collect();
  const preload = fileURLToPath(new URL('./tell-of-thread.js', import.meta.url));
  return {
    temporary,
    threads,
    collect,
    env: {
      TMPDIR: temporary,
      SVC_SOAK_THREADS: threads,
      SVC_SOAK_COLLECT: collections,
      NODE_OPTIONS: `--import ${preload}`,
    },
  };
}

export function figures({ pid, home, places }: Watched): Figures {
  const files = filesBelow(home.path);
  const bytes = (of: readonly File[]): number => of.reduce((sum, { stats }) => sum + stats.size, 0);
  const threads = threadsOf(pid, places.threads);
  const sum = (of: (thread: ThreadFigures) => number): number => threads.reduce((all, one) => all + of(one), 0);
  const passing = files.filter(({ path }) => /\/uploads\/|\.(?:tmp|new|part)$|\.tmp-/.test(path));
  return {
    residentMb: figuresOf(pid).rssMb,
    keptMb: sum(({ keptBytes }) => keptBytes) / 2 ** 20,
    descriptors: namesIn(`/proc/${pid}/fd`).length,
    threads: namesIn(`/proc/${pid}/task`).length,
    timers: sum(({ timers }) => timers),
    programs: programsOf(pid),
    walMb: Math.max(0, ...files.filter(({ path }) => path.endsWith('-wal')).map(({ stats }) => stats.size)) / 2 ** 20,
    logMb: bytes(files.filter(({ path }) => isLog(path, home))) / 2 ** 20,
    temporaryFiles: passing.length + filesBelow(places.temporary).length,
    homeMb: bytes(files) / 2 ** 20,
  };
}

/** The daemon's log with its rotated files: how large each is, and who may read it. */
export function logFiles(home: Home): readonly Stats[] {
  return filesBelow(home.places.state)
    .filter(({ path }) => isLog(path, home))
    .map(({ stats }) => stats);
}

const isLog = (path: string, { places }: Home): boolean => path.startsWith(places.logFile);

interface File {
  readonly path: string;
  readonly stats: Stats;
}

function filesBelow(folder: string): readonly File[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.flatMap(name => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ path, stats }] : [];
  });
}

/** A thread tells of itself every second while it does not compute; one that was ended leaves its last word behind, which counts for so long. */
export const silentMs = 20_000;

function threadsOf(pid: number, folder: string): readonly ThreadFigures[] {
  const isOurs = ({ path, stats }: File): boolean =>
    basename(path).startsWith(`${pid}-`) && !path.endsWith('.new') && Date.now() - stats.mtimeMs < silentMs;
  return filesBelow(folder)
    .filter(isOurs)
    .flatMap(({ path }) => {
      const text = textOf(path);
      return text === '' ? [] : [JSON.parse(text) as ThreadFigures];
    });
}

/** Each thread has children of its own. */
function programsOf(pid: number): number {
  const lists = namesIn(`/proc/${pid}/task`).map(thread => textOf(`/proc/${pid}/task/${thread}/children`));
  return lists
    .join(' ')
    .split(' ')
    .filter(word => word !== '').length;
}

/** How often its threads have gone to sleep: a timer too many shows here. Threads that have ended took theirs along. */
export function wakeUpsOf(pid: number): number {
  const status = namesIn(`/proc/${pid}/task`).map(thread => textOf(`/proc/${pid}/task/${thread}/status`));
  return status.reduce((sum, text) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0);
}

/** Nothing where it has just gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
