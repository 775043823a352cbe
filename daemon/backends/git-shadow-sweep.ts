import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastUsedMs } from './git-shadow.ts';

/** Such a folder holds a few hundred bytes, and a commit-graph, of which a million commits make a hundred megabytes. */
const shadowPattern = /^[0-9a-f]{32}(-attributes|-shared)?\.git$/;
/** Files that are there for a moment, of a process that did not see its end. */
const fleetingPattern = /^ignored-[0-9a-f]{12}$|\.[0-9a-f]{12}$/;

/**
 * Removes what nobody has used since `beforeMs` (since 1970): folders over repositories but those of the names `kept`, and of these
 * what was left behind in them. Who comes for one again makes it again. What can't be removed stays.
 */
export async function sweepShadows(folder: string, kept: ReadonlySet<string>, beforeMs: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!shadowPattern.test(name)) continue;
    const shadow = join(folder, name);
    if (kept.has(name)) await sweepWithin(shadow, beforeMs);
    else if (isUnused(shadow, beforeMs)) await rm(shadow, { recursive: true, force: true }).catch(() => {});
  }
}

function isUnused(shadow: string, beforeMs: number): boolean {
  try {
    return lastUsedMs(shadow) < beforeMs;
  } catch {
    return false;
  }
}

async function sweepWithin(shadow: string, beforeMs: number): Promise<void> {
  for (const part of ['.', 'info', 'objects/info']) {
    for (const name of await namesIn(join(shadow, part))) {
      const place = join(shadow, part, name);
      if (!fleetingPattern.test(name)) continue;
      const stats = await lstat(place).catch(() => undefined);
      if (stats?.isFile() && stats.mtimeMs < beforeMs) await rm(place, { force: true }).catch(() => {});
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
