import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type Places, quote, removalOf } from './paths.ts';
import { Fault } from './protocol/faults.ts';

/**
 * Opens a file of ours, making it 0600 where `flags` say so. What else stands in its place is not opened: a pipe would hold
 * up whoever does, and a link leads elsewhere. Throws `misconfigured`, which says how that goes away.
 */
export function openOwnFile(path: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'EACCES') throw closedToUs(path, error);
    // A folder, a link, a pipe that nobody reads.
    if (!['EISDIR', 'ELOOP', 'ENXIO'].includes(code)) throw error;
    throw unusable(path, 'is not a file');
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw unusable(path, 'is not a file');
}

/** The text of a file of ours; '' of one that is longer than it can be. Throws as `openOwnFile` does. */
export function readOwnFile(path: string, mostBytes: number = Number.POSITIVE_INFINITY): string {
  const descriptor = openOwnFile(path, constants.O_RDONLY);
  try {
    return fstatSync(descriptor).size > mostBytes ? '' : readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** What stands in the place of a file that we make ourselves, and make anew where there is none. */
export function unusable(path: string, problem: string): Fault {
  return new Fault('misconfigured', `${path} ${problem}; remove it, and it is made anew: ${removalOf(path)}`);
}

/** A file of ours whose mode keeps ourselves out. */
export function closedToUs(path: string, cause: unknown): Fault {
  return new Fault('misconfigured', `${path} can’t be opened by you; let yourself: chmod 600 ${quote(path)}`, {
    cause,
  });
}

const tokenCharacters = 64;

/** The token that a daemon made, of which there is one form. Throws `misconfigured` where the file holds none. */
export function readMadeToken({ tokenFile }: Pick<Places, 'tokenFile'>): string {
  const text = readOwnFile(tokenFile, tokenCharacters + 1);
  if (!/^[0-9a-f]{64}\n?$/.test(text)) throw unusable(tokenFile, 'holds no token');
  return text.trim();
}
