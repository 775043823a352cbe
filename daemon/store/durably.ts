import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { failpoint } from '../failpoint.ts';

/** The content reaches the device before the name does, and the name before anybody relies on it. */
export function replaceDurably(from: string, to: string): void {
  syncPath(from);
  failpoint('before-rename', to);
  renameSync(from, to);
  failpoint('after-rename', to);
  syncPath(dirname(to));
}

/** Has the content of a file, or the names in a folder, reach the device. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
