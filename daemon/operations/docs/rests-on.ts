import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { completeness } from '../symbols/answers.ts';

/** What every answer tells of what it rests on. */
export function restsOn({ asked, snapshot }: AnalysedSnapshot) {
  return {
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}
