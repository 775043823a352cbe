import { type Answer, flatten, pairs, type Views } from './view.ts';

/** Delta artifacts. */
export const deltaViews: Views = {
  'delta.ingest': answer => {
    const { outcome: _, ...told } = answer;
    return pairs([['outcome', becameOf(answer)], ...flatten(told, '')]);
  },
  // What speaks against an artifact holds commas, and is gone through one by one.
  'delta.validate': answer => {
    const { errors, ...told } = answer.valid ? { ...answer, errors: [] } : answer;
    return pairs([...flatten(told, ''), ...errors.map(error => ['error', error] as const)]);
  },
};

/** What became of an artifact, which its counts alone don't tell: 0 applied is no failure, and what was there counts as well. */
function becameOf({ outcome, awaitedCommit }: Answer<'delta.ingest'>): string {
  if (outcome === 'pending') {
    const awaited = awaitedCommit === undefined ? 'its files' : `commit ${awaitedCommit}`;
    return `waits for ${awaited}: nothing of it is active before the work tree has its files (git pull)`;
  }
  return outcome === 'applied'
    ? 'taken in now'
    : 'was there already: the work tree or HEAD has its files, and they are indexed';
}
