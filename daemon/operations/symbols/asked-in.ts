import type { ServedRepository } from '../served-repository.ts';
import type { CallsAsked } from '../telemetry/calls-asked.ts';
import type { Asked } from './answers.ts';

/** A question about a repository as it is now, whose answer is no list to go on with; undefined before its first snapshot. */
export function askedIn(
  { record, snapshot }: Pick<ServedRepository, 'record' | 'snapshot'>,
  nowMs: number,
  calls?: CallsAsked,
): Asked | undefined {
  if (snapshot === undefined) return undefined;
  const { id, indexFile, worktreeKey: key } = record;
  const { seq, snapshotId } = snapshot;
  return {
    repo: { id, indexFile, key },
    current: { seq, snapshotId },
    cursorSecret: '',
    dirtyFiles: 0,
    now: nowMs,
    calls,
  };
}
