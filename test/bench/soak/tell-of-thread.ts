import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';

/** What only a thread itself knows. */
export interface ThreadFigures {
  /** Set and not over, those included that keep nobody alive. */
  readonly timers: number;
  /** What its last full collection of garbage has left, buffers included. */
  readonly keptBytes: number;
}

/**
 * Loaded before a daemon and into each of its threads (`node --import`): writes the thread's figures every second into a file of
 * its own, `<pid>-<thread>` in `SVC_SOAK_THREADS`, and collects its garbage whenever the file `SVC_SOAK_COLLECT` says something new.
 */
const folder = process.env['SVC_SOAK_THREADS']!;
const set = new Set<NodeJS.Timeout>();

const { setInterval: unwatched } = globalThis;
for (const name of ['setTimeout', 'setInterval'] as const) {
  const original = globalThis[name] as (...words: unknown[]) => NodeJS.Timeout;
  const watched = (...words: unknown[]): NodeJS.Timeout => {
    const timer = original(...words);
    set.add(timer);
    return timer;
  };
  Reflect.set(globalThis, name, Object.assign(watched, original));
}

const heldBytes = (): number => {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
};
let keptBytes = heldBytes();
const full = constants.NODE_PERFORMANCE_GC_MAJOR;
new PerformanceObserver(list => {
  const entries = list.getEntries() as readonly { readonly detail?: { readonly kind?: number } }[];
  if (entries.some(({ detail }) => detail?.kind === full)) keptBytes = heldBytes();
}).observe({ entryTypes: ['gc'] });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');
const asked = (): string => readFileSync(process.env['SVC_SOAK_COLLECT']!, 'utf8');
let collected = asked();

const file = join(folder, `${process.pid}-${threadId}`);
const tell = (): void => {
  const latest = asked();
  if (latest !== collected) collect();
  collected = latest;
  for (const timer of set) if ((timer as unknown as { _destroyed: boolean })._destroyed) set.delete(timer);
  const figures: ThreadFigures = { timers: set.size, keptBytes };
  writeFileSync(`${file}.new`, JSON.stringify(figures));
  renameSync(`${file}.new`, file);
};
tell();
unwatched(tell, 1000).unref();
process.once('exit', () => rmSync(file, { force: true }));
