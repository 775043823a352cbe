import { accessSync, constants, statSync } from 'node:fs';
import type { Published } from '../engine.ts';
import type { ScipOutcome } from './join-scip.ts';

/** A SCIP index, in one file or one for each project that the indexer ran in, and of which contents it tells. */
export interface ScipSource {
  readonly parts: readonly [ScipPart, ...ScipPart[]];
  readonly seen: SeenContents;
  /**
   * Where an indexer that we ran wrote it: it then takes the place of nothing that somebody brought whose indexer had to
   * read what the tree has, unless it is forced.
   */
  readonly ran?: { readonly isForced: boolean } | undefined;
}

export interface ScipPart {
  /** Absolute path, plain or gzip. */
  readonly file: string;
  /** The folder of the repository that its paths begin in, '' for the root; by default the one that its metadata name. */
  readonly folder?: string;
}

/**
 * - `commit`: the files of that commit, full hash
 * - `contents`: path → sha256, as whoever ran the indexer knows
 * - `tree`: those that the tree has now, or HEAD, as far as definitions bear their names where the index says they stand
 */
export type SeenContents =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'contents'; readonly contents: ReadonlyMap<string, string> }
  | { readonly kind: 'tree' };

export interface ScipIngested {
  readonly published: Published;
  readonly outcome: ScipOutcome;
}

/** In public words why the file of an index can't be read; undefined where it can. */
export function troubleWithSource(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  const name = JSON.stringify(file);
  if (stat === undefined) return `${name} is no file of the daemon’s machine; name the one that the indexer wrote`;
  // To open a pipe would be to wait for whoever writes to it.
  if (!stat.isFile()) return `${name} is no regular file; name the one that the indexer wrote`;
  try {
    accessSync(file, constants.R_OK);
    return undefined;
  } catch {
    return `${name} can’t be read by the daemon; give it the right to (chmod u+r)`;
  }
}
