import type { Clock } from '../clock.ts';

/** How often something may be done: so many times at once, and so many a minute from then on. Both at least 1. */
export interface Limit {
  readonly perMinute: number;
  readonly burst: number;
}

export interface Turn {
  readonly isGiven: boolean;
  /** So many more would be given now. */
  readonly remaining: number;
  /** Whole seconds after which one is given, if nobody else takes it, and no second earlier. 0 where one was given. */
  readonly retryAfterSeconds: number;
}

/** Token buckets by name. What is not asked for costs nothing: a bucket fills as time goes by, and who was full is forgotten. */
export interface Buckets {
  take(name: string, limit: Limit): Turn;
  /** So many would be given now. */
  remaining(name: string, limit: Limit): number;
  size(): number;
}

/**
 * No more than `most` buckets are kept. Where another is needed some are looked at, of which those go that are full, for new
 * ones would be the same; where none is, the fullest, which is given back the least by being forgotten.
 */
export function createBuckets(clock: Pick<Clock, 'monotonicMs'>, most: number): Buckets {
  const buckets = new Map<string, Bucket>();
  const nowMs = () => Math.floor(clock.monotonicMs());
  return {
    take(name, limit) {
      const atMs = nowMs();
      const known = buckets.get(name);
      const level = known === undefined ? capacity(limit) : filled(known, limit, atMs);
      const isGiven = level >= one;
      if (isGiven) {
        if (known === undefined) makeRoom(buckets, most, atMs);
        buckets.set(name, { level: level - one, atMs, limit });
      }
      return {
        isGiven,
        remaining: Math.floor((isGiven ? level - one : level) / one),
        retryAfterSeconds: isGiven ? 0 : Math.ceil((one - level) / limit.perMinute / 1000),
      };
    },
    remaining(name, limit) {
      const known = buckets.get(name);
      return Math.floor((known === undefined ? capacity(limit) : filled(known, limit, nowMs())) / one);
    },
    size: () => buckets.size,
  };
}

/**
 * What one turn takes out of a bucket, into which `perMinute` flow each millisecond: whole numbers throughout, so that no
 * rounding makes a second of a thousandth.
 */
const one = 60_000;

interface Bucket {
  readonly level: number;
  readonly atMs: number;
  /** As it was when somebody took from it last. */
  readonly limit: Limit;
}

function capacity({ burst }: Limit): number {
  return burst * one;
}

function filled({ level, atMs }: Bucket, limit: Limit, nowMs: number): number {
  return Math.min(capacity(limit), level + (nowMs - atMs) * limit.perMinute);
}

/** So many are looked at, however many there are: who makes others look for room is not to take their time. */
const lookedAt = 16;

/** Those that are looked at and stay go to the end of the line, so that all come to be looked at. */
function makeRoom(buckets: Map<string, Bucket>, most: number, nowMs: number): void {
  if (buckets.size < most) return;
  const first = [...take(buckets, lookedAt)].map(([name, bucket]) => ({
    name,
    bucket,
    missing: missing(bucket, nowMs),
  }));
  const least = Math.min(...first.map(one => one.missing));
  let hasRoom = false;
  for (const one of first) {
    buckets.delete(one.name);
    if (one.missing === 0 || (!hasRoom && one.missing === least)) hasRoom = true;
    else buckets.set(one.name, one.bucket);
  }
}

/** The share of it that is not full. */
function missing(bucket: Bucket, nowMs: number): number {
  return 1 - filled(bucket, bucket.limit, nowMs) / capacity(bucket.limit);
}

function* take<T>(items: Iterable<T>, most: number): Iterable<T> {
  let left = most;
  for (const item of items) {
    if (left-- === 0) return;
    yield item;
  }
}
