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
  return new FolderPoller(options);
}

class FolderPoller<Folder> implements Poller<Folder> {
  readonly #options: PollerOptions<Folder>;
  readonly #snapshots = new Map<Folder, ReadonlyMap<string, string>>();
  #cancelNext: (() => void) | undefined;
  #lastPassMs = 0;
  #running: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PollerOptions<Folder>) {
    this.#options = options;
  }

  add(folder: Folder): void {
    this.#snapshots.set(folder, snapshotOf(this.#options.absoluteOf(folder)));
    this.#schedule();
  }

  remove(folder: Folder): void {
    this.#snapshots.delete(folder);
  }

  compare(folder: Folder): void {
    const { absoluteOf, onDifference } = this.#options;
    const before = this.#snapshots.get(folder);
    if (before === undefined) return;
    const now = snapshotOf(absoluteOf(folder));
    this.#snapshots.set(folder, now);
    for (const [name, print] of now) if (before.get(name) !== print) onDifference(folder, name);
    for (const name of before.keys()) if (!now.has(name)) onDifference(folder, name);
  }

  /** One pass runs; whoever asks meanwhile shares the one after it. */
  pass(): Promise<void> {
    if (this.#snapshots.size === 0) return Promise.resolve();
    if (this.#running === undefined) {
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#following ??= this.#running.then(() => {
      this.#following = undefined;
      return this.pass();
    });
    return this.#following;
  }

  folders(): readonly Folder[] {
    return [...this.#snapshots.keys()];
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelNext?.();
    this.#snapshots.clear();
  }

  #schedule(): void {
    if (this.#isClosed || this.#cancelNext !== undefined || this.#snapshots.size === 0) return;
    const { clock, everyMs } = this.#options;
    const pauseMs = Math.max(everyMs, Math.min(this.#lastPassMs * pauseFactor, longestPauseMs));
    this.#cancelNext = clock.after(pauseMs, () => {
      this.#cancelNext = undefined;
      void this.pass().then(() => this.#schedule());
    });
  }

  async #run(): Promise<void> {
    const started = performance.now();
    let sliceEnd = started + sliceMs;
    for (const folder of this.folders()) {
      this.compare(folder);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
    this.#lastPassMs = performance.now() - started;
  }
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
    if (stat.isDirectory()) return `${stat.ino}:${stat.mode}:${stat.uid}:${stat.gid}`;
    const racy = Math.abs(now - Number(stat.ctimeMs)) < racyMs ? `:${++serial}` : '';
    return `${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}${racy}`;
  } catch {
    return `unreadable`;
  }
}
