import { randomBytes } from 'node:crypto';
import { isAlive, startTicksOf } from '../../../client/paths.ts';
import type { RepoPath } from '../../model/paths.ts';
import { openRealFolder, type RealFolder } from './real-folder.ts';

/** What a document is called until it is whole and bears its own name: that tells whose it is. */
export function temporaryName(): string {
  return `.svc-decision-${process.pid}-${startTicksOf(process.pid)}-${randomBytes(6).toString('hex')}.tmp`;
}

export function isTemporary(name: string): boolean {
  return temporary.test(name);
}

const temporary = /^\.svc-decision-(\d+)-(\d+)-[0-9a-f]+\.tmp$/;

/**
 * Takes away what processes left that have died, this one's own included, and wrote last until then, milliseconds. Whoever is at it
 * all the same, for it can't be seen from here, finds it gone and begins anew.
 */
export async function removeLeftovers(folder: RealFolder, untilMs: number): Promise<void> {
  for (const name of await folder.names()) {
    const [, pid, ticks] = temporary.exec(name) ?? [];
    if (pid === undefined) continue;
    const isOther = Number(pid) !== process.pid && isAlive(Number(pid)) && startTicksOf(Number(pid)) === Number(ticks);
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await folder.stat(name)) ?? {};
    if (!isOther && mtimeMs <= untilMs) await folder.unlink(name).catch(() => {});
  }
}

/** Nobody writes one document for so long. */
const longestWritingMs = 60_000;

/** The same for who only looks at a folder, and takes no turn in writing it. What can't be taken away stays. */
export async function sweepFolder(root: string, path: RepoPath): Promise<void> {
  const folder = await openRealFolder(root, path, 'refuse').catch(() => undefined);
  if (folder === undefined) return;
  try {
    await removeLeftovers(folder, Date.now() - longestWritingMs);
  } catch {
    // It is tried again at the next look.
  } finally {
    await folder.close();
  }
}
