import { readdirSync, readFileSync } from 'node:fs';
import { amount } from '../../../client/protocol/amount.ts';
import { isShortage } from '../../model/shortage.ts';
import { type Finding, fix } from '../finding.ts';
import type { Installation } from './installation.ts';

/** How many descriptors are open, and how many may be. */
export interface Descriptors {
  readonly open: number;
  readonly most: number;
}

/** A first index, a few callers and git open about so many at once. */
const few = 48;

/** Undefined where the system does not tell; all that may be where there is none left to look with. */
export function descriptorsHere(): Descriptors | undefined {
  try {
    const most = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN);
    return Number.isNaN(most) ? undefined : { open: readdirSync('/proc/self/fd').length, most };
  } catch (error) {
    return isShortage(error) ? { open: 1, most: 1 } : undefined;
  }
}

/** Without any no file is read and no connection taken: who has nearly none left is to hear of it before. */
export function descriptorsCheck(found: Descriptors | undefined): Finding {
  const check = 'descriptors';
  if (found === undefined) return { check, status: 'pass', message: 'how many may be open is not told here' };
  const { open, most } = found;
  const message = `${open} of ${most} files are open`;
  if (open < most * 0.8 && most - open >= few) return { check, status: 'pass', message };
  return {
    check,
    status: open < most ? 'warn' : 'fail',
    message: `${message}: without any left nothing is read, watched or connected to`,
    fixes: [fix('ulimit -Hn 65536; svc daemon restart', 'Allow more, where the daemon is started', false)],
  };
}

/** What a clock may be off by while it is put right. */
const mostAheadMs = 5 * 60_000;

/** Nothing of ours was written later than now, unless the clock was set back: ages are told wrong until it is right. */
export function clockCheck(
  { repositories, lastEnd }: Pick<Installation, 'repositories' | 'lastEnd'>,
  now: Date,
): Finding {
  const check = 'clock';
  const written = repositories.list().map(({ snapshot }) => snapshot?.publishedAt ?? 0);
  const seen = lastEnd === undefined || lastEnd === 'unknown' ? 0 : lastEnd.seenAt.getTime();
  const newestMs = Math.max(0, seen, ...written);
  const aheadMs = newestMs - now.getTime();
  if (aheadMs <= mostAheadMs) return { check, status: 'pass', message: now.toISOString() };
  const minutes = amount(Math.floor(aheadMs / 60_000), 'minute');
  return {
    check,
    status: 'warn',
    message: `the clock is ${minutes} behind what was written last (${new Date(newestMs).toISOString()}): ages are told too small, until it is right`,
    fixes: [fix('timedatectl status', 'See whether the clock is kept right', true)],
  };
}
