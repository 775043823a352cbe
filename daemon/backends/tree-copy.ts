import { constants, copyFileSync, cpSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

export interface TreeCopy {
  readonly root: string;
  /** Paths below the root; what is no regular file by now is left out. */
  readonly paths: Iterable<string>;
  /** Folders that come along whole, where they are. */
  readonly folders: readonly string[];
  readonly to: string;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Copies files of a work tree, sharing their blocks where the file system can. Returns false where they are too large. */
export async function copyTree(copy: TreeCopy): Promise<boolean> {
  let bytes = 0;
  let files = 0;
  const made = new Set<string>();
  for (const path of copy.paths) {
    copy.signal.throwIfAborted();
    const from = join(copy.root, path);
    const stats = lstatSync(from, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) continue;
    bytes += stats.size;
    if (bytes > copy.mostBytes) return false;
    const to = join(copy.to, path);
    const folder = dirname(to);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    if (++files % 64 === 0) await setImmediate();
  }
  for (const folder of copy.folders) {
    const from = join(copy.root, folder);
    if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    cpSync(from, join(copy.to, folder), { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  }
  return true;
}
