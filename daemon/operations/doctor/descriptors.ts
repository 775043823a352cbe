import { readdirSync, readFileSync } from 'node:fs';
import { amount } from '../../../client/protocol/amount.ts';
import { isShortage } from '../../model/shortage.ts';
import { type Finding, fix } from '../finding.ts';

/** A first index, a few callers and git open about so many at once. */
const few = 48;

/** Whether descriptors run out; none is said where the kernel does not tell how many there are. */
export function descriptors(): readonly Finding[] {
  const check = 'descriptors';
  const fixes = [fix('ulimit -Hn 4096; svc daemon restart', 'Start it with more of them')];
  try {
    const used = readdirSync('/proc/self/fd').length - 1; // but for that by which they are listed
    const allowed = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
    const message = `${used} of ${Number.isFinite(allowed) ? amount(allowed, 'descriptor') : 'any number of descriptors'} in use`;
    return [allowed - used < few ? { check, status: 'warn', message, fixes } : { check, status: 'pass', message }];
  } catch (error) {
    if (!isShortage(error)) return [];
    return [{ check, status: 'fail', message: 'no descriptor is left to open a file by', fixes }];
  }
}
