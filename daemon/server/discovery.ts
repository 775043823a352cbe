import { readFileSync, unlinkSync } from 'node:fs';
import { type DaemonRecord, type Places, readDaemonRecord } from '../../client/paths.ts';
import { failpoint } from '../failpoint.ts';
import { replaceFile } from './durable-file.ts';

/** Tells clients who leads and where it listens. Replaces what an earlier leader wrote. */
export function writeDaemonRecord(places: Places, record: DaemonRecord): void {
  replaceFile(places.daemonFile, `${JSON.stringify(record, null, 2)}\n`);
}

/** Takes the record away if it is still ours: a newer daemon's stays. */
export function removeDaemonRecord(places: Places, pid: number): void {
  try {
    if (readDaemonRecord(places)?.pid !== pid) return;
    failpoint('before-unlink', places.daemonFile);
    unlinkSync(places.daemonFile);
    failpoint('after-unlink', places.daemonFile);
  } catch {
    // It is gone, or not ours to touch: either way nobody is misled by us.
  }
}

/** Start of a process in clock ticks since boot: with the pid it names one process for good. 0 where there is no `/proc`. */
export function startTicksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name stands in brackets and may hold anything, brackets included: fields count from its end.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}
