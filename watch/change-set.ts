/**
 * What happened to a directory tree since the last ChangeSet: named paths, or `recrawl` when something may have been
 * missed and only comparing trees can tell.
 *
 * A path is relative to the root and stands for itself and everything below it: a file came, changed or went, a folder
 * came, went or was replaced. Whoever reads it looks at the disk; what is not there any more is gone, below it too.
 */
export type ChangeSet =
  | { readonly kind: 'paths'; readonly paths: ReadonlySet<string> }
  | { readonly kind: 'recrawl'; readonly reason: RecrawlReason };

export type RecrawlReason =
  | 'start'
  | 'overflow'
  | 'cookie_lost'
  | 'watch_limit'
  | 'watch_error'
  | 'root_replaced'
  | 'ignore_rules_changed'
  | 'git_state_changed'
  | 'loop_stalled'
  | 'requested';

/** The union of two ChangeSets; recrawl absorbs. */
export function mergeChangeSets(earlier: ChangeSet, later: ChangeSet): ChangeSet {
  if (earlier.kind === 'recrawl') return earlier;
  if (later.kind === 'recrawl') return later;
  return { kind: 'paths', paths: new Set([...earlier.paths, ...later.paths]) };
}
