import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keepNewest } from '../model/keep-newest.ts';
import type { TrackedEntry } from './git.ts';
import type { GitRepository } from './git-repository.ts';
import type { GitCall } from './git-runner.ts';

type List = (repository: GitRepository, call?: GitCall) => Promise<readonly TrackedEntry[]>;

/** Of larger indexes git takes longer to list than to start, and they are many bytes. */
const most = { repositories: 64, entries: 5_000 } as const;
/** Two states of a file within the ticks of a clock look the same. */
const settledMs = 1_000;

/** Lists what indexes hold, and the same again for as long as their files stay: to start git takes longer than to look. */
export function rememberedTracked(list: List, now: () => number = Date.now): List {
  const known = new Map<string, { readonly stamp: string; readonly entries: readonly TrackedEntry[] }>();
  return async (repository, call) => {
    const file = join(repository.gitDir, 'index');
    const stamp = stampOf(file, now());
    const before = known.get(file);
    if (stamp !== undefined && before?.stamp === stamp)
      return keepNewest(known, file, before, most.repositories).entries;
    const entries = await list(repository, call);
    if (stamp !== undefined && stampOf(file, now()) === stamp && entries.length <= most.entries)
      keepNewest(known, file, { stamp, entries }, most.repositories);
    return entries;
  };
}

/** Undefined of a file that can't be looked at, or was written just now. */
function stampOf(file: string, nowMs: number): string | undefined {
  try {
    const { ino, size, mtimeMs, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return nowMs - Number(mtimeMs) < settledMs ? undefined : `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}
