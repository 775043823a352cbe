import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { logBytes, openForReading, translated } from './connection.ts';
import { indexFile } from './index-file.ts';
import { preparer } from './rows.ts';
import { StoreError } from './store-faults.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * A file at rest is sealed: `<file>.seal` holds the sha256 of all its bytes. SQLite notices few of the bits that flip on
 * a device, and digests of documents cover no index, so before the first answer after a start the whole is compared
 * (about a second for a gigabyte). A file whose writer died has no seal: SQLite's own look at it tells of what the digests
 * of rows don't cover (half as much again).
 */
export function seal(file: string): void {
  if (logBytes(file) > 0) return;
  writeFileSync(`${sealOf(file)}.new`, sha256(file), { mode: 0o600 });
  renameSync(`${sealOf(file)}.new`, sealOf(file));
}

/** To be called before anything is written to the file. */
export function breakSeal(file: string): void {
  rmSync(sealOf(file), { recursive: true, force: true });
}

/** A file whose last writer died has none, and one where something else lies in the place of the seal, or one that can't be read. */
export function isSealed(file: string): boolean {
  return sealIn(file) !== undefined;
}

function sealIn(file: string): string | undefined {
  try {
    return statSync(sealOf(file)).isFile() ? readFileSync(sealOf(file), 'latin1') : undefined;
  } catch {
    return undefined;
  }
}

/** Of a file that has taken the place of another. */
export function moveSeal(from: string, to: string): void {
  renameSync(sealOf(from), sealOf(to));
}

/**
 * False where the file differs from what was sealed, or SQLite finds the unsealed one broken. A log beside a sealed file
 * is none of its own, for whoever writes breaks the seal before; SQLite would play it back all the same.
 */
export function isSound(file: string): boolean {
  try {
    const sealed = sealIn(file);
    if (sealed === undefined) return isUnsealedSound(file);
    return sealed === sha256(file) && logBytes(file) === 0;
  } catch (error) {
    // No file that can be read: whoever opens it will see.
    return !(error instanceof StoreError && error.trouble === 'corrupt');
  }
}

function isUnsealedSound(file: string): boolean {
  const connection = openForReading(
    file,
    indexFile(() => ''),
  );
  try {
    return translated(() => isWellFormed(preparer(connection)));
  } finally {
    connection.close();
  }
}

function sealOf(file: string): string {
  return `${file}.seal`;
}

/**
 * Closing the descriptor drops the locks that this process holds on the file. They guard against other processes alone:
 * SQLite keeps account of its own connections, and only one daemon leads.
 */
function sha256(file: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  // A pipe that stands in the file's place has nothing to say, and holds nobody up.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}
