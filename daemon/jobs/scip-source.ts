import type { Published } from './engine.ts';
import type { ScipOutcome } from './join-scip.ts';

/** A SCIP index, and of which contents it tells. */
export interface ScipSource {
  /** Absolute path, plain or gzip. */
  readonly file: string;
  readonly seen: SeenContents;
}

/**
 * - `commit`: the files of that commit, full hash
 * - `contents`: path → sha256, as whoever ran the indexer knows
 * - `tree`: those that the tree has now, as far as definitions bear their names where the index says they stand
 */
export type SeenContents =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'contents'; readonly contents: ReadonlyMap<string, string> }
  | { readonly kind: 'tree' };

export interface ScipIngested {
  readonly published: Published;
  readonly outcome: ScipOutcome;
}
