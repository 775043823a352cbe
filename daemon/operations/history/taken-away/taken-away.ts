import type { FileDiff } from '../../../model/history.ts';
import type { HistoricalSnapshot } from '../historical.ts';
import { handedOnNoMore } from './handed-on.ts';
import { headOf } from './head.ts';
import { movedFrom } from './moved.ts';
import { removedFrom } from './removed.ts';
import type { TakenAway } from './taken.ts';
import { withdrawnFrom } from './withdrawn.ts';

/** What a change takes away, and by what hash there is something then that only took other parameters before. */
export function takenAway(
  of: HistoricalSnapshot,
  files: readonly FileDiff[],
): { readonly taken: readonly TakenAway[]; readonly redeclared: ReadonlySet<string> } {
  const head = headOf(of, files);
  const redeclared = new Set<string>();
  const taken = files.flatMap(file => [
    ...removedFrom(head, file, redeclared),
    ...withdrawnFrom(head, file),
    ...handedOnNoMore(head, file),
  ]);
  return { taken: [...taken, ...movedFrom(head, files)], redeclared };
}
