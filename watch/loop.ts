import { readFileSync } from 'node:fs';
import { createWatchBudget, type WatchBudget } from './budget.ts';
import type { RecrawlReason } from './change-set.ts';
import { type Clock, monotonicClock } from './clock.ts';
import { type Cookies, createCookies } from './cookie.ts';
import { type FileSystemType, fileSystemType } from './file-system.ts';

/**
 * What all trees watched by one event loop share: the kernel's one queue of events, and so the cookies, the signs that
 * events were lost, and the budget of watches.
 */
export interface WatchLoop {
  readonly clock: Clock;
  readonly cookies: Cookies;
  readonly budget: WatchBudget;
  readonly fileSystemType: FileSystemType;
  /** To be called once for each event that the kernel delivers. */
  countEvent(): void;
  /** Everything may have been missed, in every tree. */
  recrawlAll(reason: RecrawlReason): void;
  join(member: LoopMember): () => void;
  close(): void;
}

export interface LoopMember {
  recrawl(reason: RecrawlReason): void;
  /** Kernel watches may be had again. */
  relieve(): void;
  /** About every two seconds. */
  inspect(): void;
}

export interface LoopOptions {
  readonly cookieFolder: string;
  readonly clock?: Clock;
  /** Kernel watches at most, for all trees together. */
  readonly watchLimit?: number | undefined;
  readonly fileSystemType?: FileSystemType;
}

/** libuv tells nobody when the kernel's queue (16,384 events) ran over; half of it in one drain is taken as the sign. */
const mostEventsInOneDrain = 8192;
const tickMs = 500;
/** A loop that stood still for longer may have lost events meanwhile. */
const stalledMs = 1000;
/**
 * Crawling may make the loop stand still itself. After one for that reason the next waits this long, then twice as long
 * and so on, until the loop has been in time for the longest wait. Nothing hangs on it meanwhile: what ran over shows in
 * the drain that follows.
 */
const stallRestMs = { shortest: 30_000, longest: 8 * 60_000 } as const;
const ticksBetweenInspections = 4;

export function createWatchLoop(options: LoopOptions): WatchLoop {
  const clock = options.clock ?? monotonicClock;
  const members = new Set<LoopMember>();
  const threshold = Math.min(mostEventsInOneDrain, Math.ceil(kernelQueueLength() / 2));
  let drained = 0;

  const recrawlAll = (reason: RecrawlReason): void => {
    for (const member of members) member.recrawl(reason);
  };
  const countEvent = (): void => {
    if (++drained === 1) {
      setImmediate(() => {
        drained = 0;
      });
    }
    if (drained === threshold) recrawlAll('overflow');
  };
  const relieve = (): void => {
    for (const member of members) member.relieve();
  };
  const budget = createWatchBudget({ clock, limit: options.watchLimit, onRelief: relieve });
  const cookies = createCookies({ folder: options.cookieFolder, clock, budget, onEvent: countEvent });

  let expected = clock.now() + tickMs;
  let ticks = 0;
  const stalls = createStalls(() => recrawlAll('loop_stalled'));
  const tick = (): void => {
    const now = clock.now();
    stalls.tick(now, now - expected > stalledMs);
    if (++ticks % ticksBetweenInspections === 0) for (const member of members) member.inspect();
    expected = clock.now() + tickMs;
    cancelTick = clock.after(tickMs, tick);
  };
  let cancelTick = clock.after(tickMs, tick);

  return {
    clock,
    cookies,
    budget,
    fileSystemType: options.fileSystemType ?? fileSystemType(),
    countEvent,
    recrawlAll,
    join(member) {
      members.add(member);
      return () => members.delete(member);
    },
    close() {
      cancelTick();
      budget.close();
      cookies.close();
    },
  };
}

/** Calls `recrawl` after stalls: after the first at once, after those that follow in ever longer intervals. */
function createStalls(recrawl: () => void): { tick(now: number, hasStalled: boolean): void } {
  let isOwed = false;
  let rest: number = stallRestMs.shortest;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    tick(now, hasStalled) {
      isOwed ||= hasStalled;
      if (!isOwed || now < restsUntil) return;
      isOwed = false;
      const isCalm = now - restsUntil > stallRestMs.longest;
      rest = isCalm ? stallRestMs.shortest : Math.min(2 * rest, stallRestMs.longest);
      restsUntil = now + rest;
      recrawl();
    },
  };
}

function kernelQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 2 * mostEventsInOneDrain;
  } catch {
    return 2 * mostEventsInOneDrain;
  }
}
