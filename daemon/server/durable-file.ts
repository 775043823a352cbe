import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { replaceDurably } from '../store/durably.ts';

/** Replaces a file so that a crash leaves the old or the new bytes: write → fsync → rename → fsync of the folder. Mode 0600. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
  replaceDurably(temporary, path);
}
