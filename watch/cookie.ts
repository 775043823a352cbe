import { type FSWatcher, lstatSync, mkdirSync, readdirSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOutOfWatches, isShortage, type WatchBudget } from './budget.ts';
import type { Clock } from './clock.ts';

/**
 * Files written only to be seen. The kernel has one queue for all watches of an event loop: once the cookie's own event
 * comes, every event before it has come. The cookies never lie in a work tree.
 */
export interface Cookies {
  /** Resolves when the loop has seen all that happened before the call, or says why that can't be known. */
  pass(timeoutMs: number): Promise<CookieOutcome>;
  /** Whether one could be written now. */
  writable(): boolean;
  close(): void;
}

/** `unwatchable`: no kernel watch to be had for the folder. */
export type CookieOutcome = 'seen' | 'lost' | 'unwritable' | 'unwatchable';

export interface CookieOptions {
  /** Used for cookies alone; made when it is missing, mode 0700. */
  readonly folder: string;
  readonly clock: Clock;
  readonly budget: WatchBudget;
  readonly onEvent: () => void;
}

export function createCookies(options: CookieOptions): Cookies {
  return new CookieFolder(options);
}

class CookieFolder implements Cookies {
  readonly #options: CookieOptions;
  readonly #waiting = new Map<string, (outcome: CookieOutcome) => void>();
  #watched: { readonly watcher: FSWatcher; readonly identity: string } | undefined;
  #last = 0;
  /** Whether the last one could be written: a full or read-only folder looks like any other. */
  #wasWritten = true;

  constructor(options: CookieOptions) {
    this.#options = options;
    this.#ensureWatched();
  }

  writable(): boolean {
    if (this.#ensureWatched() === 'unwritable') return false;
    if (this.#wasWritten) return true;
    const file = this.#fileOf(this.#next());
    const written = this.#write(file);
    remove(file);
    return written !== 'unwritable';
  }

  pass(timeoutMs: number): Promise<CookieOutcome> {
    const state = this.#ensureWatched();
    if (state !== 'watched') return Promise.resolve(state);
    const name = this.#next();
    const file = this.#fileOf(name);
    return new Promise(resolve => {
      const settle = (outcome: CookieOutcome): void => {
        if (!this.#waiting.delete(name)) return;
        cancel();
        remove(file);
        resolve(outcome);
      };
      const cancel = this.#options.clock.after(timeoutMs, () => settle('lost'));
      this.#waiting.set(name, settle);
      const written = this.#write(file);
      if (written !== 'written') settle(written);
    });
  }

  close(): void {
    for (const settle of [...this.#waiting.values()]) settle('lost');
    this.#unwatch();
  }

  #ensureWatched(): 'watched' | 'unwritable' | 'unwatchable' {
    const { folder } = this.#options;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const stat = lstatSync(folder, { bigint: true });
      const identity = `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`; // a deleted folder's number is given again at once
      if (this.#watched?.identity === identity) return 'watched';
      this.#unwatch();
      this.#watched = { watcher: this.#watch(), identity };
      for (const name of readdirSync(folder)) if (!this.#waiting.has(name)) remove(this.#fileOf(name));
      return 'watched';
    } catch (error) {
      return isOutOfWatches(error) ? 'unwatchable' : 'unwritable';
    }
  }

  #watch(): FSWatcher {
    const { folder, budget, onEvent } = this.#options;
    const watcher = watch(folder, (_, name) => {
      onEvent();
      if (name !== null) this.#waiting.get(name)?.('seen');
    });
    watcher.on('error', () => this.#unwatch());
    budget.taken();
    return watcher;
  }

  #unwatch(): void {
    if (this.#watched === undefined) return;
    this.#watched.watcher.close();
    this.#watched = undefined;
    this.#options.budget.released();
  }

  #next(): string {
    return `${process.pid}-${++this.#last}`;
  }

  #fileOf(name: string): string {
    return join(this.#options.folder, name);
  }

  /** Without a descriptor nothing is wrong with the folder: what it would have told has to be looked at. */
  #write(file: string): 'written' | 'unwritable' | 'unwatchable' {
    try {
      writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
      this.#wasWritten = true;
      return 'written';
    } catch (error) {
      if (isShortage(error)) return 'unwatchable';
      this.#wasWritten = false;
      return 'unwritable';
    }
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {} // gone already, or it stays: names are not used twice
}
