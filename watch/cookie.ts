import { type FSWatcher, lstatSync, mkdirSync, readdirSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOutOfWatches, type WatchBudget } from './budget.ts';
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

export function createCookies({ folder, clock, budget, onEvent }: CookieOptions): Cookies {
  const waiting = new Map<string, (outcome: CookieOutcome) => void>();
  let watched: { readonly watcher: FSWatcher; readonly identity: string } | undefined;
  let last = 0;

  const unwatch = (): void => {
    if (watched === undefined) return;
    watched.watcher.close();
    watched = undefined;
    budget.released();
  };
  const ensureWatched = (): 'watched' | 'unwritable' | 'unwatchable' => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const stat = lstatSync(folder, { bigint: true });
      const identity = `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`; // a deleted folder's number is given again at once
      if (watched?.identity === identity) return 'watched';
      unwatch();
      const watcher = watch(folder, (_, name) => {
        onEvent();
        if (name !== null) waiting.get(name)?.('seen');
      });
      watcher.on('error', unwatch);
      budget.taken();
      watched = { watcher, identity };
      for (const name of readdirSync(folder)) if (!waiting.has(name)) remove(join(folder, name));
      return 'watched';
    } catch (error) {
      return isOutOfWatches(error) ? 'unwatchable' : 'unwritable';
    }
  };
  ensureWatched();

  const next = (): string => `${process.pid}-${++last}`;
  /** Whether the last one could be written: a full or read-only folder looks like any other. */
  let wasWritten = true;
  const write = (name: string): boolean => {
    try {
      writeFileSync(join(folder, name), '', { flag: 'wx', mode: 0o600 });
      wasWritten = true;
    } catch {
      wasWritten = false;
    }
    return wasWritten;
  };

  return {
    writable() {
      if (ensureWatched() === 'unwritable') return false;
      if (wasWritten) return true;
      const name = next();
      const isWritten = write(name);
      remove(join(folder, name));
      return isWritten;
    },
    pass(timeoutMs) {
      const state = ensureWatched();
      if (state !== 'watched') return Promise.resolve(state);
      const name = next();
      const file = join(folder, name);
      return new Promise(resolve => {
        const settle = (outcome: CookieOutcome): void => {
          if (!waiting.delete(name)) return;
          cancel();
          remove(file);
          resolve(outcome);
        };
        const cancel = clock.after(timeoutMs, () => settle('lost'));
        waiting.set(name, settle);
        if (!write(name)) settle('unwritable');
      });
    },
    close() {
      for (const settle of [...waiting.values()]) settle('lost');
      unwatch();
    },
  };
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {} // gone already, or it stays: names are not used twice
}
