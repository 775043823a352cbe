import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gitDirOf } from './git-hold.ts';

/** From about so many files on, a first index takes much of the machine. */
const largeFiles = 500;
/** What git's index takes for a file: 62 bytes, an id, and a path. */
const bytesOfIndexedFile = 100;

/** A guess at whether a tree has more than some hundred files, at the price of a look: at git's index, else at a part of the tree. */
export function isLargeTree(root: string | undefined): boolean {
  if (root === undefined) return false;
  const size = sizeOfIndex(root);
  return size === undefined ? hasMoreEntries(root) : size > largeFiles * bytesOfIndexedFile;
}

function sizeOfIndex(root: string): number | undefined {
  try {
    const gitDir = gitDirOf(root);
    return gitDir === undefined ? undefined : statSync(join(gitDir, 'index')).size;
  } catch {
    return undefined;
  }
}

function hasMoreEntries(root: string): boolean {
  const folders = [root];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined && seen <= largeFiles; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      seen++;
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  return seen > largeFiles;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
