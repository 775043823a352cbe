import type { Prepare } from './rows.ts';

/** An artifact that was found good, by the digest of its text, and the snapshot that it leads to. */
export interface TakenDelta {
  readonly digest: string;
  readonly snapshotId: string;
}

/** So that the same artifact, sent again, is told from another one over the wrong base. The newest last. */
const kept = 16;

export function takenDeltas(key: string, prepare: Prepare): readonly TakenDelta[] {
  const row = prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(nameOf(key));
  return row === undefined ? [] : (JSON.parse(row.value) as readonly TakenDelta[]);
}

export function rememberDelta(key: string, taken: TakenDelta, prepare: Prepare): void {
  const others = takenDeltas(key, prepare).filter(({ digest }) => digest !== taken.digest);
  const value = JSON.stringify([...others, taken].slice(-kept));
  prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(nameOf(key), value);
}

export function forgetDeltas(key: string, prepare: Prepare): void {
  prepare<[string]>('DELETE FROM meta WHERE name = ?').run(nameOf(key));
}

function nameOf(key: string): string {
  return `deltas:${key}`;
}
