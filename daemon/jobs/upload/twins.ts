import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { RepoPath } from '../../model/paths.ts';

/** Two paths that are one where names of files are compared without letter case, or by their composed form. */
export type Twins = readonly [RepoPath, RepoPath];

/** How many paths are twins of an earlier one, and the first of them with those. */
export interface TwinsFound {
  readonly count: number;
  readonly examples: readonly Twins[];
}

const mostExamples = 5;
export const noTwins: TwinsFound = { count: 0, examples: [] };

export function twinsAmong(paths: Iterable<RepoPath>): TwinsFound {
  const first = new Map<string, RepoPath>();
  const examples: Twins[] = [];
  let count = 0;
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase();
    const before = first.get(folded);
    if (before === undefined) first.set(folded, path);
    else if (count++ < mostExamples) examples.push([before, path]);
  }
  return { count, examples };
}

/** In public words, with the first few; nothing where there are none. */
export function twinsTold({ count, examples }: TwinsFound): readonly string[] {
  if (count === 0) return [];
  const told = examples.map(both => both.map(path => JSON.stringify(path)).join(' and '));
  const what = `${amount(count, 'path')} ${agreeing(count, 'differs', 'differ')} from another`;
  return [
    `${what} by letter case or Unicode form alone: two files here, and one where file names are compared without these (${told.join('; ')})`,
  ];
}
