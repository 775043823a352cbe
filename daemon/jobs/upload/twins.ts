import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { RepoPath } from '../../model/paths.ts';

/** Two paths that are one where names of files are compared without letter case, or by their composed form. */
export type Twins = readonly [RepoPath, RepoPath];

/** Each path with the first that it is a twin of. */
export function twinsAmong(paths: Iterable<RepoPath>): readonly Twins[] {
  const first = new Map<string, RepoPath>();
  const twins: Twins[] = [];
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase();
    const before = first.get(folded);
    if (before === undefined) first.set(folded, path);
    else twins.push([before, path]);
  }
  return twins;
}

/** In public words, with the first few; nothing where there are none. */
export function twinsTold(twins: readonly Twins[]): readonly string[] {
  const [one] = twins;
  if (one === undefined) return [];
  const examples = twins.slice(0, 5).map(both => both.map(path => JSON.stringify(path)).join(' and '));
  const what = `${amount(twins.length, 'path')} ${agreeing(twins.length, 'differs', 'differ')} from another`;
  return [
    `${what} by letter case or Unicode form alone: two files here, and one where file names are compared without these (${examples.join('; ')})`,
  ];
}
