import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { failpoint } from '../failpoint.ts';

/** Replaces a file so that a crash leaves the old or the new bytes: write → fsync → rename → fsync of the folder. Mode 0600. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  failpoint('before-rename', path);
  renameSync(temporary, path);
  syncFolder(dirname(path));
  failpoint('after-rename', path);
}

/** Makes names in a folder last: after a rename, a creation or a removal. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
