import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder of ours of which all can be made anew. What stands in its place and is none, or in that of a folder on the
 * way to it from `top`, gives way. Throws the system's error.
 */
export function makeOwnFolder(path: string, top = path): void {
  const make = () => mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (!inTheWay.has((error as NodeJS.ErrnoException).code)) throw error;
    const way: string[] = [];
    for (let folder = path; folder.length >= top.length; folder = dirname(folder)) way.unshift(folder);
    const obstacle = way.find(folder => !isFolder(folder));
    if (obstacle === undefined) throw error;
    rmSync(obstacle, { force: true });
    make();
  }
}

/** A new folder in such a one, for whoever removes it afterwards. */
export function scratchIn(folder: string, prefix: string): string {
  makeOwnFolder(folder);
  return mkdtempSync(join(folder, prefix));
}

/** Removes what is ours, whatever was closed in it: caches of modules are folders that may only be read. Throws the system's error. */
export function removeOwn(path: string): void {
  lettingIn(path, () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
}

/** Does it; where that fails, once more after all folders there have been opened to ourselves. */
export function lettingIn<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch {
    openFolders(path);
    return work();
  }
}

function openFolders(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(path, entry.name));
  }
}

/** What there is to say of a file where a folder is to be, and of a link to nothing. */
const inTheWay: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTDIR', 'ENOENT']);

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
