import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Compares folders with what they were, for want of anybody who tells. */
export interface Poller<Folder> {
  /** Remembers the folder's entries as they are now. */
  add(folder: Folder): void;
  remove(folder: Folder): void;
  compare(folder: Folder): void;
  /** Compares every folder once, beginning after the call; resolves when that is done. */
  pass(): Promise<void>;
  folders(): readonly Folder[];
  close(): void;
}

export interface PollerOptions<Folder> {
  readonly clock: Clock;
  /** Time between two passes at least; a pass that takes long is followed by a pause of twenty times its length. */
  readonly everyMs: number;
  readonly absoluteOf: (folder: Folder) => string;
  readonly onDifference: (folder: Folder, name: string) => void;
}

const sliceMs = 8;
const pauseFactor = 20;
const longestPauseMs = 60_000;
/** Files written this recently may be written again without a trace in their times. */
const racyMs = 50;

export function createPoller<Folder>(options: PollerOptions<Folder>): Poller<Folder> {
  const { clock, absoluteOf, onDifference } = options;
  const snapshots = new Map<Folder, ReadonlyMap<string, string>>();
  let cancelNext: (() => void) | undefined;
  let lastPassMs = 0;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let closed = false;

  const schedule = (): void => {
    if (closed || cancelNext !== undefined || snapshots.size === 0) return;
    const pauseMs = Math.max(options.everyMs, Math.min(lastPassMs * pauseFactor, longestPauseMs));
    cancelNext = clock.after(pauseMs, () => {
      cancelNext = undefined;
      void pass().then(schedule);
    });
  };

  const compare = (folder: Folder): void => {
    const before = snapshots.get(folder);
    if (before === undefined) return;
    const now = snapshotOf(absoluteOf(folder));
    snapshots.set(folder, now);
    for (const [name, print] of now) if (before.get(name) !== print) onDifference(folder, name);
    for (const name of before.keys()) if (!now.has(name)) onDifference(folder, name);
  };

  const run = async (): Promise<void> => {
    const started = performance.now();
    let sliceEnd = started + sliceMs;
    for (const folder of [...snapshots.keys()]) {
      compare(folder);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
    lastPassMs = performance.now() - started;
  };

  /** One pass runs; whoever asks meanwhile shares the one after it. */
  const pass = (): Promise<void> => {
    if (snapshots.size === 0) return Promise.resolve();
    if (running === undefined) {
      running = run().finally(() => {
        running = undefined;
      });
      return running;
    }
    following ??= running.then(() => {
      following = undefined;
      return pass();
    });
    return following;
  };

  return {
    add(folder) {
      snapshots.set(folder, snapshotOf(absoluteOf(folder)));
      schedule();
    },
    remove: folder => {
      snapshots.delete(folder);
    },
    compare,
    pass,
    folders: () => [...snapshots.keys()],
    close() {
      closed = true;
      cancelNext?.();
      snapshots.clear();
    },
  };
}

let serial = 0;

/** Name → what would differ if the entry had changed. */
function snapshotOf(absolute: string): ReadonlyMap<string, string> {
  const prints = new Map<string, string>();
  const now = Date.now();
  try {
    for (const name of readdirSync(absolute)) prints.set(name, printOf(join(absolute, name), now));
  } catch {} // gone or unreadable: its parent's snapshot differs
  return prints;
}

function printOf(absolute: string, now: number): string {
  try {
    const stat = lstatSync(absolute, { bigint: true });
    if (stat.isDirectory()) return `${stat.ino}:${stat.mode}`;
    const racy = Math.abs(now - Number(stat.ctimeMs)) < racyMs ? `:${++serial}` : '';
    return `${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}${racy}`;
  } catch {
    return `unreadable`;
  }
}
