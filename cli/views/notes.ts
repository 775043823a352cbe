import { agreeing, amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';

/** What is to be said beside an answer, a line each. */
export type Notes = readonly string[];

/** What the answer itself warns of. */
export function warningNotes({
  warnings = [],
}: {
  readonly warnings?: readonly { readonly message: string }[];
}): Notes {
  return warnings.map(({ message }) => message);
}

/** Where the history that an answer is made of ends early. */
export function cutNote({ historyIsCut }: { readonly historyIsCut?: true }): Notes {
  return historyIsCut ? ['older commits are not known: the clone is shallow, or longer than history.most_commits'] : [];
}

type References = OutputOf<Operations['symbols.refs']>;

interface Page {
  readonly total: number;
  readonly hasMore: boolean;
  readonly cursor?: string;
}

export function pageNote(shown: number, { total, hasMore, cursor }: Page): Notes {
  if (total === 0) return ['Nothing found'];
  if (!hasMore) return [];
  return [`${shown} of ${total}; more with --limit${cursor === undefined ? '' : `, or --cursor ${cursor}`}`];
}

/** The confidence of a place that only its name ties to the symbol. */
const nameAlone = 0.5;

export function guessNote(references: References['references']): Notes {
  const guessed = references.filter(({ confidence }) => confidence <= nameAlone).length;
  return guessed === 0
    ? []
    : [`${amount(guessed, 'of these is', 'of these are')} guessed from the name alone (confidence ${nameAlone})`];
}

export function openCallsNote(count: number): Notes {
  return count === 0
    ? []
    : [
        `${amount(count, 'call site')} in these ${agreeing(count, 'leads nowhere: it', 'lead nowhere: they')} may call more`,
      ];
}

/** What an answer does not know, said aloud: a zero is never a proof, least of all where files were read in part. */
export function completenessNote({ completeness, total }: Pick<References, 'completeness' | 'total'>): Notes {
  const { unresolvedCandidates, syntaxOnly = 0, dirtyFiles, failedFiles } = completeness;
  const partial = total === 0 ? completeness.partialFiles : 0;
  const gaps: readonly (readonly [number, string])[] = [
    [syntaxOnly, `${amount(syntaxOnly, 'more place')} by syntax alone, which --merge union lists`],
    [
      unresolvedCandidates,
      `${amount(unresolvedCandidates, 'place that bears', 'places that bear')} the name but could not be resolved`,
    ],
    [dirtyFiles, `${amount(dirtyFiles, 'file')} changed since the index was made`],
    [failedFiles, `${amount(failedFiles, 'file or folder', 'files or folders')} that could not be read`],
    [partial, `${amount(partial, 'file that was', 'files that were')} read only in part`],
  ];
  return gaps.filter(([count]) => count > 0).map(([, told]) => told);
}
