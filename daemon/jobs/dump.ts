import { createHash } from 'node:crypto';
import { dumpIndex } from '../store/index-dump.ts';

/** The newest snapshot of a repository in a form that can be compared: what an incremental index and a fresh one must share. */
export interface CanonicalDump {
  /** Sorted; without row ids, sequences and times. */
  readonly lines: readonly string[];
  /** sha256 over the lines, hex. */
  readonly hash: string;
}

/** Throws `StoreError` where the file can't be read. */
export function canonicalDump(indexFile: string, worktreeKey: string): CanonicalDump {
  const lines = dumpIndex(indexFile, worktreeKey);
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line).update('\n');
  return { lines, hash: hash.digest('hex') };
}
