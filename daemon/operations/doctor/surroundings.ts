import { readdirSync } from 'node:fs';
import { type FileLimits, fileLimits } from '../../../client/open-files.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { isShortage } from '../../model/shortage.ts';
import { type Finding, fix } from '../finding.ts';
import type { Installation } from './installation.ts';
import { unseenWords } from './looking.ts';

/** How many descriptors are open, and how many may be. */
export interface Descriptors extends FileLimits {
  readonly open: number;
}

/** A first index, a few callers and git open about so many at once. */
const few = 48;

/** Undefined where the system does not tell. */
export function descriptorsHere(): Descriptors | 'none left' | undefined {
  try {
    const limits = fileLimits();
    return limits && { open: readdirSync('/proc/self/fd').length, ...limits };
  } catch (error) {
    return isShortage(error) ? 'none left' : undefined;
  }
}

/** Without any no file is read and no connection taken: who has nearly none left is to hear of it before. */
export function descriptorsCheck(found: Descriptors | 'none left' | undefined): Finding {
  const check = 'descriptors';
  if (found === undefined) return { check, status: 'pass', message: 'how many may be open is not told here' };
  if (found === 'none left') return scarce('fail', 'as many files are open as may be', hardLimit);
  const { open, most, hard } = found;
  const message = `${open} of ${most} files are open`;
  if (open < most * 0.8 && most - open >= few) return { check, status: 'pass', message };
  return scarce(
    open < most ? 'warn' : 'fail',
    message,
    most < hard ? `up to ${hard} may be, once it is started anew` : hardLimit,
  );
}

/** A daemon takes what the hard limit allows, which nobody but root raises. */
const hardLimit =
  'it takes all that it is allowed (ulimit -Hn): allow more in /etc/security/limits.conf (hard nofile) and log in anew, by LimitNOFILE of its systemd unit, or with docker run --ulimit nofile=65536';

function scarce(status: 'warn' | 'fail', message: string, remedy: string): Finding {
  return {
    check: 'descriptors',
    status,
    message: `${message}, and without any left nothing is read, watched or connected to; ${remedy}`,
    fixes: [fix('svc daemon restart', 'Start it anew, once it may open more', false)],
  };
}

/** What could not be looked at for want of descriptors is told here, with the remedy, though some may be free by now. */
export function withShortage(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ message }) => message === unseenWords)) return findings;
  return findings.map(one =>
    one.check === 'descriptors' && one.status !== 'fail' ? descriptorsCheck('none left') : one,
  );
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
