import type { ContentHash } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import type { Prepare } from './rows.ts';

/** A path and the content that it has in some tree; null where nothing is there. */
export type ContentAt = readonly [path: RepoPath, hash: ContentHash | '' | null];

/** An artifact that was found good, known by what it does: the snapshots that it leads from and to. */
export interface TakenDelta {
  readonly base: string;
  readonly snapshotId: string;
  /** Of the texts that it came in. The newest last. */
  readonly digests: readonly string[];
  /** Milliseconds. */
  readonly takenAt: number;
  /** It is pending while there is something; what once was there is awaited no more. */
  readonly awaited?: Awaited | undefined;
}

/** HEAD is to come to the commit, or the tree to have the files. */
export interface Awaited {
  /** Undefined where none is known that HEAD has not come to: it is to have the files then. */
  readonly commit?: string | undefined;
  /** What the tree has where the artifact changes it, at so many paths at most as tell whether it has come to that. */
  readonly files: readonly ContentAt[];
  /** HEAD's commit when it was last seen not to have come there. */
  readonly head?: string | undefined;
}

const kept = 16;
const digestsKept = 8;

/** So that the same artifact, sent again, is told from another one over the wrong base. In the order in which they first came. */
export function takenDeltas(key: string, prepare: Prepare): readonly TakenDelta[] {
  const row = prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(nameOf(key));
  const taken = row === undefined ? [] : (JSON.parse(row.value) as readonly Partial<TakenDelta>[]);
  // An older version noted no base: its artifacts are none that this one takes.
  return taken.filter((one): one is TakenDelta => one.base !== undefined);
}

export function isSameStep(one: Step, other: Step): boolean {
  return one.base === other.base && one.snapshotId === other.snapshotId;
}

type Step = Pick<TakenDelta, 'base' | 'snapshotId'>;

export function rememberDelta(key: string, taken: TakenDelta, prepare: Prepare): void {
  const all = takenDeltas(key, prepare);
  const known = all.find(one => isSameStep(one, taken));
  const others = (known?.digests ?? []).filter(digest => !taken.digests.includes(digest));
  const told = { ...taken, digests: [...others, ...taken.digests].slice(-digestsKept) };
  const now = known === undefined ? [...all, told] : all.map(one => (one === known ? told : one));
  writeDeltas(key, now.length > kept ? withoutOldest(now) : now, prepare);
}

/** Those that wait stay for as long as others can go. */
function withoutOldest(taken: readonly TakenDelta[]): readonly TakenDelta[] {
  const gone = taken.find(({ awaited }) => awaited === undefined) ?? taken[0];
  return taken.filter(one => one !== gone);
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
