import { amount } from '../../client/protocol/amount.ts';
import { pairs, sizeOf, type Views } from './view.ts';

/** Runs of the index. */
export const indexingViews: Views = {
  'indexing.index': answer =>
    answer.status === 'skipped'
      ? pairs([['skipped', `${answer.reason}; ${answer.hint}`]])
      : pairs(
          [
            ['indexed', `${sizeOf(answer)}, ${answer.duration}`],
            ['languages', answer.languages.join(', ')],
            ['indexer', answer.indexer],
            ['taken in', answer.scip === undefined ? '' : takenIn(answer.scip)],
            ['snapshot', answer.snapshotId],
          ],
          answer.warnings.map(({ message }) => message),
        ),
};

function takenIn(scip: { readonly indexer: string; readonly joined: number; readonly occurrences: number }): string {
  const { indexer, joined, occurrences } = scip;
  return `${amount(occurrences, 'reference')} in ${amount(joined, 'file')}, as ${indexer} says`;
}
