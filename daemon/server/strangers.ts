import type { Clock } from '../clock.ts';
import { networkOf } from './network-of.ts';
import { createBuckets, type Limit } from './rate-limit.ts';

/**
 * How often one network may ask without the daemon token, or with a wrong one. Programs that ask without it ask again and again, and
 * are told 401 each time; nothing that guesses comes far with ten a second.
 */
const strangers: Limit = { perMinute: 600, burst: 1000 };
const mostNetworks = 2000;

/** Counts a request that showed no good token by the network of its peer: so many seconds it is to wait, 0 where it need not. */
export function countStrangers(clock: Pick<Clock, 'monotonicMs'>): (address: string) => number {
  const asked = createBuckets(clock, mostNetworks);
  return address => asked.take(networkOf(address), strangers).retryAfterSeconds;
}
