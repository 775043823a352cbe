import type { ContentHash } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import type { Prepare } from './rows.ts';

/** A path and the content that it has in some tree; null where nothing is there. */
export type ContentAt = readonly [path: RepoPath, hash: ContentHash | '' | null];

/** An artifact that was found good, by the digest of its text, and the snapshot that it leads to. */
export interface TakenDelta {
  readonly digest: string;
  readonly snapshotId: string;
  /** Milliseconds. */
  readonly takenAt: number;
  /** Where the tree, ever since, has what the artifact changes: it is pending while there are any. */
  readonly awaited: readonly ContentAt[];
}

/** So that the same artifact, sent again, is told from another one over the wrong base. The newest last. */
const kept = 16;

export function takenDeltas(key: string, prepare: Prepare): readonly TakenDelta[] {
  const row = prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(nameOf(key));
  return row === undefined ? [] : (JSON.parse(row.value) as readonly TakenDelta[]);
}

export function rememberDelta(key: string, taken: TakenDelta, prepare: Prepare): void {
  const others = takenDeltas(key, prepare).filter(({ digest }) => digest !== taken.digest);
  writeDeltas(key, [...others, taken].slice(-kept), prepare);
}

/** What the artifacts still await once the tree is another; undefined where that is what they awaited before. */
export function settledDeltas(
  taken: readonly TakenDelta[],
  hashAt: (path: RepoPath) => string | undefined,
): readonly TakenDelta[] | undefined {
  const isStill = ([path, hash]: ContentAt): boolean => (hashAt(path) ?? null) === hash;
  if (taken.every(({ awaited }) => awaited.every(isStill))) return undefined;
  return taken.map(one => ({ ...one, awaited: one.awaited.filter(isStill) }));
}

export function writeDeltas(key: string, taken: readonly TakenDelta[], prepare: Prepare): void {
  const value = JSON.stringify(taken);
  prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(nameOf(key), value);
}

export function forgetDeltas(key: string, prepare: Prepare): void {
  prepare<[string]>('DELETE FROM meta WHERE name = ?').run(nameOf(key));
}

function nameOf(key: string): string {
  return `taken:${key}`;
}
